package contract

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// In Java, a signature is fixed only beside the interface itself: of two implementations one may be a copy with another name of its
// type (docs/SCORE.md). An editor writes a stub for each method that a class has to override or implement: it is empty, only returns a
// constant or only throws. Stubs are fixed beside stubs. The signature of a stub is also fixed beside that of any method that overrides
// or implements. An annotation that bears another one may have elements that the other asks for: Bean Validation wants three of each
// constraint. So they are fixed beside those of an annotation that bears the same.

// java reads the head of a class or an interface, an anonymous class, and the signatures in them.
func (r *reader) java(i int) {
	in := r.in()
	switch r.word(i) {
	case "class", "enum", "record":
		if r.name(i+1) != "" {
			r.opens(i, scope{of: r.listed(i+2, "implements", "", isName), name: i + 1, beside: true})
		}
	case "interface":
		if n := r.name(i + 1); n != "" && r.word(i-1) != "@" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true, beside: true})
		}
	case "@interface":
		if of := r.annotated(i); len(of) > 0 {
			r.opens(i, scope{of: of, name: i + 1, elements: true})
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
	if in.declares || in.elements {
		r.add(i, r.member(i), in)
	}
}

// ofAnnotations lists the annotations that the language has for annotations. They ask for no elements.
var ofAnnotations = []string{"Target", "Retention", "Documented", "Inherited", "Repeatable", "Native", "Deprecated"}

// annotated lists the annotations in front of the declaration at i that may ask for elements.
func (r *reader) annotated(i int) (of []string) {
	depth := 0
	for at := i - 1; at >= max(0, i-longest) && len(of) < mostNames; at-- {
		w := r.word(at)
		switch w {
		case ")", "}", "]":
			depth++
		case "(", "{", "[":
			depth--
		}
		if depth < 0 || depth == 0 && w == ";" || depth == 1 && w == "}" {
			break
		}
		if n := r.name(at + 1); depth == 0 && w == "@" && n != "" && !slices.Contains(ofAnnotations, n) {
			of = append(of, n)
		}
	}
	return of
}

// isName reports whether a word is a name: Java has no convention for the names of interfaces.
func isName(name string) bool { return name != "" }

// anonymous reads "new Type(…) {".
func (r *reader) anonymous(i int) {
	of, depth := "", 0
	for at := i + 1; at < min(i+longest, len(r.toks)); at++ {
		w := r.word(at)
		depth += brackets(w)
		switch n := r.name(at); {
		case w == ";" || w == "{" || w == "}" || w == "[":
			return
		case w == ")" && depth == 0:
			if r.word(at+1) == "{" && of != "" {
				r.brace, r.next = at+1, scope{of: []string{of}, name: -1, beside: true}
			}
			return
		case n != "" && depth == 0:
			of = n
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

// overrides reads a Java method that overrides or implements one of another type: of the types in of, if they are known. Of a stub,
// all tokens are fixed, of any other method those of the signature. The method begins at i, its signature at signature.
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
var constants = []string{"null", "nullptr", "true", "false"}

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
		at = r.returned(at)
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

// returned returns the token after a statement at i that returns a constant, or i if the statement is another one.
func (r *reader) returned(i int) int {
	at := i + 1
	if r.word(at) == "-" {
		at++
	}
	if r.word(at+1) == ";" && (slices.Contains(constants, r.word(at)) || r.toks[at].Class == lang.Number || r.toks[at].Class == lang.String) {
		return at + 2
	}
	return i
}
