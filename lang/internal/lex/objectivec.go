package lex

import (
	"maps"
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// Objective-C extends C, and Objective-C++ extends C++. Code that needs no extension has the tokens that it has in C or C++. No grammar is
// at hand for the rest, so what a token is was decided here.

var objcValues = func() map[string]lexeme {
	all := maps.Clone(cValues)
	all["YES"], all["NO"], all["nil"], all["Nil"] = boolean, boolean, null, null
	return all
}()

var (
	objcDialect = dialect{words: newWords(cKeywords, objcValues), signs: cDialect.signs, number: cNumber, objective: true}
	objcPlus    = dialect{words: newWords(cppKeywords, objcValues), signs: cppDialect.signs, number: cppNumber, plus: true, objective: true}
)

// objcWords are keywords after "@". Any other word there is boxed: "@YES" is "@" and a value.
var objcWords = func() map[string]lexeme {
	set := map[string]lexeme{}
	for word := range strings.FieldsSeq("interface implementation protocol end class property synthesize dynamic selector encode defs try catch finally throw " +
		"synchronized autoreleasepool import public private protected package optional required available compatibility_alias") {
		set[word] = keyword("@" + word)
	}
	return set
}()

var (
	objcAt     = keyword("@")
	objcImport = token.Kind("#import")
)

// ObjectiveC is the lexer of Objective-C.
func ObjectiveC(dst []token.Token, src []byte) ([]token.Token, bool) {
	return objcDialect.lex(dst, src)
}

// ObjectiveCpp is the lexer of Objective-C++.
func ObjectiveCpp(dst []token.Token, src []byte) ([]token.Token, bool) { return objcPlus.lex(dst, src) }

// commercialAt reads what the sign at i begins: a string, a keyword, or a boxed value. Modules that are imported and classes that are
// only named are import clauses.
func (c *clang) commercialAt(i int) int {
	if at(c.src, i+1) == '"' {
		return c.quoted(i, i+1)
	}
	end := wordEnd(c.src, i+1, letter|digit)
	word := string(c.src[i+1 : end])
	l, known := objcWords[word]
	if !known {
		c.add(i, i+1, objcAt)
		return i + 1
	}
	if word == "import" || word == "class" {
		c.using = len(c.tokens)
	}
	c.add(i, end, l)
	return end
}
