package similar

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// shortlist keeps, of the candidates of a large collection, the best ones and those that may link groups. A million small files
// have more than a hundred million candidates, so it drops at times what no round of proofs will ask for.
type shortlist struct {
	docs  []collection.Document
	n     int // best candidates to keep
	by    func(collection.Candidate) float32
	group float64 // share from which on a pair links a group
	slack int     // candidates beyond those needed from which on some are dropped

	best  []collection.Candidate
	links []collection.Candidate
	keep  int // links that were needed when some were dropped last
}

// slack is the default of shortlist.slack.
const slack = 1 << 21

// add takes candidates, in the order of the documents.
func (s *shortlist) add(cs []collection.Candidate) {
	s.best = append(s.best, cs...)
	if len(s.best) >= s.n+s.slack {
		s.settle()
	}
	if len(s.links) >= 2*s.keep+s.slack {
		s.thin()
	}
}

// settle orders the best candidates, best first, and moves those behind the first n to the links.
func (s *shortlist) settle() {
	s.best = bestFirst(s.best, s.by)
	n := min(s.n, len(s.best))
	for _, c := range s.best[n:] {
		if float64(c.Share) >= s.group && float64(c.Likely) >= likely[0]*s.group {
			s.links = append(s.links, c)
		}
	}
	s.best = s.best[:n]
}

// thin drops links that no round would try. A round tries a spanning forest of the links, the most promising first; groups only grow
// from round to round. So two kinds of forests have every link that a round can try: that of the first round, and for each round
// another one, of the links that reach its least likelihood.
func (s *shortlist) thin() {
	s.links = bestFirst(s.links, s.promise)
	first, rest := sketch.NewDisjointSets(len(s.docs)), make([]sketch.DisjointSets, len(likely))
	for i := range rest {
		rest[i] = sketch.NewDisjointSets(len(s.docs))
	}
	later := float32(likely[1] * s.group)
	s.links = slices.DeleteFunc(s.links, func(c collection.Candidate) bool {
		needed := !same(first, c)
		if needed {
			first.Join(int(c.Target), int(c.Origin))
		}
		for i := 0; i < len(rest) && c.Likely >= later; i++ {
			if !same(rest[i], c) {
				rest[i].Join(int(c.Target), int(c.Origin))
				return false
			}
		}
		return !needed
	})
	s.keep = len(s.links)
}

// settled returns the n best candidates, best first, and of the others those that may link groups, the most promising first.
func (s *shortlist) settled() (best, links []collection.Candidate) {
	s.settle()
	return s.best, bestFirst(s.links, s.promise)
}

// promise ranks links. Of equally likely links, the one with fewer tokens to compare is tried first. In 24,000 files of six
// languages this finds the same groups and compares five sixths of the tokens.
func (s *shortlist) promise(c collection.Candidate) float32 {
	return max(0, 2+c.Likely-float32(0.04*math.Log2(float64(1+s.docs[c.Target].Own+s.docs[c.Origin].Own))))
}

// bestFirst orders candidates by a number that is 0 or more, equal ones as they come.
func bestFirst(cs []collection.Candidate, of func(collection.Candidate) float32) []collection.Candidate {
	keys := make([]uint64, len(cs))
	for i, c := range cs {
		keys[i] = uint64(^math.Float32bits(of(c)))<<32 | uint64(i)
	}
	slices.Sort(keys)
	out := make([]collection.Candidate, len(cs))
	for i, k := range keys {
		out[i] = cs[uint32(k)]
	}
	return out
}
