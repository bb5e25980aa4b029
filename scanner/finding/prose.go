package finding

import (
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// documents lists the extensions of texts for people. Names without extension, such as CONTRIBUTING, count too.
var documents = []string{"", ".md", ".markdown", ".mdx", ".mdc", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".textile", ".pod", ".rdoc",
	".texi", ".texinfo", ".info", ".man", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9"}

// IsProse reports whether the region is no code: a comment, or a document that was read as words. Code without a grammar is read
// as words too, so the file name decides.
func (f *Finding) IsProse() bool {
	return f.Documentation || f.Language == lang.Words().Name && Document(f.Path)
}

// Document reports whether a file is a text for people, by its name. A file without extension can still be code.
func Document(name string) bool {
	return slices.Contains(documents, strings.ToLower(path.Ext(strings.TrimPrefix(path.Base(name), "."))))
}
