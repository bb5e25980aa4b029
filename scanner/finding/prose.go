package finding

import (
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// documents are the extensions of texts for people. Names without one, such as
// CONTRIBUTING, are documents too.
var documents = []string{"", ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".textile", ".pod", ".rdoc"}

// IsProse tells whether the region is no code: a document that was read as words,
// as code without a grammar is too, or a comment.
func (f *Finding) IsProse() bool {
	return f.Documentation || f.Language == lang.Words().Name && Document(f.Path)
}

// Document tells by the name of a file whether it is a text for people. It can be code
// all the same where the name has no extension.
func Document(name string) bool {
	return slices.Contains(documents, strings.ToLower(path.Ext(strings.TrimPrefix(path.Base(name), "."))))
}
