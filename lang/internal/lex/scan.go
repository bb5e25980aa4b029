package lex

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// lexeme is the kind and class of a spelling.
type lexeme struct {
	kind  uint32
	class token.Class
}

// merged returns the one lexeme of all tokens of a class.
func merged(c token.Class) lexeme { return lexeme{c.Kind(), c} }

// keyword returns the lexeme of a spelling that is its own identity.
func keyword(text string) lexeme { return lexeme{token.Kind(text), token.Keyword} }

// kinds returns a set of spellings.
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
	first  int         // index of the document's first token
	flags  token.Flags // of the next tokens
}

// add appends the token from i to end.
func (o *out) add(i, end int, l lexeme) {
	o.tokens = append(o.tokens, token.Token{Start: uint32(i), End: uint32(end), Kind: l.kind, Class: l.class, Flags: o.flags})
}

// last returns the kind of the last token, 0 if there is none.
func (o *out) last() uint32 { return o.back(1) }

// back returns the kind of the n-th token from the end.
func (o *out) back(n int) uint32 {
	if len(o.tokens)-n < o.first {
		return 0
	}
	return o.tokens[len(o.tokens)-n].Kind
}

// ---- characters

// Classes of bytes; the sets that a language needs are or-ed.
const (
	letter uint8 = 1 << iota // also the underscore
	digit
	dollar
	blank // up to U+0020, and the delete character
	hex   // a to f, the letters of hexadecimal digits
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

// wordEnd returns the end of the run at i of letters, digits and the bytes of set, or i if there is none. It does not
// check the first character.
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

// wordRune returns the length of the character beyond ASCII that s starts with, 0 if it is not part of a word.
func wordRune(s []byte) int {
	r, n := utf8.DecodeRune(s)
	if unicode.In(r, unicode.L, unicode.Nd, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Start, unicode.Other_ID_Continue) {
		return n
	}
	return 0
}

// strange reads a character that starts no token. Invisible characters are skipped; any other is a token of its own. It
// returns where to continue.
func (o *out) strange(src []byte, i int) int {
	r, n := utf8.DecodeRune(src[i:])
	if r == utf8.RuneError && n == 1 || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return i + n
	}
	o.add(i, i+n, keyword(string(src[i:i+n])))
	return i + n
}

// start returns the index after a byte order mark, if the text has one.
func start(src []byte) int {
	if has(src, 0, "\ufeff") {
		return len("\ufeff")
	}
	return 0
}

// at returns the byte at i, 0 outside of src.
func at(src []byte, i int) byte {
	if uint(i) < uint(len(src)) {
		return src[i]
	}
	return 0
}

// has reports whether text is at i.
func has(src []byte, i int, text string) bool {
	return len(src)-i >= len(text) && string(src[i:i+len(text)]) == text
}

// ---- text between tokens, and quotes

// lineEnd returns the end of the line at i: its line feed, or the end of src.
func lineEnd(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// commentEnd returns the end of the comment at i, which may contain others, as in Kotlin and Swift.
func commentEnd(src []byte, i int) int {
	depth := 1
	for i += 2; i < len(src); i++ {
		switch {
		case src[i] == '*' && at(src, i+1) == '/':
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		case src[i] == '/' && at(src, i+1) == '*':
			i++
			depth++
		}
	}
	return len(src)
}

// after returns the index after the next mark from i on; the end, and false, if there is none.
func after(src []byte, i int, mark string) (int, bool) {
	if n := bytes.Index(src[i:], []byte(mark)); n >= 0 {
		return i + n + len(mark), true
	}
	return len(src), false
}

// quoteEnd returns the index after the quote that closes the one at i, on the same line except for escaped line feeds.
// An unclosed string ends with its line.
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

// longQuoteEnd returns the end of the string whose quote is at i, which may span lines: the next quote without a
// backslash before it.
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

// Words distinguishes keywords from names. It is a table without collisions, so that one comparison decides. A word
// that is not in it is an identifier.
type Words struct {
	slots [2048]uint8 // 1 + the index of the word, 0 for an empty slot
	list  []spelling
	mul   uint64
	max   int
	fold  bool // ignore case
	// If it is set, a name that begins with such a character is an operator: Settle makes it a keyword.
	sign func([]byte) (int, bool)
}

type spelling struct {
	text string
	lexeme
}

// newWords returns the table of keywords, and of words with another meaning.
func newWords(keywords string, others map[string]lexeme) *Words {
	var all []spelling
	for _, k := range strings.Fields(keywords) {
		all = append(all, spelling{k, keyword(k)})
	}
	for k, l := range others {
		all = append(all, spelling{k, l})
	}
	// Two dozen tries suffice for a hundred words; with 512 slots it took a hundred thousand. Words with equal length
	// and equal first and last four bytes would always collide.
	w := &Words{list: all}
	for w.mul = 0x9e3779b97f4a7c15; w.mul != 0x9e3779b97f4a7c15+1<<20; w.mul += 2 {
		if w.fill() {
			return w
		}
		clear(w.slots[:])
	}
	panic("lex: no table without collisions for " + keywords)
}

// folded makes the table ignore case. Its words have at most 16 bytes.
func (w *Words) folded() *Words {
	w.fold = true
	return w
}

// signed sets which characters begin an operator.
func (w *Words) signed(sign func([]byte) (int, bool)) *Words {
	w.sign = sign
	return w
}

// fill puts every word into a slot of its own. It fails if two words collide.
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

// slot returns the slot of a word, by its length and its first and last four bytes.
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

// of returns the lexeme of a word.
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

// Settle corrects tokens of src that were read as names but are spelled like a word of the table. A grammar reads a
// keyword as a name wherever it does not expect the keyword, or sees both readings.
func (w *Words) Settle(tokens []token.Token, src []byte) {
	for i := range tokens {
		if t := &tokens[i]; t.Class == token.Identifier {
			l := w.settled(src[t.Start:t.End])
			t.Kind, t.Class = l.kind, l.class
		}
	}
}

func (w *Words) settled(word []byte) lexeme {
	if w.sign != nil {
		if _, ok := w.sign(word); ok {
			return keyword(string(word))
		}
	}
	return w.of(word)
}

// operators finds the longest operator of up to four bytes at an index.
type operators [128][]operator

type operator struct {
	text, mask uint32 // the bytes as a little endian number, and a mask of the bytes that count
	n          int
	lexeme
}

// newOperators returns the table of operators, which are separated by blanks.
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

// at returns the longest operator at i, nil if there is none.
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

// plainNumber returns the end of a Go or Java number at i, which starts with a digit or a point, without the letter
// that may follow it.
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

// numberPart returns the end of the run of digits and underscores at i.
func numberPart(src []byte, i int, digits uint8) int {
	for i < len(src) && (chars[src[i]]&digits != 0 || src[i] == '_') {
		i++
	}
	return i
}

// digitRun returns the end of the run of digits at i, with single underscores between them.
func digitRun(src []byte, i int, digits uint8) int {
	for from := i; chars[at(src, i)]&digits != 0 || i > from && at(src, i) == '_' && chars[at(src, i+1)]&digits != 0; i++ {
	}
	return i
}

// exponentEnd returns the end of the exponent at i with that letter, of either case, or i if there is none.
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
