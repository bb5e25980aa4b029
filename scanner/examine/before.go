package examine

import (
	"context"
	"sort"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/changed"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// shrunk is the share of a longer version that a text must have to be compared with it. A shorter text is examined as a whole,
// because it needs fewer bits for a finding.
const shrunk = 0.875

// compare notes which tokens of the text are the same as in an earlier version in the same language that had no finding.
func (q *query) compare(ctx context.Context, b *Before) error {
	q.edited.Aligned, q.Longest = false, int64(len(q.Tokens))
	if b == nil || len(q.Tokens) == 0 || b.Language != q.Language.Name || float64(len(q.Tokens)) < shrunk*float64(b.Longest) {
		return nil
	}
	before, err := b.Read(ctx)
	if err != nil {
		return ctx.Err() // then all of the text is examined
	}
	at := 0
	note := func(to int) {
		if at < to {
			q.Same = append(q.Same, match.Interval{From: at, To: to})
		}
	}
	for _, r := range changed.Lines(before, q.Text) {
		first := sort.Search(len(q.Tokens), func(i int) bool { return q.LastLine(uint32(i)) >= r.First })
		behind := sort.Search(len(q.Tokens), func(i int) bool { return q.Line(uint32(i)) > r.Last })
		note(first)
		at = max(at, behind)
	}
	note(len(q.Tokens))
	q.edited.Aligned, q.Longest = b.Aligned, max(q.Longest, b.Longest)
	return nil
}
