package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// code makes a code span of a text from outside. GitHub looks for mentions,
// references, addresses and emoji everywhere but there, and Markdown reads
// nothing in it; so this is the one way in which such a text is written.
func code(s string) string {
	s = escape.Clip(escape.Line(s), escape.MaxInline)
	if s == "" {
		return "(none)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " " // one of each is taken off again
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

// lazily compiles a pattern at its first use: classes of Unicode take a twelfth of what the
// program takes to start, and most runs write no Markdown.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// plainWord matches words that mean nothing to Markdown, HTML or GitHub.
var plainWord = lazily(`^\(?[\p{L}\p{N}]+(?:[-'./][\p{L}\p{N}]+)*%?\)?[.,;:!?]?$`)

// linkedWord matches those among them that GitHub makes links of: commit ids,
// web addresses without a scheme, references to issues.
var linkedWord = lazily(`(?i)[0-9a-f]{7}|(?:^|[^\p{L}\p{N}])(?:www\.|gh-)`)

// prose writes a sentence from outside: plain words as they are, runs of
// others as code.
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

// link links a text that is Markdown already, if there is where to.
func link(text, to string) string {
	if to = escape.Address(to); to == "" {
		return text
	}
	return "[" + text + "](<" + to + ">)"
}

// highlightName matches what may stand behind a fence.
var highlightName = regexp.MustCompile(`^[a-z][a-z0-9+#-]{0,19}$`)

// fence makes a fenced block of lines of source. The fence is longer than any
// run of backticks inside, so that none ends it.
func fence(lines []string, language string) string {
	if !highlightName.MatchString(language) {
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

// escapeSource is Escape that leaves tabs.
func escapeSource(line string) string {
	parts := strings.Split(line, "\t")
	for i, p := range parts {
		parts[i] = escape.Line(p)
	}
	return strings.Join(parts, "\t")
}
