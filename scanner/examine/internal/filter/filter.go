// Package filter decides which proposals of the look-up can become a finding. A proposal is the seeds that a text and one document
// have in common. The filter computes upper bounds for the tokens and bits of every match that contains these seeds, without
// loading the document. A proposal that it rejects cannot be a finding, whatever the document contains. The bounds, the cheapest
// first:
//
//	unchanged      an earlier version of the text had all of the seeds, and was examined
//	tokens         of the longest run around the seeds
//	covered        a longer match around the seeds is already verified
//	alone, enough  bits, as if the document had all names of the text
//	named          bits, with the names that the document has
package filter

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Rules are the settings that all texts share.
type Rules struct {
	Params  fingerprint.Params
	Match   match.Params
	Least   int // tokens of the shortest match that is judged
	Weights *score.Weights
	Names   func(lookup.Key) (store.NameSet, error) // of a document
}

// Text is the text whose proposals are filtered.
type Text struct {
	Tokens int
	Hits   *lookup.Hits
	Needed float64             // bits of a finding
	Costs  func() *score.Costs // asked for at the first need
	// Unchanged are tokens that an earlier version of the text has too, which came to no finding (text.Target)
	Unchanged []match.Interval
}

// Filter filters the proposals of one text after the other. Not safe for concurrent use.
type Filter struct {
	rules   Rules
	text    Text
	covered []cover

	// of one proposal
	reach  []match.Interval // tokens that the seeds can be part of
	apart  []match.Interval // the groups that are long enough, one after the other
	groups []group

	followed []match.Seed // seeds of groups that are not unchanged
	some     []match.Seed // room for them

	alone  []int8 // by token, whether a seed there is enough alone: 2 it is, 1 it is not, 0 not known
	near   match.Nearness
	bounds []score.Bound
}

// New prepares to filter the proposals of texts.
func New(r Rules) *Filter { return &Filter{rules: r} }

// LeastSeeds returns the least number of seeds of a proposal (Rules.LeastSeeds).
func (f *Filter) LeastSeeds() int { return f.rules.LeastSeeds() }

// Begin turns to another text.
func (f *Filter) Begin(t Text) {
	f.text, f.covered = t, f.covered[:0]
	f.alone = slices.Grow(f.alone[:0], t.Tokens)[:t.Tokens]
	clear(f.alone)
}

// LeastSeeds is how many seeds it takes to reach as far as a finding has to: a single seed
// can be part of a run of 2(w-1)+k tokens, see match.Stretches.
func (r Rules) LeastSeeds() int { return (r.Least-1)/(2*(r.Params.W-1)+r.Params.K) + 1 }

// Answer says whether a proposal can become a finding.
type Answer int

// Answers.
const (
	Possible  Answer = iota // a finding
	Unchanged               // what an earlier version of the text had, and came to none
	TooShort                // no match of the least length
	Covered                 // a small part of a match that was verified
	TooWeak                 // no match with enough bits
)

// Ask bounds what a proposal can come to, and names the first token that its seeds can be part of.
func (f *Filter) Ask(p lookup.Proposal) (a Answer, first uint32, err error) {
	if !f.Changed(p.Seeds) {
		return Unchanged, 0, nil
	}
	// most documents have only what a longer match has, whatever their diagonals
	if !f.LongEnough(p.Seeds) {
		return TooShort, 0, nil
	}
	if f.inCovered() {
		return Covered, f.first(), nil
	}
	f.apart, f.groups, f.followed = f.apart[:0], f.groups[:0], p.Seeds
	if len(p.Seeds) == 1 {
		if f.isEnough(p.Seeds[0]) {
			f.apart = append(f.apart, f.reach[0])
			f.groups = append(f.groups, group{to: 1, needed: f.text.Needed + f.shared(f.apart, p.Seeds)})
		}
	} else {
		if f.group(p.Seeds) {
			return Possible, 0, nil
		}
		if len(f.groups) == 0 {
			return TooShort, 0, nil
		}
		grouped := len(f.groups)
		f.dropUnchanged(p.Seeds)
		if len(f.groups) == 0 {
			return Unchanged, 0, nil
		}
		f.reach = match.Union(append(f.reach[:0], f.apart...))
		if f.inCovered() {
			return Covered, f.first(), nil
		}
		if len(f.groups) < grouped {
			f.some = within(f.some[:0], f.reach, p.Seeds)
			f.followed = f.some
		}
		f.dropWeak(p.Seeds)
	}
	if ok, err := f.named(p); ok || err != nil {
		return Possible, 0, err
	}
	return TooWeak, f.first(), nil
}

