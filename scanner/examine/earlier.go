package examine

import (
	"context"
	"sort"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/changed"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
)

// shrunk is the share of a longer version that a text must have to be compared with it. A shorter text is examined as a whole,
// because it needs fewer bits for a finding.
const shrunk = 0.875

// compareEarlier returns which tokens of a text are the same as in an earlier version in the same language that had no finding. longest is
// the number of tokens of the longest version in which they were examined, this one included.
func compareEarlier(ctx context.Context, st *Stream, b *Earlier) (e text.Earlier, longest int64, err error) {
	longest = int64(len(st.Tokens))
	if b == nil || len(st.Tokens) == 0 || b.Language != st.Language.Name || float64(len(st.Tokens)) < shrunk*float64(b.Longest) {
		return e, longest, nil
	}
	before, err := b.Read(ctx)
	if err != nil {
		return e, longest, ctx.Err() // then all of the text is examined
	}
	at := 0
	note := func(to int) {
		if at < to {
			e.Same = append(e.Same, match.Interval{From: at, To: to})
		}
	}
	for _, r := range changed.Lines(lang.Text(st.Path, before), st.Text) {
		first := sort.Search(len(st.Tokens), func(i int) bool { return st.LastLine(uint32(i)) >= r.First })
		behind := sort.Search(len(st.Tokens), func(i int) bool { return st.Line(uint32(i)) > r.Last })
		note(first)
		at = max(at, behind)
	}
	note(len(st.Tokens))
	e.Aligned = b.Aligned
	return e, max(longest, b.Longest), nil
}
