// Package contract finds what a trait, a base class or an interface fixes of the code that implements it: the signatures of
// its methods. The code itself says that they implement something: Rust by "impl Trait for", C# by "override" or the
// interfaces of a class. Two implementations of one interface agree there without a copy, and so do an interface and an
// implementation. The bodies are their authors'.
//
// Tokens flow in, stretches flow out. It does no I/O.
package contract

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Stretch is what is fixed without a break.
type Stretch struct {
	From, To int      // half-open tokens
	Of       []string // interfaces that may fix it; none: the code does not name them
	Type     int      // the token that names the type which implements it; -1: none does
	Declares bool     // it stands in the interface itself
}

// Fixes tells whether two texts may agree in a stretch each by what both implement.
func Fixes(a, b *Stretch) bool {
	if a.Declares && b.Declares {
		return false
	}
	return len(a.Of) == 0 || len(b.Of) == 0 || slices.ContainsFunc(a.Of, func(name string) bool { return slices.Contains(b.Of, name) })
}

// At returns the stretch that a token lies in, nil if it lies in none.
func At(in []Stretch, token int) *Stretch {
	i, _ := slices.BinarySearchFunc(in, token, func(s Stretch, token int) int { return cmp.Compare(s.To, token+1) })
	if i < len(in) && in[i].From <= token {
		return &in[i]
	}
	return nil
}

// Bounds of what is read; a longer head or signature is none.
const (
	longest   = 512 // tokens of the head of a class or of a signature
	mostNames = 16  // interfaces of a class
)

// In tells whether a language says what implements something.
func In(l *lang.Language) bool { return l != nil && marks[l.Name] != nil }

// marks reads what a token begins, by language. Others have such marks too, Java's @Override among them, but no findings that
// they would have explained were met in Java, Kotlin and TypeScript, and copies would have been lost (docs/SCORE.md).
var marks = map[string]func(*reader, int){"rust": (*reader).rust, "csharp": (*reader).csharp}

// Find lists what is fixed in a text, ascending and apart.
func Find(l *lang.Language, text []byte, toks []lang.Token) []Stretch {
	if !In(l) {
		return nil
	}
	r := reader{text: text, toks: toks, brace: -1}
	mark := marks[l.Name]
	for i := range toks {
		switch r.word(i) {
		case "{":
			s := scope{name: -1}
			if i == r.brace {
				s = r.next
			}
			r.open = append(r.open, s)
		case "}":
			r.open = r.open[:max(0, len(r.open)-1)]
		default:
			mark(&r, i)
		}
	}
	return r.out
}

// scope is a pair of braces and what the code in it implements.
type scope struct {
	of       []string
	name     int  // the token that names the type; -1: none
	declares bool // it is the interface
}

// reader reads tokens by their texts.
type reader struct {
	text  []byte
	toks  []lang.Token
	out   []Stretch
	open  []scope // the braces that are open
	brace int     // the one that next is of
	next  scope
}

// in is the scope that a token stands in.
func (r *reader) in() scope {
	if len(r.open) == 0 {
		return scope{name: -1}
	}
	return r.open[len(r.open)-1]
}

// word is the text of a token if it is short enough for a keyword or a bracket.
func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.toks) || r.toks[i].End-r.toks[i].Start > 10 {
		return ""
	}
	return string(r.text[r.toks[i].Start:r.toks[i].End])
}

// name is the text of a token that is an identifier.
func (r *reader) name(i int) string {
	if i < 0 || i >= len(r.toks) || r.toks[i].Class != lang.Identifier {
		return ""
	}
	return string(r.text[r.toks[i].Start:r.toks[i].End])
}

// add notes a stretch behind those before.
func (r *reader) add(from, to int, s scope) {
	if n := len(r.out); n > 0 {
		from = max(from, r.out[n-1].To)
	}
	if from < to {
		r.out = append(r.out, Stretch{from, to, s.of, s.name, s.declares})
	}
}

