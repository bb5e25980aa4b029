package derived

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// An alignment goes on as long as that gains more than it loses. But a name that differs costs more bits than gain, so an alignment that
// runs on into the code around a copied function may lack bits that the function alone has.

// cutWeak cuts alignments that have too few bits for a finding to the function that they are in, if that part has enough. The default
// threshold decides, so a higher one only shortens the list.
func (se *Search) cutWeak(ps []evidence.Proof, judged []score.Evidence) error {
	for i, ev := range judged {
		if !ps[i].Derived || se.above(ev) >= 0 {
			continue
		}
		runs, err := se.inFunction(ps[i])
		if err != nil {
			return err
		}
		if n := (match.Match{Runs: runs}).Tokens(); n == ps[i].Tokens() || n < se.text.Rules.Params.T() {
			continue
		}
		p := ps[i]
		p.Set(runs)
		part, err := se.judgeAll(nil, []evidence.Proof{p})
		if err != nil {
			return err
		}
		if se.above(part[0]) >= 0 {
			ps[i], judged[i] = p, part[0]
		}
	}
	return nil
}

// above returns the bits of an alignment above those that a finding needs by default.
func (se *Search) above(ev score.Evidence) float64 {
	return ev.Bits - se.text.NeededBy(ev, score.Enough)
}

// inFunction returns the runs of an alignment within the pair of functions around the middle of its longest run.
func (se *Search) inFunction(p evidence.Proof) (runs []match.Run, err error) {
	longest := p.Runs[0]
	for _, r := range p.Runs {
		if r.Len > longest.Len {
			longest = r
		}
	}
	t, o, err := se.sharedFunction(p, int(longest.Target+longest.Len/2), int(longest.Origin+longest.Len/2))
	if err != nil {
		return nil, err
	}
	for _, r := range p.Runs {
		skip := max(0, t.From-int(r.Target), o.From-int(r.Origin))
		end := min(int(r.Len), t.To-int(r.Target), o.To-int(r.Origin))
		if skip < end {
			runs = append(runs, match.Run{Target: r.Target + uint32(skip), Origin: r.Origin + uint32(skip), Len: uint32(end - skip)})
		}
	}
	return runs, nil
}
