package report

import (
	"bytes"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// A result written pair by pair is the document that is written whole.
func TestPairsAreWrittenAsOneDocument(t *testing.T) {
	for n := range 3 {
		r := &similar.Result{Schema: similar.Schema, Units: []similar.Unit{{Name: "\"pairs\": []\n<b>\x1b", Files: 1}}, Pairs: []similar.UnitPair{}, Groups: []similar.Group{}, Ledger: []finding.Entry{}}
		for range n {
			r.Pairs = append(r.Pairs, similar.UnitPair{A: "a\u202e&", B: "b", ShareA: 0.5, Files: []similar.Pair{{Tokens: 3, Matches: []similar.Match{{Tokens: 3, Runs: []finding.Run{{Tokens: 3}}}}}}})
		}
		var whole, parts bytes.Buffer
		if err := jsonform.Encode(&whole, r); err != nil {
			t.Fatal(err)
		}
		if err := pairsJSON(&parts, r); err != nil {
			t.Fatal(err)
		}
		if whole.String() != parts.String() {
			t.Errorf("%d pairs:\n%s\nwhole:\n%s", n, parts.String(), whole.String())
		}
	}
}
