package filter

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// cover is a verified match that smaller ones can be part of: where it lies, small gaps
// closed, and how long it is.
type cover struct {
	spans  []match.Interval
	tokens int
}

// Cover notes a verified match with a document of others. Only what would be a finding by its shape alone counts: names
// may yet speak against the others.
func (f *Filter) Cover(m match.Match) {
	l := cover{tokens: m.Tokens()}
	shape := 0.0
	for _, r := range m.Runs {
		from, to := int(r.Target), int(r.TargetEnd())
		shape += f.rules.Weights.BoundOfKinds(f.text.Costs().UpperBound(from, to, func(uint32) bool { return false }))
		if n := len(l.spans); n > 0 && from-l.spans[n-1].To < f.rules.Params.K {
			l.spans[n-1].To = to
		} else {
			l.spans = append(l.spans, match.Interval{From: from, To: to})
		}
	}
	if shape >= f.text.Needed {
		f.covered = append(f.covered, l)
	}
}

// smallPart is how many times longer than what seeds can reach a match around
// them is, for the document to be an origin of a part of it at most. Less than
// four lets a lookalike stand for the original where edits hide most of its seeds.
const smallPart = 4

// inCovered tells whether what the seeds with a document can reach is a small
// part of a match already verified.
func (f *Filter) inCovered() bool {
	slack := f.rules.Params.W
	for _, l := range f.covered {
		if smallPart*match.Length(f.reach) > l.tokens {
			continue
		}
		if !slices.ContainsFunc(f.reach, func(r match.Interval) bool {
			return !slices.ContainsFunc(l.spans, func(s match.Interval) bool { return r.From >= s.From-slack && r.To <= s.To+slack })
		}) {
			return true
		}
	}
	return false
}
