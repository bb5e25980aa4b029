package lex

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// lexeme is what a spelling becomes.
type lexeme struct {
	kind  uint32
	class token.Class
}

// merged is the lexeme of all tokens of a class.
func merged(c token.Class) lexeme { return lexeme{c.Kind(), c} }

// keyword is the lexeme of a spelling that is its own identity.
func keyword(text string) lexeme { return lexeme{token.Kind(text), token.Keyword} }

// kinds is a set of spellings.
func kinds(spellings string) map[uint32]bool {
	set := map[uint32]bool{}
	for s := range strings.FieldsSeq(spellings) {
		set[token.Kind(s)] = true
	}
	return set
}

var (
	identifier = merged(token.Identifier)
	number     = merged(token.Number)
	text       = merged(token.String)
	boolean    = merged(token.Bool)
	null       = merged(token.Null)
)

// out appends the tokens of one document.
type out struct {
	tokens []token.Token
	flags  token.Flags // of the tokens to come
}

// add appends the token from i to end.
func (o *out) add(i, end int, l lexeme) {
	o.tokens = append(o.tokens, token.Token{Start: uint32(i), End: uint32(end), Kind: l.kind, Class: l.class, Flags: o.flags})
}

// ---- characters

// What a byte can be; the sets a language needs are or-ed.
const (
	letter uint8 = 1 << iota // also the underscore
	digit
	dollar
	blank // up to U+0020, and the delete character
	hex   // a to f, as the digits of hexadecimal numbers
)

var chars = func() (t [256]uint8) {
	for c := range 256 {
		switch lower := c | 0x20; {
		case 'a' <= lower && lower <= 'z' && c < utf8.RuneSelf, c == '_':
			t[c] = letter
			if 'a' <= lower && lower <= 'f' {
				t[c] |= hex
			}
		case '0' <= c && c <= '9':
			t[c] = digit | hex
		case c == '$':
			t[c] = dollar
		case c <= ' ' || c == 0x7f:
			t[c] = blank
		}
	}
	return t
}()

