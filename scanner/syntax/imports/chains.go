package imports

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// Two programs that use one library import the same names of it, and go on with its members: Layout::default().direction(d).split(area).
// The text of the library is not needed to see that.

// SharedNames lists the names that a text imports from where another text imports them too. The first name of the paths may differ: a
// fork of a library, or a later release, has the same paths under another name. Imports of the text's own package are left out.
func SharedNames(l *lang.Language, here, there Clauses) map[string]bool {
	byName := make(map[string][]Named) // paths of the other text, by their last name
	for _, c := range there.Paths {
		last := c.Path[len(c.Path)-1]
		byName[last] = append(byName[last], c)
	}
	out := map[string]bool{}
	for _, c := range here.Paths {
		if ofText[c.Path[0]] || SameRoot(l, c.Path, here.Own) {
			continue
		}
		others := byName[c.Path[len(c.Path)-1]]
		others = others[:min(len(others), mostAlike)]
		if slices.ContainsFunc(others, func(o Named) bool { return samePlace(c.Path, o.Path) }) {
			for _, name := range c.Names {
				out[name] = true
			}
		}
	}
	return out
}

// mostAlike bounds the paths of a text with one last name that are compared.
const mostAlike = 16

// ofText has the first names of the paths that Rust has for a text's own package.
var ofText = map[string]bool{"crate": true, "self": true, "super": true}

// samePlace reports whether two paths agree, or agree in all names but the first one, of which there are two at least.
func samePlace(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	return slices.Equal(a[1:], b[1:]) && (a[0] == b[0] || len(a) > 2)
}

// Within reports whether a file of Rust is in the module that a path begins with, whatever the name of the crate: src/layout.rs and
// src/layout/rect.rs are in that of ratatui::layout::Rect. Other languages name the package of a file in its text.
func Within(l *lang.Language, c Named, file string) bool {
	if l.Syntax() != "rust" || len(c.Path) < 3 || ofText[c.Path[0]] {
		return false
	}
	dirs := strings.Split(strings.TrimSuffix(file, ".rs"), "/")
	dirs = dirs[slices.Index(dirs, "src")+1:]
	module := c.Path[1 : len(c.Path)-1]
	return len(dirs) >= len(module) && slices.Equal(dirs[:len(module)], module)
}

// Members lists the names that belong to imported ones in a part of a text: these names themselves, their members, members of what
// these return, and the keywords and fields that are set in their brackets.
func Members(text []byte, tokens []lang.Token, imported map[string]bool) map[string]bool {
	m := members{text: text, tokens: tokens, imported: imported, found: map[string]bool{}, open: []chain{{}}}
	for i := range tokens {
		m.read(i)
	}
	return m.found
}

// members reads chains of names.
type members struct {
	text     []byte
	tokens   []lang.Token
	imported map[string]bool
	held     map[string]bool // variables of imported types: their members are found, and not they themselves
	found    map[string]bool
	open     []chain // of the open brackets, the innermost last
}

// chain is the state within a pair of brackets.
type chain struct {
	theirs bool // the chain that is being read begins at an imported name
	within bool // the brackets follow such a chain
}

// deepestChain bounds the open brackets; deeper ones are not told from those around them.
const deepestChain = 256

// word returns the text of a token.
func (m *members) word(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return string(m.text[m.tokens[i].Start:m.tokens[i].End])
}

func (m *members) read(i int) {
	t, at := m.tokens[i], &m.open[len(m.open)-1]
	if t.Class == lang.Identifier {
		m.name(i, at)
		return
	}
	if t.End-t.Start > 3 {
		at.theirs = at.theirs && m.isMember(i-1) // the await of Rust
		return
	}
	switch m.word(i) {
	case "(", "[", "{":
		if len(m.open) < deepestChain {
			m.open = append(m.open, chain{within: at.theirs})
		}
	case ")", "]", "}":
		if len(m.open) > 1 {
			m.open = m.open[:len(m.open)-1]
		}
	case "?", "!", "!!":
	default:
		at.theirs = at.theirs && m.isMember(i)
	}
}

// name reads a name.
func (m *members) name(i int, at *chain) {
	name := m.word(i)
	switch {
	case m.imported[name], at.theirs && m.isMember(i-1):
		at.theirs = true
		m.found[name] = true
	default:
		before, after := m.word(i-1), m.word(i+1)
		key := at.within && (after == ":" || after == "=") && (before == "(" || before == "," || before == "{")
		if key {
			m.found[name] = true
		}
		at.theirs = !key && m.held[name] && (!m.isMember(i-1) || m.word(i-2) == "this")
	}
}

// isMember reports whether a token stands between a value or a type and its member.
func (m *members) isMember(i int) bool {
	switch m.word(i) {
	case ".", "::", "->", "?.", "?->":
		return true
	}
	return false
}
