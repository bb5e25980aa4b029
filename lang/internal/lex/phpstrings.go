package lex

import (
	"bytes"
)

// phpHole is an interpolation: code in a string.
type phpHole struct {
	phpString
	braces  int  // open braces in the code
	visible bool // its braces are tokens
}

// phpString is a string with code in it: the quote that ends it, or the tag.
type phpString struct {
	quote byte
	tag   []byte
}

// content reads the text of a string from i on, up to its end or the next code in braces. variable means that the text
// follows a variable.
func (p *php) content(i int, s phpString, variable bool) int {
	line := s.tag != nil && !variable && (i == 0 || p.src[i-1] == '\n')
	for ; i < len(p.src) && !p.refuse; i++ {
		if line {
			if end := p.ends(i, s.tag); end > 0 {
				return p.finish(end)
			}
			p.refuse = p.refuse || commentsCode(p.src, i)
		}
		c := p.src[i]
		line = c == '\n' && s.tag != nil
		switch {
		case c == s.quote:
			return p.finish(i + 1)
		case c == '\\':
			if b := at(p.src, i+1); b != '\n' && b != '\r' {
				i++
			}
		case c == '$' && at(p.src, i+1) == '{':
			p.put(i, i+1, phpDollar)
			p.put(i+1, i+2, phpBrace)
			p.holes = append(p.holes, phpHole{phpString: s, visible: true})
			return i + 2
		case c == '$':
			if end := p.name(i + 1); end > i+1 && chars[p.src[i+1]]&digit == 0 {
				i = p.part(p.put(i, end, identifier)) - 1
			}
		case c == '{' && at(p.src, i+1) == '$':
			if s.tag != nil {
				p.put(i, i+1, phpBrace) // otherwise it is only a quote
			}
			p.holes = append(p.holes, phpHole{phpString: s, visible: s.tag != nil})
			return i + 1
		}
	}
	p.refuse = true // it never ends
	return i
}

// commentsCode reports whether the grammar reads the line of a here-document that starts at i as a comment that may
// hide code.
func commentsCode(src []byte, i int) bool {
	for at(src, i) == ' ' || at(src, i) == '\t' {
		i++
	}
	switch {
	case has(src, i, "/*"):
		return true
	case has(src, i, "//"), at(src, i) == '#':
		return bytes.IndexByte(src[i:lineEnd(src, i)], '$') >= 0
	}
	return false
}

// finish ends a string at end, unless code in the string has already ended its token.
func (p *php) finish(end int) int {
	if p.quoted {
		p.tokens[len(p.tokens)-1].End = uint32(end)
		p.quoted = false
	}
	return end
}

// part reads a member or an element after a variable in a string.
func (p *php) part(i int) int {
	switch c := at(p.src, i); {
	case c == '-' && at(p.src, i+1) == '>':
		if end := p.name(i + 2); end > i+2 {
			p.put(i, i+2, phpArrow)
			return p.put(i+2, end, PHPWords.of(p.src[i+2:end]))
		}
	case c == '[':
		i = p.put(i, i+1, phpOpenAt)
		if at(p.src, i) == '-' {
			i = p.put(i, i+1, phpMinus)
		}
		end := p.name(i)
		switch c := at(p.src, i); {
		case end > i && chars[c]&digit != 0:
			p.put(i, end, number)
		case end > i:
			p.put(i, end, PHPWords.of(p.src[i:end]))
		case c == '$':
			end = p.put(i, p.name(i+1), identifier)
		}
		if at(p.src, end) != ']' || end == i {
			p.refuse = true
			return end
		}
		return p.put(end, end+1, phpCloseAt)
	}
	return i
}

// close reads the brace that ends code in a string, and continues the string.
func (p *php) close(i, n int) int {
	h := p.holes[n]
	if p.holes = p.holes[:n]; h.visible {
		p.put(i, i+1, keyword("}"))
	}
	return p.content(i+1, h.phpString, true)
}

// document reads the here-document at i. It returns i if there is none.
func (p *php) document(i int) int {
	from := i + 3
	for at(p.src, from) == ' ' || at(p.src, from) == '\t' {
		from++
	}
	quote := at(p.src, from)
	if quote == '"' || quote == '\'' {
		from++
	}
	end := p.name(from)
	if end == from {
		return i
	}
	s := phpString{tag: p.src[from:end]}
	if quote == '"' || quote == '\'' {
		if at(p.src, end) != quote {
			return i
		}
		end++
	}
	if at(p.src, end) == '\r' {
		end++
	}
	if at(p.src, end) != '\n' {
		return i
	}
	p.put(i, end+1, text)
	p.quoted = true
	if quote == '\'' {
		return p.nowdoc(end+1, s.tag)
	}
	return p.content(end+1, s, false)
}

// nowdoc takes the lines of a here-document without code.
func (p *php) nowdoc(i int, tag []byte) int {
	for i < len(p.src) && !p.refuse {
		if end := p.ends(i, tag); end > 0 {
			return p.finish(end)
		}
		i = lineEnd(p.src, i) + 1
	}
	p.refuse = true
	return len(p.src)
}

// ends returns the end of the tag that closes a here-document, in the line that starts at i, or 0 if there is none. The
// grammar requires certain characters after it.
func (p *php) ends(i int, tag []byte) int {
	for at(p.src, i) == ' ' || at(p.src, i) == '\t' {
		i++
	}
	if !bytes.HasPrefix(p.src[i:], tag) {
		return 0
	}
	i += len(tag)
	if c := at(p.src, i); chars[c]&(letter|digit) != 0 || c >= 0x80 {
		return 0
	}
	to := i
	for at(p.src, to) == ' ' || at(p.src, to) == '\t' {
		to++
	}
	switch at(p.src, to) {
	case ';', ',', ')', '\n', '\r':
		return i
	}
	p.refuse = true
	return 0
}
