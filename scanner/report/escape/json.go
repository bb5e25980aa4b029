package escape

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// JSON rewrites encoded JSON: the characters that Line escapes become \u escapes. So no terminal that shows it obeys a
// text in it. JSON has characters above ASCII only in strings, where an escape means the same.
func JSON(js []byte) []byte {
	if !slices.ContainsFunc(js, func(c byte) bool { return c >= 0x7f }) {
		return js
	}
	out := make([]byte, 0, len(js))
	for len(js) > 0 {
		plain := 0
		for plain < len(js) && js[plain] < 0x7f {
			plain++
		}
		if out, js = append(out, js[:plain]...), js[plain:]; len(js) == 0 {
			break
		}
		r, n := utf8.DecodeRune(js)
		if Printable(r) {
			out = append(out, js[:n]...)
		} else {
			out = appendUTF16(out, r)
		}
		js = js[n:]
	}
	return out
}

func appendUTF16(out []byte, r rune) []byte {
	if r < 0x10000 {
		return fmt.Appendf(out, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
