package finding

import "unicode/utf8"

// LineStarts returns the offsets at which the lines of a text begin.
func LineStarts(text []byte) []int {
	out := []int{0}
	for i, b := range text {
		if b == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// Offset converts a line and a column, in code points from 1, to an offset.
func Offset(text []byte, lines []int, line, column int) int {
	switch {
	case line < 1:
		return 0
	case line > len(lines):
		return len(text)
	}
	at := lines[line-1]
	for range column - 1 {
		if at >= len(text) || text[at] == '\n' {
			break
		}
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}
