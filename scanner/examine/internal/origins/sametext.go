package origins

import (
	"bytes"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// sameText reports whether file b has the text that a shares with the target: most of its stretches of 20 tokens, names and
// values included. If all names of the target are new, files of one package that follow one pattern match the target alike.
func sameText(a, b evidence.Proof) (bool, error) {
	if a.Doc.Key == b.Doc.Key {
		return true, nil
	}
	if err := region.ReadBoth(a, b); err != nil {
		return false, err
	}
	equal, all := 0, 0
	for _, r := range a.Runs {
		all += max(0, int(r.Len)-sameStretch+1)
	}
	for _, c := range match.InBoth(a.Runs, b.Runs) {
		same := 0
		for i := range c.Len {
			if same++; !bytes.Equal(a.Doc.TextAt(c.A+i), b.Doc.TextAt(c.B+i)) {
				same = 0
			}
			if same >= sameStretch {
				equal++
			}
		}
	}
	return 5*equal >= 3*all, nil
}

// sameStretch is how many consecutive tokens with equal values show the same text.
const sameStretch = 20
