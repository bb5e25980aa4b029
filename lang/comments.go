package lang

import (
	"bytes"
	"unicode/utf8"
)

// Comment is the text between two tokens without white space. It ends at a blank line before another comment. In Python
// it can also be a string in triple quotes over several lines, which documents code.
type Comment struct {
	At     int  // the token after it, or the string itself
	Quoted bool // it is a string
	From   int  // its words are Words[From:To]
	To     int
}

// Comments are the comments of a text that have enough words. A word is a run of letters, digits and underscores. Its
// kind is its text without case.
type Comments struct {
	Words []Token
	List  []Comment // in the order of the text
}

// wordBytes is the least number of bytes of a word and the space after it.
const wordBytes = 2

// Read reads the comments of text[from:] that have at least least words. It reuses the memory of the comments read
// before. toks are the tokens there.
func (c *Comments) Read(text []byte, from int, toks []Token, least int) {
	c.Words, c.List = c.Words[:0], c.List[:0]
	room, at := roomOf(least), from
	for i, t := range toks {
		c.before(text, at, t, i, least)
		at = int(t.End)
	}
	if len(text)-at >= room {
		c.between(text, at, len(text), len(toks), least)
	}
}

// CommentWords returns the words of all comments of a text.
func CommentWords(text []byte, toks []Token) []Token {
	var c Comments
	c.Read(text, 0, toks, 1)
	return c.Words
}

// ReadAt reads the comments right before some tokens, which ascend, and the strings among these tokens. Text after the
// last token counts as before it.
func (c *Comments) ReadAt(text []byte, toks *BlockStream, at []int, least int) {
	c.Words, c.List = c.Words[:0], c.List[:0]
	for _, i := range at {
		from := 0
		if i > 0 {
			from = int(toks.Span(uint32(i - 1)).End)
		}
		t := toks.At(uint32(i))
		c.before(text, from, t, i, least)
		if end := int(t.End); i == toks.Len()-1 && len(text)-end >= roomOf(least) {
			c.between(text, end, len(text), toks.Len(), least)
		}
	}
}

// roomOf returns the least number of bytes of that many words.
func roomOf(words int) int { return wordBytes*words - 1 }

// before reads the comments between byte from and token i, and the token itself if it documents.
func (c *Comments) before(text []byte, from int, t Token, i, least int) {
	room := roomOf(least)
	if int(t.Start)-from >= room {
		c.between(text, from, int(t.Start), i, least)
	}
	if t.Class == String && int(t.End-t.Start) >= room && documents(text[t.Start:t.End]) {
		c.add(text, int(t.Start), int(t.End), Comment{At: i, Quoted: true}, least)
	}
}

// documents reports whether a string is documentation.
func documents(s []byte) bool {
	s = bytes.TrimLeft(s, "rRuUbB")
	return bytes.HasPrefix(s, []byte(`"""`)) || bytes.HasPrefix(s, []byte(`'''`))
}

// between divides the text between two tokens: a licence does not belong to the code that is documented after it.
func (c *Comments) between(text []byte, from, to, at, least int) {
	begin, blank := from, false
	for line := from; line < to; {
		end := to
		if n := bytes.IndexByte(text[line:to], '\n'); n >= 0 {
			end = line + n + 1
		}
		rest := bytes.TrimLeft(text[line:end], " \t\r\n")
		if blank && startsComment(rest) {
			c.add(text, begin, line, Comment{At: at}, least)
			begin = line
		}
		blank, line = len(rest) == 0 && line > from, end
	}
	c.add(text, begin, to, Comment{At: at}, least)
}

// startsComment reports whether a comment begins with a line.
func startsComment(line []byte) bool {
	for _, mark := range [...]string{"//", "/*", "#", "--", "<!--", "(*", "%", ";"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

func (c *Comments) add(text []byte, from, to int, of Comment, least int) {
	of.From = len(c.Words)
	for i := from; i < to; {
		end := i
		for end < to {
			if b := text[end]; b < utf8.RuneSelf {
				if !wordByte[b] {
					break
				}
				end++
				continue
			}
			r, n := utf8.DecodeRune(text[end:])
			if !isWordRune(r) {
				break
			}
			end += n
		}
		if end == i && text[i] < utf8.RuneSelf { // nearly always
			i++
			continue
		}
		if end == i {
			_, n := runeAt(text, i)
			i += n
			continue
		}
		c.Words = append(c.Words, Token{Start: uint32(i), End: uint32(end), Kind: WordKind(text[i:end]), Class: Word})
		i = end
	}
	if of.To = len(c.Words); of.To-of.From < least {
		c.Words = c.Words[:of.From]
		return
	}
	c.List = append(c.List, of)
}

// wordByte has the ASCII bytes of words.
var wordByte = func() (is [utf8.RuneSelf]bool) {
	for b := range is {
		is[b] = isWordRune(rune(b))
	}
	return is
}()

// WordKind returns the kind of a word of a comment: the hash of its text without ASCII case.
func WordKind(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
