package lex

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// ScalaWords are the words that Scala 2 or 3 reserves. Words that are keywords only in some places, like inline and using, are names; so are
// this and super, which the grammar reads as names. An operator is its own identity wherever it stands.
var ScalaWords = newWords("abstract case catch class def do else enum export extends final finally for given if implicit import lazy macro "+
	"match new object override package private protected return sealed then throw trait try type val var while with yield _ $",
	map[string]lexeme{"true": boolean, "false": boolean, "null": null}).signed(scalaSign)

var (
	scalaImport  = keyword("import").kind
	scalaPackage = keyword("package").kind
	scalaDot     = keyword(".").kind
	scalaComma   = keyword(",").kind
	scalaOpen    = keyword("{").kind
	scalaClose   = keyword("}").kind
	scalaAny     = keyword("_").kind
	scalaEnds    = kinds("_ ) ] }")
	scalaStarts  = kinds("{ } ; =>") // a statement may begin after them
)

// Scala is the lexer of Scala 2 and 3.
func Scala(dst []token.Token, src []byte) ([]token.Token, bool) {
	s := scala{out: out{tokens: dst, first: len(dst)}, src: src}
	for i := shebang(src); i < len(src) && !s.refuse; {
		i = s.step(i)
	}
	return s.tokens, !s.refuse
}

type scala struct {
	out
	src    []byte
	clause scalaClause
	open   []scalaBrace
	infix  bool // the last token is a name between two operands
	refuse bool // only the grammar can tell
}

// scalaBrace is an open brace.
type scalaBrace uint8

const (
	scalaPlain scalaBrace = iota
	scalaHole             // of code in a string
	scalaHoles            // of code in a string of many lines
)

// scalaClause says how a package clause or import continues.
type scalaClause uint8

const (
	scalaNone  scalaClause = iota
	scalaPath              // a package's name
	scalaDots              // a point, in a package's name
	scalaName              // a name, or selectors
	scalaGoOn              // a point, a comma, or "as"
	scalaNames             // selectors, up to their brace
)

// step reads the token at i and returns where to continue.
func (s *scala) step(i int) int {
	c := s.src[i]
	switch {
	case chars[c]&blank != 0:
		return i + 1
	case chars[c]&(letter|dollar) != 0:
		return s.word(i)
	case chars[c]&digit != 0 || c == '.' && chars[at(s.src, i+1)]&digit != 0:
		return s.put(i, scalaNumber(s.src, i), number)
	case c == '"':
		return s.string(i)
	case c == '\'':
		return s.quote(i)
	case c == '`':
		return s.quoted(i)
	case c == '/' && at(s.src, i+1) == '/':
		return lineEnd(s.src, i)
	case c == '/' && at(s.src, i+1) == '*':
		return nestedComment(s.src, i)
	case c == '{':
		s.open = append(s.open, scalaPlain)
	case c == '}':
		return s.close(i)
	case c >= utf8.RuneSelf && wordRune(s.src[i:]) > 0:
		return s.word(i)
	}
	return s.sign(i)
}

// put adds a token, and returns its end.
func (s *scala) put(i, end int, l lexeme) int {
	s.infix = l.class == token.Identifier && s.operand(i)
	s.flags = 0
	if s.clause != scalaNone {
		s.goOn(l)
	}
	s.add(i, end, l)
	return end
}

// operand reports whether the last token ends an operand, on the line of i.
func (s *scala) operand(i int) bool {
	n := len(s.tokens) - 1
	if n < s.first || s.infix || s.tokens[n].Class == token.Keyword && !scalaEnds[s.tokens[n].Kind] {
		return false
	}
	return s.sameLine(i)
}

// touches reports whether the last token ends at i.
func (s *scala) touches(i int) bool { return int(s.tokens[len(s.tokens)-1].End) == i }

// sameLine reports whether the last token ends on the line of i.
func (s *scala) sameLine(i int) bool {
	return lineEnd(s.src[:i], int(s.tokens[len(s.tokens)-1].End)) == i
}

