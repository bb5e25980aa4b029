package lex

import (
	"bytes"
	"unicode/utf8"
)

// rubyText is the text of a string: its quotes, and what it can contain.
type rubyText struct {
	open, close byte
	depth       int  // open quotes within it
	code        bool // code in "#{…}"
	flags       bool // letters follow the closing quote
	words       bool // it is a list of words, each a string
	within      bool // a word of the list
}

// rubyHeredoc is a heredoc whose body follows.
type rubyHeredoc struct {
	word     []byte
	indented bool // the word that ends it may be indented
	code     bool
	state    rubyState // after its beginning
}

// text reads the string at i, whose text begins at from.
func (r *ruby) text(i, from int, t rubyText) int {
	return r.content(r.put(i, from, text, rubyEnd), t, len(r.tokens)-1)
}

// content reads the text of a string from i on, up to its end or the next code in braces. The token with that index is
// the string, or -1 if it has ended before code.
func (r *ruby) content(i int, t rubyText, token int) int {
	for ; i < len(r.src) && !r.refuse; i++ {
		c := r.src[i]
		if t.words && t.within == (chars[c]&blank != 0 || c == t.close && t.depth == 0) {
			if t.within = !t.within; t.within {
				r.refuse = r.refuse || c == '\\' // the grammar takes it for a part of the word before
				token = len(r.tokens)
				r.put(i, i, text, rubyEnd)
			} else {
				token = r.stop(token, i)
			}
		}
		switch {
		case c == t.close && t.depth == 0:
			return r.closed(i, t, token)
		case c == t.close:
			t.depth--
		case c == t.open:
			t.depth++
		case c == '\\':
			i = rubyEscape(r.src, i, t.code)
		case c == '#' && t.code && at(r.src, i+1) == '{':
			r.stop(token, i)
			rest := t // on the heap only for strings with code
			r.open = append(r.open, rubyBracket{close: '}', text: &rest})
			return r.put(i, i+2, rubyHole, rubyBegin)
		case c == '#' && t.code:
			if end := r.short(i); end > i {
				token = r.stop(token, i+1)
				i = r.put(i+1, end, identifier, rubyEnd) - 1
			}
		case c == '\n' && len(r.heredocs) > 0:
			r.refuse = true // only the grammar knows where the body begins
		}
	}
	r.refuse = true // it never ends
	return len(r.src)
}

// stop ends the string token with that index at i, where code begins. It returns -1, no token.
func (r *ruby) stop(token, i int) int {
	switch {
	case token < 0:
	case int(r.tokens[token].Start) == i:
		r.tokens = r.tokens[:token]
	default:
		r.tokens[token].End = uint32(i)
	}
	return -1
}

// closed ends a string after the quote at i.
func (r *ruby) closed(i int, t rubyText, token int) int {
	if t.words {
		return r.put(i, i+1, rubyClose, rubyEnd)
	}
	end := i + 1
	for t.flags && 'a' <= at(r.src, end) && at(r.src, end) <= 'z' {
		end++
	}
	r.stop(token, end)
	r.state = rubyEnd
	return end
}

// rubyEscape returns the index of the last byte of the escape at i.
func rubyEscape(src []byte, i int, code bool) int {
	if code && has(src, i, `\u{`) {
		if end := bracedEnd(src, i+2); end > i+2 {
			return end - 1
		}
	}
	return i + 1
}

// bracedEnd returns the end of the hexadecimal digits and blanks in braces at i, or i if the braces hold anything else.
func bracedEnd(src []byte, i int) int {
	end := i + 1
	for chars[at(src, end)]&hex != 0 || at(src, end) == ' ' {
		end++
	}
	if at(src, end) == '}' {
		return end + 1
	}
	return i
}

// short returns the end of the variable after the "#" at i, or i if there is none.
func (r *ruby) short(i int) int {
	if c := at(r.src, i+1); c == '@' || c == '$' {
		if end := rubyVariableEnd(r.src, i+1); end > i+1 && (at(r.src, i+2) != '-' || chars[at(r.src, i+3)]&letter != 0) {
			return end
		}
	}
	return i
}

// ---- literals that begin with a percent sign

// rubyPercent returns the literal at i and the index of its text, or i if there is none.
func rubyPercent(src []byte, i int) (rubyText, int) {
	t, from := rubyText{code: true}, i+1
	switch at(src, from) {
	case 'q', 's':
		t.code = false
	case 'w', 'i':
		t.code, t.words = false, true
	case 'W', 'I':
		t.words = true
	case 'r':
		t.flags = true
	case 'Q', 'x':
	default:
		from--
	}
	from++
	c := at(src, from)
	t.open, t.close = c, c
	switch {
	case c < utf8.RuneSelf && rubyClosing[c] != 0:
		t.close = rubyClosing[c]
	case c == 0 || bytes.IndexByte([]byte(`|!#/\@$%^&*)]}>+-~`+"`"+`,.?:;_"'`), c) < 0:
		return t, i
	}
	return t, from + 1
}

// percent reads the literal at i, whose text begins at from.
func (r *ruby) percent(i, from int, t rubyText) int {
	switch {
	case !t.words:
		return r.text(i, from, t)
	case r.src[i+1]|0x20 == 'w':
		r.put(i, from, rubyWordList, rubyEnd)
	default:
		r.put(i, from, rubySymbolList, rubyEnd)
	}
	return r.content(from, t, -1)
}

