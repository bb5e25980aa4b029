// Package contract finds the signatures that a trait, a base class or an interface fixes in the code that implements it. The code
// itself says that it implements something: Rust by "impl Trait for", C++, C#, Scala and Swift by "override", C#, Java and Scala by the types that a class extends. Two
// implementations of one interface share these signatures without a copy, and so do an interface and its implementation. The
// bodies are the authors' own, but for those that only forward the call. Fixed too are attributes of Rust that a macro reads, names of
// dependencies of sbt, elements of XML in Scala, and types of <stdint.h> that code declares for itself: a macro, a publisher, a schema and a
// standard leave no choice.
//
// The input is tokens, the output is spans of tokens. The package does no I/O.
//
//	contract.go  Find; ShareInterface, which says when two signatures are no evidence
//	reader.go    what all languages share: tokens by their text, scopes, the end of a signature
//	cpp.go, csharp.go, java.go, rust.go, scala.go, swift.go  how the code of a language says what it implements
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
	Override bool     // of a method with a body of its own that overrides or implements another; fixed beside a stub too
	Stub     bool     // of a method that overrides or implements another and has no code of its own
	Unmarked bool     // of a method of Scala without the word override; fixed only beside one that has it
}

// ShareInterface reports whether two signatures may agree because both implement the same interface. Then they are no evidence.
func ShareInterface(a, b *Signature) bool {
	switch {
	case a.Stub && (b.Stub || b.Override) || b.Stub && a.Override:
	case a.Override && len(a.Of) == 0 || b.Override && len(b.Of) == 0: // the class names no interface
		return false
	case a.Unmarked && b.Unmarked:
		return false
	case a.Declares && b.Declares || (a.Beside || b.Beside) && a.Declares == b.Declares:
		return false
	}
	return len(a.Of) == 0 || len(b.Of) == 0 || slices.ContainsFunc(a.Of, func(name string) bool { return slices.Contains(b.Of, name) })
}

// At returns the signature that contains a token, or nil.
func At(in []Signature, token int) *Signature {
	i, _ := slices.BinarySearchFunc(in, token, func(s Signature, token int) int { return cmp.Compare(s.To, token+1) })
	if i < len(in) && in[i].From <= token {
		return &in[i]
	}
	return nil
}

// Supports reports whether signatures are found in a language.
func Supports(l *lang.Language) bool { return l != nil && readers[l.Syntax()] != nil }

// readers holds a function for each language. It reads what a token begins. In Kotlin all that implements says override. Copies whose type
// was renamed would be lost there: of 113 edited functions 6 (docs/EVALUATION-HISTORY.md). In TypeScript no false finding showed a need.
var readers = map[string]func(*reader, int){
	"rust": (*reader).rust, "csharp": (*reader).csharp, "java": (*reader).java, "c": (*reader).c, "cpp": (*reader).cpp, "scala": (*reader).scala, "swift": (*reader).swift,
}

// Find lists the fixed signatures of a text, ascending and disjoint.
func Find(l *lang.Language, text []byte, toks []lang.Token) []Signature {
	if !Supports(l) {
		return nil
	}
	r := reader{text: text, toks: toks, brace: -1}
	read := readers[l.Syntax()]
	for i := range toks {
		switch w := r.word(i); {
		case i == r.brace: // a brace, or what stands before an indented body
			r.open = append(r.open, r.next)
		case w == "{":
			r.open = append(r.open, scope{name: -1})
		case w == "}":
			r.close()
		default:
			read(&r, i)
		}
	}
	return r.out
}
