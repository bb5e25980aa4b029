package region

import (
	"path"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// PreferElder makes a package the first origin if its match is as good as that of the present one, and it had half of the region before in
// a file of that name. A library changes its file with its versions. Those who copied one version have equal code, but nothing older.
func (g *Gatherer) PreferElder(cs []Candidate) []Candidate {
	for i := range cs {
		if c := &cs[i]; !c.Joined && c.Evidence.Bits == c.Judged[c.Best.Doc.Key].Bits { // it is a match by itself
			if at := g.elder(c); at > 0 {
				g.putFirst(c, at)
			}
		}
	}
	return cs
}

// equalBits is how many bits fewer than the best a match has at most if it is as good: the name of one directory can make that difference.
const equalBits = 1

// elder returns the index of the occurrence to name first.
func (g *Gatherer) elder(c *Candidate) int {
	best := c.Occurrences[0]
	var first map[series]time.Time
	at, pkg, bits := 0, purl.Key(best.PURL), c.Judged[best.Doc.Key].Bits
	for i, o := range c.Occurrences[1:] {
		e, judged := c.Judged[o.Doc.Key]
		if !judged || e.Bits < bits-equalBits || o.Share < best.Share || CompareHome(o, best) > 0 || purl.Key(o.PURL) == pkg {
			continue
		}
		if first == nil {
			first = ages(c.Occurrences)
		}
		if versions.CompareAge(first[seriesOf(o)], first[seriesOf(c.Occurrences[at])]) >= 0 {
			continue
		}
		if e = g.text.MinusFrequency(e, o.Match, bits-equalBits); e.Bits >= bits-equalBits {
			c.Judged[o.Doc.Key], at = e, i+1
		}
	}
	return at
}

// series is a file of a package in all its versions and directories.
type series struct{ pkg, file string }

func seriesOf(o Occurrence) series { return series{purl.Key(o.PURL), path.Base(o.Path)} }

// ages returns the earliest release of each series that has half of the region. Copies that a package keeps do not count.
func ages(os []Occurrence) map[series]time.Time {
	out := make(map[series]time.Time)
	for _, o := range os {
		s := seriesOf(o)
		if first, met := out[s]; o.Share >= 0.5 && !o.Vendored && (!met || versions.CompareAge(o.Released, first) < 0) {
			out[s] = o.Released
		}
	}
	return out
}
