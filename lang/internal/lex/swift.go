package lex

import (
	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// SwiftWords are the reserved words of Swift, and modifiers that may be names but hardly ever are. Words that are often
// both, like get, open and lazy, are names. Behind a point, and before a colon, the words listed here are names in Swift.
var SwiftWords = newWords("any as as? as! associatedtype async await break case class continue convenience deinit do else enum extension "+
	"fallthrough fileprivate final for func guard if import in init inout internal is let mutating nonmutating override private protocol "+
	"public repeat required return self some static struct subscript super switch throws try typealias var weak while",
	map[string]lexeme{"true": boolean, "false": boolean, "nil": null, "throw": keyword("throw_keyword"), "catch": keyword("catch_keyword"),
		"default": keyword("default_keyword"), "where": keyword("where_keyword"), "rethrows": keyword("throws")})

// swiftOperators are single operators if nothing else is beside them.
var swiftOperators = newOperators("+ - * / % & | ^ ~ ! < > = ? -> == === != !== <= >= << && || ?? += -= *= /= %= ++ -- ... ..< . , : ( ) [ ] { } @ \\")

// swiftDirectives take the rest of their line; swiftPounds are words.
var (
	swiftDirectives = kinds("#if #elseif #else #endif #sourceLocation")
	swiftMessages   = kinds("#error #warning")
	swiftPounds     = kinds("#available #unavailable #column #dsohandle #externalMacro #file #fileID #filePath #function #keyPath #line " +
		"#selector #colorLiteral #fileLiteral #imageLiteral")
	swiftVersions   = kinds("#available #unavailable")
	swiftLoops      = kinds("for while repeat if switch do")
	swiftVisible    = kinds("public internal private fileprivate")
	swiftParameters = map[string]bool{"escaping": true, "autoclosure": true}
)

var (
	swiftImport = keyword("import").kind
	swiftCase   = keyword("case").kind
	swiftSign   = keyword("#")
	swiftColon  = keyword(":").kind
	swiftComma  = keyword(",").kind
	swiftDot    = keyword(".").kind
	swiftAt     = keyword("@").kind
	swiftOpen   = keyword("(").kind
	swiftClose  = keyword(")").kind
)

// Swift is the lexer of Swift. It refuses text that the grammar reads by what it expects: regular expressions, and operators
// that only a parse tells apart.
func Swift(dst []token.Token, src []byte) ([]token.Token, bool) {
	s := swift{out: out{tokens: dst, first: len(dst)}, src: src, owner: -1}
	i := start(src)
	if has(src, i, "#!") {
		i = lineEnd(src, i)
	}
	for i < len(src) && !s.refuse {
		i = s.step(i)
	}
	return s.tokens, !s.refuse
}

type swift struct {
	out
	src    []byte
	owner  int // the string that ends before the next token, or -1
	clause bool
	open   []swiftBracket
	refuse bool
}

// swiftBracket is an open bracket: plain, of code in a string, or of versions.
type swiftBracket struct {
	text     swiftText
	within   bool // code in a string
	versions bool // the points in them are tokens
}

// swiftText is a kind of string.
type swiftText struct {
	quotes int // 1 or 3
	hashes int // around a raw string
}

// step reads the token at i and returns where to continue.
func (s *swift) step(i int) int {
	c := s.src[i]
	switch {
	case chars[c]&(letter|dollar) != 0 || c >= 0x80:
		return s.word(i)
	case chars[c]&blank != 0 || c == ';':
		return i + 1
	case chars[c]&digit != 0:
		return s.number(i)
	case c == '"':
		t := swiftText{quotes: 1}
		if has(s.src, i, `"""`) {
			t.quotes = 3
		}
		return s.text(i, i+t.quotes, t)
	case c == '`':
		return s.quoted(i)
	case c == '/' && at(s.src, i+1) == '/':
		return lineEnd(s.src, i)
	case c == '/' && at(s.src, i+1) == '*':
		return commentEnd(s.src, i)
	case c == '#':
		return s.pound(i)
	}
	return s.sign(i)
}

// put adds a token, and returns its end.
func (s *swift) put(i, end int, l lexeme) int {
	s.stop(i)
	s.flags = 0
	if s.clause {
		s.goOn(l)
	}
	s.add(i, end, l)
	return end
}

// goOn notes whether l belongs to the import before it: a kind of declaration, names, and points between them.
func (s *swift) goOn(l lexeme) {
	last := s.tokens[len(s.tokens)-1]
	switch {
	case last.Kind == swiftImport && (l.class == token.Keyword || l == identifier),
		last.Class == token.Keyword && l == identifier,
		last.Class == token.Identifier && l.kind == swiftDot:
		s.flags = token.FlagImport
	default:
		s.clause = false
	}
}

// ---- words

func (s *swift) word(i int) int {
	end := wordEnd(s.src, i, letter|digit|dollar)
	for end > i && (at(s.src, end) == '*' || at(s.src, end) == '#') { // which Unicode counts as emoji, and the grammar as a part of names
		end = wordEnd(s.src, end+1, letter|digit|dollar)
	}
	if end == i || at(s.src, end) >= 0x80 {
		s.refuse = true
		return len(s.src)
	}
	l := SwiftWords.of(s.src[i:end])
	switch next := at(s.src, end); {
	case next == ':' && l == identifier && s.labels(i, end):
		return s.put(i, end+1, l)
	case (next == '?' || next == '!') && string(s.src[i:end]) == "as":
		return s.put(i, end+1, SwiftWords.of(s.src[i:end+1]))
	case next == '(' && string(s.src[i:end]) == "unowned":
		s.refuse = true
	case l.kind == swiftImport && s.last() != swiftDot && next != ':':
		return s.imports(i, end, l)
	}
	return s.put(i, end, l)
}

// labels reports whether the word up to end labels a loop.
func (s *swift) labels(i, end int) bool {
	for i > 0 && (s.src[i-1] == ' ' || s.src[i-1] == '\t') {
		i--
	}
	if last := s.last(); i > 0 && s.src[i-1] != '\n' && s.src[i-1] != '{' || last == swiftCase || last == swiftComma || last == swiftOpen {
		return false
	}
	next := blanks(s.src, end+1)
	to := wordEnd(s.src, next, letter|digit)
	return swiftLoops[token.Kind(string(s.src[next:to]))]
}

// imports reads the word import, which attributes and a modifier may precede.
func (s *swift) imports(i, end int, l lexeme) int {
	s.put(i, end, l)
	s.clause = true
	n := len(s.tokens) - 1
	s.tokens[n].Flags = token.FlagImport
	for from := s.before(n); from < n; from = s.before(n) {
		for ; n > from; n-- {
			s.tokens[n-1].Flags = token.FlagImport
		}
	}
	return end
}

// before returns the index of the attribute or modifier before token n, or n if there is none.
func (s *swift) before(n int) int {
	at := n - 1
	if at < s.first {
		return n
	}
	if swiftVisible[s.tokens[at].Kind] {
		return at
	}
	if s.tokens[at].Kind == swiftClose && at-3 >= s.first && s.tokens[at-2].Kind == swiftOpen {
		at -= 3
	}
	if at > s.first && s.tokens[at].Class == token.Identifier && s.tokens[at-1].Kind == swiftAt {
		return at - 1
	}
	return n
}

// quoted reads the name in backquotes at i.
func (s *swift) quoted(i int) int {
	end := wordEnd(s.src, i+1, letter|digit)
	if end == i+1 || at(s.src, end) != '`' {
		s.refuse = true
		return len(s.src)
	}
	return s.put(i, end+1, identifier)
}

// pound reads what begins with "#" at i: a directive, a word or a raw string.
func (s *swift) pound(i int) int {
	n := i
	for at(s.src, n) == '#' {
		n++
	}
	if at(s.src, n) == '"' && !has(s.src, n, `"""`) {
		return s.text(i, n+1, swiftText{quotes: 1, hashes: n - i})
	}
	end := asciiEnd(s.src, i+1)
	l := keyword(string(s.src[i:end]))
	switch {
	case swiftDirectives[l.kind]:
		to := lineEnd(s.src, i)
		return s.put(i, to, lexeme{swiftLine(s.src[i:to]), token.Keyword})
	case swiftPounds[l.kind]:
		s.refuse = has(s.src, end, "(getter:") || has(s.src, end, "(setter:")
		return s.put(i, end, l)
	case swiftMessages[l.kind]:
		return s.put(i, lineEnd(s.src, i), text)
	case end == i+1:
		s.refuse = true
		return len(s.src)
	}
	s.put(i, i+1, swiftSign) // a macro, which the grammar does not know
	return s.put(i+1, end, SwiftWords.of(s.src[i+1:end]))
}

// swiftLine is the identity of a directive: blanks count as one, and a comment after one is no part of it.
func swiftLine(line []byte) uint32 {
	kept := make([]byte, 0, 64)
	for i, c := range line {
		if chars[c]&blank != 0 {
			continue
		}
		if i > 0 && chars[line[i-1]]&blank != 0 {
			if next := at(line, i+1); c == '/' && (next == '/' || next == '*') {
				break
			}
			kept = append(kept, ' ')
		}
		kept = append(kept, c)
	}
	return token.Kind(string(kept))
}

func (s *swift) number(i int) int {
	if n := len(s.open); n > 0 && s.open[n-1].versions && s.last() != swiftColon {
		return s.put(i, numberPart(s.src, i, digit), number)
	}
	return s.put(i, swiftNumber(s.src, i), number)
}

// available reports whether versions of platforms follow.
func (s *swift) available() bool {
	if s.attribute() {
		name := s.tokens[len(s.tokens)-1]
		return string(s.src[name.Start:name.End]) == "available"
	}
	return swiftVersions[s.last()]
}

// swiftNumber returns the end of the number at i.
func swiftNumber(src []byte, i int) int {
	if src[i] == '0' {
		switch at(src, i+1) {
		case 'x':
			return numberPart(src, i+2, hex)
		case 'b', 'o':
			return numberPart(src, i+2, digit)
		}
	}
	end := numberPart(src, i, digit)
	if at(src, end) == '.' && chars[at(src, end+1)]&digit != 0 {
		end = numberPart(src, end+1, digit)
	}
	return exponentEnd(src, end, 'e')
}

// ---- strings

// text reads the string at i, whose text begins at from.
func (s *swift) text(i, from int, t swiftText) int {
	s.put(i, from, text)
	s.owner = len(s.tokens) - 1
	return s.content(from, t)
}

// content reads the text of a string from i on, up to its end or the next code in it.
func (s *swift) content(i int, t swiftText) int {
	for ; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n' && t.quotes == 1:
			s.refuse = true
			return i
		case c == '\\' && s.hashes(i+1, t.hashes):
			if i += t.hashes + 1; at(s.src, i) == '(' {
				s.open = append(s.open, swiftBracket{text: t, within: true})
				return i + 1
			}
		case c == '"' && (t.quotes == 1 || has(s.src, i, `"""`)) && s.hashes(i+t.quotes, t.hashes):
			return s.stop(i + t.quotes + t.hashes)
		}
	}
	s.refuse = true // it never ends
	return i
}

// hashes reports whether n signs "#" are at i.
func (s *swift) hashes(i, n int) bool {
	for ; n > 0; n-- {
		if at(s.src, i) != '#' {
			return false
		}
		i++
	}
	return true
}

// stop ends the string that no token has followed yet, if there is one.
func (s *swift) stop(end int) int {
	if s.owner >= 0 {
		s.tokens[s.owner].End = uint32(end)
		s.owner = -1
	}
	return end
}
