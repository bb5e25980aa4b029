package escape

import "unicode/utf8"

// MaxInline bounds a text from outside within a line, in characters. It is longer than any path that a person reads,
// and short enough that a hostile text does not fill a page.
const MaxInline = 240

// Clip shortens a text to at most n characters.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(s[cut:])
		cut += size
	}
	return s[:cut] + "…"
}

// ClipBytes shortens a text to at most n bytes and cuts no character.
func ClipBytes(s string, n int) string {
	const mark = "…"
	if len(s) <= n {
		return s
	}
	n = max(0, n-len(mark))
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}
