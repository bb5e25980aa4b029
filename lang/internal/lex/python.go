package lex

import (
	"strings"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// PythonWords are the reserved words of Python 3. Words that were keywords only in Python 2, like print, or are
// keywords only in some places, like match, are names everywhere.
var PythonWords = newWords("and as assert async await break class continue def del elif else except finally for from "+
	"global if import in is lambda nonlocal not or pass raise return try while with yield",
	map[string]lexeme{"True": boolean, "False": boolean, "None": null})

var pythonOperators = newOperators("+ - * / % @ & | ^ ~ < > << >> ** // = == != <> <= >= " +
	"+= -= *= /= %= @= &= |= ^= <<= >>= **= //= -> := . ( ) [ ] { } , ; :")

var (
	pythonFrom        = keyword("from").kind
	pythonImport      = keyword("import").kind
	pythonYield       = keyword("yield").kind
	pythonColon       = keyword(":").kind
	pythonSemicolon   = keyword(";").kind
	pythonExcept      = keyword("except").kind
	pythonExceptGroup = keyword("except*")
	pythonEllipsis    = keyword("ellipsis")
	pythonLambda      = keyword("lambda").kind
	pythonDot         = keyword(".").kind
	pythonOpen        = keyword("{")
	pythonClose       = keyword("}")
)

// pythonImported has the lexemes that an import consists of.
var pythonImported = map[lexeme]bool{
	identifier: true, keyword("import"): true, keyword("from"): true, keyword("as"): true, keyword("."): true,
	keyword("*"): true, keyword(","): true, keyword("("): true, keyword(")"): true,
}

// Python is the lexer of Python, 2 and 3. Indentation is not a token, so lines matter only because an import ends with
// its line. It refuses ambiguous formatted strings: with code that spans lines or never ends, with a lambda, or with
// "x:=", which is a format to Python and an assignment to the grammar.
func Python(dst []token.Token, src []byte) ([]token.Token, bool) {
	p := python{out: out{tokens: dst}, src: src, start: true}
	for i := 0; i < len(src) && !p.unsure; {
		c := src[i]
		switch {
		case chars[c]&letter != 0 || c >= 0x80:
			i = p.word(i)
		case c == '\n':
			p.line()
			i++
		case chars[c]&blank != 0:
			i++
		case chars[c]&digit != 0 || c == '.' && chars[at(src, i+1)]&digit != 0:
			end := pythonNumber(src, i)
			p.put(i, end, number)
			i = end
		case c == '"' || c == '\'' || c == '`':
			i = p.quoted(i, i)
		case c == '#':
			i = lineEnd(src, i)
		case c == '\\':
			i = p.backslash(i)
		default:
			i = p.sign(i)
		}
	}
	return p.tokens, !p.unsure && len(p.open) == 0
}

type python struct {
	out
	src      []byte
	last     uint32         // kind of the last token
	before   uint32         // kind of the token before it
	start    bool           // no token yet on this line
	brackets int            // open brackets; only those since the innermost interpolation opened
	dots     bool           // between from and import, where an ellipsis is three dots
	open     []pythonString // open interpolations, the innermost last
	unsure   bool
}

// pythonString is a string that an interpolation interrupts.
type pythonString struct {
	quote       byte
	triple, raw bool
	spec        bool // the interpolation is in the format of another one
	brackets    int  // open around the string
}

func (p *python) put(i, end int, l lexeme) {
	if p.flags != 0 && !pythonImported[l] {
		p.flags, p.dots = 0, false // this is not an import after all
	}
	p.add(i, end, l)
	p.before, p.last, p.start = p.last, l.kind, false
}

// line ends a statement, unless it continues in brackets.
func (p *python) line() {
	p.start = true
	if n := len(p.open); n > 0 {
		p.unsure = p.unsure || !p.open[n-1].triple
	} else if p.brackets == 0 {
		p.flags, p.dots = 0, false
	}
}

func (p *python) backslash(i int) int {
	switch {
	case has(p.src, i+1, "\n"):
		return i + 2
	case has(p.src, i+1, "\r\n"):
		return i + 3
	}
	return p.strange(p.src, i)
}

func (p *python) word(i int) int {
	end := wordEnd(p.src, i, letter|digit)
	if end == i {
		return p.strange(p.src, i)
	}
	if c := at(p.src, end); (c == '"' || c == '\'' || c == '`') && isStringPrefix(p.src[i:end]) {
		return p.quoted(i, end)
	}
	l := PythonWords.of(p.src[i:end])
	switch l.kind {
	case pythonImport:
		if p.flags == 0 {
			p.clause()
		}
		p.dots = false
	case pythonFrom:
		if p.opensImport() {
			p.clause()
			p.dots = true
		}
	case pythonLambda:
		p.unsure = p.unsure || len(p.open) > 0 && p.brackets == 0
	case pythonExcept:
		if at(p.src, end) == '*' {
			end, l = end+1, pythonExceptGroup
		}
	}
	p.put(i, end, l)
	return end
}

// clause begins an import. An import is never in brackets, so brackets open above are dropped.
func (p *python) clause() {
	p.flags, p.brackets, p.open = token.FlagImport, 0, p.open[:0]
}

// opensImport reports whether a statement starts here: "from" can also continue a raise or a yield.
func (p *python) opensImport() bool {
	return p.start && p.last != pythonYield || p.last == pythonSemicolon || p.last == pythonColon
}

func isStringPrefix(word []byte) bool {
	for _, c := range word {
		if strings.IndexByte("fFrRbBuU", c) < 0 {
			return false
		}
	}
	return true
}

func (p *python) sign(i int) int {
	c := p.src[i]
	if c == '.' && !p.dots && has(p.src, i, "...") {
		p.put(i, i+3, pythonEllipsis)
		return i + 3
	}
	if len(p.open) > 0 && p.brackets == 0 && (c == '}' || c == ':' || c == '!') {
		if end := p.interpolated(i); end > i {
			return end
		}
	}
	o := pythonOperators.at(p.src, i)
	if o == nil {
		return p.strange(p.src, i)
	}
	switch c {
	case '(', '[', '{':
		p.brackets++
	case ')', ']', '}':
		p.brackets = max(0, p.brackets-1)
	case ';':
		p.flags, p.dots = 0, false
	}
	p.put(i, i+o.n, o.lexeme)
	return i + o.n
}

// ---- strings

// quoted reads the string whose prefix starts at i and whose quote is at q.
func (p *python) quoted(i, q int) int {
	s := pythonString{quote: p.src[q], raw: hasAny(p.src[i:q], 'r')}
	s.triple = s.quote != '`' && at(p.src, q+1) == s.quote && at(p.src, q+2) == s.quote
	from := q + 1
	if s.triple {
		from = q + 3
	}
	if hasAny(p.src[i:q], 'f') {
		return p.content(i, from, s)
	}
	end := s.end(p.src, from)
	p.put(i, end, text)
	return end
}

func hasAny(prefix []byte, lower byte) bool {
	for _, c := range prefix {
		if c|0x20 == lower {
			return true
		}
	}
	return false
}

// end returns the end of the string whose text continues at i.
func (s pythonString) end(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == s.quote:
			if n := s.closes(src, i); n > 0 {
				return i + n
			}
		case c == '\\':
			i += escaped(src, i) - 1
		case c == '\n' && !s.triple:
			return i
		}
	}
	return len(src)
}