// opens notes what the braces behind a head hold.
func (r *reader) opens(head int, s scope) {
	for at := head; at < min(head+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "{":
			r.brace, r.next = at, s
			return
		case ";", "}":
			return
		}
	}
}

// csharp reads the head of a class or an interface, and the members that an interface or a base class fixes.
func (r *reader) csharp(i int) {
	in := r.in()
	switch r.word(i) {
	case "override":
		r.add(i, r.signature(i), scope{name: in.name})
		return
	case "class", "struct", "record":
		if r.name(i+1) != "" {
			r.opens(i, scope{of: r.interfaces(i + 2), name: i + 1})
		}
	case "interface":
		if n := r.name(i + 1); n != "" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true})
		}
	case "public":
		if len(in.of) > 0 && r.word(i+1) != "static" {
			r.add(i, r.signature(i), in)
		}
	}
	if in.declares {
		r.add(i, r.signature(i), in)
	}
}

// interfaces lists those of a class whose head goes on at i, by the I before their names.
func (r *reader) interfaces(i int) (names []string) {
	depth, lists := 0, false
	for at := i; at < min(i+longest, len(r.toks)) && depth >= 0; at++ {
		switch w := r.word(at); w {
		case "(", "[", "<":
			depth++
		case ")", "]", ">":
			depth--
		case ">>":
			depth -= 2
		case "{", ";", "}", "where":
			return names
		case ":":
			lists = lists || depth == 0
		default:
			if n := r.name(at); lists && depth == 0 && prefixed(n) && r.word(at+1) != "." && len(names) < mostNames {
				names = append(names, n)
			}
		}
	}
	return names
}

// prefixed tells whether a name is one of an interface by custom, such as IColumn.
func prefixed(name string) bool {
	return len(name) > 2 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' && name[2] >= 'a'
}

// rust reads the head of an implementation or of a trait, and what stands in it beside bodies.
func (r *reader) rust(i int) {
	switch r.word(i) {
	case "impl":
		r.implementation(i)
	case "trait":
		if n := r.name(i + 1); n != "" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true})
		}
	case "fn", "type", "const":
		if in := r.in(); len(in.of) > 0 {
			r.add(i, r.signature(i), in)
		}
	case "!": // a macro instead of methods
		if in := r.in(); len(in.of) > 0 && !in.declares && r.word(i+1) == "{" {
			r.add(i-1, r.closed(i+1), in)
		}
	}
}

// implementation reads "impl<…> Trait for Type where … {": all but the type is fixed.
func (r *reader) implementation(i int) {
	trait, where, depth := "", 0, 0
	head, typ := i, -1
	for at := i + 1; at < min(i+longest, len(r.toks)) && depth >= 0; at++ {
		switch r.word(at) {
		case "(", "[", "<":
			depth++
		case ")", "]", ">":
			depth--
		case ">>":
			depth -= 2
		case "for":
			if head == i && where == 0 && depth == 0 && r.word(at+1) != "<" { // not that of a lifetime
				head = at
			}
		case "where":
			where = at
		case ";", "}", "=":
			if depth == 0 { // a type that is some implementation, not the head of one
				return
			}
		case "{":
			if head > i && trait != "" {
				r.brace, r.next = at, scope{of: []string{trait}, name: typ}
				r.add(i, head, r.next)
				r.add(cmp.Or(where, at), at, r.next)
			}
			return
		default:
			switch n := r.name(at); {
			case n == "" || depth > 0 || where > 0:
			case head == i:
				trait = n
			default:
				typ = at
			}
		}
	}
}

// signature is where a signature ends: at the body, or at what stands for one.
func (r *reader) signature(i int) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth < 0 { // of the parameters that a property is among
				return at
			}
		case "{", ";", ",", "=", "=>", "}":
			if depth == 0 {
				return at
			}
		}
	}
	return i
}

// closed is behind the brace that closes the one at i.
func (r *reader) closed(i int) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return i
}