// wordEnd is where the run of letters, digits and what else set holds ends that
// starts at i; i itself when none does. It says nothing on the first character.
func wordEnd(src []byte, i int, set uint8) int {
	for i < len(src) {
		c := src[i]
		if chars[c]&set != 0 {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		n := wordRune(src[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// wordRune is the length of the character beyond ASCII that s starts with, 0 if
// that is part of no word.
func wordRune(s []byte) int {
	r, n := utf8.DecodeRune(s)
	if unicode.In(r, unicode.L, unicode.Nd, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Start, unicode.Other_ID_Continue) {
		return n
	}
	return 0
}

// strange takes what no token starts with: what is not to be seen is passed
// over, any other character is a token of its own. It returns where to go on.
func (o *out) strange(src []byte, i int) int {
	r, n := utf8.DecodeRune(src[i:])
	if r == utf8.RuneError && n == 1 || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return i + n
	}
	o.add(i, i+n, keyword(string(src[i:i+n])))
	return i + n
}

// at is the byte at i, 0 outside.
func at(src []byte, i int) byte {
	if uint(i) < uint(len(src)) {
		return src[i]
	}
	return 0
}

// has says whether text stands at i.
func has(src []byte, i int, text string) bool {
	return len(src)-i >= len(text) && string(src[i:i+len(text)]) == text
}

// ---- what stands between tokens, and quotes

// lineEnd is where the line ends that holds i: its line feed, or the end.
func lineEnd(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// after is the place behind the next mark from i on; the end, and false, if there is none.
func after(src []byte, i int, mark string) (int, bool) {
	if n := bytes.Index(src[i:], []byte(mark)); n >= 0 {
		return i + n + len(mark), true
	}
	return len(src), false
}

// quoteEnd is the place behind the quote that closes the one at i, on the same
// line but for escaped line feeds. One that is never closed ends with its line.
func quoteEnd(src []byte, i int) (int, bool) {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1, true
		case '\n':
			return i, false
		case '\\':
			i++
			if has(src, i, "\r\n") {
				i++
			}
		}
	}
	return len(src), false
}

// longQuoteEnd is where the string ends whose quote stands at i, over lines: at the
// next one with no backslash before it.
func longQuoteEnd(src []byte, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		}
	}
	return len(src)
}

// ---- spellings

// Words tells keywords from names: a table without collisions, so that one
// comparison decides. What is not in it is an identifier.
type Words struct {
	slots [2048]uint8 // 1 + the index of the word, 0 for none
	list  []spelling
	mul   uint64
	max   int
	fold  bool // case means nothing
}

type spelling struct {
	text string
	lexeme
}

// newWords is the table of keywords, and of words that stand for something else.
func newWords(keywords string, others map[string]lexeme) *Words {
	var all []spelling
	for _, k := range strings.Fields(keywords) {
		all = append(all, spelling{k, keyword(k)})
	}
	for k, l := range others {
		all = append(all, spelling{k, l})
	}
	// Two dozen tries do for a hundred words: in 512 slots it took a hundred
	// thousand. Words alike in length and in their first and last four bytes
	// would never part.
	for mul := uint64(0x9e3779b97f4a7c15); mul != 0x9e3779b97f4a7c15+1<<20; mul += 2 {
		if w := (&Words{mul: mul, list: all}); w.fill() {
			return w
		}
	}
	panic("lex: no table without collisions for " + keywords)
}

// folded makes case mean nothing. Its words have at most 16 bytes.
func (w *Words) folded() *Words {
	w.fold = true
	return w
}

// fill puts every word into a slot of its own, and fails where two meet.
func (w *Words) fill() bool {
	for i, s := range w.list {
		w.max = max(w.max, len(s.text))
		slot := &w.slots[w.slot([]byte(s.text))]
		if *slot != 0 || i >= 255 {
			return false
		}
		*slot = uint8(i + 1)
	}
	return true
}

// slot is the place of a word, by its length and its first and last four bytes.
func (w *Words) slot(word []byte) uint64 {
	n := len(word)
	var h uint64
	if n >= 4 {
		h = uint64(binary.LittleEndian.Uint32(word)) | uint64(binary.LittleEndian.Uint32(word[n-4:]))<<32
	} else {
		h = uint64(word[0]) | uint64(word[n/2])<<8 | uint64(word[n-1])<<16
	}
	return (h + uint64(n)) * w.mul >> 53
}

// of is the lexeme of a word.
func (w *Words) of(word []byte) lexeme {
	if len(word) > w.max {
		return identifier
	}
	if w.fold {
		var lower [16]byte
		word = lower[:copy(lower[:], word)]
		for i, c := range word {
			if 'A' <= c && c <= 'Z' {
				word[i] = c | 0x20
			}
		}
	}
	if i := w.slots[w.slot(word)]; i != 0 && w.list[i-1].text == string(word) {
		return w.list[i-1].lexeme
	}
	return identifier
}

// Settle gives the tokens of src that are spelled like a word of the table, but
// were taken for names, what the table has for them. A grammar takes a keyword
// for a name wherever it does not expect the keyword, or sees both readings.
func (w *Words) Settle(tokens []token.Token, src []byte) {
	for i := range tokens {
		if t := &tokens[i]; t.Class == token.Identifier {
			l := w.of(src[t.Start:t.End])
			t.Kind, t.Class = l.kind, l.class
		}
	}
}

// operators finds the longest operator of up to four bytes at a place.
type operators [128][]operator

type operator struct {
	text, mask uint32 // the bytes as a little endian number, and which of them count
	n          int
	lexeme
}

// newOperators is the table of what is spelled with signs, separated by blanks.
func newOperators(signs string) *operators {
	var t operators
	for n := 4; n > 0; n-- {
		for _, s := range strings.Fields(signs) {
			if len(s) == n {
				var b [4]byte
				copy(b[:], s)
				o := operator{binary.LittleEndian.Uint32(b[:]), uint32(1<<(8*n) - 1), n, keyword(s)}
				t[s[0]] = append(t[s[0]], o)
			}
		}
	}
	return &t
}

// at is the longest operator at i, nil if there is none.
func (t *operators) at(src []byte, i int) *operator {
	c := src[i]
	if c >= utf8.RuneSelf {
		return nil
	}
	candidates := t[c]
	var have uint32
	if i+4 <= len(src) {
		have = binary.LittleEndian.Uint32(src[i:])
	} else {
		var b [4]byte
		copy(b[:], src[i:])
		have = binary.LittleEndian.Uint32(b[:])
	}
	for k := range candidates {
		if o := &candidates[k]; have&o.mask == o.text {
			return o
		}
	}
	return nil
}

// plainNumber is where the number of Go or Java ends that starts at i with a digit
// or a point, but for the letter that may follow it.
func plainNumber(src []byte, i int) int {
	digits, exponent := digit, byte('e')
	if src[i] == '0' {
		switch at(src, i+1) | 0x20 {
		case 'x':
			i, digits, exponent = i+2, hex, 'p'
		case 'b', 'o':
			i += 2
		}
	}
	end := numberPart(src, i, digits)
	if at(src, end) == '.' {
		end = numberPart(src, end+1, digits)
	}
	return exponentEnd(src, end, exponent)
}

// numberPart is where a run of digits and underscores ends that starts at i.
func numberPart(src []byte, i int, digits uint8) int {
	for i < len(src) && (chars[src[i]]&digits != 0 || src[i] == '_') {
		i++
	}
	return i
}

// exponentEnd is where the exponent ends that starts at i with that letter, of
// either case; i itself if none does.
func exponentEnd(src []byte, i int, letter byte) int {
	if at(src, i)|0x20 != letter {
		return i
	}
	to := i + 1
	if c := at(src, to); c == '+' || c == '-' {
		to++
	}
	if chars[at(src, to)]&digit == 0 {
		return i
	}
	return numberPart(src, to, digit)
}
