package region

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// PreferNamed makes the package that a path names the first origin, if the present first origin is a package that only vendors the
// file. For example, pip keeps requests in _vendor/requests, perhaps in a version that agrees better than any indexed version of
// requests. The named package needs two fifths of the region. Since the path leads to it, the bits for a comparison with one
// document are enough.
func (g *Gatherer) PreferNamed(cs []Candidate) ([]Candidate, error) {
	for i := range cs {
		c := &cs[i]
		if !c.Best.Vendored || c.Joined {
			continue
		}
		at := -1
		for n, o := range c.Occurrences {
			if o.Tokens() < g.text.Rules.MinTokens || !c.NamedByPath(o) {
				continue
			}
			if _, ok := c.Judged[o.Doc.Key]; !ok {
				ev, err := g.judge.Weigh(o.Proof)
				if err != nil {
					return nil, err
				}
				c.Judged[o.Doc.Key] = g.text.MinusFrequency(ev, o.Match, 0)
			}
			if bits := c.Judged[o.Doc.Key].Bits; bits >= g.text.NeededIn(o.Doc, score.Enough) && (at < 0 || bits > c.Judged[c.Occurrences[at].Doc.Key].Bits) {
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

// namedShare is the share of a region that a package needs if a vendored path names it.
const namedShare = 0.4

// MostOf reports whether a match has enough of the region to be its origin, if a path names its package.
func (c *Candidate) MostOf(m match.Match) bool {
	return float64(match.Shared(m.Runs, c.Best.Runs)) >= namedShare*float64(c.Best.Tokens())
}

// putFirst moves an occurrence of a candidate to the front, and uses its evidence.
func (g *Gatherer) putFirst(c *Candidate, at int) {
	o := toFront(c.Occurrences, at)
	c.Best, c.Evidence, c.Within, c.Heaviest = o, c.Judged[o.Doc.Key], nil, nil
	if c.Evidence.Bits < g.text.NeededBy(c.Evidence, score.Enough) {
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
