package score

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// TestSupportOfAnotherPart: a match supports those that have no token of it, neither of the text nor of the document. The same
// lines beside another part of the document are no second evidence: a call that the document has twice would support itself.
func TestSupportOfAnotherPart(t *testing.T) {
	at := func(target, origin uint32) Judged {
		return Judged{Match: match.Match{Runs: []match.Run{{Target: target, Origin: origin, Len: 50}}}, Evidence: Evidence{Bits: 80}}
	}
	for _, c := range []struct {
		name string
		of   Judged
		want float64
	}{
		{"another part of both", at(200, 300), 80},
		{"right behind it in both", at(150, 250), 80},
		{"the same lines beside another part of the document", at(100, 300), 0},
		{"lines that overlap it", at(149, 300), 0},
		{"the same part of the document again", at(200, 200), 0},
	} {
		strong := make(Supports[string])
		strong.Add("document", at(100, 200), 60)
		strong.Add("document", c.of, 60)
		strong.Sort()
		if got := strong.Support("document", c.of); got != c.want {
			t.Errorf("%s: %v bits of support, want %v", c.name, got, c.want)
		}
	}
}