// ---- symbols and characters

// rubySymbol returns the end of the symbol at i, which is not quoted, or i if there is none.
func rubySymbol(src []byte, i int) int {
	end := i + 1
	switch at(src, end) {
	case '@':
		end++
		if at(src, end) == '@' {
			end++
		}
	case '$':
		end++
	}
	if !inRubyWord(src, end) {
		if end >= len(src) || rubyMethods.at(src, end) == nil {
			return i
		}
		end += rubyMethods.at(src, end).n
	}
	for inRubyWord(src, end) {
		end++
	}
	if c := at(src, end); c == '?' || c == '!' {
		end++
	}
	if at(src, end) == '=' && at(src, end+1) != '>' {
		end++
	}
	return end
}

func inRubyWord(src []byte, i int) bool {
	c := at(src, i)
	return chars[c]&(letter|digit) != 0 || c >= utf8.RuneSelf
}

// rubyCharacter returns the end of the character at i, or i if there is none.
func rubyCharacter(src []byte, i int) int {
	c := at(src, i+1)
	if c == 0 || chars[c]&blank != 0 {
		return i
	}
	if c != '\\' {
		_, n := utf8.DecodeRune(src[i+1:])
		return i + 1 + n
	}
	switch c := at(src, i+2); {
	case c == 0 || chars[c]&blank != 0:
		return i + 2
	case at(src, i+3) == '{':
		if end := bracedEnd(src, i+3); end > i+3 {
			return end
		}
	case at(src, i+3) == '-' && chars[at(src, i+4)]&blank == 0:
		return i + 5
	}
	_, n := utf8.DecodeRune(src[i+2:])
	end := i + 2 + n
	for chars[at(src, end)]&hex != 0 {
		end++
	}
	return end
}

// ---- heredocs

// rubyHeredocAt returns the heredoc that begins at i and where its beginning ends, or i if there is none.
func rubyHeredocAt(src []byte, i int) (rubyHeredoc, int) {
	if !has(src, i, "<<") {
		return rubyHeredoc{}, i
	}
	h, from := rubyHeredoc{code: true}, i+2
	if c := at(src, from); c == '-' || c == '~' {
		h.indented = true
		from++
	}
	switch c := at(src, from); {
	case c == '"' || c == '\'' || c == '`':
		n := bytes.IndexByte(src[from+1:], c)
		if n <= 0 {
			return h, i
		}
		h.word, h.code = src[from+1:from+1+n], c != '\''
		return h, from + n + 2
	case chars[c]&letter == 0:
		return h, i
	}
	end := asciiEnd(src, from)
	h.word = src[from:end]
	return h, end
}

// heredoc reads the beginning of a heredoc. The grammar cannot have one within the code of a string.
func (r *ruby) heredoc(i, end int, h rubyHeredoc) int {
	for _, b := range r.open {
		r.refuse = r.refuse || b.text != nil || b.heredoc != nil
	}
	r.heredocs = append(r.heredocs, h)
	return r.put(i, end, text, rubyEnd)
}

// body reads the body of a heredoc from i on, up to its end or the next code in braces. It keeps the state of the code
// before it.
func (r *ruby) body(i int, h rubyHeredoc) int {
	matched, ends := 0, true // how much of the word is read, and whether it would be the end
	for {
		if matched == len(h.word) {
			to := i
			for at(r.src, to) == ' ' || at(r.src, to) == '\t' {
				to++
			}
			if c := at(r.src, to); c == '\n' || c == '\r' || to == len(r.src) {
				return i
			}
			i, matched = to, 0
		}
		if i >= len(r.src) {
			r.refuse = true // it never ends
			return i
		}
		c := r.src[i]
		if ends && c == h.word[matched] {
			i, matched = i+1, matched+1
			continue
		}
		matched, ends = 0, false
		switch {
		case c == '\\' && h.code:
			i, ends = rubyEscape(r.src, i, true)+1, true
		case c == '#' && h.code && at(r.src, i+1) == '{':
			return r.hole(i, h)
		case c == '#' && h.code && ended(r.src, i) && (at(r.src, i+1) == '\\' || at(r.src, i+1) == '#'):
			r.refuse = true // a comment to the grammar
			return i
		case c == '#' && h.code:
			state := r.state
			if end := r.short(i); end > i {
				i, ends = r.put(i+1, end, identifier, state), true
			} else {
				i++
			}
		case c == '\n':
			i, ends = rubyIndent(r.src, i+1, h.indented)
		default:
			i++
		}
	}
}

// ended reports whether code or an escape may end at i.
func ended(src []byte, i int) bool { return at(src, i-1) == '}' || at(src, i-2) == '\\' }

// hole opens the code at i in the body of a heredoc.
func (r *ruby) hole(i int, h rubyHeredoc) int {
	h.state = r.state
	r.open = append(r.open, rubyBracket{close: '}', heredoc: &h})
	return r.put(i, i+2, rubyHole, rubyBegin)
}

// rubyIndent returns the index after the blanks at i, and whether the word that ends a heredoc can stand there.
func rubyIndent(src []byte, i int, indented bool) (int, bool) {
	from := i
	for at(src, i) == ' ' || at(src, i) == '\t' {
		i++
	}
	return i, indented || i == from
}
