package verdict

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// Allows returns the allow marks of a text. Quoted marks are left out: those in strings of code, and those in code blocks of
// Markdown.
func Allows(path string, l *lang.Language, text []byte, tokens []lang.Token) []attribution.Allow {
	if !attribution.HasAllow(text) {
		return nil
	}
	return attribution.Allows(text, false, quoted(path, l, text, tokens))
}

// quoted returns a function that reports whether all marks on a line are quoted.
func quoted(path string, l *lang.Language, text []byte, tokens []lang.Token) func(line int) bool {
	lines := bytes.Split(text, []byte("\n"))
	if l == lang.Words() {
		fenced := fences(path, lines)
		return func(line int) bool { return fenced[line-1] }
	}
	starts := make([]int, len(lines))
	for i := range lines[1:] {
		starts[i+1] = starts[i] + len(lines[i]) + 1
	}
	return func(line int) bool { return inStrings(tokens, lines[line-1], starts[line-1]) }
}

// inStrings reports whether all marks of a line are in strings. start is the offset of the line.
func inStrings(tokens []lang.Token, line []byte, start int) bool {
	mark := []byte(attribution.Mark)
	for at := 0; ; {
		i := bytes.Index(line[at:], mark)
		if i < 0 {
			return at > 0
		}
		if !inString(tokens, uint32(start+at+i)) {
			return false
		}
		at += i + len(mark)
	}
}

// inString reports whether a byte is in a string.
func inString(tokens []lang.Token, off uint32) bool {
	i, _ := slices.BinarySearchFunc(tokens, off, func(t lang.Token, off uint32) int {
		if t.End <= off {
			return -1
		}
		return 1
	})
	return i < len(tokens) && tokens[i].Start <= off && tokens[i].Class == lang.String
}

// fences reports which lines of a Markdown text are in fenced code blocks, as CommonMark defines them. In other texts no line is.
func fences(name string, lines [][]byte) []bool {
	fenced := make([]bool, len(lines))
	if !slices.Contains([]string{".md", ".markdown", ".mdown", ".mdx", ".mdc"}, strings.ToLower(path.Ext(name))) {
		return fenced
	}
	open := ""
	for i, l := range lines {
		s := strings.TrimLeft(string(l[:min(len(l), maxFence)]), " >\t")
		run := s[:len(s)-len(strings.TrimLeft(s, s[:min(1, len(s))]))]
		switch {
		case open == "" && len(run) >= 3 && (run[0] == '`' || run[0] == '~'):
			open = run
		case open != "" && strings.HasPrefix(run, open) && strings.TrimSpace(s[len(run):]) == "":
			open = ""
		default:
			fenced[i] = open != ""
		}
	}
	return fenced
}

// maxFence is how many bytes of a line are searched for a fence.
const maxFence = 256
