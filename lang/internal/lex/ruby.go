package lex

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// rubyWords are the reserved words of Ruby. Behind a point or def, and before a colon, they are names.
var rubyWords = newWords("alias and begin BEGIN break case class def defined? do else elsif end END ensure for if in module next not or "+
	"redo rescue retry return super self then undef unless until when while yield",
	map[string]lexeme{"true": boolean, "false": boolean, "nil": null})

var (
	rubyOperators = newOperators("+ - * / % ** & | ^ ~ ! && || << >> < > <= >= <=> == === != =~ !~ = += -= *= /= %= **= &= |= ^= <<= >>= " +
		"&&= ||= ? : :: . &. .. ... , ; => -> ( ) [ ] { }")
	// rubyMethods are the operators that are names of methods.
	rubyMethods = newOperators(".. | ^ & <=> == === =~ > >= < <= + != - * / % ! !~ ** << >> ~ +@ -@ ~@ [] []= `")
)

var (
	rubyHole       = keyword("#{")
	rubyWordList   = keyword("%w(")
	rubySymbolList = keyword("%i(")
	rubyClose      = keyword(")")
	rubyDef        = keyword("def").kind
	rubyClass      = keyword("class").kind
	rubyAlias      = keyword("alias").kind
	rubyUndef      = keyword("undef").kind
	rubySuper      = keyword("super").kind
	rubyAssign     = keyword("=")
	rubyColon      = keyword(":")
	rubyScope      = keyword("::")
	rubyPipe       = keyword("|")
	rubyPipes      = keyword("||").kind
	rubyValues     = kinds("end redo retry self") // an expression ends after them
	rubyPatterns   = kinds("in |")
	rubyBlocks     = kinds("{ do")
)

// rubyPlaces are words that the grammar takes for names, but in patterns.
var rubyPlaces = map[string]bool{"__LINE__": true, "__FILE__": true, "__ENCODING__": true}

// rubyState says what may follow the last token.
type rubyState uint8

const (
	rubyBegin    rubyState = iota // an expression
	rubyArgument                  // an operator, or the first argument of a call
	rubyVariable                  // the same, but hardly ever an argument
	rubyEnd                       // an operator
	rubyDot                       // the name of a method or constant
	rubyName                      // the name of a method that is defined, or an alias
)

// Ruby is the lexer of Ruby. It refuses text that the grammar reads by what it expects. That is mostly an operator after a
// blank and before a word, as in "A /b", where a call could have an argument. In one place it differs: "a<<b" without
// blanks is a shift. The grammar takes it for a heredoc, and the rest of the file for its body.
func Ruby(dst []token.Token, src []byte) ([]token.Token, bool) {
	r := ruby{out: out{tokens: dst, first: len(dst)}, src: src, open: []rubyBracket{{}}}
	for i := start(src); i < len(src) && !r.refuse; {
		i = r.step(i)
	}
	return r.tokens, !r.refuse && len(r.heredocs) == 0
}

type ruby struct {
	out
	src      []byte
	state    rubyState
	open     []rubyBracket // the first is the document
	heredocs []rubyHeredoc // whose bodies follow on the next line
	names    int           // names that still follow alias
	undef    bool          // names follow undef
	refuse   bool
}

// rubyBracket is an open bracket.
type rubyBracket struct {
	close   byte
	ternary int          // "?" without their ":"
	text    *rubyText    // the string that has the code in the brackets
	heredoc *rubyHeredoc // or the heredoc
}

// step reads the token at i and returns where to continue.
func (r *ruby) step(i int) int {
	c := r.src[i]
	switch {
	case c == '\n' || c == '\r' && at(r.src, i+1) == '\n':
		return r.newline(i)
	case chars[c]&letter != 0 || c >= utf8.RuneSelf:
		return r.word(i)
	case chars[c]&blank != 0:
		return i + 1
	case chars[c]&digit != 0:
		return r.put(i, rubyNumber(r.src, i), number, rubyEnd)
	case c == '#':
		return lineEnd(r.src, i)
	case c == '\\':
		return r.continuation(i)
	case c == '"' || c == '\'':
		return r.text(i, i+1, rubyText{open: c, close: c, code: c == '"'})
	case c == '@' || c == '$':
		return r.variable(i)
	case c == '=' && (i == 0 || r.src[i-1] == '\n') && has(r.src, i, "=begin"):
		return r.comment(i)
	}
	return r.sign(i)
}

