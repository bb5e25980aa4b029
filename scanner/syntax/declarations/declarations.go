// Package declarations finds the names that a text declares: functions, types, variables, parameters, fields, macros and members of
// enumerations. It takes tokens and returns a set of names.
//
// A name that a package uses and never declares belongs to somebody else: a library, a host, a system. So does a method that
// overrides another: the type that it overrides declares it. An approximation is good enough, and a doubtful name counts as declared.
package declarations

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// Names is a set of names.
type Names map[string]bool

// Find returns the names that a text declares.
func Find(l *lang.Language, text []byte, tokens []lang.Token) Names {
	s := stream{text: text, tokens: tokens, style: styleOf(l.Syntax()), syntax: l.Syntax(), messages: strings.HasPrefix(l.Name, "objc"), enum: -1, class: -1, theirs: -1, found: Names{}}
	for i := 0; i < len(tokens); i++ {
		switch {
		case tokens[i].Class != lang.Identifier:
			s.bracket(i)
		case s.theirs == s.depth && s.asked(i):
			i = s.parameters(i)
		case s.word(i+1) == "(" && s.overrides(i):
			i = s.closing(i + 1) // the overridden method has these parameters too
		case tokens[i].Flags&lang.FlagImport == 0:
			s.name(i)
		}
	}
	return s.found
}

// name declares the name at i if it is declared there.
func (s *stream) name(i int) {
	switch s.word(i - 1) {
	case ".", "->", "::":
		s.member(i)
		return
	}
	if s.introduced(i) || s.class == s.depth && s.method(i) || s.typed(i) || s.marked(i) || s.parameter(i) || s.enum == s.depth && s.enumerated(i) {
		s.declare(i)
	}
}

// enumerated reports whether the name at i, in the braces of an enumeration, is one of its members.
func (s *stream) enumerated(i int) bool { return s.word(i-1) == "{" || s.word(i-1) == "," }

// style is the way in which a language declares variables, parameters and fields.
type style int

const (
	behindType style = iota // TYPE NAME
	beforeType              // NAME TYPE
	colon                   // NAME: TYPE, and a keyword before it
	strict                  // as colon, and a name after a colon is always a type
	untyped                 // NAME = VALUE
)

func styleOf(language string) style {
	switch language {
	case "go":
		return beforeType
	case "javascript", "jsx", "typescript", "tsx", "rust":
		return colon
	case "kotlin", "swift", "scala":
		return strict
	case "python", "ruby", "php", "bash", "lua", "perl", "r", "julia", "elixir":
		return untyped
	}
	return behindType
}

// stream is a text with its tokens, and the names found so far.
type stream struct {
	text     []byte
	tokens   []lang.Token
	style    style
	syntax   string
	messages bool   // [OBJECT NAME:VALUE] calls a method
	depth    int    // of braces
	enum     int    // depth of the innermost enumeration, or -1
	class    int    // depth of the innermost class that extends and implements nothing, where methods have no keyword; or -1
	theirs   int    // depth of the innermost block of Rust whose functions are declared elsewhere: an implementation of a trait, extern "C"; or -1
	open     []bool // of the open brackets of Rust, the innermost last: whether NAME: in them is a declaration, and not a field of a value
	found    Names
}

// introducing lists the words before a name that is declared.
var introducing = []string{"func", "function", "fn", "def", "fun", "class", "struct", "enum", "union", "trait", "interface", "type", "let", "var", "val", "mod", "module",
	"namespace", "record", "object", "protocol", "#define", "for", "as", "macro_rules", "local"}

// tagging lists words before the name of a type that is declared if its body follows: in C they also stand where the type is used.
var tagging = []string{"class", "struct", "enum", "union"}

// typing lists the words before a type, where types precede names, and before a name elsewhere.
var typing = []string{"const", "typedef", "mut", "ref"}

// modifying lists the words before the type of a declaration, or before its name if it has no type: a constructor.
var modifying = []string{"static", "public", "private", "protected", "internal"}

// controlling lists names of statements before an expression, where these are no keywords of the language.
var controlling = []string{"return", "new", "throw", "else", "case", "goto", "await", "yield", "delete", "sizeof", "typeof", "not", "and", "or", "in", "is", "raise", "assert", "print", "echo"}

const (
	// longestList bounds a list of names or parameters, in tokens.
	longestList = 64
	// longestHead bounds what precedes the name of a method: annotations, modifiers, its type.
	longestHead = 24
)

