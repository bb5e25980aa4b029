package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// code makes a code span of a text from outside. Texts from outside are only ever written like this. In a code span
// GitHub finds no mentions, references, addresses and emoji, and Markdown has no meaning.
func code(s string) string {
	s = escape.Clip(escape.Line(s), escape.MaxInline)
	if s == "" {
		return "(none)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " " // Markdown removes one blank at each end
	}
	return fence + s + fence
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	best, n := 0, 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		best = max(best, n)
	}
	return best
}

// lazily compiles a pattern at its first use. Classes of Unicode take a twelfth of the program's start time, and most
// runs write no Markdown.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// plainWord matches words that have no meaning in Markdown, HTML or GitHub.
var plainWord = lazily(`^\(?[\p{L}\p{N}]+(?:[-'./][\p{L}\p{N}]+)*%?\)?[.,;:!?]?$`)

// linkedWord matches plain words that GitHub turns into links: commit ids, web addresses without a scheme, references
// to issues.
var linkedWord = lazily(`(?i)[0-9a-f]{7}|(?:^|[^\p{L}\p{N}])(?:www\.|gh-)`)

// prose writes a sentence from outside: plain words as they are, runs of other words as code.
func prose(s string) string {
	var out, odd []string
	flush := func() {
		if len(odd) > 0 {
			out = append(out, code(strings.Join(odd, " ")))
			odd = nil
		}
	}
	for _, w := range strings.Fields(escape.Clip(escape.Line(s), escape.MaxInline)) {
		if !plainWord().MatchString(w) || linkedWord().MatchString(w) {
			odd = append(odd, w)
			continue
		}
		flush()
		out = append(out, w)
	}
	flush()
	return strings.Join(out, " ")
}

// link links a text that is already Markdown, if the address is valid.
func link(text, to string) string {
	if to = escape.Address(to); to == "" {
		return text
	}
	return "[" + text + "](<" + to + ">)"
}

// highlightName matches the language names that may follow a fence.
var highlightName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9+#-]{0,19}$`) })

// fence makes a fenced block of source lines. The fence is longer than any run of backticks in them, so that no line
// ends it.
func fence(lines []string, language string) string {
	if !highlightName().MatchString(language) {
		language = ""
	}
	longest := 2
	clean := make([]string, len(lines))
	for i, l := range lines {
		clean[i] = escape.Clip(escapeSource(l), escape.MaxInline)
		longest = max(longest, longestRun(clean[i], '`'))
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.Join(append(clean, fence), "\n") + "\n"
}

// escapeSource is escape.Line that keeps tabs.
func escapeSource(line string) string {
	parts := strings.Split(line, "\t")
	for i, p := range parts {
		parts[i] = escape.Line(p)
	}
	return strings.Join(parts, "\t")
}
