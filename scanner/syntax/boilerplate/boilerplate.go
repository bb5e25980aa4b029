// Package boilerplate finds boilerplate: stretches of code that a tool writes, a manual prints or a format fixes for everybody. Two
// files that share boilerplate need not share an origin, so it is no evidence. Files that a tool writes as a whole are found by
// lang/toolwritten.go.
//
// Find takes the tokens of code. InText, InMarkup and CharacterSets take text without a grammar.
//
//	boilerplate.go  Find: which readers a language has, and the words that their boilerplate begins with
//	reader.go       reader: tokens by their text, up to the end of a statement, a bracket, a function
//	transpiled.go   helpers of Babel, TypeScript, SWC and bundlers; names.go lists the names of these functions
//	ide.go          methods that IDEs write in Java, Kotlin and C#
//	php.go          migrations of Laravel
//	java.go, golang.go  code that manuals of Java and Go print, and the frame of a test by gotests
//	scaffold.go     tests that Angular's command writes
//	generated.go    what flex, Bison, Ragel, re2c and gperf write in C
//	parsers.go      what ANTLR, Ragel and goyacc write in other languages; jison.go: Jison
//	markup.go       InText, InMarkup: what formats and tools fix in pages and other text without a grammar
//	terms.go        paragraphs of terms that many texts have
//	charset.go      CharacterSets: tables that translate a character set
//
// The output is spans. The package does no I/O.
package boilerplate

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Span is boilerplate in a text.
type Span struct {
	From, To int    // tokens
	Tool     string // the tool that writes it, such as "Babel"
	Fitted   bool   // the tool fits names and literals to the user's text: if both sides have the same, it was copied
}

// Supports reports whether boilerplate is found in a language.
func Supports(l *lang.Language) bool {
	return l != nil && supported[l.Syntax()]
}

var supported = map[string]bool{"javascript": true, "jsx": true, "typescript": true, "tsx": true, "java": true, "kotlin": true, "csharp": true, "c": true, "cpp": true, "go": true, "php": true}

// Find lists the boilerplate of a text in a language, ascending and disjoint.
func Find(language string, text []byte, toks []lang.Token) []Span {
	r := reader{text: text, toks: toks}
	switch language {
	case "c", "cpp":
		return generated(text, toks)
	case "go":
		return joined(joined(r.gotests(), r.heaps()), joined(r.machine(), r.goyacc()))
	case "php":
		return r.migrations()
	case "javascript", "jsx":
		found := r.byFirstWord(language)
		r.failed = 0
		return joined(joined(r.jison(), r.antlr()), found)
	case "typescript", "tsx":
		found := r.byFirstWord(language)
		return joined(r.antlr(), found)
	}
	return r.byFirstWord(language)
}

// finders holds a function for each word that boilerplate begins with. The function returns the boilerplate that begins with the token.
var finders = map[string]func(r *reader, i int) (Span, bool){
	"function": (*reader).function,
	"var":      (*reader).variable, "let": (*reader).variable, "const": (*reader).variable,
	"for":                 (*reader).loop,
	"catch":               (*reader).helpedEnd,
	"Object":              (*reader).ofObject,
	"_this":               (*reader).superCall,
	"exports":             (*reader).exportMark,
	"__webpack_require__": (*reader).webpackMember,
	"public":              (*reader).testFrame,
	"equals":              (*reader).equality, "hashCode": (*reader).equality, "Equals": (*reader).equality, "GetHashCode": (*reader).equality,
	"InitializeComponent": (*reader).form, "initComponents": (*reader).form,
	"Dispose": (*reader).disposal,
}

// byFirstWord lists the boilerplate that its first word, or the one after it, identifies.
func (r *reader) byFirstWord(language string) (out []Span) {
	scaffolded := hasScaffold(r.text)
	r.tests = language == "java" && hasJUnit3(r.text)
	for i := 0; i < len(r.toks) && r.failed < mostFailed; i++ {
		s, ok := Span{}, false
		if scaffolded {
			s, ok = r.scaffold(i)
		}
		if !ok {
			s, ok = r.at(i)
		}
		if ok {
			out = append(out, s)
			i = s.To - 1
		}
	}
	return out
}

// at returns the boilerplate that begins with token i.
func (r *reader) at(i int) (Span, bool) {
	if find := finders[string(r.word(i))]; find != nil {
		return find(r, i)
	}
	if r.is(i+1, "(", "string") {
		return r.exception(i)
	}
	return r.method(i)
}

// joined returns all stretches, ascending and disjoint, given two such lists. Where two overlap, it keeps the one of first.
func joined(first, second []Span) []Span {
	if len(first) == 0 {
		return second
	}
	out := slices.Clone(first)
	at := 0
	for _, s := range second {
		for at < len(first) && first[at].To <= s.From {
			at++
		}
		if at == len(first) || first[at].From >= s.To {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Span) int { return a.From - b.From })
	return out
}
