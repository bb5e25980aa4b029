// Package imports finds which packages a text imports, and by which names. It reads Python, and languages whose import paths are
// strings, such as Go and JavaScript.
//
//	imports.go     Find: import clauses whose paths are strings
//	clauses.go     ClausesOf: import clauses whose paths are names, and the package of a text
//	chains.go      names that two texts import from one place, and members of them (a.b().c)
//	fixed.go       FixedNames: names that an imported package fixes
//	theirs.go      Theirs: names that belong to what two texts both import
//	headers.go     headers of C
//
// The input is tokens, the output is imports. The package does no I/O.
package imports

import (
	"path"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
)

// Import is an import clause of a text.
type Import struct {
	Path  string
	Names []string // names that the text uses for what it imports
}

// Bytes estimates the memory of an import.
func (i Import) Bytes() int {
	const header = 16 // of a string
	n := 2*header + len(i.Path)
	for _, name := range i.Names {
		n += header + len(name)
	}
	return n
}

// Find lists the imports of a text.
func Find(l *lang.Language, text []byte, tokens []lang.Token) []Import {
	if l != nil && l.Name == "python" {
		return modules(text, tokens)
	}
	return paths(text, tokens)
}

// paths lists the imports whose paths are strings.
func paths(of []byte, tokens []lang.Token) (out []Import) {
	var names []string
	tag := false // of a page
	for _, t := range tokens {
		if t.Flags&lang.FlagImport == 0 {
			names, tag = nil, false
			continue
		}
		switch text := string(of[t.Start:t.End]); {
		case t.Class == lang.Keyword && (text == "<" || text == ">"):
			names, tag = nil, text == "<"
		case tag:
		case t.Class == lang.Identifier:
			names = append(names, text)
		case t.Class == lang.String:
			at := strings.Trim(text, "\"'`")
			out = append(out, Import{at, append(names, packageNames(at)...)})
			names = nil
		}
	}
	return out
}

// packageNames returns the usual names of a Go package at a path.
func packageNames(at string) []string {
	if prefix, _, ok := module.SplitPathVersion(at); ok {
		at = prefix
	}
	base := path.Base(at)
	return []string{base, strings.TrimPrefix(base, "go-"), strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go")}
}

// modules lists the imports of Python.
func modules(of []byte, tokens []lang.Token) (out []Import) {
	var from, imports bool // of the current clause
	for _, t := range tokens {
		if t.Flags&lang.FlagImport == 0 {
			from, imports = false, false
			continue
		}
		text := string(of[t.Start:t.End])
		switch {
		case text == "from", text == "import" && (imports || !from):
			out = append(out, Import{})
			from, imports = text == "from", text == "import"
		case text == "import":
			imports = true
		case strings.HasPrefix(text, ".") && from && !imports && len(out) > 0 && out[len(out)-1].Path == "":
			out[len(out)-1].Path = "." // the module's name follows
		case t.Class == lang.Identifier && len(out) > 0:
			c := &out[len(out)-1]
			if c.Path == "" || c.Path == "." {
				c.Path += text
			}
			c.Names = append(c.Names, text)
		}
	}
	return out
}

// Relative reports whether it imports a file by a relative path.
func (c *Import) Relative() bool { return strings.HasPrefix(c.Path, ".") }

// Of reports whether it imports a package, or a part of it.
func (c *Import) Of(u purl.PURL) bool {
	if c.Path == "" {
		return false
	}
	name := purl.FullName(u)
	switch u.Type {
	case "golang", "npm":
		return c.Path == name || strings.HasPrefix(c.Path, name+"/")
	case "pypi":
		return strings.EqualFold(c.Path, strings.ReplaceAll(name, "-", "_"))
	}
	return false
}
