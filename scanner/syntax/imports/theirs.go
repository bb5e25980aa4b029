package imports

import (
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
)

// Code that uses a library calls methods of the library's types on variables, and overrides methods of its classes. These names
// belong to the library too, such as visitInsn in mv.visitInsn(POP) if mv is declared as an imported MethodVisitor.

// Both lists the names that two texts import from one place, even if their clauses differ: one text may import a type and the other
// the whole package, or one a member and the other its type. In Rust one text may import a name of a crate, and the other write the
// crate in full paths.
func Both(l *lang.Language, here, there Clauses) map[string]bool {
	out := SharedNames(l, here, there)
	maps.Copy(out, SharedNames(l, there, here))
	for _, pair := range [][2]Clauses{{here, there}, {there, here}} {
		roots := map[string]bool{} // crates that the other text names
		for _, c := range pair[1].Paths {
			if len(c.Path) == 1 && l.Syntax() == "rust" {
				roots[c.Path[0]] = true
			}
		}
		heads := map[string][][]string{} // paths of the other text without its last name, by the name before it
		for _, c := range pair[1].Paths {
			if n := len(c.Path); n > 1 && (c.Path[n-1] == "*" || c.Path[n-1] == "_") {
				heads[c.Path[n-2]] = append(heads[c.Path[n-2]], c.Path[:n-1])
			} else if n > 1 && startsUpper(c.Path[n-1]) {
				heads[c.Path[n-1]] = append(heads[c.Path[n-1]], c.Path)
			}
		}
		for _, c := range pair[0].Paths {
			n := len(c.Path) - 1
			if n < 1 || ofText[c.Path[0]] || SameRoot(l, c.Path, pair[0].Own) {
				continue
			}
			if roots[c.Path[0]] {
				out[c.Path[0]] = true
			}
			others := heads[c.Path[n-1]]
			if roots[c.Path[0]] || slices.ContainsFunc(others[:min(len(others), mostAlike)], func(p []string) bool { return slices.Equal(p, c.Path[:n]) }) {
				for _, name := range c.Names {
					out[name] = true
				}
			}
		}
	}
	return out
}

// startsUpper reports whether a name begins in upper case, as those of types do.
func startsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// Theirs lists the names of a text that belong to imported names: those of Members, the members of variables with an imported type,
// and the methods that a class overrides of an imported base.
func Theirs(text []byte, tokens []lang.Token, imported map[string]bool) map[string]bool {
	m := members{text: text, tokens: tokens, imported: imported, found: map[string]bool{}, open: []chain{{}}}
	m.held = m.variables()
	for i := range tokens {
		m.read(i)
	}
	m.overridden()
	return m.found
}

// variables lists the names that are declared with an imported type: Type name, name: Type, name = new Type(…), name = Type::new(…).
func (m *members) variables() map[string]bool {
	out := map[string]bool{}
	for i, t := range m.tokens {
		if t.Class != lang.Identifier || t.Flags&lang.FlagImport != 0 {
			continue
		}
		if name, of := m.bound(i); of && out[m.word(i)] {
			out[name] = true // what a member of such a variable returns
		}
		if !m.imported[m.word(i)] {
			continue
		}
		if at := m.behindType(i + 1); at < len(m.tokens) && m.tokens[at].Class == lang.Identifier {
			switch m.word(at + 1) {
			case "=", ";", ",", ")", ":", "in":
				out[m.word(at)] = true
			}
		}
		at := i - 1
		for at > 0 && (m.word(at) == "new" || m.word(at) == "&" || m.word(at) == "mut") {
			at--
		}
		before := m.word(at - 2)
		if w := m.word(at); (w == ":" || w == "=" && before != "(" && before != ",") && at > 0 && m.tokens[at-1].Class == lang.Identifier {
			out[m.word(at-1)] = true
		}
	}
	return out
}

// bound returns the variable that is declared with a member of the name at i: let NAME = i.member(…), val NAME = i.member.
func (m *members) bound(i int) (name string, ok bool) {
	if !m.isMember(i + 1) {
		return "", false
	}
	at := i - 1
	for at > 0 && (m.word(at) == "&" || m.word(at) == "mut") {
		at--
	}
	if at < 2 || m.word(at) != "=" || m.tokens[at-1].Class != lang.Identifier {
		return "", false
	}
	switch m.word(at - 2) {
	case "let", "mut", "val", "var":
		return m.word(at - 1), true
	}
	return "", false
}

// behindType returns the token after a type whose name ends before i: its arguments, brackets and marks.
func (m *members) behindType(i int) int {
	depth := 0
	for end := i + longestType; i < min(end, len(m.tokens)); i++ {
		switch w := m.word(i); w {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		case "[", "]", "[]", "?", "...", "*", "&":
		default:
			if depth <= 0 {
				return i
			}
			if w == ";" || w == "{" || w == "(" {
				return len(m.tokens)
			}
		}
	}
	return len(m.tokens)
}

// longestType bounds the arguments of a type, in tokens.
const longestType = 32

// overridden adds the methods that are marked as overrides in a class whose head has an imported name, with their parameters.
func (m *members) overridden() {
	var open []bool // braces of classes with such a head
	head, theirs := false, false
	for i, t := range m.tokens {
		switch w := m.word(i); {
		case w == "class" || w == "object" || w == "new" || w == "impl" || w == "interface" || w == "struct" || w == "enum" || w == "record":
			head, theirs = true, false
		case w == ";" && head:
			head, theirs = false, false
		case w == "{":
			open = append(open, head && theirs)
			head, theirs = false, false
		case w == "}":
			open = open[:max(0, len(open)-1)]
		case t.Class == lang.Identifier && head && m.imported[w]:
			theirs = true
		case (w == "override" || w == "Override" && m.word(i-1) == "@") && len(open) > 0 && open[len(open)-1]:
			m.signature(i + 1)
		}
	}
}

// signature adds the name of the method whose head goes on at i, and the names of its parameters.
func (m *members) signature(i int) {
	for end := i + longestHead; i < min(end, len(m.tokens)) && m.word(i) != "("; i++ {
		switch m.word(i) {
		case "{", "}", ";", "=":
			return
		}
	}
	if i > 0 && i < len(m.tokens) && m.tokens[i-1].Class == lang.Identifier {
		m.found[m.word(i-1)] = true
	}
	depth := 0
	for end := i + longestHead; i < min(end, len(m.tokens)); i++ {
		switch w := m.word(i); {
		case w == "(":
			depth++
		case w == ")":
			if depth--; depth == 0 {
				return
			}
		case m.tokens[i].Class == lang.Identifier:
			m.found[w] = true
		}
	}
}