// goOn notes how a clause continues with l.
func (s *scala) goOn(l lexeme) {
	s.flags = token.FlagImport
	name := l.class != token.Keyword || l.kind == scalaAny
	switch {
	case s.clause == scalaNames:
		if l.kind == scalaClose {
			s.clause = scalaGoOn
		}
	case s.clause == scalaPath && name:
		s.clause = scalaDots
	case s.clause == scalaDots && l.kind == scalaDot:
		s.clause = scalaPath
	case s.clause == scalaName && l.kind == scalaOpen:
		s.clause = scalaNames
	case s.clause == scalaName && l.kind != scalaDot && l.kind != scalaComma:
		s.clause = scalaGoOn
	case s.clause == scalaGoOn && (l.kind == scalaDot || l.kind == scalaComma):
		s.clause = scalaName
	default:
		s.clause, s.flags = scalaNone, 0
	}
}

// ---- words

func (s *scala) word(i int) int {
	end := scalaWordEnd(s.src, i)
	l := ScalaWords.of(s.src[i:end])
	if s.clause == scalaGoOn && l.class == token.Identifier && string(s.src[i:end]) == "as" {
		s.flags = token.FlagImport
		s.add(i, end, l)
		s.clause = scalaName
		return end
	}
	begins := len(s.tokens) == s.first || !s.sameLine(i) || scalaStarts[s.last()]
	s.put(i, end, l)
	switch l.kind {
	case scalaImport:
		if begins {
			s.tokens[len(s.tokens)-1].Flags = token.FlagImport
			s.clause = scalaName
		}
	case scalaPackage:
		if begins && len(s.open) == 0 { // in braces the grammar reads a call
			s.clause = scalaPath
		}
	}
	return end
}

// scalaWordEnd returns the end of the name at i. Behind an underscore at its end it may go on with signs, as in "unary_!".
func scalaWordEnd(src []byte, i int) int {
	end := wordEnd(src, i, letter|digit|dollar)
	if end > i+1 && src[end-1] == '_' {
		return scalaSignsEnd(src, end)
	}
	return end
}

// quoted reads the name in backquotes at i.
func (s *scala) quoted(i int) int {
	for end := i + 1; end < len(s.src) && s.src[end] != '\n'; end++ {
		if s.src[end] == '`' && end > i+1 {
			return s.put(i, end+1, identifier)
		}
	}
	return s.strange(s.src, i)
}

// scalaNumber returns the end of the number at i, which starts with a digit or a point.
func scalaNumber(src []byte, i int) int {
	if end := digitRun(src, i+2, hex); src[i] == '0' && at(src, i+1)|0x20 == 'x' && end > i+2 {
		return end + suffix(src, end, "lL")
	}
	end, whole := digitRun(src, i, digit), true
	if bytes.IndexByte(src[i:end], '_') >= 0 {
		return end + suffix(src, end, "lL")
	}
	if at(src, end) == '.' && chars[at(src, end+1)]&digit != 0 {
		end, whole = digitRun(src, end+1, digit), false
	}
	if to := exponentEnd(src, end, 'e'); to > end {
		end, whole = to, false
	}
	if n := suffix(src, end, "dfDF"); n > 0 || !whole {
		return end + n
	}
	return end + suffix(src, end, "lL")
}

// ---- signs

// scalaSign reports whether the character that s starts with may be part of an operator.
func scalaSign(s []byte) (int, bool) {
	if len(s) == 0 {
		return 0, false
	}
	switch c := s[0]; c {
	case '-', '!', '#', '%', '&', '*', '+', '/', '\\', ':', '<', '=', '>', '?', '@', '^', '|', '~':
		return 1, true
	default:
		if c < utf8.RuneSelf {
			return 0, false
		}
	}
	r, n := utf8.DecodeRune(s)
	return n, unicode.In(r, unicode.Sm, unicode.So)
}

