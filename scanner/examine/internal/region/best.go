package region

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// LeadingJudged is how many of the first occurrences are judged on names and literals before the best is chosen. Copies of one
// original differ there first.
const LeadingJudged = 8

// best judges the leading documents and moves the occurrence with most bits to the front. Documents that span too little of the
// region are not judged, and none is if no document can have enough bits. It returns the evidence by document.
func (g *Gatherer) best(r Region, occurrences []Occurrence) (Occurrence, map[lookup.Key]score.Evidence, error) {
	at, seen := -1, make(map[lookup.Key]score.Evidence)
	if g.hopeless(r) {
		return occurrences[0], seen, nil
	}
	for i, p := range occurrences {
		if _, ok := seen[p.Doc.Key]; ok || len(seen) == LeadingJudged || !r.spannedBy(p.Proof) {
			continue
		}
		e, err := g.judge.Weigh(p.Proof)
		if err != nil {
			return Occurrence{}, nil, err
		}
		if at < 0 || e.Bits > seen[occurrences[at].Doc.Key].Bits {
			at = i
		}
		seen[p.Doc.Key] = e
	}
	at, err := g.agreesMore(occurrences, at, seen)
	if err != nil {
		return Occurrence{}, nil, err
	}
	p := toFront(occurrences, at)
	seen[p.Doc.Key] = g.text.MinusFrequency(seen[p.Doc.Key], p.Match, g.text.Needed(g.text.Rules.MinScore))
	return p, seen, nil
}

// toFront moves an occurrence to the front, and returns it.
func toFront(os []Occurrence, at int) Occurrence {
	o := os[at]
	copy(os[1:at+1], os[:at])
	os[0] = o
	return o
}

// hopeless reports whether no document of a region can have the bits of a finding, even with the largest possible support: too
// many brackets are unpaired. The documents need not be read then.
func (g *Gatherer) hopeless(r Region) bool {
	needed := g.text.Needed(g.text.Rules.MinScore)
	if slices.ContainsFunc(r.Proofs, func(p evidence.Proof) bool {
		return r.spannedBy(p) && g.text.Rules.Weights.Reaches(p.Bound-p.Uneven, needed)
	}) {
		return false
	}
	for i, p := range r.Proofs {
		if r.spannedBy(p) && (i == 0 || p.Span() != r.Proofs[i-1].Span()) && g.judge.Commented(p) {
			return false
		}
	}
	return true
}

// agreesMore returns the occurrence to name: at, or another of the same package that agrees wherever at does and in more names or
// literals, and is a finding by itself. Bits alone would prefer renamed names over unchanged platform names, which have few bits.
func (g *Gatherer) agreesMore(occurrences []Occurrence, at int, judged map[lookup.Key]score.Evidence) (int, error) {
	pkg, needed := purl.Key(occurrences[at].PURL), g.text.Needed(score.Enough)
	refused := make(map[lookup.Key]bool) // documents; each can have many versions
	for i, o := range occurrences {
		if refused[o.Doc.Key] {
			continue
		}
		a, b := judged[occurrences[at].Doc.Key], judged[o.Doc.Key]
		if b.Unchanged < a.Unchanged || b.Equal < a.Equal || b.Unchanged+b.Equal == a.Unchanged+a.Equal || purl.Key(o.PURL) != pkg {
			continue
		}
		if b = g.text.MinusFrequency(b, o.Match, needed); b.Bits < needed {
			continue
		}
		all, err := g.agreesWhere(occurrences[at].Proof, o.Proof)
		if err != nil {
			return 0, err
		}
		if all {
			at = i
		}
		refused[o.Doc.Key] = !all
	}
	return at, nil
}

// agreesWhere reports whether match b covers all target tokens of match a, and agrees in text wherever a does.
func (g *Gatherer) agreesWhere(a, b evidence.Proof) (bool, error) {
	if match.Shared(a.Runs, b.Runs) < a.Tokens() {
		return false, nil
	}
	if err := ReadBoth(a, b); err != nil {
		return false, err
	}
	others := b.Runs
	for _, r := range a.Runs {
		for i := range r.Len {
			for others[0].TargetEnd() <= r.Target+i {
				others = others[1:]
			}
			text := g.text.TextAt(r.Target + i)
			if bytes.Equal(text, a.Doc.TextAt(r.Origin+i)) && !bytes.Equal(text, b.Doc.TextAt(others[0].Origin+r.Target+i-others[0].Target)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// ReadBoth reads the texts of the documents of two matches.
func ReadBoth(a, b evidence.Proof) error {
	if _, err := a.Doc.Read(); err != nil {
		return err
	}
	_, err := b.Doc.Read()
	return err
}
