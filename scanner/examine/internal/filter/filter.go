// Package filter decides which proposals of the look-up can become a finding. A proposal is the seeds that a text and one document
// have in common. The filter computes upper bounds for the tokens and bits of every match that contains these seeds, without
// loading the document. A proposal that it rejects cannot be a finding, whatever the document contains. The bounds, the cheapest
// first:
//
//	Changed, dropUnchanged  an earlier version of the text had all of the seeds, and was examined
//	LongEnough, group       tokens of the longest run around the seeds
//	inCovered               a longer match around the seeds is already verified
//	isEnough, dropWeak      bits, as if the document had all names of the text
//	named                   bits, with the names that the document has
package filter

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
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
	Needed float64 // bits of a finding
	// Repeats are tokens that a run can have without a seed (lookup.Hits.Repeats)
	Repeats []match.Interval
	Costs   func() *score.Costs // called when first needed
	// Unchanged are tokens that also occur in an earlier version without a finding (text.Examined)
	Unchanged []match.Interval
}

// Filter filters the proposals of one text after the other. Not safe for concurrent use.
type Filter struct {
	rules   Rules
	text    Text
	covered []cover

	// of the current proposal
	reach     []match.Interval // tokens that the seeds can be part of
	groups    []group
	intervals []match.Interval // of all groups
	changed   []match.Seed     // seeds of groups that are not unchanged

	alone   []int8 // by token: whether a seed there is enough alone; 2 yes, 1 no, 0 not known
	grouper match.Grouper
	bounds  []score.Bound
}

// New returns a filter.
func New(r Rules) *Filter { return &Filter{rules: r} }

// LeastSeeds returns how many seeds a finding needs: one seed can belong to a run of at most 2(w-1)+k tokens, see match.Stretches.
func (f *Filter) LeastSeeds() int {
	return (f.rules.Least-1)/(2*(f.rules.Params.W-1)+f.rules.Params.K) + 1
}

// Begin sets the next text.
func (f *Filter) Begin(t Text) {
	f.text, f.covered = t, f.covered[:0]
	f.alone = slices.Grow(f.alone[:0], t.Tokens)[:t.Tokens]
	clear(f.alone)
}

// Answer says whether a proposal can become a finding.
type Answer int

// Answers.
const (
	Possible  Answer = iota // it can
	Unchanged               // an earlier version of the text had these seeds and no finding
	TooShort                // no match has the least length
	Covered                 // a small part of a verified match
	TooWeak                 // no match has enough bits
)

// Decision is the answer for one proposal.
type Decision struct {
	Answer
	First uint32       // Covered, TooWeak: the first token that the seeds can be part of
	Seeds []match.Seed // Possible: the seeds that have to be verified, without those of unchanged groups; valid until the next Ask
}

// Ask decides whether a proposal can become a finding.
func (f *Filter) Ask(p lookup.Proposal) (Decision, error) {
	if !f.Changed(p.Seeds) {
		return Decision{Answer: Unchanged}, nil
	}
	// checked first: it rejects most documents and needs no diagonals
	if !f.LongEnough(p.Seeds) {
		return Decision{Answer: TooShort}, nil
	}
	if f.inCovered() {
		return f.rejected(Covered), nil
	}
	seeds := p.Seeds
	f.intervals, f.groups = f.intervals[:0], f.groups[:0]
	if len(p.Seeds) == 1 {
		if f.isEnough(p.Seeds[0]) {
			f.intervals = append(f.intervals, f.reach[0])
			f.groups = append(f.groups, group{to: 1, most: math.Inf(1)})
		}
	} else {
		d, decided := f.askGroups(p.Seeds)
		if decided {
			return d, nil
		}
		seeds = d.Seeds
	}
	if ok, err := f.named(p); ok || err != nil {
		return Decision{Answer: Possible, Seeds: seeds}, err
	}
	return f.rejected(TooWeak), nil
}

// askGroups divides seeds into groups that can belong to one match, and drops groups that are unchanged or too weak. decided is
// false if the decision depends on the names of the document.
func (f *Filter) askGroups(seeds []match.Seed) (d Decision, decided bool) {
	if f.group(seeds) {
		return Decision{Answer: Possible, Seeds: seeds}, true
	}
	if len(f.groups) == 0 {
		return Decision{Answer: TooShort}, true
	}
	grouped := len(f.groups)
	f.dropUnchanged(seeds)
	if len(f.groups) == 0 {
		return Decision{Answer: Unchanged}, true
	}
	f.reach = match.Union(append(f.reach[:0], f.intervals...))
	if f.inCovered() {
		return f.rejected(Covered), true
	}
	left := seeds
	if len(f.groups) < grouped {
		f.changed = within(f.changed[:0], f.reach, seeds)
		left = f.changed
	}
	f.dropWeak()
	return Decision{Answer: Possible, Seeds: left}, false
}

