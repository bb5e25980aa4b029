package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

func (e *ecma) sign() {
	o := ecmaOperators.at(e.src, e.i)
	if o == nil {
		e.i += e.other()
		return
	}
	switch c := e.src[e.i]; {
	case o.n > 1 && (c == '+' || c == '-') && e.src[e.i+1] == c:
		if c == '-' && at(e.src, e.i+2) == '>' && !e.onLine() {
			e.refuse = true // may end a comment of HTML
		}
		e.mark(2, o.lexeme) // before or after its operand
		return
	case o.n == 2 && c == '?' && e.src[e.i+1] == '.' && chars[at(e.src, e.i+2)]&digit != 0:
		e.mark(1, keyword("?"))
	case o.n == 2 && c == '|' && e.i > 0 && e.src[e.i-1] == '{':
		e.mark(1, ecmaBar) // of an object type {||}
		e.mark(1, ecmaBar)
	case o.n == 1:
		e.single(c, o.lexeme)
		return
	default:
		e.mark(o.n, o.lexeme)
	}
	e.side = wanted
}

func (e *ecma) single(c byte, l lexeme) {
	switch c {
	case '(':
		f := paren
		if e.isHead() {
			f = head
		}
		e.open(f, l)
	case '[':
		e.open(bracket, l)
	case '{':
		e.open(brace, l)
	case ')', ']':
		e.mark(1, l)
		e.side = had
		if f := e.top(); c == ')' && f <= head || c == ']' && f == bracket {
			if f == head {
				e.side = wanted
			}
			e.pop()
		}
	case '}':
		e.closeBrace()
	case '<':
		e.less()
	case '>':
		if e.top() == arguments {
			e.pop()
		}
		e.mark(1, l)
		e.side = wanted
		if e.types {
			e.side = unclear // of a comparison, or of type arguments
		}
	case '!':
		e.bang(l)
	default:
		e.mark(1, l)
		e.side = wanted
	}
}

func (e *ecma) open(f frame, l lexeme) {
	e.mark(1, l)
	e.push(f)
	e.side = wanted
}

// isHead reports whether the next parenthesis belongs to a keyword.
func (e *ecma) isHead() bool {
	last := e.back(1)
	if last.Class != token.Keyword {
		return false
	}
	switch last.Kind {
	case ecmaIf, ecmaFor, ecmaWhile, ecmaWith:
		return !e.dotted(1)
	case ecmaAwait:
		return e.back(2).Kind == ecmaFor && !e.dotted(2)
	}
	return false
}

// closeBrace closes the brace's own frame, and every other bracket left open in it.
func (e *ecma) closeBrace() {
	e.mark(1, ecmaClose)
	e.side = unclear
	for n := len(e.frames); n > 0 && e.frames[n-1] < brace; n-- {
		e.pop()
	}
	if len(e.frames) == 0 || e.top() > template {
		return
	}
	f := e.top()
	e.pop()
	if f == template {
		e.inTemplate(e.i)
	}
}

// bang is "not", or in TypeScript "not null" after an operand on its line.
func (e *ecma) bang(l lexeme) {
	if !e.onLine() {
		e.side = wanted
	}
	e.mark(1, l)
}

// onLine reports whether the next token is on the line of the operand before it.
func (e *ecma) onLine() bool {
	return e.side == had && bytes.IndexByte(e.src[e.back(1).End:e.i], '\n') < 0
}

func (e *ecma) less() {
	if has(e.src, e.i, "<!--") {
		e.refuse = true
		return
	}
	if e.top() == arguments {
		e.open(arguments, ecmaLess)
		return
	}
	if e.jsx && e.side != had && at(e.src, e.i+1) != '<' && e.element() {
		return
	}
	if at(e.src, e.i+1) == '<' {
		e.mark(1, ecmaLess)
		e.mark(1, ecmaLess)
		if at(e.src, e.i) == '=' {
			e.mark(1, ecmaEqual)
		}
	} else {
		e.mark(1, ecmaLess)
	}
	e.side = wanted
}

func (e *ecma) slash() {
	switch at(e.src, e.i+1) {
	case '/':
		e.i = ecmaLineEnd(e.src, e.i)
		return
	case '*':
		e.comment()
		return
	}
	switch e.side {
	case unclear:
		e.refuse = true
		return
	case wanted:
		e.regex()
		return
	}
	o := ecmaOperators.at(e.src, e.i)
	e.mark(o.n, o.lexeme)
	e.side = wanted
}

// comment skips a block comment. If it has no end, the grammar may read its start as a regular expression.
func (e *ecma) comment() {
	end, ok := after(e.src, e.i+2, "*/")
	if !ok && e.side != had && bytes.IndexByte(e.src[e.i+2:lineEnd(e.src, e.i)], '/') >= 0 {
		e.refuse = true
	}
	e.i = end
}

// ecmaLineEnd returns the end of the line at i, by any of the line end characters.
func ecmaLineEnd(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '\n', '\r':
			return i
		case 0xe2:
			if has(src, i, "\u2028") || has(src, i, "\u2029") {
				return i
			}
		}
	}
	return i
}
