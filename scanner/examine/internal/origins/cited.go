package origins

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// preferCited makes the package first that the target names as the source of the region, if it is an origin. Copies of one text agree
// with the target about alike, so more bits do not tell its source. Regions that were joined or derived keep their first origin,
// whose match found them.
func (dv *Divider) preferCited(d *Divided, judged map[store.Hash]region.Judgement) error {
	c := &d.Candidate
	if c.Joined || c.Within != nil || c.Heaviest != nil || c.Evidence.Derived {
		return nil
	}
	first := purl.Key(c.Best.PURL)
	if !slices.ContainsFunc(d.Origins, func(o region.Occurrence) bool { return purl.Key(o.PURL) != first }) {
		return nil
	}
	cited, err := dv.cited(d.Origins)
	if err != nil || cited == first {
		return err
	}
	at := slices.IndexFunc(d.Origins, func(o region.Occurrence) bool { return purl.Key(o.PURL) == cited })
	if at < 0 {
		return nil
	}
	j, ok := judged[d.Origins[at].Doc.Hash]
	if !ok {
		return nil
	}
	c.Name(d.Origins[at], j.Evidence)
	d.Cited = true
	slices.SortStableFunc(d.Origins, func(a, b region.Occurrence) int {
		return finding.CompareTrue(purl.Key(a.PURL) == cited, purl.Key(b.PURL) == cited)
	})
	return nil
}

// cited returns the package of the nearest statement that names one as the source of a region, "" if there is none. A statement that the
// first origin has too came along with the code.
func (dv *Divider) cited(os []region.Occurrence) (string, error) {
	best := os[0]
	from, to := best.Match.Target()
	var own *verdict.Statements
	for _, s := range dv.text.Statements().CopiedFrom(dv.text.Line(from), dv.text.LastLine(to-1)) {
		at := slices.IndexFunc(os, func(o region.Occurrence) bool { return s.Names(verdict.NewSource(o.PURL, o.Path, "").Origin) })
		if at < 0 {
			continue
		}
		if own == nil {
			if _, err := best.Doc.Read(); err != nil {
				return "", err
			}
			own = dv.text.Reader.Read(best.Doc.Text(), best.Doc.Stream.All(), false)
		}
		if !own.Says(s) {
			return purl.Key(os[at].PURL), nil
		}
	}
	return "", nil
}