// put adds a token, and returns its end.
func (r *ruby) put(i, end int, l lexeme, next rubyState) int {
	r.add(i, end, l)
	r.state = next
	return end
}

// newline ends a statement if one can end here. Bodies of heredocs follow it.
func (r *ruby) newline(i int) int {
	if len(r.heredocs) > 0 {
		h := r.heredocs[0]
		r.heredocs = r.heredocs[1:]
		return r.body(i, h)
	}
	if r.state == rubyArgument || r.state == rubyVariable || r.state == rubyEnd {
		r.state = rubyBegin
		if top := r.top(); top.close == '}' || top.close == 0 {
			top.ternary = 0
		}
	}
	r.names, r.undef = 0, false
	end := bytes.IndexByte(r.src[i:], '\n') + i + 1
	if has(r.src, end, "__END__") {
		return r.uninterpreted(end)
	}
	return end
}

// uninterpreted reads the text after __END__, if that is the whole line.
func (r *ruby) uninterpreted(i int) int {
	end := i + len("__END__")
	if c := at(r.src, end); c != '\n' && c != '\r' && end < len(r.src) || len(r.open) > 1 {
		r.refuse = true
	}
	for end < len(r.src) {
		to, l := proseAt(r.src, end)
		if l != (lexeme{}) {
			r.add(end, to, l)
		}
		end = to
	}
	return end
}

// continuation reads the backslash at i, after which the line ends.
func (r *ruby) continuation(i int) int {
	end := i + 1
	if at(r.src, end) == '\r' {
		end++
	}
	r.refuse = r.refuse || at(r.src, end) != '\n' || len(r.heredocs) > 0
	return end + 1
}

// comment reads the lines from =begin at i to =end.
func (r *ruby) comment(i int) int {
	end, closed := after(r.src, i, "\n=end")
	r.refuse = r.refuse || !closed || chars[at(r.src, i+len("=begin"))]&blank == 0
	return lineEnd(r.src, end)
}

func (r *ruby) top() *rubyBracket { return &r.open[len(r.open)-1] }

// spaced reports whether a blank stands before i.
func (r *ruby) spaced(i int) bool { return i > 0 && chars[r.src[i-1]]&blank != 0 }

// ---- names

