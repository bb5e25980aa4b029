package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// element reads the "<" of an element. It returns false if there is none: TypeScript may have type parameters there.
func (e *ecma) element() bool {
	if last := e.back(1).Kind; e.types && (last == ecmaFunction || last == ecmaAsync || last == ecmaChain) {
		return false
	}
	if e.side == unclear {
		e.refuse = true
		return true
	}
	if e.types && e.typeParameters() {
		return false
	}
	e.mark(1, ecmaLess)
	e.push(tag)
	return true
}

// typeParameters distinguishes the "<" of a generic function from that of an element, or refuses the text.
func (e *ecma) typeParameters() bool {
	last := e.back(1)
	if e.i > 0 && last.Class == token.Keyword && int(last.End) == e.i && chars[e.src[e.i-1]]&letter != 0 {
		e.refuse = true // return<div/>, or delete<T>()
		return true
	}
	from := blanks(e.src, e.i+1)
	end := ecmaName(e.src, from)
	i := blanks(e.src, end)
	switch {
	case end == from:
		return false
	case string(e.src[from:end]) == "const":
		e.refuse = true
		return true
	case at(e.src, i) == ',' || at(e.src, i) == '=':
		return true
	case i > end && has(e.src, i, "extends") && chars[at(e.src, i+7)]&blank != 0:
		return true
	case at(e.src, i) == '>' && at(e.src, blanks(e.src, i+1)) == '(':
		e.refuse = true
	}
	return false
}

// inTag continues between "<" and ">".
func (e *ecma) inTag() {
	c := e.src[e.i]
	switch {
	case chars[c]&(letter|dollar) != 0 || c >= 0x7f:
		e.attribute()
	case chars[c]&blank != 0:
		e.i++
	case c == '.' || c == ':' || c == '=':
		e.mark(1, keyword(string(c)))
	case c == '>':
		e.mark(1, ecmaGreater)
		e.opened()
	case c == '/':
		e.slashInTag()
	case c == '{' && e.top() == tag:
		e.open(brace, ecmaBrace)
	case (c == '"' || c == '\'') && e.top() == tag:
		e.attributeValue(c)
	case c == '<' && e.top() == tag:
		e.lessInTag()
	default:
		e.refuse = true
	}
}

// lessInTag reads the "<" of an element that is a value, or of type arguments.
func (e *ecma) lessInTag() {
	switch last := e.back(1); {
	case last.Kind == ecmaEqual.kind:
		e.mark(1, ecmaLess)
		e.push(tag)
	case e.types && (last.Class == token.Identifier || last.Class == token.Keyword) && chars[e.src[last.Start]]&(letter|dollar) != 0:
		e.open(arguments, ecmaLess)
	default:
		e.refuse = true
	}
}

// attribute reads a name: of an element or an attribute, with dashes.
func (e *ecma) attribute() {
	end := ecmaName(e.src, e.i)
	if end == e.i {
		e.i += e.other()
		return
	}
	for end < len(e.src) && (e.src[end] == '-' || chars[e.src[end]]&(letter|digit|dollar) != 0) {
		end++
	}
	e.mark(end-e.i, e.words.of(e.src[e.i:end]))
}

func (e *ecma) attributeValue(quote byte) {
	end, ok := after(e.src, e.i+1, string(quote))
	if !ok {
		e.refuse = true
		return
	}
	e.mark(end-e.i, text)
}

func (e *ecma) slashInTag() {
	switch at(e.src, e.i+1) {
	case '/':
		e.i = ecmaLineEnd(e.src, e.i)
	case '*':
		e.i, _ = after(e.src, e.i+2, "*/")
	case '>':
		e.mark(1, ecmaSlash)
		e.mark(1, ecmaGreater)
		e.pop()
		e.side = had
	default:
		e.refuse = true
	}
}

// opened continues after the ">" of a tag.
func (e *ecma) opened() {
	f := e.top()
	e.pop()
	if f == tag {
		e.push(children)
		return
	}
	if e.top() == children {
		e.pop()
	}
	e.side = had
}

// inElement continues between "<a>" and "</a>".
func (e *ecma) inElement() {
	switch c := e.src[e.i]; {
	case c == '{':
		e.open(brace, ecmaBrace)
	case c == '<' && at(e.src, e.i+1) == '/':
		e.mark(1, ecmaLess)
		e.mark(1, ecmaSlash)
		e.push(closing)
	case c == '<':
		e.mark(1, ecmaLess)
		e.push(tag)
	case c == '>' || c == '}':
		e.refuse = true
	default:
		e.prose()
	}
}

// prose reads a word of the text in an element.
func (e *ecma) prose() {
	end, l := proseAt(e.src, e.i)
	if l == (lexeme{}) {
		e.i = end
		return
	}
	e.mark(end-e.i, l)
}

// proseAt returns the end of the word, number or sign of prose at i, and its lexeme; none for a blank. Every byte from 0x80 on counts as
// a letter, as in the grammar's walk.
func proseAt(src []byte, i int) (end int, l lexeme) {
	for end = i; end < len(src) && (chars[src[end]]&(letter|digit|dollar) != 0 || src[end] >= 0x80); {
		end++
	}
	c := src[i]
	switch {
	case end == i && chars[c]&blank != 0:
		return i + 1, lexeme{}
	case end == i:
		return i + 1, keyword(string(c))
	case chars[c]&digit != 0:
		return end, number
	}
	return end, lexeme{token.Kind(string(src[i:end])), token.Word}
}
