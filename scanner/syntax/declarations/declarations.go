// Package declarations finds the names that a text declares: functions, types, variables, parameters, fields, macros and members of
// enumerations. It takes tokens and returns a set of names.
//
// A name that a package uses and never declares belongs to somebody else: a library, a host, a system. So does a method that
// overrides another: the type that it overrides declares it. An approximation is good enough, and a doubtful name counts as declared.
package declarations

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Names is a set of names.
type Names map[string]bool

// Find returns the names that a text declares.
func Find(l *lang.Language, text []byte, tokens []lang.Token) Names {
	s := stream{text, tokens, styleOf(l.Syntax()), l.Syntax() == "javascript", Names{}}
	listing := -1 // depth of braces of the innermost enumeration
	class := -1   // of the body of the innermost class that extends and implements nothing, where methods have no keyword
	depth := 0
	fixed := 0 // end of the parameters of a method that overrides one
	for i, t := range tokens {
		switch {
		case i < fixed:
		case s.word(i+1) == "(" && t.Class == lang.Identifier && s.overrides(i):
			fixed = s.closing(i+1) + 1
		case t.Class == lang.Identifier && t.Flags&lang.FlagImport == 0:
			if s.word(i-1) == "." || s.word(i-1) == "->" || s.word(i-1) == "::" {
				s.member(i)
			} else if s.introduced(i) || class == depth && s.method(i) || s.typed(i) || s.marked(i) || s.parameter(i) || listing == depth && (s.word(i-1) == "{" || s.word(i-1) == ",") {
				s.declare(i)
			}
		case s.word(i) == "{":
			if depth++; s.word(i-1) == "enum" || s.word(i-2) == "enum" || s.word(i-3) == "enum" {
				listing = depth
			} else if s.style == colon && s.ownClass(i) {
				class = depth
			}
		case s.word(i) == "${": // code in a string
			depth++
		case s.word(i) == "}":
			if listing == depth {
				listing = -1
			}
			if class == depth {
				class = -1
			}
			depth--
		}
	}
	return s.found
}

// style is the way in which a language declares variables, parameters and fields.
type style int

const (
	behindType style = iota // TYPE NAME
	beforeType              // NAME TYPE
	colon                   // NAME: TYPE, and a keyword before it
	strict                  // as colon, and a name behind a colon is always a type
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
	text   []byte
	tokens []lang.Token
	style  style
	keys   bool // NAME: is a key of an object, which an interface may ask for
	found  Names
}

