package region

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// LeadingJudged is how many of the leading occurrences are judged on names and literals
// before the best is named: copies of one original differ there first.
const LeadingJudged = 8

// best judges the leading documents and moves the occurrence whose evidence carries
// most to the front. One that spans less of the region would leave the rest of
// it unnamed. It returns what the documents were found to be worth.
func (g *Gatherer) best(r Region, occurrences []Occurrence) (Occurrence, map[lookup.Key]score.Evidence, error) {
	at, seen := -1, make(map[lookup.Key]score.Evidence)
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

// agreesMore returns the occurrence to name instead of one, which may be that one: another of its package that agrees wherever
// it does and in more, if that is a finding by itself. Bits alone prefer a file with other names where those of the target are
// a platform's: these tell little, and names that are mapped one to one tell more.
func (g *Gatherer) agreesMore(occurrences []Occurrence, at int, judged map[lookup.Key]score.Evidence) (int, error) {
	pkg, needed := purl.Key(occurrences[at].PURL), g.ByDefault()
	refused := make(map[lookup.Key]bool) // documents, which can have many versions
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

// agreesWhere tells whether match b has all tokens of the target that match a has, and the same text wherever a has that.
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

// PreferNamed names first whom a guest's path names: pip keeps requests in _vendor/requests, and may have a version that agrees
// better than those of requests that are known. The package itself needs enough evidence of its own, and half of the region.
// As the guest's path leads to it, it need not be looked for among all that is known.
func (g *Gatherer) PreferNamed(cs []Candidate) error {
	for i := range cs {
		c := &cs[i]
		if !c.Best.Guest || c.Joined {
			continue
		}
		at := -1
		for n, o := range c.Occurrences {
			if o.Tokens() < g.MinTokens || !c.NamedByGuest(o) {
				continue
			}
			if _, ok := c.Judged[o.Doc.Key]; !ok {
				ev, err := g.Weigh(o.Proof)
				if err != nil {
					return err
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
	return nil
}

// NamedByGuest tells whether an occurrence has half of the region and is of the package that the best one's path names.
func (c *Candidate) NamedByGuest(o Occurrence) bool {
	return !o.Guest && NamesPackage(c.Best.Path, o.PURL) && 2*match.Shared(o.Runs, c.Best.Runs) >= c.Best.Tokens()
}

// putFirst puts an occurrence of a candidate first, and weighs the candidate by it.
func (g *Gatherer) putFirst(c *Candidate, at int) {
	o := c.Occurrences[at]
	copy(c.Occurrences[1:at+1], c.Occurrences[:at])
	c.Occurrences[0], c.Best, c.Evidence, c.Within, c.Heaviest = o, o, c.Judged[o.Doc.Key], nil, nil
	if c.Evidence.Bits < g.Needs(c.Evidence, g.ByDefault()) {
		c.Within = o.Doc
	}
}

// NamesPackage tells whether a directory of a guest's path has the name of a package. Behind a host, as in
// third_party/github.com/spf13/cobra, only the second one can have it: the first is the owner's.
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

// hosts are those of repositories that have an owner.
var hosts = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}

// plain is a name as all registries spell it alike.
func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// Texts returns the texts of the documents of two matches.
func (g *Gatherer) Texts(a, b evidence.Proof) (x, y []byte, err error) {
	if x, err = a.Doc.Read(); err != nil {
		return nil, nil, err
	}
	y, err = b.Doc.Read()
	return x, y, err
}