// rubyWordEnd returns the end of the name at i, and whether it has a character that is neither a letter nor a digit.
func rubyWordEnd(src []byte, i int) (int, bool) {
	strange := false
	for i < len(src) {
		c := src[i]
		if c < utf8.RuneSelf {
			if chars[c]&(letter|digit) == 0 {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		strange = strange || !unicode.IsGraphic(r) || unicode.IsSpace(r)
		i += n
	}
	return i, strange
}

func (r *ruby) word(i int) int {
	end, strange := rubyWordEnd(r.src, i)
	r.refuse = r.refuse || strange
	switch next := at(r.src, end); {
	case next == '?', next == '!' && at(r.src, end+1) != '=':
		end++
	}
	upper := 'A' <= r.src[i] && r.src[i] <= 'Z'
	l := rubyWords.of(r.src[i:end])
	switch {
	case r.state == rubyDot:
		l = identifier
	case r.state == rubyName:
		return r.defined(i, end, l)
	case rubyPatterns[r.last()] && rubyPlaces[string(r.src[i:end])]:
		r.refuse = true // a name, but in a pattern
	case at(r.src, end) == ':' && at(r.src, end+1) != ':':
		r.refuse = r.refuse || l != identifier && r.top().ternary > 0
		return r.put(i, end, identifier, rubyEnd)
	}
	if l == identifier {
		next := rubyArgument
		if upper {
			next = rubyVariable
		}
		return r.put(i, end, l, next)
	}
	return r.put(i, end, l, r.behind(l))
}

// behind returns the state after a reserved word, and notes that names follow it.
func (r *ruby) behind(l lexeme) rubyState {
	switch {
	case l.kind == rubyDef:
		return rubyName
	case l.kind == rubyAlias:
		r.names = 2
		return rubyName
	case l.kind == rubyUndef:
		r.undef = true
		return rubyName
	case l.kind == rubySuper:
		return rubyArgument
	case l == boolean || l == null || rubyValues[l.kind]:
		return rubyEnd
	}
	return rubyBegin
}

// defined reads the name of a method that is defined, undefined or an alias, or of the object that gets a method.
func (r *ruby) defined(i, end int, l lexeme) int {
	if r.names == 0 && !r.undef {
		if at(r.src, end) == '.' || has(r.src, end, "::") {
			return r.put(i, end, l, rubyEnd)
		}
		return r.put(i, end, identifier, rubyArgument)
	}
	r.put(i, end, identifier, rubyName)
	if at(r.src, end) == '=' && !has(r.src, end, "==") && !has(r.src, end, "=>") && !has(r.src, end, "=~") {
		end = r.put(end, end+1, rubyAssign, rubyName)
	}
	return r.named(end)
}

// named counts the names after alias.
func (r *ruby) named(end int) int {
	if r.names--; r.names <= 0 {
		r.names = 0
		r.state = rubyEnd
	}
	return end
}

// variable reads the variable of an object, a class or the program at i.
func (r *ruby) variable(i int) int {
	end := rubyVariableEnd(r.src, i)
	if end == i {
		r.refuse = true
		return len(r.src)
	}
	if r.state == rubyName {
		r.put(i, end, identifier, rubyName)
		return r.named(end)
	}
	return r.put(i, end, identifier, rubyVariable)
}

// rubyVariableEnd returns the end of the variable at i, or i if there is none.
func rubyVariableEnd(src []byte, i int) int {
	from := i + 1
	if src[i] == '@' {
		if at(src, from) == '@' {
			from++
		}
		if end, strange := rubyWordEnd(src, from); end > from && !strange && chars[src[from]]&digit == 0 {
			return end
		}
		return i
	}
	switch c := at(src, from); {
	case c == '-' && chars[at(src, from+1)]&(letter|digit) != 0:
		return from + 2
	case chars[c]&digit != 0:
		return numberPart(src, from, digit)
	case chars[c]&letter != 0:
		return asciiEnd(src, from)
	case c != 0 && bytes.IndexByte([]byte("!@&`'+~=/\\,;.<>*$?:\""), c) >= 0:
		return from + 1
	}
	return i
}

// asciiEnd returns the end of the letters and digits at i.
func asciiEnd(src []byte, i int) int {
	for chars[at(src, i)]&(letter|digit) != 0 {
		i++
	}
	return i
}

// ---- signs

func (r *ruby) sign(i int) int {
	if r.state == rubyName || r.state == rubyDot && r.src[i] != '(' && r.src[i] != ':' {
		return r.method(i)
	}
	switch r.src[i] {
	case '/':
		if r.operand(r.spaced(i) && !blankOr(r.src, i+1, '=')) {
			return r.text(i, i+1, rubyText{open: '/', close: '/', code: true, flags: true})
		}
	case '%':
		if t, from := rubyPercent(r.src, i); from > i && r.operand(r.spaced(i)) {
			return r.percent(i, from, t)
		}
	case '<':
		if h, end := rubyHeredocAt(r.src, i); end > i && r.last() != rubyClass && r.operand(r.spaced(i)) {
			return r.heredoc(i, end, h)
		}
	case '`':
		if r.operand(true) {
			return r.text(i, i+1, rubyText{open: '`', close: '`', code: true})
		}
		r.refuse = true
	case '?':
		if end := rubyCharacter(r.src, i); end > i && r.operand(r.spaced(i)) {
			r.refuse = r.refuse || r.state != rubyBegin
			return r.put(i, end, text, rubyEnd)
		}
	case ':':
		return r.colon(i)
	}
	o := rubyOperators.at(r.src, i)
	if o == nil {
		r.refuse = true
		return len(r.src)
	}
	return r.operator(i, o)
}

// blankOr reports whether a blank or that byte is at i.
func blankOr(src []byte, i int, b byte) bool {
	c := at(src, i)
	return c == b || chars[c]&blank != 0
}

// operand reports whether the sign at i begins an operand. If only the grammar knows whether a call has an argument here, the
// text is refused where it looks like one.
func (r *ruby) operand(likely bool) bool {
	switch r.state {
	case rubyBegin:
		return true
	case rubyArgument:
		return likely
	case rubyVariable:
		r.refuse = r.refuse || likely
	}
	return false
}

// method reads the operator at i that names a method.
func (r *ruby) method(i int) int {
	if r.src[i] == ':' && r.state == rubyName {
		end := r.colon(i)
		r.state = rubyName
		return r.named(end)
	}
	o := rubyMethods.at(r.src, i)
	if o == nil || r.src[i] == '`' {
		r.refuse = true
		return len(r.src)
	}
	if r.names > 0 || r.undef {
		return r.named(r.put(i, i+o.n, o.lexeme, rubyName))
	}
	return r.put(i, i+o.n, o.lexeme, rubyArgument)
}

// colon reads the symbol, the "::" or the ":" at i.
func (r *ruby) colon(i int) int {
	next := at(r.src, i+1)
	if next == ':' {
		return r.put(i, i+2, rubyScope, rubyDot)
	}
	end, quoted := rubySymbol(r.src, i), next == '"' || next == '\''
	if (end > i || quoted) && (r.state == rubyName || r.operand(r.spaced(i))) {
		r.refuse = r.refuse || r.top().ternary > 0 && r.state != rubyBegin
		if quoted {
			return r.text(i, i+2, rubyText{open: next, close: next, code: next == '"'})
		}
		return r.put(i, end, text, rubyEnd)
	}
	if top := r.top(); top.ternary > 0 {
		top.ternary--
	}
	return r.put(i, i+1, rubyColon, rubyBegin)
}

func (r *ruby) operator(i int, o *operator) int {
	end := i + o.n
	switch c := r.src[i]; c {
	case '(', '[', '{':
		r.open = append(r.open, rubyBracket{close: rubyClosing[c]})
		return r.put(i, end, o.lexeme, rubyBegin)
	case ')', ']', '}':
		return r.close(i)
	case '?':
		r.top().ternary++
	case '.', '&':
		if o.n == 1 && c == '.' || has(r.src, i, "&.") {
			return r.put(i, end, o.lexeme, rubyDot)
		}
	case '|':
		if o.lexeme.kind == rubyPipes && rubyBlocks[r.last()] {
			r.put(i, i+1, rubyPipe, rubyBegin)
			return r.put(i+1, i+2, rubyPipe, rubyBegin)
		}
	case ',':
		if r.undef {
			return r.put(i, end, o.lexeme, rubyName)
		}
	}
	return r.put(i, end, o.lexeme, rubyBegin)
}

// rubyClosing has the closing bracket of each opening one.
var rubyClosing = [128]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// close reads the closing bracket at i. It continues the string that the code before it is in.
func (r *ruby) close(i int) int {
	top := *r.top()
	if top.close != r.src[i] {
		r.refuse = true
		return len(r.src)
	}
	r.open = r.open[:len(r.open)-1]
	r.put(i, i+1, keyword(string(r.src[i:i+1])), rubyEnd)
	switch {
	case top.heredoc != nil:
		r.state = top.heredoc.state
		return r.body(i+1, *top.heredoc)
	case top.text != nil:
		return r.content(i+1, *top.text, -1)
	}
	return i + 1
}

// rubyNumber returns the end of the number at i.
func rubyNumber(src []byte, i int) int {
	end := i
	switch at(src, i+1) | 0x20 {
	case 'x':
		end = digitRun(src, i+2, hex)
	case 'b', 'o', 'd':
		end = digitRun(src, i+2, digit)
	}
	if src[i] != '0' || end <= i+2 {
		end = digitRun(src, i, digit)
		if at(src, end) == '.' && chars[at(src, end+1)]&digit != 0 {
			end = digitRun(src, end+1, digit)
		}
		end = exponentEnd(src, end, 'e')
	}
	for _, s := range []string{"ri", "r", "i"} {
		if to := end + len(s); has(src, end, s) && chars[at(src, to)]&(letter|digit) == 0 {
			return to
		}
	}
	return end
}