// introducing lists the words before a name that is declared.
var introducing = []string{"func", "function", "fn", "def", "fun", "class", "struct", "enum", "union", "trait", "interface", "type", "let", "var", "val", "mod", "module",
	"namespace", "record", "object", "protocol", "#define", "for", "as", "macro_rules", "|", "local"}

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
func (s stream) introduced(i int) bool {
	switch before, next := s.word(i-1), s.word(i+1); {
	case slices.Contains(typing, before):
		return s.style != behindType && s.class(i+1) != lang.Identifier || s.style == beforeType
	case slices.Contains(introducing, before):
		return true
	case slices.Contains(modifying, before) && (next == "(" || next == "="):
		return true
	case before == "using" && next == "=":
		return true
	case before == "typename" && slices.Contains([]string{",", ">", "="}, next):
		return true
	}
	if s.word(i-1) == "!" && s.word(i-2) == "macro_rules" || s.style == beforeType && s.word(i-1) == ")" && s.function(i-1) {
		return true
	}
	if !s.colons() || s.class(i-1) == lang.Identifier || s.behindColon(i) {
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
func (s stream) ownClass(i int) bool {
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
func (s stream) method(i int) bool {
	if s.word(i+1) != "(" {
		return false
	}
	next := s.word(s.closing(i+1) + 1)
	return next == "{" || next == ":"
}

// colons reports whether types stand behind a colon.
func (s stream) colons() bool { return s.style == colon || s.style == strict }

// behindColon reports whether the name at i is a type by what precedes it.
func (s stream) behindColon(i int) bool { return s.style == strict && s.word(i-1) == ":" }

// overrides reports whether the name at i, before a parenthesis, is that of a method that is marked as one that overrides another.
func (s stream) overrides(i int) bool {
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

// overridden reports whether a method of C++ with its name at i has the word behind its parameters.
func (s stream) overridden(i int) bool {
	if s.style != behindType {
		return false
	}
	end := s.closing(i + 1)
	return s.word(end+1) == "override" || s.word(end+2) == "override"
}

// closing returns the parenthesis that closes the one at i, or the last token that is looked at.
func (s stream) closing(i int) int {
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

// function reports whether the parenthesis at i ends the receiver of a Go method.
func (s stream) function(i int) bool { return s.word(s.opening(i)-1) == "func" }

// opening returns the parenthesis that the one at i closes, or 0.
func (s stream) opening(i int) int {
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
func (s stream) typed(i int) bool {
	switch s.style {
	case behindType:
		return s.behind(i)
	case beforeType:
		return s.before(i)
	}
	return false
}

// behind reports whether a type precedes the name at i.
func (s stream) behind(i int) bool {
	switch before := s.word(i - 1); {
	case s.class(i-1) == lang.Identifier && s.word(i-2) != "#define" && !slices.Contains(controlling, before):
	case slices.Contains([]string{"int", "long", "short", "char", "unsigned", "signed", "float", "double", "bool", "void", "auto", "..."}, before):
	case slices.Contains([]string{"*", "&", ">", "]", "}", "**", "&&"}, before):
		if before != "}" && s.class(i-2) != lang.Identifier && !slices.Contains([]string{"*", ">", "?", "["}, s.word(i-2)) || !slices.Contains([]string{"=", ";", ",", "[", ")", "(", ":"}, s.word(i+1)) {
			return false
		}
	default:
		return false
	}
	for at := i + 1; at < i+longestList && s.word(at) == ","; at++ { // further names: TYPE a, *b;
		if at++; s.word(at) == "*" {
			at++
		}
		if s.class(at) != lang.Identifier || !slices.Contains([]string{",", ";", "=", "["}, s.word(at+1)) {
			break
		}
		s.declare(at)
	}
	return true
}

// before reports whether a type follows the name at i, as in Go.
func (s stream) before(i int) bool {
	if s.class(i+1) != lang.Identifier || s.begins(i+1) {
		starts := slices.Contains([]string{"*", "[", "map", "func", "chan", "struct", "interface", "...", "<-"}, s.word(i+1))
		if listed := s.word(i-1) == "(" || s.word(i-1) == ","; !starts || !listed && (!s.begins(i) || s.word(i+1) == "[" && s.word(i+2) != "]" && s.class(i+2) != lang.Number) {
			return false
		}
	}
	s.listed(i)
	return true
}

// listed declares the names before the one at i in a list.
func (s stream) listed(i int) {
	for at := i - 1; at > 0 && at > i-longestList && s.word(at) == "," && s.class(at-1) == lang.Identifier && s.word(at-2) != "."; at -= 2 {
		s.declare(at - 1)
	}
}

// begins reports whether the token at i is the first of its line.
func (s stream) begins(i int) bool {
	for at := int(s.tokens[i].Start) - 1; at >= 0 && s.text[at] != '\n'; at-- {
		if s.text[at] != ' ' && s.text[at] != '\t' {
			return false
		}
	}
	return true
}

// marked reports whether the name at i is declared by its spelling or by the sign behind it: $name, NAME := and NAME = VALUE, where
// these declare.
func (s stream) marked(i int) bool {
	if c := s.text[s.tokens[i].Start]; c == '$' || c == '@' {
		return true
	}
	switch s.word(i + 1) {
	case ":=":
		s.listed(i)
		return true
	case "=":
		if s.style == untyped || s.colons() {
			s.listed(i)
			return true
		}
	case ":":
		return s.colons() && !s.keys || s.style == untyped && s.begins(i)
	case "?", "?:": // NAME?: TYPE
		return s.colons() && (s.word(i+1) == "?:" || s.word(i+2) == ":")
	case "=>":
		return s.colons()
	}
	return false
}

// parameter reports whether the name at i stands in a list of parameters without types.
func (s stream) parameter(i int) bool {
	if !s.colons() && s.style != untyped || s.class(i+1) == lang.Identifier || s.behindColon(i) {
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
func (s stream) arrow(i int) bool {
	depth := 0
	for at := i; at < len(s.tokens) && at < i+longestList; at++ {
		switch s.word(at) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return s.word(at+1) == "=>"
			}
		}
	}
	return false
}

// member declares the name at i if it is a field that an object gets of itself, self.NAME = VALUE, or that a prototype gets.
func (s stream) member(i int) {
	if of := s.word(i - 2); s.word(i+1) == "=" && (of == "self" || of == "this" || of == "$this" || of == "prototype") {
		s.declare(i)
	}
}

func (s stream) declare(i int) { s.found[string(s.text[s.tokens[i].Start:s.tokens[i].End])] = true }

func (s stream) class(i int) lang.Class {
	if i < 0 || i >= len(s.tokens) {
		return lang.Keyword
	}
	return s.tokens[i].Class
}

// word returns the text of a token if it is short enough for a keyword or operator, else "".
func (s stream) word(i int) string {
	const longest = 12
	if i < 0 || i >= len(s.tokens) || s.tokens[i].End-s.tokens[i].Start > longest {
		return ""
	}
	return string(s.text[s.tokens[i].Start:s.tokens[i].End])
}