// introduced reports whether a keyword before the name at i says that it is declared: func NAME, let (a, NAME) =.
func (s *stream) introduced(i int) bool {
	switch before, next := s.word(i-1), s.word(i+1); {
	case slices.Contains(typing, before):
		return s.style != behindType && s.classOf(i+1) != lang.Identifier || s.style == beforeType
	case slices.Contains(tagging, before) && s.style == behindType:
		return slices.Contains([]string{"{", ":", "final", "<", "(", "extends", "implements", "permits", "where"}, next)
	case slices.Contains(introducing, before), before == "|" && (s.syntax == "rust" || s.syntax == "ruby"), before == "static" && s.syntax == "rust":
		return true
	case slices.Contains(modifying, before) && (next == "(" || next == "="):
		return true
	case before == "using" && next == "=":
		return true
	case before == "typename" && slices.Contains([]string{",", ">", "="}, next):
		return true
	}
	if s.word(i-1) == "!" && s.word(i-2) == "macro_rules" || s.style == beforeType && s.word(i-1) == ")" && s.isReceiver(i-1) {
		return true
	}
	if !s.colons() || s.classOf(i-1) == lang.Identifier || s.behindColon(i) {
		return false
	}
	for at := i - 1; at >= 0 && at > i-longestList; at-- { // a pattern
		switch s.word(at) {
		case "let", "const", "var", "val", "for":
			return true
		case "=", ";", ".", "by", "of", "in":
			return false
		}
	}
	return false
}

// ownClass reports whether the brace at i opens the body of a class that extends and implements nothing. Another class gets names of
// methods from what it extends.
func (s *stream) ownClass(i int) bool {
	for at := i - 1; at >= 0 && at > i-longestHead; at-- {
		switch s.word(at) {
		case "class":
			return true
		case "extends", "implements", ")", "}", ";", "{", "=>":
			return false
		}
	}
	return false
}

// method reports whether the name at i, in the body of a class, is that of a method: NAME( … ) {, NAME( … ): TYPE.
func (s *stream) method(i int) bool {
	if s.word(i+1) != "(" {
		return false
	}
	next := s.word(s.closing(i+1) + 1)
	return next == "{" || next == ":"
}

// scripted reports whether NAME = VALUE may declare a name although types stand after a colon: a field of a class, a global variable.
func (s *stream) scripted() bool { return s.style == colon && s.syntax != "rust" }

// colons reports whether types stand after a colon.
func (s *stream) colons() bool { return s.style == colon || s.style == strict }

// behindColon reports whether the name at i is a type by what precedes it.
func (s *stream) behindColon(i int) bool {
	return (s.style == strict || s.syntax == "rust") && s.word(i-1) == ":"
}

// overrides reports whether the name at i, before a parenthesis, belongs to a method with the mark override.
func (s *stream) overrides(i int) bool {
	for at := i - 1; at >= 0 && at > i-longestHead; at-- {
		switch s.word(at) {
		case "override", "Override", "@Override":
			return true
		case ";", "{", "}", "=", ".", ",":
			return s.overridden(i)
		}
	}
	return s.overridden(i)
}

// overridden reports whether a method of C++ with its name at i has the word override after its parameters.
func (s *stream) overridden(i int) bool {
	if s.style != behindType {
		return false
	}
	end := s.closing(i + 1)
	return s.word(end+1) == "override" || s.word(end+2) == "override"
}

