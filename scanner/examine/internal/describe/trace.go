package describe

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// looseLines is how many lines at either end can belong to a match by accident. They change with the code next to the region.
const looseLines = 3

// traceOf returns the trace of the tokens [from, to), by which the next version of the file is searched for the region.
func traceOf(s *text.Stream, from, to uint32) trace.Trace {
	starts := slices.DeleteFunc(lineStarts(s, from, to), func(i int) bool { return i > evidence.Margin })
	ends := slices.DeleteFunc(lineEnds(s, from, to), func(i int) bool { return int(to-from)-i > evidence.Margin })
	return trace.Of(s.Text, s.Tokens[from:to], starts, ends)
}

// signatureOf returns the signature of a region, by which older contents are searched for it. Runs are cut at literals that
// differ, which may have changed at any time. If less than half of the region's tokens remain, the signature is empty: the date of
// a few lines is not that of the region.
func signatureOf(s *text.Stream, d *documents.Document, runs []match.Run) *trace.Signature {
	var sig trace.Signature
	all := 0
	for _, r := range runs {
		n := int(r.Len)
		if all += n; n < trace.GramLength {
			continue
		}
		here, there := s.Tokens[r.Target:r.Target+r.Len], d.Stream.AppendTokens(nil, r.Origin, r.Origin+r.Len)
		for at := 0; at < n; {
			end := at
			for end < n && !otherLiteral(s.Text, here[end], d.Text(), there[end]) {
				end++
			}
			if end-at >= trace.GramLength {
				sig.Add(sig.Side(s.Text, here[at:end]), sig.Side(d.Text(), there[at:end]))
			}
			at = end + 1
		}
	}
	if 2*sig.Tokens < all {
		return &trace.Signature{}
	}
	return &sig
}

// signatureOfWords returns the signature of a run of words of a comment, nil if findings are not dated.
func (d *Describer) signatureOfWords(words []lang.Token) *trace.Signature {
	if !d.drafter.settings.Dates {
		return nil
	}
	sig := &trace.Signature{Comments: true}
	sig.Add(sig.Side(d.text.Text, words))
	return sig
}

// otherLiteral reports whether two tokens of a run are literals with different texts.
func otherLiteral(text []byte, t lang.Token, origin []byte, o lang.Token) bool {
	return (t.Class == lang.String || t.Class == lang.Number) && string(text[t.Start:t.End]) != string(origin[o.Start:o.End])
}

// lineStarts lists the offsets of the first tokens of the first lines.
func lineStarts(s *text.Stream, from, to uint32) []int {
	at := []int{0}
	for i := from + 1; i < to && len(at) <= looseLines; i++ {
		if s.Begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// lineEnds lists the offsets after the last tokens of the last lines.
func lineEnds(s *text.Stream, from, to uint32) []int {
	at := []int{int(to - from)}
	for i := to - 1; i > from && len(at) <= looseLines; i-- {
		if s.Begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}
