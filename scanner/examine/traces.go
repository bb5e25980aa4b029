package examine

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

// looseLines is how many lines at either end can belong to a match by accident:
// they come and go with what stands next to the region.
const looseLines = 3

// trace is what the region of tokens from up to to is known by in the next version of the file.
func (s Stream) trace(from, to uint32) trace.Trace {
	starts := slices.DeleteFunc(s.lineStarts(from, to), func(i int) bool { return i > edge })
	ends := slices.DeleteFunc(s.lineEnds(from, to), func(i int) bool { return int(to-from)-i > edge })
	return trace.Of(s.Text, s.Tokens[from:to], starts, ends)
}

// signature is what the region that runs share with a document is known by in older contents.
func (s Stream) signature(d *doc, runs []match.Run) *trace.Signature {
	var sig trace.Signature
	for _, r := range runs {
		if r.Len >= trace.Gram {
			sig.Add(int(r.Len), trace.Contents(nil, s.Text, s.Tokens[r.Target:r.Target+r.Len]), trace.Contents(nil, d.text, d.tokens.Slice(r.Origin, r.Origin+r.Len)))
		}
	}
	return &sig
}

// lineStarts lists the offsets of the first tokens of the first lines.
func (s Stream) lineStarts(from, to uint32) []int {
	at := []int{0}
	for i := from + 1; i < to && len(at) <= looseLines; i++ {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// lineEnds lists the offsets behind the last tokens of the last lines.
func (s Stream) lineEnds(from, to uint32) []int {
	at := []int{int(to - from)}
	for i := to - 1; i > from && len(at) <= looseLines; i-- {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}
