package scanner

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Weighed is a finding and the readings that it was weighed by, for who fits weights.
type Weighed struct {
	Finding  Finding
	Readings score.Readings
	Document string // digest of the file of the first origin
	From, To int    // tokens of the document that the match spans
	Tokens   int    // of the target
	Baseline uint64 // tokens of all baselines
}

// weighed tells of a finding as it was weighed.
func (w *worker) weighed(st stream, f Finding, best proof) {
	r := score.Read(st.side(), match.Side{Text: best.doc.text, Tokens: best.doc.tokens}, best.Match, w.costsOf(&st))
	for i := range r.Runs {
		r.Runs[i].Tokens = slices.Clone(r.Runs[i].Tokens)
	}
	r.Directories = w.directories(best.Match)
	from, to := best.Match.Origin()
	w.s.o.Weighed(Weighed{f, r, best.doc.Hash.String(), int(from), int(to), len(st.tokens), w.s.tokens})
}
