// Package imports reads which packages a text imports, and by which names it knows them: in languages whose import
// paths are strings, as in Go and JavaScript, and in Python.
//
// Tokens flow in, imports flow out. It does no I/O.
package imports

import (
	"path"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
)

// Import is a clause of a text that imports something.
type Import struct {
	Path  string
	Names []string // by which the text knows what it imports
}

// Bytes is the memory that an import takes, about.
func (i Import) Bytes() int {
	const header = 16 // of a string
	n := 2*header + len(i.Path)
	for _, name := range i.Names {
		n += header + len(name)
	}
	return n
}

// In lists the imports of a text.
func In(l *lang.Language, text []byte, tokens []lang.Token) []Import {
	if l != nil && l.Name == "python" {
		return modules(text, tokens)
	}
	return paths(text, tokens)
}

// paths lists the imports whose paths are strings.
func paths(of []byte, tokens []lang.Token) (out []Import) {
	var names []string
	for _, t := range tokens {
		if t.Flags&lang.FlagImport == 0 {
			names = nil
			continue
		}
		switch text := string(of[t.Start:t.End]); t.Class {
		case lang.Identifier:
			names = append(names, text)
		case lang.String:
			at := strings.Trim(text, "\"'`")
			out = append(out, Import{at, append(names, packageNames(at)...)})
			names = nil
		}
	}
	return out
}

// packageNames are the names that a Go package at a path has by custom.
func packageNames(at string) []string {
	if prefix, _, ok := module.SplitPathVersion(at); ok {
		at = prefix
	}
	base := path.Base(at)
	return []string{base, strings.TrimPrefix(base, "go-"), strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go")}
}

// modules lists the imports of Python.
func modules(of []byte, tokens []lang.Token) (out []Import) {
	var from, imports bool // of the clause at hand
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
			out[len(out)-1].Path = "." // then the module's name follows
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

// Relative tells whether it imports something that lies beside the text.
func (c *Import) Relative() bool { return strings.HasPrefix(c.Path, ".") }

// Of tells whether it imports a package, or a part of it.
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
