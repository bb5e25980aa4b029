package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// Directives that code follows on the same line; any other directive takes its whole line.
var cOpenDirectives = []uint32{
	token.Kind("#if"), token.Kind("#ifdef"), token.Kind("#ifndef"), token.Kind("#elif"), token.Kind("#elifdef"),
	token.Kind("#elifndef"), token.Kind("#else"), token.Kind("#endif"),
}

func (c *clang) directive(i int) int {
	start := i
	for i++; i < len(c.src) && (c.src[i] == ' ' || c.src[i] == '\t'); i++ {
	}
	end := i
	for end < len(c.src) && chars[c.src[end]]&(letter|digit) != 0 && (end > i || c.src[i] != '_') {
		end++
	}
	if end == i {
		c.add(start, start+1, keyword("#"))
		return start + 1
	}
	l := keyword("#" + string(c.src[i:end]))
	switch {
	case isOf(l.kind, cOpenDirectives):
		c.add(start, end, l)
		return end
	case l.kind == cInclude, l.kind == objcImport && c.objective:
		return c.include(start, end, l)
	case l.kind == cDefine:
		c.add(start, end, l)
		return c.rest(c.macro(end))
	}
	c.add(start, end, l)
	return c.rest(end)
}

// between returns where the next token on the line starts, or the line's end.
func (c *clang) between(i int) int {
	for i < len(c.src) {
		switch b := c.src[i]; {
		case b == '\n':
			return i
		case chars[b]&blank != 0:
			i++
			continue
		}
		end := splice(c.src, i)
		if end == i && c.src[i] == '/' {
			end = c.comment(i)
		}
		if end == i {
			return i
		}
		i = end
	}
	return i
}

// include reads an include directive: its whole line is an import clause. Within braces that contain fields or values
// the grammar treats it like any other directive.
func (c *clang) include(start, end int, l lexeme) int {
	if n := len(c.blocks); n > 0 && !c.blocks[n-1] {
		c.failed = true
	}
	c.flags = token.FlagImport
	c.add(start, end, l)
	i := c.between(end)
	if at(c.src, i) == '<' {
		if to := angleEnd(c.src, i); to > 0 {
			c.add(i, to, text)
			i = to
		}
	}
	for i = c.between(i); i < len(c.src) && c.src[i] != '\n' && !c.failed; i = c.between(i) {
		if c.src[i] == '#' {
			c.add(i, i+1, keyword("#"))
			i++
		} else {
			i = c.step(i)
		}
	}
	c.flags = 0
	return i
}

// angleEnd returns the index after the name in angle brackets at i, 0 if there is none. A backslash prevents a bracket
// from closing the name if there is another bracket.
func angleEnd(src []byte, i int) int {
	end := 0
	for i++; i < len(src) && src[i] != '\n'; i++ {
		if src[i] != '>' {
			continue
		}
		end = i + 1
		if src[i-1] != '\\' {
			break
		}
	}
	return end
}

// macro reads the name and the parameters of a macro.
func (c *clang) macro(i int) int {
	i = c.between(i)
	b := at(c.src, i)
	if chars[b]&(letter|dollar) == 0 && b < 0x80 && b != '\\' {
		return i
	}
	end := wordEnd(c.src, i, letter|digit|dollar)
	if end == i {
		return i
	}
	c.add(i, end, c.words.of(c.src[i:end]))
	if at(c.src, end) != '(' {
		return end
	}
	for i = end; i < len(c.src) && c.src[i] != '\n'; i = c.between(i) {
		b := c.src[i]
		if b == '#' || b == '"' || b == '\'' {
			return i
		}
		i = c.step(i)
		if b == ')' {
			return i
		}
	}
	return i
}

// rest reads the rest of a directive's line from i on, which the grammar does not parse. It takes as much as the
// grammar takes for one argument, which may differ from a compiler, and then repeats.
func (c *clang) rest(i int) int {
	for !c.failed {
		i = c.between(i)
		if i >= len(c.src) || c.src[i] == '\n' {
			break
		}
		end := argumentEnd(c.src, i)
		if has(c.src, end, "/*") && c.hidden(i, end) {
			end = splicedLineEnd(c.src, i)
		}
		c.relex(i, end)
		i = end
	}
	return i
}

// argumentEnd returns where the grammar ends the argument at i. It takes a slash together with the next byte, even a
// line feed.
func argumentEnd(src []byte, i int) int {
	for i++; i < len(src); {
		switch src[i] {
		case '\n':
			return i
		case '\\':
			i = max(splice(src, i), i+1)
		case '/':
			if i+1 >= len(src) || src[i+1] == '*' {
				return i
			}
			i += 2
		default:
			i++
		}
	}
	return len(src)
}

// hidden reports whether the comment at end is not a comment, because it opens within a string or a comment. The
// grammar notices only if the directive continues after the comment.
func (c *clang) hidden(i, end int) bool {
	if !openAt(c.src, i, end) {
		return false
	}
	if end < c.commentFrom || end+len("/**/") > c.commentEnd {
		c.commentFrom = end
		c.commentEnd, _ = after(c.src, end+2, "*/")
		next := c.commentEnd
		for next < len(c.src) && c.src[next] != '\n' && chars[c.src[next]]&blank != 0 {
			next++
		}
		b := at(c.src, next)
		c.trouble = b != '\n' && b != '/' && b != '\\'
	}
	return c.trouble
}

// openAt reports whether end is within a string or comment that begins at or after i.
func openAt(src []byte, i, end int) bool {
	for i < end {
		switch {
		case src[i] == '"' || src[i] == '\'':
			to := relexQuoteEnd(src, i, end)
			if to == end && (to-i < 2 || src[to-1] != src[i] || src[to-2] == '\\') {
				return true
			}
			i = to
		case src[i] == '/' && i+1 < end && src[i+1] == '/':
			return true
		default:
			i++
		}
	}
	return false
}