// closes returns the length of the closing quotes at a quote, 0 if the quote is text.
func (s pythonString) closes(src []byte, i int) int {
	switch {
	case !s.triple:
		return 1
	case at(src, i+1) == s.quote && at(src, i+2) == s.quote:
		return 3
	}
	return 0
}

// escaped returns the length of the sequence that a backslash at i escapes.
func escaped(src []byte, i int) int {
	switch {
	case has(src, i+1, "\r\n"):
		return 3
	case i+1 < len(src) && strings.IndexByte("\\\"'\n", src[i+1]) >= 0:
		return 2
	}
	return 1
}

// content reads the text of a formatted string from at on, up to its end or the next interpolation. The token from i on
// belongs to a string that starts there.
func (p *python) content(i, from int, s pythonString) int {
	end, code := s.text(p.src, from)
	if i < from {
		p.put(i, end, text)
	}
	if !code {
		return end
	}
	return p.enter(end, s)
}

// enter opens an interpolation.
func (p *python) enter(i int, s pythonString) int {
	s.brackets = p.brackets
	p.open = append(p.open, s)
	p.put(i, i+1, pythonOpen)
	p.brackets = 0
	return i + 1
}

// text returns the end of the text that continues at i, and whether code follows.
func (s pythonString) text(src []byte, i int) (int, bool) {
	for i < len(src) {
		switch c := src[i]; {
		case c == s.quote && s.closes(src, i) > 0:
			return i + s.closes(src, i), false
		case c == '{' && at(src, i+1) != '{':
			return i, true
		case c == '{' || c == '}' && at(src, i+1) == '}':
			i += 2
		case c == '\\' && !s.raw && has(src, i, `\N{`):
			i, _ = after(src, i, "}")
		case c == '\\':
			i += escaped(src, i)
		case c == '\n' && !s.triple:
			return i, false
		default:
			i++
		}
	}
	return len(src), false
}

