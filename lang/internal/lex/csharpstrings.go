package lex

// csharpHole is an interpolation: code in a string.
type csharpHole struct {
	verbatim, raw   bool
	dollars, quotes int
	brackets        int // open in the code
	questions       int // question marks without their colon
}

// string takes the string at i, raw or not.
func (c *csharp) string(i int) int {
	n := runOf(c.src, i, '"')
	if n < 3 {
		end, _ := quoteEnd(c.src, i)
		return c.put(i, csharpSuffix(c.src, end), text)
	}
	for k := i + n; ; {
		quote, ok := after(c.src, k, `"`)
		if !ok {
			break
		}
		closing := runOf(c.src, quote-1, '"')
		if k = quote - 1 + closing; closing == n {
			return c.put(i, csharpSuffix(c.src, k), text)
		}
	}
	return c.put(i, len(c.src), text)
}

// runOf returns how often b occurs in a row at i.
func runOf(src []byte, i int, b byte) int {
	n := i
	for n < len(src) && src[n] == b {
		n++
	}
	return n - i
}

// csharpSuffix returns the index after the encoding of a string that ends at i.
func csharpSuffix(src []byte, i int) int {
	if has(src, i, "u8") || has(src, i, "U8") {
		return i + 2
	}
	return i
}

// prefixed reads a token that starts with "@" or "$": a name, a string, or a string with code.
func (c *csharp) prefixed(i int) int {
	if end := wordEnd(c.src, i+1, letter|digit); c.src[i] == '@' && end > i+1 && chars[c.src[i+1]]&digit == 0 {
		return c.put(i, end, identifier)
	}
	if has(c.src, i, `@"`) {
		return c.verbatim(i)
	}
	var h csharpHole
	k := i
	if h.verbatim = c.src[k] == '@'; h.verbatim {
		k++
	}
	h.dollars = runOf(c.src, k, '$')
	k += h.dollars
	if at(c.src, k) == '@' {
		h.verbatim = true
		k++
	}
	h.quotes = 1
	if n := runOf(c.src, k, '"'); n >= 3 && !h.verbatim {
		h.raw, h.quotes = true, n
	} else if n == 0 || n == 2 && !h.verbatim {
		c.failed = true
		return k
	}
	if h.dollars == 0 || h.dollars > 100 || h.quotes > 100 { // the grammar counts in a byte
		c.failed = true
		return k
	}
	return c.content(i, k+h.quotes, h)
}

// verbatim takes the string whose "@" is at i.
func (c *csharp) verbatim(i int) int {
	for k := i + 2; k < len(c.src); {
		k, _ = after(c.src, k, `"`)
		if at(c.src, k) != '"' {
			return c.put(i, csharpSuffix(c.src, k), text)
		}
		k++
	}
	return c.put(i, len(c.src), text)
}

// content reads the text of a string from k on, up to its end or the next code in it. The token from i on belongs to a
// string that starts there, unless i is k.
func (c *csharp) content(i, k int, h csharpHole) int {
	end, code := h.text(c.src, k)
	if end < 0 {
		c.failed = true
		return k
	}
	if i < k {
		c.put(i, end, text)
	}
	if !code {
		return end
	}
	h.brackets, h.questions = 0, 0
	c.holes = append(c.holes, h)
	return c.put(end, end+h.dollars, keyword(string(c.src[end:end+h.dollars])))
}

// text returns the end of the text that continues at k, and whether code follows. It returns -1 where the grammar
// counts quotes in its own way.
func (h *csharpHole) text(src []byte, k int) (int, bool) {
	for from := k; k < len(src); {
		switch b := src[k]; {
		case b == '"':
			n := runOf(src, k, b)
			if n == h.quotes || h.verbatim && n%2 == 1 && k > from {
				return k + n, false
			}
			if !h.raw && (!h.verbatim || n > 2 && k == from) || k == from && at(src, k+n) == '{' {
				return -1, false
			}
			k += n
		case b == '{':
			n := runOf(src, k, b)
			if n == h.dollars {
				return k, true
			}
			k += n
		case b == '\\' && !h.raw && !h.verbatim:
			k += 2
		case b == '\n' && !h.raw && !h.verbatim:
			return -1, false
		default:
			k++
		}
	}
	return -1, false
}

// blank skips blanks. Blanks before the brace that closes the code of a string are part of its token.
func (c *csharp) blank(i int) int {
	end := blanks(c.src, i)
	if n := len(c.holes); n > 0 && c.holes[n-1].brackets == 0 && at(c.src, end) == '}' {
		return c.close(i, end)
	}
	return end
}

// close reads the brace at k, with the blanks from i on, and continues the string.
func (c *csharp) close(i, k int) int {
	n := len(c.holes) - 1
	h := c.holes[n]
	if runOf(c.src, k, '}') < h.dollars {
		c.failed = true
		return k + 1
	}
	brace := string(c.src[k : k+h.dollars])
	if i < k {
		brace = " " + brace
	}
	k = c.put(i, k+h.dollars, keyword(brace))
	c.holes = c.holes[:n]
	return c.content(k, k, h)
}

// format reports whether a colon begins the format of a value. It counts the conditionals that colons belong to.
func (c *csharp) format() bool {
	n := len(c.holes) - 1
	if n < 0 || c.holes[n].brackets > 0 {
		return false
	}
	if h := &c.holes[n]; h.questions > 0 {
		h.questions--
		return false
	}
	return true
}

// formatted takes the format whose colon is at i.
func (c *csharp) formatted(i int) int {
	end := i + 1
	for end < len(c.src) && c.src[end] != '}' && c.src[end] != '"' {
		end++
	}
	return c.put(i, end, text)
}