// scalaSignsEnd returns the end of the run of signs at i.
func scalaSignsEnd(src []byte, i int) int {
	for {
		n, ok := scalaSign(src[i:])
		if !ok {
			return i
		}
		i += n
	}
}

// sign reads the operator or bracket at i. An operator is as long as possible, but a slash is one before a slash or an asterisk.
func (s *scala) sign(i int) int {
	end := scalaSignsEnd(s.src, i)
	switch {
	case end > i:
		return s.put(i, end, keyword(string(s.src[i:end])))
	case s.src[i] < utf8.RuneSelf:
		return s.put(i, i+1, keyword(string(s.src[i])))
	}
	return s.strange(s.src, i)
}

// close reads the brace at i, and continues the string if the brace ends code in one.
func (s *scala) close(i int) int {
	s.put(i, i+1, keyword("}"))
	n := len(s.open) - 1
	if n < 0 {
		return i + 1
	}
	b := s.open[n]
	if s.open = s.open[:n]; b == scalaPlain {
		return i + 1
	}
	return s.content(i+1, i+1, b == scalaHoles)
}

// ---- strings

// quote reads the character at i, or skips the quote of a symbol or of quoted code.
func (s *scala) quote(i int) int {
	end := i + 1
	switch c := at(s.src, end); {
	case c == '\\' && at(s.src, end+1) == 'u':
		for end += 2; at(s.src, end) == 'u'; end++ {
		}
		end += 4
	case c == '\\':
		end += 2
	case c != '\'' && c != '\n' && end < len(s.src):
		_, n := utf8.DecodeRune(s.src[end:])
		end += n
	}
	if at(s.src, end) == '\'' {
		return s.put(i, end+1, text)
	}
	return i + 1
}

// string reads the string at i. It has code in it if it follows a name that is no operator. A name that touches the string may follow the
// condition of an if.
func (s *scala) string(i int) int {
	from, long := i+1, has(s.src, i, `"""`)
	if long {
		from = i + 3
	}
	if s.back(1) == identifier.kind && s.sameLine(i) && (!s.infix || s.touches(i) && s.back(2) != identifier.kind) {
		return s.content(i, from, long)
	}
	end, _ := s.text(from, long, false)
	return s.put(i, end, text)
}

// content reads the text of a string from at on, up to its end or the next code in it. The token from i on belongs to a string that starts
// there, unless i is at.
func (s *scala) content(i, at int, long bool) int {
	end, code := s.text(at, long, true)
	if i < at {
		s.put(i, end, text)
	}
	if !code {
		return end
	}
	return s.code(end, long)
}

// code reads the code in a string whose "$" is at i.
func (s *scala) code(i int, long bool) int {
	s.put(i, i+1, keyword("$"))
	next := i + 1
	if at(s.src, next) == '{' {
		hole := scalaHole
		if long {
			hole = scalaHoles
		}
		s.open = append(s.open, hole)
		return s.put(next, next+1, keyword("{"))
	}
	end := wordEnd(s.src, next, letter|digit)
	if end == next {
		s.refuse = true
		return next
	}
	s.put(next, end, ScalaWords.of(s.src[next:end]))
	return s.content(end, end, long)
}

// text returns the end of a string's text from i on, quotes included, or the "$" before code, and true. It refuses a string without an end.
func (s *scala) text(i int, long, code bool) (int, bool) {
	quotes := 0
	for ; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '"':
			quotes++
			if !long || quotes >= 3 && at(s.src, i+1) != '"' {
				return i + 1, false
			}
			continue
		case c == '$' && code && (at(s.src, i+1) == '$' || at(s.src, i+1) == '"'):
			i++
		case c == '$' && code:
			return i, true
		case c == '$':
			continue
		case c == '\\':
			i++
		case c == '\n' && !long:
			s.refuse = true
			return i, false
		}
		quotes = 0
	}
	s.refuse = true
	return len(s.src), false
}
