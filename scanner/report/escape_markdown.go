package report

import (
	"net/url"
	"regexp"
	"strings"
)

// maxInline bounds a text from outside within a line: longer than any path a
// person reads, short enough that a hostile one does not fill a page.
const maxInline = 240

// mdCode makes a code span of a text from outside. GitHub looks for mentions,
// references, addresses and emoji everywhere but there, and Markdown reads
// nothing in it; so this is the one way in which such a text is written.
func mdCode(s string) string {
	s = clip(Escape(s), maxInline)
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

// plainWord matches words that mean nothing to Markdown, HTML or GitHub.
var plainWord = regexp.MustCompile(`^\(?[\p{L}\p{N}]+(?:[-'./][\p{L}\p{N}]+)*%?\)?[.,;:!?]?$`)

// linkedWord matches those among them that GitHub makes links of: commit ids,
// web addresses without a scheme, references to issues.
var linkedWord = regexp.MustCompile(`(?i)[0-9a-f]{7}|(?:^|[^\p{L}\p{N}])(?:www\.|gh-)`)

// mdText writes a sentence from outside: plain words as they are, runs of
// others as code.
func mdText(s string) string {
	var out, odd []string
	flush := func() {
		if len(odd) > 0 {
			out = append(out, mdCode(strings.Join(odd, " ")))
			odd = nil
		}
	}
	for _, w := range strings.Fields(clip(Escape(s), maxInline)) {
		if !plainWord.MatchString(w) || linkedWord.MatchString(w) {
			odd = append(odd, w)
			continue
		}
		flush()
		out = append(out, w)
	}
	flush()
	return strings.Join(out, " ")
}

// maxURL bounds addresses; browsers and servers refuse much longer ones.
const maxURL = 2000

// webURL returns an address that is safe to link to, percent-encoded; "" for
// anything but absolute http and https addresses without credentials.
func webURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || len(s) > maxURL || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	return percentEncode(u.String(), "%:/?#[]@!$&*+,;=-._~")
}

// percentEncode encodes every byte but ASCII letters, digits and those kept.
func percentEncode(s, keep string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(keep, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + string([]byte{digits[c>>4], digits[c&15]}))
		}
	}
	return b.String()
}

// mdLink links a text that is Markdown already, if there is where to.
func mdLink(text, to string) string {
	if to = webURL(to); to == "" {
		return text
	}
	return "[" + text + "](<" + to + ">)"
}

// highlightName matches what may stand behind a fence.
var highlightName = regexp.MustCompile(`^[a-z][a-z0-9+#-]{0,19}$`)

// mdFence makes a fenced block of lines of source. The fence is longer than any
// run of backticks inside, so that none ends it.
func mdFence(lines []string, language string) string {
	if !highlightName.MatchString(language) {
		language = ""
	}
	longest := 2
	clean := make([]string, len(lines))
	for i, l := range lines {
		clean[i] = clip(escapeSource(l), maxInline)
		longest = max(longest, longestRun(clean[i], '`'))
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.Join(append(clean, fence), "\n") + "\n"
}

// escapeSource is Escape that leaves tabs.
func escapeSource(line string) string {
	parts := strings.Split(line, "\t")
	for i, p := range parts {
		parts[i] = Escape(p)
	}
	return strings.Join(parts, "\t")
}
