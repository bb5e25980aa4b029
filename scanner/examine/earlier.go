package examine

import (
	"context"
	"sort"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/changed"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
)

// shrunk limits how much shorter than its longest earlier version a text may be. Below this share the whole text is examined: a
// shorter text needs fewer bits for a finding, so an unchanged match may become one.
const shrunk = 0.875

// compareEarlier returns which tokens of a text an earlier version without a finding has too. It returns none if that version has
// another language, or if the text is much shorter than the longest version so far. longest is the number of tokens of the longest
// version, this one included.
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
