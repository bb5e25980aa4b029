package lex

import (
	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// KotlinWords are the reserved words of Kotlin, and modifiers that may be names but hardly ever are. Words that are
// often both, like get, value and data, are names. A word with "@" is a label; after the words listed here another
// word follows.
var KotlinWords = newWords("as break class continue do else for fun if in interface is object package return super this throw try "+
	"typealias val var when while abstract by catch companion const constructor crossinline enum external final finally import infix "+
	"inline internal lateinit noinline override private protected public sealed suspend tailrec vararg where "+
	"return@ this@ super@ break@ continue@",
	map[string]lexeme{"true": boolean, "false": boolean, "null": null, "reified": keyword("reification_modifier")})

// Signs that only a type can distinguish are split into single signs. A semicolon counts as a line end.
var kotlinOperators = newOperators("+ - * / % & ! < > -> = == === != !== <= && || ++ -- += -= *= /= %= ?: ? : :: .. ..< . @ , ( ) [ ] { }")

var (
	kotlinImport  = keyword("import").kind
	kotlinPackage = keyword("package").kind
	kotlinAs      = keyword("as")
	kotlinSafeAs  = keyword("as?")
	kotlinNotIn   = keyword("!in")
	kotlinNotIs   = keyword("!is")
	kotlinOpen    = keyword("(").kind
	kotlinClose   = keyword(")").kind
	kotlinDot     = keyword(".").kind
	kotlinAll     = keyword("*").kind
	kotlinBody    = kinds("class interface object fun val var typealias { =")
	// Behind these a condition of a when may start; there the grammar reads "!include" as "!in".
	kotlinConditions = kinds("{ , -> return")
	kotlinEnds       = kinds(") ] } ! this super")
)

// Kotlin is the lexer of Kotlin. It refuses text that the grammar reads in two ways: "!in" followed by letters where a
// condition may start, "!is" outside of parentheses, "?" followed by a point or a comment further on, and "?::".
func Kotlin(dst []token.Token, src []byte) ([]token.Token, bool) {
	k := kotlin{out: out{tokens: dst, first: len(dst)}, src: src, header: true}
	for i := shebang(src); i < len(src) && !k.refuse; {
		i = k.step(i)
	}
	return k.tokens, !k.refuse
}

type kotlin struct {
	out
	src    []byte
	header bool
	parens int // open parentheses in the header
	clause kotlinClause
	open   []kotlinBracket
	refuse bool
}

// kotlinBracket is an open bracket.
type kotlinBracket uint8

const (
	kotlinRound kotlinBracket = iota // or square
	kotlinBrace
	kotlinHole  // of code in a string
	kotlinHoles // of code in a string of many lines
)

// kotlinClause says how a package clause or import continues.
type kotlinClause uint8

const (
	kotlinNone  kotlinClause = iota
	kotlinName               // a name, or "*"
	kotlinGoOn               // a point, or "as"
	kotlinAlias              // the name after "as"
)

// step reads the token at i and returns where to continue.
func (k *kotlin) step(i int) int {
	c := k.src[i]
	switch {
	case chars[c]&letter != 0 || c >= 0x80:
		return k.word(i)
	case chars[c]&blank != 0 || c == ';':
		return i + 1
	case chars[c]&digit != 0 || c == '.' && chars[at(k.src, i+1)]&digit != 0:
		return k.put(i, kotlinNumber(k.src, i), number)
	case c == '"':
		n := 1
		if has(k.src, i, `"""`) {
			n = 3
		}
		return k.content(i, i+n, n == 3)
	case c == '\'':
		end, _ := quoteEnd(k.src, i)
		return k.put(i, end, text)
	case c == '`':
		return k.quoted(i)
	case c == '/' && at(k.src, i+1) == '/':
		return lineEnd(k.src, i)
	case c == '/' && at(k.src, i+1) == '*':
		return commentEnd(k.src, i)
	}
	return k.sign(i)
}

// put adds a token, and returns its end.
func (k *kotlin) put(i, end int, l lexeme) int {
	k.flags = 0
	if k.clause != kotlinNone {
		k.goOn(l)
	}
	if k.header {
		k.inHeader(l)
	}
	k.add(i, end, l)
	return end
}

// inHeader notes where the part before the declarations ends: clauses, and annotations of the file with arguments.
func (k *kotlin) inHeader(l lexeme) {
	switch l.kind {
	case kotlinOpen:
		k.parens++
	case kotlinClose:
		k.parens--
	}
	k.header = k.parens > 0 || !kotlinBody[l.kind]
}

// goOn notes how a clause continues after l.
func (k *kotlin) goOn(l lexeme) {
	k.flags = token.FlagImport
	switch {
	case k.clause == kotlinName && l.kind == kotlinAll, k.clause == kotlinAlias:
		k.clause = kotlinNone
	case k.clause == kotlinName:
		k.clause = kotlinGoOn
	case l.kind == kotlinDot:
		k.clause = kotlinName
	case l.kind == kotlinAs.kind:
		k.clause = kotlinAlias
	default:
		k.clause, k.flags = kotlinNone, 0
	}
}

func (k *kotlin) word(i int) int {
	end := wordEnd(k.src, i, letter|digit)
	if end == i {
		return k.strange(k.src, i)
	}
	if at(k.src, end) == '@' {
		return k.put(i, end+1, KotlinWords.of(k.src[i:end+1]))
	}
	l := KotlinWords.of(k.src[i:end])
	switch {
	case l == kotlinAs && at(k.src, end) == '?':
		return k.put(i, end+1, kotlinSafeAs)
	case (l.kind == kotlinImport || l.kind == kotlinPackage) && k.header && k.clause == kotlinNone || k.clause == kotlinGoOn && l.kind == kotlinImport:
		k.flags = token.FlagImport
		k.add(i, end, l)
		k.clause = kotlinName
		return end
	}
	return k.put(i, end, l)
}

// quoted reads the name in backquotes at i.
func (k *kotlin) quoted(i int) int {
	for end := i + 1; end < len(k.src) && k.src[end] != '\n' && k.src[end] != '\r'; end++ {
		if k.src[end] == '`' {
			return k.put(i, end+1, identifier)
		}
	}
	return k.strange(k.src, i)
}

func (k *kotlin) sign(i int) int {
	o := kotlinOperators.at(k.src, i)
	if o == nil {
		return k.strange(k.src, i)
	}
	end, l := i+o.n, o.lexeme
	switch k.src[i] {
	case '(', '[':
		k.open = append(k.open, kotlinRound)
	case '{':
		k.open = append(k.open, kotlinBrace)
	case ')', ']':
		if k.within(kotlinRound) {
			k.open = k.open[:len(k.open)-1]
		}
	case '}':
		return k.close(i)
	case '!':
		if o.n == 1 {
			end, l = k.not(i, o)
		}
	case '?':
		to := blanks(k.src, i+1)
		k.refuse = k.refuse || at(k.src, to) == '.' && to > i+1 || has(k.src, to, "/*") || has(k.src, i, "?::")
	}
	return k.put(i, end, l)
}

// ends reports whether an expression can end here.
func (k *kotlin) ends() bool {
	n := len(k.tokens) - 1
	return n >= k.first && (k.tokens[n].Class != token.Keyword || kotlinEnds[k.tokens[n].Kind])
}

// not distinguishes "!in" and "!is" from a negation.
func (k *kotlin) not(i int, o *operator) (int, lexeme) {
	end := wordEnd(k.src, i+1, letter|digit)
	switch string(k.src[i+1 : min(i+3, len(k.src))]) {
	case "in":
		if end == i+3 {
			return end, kotlinNotIn
		}
		k.refuse = k.refuse || k.ends() || kotlinConditions[k.last()]
	case "is":
		if end == i+3 {
			// If a line end may end a statement here, the grammar omits the sign.
			k.refuse = k.refuse || k.ends() && (len(k.open) == 0 || k.within(kotlinBrace))
			return end, kotlinNotIs
		}
	}
	return i + o.n, o.lexeme
}

// ---- strings

// content reads the text of a string from at on, up to its end or the next code in it. The token from i on belongs to a
// string that starts there, unless i is at.
func (k *kotlin) content(i, at int, multiline bool) int {
	end, code := kotlinText(k.src, at, multiline)
	if i < at {
		k.put(i, end, text)
	}
	switch {
	case code == kotlinPlain:
		return end
	case code == kotlinVariable:
		return k.variable(end)
	}
	hole := kotlinHole
	if multiline {
		hole = kotlinHoles
	}
	k.open = append(k.open, hole)
	return k.put(end, end+2, keyword("${"))
}

// variable reads the name whose "$" is at i, in a string of many lines.
func (k *kotlin) variable(i int) int {
	k.put(i, i+1, keyword("$"))
	end := wordEnd(k.src, i+1, letter|digit)
	k.put(i+1, end, KotlinWords.of(k.src[i+1:end]))
	return k.content(end, end, true)
}

// close reads the brace at i, and continues the string if the brace ends code in one.
func (k *kotlin) close(i int) int {
	for k.within(kotlinRound) { // never closed
		k.open = k.open[:len(k.open)-1]
	}
	k.put(i, i+1, keyword("}"))
	n := len(k.open) - 1
	if n < 0 {
		return i + 1
	}
	b := k.open[n]
	if k.open = k.open[:n]; b == kotlinBrace {
		return i + 1
	}
	return k.content(i+1, i+1, b == kotlinHoles)
}

// within reports whether the innermost bracket is of that kind.
func (k *kotlin) within(b kotlinBracket) bool {
	n := len(k.open)
	return n > 0 && k.open[n-1] == b
}

// kotlinCode says what follows the text of a string.
type kotlinCode uint8

const (
	kotlinPlain    kotlinCode = iota // its end
	kotlinVariable                   // "$" and a name
	kotlinBraces                     // "${"
)

// kotlinText returns the end of a string's text that continues at i, including the quotes if they follow. To the
// grammar "$name" is text, except in a string of many lines.
func kotlinText(src []byte, i int, multiline bool) (int, kotlinCode) {
	for i < len(src) {
		switch c := src[i]; {
		case c == '$' && at(src, i+1) == '{':
			return i, kotlinBraces
		case c == '$' && multiline && startsName(src, i+1) && src[i+1] != '_':
			return i, kotlinVariable
		case c == '\\' && !multiline:
			i++
		case c == '"' && !multiline:
			return i + 1, kotlinPlain
		case c == '"' && has(src, i, `""""`):
			return i + 4, kotlinPlain
		case c == '"' && has(src, i, `"""`):
			return i + 3, kotlinPlain
		}
		i++
	}
	return len(src), kotlinPlain
}

// startsName reports whether a name starts at i.
func startsName(src []byte, i int) bool {
	return chars[at(src, i)]&letter != 0 || at(src, i) >= 0x80 && wordRune(src[i:]) > 0
}

// kotlinNumber returns the end of the number at i, which starts with a digit or a point.
func kotlinNumber(src []byte, i int) int {
	end, whole := 0, true
	switch at(src, i+1) | 0x20 {
	case 'x':
		end = digitRun(src, i+2, hex)
	case 'b':
		end = digitRun(src, i+2, digit)
	}
	if src[i] != '0' || end <= i+2 {
		end = digitRun(src, i, digit)
		if at(src, end) == '.' && chars[at(src, end+1)]&digit != 0 {
			end, whole = digitRun(src, end+1, digit), false
		}
		if to := exponentEnd(src, end, 'e'); to > end {
			end, whole = to, false
		}
		if n := suffix(src, end, "fF"); n > 0 || !whole {
			return end + n
		}
	}
	if n := suffix(src, end, "uU"); n > 0 {
		return end + 1 + suffix(src, end+1, "lL")
	}
	return end + suffix(src, end, "lL")
}
