package store

import "bytes"

// guesser guesses the spans of tokens from the text. A word, a number, a string or an operator mostly begins right
// after blanks and comments. So the file stores only the spans of a document that a guesser gets wrong. Each change to
// its guesses is a new version of the format.
//
// It guesses from the end of one token. The next token begins after blanks, line breaks and the kinds of comments that
// the document has. Its end depends on its first byte:
//
//	letter, _ or above 0x7f  a word: as many such bytes and digits as follow
//	digit                    a number: letters, digits and _; a point before a digit; a sign
//	                         after e, E, p or P and before a digit, but for e of 0x
//	quote (" ' `)            a string: up to the same quote, a backslash taking what follows it
//	                         along. Three quotes at once end at three. If " and ' are not closed
//	                         on their line, the quote alone is the token
//	other                    the longest of operators that stands there, else one byte
//
// It learns from each wrong guess, within a block. The wrong token may have been its first byte and a word, or a string
// as above, or neither. Then the next token with this first byte is guessed alike, if it is no letter and no digit. For
// operators it learns their length, by their first three bytes.
type guesser struct {
	text     []byte
	comments uint8       // bits of the openers that begin a comment
	unclosed int         // bytes read in vain after quotes
	wasted   int         // the same at tokens that were guessed wrong; only the writer guesses these
	begins   [256]begins // what each byte begins
	learnt   bool
	lengths  [1 << 9]uint8 // of operators, by their first three bytes; 0 if none was learnt
}

// begins is the kind of token that a byte begins.
type begins uint8

const (
	aByte       begins = iota // a token of one byte
	aWord                     // letters and digits
	byteAndWord               // one byte, and the letters and digits after it
	aNumber
	aString
	anOperator // of one byte or more
)

// openers begin comments; closers end them.
var (
	openers = [...]string{"//", "/*", "#", "--", ";"}
	closers = [...]string{"\n", "*/", "\n", "\n", "\n"}
)

// operators are guessed as one token. Longer ones come first.
var operators = [...]string{
	"<<=", ">>=", "===", "!==", "...", "**=", "&&=", "||=", "??=", "..=", "<=>",
	"==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "::", ":=", "=>", "<-", "<<", ">>", "**", "//", "??", "?.", "..", "[]",
}

// Kinds of bytes.
const (
	isOther = iota
	isBlank
	isLetter
	isDigit
	isQuote
)

var kindOfByte = func() (out [256]uint8) {
	for c := range out {
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			out[c] = isBlank
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			out[c] = isLetter
		case c >= '0' && c <= '9':
			out[c] = isDigit
		case c == '"' || c == '\'' || c == '`':
			out[c] = isQuote
		}
	}
	return out
}()

// atFirst is the state of begins before anything was learnt.
var atFirst = func() (out [256]begins) {
	for c, k := range kindOfByte {
		out[c] = [...]begins{isOther: aByte, isBlank: aByte, isLetter: aWord, isDigit: aNumber, isQuote: aString}[k]
	}
	for _, o := range operators {
		out[o[0]] = anOperator
	}
	return out
}()

// inWord says whether a word can contain a byte.
var inWord = func() (out [256]bool) {
	for c, k := range kindOfByte {
		out[c] = k == isLetter || k == isDigit
	}
	return out
}()

// opensComment has the bits of the openers that begin with a byte.
var opensComment = func() (out [256]uint8) {
	for i, o := range openers {
		out[o[0]] |= 1 << i
	}
	return out
}()

// beginsOperator has the operators that begin with a byte, longest first.
var beginsOperator = func() (out [256][]string) {
	for _, o := range operators {
		out[o[0]] = append(out[o[0]], o)
	}
	return out
}()

// start returns where the next token begins, searching from at.
func (g *guesser) start(at int) int {
	for at < len(g.text) {
		c := g.text[at]
		if kindOfByte[c] == isBlank {
			at++
			continue
		}
		if opensComment[c]&g.comments == 0 {
			break
		}
		end := g.comment(at)
		if end == at {
			break
		}
		at = end
	}
	return at
}

// comment returns the end of a comment that begins at the given byte, or the same byte if there is none.
func (g *guesser) comment(at int) int {
	rest := g.text[at:]
	for i, o := range openers {
		if g.comments>>i&1 == 0 || !bytes.HasPrefix(rest, []byte(o)) {
			continue
		}
		n := bytes.Index(rest[len(o):], []byte(closers[i]))
		switch {
		case n < 0:
			return len(g.text)
		case closers[i] == "\n":
			return at + len(o) + n // the line break counts as a blank
		}
		return at + len(o) + n + len(closers[i])
	}
	return at
}

