package likeness

import "bytes"

// wordText distinguishes a word of a text from tokens.
const wordText = 0x7465_7874

// wordPart is the weight of a word of a text, against that of a token. Texts have many words, and an exercise prescribes some.
const wordPart = 0.5

// wordsUpTo is how many tokens the shorter program may have for words to count.
const wordsUpTo = 800

// text adds the words of a string, which count besides the string as a whole: in a copy with another wording, or other names of files,
// most words remain. A word is a run of letters and digits, with the letter of an escape. A text of several lines is left out. It is
// documentation or data, whose many words would outweigh the code.
func (o *Outline) text(s []byte) {
	if bytes.IndexByte(s, '\n') >= 0 {
		return
	}
	from := 0
	for at := 0; at <= len(s); at++ {
		if at < len(s) && isWord(s[at]) {
			continue
		}
		if at > from {
			o.words = append(o.words, mix(wordText, s[from:at]))
		}
		from = at + 1
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// singleShared returns the part of the single tokens, and of the words of texts, that two programs have in common. In long programs
// single tokens hardly count, so there the words are not compared.
func singleShared(a, b *unit) float64 {
	if min(a.tokens, b.tokens) > wordsUpTo {
		return a.single.shared(&b.single)
	}
	shared := a.single.common(&b.single) + wordPart*a.words.common(&b.words)
	return part(shared, a.single.total+wordPart*a.words.total, b.single.total+wordPart*b.words.total)
}