// interpolated reads a sign that has a special meaning in an interpolation. It returns i if the sign means the same as
// elsewhere.
func (p *python) interpolated(i int) int {
	switch c := p.src[i]; {
	case c == '}':
		return p.leave(i)
	case c == '!' && 'a' <= at(p.src, i+1) && at(p.src, i+1) <= 'z':
		p.put(i, i+2, keyword(string(p.src[i:i+2])))
		return i + 2
	case c == ':':
		p.unsure = p.unsure || at(p.src, i+1) == '=' && p.last == identifier.kind && p.before != pythonDot
		return p.spec(i)
	}
	return i
}

// leave closes an interpolation, and the outer ones whose formats end with it. It continues with the text or format
// after it.
func (p *python) leave(i int) int {
	for {
		p.put(i, i+1, pythonClose)
		s := p.open[len(p.open)-1]
		p.open, p.brackets = p.open[:len(p.open)-1], s.brackets
		if !s.spec {
			return p.content(i+1, i+1, s)
		}
		i = specEnd(p.src, i+1)
		if at(p.src, i) != '}' {
			return p.within(i)
		}
	}
}

// spec reads the format of an interpolation that starts at i.
func (p *python) spec(i int) int {
	end := specEnd(p.src, i+1)
	p.put(i, end, text)
	if at(p.src, end) == '}' {
		return p.leave(end)
	}
	return p.within(end)
}

// within enters the interpolation at i that is in a format, if there is one.
func (p *python) within(i int) int {
	if at(p.src, i) != '{' {
		return i
	}
	s := p.open[len(p.open)-1]
	s.spec = true
	return p.enter(i, s)
}

// specEnd returns the end of a format's text that continues at i.
func specEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '{' && src[i] != '}' && src[i] != '\n' {
		i++
	}
	return i
}

// pythonNumber returns the end of the number at i, which starts with a digit or a point.
func pythonNumber(src []byte, i int) int {
	digits := digit
	if src[i] == '0' {
		switch at(src, i+1) | 0x20 {
		case 'x':
			digits = hex
			fallthrough
		case 'b', 'o':
			if end := numberPart(src, i+2, digits); end > i+2 {
				return end + suffix(src, end, "lL")
			}
		}
	}
	end := numberPart(src, i, digit)
	if at(src, end) == '.' {
		end = numberPart(src, end+1, digit)
	} else if n := suffix(src, end, "lL"); n > 0 {
		return end + n
	}
	end = exponentEnd(src, end, 'e')
	return end + suffix(src, end, "jJ")
}

// suffix returns 1 if one of the letters is at i, else 0.
func suffix(src []byte, i int, letters string) int {
	if i < len(src) && strings.IndexByte(letters, src[i]) >= 0 {
		return 1
	}
	return 0
}
