package excerpt

import (
	"os"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// libraryPackages is how many other packages of the language must call a name for it to count as a library's.
const libraryPackages = 3

// library maps names to the packages of a language that call them. A person who copies code renames its own names, but
// renaming a library's would break the call.
type library map[string][]string // packages, without version, each once

// learn notes the calls of one file.
func (l library) learn(c *Code, pkg string) {
	for i, t := range c.Toks {
		if t.Class != lang.Identifier || !c.called(i) {
			continue
		}
		for _, n := range []string{c.text(i), c.qualified(i)} {
			if n != "" && !slices.Contains(l[n], pkg) {
				l[n] = append(l[n], pkg)
			}
		}
	}
}

// fixed lists the names of tokens [a, b) that belong to a library: called there and in enough other packages, and not
// declared in their file. The name before the dot of the call, as in strings.Split, also belongs to the library if
// enough other packages have it there.
func (l library) fixed(c *Code, a, b int, pkg string) map[string]bool {
	out := make(map[string]bool)
	own := c.declared()
	for i := a; i < b; i++ {
		if c.Toks[i].Class != lang.Identifier || !c.called(i) || own[c.text(i)] || !l.foreign(c.text(i), pkg) {
			continue
		}
		out[c.text(i)] = true
		if q := c.qualified(i); q != "" && i-2 >= a && !own[c.text(i-2)] && l.foreign(q, pkg) {
			out[c.text(i-2)] = true
		}
	}
	return out
}

func (l library) foreign(name, pkg string) bool {
	n := len(l[name])
	if slices.Contains(l[name], pkg) {
		n--
	}
	return n >= libraryPackages
}

// qualified returns token i with the name before its dot, in the form of learn; "" if there is none.
func (c *Code) qualified(i int) string {
	if i < 2 || c.text(i-1) != "." && c.text(i-1) != "->" && c.text(i-1) != "::" || c.Toks[i-2].Class != lang.Identifier {
		return ""
	}
	return c.text(i-2) + c.text(i-1) + c.text(i)
}

// called reports whether the identifier at token i is called and not declared.
func (c *Code) called(i int) bool {
	if c.text(i+1) != "(" {
		return false
	}
	if shut := c.shut[i+1]; c.file.Lang != "go" && c.file.Lang != "py" && shut > 0 && c.text(shut+1) == "{" {
		return false
	}
	if i == 0 || c.Toks[i-1].Class != lang.Keyword {
		return i == 0 || c.Toks[i-1].Class != lang.Identifier
	}
	p := c.text(i - 1)
	if p[0] < 'A' || p[0] > 'z' { // int *f(void) and List<T> f() are mostly declarations
		return p != "*" && p != "&" && p != ">" && p != "]"
	}
	return slices.Contains([]string{"return", "new", "await", "in", "not", "and", "or", "else", "do", "throw", "case", "yield", "assert", "typeof", "go", "defer", "if", "raise"}, p)
}

// declared lists the names that are followed by a parenthesis without being called, or are given a value, in the file.
func (c *Code) declared() map[string]bool {
	out := make(map[string]bool)
	for i, t := range c.Toks {
		if t.Class != lang.Identifier {
			continue
		}
		next := c.text(i + 1)
		if next == "(" && !c.called(i) || next == "=" || next == ":=" {
			out[c.text(i)] = true
		}
	}
	return out
}

// readLibrary learns the calls of all files of the corpus in a language.
func (m *maker) readLibrary() {
	m.library = make(library)
	for _, role := range []string{"known", "unknown"} {
		for _, f := range m.corpus.Of(m.lang, role) {
			if f.Size > 128<<10 {
				continue
			}
			src, err := os.ReadFile(f.Path)
			if err != nil {
				continue
			}
			if c := Read(m.tz, f, src); c != nil {
				m.library.learn(c, m.corpus.NameOf(f))
			}
		}
	}
}
