package contract

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Limits; longer heads and signatures are ignored.
const (
	longest   = 512 // tokens of the head of a class or of a signature
	mostNames = 16  // interfaces of a class
)

// scope is a pair of braces or an indented body, with the interfaces that the code in it implements.
type scope struct {
	of       []string
	name     int  // the token that names the type, or -1
	declares bool // it is the interface itself
	elements bool // of an annotation: declares its elements, which annotations on it may require
	beside   bool // it fixes signatures only beside the interface itself
	override bool // of one method: Signature.Override
	stub     bool // of one method: Signature.Stub
	unmarked bool // Signature.Unmarked

	margin, column int // of a body without braces: by how much its head and its members are indented; column is 0 in braces
}

// reader reads tokens by their text.
type reader struct {
	text  []byte
	toks  []lang.Token
	out   []Signature
	open  []scope // open braces and indented bodies
	brace int     // the token that opens the next scope
	next  scope
	types map[string]bool // declared types; only of Scala, nil until they are needed
}

// in returns the scope that contains the current token.
func (r *reader) in() scope {
	if len(r.open) == 0 {
		return scope{name: -1}
	}
	return r.open[len(r.open)-1]
}

// close ends the innermost braces, with the indented bodies in them.
func (r *reader) close() {
	for len(r.open) > 0 && r.in().column > 0 {
		r.open = r.open[:len(r.open)-1]
	}
	r.open = r.open[:max(0, len(r.open)-1)]
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

// add adds the signature [from, to), without tokens of the one before.
func (r *reader) add(from, to int, s scope) {
	if n := len(r.out); n > 0 {
		from = max(from, r.out[n-1].To)
	}
	if from < to {
		r.out = append(r.out, Signature{from, to, s.of, s.name, s.declares, s.beside, s.override, s.stub, s.unmarked})
	}
}

// opens sets the scope that the brace after a head will open.
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

// brackets returns by how much a word changes the depth of brackets.
func brackets(word string) int {
	switch word {
	case "<":
		return 1
	case ">":
		return -1
	case ">>":
		return -2
	}
	return nesting(word)
}

// nesting is brackets where < and > are operators.
func nesting(word string) int {
	switch word {
	case "(", "[":
		return 1
	case ")", "]":
		return -1
	}
	return 0
}

// listed lists the interfaces that the head of a class names, given the position after its name: names after a word, up to the end
// of the head or another word; "" is none.
func (r *reader) listed(i int, behind, upTo string, isInterface func(name string) bool) (names []string) {
	depth, lists := 0, false
	for at := i; at < min(i+longest, len(r.toks)) && depth >= 0; at++ {
		w := r.word(at)
		if w == "{" || w == ";" || w == "}" || upTo != "" && w == upTo {
			return names
		}
		if depth += brackets(w); depth != 0 {
			continue
		}
		if w == behind {
			lists = true
		} else if n := r.name(at); lists && isInterface(n) && r.word(at+1) != "." && len(names) < mostNames {
			names = append(names, n)
		}
	}
	return names
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

// before returns the first of the given words outside brackets, or i. A type between them may contain commas: Result<T, E>.
func (r *reader) before(i int, ends ...string) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)) && depth >= 0; at++ {
		w := r.word(at)
		if depth == 0 && slices.Contains(ends, w) {
			return at
		}
		depth += brackets(w)
	}
	return i
}

// closed returns the token after the brace that closes the one at i.
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