func (f *Filter) first() uint32 { return uint32(f.reach[0].From) }

// Followed are the seeds of the proposal that was asked for last, without those of groups that are unchanged.
func (f *Filter) Followed() []match.Seed { return f.followed }

// LongEnough tells whether the tokens that seeds can be part of are enough for a finding.
func (f *Filter) LongEnough(seeds []match.Seed) bool {
	f.reach = match.Reach(f.reach[:0], seeds, f.rules.Params.K, f.rules.Params.W)
	return match.Length(f.reach) >= f.rules.Least
}

// group is what gaps may bridge to one match: a part of apart.
type group struct {
	from, to int
	needed   float64 // bits, with those that many directories take off
}

// group gathers what gaps may bridge. It returns true if there are too many stretches to tell.
func (f *Filter) group(seeds []match.Seed) bool {
	stretches := f.near.Stretches(seeds, f.rules.Params.K, f.rules.Params.W)
	return f.near.Groups(stretches, f.rules.Match, func(g []match.Interval) bool {
		if match.Length(g) >= f.rules.Least {
			f.apart = append(f.apart, g...)
			f.groups = append(f.groups, group{from: len(f.apart) - len(g), to: len(f.apart)})
		}
		return false
	})
}

// isEnough tells whether a seed can be enough without another, in a document that has all
// names. Most documents share one seed with a text, and many the same.
func (f *Filter) isEnough(s match.Seed) bool {
	if f.alone[s.Target] == 0 {
		f.alone[s.Target] = 1
		if f.most(f.reach[:1], nil)-f.shared(f.reach[:1], []match.Seed{s}) >= f.text.Needed {
			f.alone[s.Target] = 2
		}
	}
	return f.alone[s.Target] == 2
}

// dropWeak keeps the groups that can be enough in a document that has all names, and
// works out how many bits they need.
func (f *Filter) dropWeak(seeds []match.Seed) {
	out := f.groups[:0]
	for _, g := range f.groups {
		spans := f.apart[g.from:g.to]
		if g.needed = f.text.Needed + f.shared(spans, seeds); f.most(spans, nil) >= g.needed {
			out = append(out, g)
		}
	}
	f.groups = out
}

// named tells whether a group is enough in a document with the names that this one has.
// It has to be a finding by itself, before it can support others.
func (f *Filter) named(p lookup.Proposal) (bool, error) {
	if len(f.groups) == 0 {
		return false, nil
	}
	names, err := f.rules.Names(p.Key)
	if err != nil {
		return false, err
	}
	w := f.rules.Weights
	for _, g := range f.groups {
		spans := f.apart[g.from:g.to]
		if f.most(spans, names.Has) < g.needed {
			continue
		}
		if w.BoundOfStretches(f.bounds, math.MaxInt) >= g.needed || w.BoundOfStretches(f.bounds, f.foreign(spans, p.Seeds, names.Has)) >= g.needed {
			return true, nil
		}
	}
	return false, nil
}

// most bounds the bits of a group in a document with the names has says, nil for one
// that has all.
func (f *Filter) most(g []match.Interval, has func(uint32) bool) float64 {
	f.bounds = f.bounds[:0]
	for _, v := range g {
		o := f.text.Costs().Outlook(v.From, v.To)
		if has == nil {
			f.bounds = append(f.bounds, o.All)
		} else {
			f.bounds = append(f.bounds, o.UpperBound(has))
		}
	}
	return f.rules.Weights.BoundOfStretches(f.bounds, 0)
}

// shared is what is taken off at least from any match of a group for the directories that
// share it. It has a seed at least, and with it all tokens of its k-gram.
func (f *Filter) shared(g []match.Interval, seeds []match.Seed) float64 {
	directories := math.MaxInt
	for _, s := range seeds {
		if directories > 1 && match.Within(g, int(s.Target)) {
			directories = min(directories, f.text.Hits.UnitsAt(s.Target))
		}
	}
	return f.rules.Weights.CostOfSharing(directories)
}

// foreign counts the names that differ in every run of the least length that has a seed
// of a group.
func (f *Filter) foreign(g []match.Interval, seeds []match.Seed, has func(uint32) bool) int {
	fewest, more := math.MaxInt, max(0, f.rules.Least-f.rules.Params.K)
	for _, s := range seeds {
		if at := int(s.Target); fewest > 0 && match.Within(g, at) {
			fewest = min(fewest, f.text.Costs().Outlook(at-more, at+f.rules.Params.K+more).Foreign(f.rules.Least, has))
		}
	}
	return fewest
}
