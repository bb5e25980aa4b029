package lex

// relex reads src[i:end], an argument of a directive. The grammar does not parse it, so it is lexed by itself.
func (c *clang) relex(i, end int) {
	src := c.src[:end]
	for i < end {
		b := src[i]
		class := chars[b]
		switch {
		case class&blank != 0:
			i++
		case class&(letter|dollar) != 0 || b >= 0x80:
			i = c.relexWord(src, i)
		case class&digit != 0 || b == '.' && chars[at(src, i+1)]&digit != 0:
			to := relexNumberEnd(src, i)
			c.add(i, to, number)
			i = to
		case b == '"' || b == '\'':
			to := relexQuoteEnd(src, i, end)
			c.add(i, to, text)
			i = to
		case b == '/' && at(src, i+1) == '/':
			return
		case b == '/' && at(src, i+1) == '*':
			i, _ = after(src, i+2, "*/")
		case b == '\\' && i+1 < end && chars[src[i+1]]&blank != 0:
			i++
		default:
			i = c.relexSign(src, i)
		}
	}
}

func (c *clang) relexWord(src []byte, i int) int {
	end := relexWordEnd(src, i)
	if b := at(src, end); b == '"' || b == '\'' {
		if prefix := string(src[i:end]); prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8" {
			to := relexQuoteEnd(src, end, len(src))
			c.add(i, to, text)
			return to
		}
	}
	c.add(i, end, c.words.of(src[i:end]))
	return end
}

func relexWordEnd(src []byte, i int) int {
	for i < len(src) && (chars[src[i]]&(letter|digit|dollar) != 0 || src[i] >= 0x80) {
		i++
	}
	return i
}

// relexNumberEnd returns the end of the preprocessing number at i.
func relexNumberEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		b, before := src[i], src[i-1]|0x20
		switch {
		case chars[b]&(letter|digit|dollar) != 0 || b >= 0x80 || b == '.':
		case (b == '+' || b == '-') && (before == 'e' || before == 'p'):
		case b == '\'' && (chars[at(src, i+1)]&(letter|digit|dollar) != 0 || at(src, i+1) >= 0x80):
		default:
			return i
		}
	}
	return len(src)
}

// relexQuoteEnd returns the index after the quote that closes the one at i, or end if there is none.
func relexQuoteEnd(src []byte, i, end int) int {
	quote := src[i]
	for i++; i < end; i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return end
}

func (c *clang) relexSign(src []byte, i int) int {
	if o := c.signs.at(src, i); o != nil {
		c.add(i, i+o.n, o.lexeme)
		return i + o.n
	}
	c.add(i, i+1, keyword(string(src[i:i+1])))
	return i + 1
}