// end returns the end of the token that begins at start.
func (g *guesser) end(start int) int {
	if start >= len(g.text) {
		return start
	}
	switch g.begins[g.text[start]] {
	case aWord, byteAndWord:
		return g.word(start + 1)
	case aNumber:
		return g.number(start)
	case aString:
		return g.quote(start)
	case anOperator:
		return g.operator(start)
	}
	return start + 1
}

// endsAt reports whether the end of a token is guessed right. If not, the guesser is as before, since the reader never guesses that
// token.
func (g *guesser) endsAt(start, end int) bool {
	if g.wasted > mostUnclosed && start < len(g.text) && g.begins[g.text[start]] == aString {
		return false
	}
	before := g.unclosed
	if g.end(start) == end {
		return true
	}
	g.wasted += g.unclosed - before
	g.unclosed = before
	return false
}

func (g *guesser) operator(start int) int {
	if g.learnt {
		if n := g.lengths[g.slot(start)]; n > 0 {
			return min(start+int(n), len(g.text))
		}
	}
	if start+1 == len(g.text) || kindOfByte[g.text[start+1]] != isOther {
		return start + 1
	}
	for _, o := range beginsOperator[g.text[start]] {
		if rest := g.text[start:]; len(rest) >= len(o) && string(rest[:len(o)]) == o {
			return start + len(o)
		}
	}
	return start + 1
}

// word returns the end of the letters and digits from at.
func (g *guesser) word(at int) int {
	for at < len(g.text) && inWord[g.text[at]] {
		at++
	}
	return at
}

func (g *guesser) number(start int) int {
	at := start
	for at = g.word(at); at < len(g.text)-1 && kindOfByte[g.text[at+1]] == isDigit; at = g.word(at + 1) {
		switch c, before := g.text[at], g.text[at-1]|0x20; {
		case c == '.':
		case (c == '+' || c == '-') && (before == 'p' || before == 'e' && !bytes.HasPrefix(g.text[start:], []byte("0x"))):
		default:
			return at
		}
	}
	return at
}

// mostUnclosed bounds the bytes of a block read after quotes that nothing closes, since each such search could go to
// the end of the text. Beyond it, a quote is a token by itself.
const mostUnclosed = 1 << 16

// quote returns the end of the token that begins with a quote.
func (g *guesser) quote(start int) int {
	if g.unclosed > mostUnclosed {
		return start + 1
	}
	q := g.text[start]
	if start+2 < len(g.text) && g.text[start+1] == q && g.text[start+2] == q {
		if n := bytes.Index(g.text[start+3:], g.text[start:start+3]); n >= 0 {
			return start + 3 + n + 3
		}
		g.unclosed += len(g.text) - start
	}
	at := start + 1
	for ; at < len(g.text); at++ {
		switch c := g.text[at]; {
		case c == q:
			return at + 1
		case c == '\\':
			at++
		case c == '\n' && q != '`':
			g.unclosed += at - start
			return start + 1
		}
	}
	g.unclosed += at - start
	return start + 1
}

// slot returns the index of an operator's length in lengths.
func (g *guesser) slot(start int) int {
	var b [3]byte
	for i := copy(b[:], g.text[start:]) - 1; i > 0; i-- { // words and blanks after the operator must not change the slot
		if kindOfByte[b[i]] != isOther {
			b[i] = 0
			if i == 1 {
				b[2] = 0
			}
		}
	}
	return int((uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16)*0x9e3779b1>>16) % len(g.lengths)
}

// learn records a token that was guessed wrong.
func (g *guesser) learn(start, end int) {
	if start < 0 || start >= end || end > len(g.text) {
		return
	}
	c := g.text[start]
	switch k := kindOfByte[c]; {
	case k == isLetter || k == isDigit || k == isBlank:
	case end > start+1 && g.word(start+1) == end:
		g.begins[c] = byteAndWord
	case end > start+1 && g.quote(start) == end:
		g.begins[c] = aString
	default:
		g.begins[c] = anOperator
		if n := end - start; n < 8 {
			g.lengths[g.slot(start)], g.learnt = uint8(n), true
		}
	}
}
