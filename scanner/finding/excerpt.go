package finding

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Limits of the text that a report shows of one side of a finding. A whole vendored file would double the report, and nobody
// reads it there.
const (
	maxExcerptLines = 400
	maxExcerptBytes = 64 << 10
)

// NewExcerpt returns the lines of a text from first to last, both 1-based.
func NewExcerpt(text []byte, first, last int) Excerpt {
	e := Excerpt{StartLine: first, Lines: []string{}}
	text = behindLines(text, first-1)
	size, end, lines := 0, 0, last-first+1
	for n := range lines {
		line, _, _ := bytes.Cut(text[end:], []byte{'\n'})
		if size += len(line); size > maxExcerptBytes || n == maxExcerptLines {
			lines, e.Truncated = n, true
			break
		}
		end = min(end+len(line)+1, len(text))
	}
	rest := string(text[:end]) // one copy for all lines
	for range lines {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		e.Lines = append(e.Lines, strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), string(utf8.RuneError)))
	}
	return e
}

// behindLines returns the text after its first n lines.
func behindLines(text []byte, n int) []byte {
	const stride = 4 << 10
	for len(text) > stride { // to count is faster than to cut
		breaks := bytes.Count(text[:stride], []byte{'\n'})
		if breaks >= n {
			break
		}
		text, n = text[stride:], n-breaks
	}
	for range n {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	return text
}
