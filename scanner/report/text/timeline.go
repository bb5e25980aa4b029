package text

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// maxTimeline bounds the lines of the timeline: one for each commit that changed a copied region.
const maxTimeline = 40

// timeline lists the commits that changed copied regions.
func (t *printer) timeline(fs []finding.Finding) {
	ms := words.Moments(fs)
	if len(ms) == 0 {
		return
	}
	fmt.Fprintln(t.w, t.paint(bold, "history"))
	for i, m := range ms {
		if n := len(ms); n > maxTimeline && !t.o.Verbose && i >= maxTimeline/2 && i < n-maxTimeline/2 {
			if i == maxTimeline/2 {
				fmt.Fprintf(t.w, "  … %s more%s\n", words.Plural(n-maxTimeline, "commit"), t.lists())
			}
			continue
		}
		fmt.Fprintf(t.w, "  %s  %s  %s: %s\n", words.Date(m.Commit.Time), escape.Line(words.Shorten(m.Commit.Commit)), escape.Line(words.Author(m.Commit.Author)), m.Words())
	}
	fmt.Fprintln(t.w)
}
