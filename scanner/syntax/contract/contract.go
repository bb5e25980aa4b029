// Package contract finds the signatures that a trait, a base class or an interface fixes in the code that implements it. The code
// itself says that it implements something: Rust by "impl Trait for", C# by "override" or the interfaces of a class. Two
// implementations of one interface share these signatures without a copy, and so do an interface and its implementation. The
// bodies are the authors' own.
//
// The input is tokens, the output is stretches. The package does no I/O.
package contract

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Signature is a sequence of fixed tokens.
type Signature struct {
	From, To int      // half-open tokens
	Of       []string // interfaces that may fix it; empty if the code does not name them
	Type     int      // token that names the implementing type; -1 if there is none
	Declares bool     // it is in the interface itself
	Beside   bool     // fixed only beside the interface itself, not beside another implementation
	Override bool     // of a method that the class has from another type, with a body of its own; fixed beside a stub too
	Stub     bool     // such a method without code of its own
}

// ShareInterface reports whether two stretches may agree because both implement the same interface.
func ShareInterface(a, b *Signature) bool {
	switch {
	case a.Stub && (b.Stub || b.Override) || b.Stub && a.Override:
	case a.Override && len(a.Of) == 0 || b.Override && len(b.Of) == 0: // the class names no interface
		return false
	case a.Declares && b.Declares || (a.Beside || b.Beside) && a.Declares == b.Declares:
		return false
	}
	return len(a.Of) == 0 || len(b.Of) == 0 || slices.ContainsFunc(a.Of, func(name string) bool { return slices.Contains(b.Of, name) })
}

// At returns the stretch that contains a token, or nil.
func At(in []Signature, token int) *Signature {
	i, _ := slices.BinarySearchFunc(in, token, func(s Signature, token int) int { return cmp.Compare(s.To, token+1) })
	if i < len(in) && in[i].From <= token {
		return &in[i]
	}
	return nil
}

// Limits; longer heads and signatures are ignored.
const (
	longest   = 512 // tokens of the head of a class or of a signature
	mostNames = 16  // interfaces of a class
)

// Supports reports whether signatures are found in a language.
func Supports(l *lang.Language) bool { return l != nil && marks[l.Syntax()] != nil }

// marks holds a function for each language that reads what a token begins. In Java, a signature is fixed only beside the interface
// itself: of two implementations one may be a copy with another name of its type (docs/SCORE.md). A method that overrides or implements
// another, and is empty, only returns a constant or only throws, is a stub, which an editor writes. It is fixed beside such a method, and
// its signature beside that of any method that overrides or implements. Kotlin and TypeScript have such marks too, but no false finding showed a need for them.
var marks = map[string]func(*reader, int){"rust": (*reader).rust, "csharp": (*reader).csharp, "java": (*reader).java}

// Find lists the fixed stretches of a text, ascending and disjoint.
func Find(l *lang.Language, text []byte, toks []lang.Token) []Signature {
	if !Supports(l) {
		return nil
	}
	r := reader{text: text, toks: toks, brace: -1}
	mark := marks[l.Syntax()]
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

// scope is a pair of braces, with the interfaces that the code in it implements.
type scope struct {
	of       []string
	name     int  // the token that names the type, or -1
	declares bool // it is the interface itself
	beside   bool // it fixes signatures only beside the interface itself
	override bool // of one method: Signature.Override
	stub     bool // of one method: Signature.Stub
}

// reader reads tokens by their text.
type reader struct {
	text  []byte
	toks  []lang.Token
	out   []Signature
	open  []scope // scopes of the open braces
	brace int     // the brace that next belongs to
	next  scope
}

// in returns the scope that contains the current token.
func (r *reader) in() scope {
	if len(r.open) == 0 {
		return scope{name: -1}
	}
	return r.open[len(r.open)-1]
}

// word returns the text of a token if it is short enough for a keyword or a bracket, else "".
func (r *reader) word(i int) string {
	if i < 0 || i >= len(r.toks) || r.toks[i].End-r.toks[i].Start > 10 {
		return ""
	}
	return string(r.text[r.toks[i].Start:r.toks[i].End])
}

// name returns the text of an identifier, else "".
func (r *reader) name(i int) string {
	if i < 0 || i >= len(r.toks) || r.toks[i].Class != lang.Identifier {
		return ""
	}
	return string(r.text[r.toks[i].Start:r.toks[i].End])
}

// add adds a stretch, without tokens of the one before.
func (r *reader) add(from, to int, s scope) {
	if n := len(r.out); n > 0 {
		from = max(from, r.out[n-1].To)
	}
	if from < to {
		r.out = append(r.out, Signature{from, to, s.of, s.name, s.declares, s.beside, s.override, s.stub})
	}
}

// opens sets the scope of the brace that follows a head.
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

// interfaces lists the interfaces of a class, given the position behind its name. It recognises them by the I before their names.
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

// prefixed reports whether a name is that of an interface by convention, such as IColumn.
func prefixed(name string) bool {
	return len(name) > 2 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' && name[2] >= 'a'
}

// java reads the head of a class or an interface, an anonymous class, and the signatures in them.
func (r *reader) java(i int) {
	in := r.in()
	switch r.word(i) {
	case "class", "enum", "record":
		if r.name(i+1) != "" {
			r.opens(i, scope{of: r.implements(i + 2), name: i + 1, beside: true})
		}
	case "interface":
		if n := r.name(i + 1); n != "" && r.word(i-1) != "@" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true, beside: true})
		}
	case "new":
		r.anonymous(i)
	case "@":
		if r.name(i+1) == "Override" && !in.declares {
			r.overrides(i, i+2, nil) // it may be of the base class
		}
	case "public":
		if len(in.of) > 0 && !in.declares && r.word(i+1) != "static" {
			r.overrides(i, i, in.of)
		}
	}
	if in.declares {
		r.add(i, r.member(i), in)
	}
}

