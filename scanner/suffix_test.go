package scanner_test

import (
	"context"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/suffix"
)

// A suffix array of each two files knows everything that they share. Comparing them by
// fingerprints loses no run of t tokens of it, and goes beyond no edge: what a match
// covers lies in runs that the suffix array knows.
func TestSuffixesAgreeWithTheMatcher(t *testing.T) {
	names := []string{
		"bytes/bytes.go", "strings/strings.go", "bytes/buffer.go", "strings/builder.go", "bytes/reader.go", "strings/reader.go", "sort/zsortfunc.go", "sort/zsortinterface.go",
		"slices/zsortanyfunc.go", "slices/zsortordered.go", "crypto/md5/md5.go", "crypto/sha1/sha1.go", "encoding/base32/base32.go", "encoding/base64/base64.go",
	}
	b := based(t, pack{stdPURL, "BSD-3-Clause", "2023-02-01", stdFiles(t, names...)})
	n := b.Params().T()
	s := scan(t, scanner.Options{Options: examine.Options{MinTokens: n, MinScore: 0.5}}, b)
	w := s.Comparing().NewWorker()
	defer w.Close()
	in, err := b.Info()
	if err != nil {
		t.Fatal(err)
	}
	runs, pairs := 0, 0
	for id := range baseline.DocID(in.Documents) {
		got, err := w.Compare(context.Background(), id, func(baseline.DocID) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(got.Ledger, func(e finding.Entry) bool {
			return e.Reason == finding.ReasonCommon || e.Reason == finding.ReasonRepetitive
		}) {
			continue
		}
		for other := range baseline.DocID(in.Documents) {
			if other == id {
				continue
			}
			var p examine.Pair
			for _, q := range got.Pairs {
				if q.Doc.ID == other {
					p = q
				}
			}
			ms, whole := suffix.Matches(valuesOf(t, b, id), valuesOf(t, b, other), n)
			if !whole {
				continue
			}
			pairs++
			short, whole := suffix.Matches(valuesOf(t, b, id), valuesOf(t, b, other), match.Defaults(b.Params().K).MinFit)
			if outside := beyond(p.Target, short, func(m suffix.Match) int { return m.A }) + beyond(p.Origin, short, func(m suffix.Match) int { return m.B }); whole && outside > 0 {
				t.Errorf("documents %d and %d: %d tokens of matches are not shared", id, other, outside)
			}
			for _, m := range ms {
				runs++
				if !within(p.Target, m.A, m.Len) || !within(p.Origin, m.B, m.Len) {
					t.Errorf("documents %d and %d: %+v is lost", id, other, m)
				}
			}
		}
	}
	if pairs < 60 || runs < 100 {
		t.Errorf("only %d pairs with %d runs: nothing was tested", pairs, runs)
	}
}

// beyond counts the tokens of intervals that lie in no match.
func beyond(is []match.Interval, ms []suffix.Match, at func(suffix.Match) int) (n int) {
	for _, v := range is {
		for i := v.From; i < v.To; i++ {
			if !slices.ContainsFunc(ms, func(m suffix.Match) bool { return at(m) <= i && i < at(m)+m.Len }) {
				n++
			}
		}
	}
	return n
}

func within(is []match.Interval, from, n int) bool {
	return slices.ContainsFunc(is, func(v match.Interval) bool { return v.From <= from && from+n <= v.To })
}

func valuesOf(t *testing.T, b *baseline.Baseline, id baseline.DocID) []uint64 {
	t.Helper()
	d, err := b.Doc(id)
	if err != nil {
		t.Fatal(err)
	}
	toks, _, err := b.Tokens(d)
	if err != nil {
		t.Fatal(err)
	}
	return baseline.Values(nil, lang.ByName(d.Language), toks)
}
