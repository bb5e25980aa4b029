package scanner

import "github.com/git-provenance/git-provenance/scanner/score"

// reasons tells in words why a finding has its score.
func (w *worker) reasons(st stream, f *Finding, ev score.Evidence) []string {
	ev.Bits = f.Bits // rounded, as it is told
	return w.s.weights.Reasons(score.Account{
		Evidence: ev, Support: f.Support, MinScore: w.s.o.MinScore, Tokens: f.Tokens, Runs: len(f.Runs), File: len(st.tokens),
		Baseline: w.s.tokens, Packages: f.PackageCount, Of: w.s.info.Packages, K: w.s.params.K,
	})
}