// closing returns the parenthesis that closes the one at i, or the last token that is looked at.
func (s *stream) closing(i int) int {
	depth, at := 0, i
	for ; at < len(s.tokens) && at < i+longestList; at++ {
		switch s.word(at) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

// isReceiver reports whether the parenthesis at i ends the receiver of a Go method.
func (s *stream) isReceiver(i int) bool { return s.word(s.opening(i)-1) == "func" }

// opening returns the parenthesis that the one at i closes, or 0.
func (s *stream) opening(i int) int {
	for depth, at := 0, i; at >= 0 && at > i-longestList; at-- {
		switch s.word(at) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{", "${":
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return 0
}

// typed reports whether the name at i has a type beside it. Further names of its list are declared too.
func (s *stream) typed(i int) bool {
	switch s.style {
	case behindType:
		return s.typeBefore(i)
	case beforeType:
		return s.typeAfter(i)
	}
	return false
}

// builtIn lists types, and signs in the place of a type, that are no names.
var builtIn = []string{"int", "long", "short", "char", "unsigned", "signed", "float", "double", "bool", "void", "auto", "..."}

// typeBefore reports whether a type precedes the name at i, and declares further names of its list: TYPE a, *b;
func (s *stream) typeBefore(i int) bool {
	if !s.endsType(i-1, s.word(i+1)) {
		return false
	}
	for at := i + 1; at < i+longestList && s.word(at) == ","; at++ {
		if at++; s.word(at) == "*" {
			at++
		}
		if s.classOf(at) != lang.Identifier || !slices.Contains([]string{",", ";", "=", "["}, s.word(at+1)) {
			break
		}
		s.declare(at)
	}
	return true
}

// endsType reports whether the token at i is the last of a type, given the word after the name that follows.
func (s *stream) endsType(i int, next string) bool {
	last, before := s.word(i), s.word(i-1)
	if s.messages && (next == ":" || next == "]") {
		return false
	}
	if s.classOf(i) == lang.Identifier && before != "#define" && !slices.Contains(controlling, last) || slices.Contains(builtIn, last) {
		return true
	}
	if !slices.Contains([]string{"=", ";", ",", "[", ")", "(", ":"}, next) {
		return false
	}
	switch last {
	case "}":
		return true
	case "*", "&", ">", "]", "**", "&&": // of a pointer, a reference, a generic type, an array
		return s.classOf(i-1) == lang.Identifier || slices.Contains([]string{"*", ">", "?", "["}, before)
	}
	return false
}

// typeAfter reports whether a type follows the name at i, as in Go.
func (s *stream) typeAfter(i int) bool {
	if s.classOf(i+1) != lang.Identifier || s.beginsLine(i+1) {
		if !slices.Contains([]string{"*", "[", "map", "func", "chan", "struct", "interface", "...", "<-"}, s.word(i+1)) {
			return false
		}
		inList := s.word(i-1) == "(" || s.word(i-1) == ","
		isIndex := s.word(i+1) == "[" && s.word(i+2) != "]" && s.classOf(i+2) != lang.Number
		if !inList && (!s.beginsLine(i) || isIndex) {
			return false
		}
	}
	s.declareListBefore(i)
	return true
}

// declareListBefore declares the names before the one at i in a list.
func (s *stream) declareListBefore(i int) {
	for at := i - 1; at > 0 && at > i-longestList && s.word(at) == "," && s.classOf(at-1) == lang.Identifier && s.word(at-2) != "."; at -= 2 {
		s.declare(at - 1)
	}
}

// beginsLine reports whether the token at i is the first of its line.
func (s *stream) beginsLine(i int) bool {
	for at := int(s.tokens[i].Start) - 1; at >= 0 && s.text[at] != '\n'; at-- {
		if s.text[at] != ' ' && s.text[at] != '\t' {
			return false
		}
	}
	return true
}

// marked reports whether the name at i is declared by its spelling or by the sign after it: $name, NAME := and NAME = VALUE, where
// these declare.
func (s *stream) marked(i int) bool {
	if c := s.text[s.tokens[i].Start]; c == '$' || c == '@' {
		return true
	}
	switch s.word(i + 1) {
	case ":=":
		if s.style == strict {
			return false // a key of a build in Scala
		}
		s.declareListBefore(i)
		return true
	case "=": // elsewhere a keyword declares a variable, and this sets it, a field or a parameter
		if s.style == untyped || s.scripted() {
			s.declareListBefore(i)
			return true
		}
	case ":":
		switch {
		case s.syntax == "rust":
			return len(s.open) == 0 || s.open[len(s.open)-1]
		case s.syntax == "javascript": // a key of an object, which an interface may ask for
			return false
		}
		return s.colons() || s.style == untyped && s.beginsLine(i)
	case "?", "?:": // NAME?: TYPE
		return s.colons() && (s.word(i+1) == "?:" || s.word(i+2) == ":")
	case "=>":
		return s.colons()
	}
	return false
}

// parameter reports whether the name at i stands in a list of parameters without types. Those of Rust have types.
func (s *stream) parameter(i int) bool {
	if !s.colons() && s.style != untyped || s.syntax == "rust" || s.classOf(i+1) == lang.Identifier || s.behindColon(i) {
		return false
	}
	depth := 0
	for at := i - 1; at > 0 && at > i-longestList; at-- {
		switch s.word(at) {
		case ")", "]":
			depth++
		case "[":
			depth--
		case ";":
			return false
		case "(":
			if depth--; depth < 0 {
				return slices.Contains(introducing[:5], s.word(at-1)) || slices.Contains(introducing[:5], s.word(at-2)) || s.arrow(at)
			}
		}
	}
	return false
}

// arrow reports whether the parenthesis at i opens the parameters of an arrow function.
func (s *stream) arrow(i int) bool {
	end := s.closing(i)
	return end < i+longestList && s.word(end+1) == "=>"
}

// member declares the name at i if it is a field that a method sets in its own object, self.NAME = VALUE, or a field of a
// prototype.
func (s *stream) member(i int) {
	if of := s.word(i - 2); s.word(i+1) == "=" && (of == "self" || of == "this" || of == "$this" || of == "prototype") {
		s.declare(i)
	}
}

func (s *stream) declare(i int) { s.found[string(s.text[s.tokens[i].Start:s.tokens[i].End])] = true }

func (s *stream) classOf(i int) lang.Class {
	if i < 0 || i >= len(s.tokens) {
		return lang.Keyword
	}
	return s.tokens[i].Class
}

// word returns the text of a token if it is short enough for a keyword or operator, else "".
func (s *stream) word(i int) string {
	const longest = 12
	if i < 0 || i >= len(s.tokens) || s.tokens[i].End-s.tokens[i].Start > longest {
		return ""
	}
	return string(s.text[s.tokens[i].Start:s.tokens[i].End])
}
