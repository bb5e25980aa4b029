// Package comment finds the comments at the head of a text, line by line, by the marks of all languages at once. It knows no
// language and no licence.
package comment

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/lang/marks"
)

// lineMarks open comments that end with their line, in any language.
var lineMarks = []string{"//", "#", "--", ";", "%", "*", `"`, "'", "!", "REM ", "dnl "}

// directive matches a line of the C preprocessor, which begins with the mark of other languages' comments. Most scans need none.
var directive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^#(?:include|if|ifdef|ifndef|define|undef|endif|else|elif|pragma|import|error|line)\b`)
})

// IsDirective reports whether a line is one of the C preprocessor.
func IsDirective(line []byte) bool { return directive().Match(line) }

// firstBytes are the bytes that blocks and line marks begin with.
const firstBytes = "/<\"'({-=#*;%!Rd"

// Runs calls fn with each run of comment lines in head and its start. It knows no language: a line counts if it
// begins with a mark of some language or is inside a block. So it includes some lines that are not comments; a caller
// has to expect them.
func Runs(head []byte, fn func(block []byte, start int)) {
	start, closer := -1, ""
	for pos := 0; pos < len(head); {
		end := pos + LineLen(head[pos:])
		line := bytes.TrimSpace(head[pos:end])
		var in bool
		in, closer = Line(line, closer)
		if in && start < 0 {
			start = pos
		}
		if !in && len(line) > 0 && start >= 0 {
			fn(head[start:pos], start)
			start = -1
		}
		pos = end
	}
	if start >= 0 {
		fn(head[start:], start)
	}
}

// LineLen returns the length of the first line of a text, with its end.
func LineLen(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// isLiteral reports whether a line is a string literal, as in a text over several lines that a program prints.
func isLiteral(line []byte) bool {
	quote := line[0]
	rest := bytes.TrimRight(line, ",;)+ ")
	return (quote == '"' || quote == '\'') && len(rest) > 1 && rest[len(rest)-1] == quote
}

// Line reports whether a trimmed line belongs to a comment. It also returns the closing mark of the block that
// the next line is in.
func Line(line []byte, closer string) (in bool, next string) {
	if closer != "" {
		if bytes.Contains(line, []byte(closer)) {
			return true, ""
		}
		return true, closer
	}
	if len(line) == 0 || strings.IndexByte(firstBytes, line[0]) < 0 {
		return false, ""
	}
	if IsDirective(line) {
		return false, ""
	}
	for _, b := range marks.Blocks {
		if !bytes.HasPrefix(line, []byte(b.Open)) {
			continue
		}
		if bytes.Contains(line[len(b.Open):], []byte(b.Close)) {
			return true, ""
		}
		return true, b.Close
	}
	for _, m := range lineMarks {
		if bytes.HasPrefix(line, []byte(m)) {
			return !isLiteral(line), ""
		}
	}
	return false, ""
}
