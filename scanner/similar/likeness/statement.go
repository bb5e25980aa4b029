package likeness

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang"
)

// wordType represents the keywords of types: int or long, let or const.
const wordType = wordsEnd

// linesPerEnd recognises a language whose statements end with the line: fewer than one line in linesPerEnd ends with a
// semicolon.
const linesPerEnd = 8

// statements lists the statements of a file, each as one number. The number is the sum of
// its tokens' meanings, so neither their order nor parentheses count. All loop keywords have one meaning, and so have all assignment operators. A
// statement ends at a semicolon, at a brace, and, if the file has few semicolons, with its line outside of parentheses.
// Masked tokens and imports are left out.
func statements(src []byte, toks []lang.Token, masked []bool) (out []uint64) {
	byLine := endsByLine(src, toks)
	sum, size, open, end := uint64(0), 0, 0, uint32(0)
	var outer []int // open parentheses around each block; of code in a string, their complement
	flush := func() {
		if size > 0 {
			out = append(out, sum)
		}
		sum, size = 0, 0
	}
	for i, t := range toks {
		if t.Flags&lang.FlagImport != 0 {
			continue
		}
		if byLine && open == 0 && newLine(src, end, t) || i > 0 && lang.Ends(src, toks, i-1) {
			flush()
		}
		end = t.End
		switch s := src[t.Start:t.End]; string(s) {
		case "{":
			outer, open = append(outer, open), 0
			flush()
			continue
		case "${": // code in a string, which is part of the statement
			outer, open = append(outer, ^open), open+1
			continue
		case "}":
			if open = 0; len(outer) > 0 {
				outer, open = outer[:len(outer)-1], outer[len(outer)-1]
			}
			if open < 0 {
				open = ^open
				continue
			}
			flush()
			continue
		case ";":
			flush()
			continue
		case "(":
			open++
			continue
		case ")":
			open = max(0, open-1)
			continue
		}
		if masked == nil || !masked[i] {
			sum, size = sum+scattered(meaning(src, t)), size+1
		}
	}
	flush()
	return out
}

// endsByLine reports whether statements of a file end with their lines.
func endsByLine(src []byte, toks []lang.Token) bool {
	lines, ends := 1, 0
	for i, t := range toks {
		if i > 0 && newLine(src, toks[i-1].End, t) {
			lines++
		}
		if bytes.HasPrefix(src[t.Start:t.End], []byte{';'}) || lang.Ends(src, toks, i) {
			ends++
		}
	}
	return ends*linesPerEnd < lines
}

// newLine reports whether a line begins between the end of a token and the next.
func newLine(src []byte, end uint32, next lang.Token) bool {
	return end < next.Start && bytes.IndexByte(src[end:next.Start], '\n') >= 0
}

// meaning returns a number for a token with the content of its string or number. Keywords of one meaning have one
// number.
func meaning(src []byte, t lang.Token) uint32 {
	text := src[t.Start:t.End]
	switch t.Class {
	case lang.String, lang.Number:
		return mix(t.Kind, text)
	case lang.Keyword:
		s := string(text)
		if w := keyword(s); w != 0 {
			return w
		}
		if typeWords[s] && s != "]" && s != ">" {
			return wordType
		}
	}
	return t.Kind
}

// keyword returns the word of structure for a keyword or sign; 0 for none.
func keyword(s string) uint32 {
	if w := control[s]; w != 0 {
		return w
	}
	if n := len(s); n > 1 && s[n-1] == '=' {
		return wordAssign // +=, <<= and the like: comparisons are in the table
	}
	return 0
}

// scattered spreads a word over 64 bits, so that sums of different sets of words differ.
func scattered(w uint32) uint64 {
	h := (uint64(w) + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
