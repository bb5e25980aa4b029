package lex

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// luaWords are the reserved words of Lua, and goto, which is a name in Lua 5.1.
var luaWords = newWords("and do else elseif end for function goto if in local not or repeat return then until while",
	map[string]lexeme{"true": boolean, "false": boolean, "nil": null, "break": keyword("break_statement")})

var luaOperators = newOperators("+ - * / // % ^ # & ~ | << >> == ~= <= >= < > = ( ) { } [ ] :: ; : , . ..")

var (
	luaRest = keyword("vararg_expression")
	luaKeys = kinds(". : goto") // a name follows
)

// Lua is the lexer of Lua. It refuses text that the grammar reads by what it expects: a reserved word as a name, goto
// without a label, ">=" after an attribute, signs that the grammar takes for letters, and what nothing closes.
func Lua(dst []token.Token, src []byte) ([]token.Token, bool) {
	l := lua{out: out{tokens: dst, first: len(dst)}, src: src}
	for i := luaStart(src); i < len(src) && !l.refuse; {
		i = l.step(i)
	}
	return l.tokens, !l.refuse
}

type lua struct {
	out
	src    []byte
	refuse bool
}

// luaStart returns the index after a byte order mark and a first line that names an interpreter.
func luaStart(src []byte) int {
	i := start(src)
	if at(src, i) == '#' {
		return lineEnd(src, i)
	}
	return i
}

// step reads the token at i and returns where to continue.
func (l *lua) step(i int) int {
	c := l.src[i]
	switch {
	case chars[c]&letter != 0 || c >= utf8.RuneSelf:
		return l.word(i)
	case chars[c]&blank != 0:
		return i + 1
	case chars[c]&digit != 0 || c == '.' && chars[at(l.src, i+1)]&digit != 0:
		return l.put(i, luaNumber(l.src, i), number)
	case c == '"' || c == '\'':
		return l.put(i, longQuoteEnd(l.src, i), text)
	case c == '[':
		if end := l.block(i); end > i {
			return l.put(i, end, text)
		}
	case has(l.src, i, "--"):
		if end := l.block(i + 2); end > i+2 {
			return end
		}
		if n := bytes.IndexAny(l.src[i:], "\r\n"); n >= 0 {
			return i + n
		}
		return len(l.src)
	case has(l.src, i, "..."):
		return l.put(i, i+3, luaRest)
	}
	return l.sign(i)
}

// put adds a token, and returns its end.
func (l *lua) put(i, end int, x lexeme) int {
	if n := len(l.tokens); n > l.first && luaKeys[l.tokens[n-1].Kind] && x.class != token.Identifier {
		l.refuse = true
	}
	l.add(i, end, x)
	return end
}

func (l *lua) word(i int) int {
	end := i
	for end < len(l.src) {
		if c := l.src[end]; c < utf8.RuneSelf {
			if chars[c]&(letter|digit) == 0 {
				break
			}
			end++
			continue
		}
		r, n := utf8.DecodeRune(l.src[end:])
		l.refuse = l.refuse || !unicode.IsLetter(r)
		end += n
	}
	return l.put(i, end, luaWords.of(l.src[i:end]))
}

// block returns the end of the long bracket at i, or i if there is none.
func (l *lua) block(i int) int {
	if at(l.src, i) != '[' {
		return i
	}
	level := i + 1
	for at(l.src, level) == '=' {
		level++
	}
	if at(l.src, level) != '[' {
		return i
	}
	end, closed := after(l.src, level+1, "]"+string(l.src[i+1:level])+"]")
	l.refuse = l.refuse || !closed
	return end
}

func (l *lua) sign(i int) int {
	o := luaOperators.at(l.src, i)
	if o == nil || len(l.tokens) == l.first && l.src[i] == '#' {
		l.refuse = true
		return len(l.src)
	}
	if n := len(l.tokens); has(l.src, i, ">=") && n > l.first+1 && l.tokens[n-2].Kind == token.Kind("<") {
		l.refuse = true // "<const>="
	}
	return l.put(i, i+o.n, o.lexeme)
}

// luaNumber returns the end of the number at i, with the suffixes of LuaJIT.
func luaNumber(src []byte, i int) int {
	digits, exponent := digit, byte('e')
	if src[i] == '0' && at(src, i+1)|0x20 == 'x' {
		i, digits, exponent = i+2, hex, 'p'
	}
	run := func(i int) int {
		for chars[at(src, i)]&digits != 0 {
			i++
		}
		return i
	}
	end := run(i)
	if n := suffix(src, end, "uU"); end > i && suffix(src, end+n, "lL") == 1 && suffix(src, end+n+1, "lL") == 1 {
		return end + n + 2
	}
	if at(src, end) == '.' {
		end = run(end + 1)
	}
	end = exponentEnd(src, end, exponent)
	return end + suffix(src, end, "iI")
}
