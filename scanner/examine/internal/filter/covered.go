package filter

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// cover is a verified match that smaller matches can be part of: its target tokens with small gaps closed, and its length.
type cover struct {
	spans  []match.Interval
	tokens int
}

// Cover records a verified match with another package. It counts only if the token kinds alone have enough bits for a finding,
// because names may still rule it out.
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

// smallPart is how many times longer a verified match must be than the tokens that seeds can reach, for their document to be
// ignored. Below four, a lookalike could hide the original if edits removed most of its seeds.
const smallPart = 4

// inCovered reports whether the tokens that the seeds can reach are a small part of a verified match.
func (f *Filter) inCovered() bool {
	if len(f.covered) == 0 {
		return false
	}
	slack, length := f.rules.Params.W, match.Length(f.reach)+f.unseen()
	for _, l := range f.covered {
		if smallPart*length > l.tokens {
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

// unseen counts tokens next to those that the seeds can reach. A run may go on there without a seed, because the fingerprints of
// these tokens repeat too often to be followed.
func (f *Filter) unseen() (n int) {
	slack := f.rules.Params.W
	for _, v := range f.text.Repeats {
		if slices.ContainsFunc(f.reach, func(r match.Interval) bool { return r.From <= v.To+slack && v.From <= r.To+slack }) {
			n += v.To - v.From
		}
	}
	return n
}