// implements lists the interfaces of a Java class, given the position behind its name.
func (r *reader) implements(i int) (names []string) {
	depth, lists := 0, false
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		switch w := r.word(at); w {
		case "(", "<":
			depth++
		case ")", ">":
			depth--
		case ">>":
			depth -= 2
		case "{", ";", "}":
			return names
		case "implements":
			lists = true
		default:
			if n := r.name(at); lists && depth == 0 && n != "" && r.word(at+1) != "." && len(names) < mostNames {
				names = append(names, n)
			}
		}
	}
	return names
}

// anonymous reads "new Type(…) {".
func (r *reader) anonymous(i int) {
	of, depth := "", 0
	for at := i + 1; at < min(i+longest, len(r.toks)); at++ {
		switch w := r.word(at); w {
		case "(", "<":
			depth++
		case ")", ">":
			if depth--; w == ")" && depth == 0 {
				if r.word(at+1) == "{" && of != "" {
					r.brace, r.next = at+1, scope{of: []string{of}, name: -1, beside: true}
				}
				return
			}
		case ">>":
			depth -= 2
		case ";", "{", "}", "[":
			return
		default:
			if n := r.name(at); n != "" && depth == 0 {
				of = n
			}
		}
	}
}

// member returns the end of a Java signature: the body, or the semicolon in its place.
func (r *reader) member(i int) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "(":
			depth++
		case ")":
			depth--
		case "{", ";", "=", "}":
			if depth <= 0 {
				return at
			}
		}
	}
	return i
}

// overrides reads a Java method whose class has it from another type, one of those in of if they are known: all of a stub, the
// signature of another one. It begins at i, its signature at signature.
func (r *reader) overrides(i, signature int, of []string) {
	in := r.in()
	if end := r.stub(signature); end > 0 {
		r.add(i, end, scope{of: of, name: in.name, stub: true})
		return
	}
	in.override = true
	r.add(i, r.member(signature), in)
}

// constants are the words that a method without code of its own returns.
var constants = []string{"null", "true", "false"}

// mostThrown bounds the tokens of an exception that such a method throws.
const mostThrown = 16

// stub returns the end of a Java method without code of its own: it does nothing, returns a constant or throws an exception. It
// returns 0 if there is none at i.
func (r *reader) stub(i int) int {
	at := r.member(i)
	if r.word(at) != "{" {
		return 0
	}
	switch at++; r.word(at) {
	case "return":
		if r.word(at+1) == "-" {
			at++
		}
		if r.word(at+2) == ";" && (slices.Contains(constants, r.word(at+1)) || r.toks[at+1].Class == lang.Number || r.toks[at+1].Class == lang.String) {
			at += 3
		}
	case "throw":
		if r.word(at+1) != "new" {
			return 0
		}
		for end := at + mostThrown; at < min(end, len(r.toks)) && r.word(at) != ";" && r.word(at) != "}" && r.word(at) != "{"; {
			at++
		}
		at++
	}
	if r.word(at) != "}" {
		return 0
	}
	return at + 1
}

// rust reads the head of an implementation or of a trait, and the signatures in it.
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

// implementation reads "impl<…> Trait for Type where … {". Everything except the type is fixed.
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
			if head == i && where == 0 && depth == 0 && r.word(at+1) != "<" { // not the for of a lifetime
				head = at
			}
		case "where":
			where = at
		case ";", "}", "=":
			if depth == 0 { // an impl type, not the head of an implementation
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

// signature returns the end of a signature: the body, or the token in its place.
func (r *reader) signature(i int) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth < 0 { // end of the parameters that the property belongs to
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

// closed returns the token behind the brace that closes the one at i.
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
