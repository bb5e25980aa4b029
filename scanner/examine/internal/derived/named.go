package derived

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// If the best origin of a region is in a directory that names another package, the code is that package's. Its indexed version
// may be too old to share fingerprints with the target, so that it was not compared.

// Limits of the search for the package that a directory names.
const (
	mostRead  = 64 // documents with hits in the region whose packages are read
	mostNamed = 4  // documents of the package that are aligned with the region
	// leastNamed takes the place of leastVotes for these documents: the path already names the package, so fewer names have to agree
	// on a position
	leastNamed = 8
)

// AddNamed looks at regions whose best origin has a vendored path. If the path names a package, it adds documents of that package
// to the origins, if they have two fifths of the region. full reports whether a full alignment was made.
func (se *Search) AddNamed(ctx context.Context, cs []region.Candidate) (_ []region.Candidate, full bool, err error) {
	for i := range cs {
		c := &cs[i]
		if !c.Best.Vendored || c.Joined || slices.ContainsFunc(c.Occurrences, c.NamedByPath) {
			continue
		}
		ds, err := se.named(ctx, c)
		if err != nil {
			return nil, false, err
		}
		for _, d := range ds {
			p, ok, err := se.alignNamed(c, d)
			if err != nil {
				return nil, false, err
			}
			if full = full || ok; !ok || !c.MostOf(p.Match) {
				continue
			}
			share := finding.Round(min(1, float64(p.Tokens())/float64(c.Best.Tokens())))
			for _, o := range d.at {
				c.Occurrences = append(c.Occurrences, region.Occurrence{Proof: p, Occurrence: o, Share: share})
			}
		}
	}
	return cs, full, nil
}

// namedDocument is a document of a package that a vendored path names, with its occurrences in that package.
type namedDocument struct {
	*documents.Document
	at []baseline.Occurrence
}

// named lists the documents of the package that a vendored path names. It looks among the documents with hits in the region, then
// among those with pairs of its names. Files with the vendored file's name come first.
func (se *Search) named(ctx context.Context, c *region.Candidate) (out []namedDocument, err error) {
	keys := se.text.Hits.DocumentsIn(c.From, c.To)
	if out, err = se.namedAmong(c, keys[:min(len(keys), mostRead)]); err != nil || len(out) > 0 {
		return out, err
	}
	l, err := se.byPairs(ctx, nil)
	if err != nil {
		return nil, err
	}
	keys = keys[:0]
	for _, lead := range l.found {
		if slices.ContainsFunc(lead.seeds, func(s match.Seed) bool { return c.From <= s.Target && s.Target < c.To }) {
			keys = append(keys, lead.key)
		}
	}
	slices.SortFunc(keys, lookup.Key.Compare)
	return se.namedAmong(c, keys[:min(len(keys), mostRead)])
}

func (se *Search) namedAmong(c *region.Candidate, keys []lookup.Key) (out []namedDocument, err error) {
	for _, k := range keys {
		d, err := se.text.Rules.Documents.Load(k)
		if err != nil {
			return nil, err
		}
		occs, err := d.Occurrences()
		if err != nil {
			return nil, err
		}
		named := namedDocument{Document: d}
		for _, o := range occs {
			if !region.Vendored(o.Path) && region.NamesPackage(c.Best.Path, o.PURL) && se.text.Rules.Self.Declaration(o.PURL, o.Repository) == "" {
				named.at = append(named.at, o)
			}
		}
		if len(named.at) > 0 {
			out = append(out, named)
		}
	}
	other := func(d namedDocument) bool { return path.Base(d.at[0].Path) != path.Base(c.Best.Path) }
	slices.SortStableFunc(out, func(a, b namedDocument) int { return cmp.Or(finding.CompareTrue(!other(a), !other(b))) })
	return out[:min(len(out), mostNamed)], nil
}

// alignNamed aligns a region with the position in a document that has most of its rare names.
func (se *Search) alignNamed(c *region.Candidate, d namedDocument) (p evidence.Proof, ok bool, err error) {
	if _, err := d.Read(); err != nil {
		return p, false, err
	}
	names, err := d.Names()
	if err != nil {
		return p, false, err
	}
	s, bits := alignment.Elect(se.votesOn(d.Document, names, match.Interval{From: int(c.From), To: int(c.To)}))
	if bits < leastNamed {
		return p, false, nil
	}
	p, ok = se.alignAround(d.Document, s, restGain)
	return p, ok, nil
}
