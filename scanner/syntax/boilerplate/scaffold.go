package boilerplate

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/lang"
)

// scaffoldLines are the lines of the tests that Angular's command writes for each component and service; _ stands for a name or a
// literal that it fills in. docs/bench/scaffolds.sh makes the list from the templates that Angular's makers publish.
//
//go:embed scaffolds.txt
var scaffoldLines string

// scaffoldMark is in every such test: it imports what the lines call.
const scaffoldMark = "@angular/core/testing"

// leastScaffold is how many lines of the templates in a row are taken to be the command's.
const leastScaffold = 3

// filledIn stands in a line for what the command fills in.
const filledIn = "_"

// scaffolds holds the lines by their first token, the longest first, without semicolons, which are no tokens. A line of one token that
// may be anything is none.
var scaffolds = sync.OnceValue(func() map[string][][]string {
	out := make(map[string][][]string)
	for line := range strings.Lines(scaffoldLines) {
		if words := slices.DeleteFunc(strings.Fields(line), func(w string) bool { return w == ";" }); len(words) > 1 || len(words) == 1 && words[0] == "]" {
			out[words[0]] = append(out[words[0]], words)
		}
	}
	for _, lines := range out {
		slices.SortFunc(lines, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
})

// scaffold finds lines that Angular's command wrote, from token i on: the user's own stand between them.
func (r *reader) scaffold(i int) (Span, bool) {
	lines, at := 0, i
	for {
		n := r.scaffoldLine(at)
		if n == 0 {
			break
		}
		lines, at = lines+1, at+n
	}
	if lines < leastScaffold {
		return Span{}, false
	}
	return Span{From: i, To: at, Tool: "Angular's command"}, true
}

// scaffoldLine returns how many tokens the longest line has that begins at token i, or 0.
func (r *reader) scaffoldLine(i int) int {
	all := scaffolds()
	for _, first := range []string{string(r.word(i)), filledIn} {
		for _, line := range all[first] {
			if r.fits(i, line) {
				return len(line)
			}
		}
	}
	return 0
}

// fits reports whether the tokens from i on are a line.
func (r *reader) fits(i int, line []string) bool {
	if i+len(line) > len(r.toks) {
		return false
	}
	for n, w := range line {
		if string(r.word(i+n)) != w && (w != filledIn || r.toks[i+n].Class != lang.Identifier && r.toks[i+n].Class != lang.String) {
			return false
		}
	}
	return true
}

// hasScaffold reports whether a text may have lines that Angular's command wrote.
func hasScaffold(text []byte) bool { return bytes.Contains(text, []byte(scaffoldMark)) }
