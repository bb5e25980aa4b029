// Package escape makes texts from outside safe to write: paths, package URLs, identifiers, licences, author names. No
// terminal, browser or reader mistakes its results for something else. It knows nothing of reports.
package escape

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Line makes a text from outside safe to print on one line of a terminal. It replaces control characters, line breaks,
// invisible characters, characters that change the writing direction, and bytes that are not UTF-8 by \x, \u and \U
// escapes. Printable characters stay as they are.
func Line(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + hex(s[0]))
		case Printable(r):
			b.WriteString(s[:n])
		default:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String()
}

func clean(s string) bool {
	for i, r := range s {
		if !Printable(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// Printable reports whether r is one of Unicode's letters, marks, numbers, punctuation, symbols, or the plain space. It
// excludes format characters (Cf), and with them all that change the writing direction.
func Printable(r rune) bool { return strconv.IsPrint(r) }

func hex(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}