// rejected returns a decision that the ledger counts, with the first token that the seeds can be part of.
func (f *Filter) rejected(a Answer) Decision {
	return Decision{Answer: a, First: uint32(f.reach[0].From)}
}

// LongEnough reports whether the tokens that seeds can be part of are enough for a finding.
func (f *Filter) LongEnough(seeds []match.Seed) bool {
	f.reach = match.Reach(f.reach[:0], seeds, f.rules.Params.K, f.rules.Params.W)
	return match.Length(f.reach) >= f.rules.Least
}

// group is a part of the intervals that gaps can join to one match.
type group struct {
	from, to int
	most     float64 // bits in a document that has all names
}

// group collects the stretches that gaps can join. It returns true if there are too many stretches to decide.
func (f *Filter) group(seeds []match.Seed) bool {
	stretches := f.grouper.Stretches(seeds, f.rules.Params.K, f.rules.Params.W)
	return f.grouper.Groups(stretches, f.rules.Match, func(g []match.Interval) bool {
		if match.Length(g) >= f.rules.Least {
			f.intervals = append(f.intervals, g...)
			f.groups = append(f.groups, group{from: len(f.intervals) - len(g), to: len(f.intervals)})
		}
		return false
	})
}

// isEnough reports whether a single seed can be a finding in a document that has all names. The answer is kept by token: most
// documents share one seed with a text, and many share the same one.
func (f *Filter) isEnough(s match.Seed) bool {
	if f.alone[s.Target] == 0 {
		f.alone[s.Target] = 1
		if most := f.upperBound(f.reach[:1], nil); most >= f.text.Needed && most-f.frequencyCost(f.reach[:1], []match.Seed{s}) >= f.text.Needed {
			f.alone[s.Target] = 2
		}
	}
	return f.alone[s.Target] == 2
}

// dropWeak keeps the groups that can be a finding in a document that has all names. Document frequency, which takes bits off, is counted
// for the groups whose names are there.
func (f *Filter) dropWeak() {
	out := f.groups[:0]
	for _, g := range f.groups {
		if g.most = f.upperBound(f.intervals[g.from:g.to], nil); g.most >= f.text.Needed {
			out = append(out, g)
		}
	}
	f.groups = out
}

// named reports whether a group can be a finding with the names that the document has. Support does not count: a match must be a
// finding by itself before it can support another.
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
		spans := f.intervals[g.from:g.to]
		bits := f.upperBound(spans, names.Has)
		if bits < f.text.Needed { // most groups
			continue
		}
		needed := f.text.Needed + f.frequencyCost(spans, p.Seeds)
		if min(bits, g.most) < needed {
			continue
		}
		if w.BoundOfStretches(f.bounds, math.MaxInt) >= needed || w.BoundOfStretches(f.bounds, f.foreign(spans, p.Seeds, names.Has)) >= needed {
			return true, nil
		}
	}
	return false, nil
}

// upperBound returns an upper bound for the bits of a group. has reports whether the document may have a name; nil means that it has
// all.
func (f *Filter) upperBound(g []match.Interval, has func(uint32) bool) float64 {
	f.bounds = f.bounds[:0]
	for _, v := range g {
		o := f.text.Costs().SpanBound(v.From, v.To)
		if has == nil {
			f.bounds = append(f.bounds, o.All)
		} else {
			f.bounds = append(f.bounds, o.UpperBound(has))
		}
	}
	return f.rules.Weights.BoundOfStretches(f.bounds, 0)
}

// frequencyCost returns the least number of bits that document frequency takes off any match of a group. Such a match contains a seed,
// and all tokens of its k-gram.
func (f *Filter) frequencyCost(g []match.Interval, seeds []match.Seed) float64 {
	directories := math.MaxInt
	for _, s := range seeds {
		if directories > 1 && match.Contains(g, int(s.Target)) {
			directories = min(directories, f.text.Hits.UnitsAt(s.Target))
		}
	}
	return f.rules.Weights.CostOfFrequency(directories)
}

// foreign returns the least number of names that differ in a run of the least length around a seed of a group.
func (f *Filter) foreign(g []match.Interval, seeds []match.Seed, has func(uint32) bool) int {
	fewest, more := math.MaxInt, max(0, f.rules.Least-f.rules.Params.K)
	for _, s := range seeds {
		if at := int(s.Target); fewest > 0 && match.Contains(g, at) {
			fewest = min(fewest, f.text.Costs().SpanBound(at-more, at+f.rules.Params.K+more).Foreign(f.rules.Least, has))
		}
	}
	return fewest
}
