package lex

// literal adds an operand that ends at end.
func (e *ecma) literal(end int, l lexeme) {
	e.add(e.i, end, l)
	e.i, e.side = end, had
}

// quoted reads a string. If its line does not end it, the grammar continues after the line feed.
func (e *ecma) quoted() {
	end, ok := quoteEnd(e.src, e.i)
	e.refuse = e.refuse || !ok
	e.literal(end, text)
}

func ecmaNumber(src []byte, i int) int {
	if src[i] == '0' {
		if end := basedNumber(src, i); end > 0 {
			return end
		}
	}
	end := i
	if src[i] != '.' {
		end = ecmaDigits(src, i, digit)
		if at(src, end) == 'n' {
			return end + 1
		}
		if src[i] == '0' && end > i+1 && (src[i+1] == '0' || src[i+1] == '_') {
			return end // 007 has no fraction
		}
	}
	if at(src, end) == '.' {
		end = ecmaDigits(src, end+1, digit)
	}
	if at(src, end)|0x20 != 'e' {
		return end
	}
	to := end + 1
	if c := at(src, to); c == '+' || c == '-' {
		to++
	}
	if chars[at(src, to)]&digit == 0 {
		return end
	}
	return ecmaDigits(src, to, digit)
}

// basedNumber returns the end of 0x1f, 0o17 or 0b11, 0 if none starts at i.
func basedNumber(src []byte, i int) int {
	var set uint8
	switch at(src, i+1) | 0x20 {
	case 'x':
		set = hex
	case 'o', 'b':
		set = digit
	default:
		return 0
	}
	end := ecmaDigits(src, i+2, set)
	switch {
	case end == i+2:
		return 0
	case at(src, end) == 'n':
		return end + 1
	}
	return end
}

// ecmaDigits returns the end of a run of digits with single underscores between them.
func ecmaDigits(src []byte, i int, set uint8) int {
	for from := i; ; i++ {
		c := at(src, i)
		if chars[c]&set == 0 && !(c == '_' && i > from && chars[at(src, i+1)]&set != 0 && src[i-1] != '_') {
			return i
		}
	}
}

// regex reads a regular expression. It refuses one that its line does not end: the grammar continues after line feeds.
func (e *ecma) regex() {
	class := false
	for i := e.i + 1; i < len(e.src) && e.src[i] != '\n'; i++ {
		switch e.src[i] {
		case '\\':
			if i++; at(e.src, i) == '\n' {
				i--
			}
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			for i++; i < len(e.src) && 'a' <= e.src[i] && e.src[i] <= 'z'; i++ {
			}
			e.literal(i, text)
			return
		}
	}
	e.refuse = true
}

// openTemplate reads a template up to its end or its first code.
func (e *ecma) openTemplate() {
	from := e.i
	end, ok := e.chunk(from + 1)
	if !ok {
		e.i += e.other()
		return
	}
	if e.src[end] == '`' {
		e.literal(end+1, text)
		return
	}
	e.add(from, end, text)
	e.substitute(end)
}

// inTemplate continues a template after code in it.
func (e *ecma) inTemplate(from int) {
	end, ok := e.chunk(from)
	switch {
	case !ok:
	case e.src[end] == '`':
		e.i, e.side = end+1, had
	default:
		e.substitute(end)
	}
}

func (e *ecma) substitute(i int) {
	e.i = i
	e.mark(2, ecmaSubst)
	e.push(template)
	e.side = wanted
}

// chunk returns the end of a template's text: at a back tick or "${"; false if it finds neither.
func (e *ecma) chunk(i int) (int, bool) {
	if e.noTick {
		return i, false
	}
	for ; i < len(e.src); i++ {
		switch e.src[i] {
		case '\\':
			i++
		case '`':
			return i, true
		case '$':
			if at(e.src, i+1) == '{' {
				return i, true
			}
		}
	}
	e.noTick = true
	return i, false
}
