package region

import (
	"bytes"
	"slices"
	"strings"

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
		e, err := g.Weigh(p.Proof)
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
	p := occurrences[at]
	seen[p.Doc.Key] = g.Rarer(seen[p.Doc.Key], p.Match, g.Asked())
	copy(occurrences[1:at+1], occurrences[:at])
	occurrences[0] = p
	return p, seen, nil
}

// hopeless reports whether no document of a region can have the bits of a finding, even with the largest possible support: too
// many brackets are unpaired. The documents need not be read then.
func (g *Gatherer) hopeless(r Region) bool {
	least := g.Weights.LeastToSupport(g.Asked())
	if slices.ContainsFunc(r.Proofs, func(p evidence.Proof) bool { return r.spannedBy(p) && p.Bound-p.Uneven >= least }) {
		return false
	}
	for i, p := range r.Proofs {
		if r.spannedBy(p) && (i == 0 || p.Span() != r.Proofs[i-1].Span()) && g.Commented(p) {
			return false
		}
	}
	return true
}

// agreesMore returns the occurrence to name: at, or another of the same package that agrees wherever at does and in more names or
// literals, and is a finding by itself. Bits alone would prefer renamed names over unchanged platform names, which have few bits.
func (g *Gatherer) agreesMore(occurrences []Occurrence, at int, judged map[lookup.Key]score.Evidence) (int, error) {
	pkg, needed := purl.Key(occurrences[at].PURL), g.ByDefault()
	refused := make(map[lookup.Key]bool) // documents; each can have many versions
	for i, o := range occurrences {
		if refused[o.Doc.Key] {
			continue
		}
		a, b := judged[occurrences[at].Doc.Key], judged[o.Doc.Key]
		if b.Unchanged < a.Unchanged || b.Equal < a.Equal || b.Unchanged+b.Equal == a.Unchanged+a.Equal || purl.Key(o.PURL) != pkg {
			continue
		}
		if b = g.Rarer(b, o.Match, needed); b.Bits < needed {
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
	x, y, err := g.Texts(a, b)
	if err != nil {
		return false, err
	}
	others := b.Runs
	for _, r := range a.Runs {
		for i := range r.Len {
			for others[0].TargetEnd() <= r.Target+i {
				others = others[1:]
			}
			own := g.Tokens[r.Target+i]
			text := g.Text[own.Start:own.End]
			s, t := a.Doc.Stream.Span(r.Origin+i), b.Doc.Stream.Span(others[0].Origin+r.Target+i-others[0].Target)
			if bytes.Equal(text, x[s.Start:s.End]) && !bytes.Equal(text, y[t.Start:t.End]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// PreferNamed puts the package first that a vendored path names. pip, for example, keeps requests in _vendor/requests, perhaps in
// a version that agrees better than any indexed version of requests. The named package needs half of the region, and the bits for
// a comparison with one document, since the path leads to it.
func (g *Gatherer) PreferNamed(cs []Candidate) ([]Candidate, error) {
	for i := range cs {
		c := &cs[i]
		if !c.Best.Vendored || c.Joined {
			continue
		}
		at := -1
		for n, o := range c.Occurrences {
			if o.Tokens() < g.MinTokens || !c.NamedByPath(o) {
				continue
			}
			if _, ok := c.Judged[o.Doc.Key]; !ok {
				ev, err := g.Weigh(o.Proof)
				if err != nil {
					return nil, err
				}
				c.Judged[o.Doc.Key] = g.Rarer(ev, o.Match, 0)
			}
			if bits := c.Judged[o.Doc.Key].Bits; bits >= g.NeededAmong(score.Enough, o.Doc.Len()) && (at < 0 || bits > c.Judged[c.Occurrences[at].Doc.Key].Bits) {
				at = n
			}
		}
		if at >= 0 {
			g.putFirst(c, at)
		}
	}
	return cs, nil
}

// NamedByPath reports whether an occurrence has enough of the region and belongs to the package that the best one's path names.
func (c *Candidate) NamedByPath(o Occurrence) bool {
	return !o.Vendored && NamesPackage(c.Best.Path, o.PURL) && c.MostOf(o.Match)
}

// ofNamed is the share of a region that a package needs if a vendored path names it.
const ofNamed = 0.4

// MostOf reports whether a match has enough of the region to be its origin, if a path names its package.
func (c *Candidate) MostOf(m match.Match) bool {
	return float64(match.Shared(m.Runs, c.Best.Runs)) >= ofNamed*float64(c.Best.Tokens())
}

// putFirst moves an occurrence of a candidate to the front, and uses its evidence.
func (g *Gatherer) putFirst(c *Candidate, at int) {
	o := c.Occurrences[at]
	copy(c.Occurrences[1:at+1], c.Occurrences[:at])
	c.Occurrences[0], c.Best, c.Evidence, c.Within, c.Heaviest = o, o, c.Judged[o.Doc.Key], nil, nil
	if c.Evidence.Bits < g.Needs(c.Evidence, g.ByDefault()) {
		c.Within = o.Doc
	}
}

// NamesPackage reports whether a directory of a vendored path has the name of a package. Behind a host, as in
// third_party/github.com/spf13/cobra, only the second directory counts, since the first is the owner's.
func NamesPackage(path, pkg string) bool {
	name := purl.Key(pkg)
	name = plain(name[strings.LastIndexByte(name, '/')+1:])
	dirs := strings.Split(path, "/")
	dirs = dirs[:len(dirs)-1]
	if host := slices.IndexFunc(dirs, func(dir string) bool { return slices.Contains(hosts, dir) }); host >= 0 && host+2 < len(dirs) {
		dirs = dirs[host+2 : host+3]
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return plain(dir) == name })
}

// hosts lists the hosts of repositories whose paths begin with an owner.
var hosts = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}

// plain returns a name in a spelling that is the same for all registries.
func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// Texts returns the texts of the documents of two matches.
func (g *Gatherer) Texts(a, b evidence.Proof) (x, y []byte, err error) {
	if x, err = a.Doc.Read(); err != nil {
		return nil, nil, err
	}
	y, err = b.Doc.Read()
	return x, y, err
}
