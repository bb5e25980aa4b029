package origins

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// preferStated makes the package first that the target names as the source of the region, if it is an origin. Else, if the licence of the
// best one does not fit the head of the target, an origin that has the licence of that head becomes the first. Copies of one text agree
// with the target about alike, so more bits do not tell its source. Regions that were joined or derived keep their first origin, whose
// match found them.
func (dv *Divider) preferStated(d *Divided, judged map[store.Hash]region.Judgement) error {
	c := &d.Candidate
	if len(d.Origins) < 2 || c.Joined || c.Within != nil || c.Heaviest != nil || c.Evidence.Derived {
		return nil
	}
	at, err := dv.cited(d.Origins)
	if err != nil {
		return err
	}
	cited := at >= 0
	if !cited {
		at = dv.licensed(d.Origins)
	}
	if at <= 0 || cited && purl.Key(d.Origins[at].PURL) == purl.Key(c.Best.PURL) {
		return nil
	}
	o := d.Origins[at]
	j, ok := judged[o.Doc.Hash]
	if !ok {
		return nil
	}
	c.Name(o, j.Evidence)
	d.Cited = cited
	key := purl.Key(o.PURL)
	slices.SortStableFunc(d.Origins, func(a, b region.Occurrence) int {
		same := func(p region.Occurrence) bool { return p.PURL == o.PURL && p.Path == o.Path }
		return cmp.Or(finding.CompareTrue(same(a), same(b)), finding.CompareTrue(purl.Key(a.PURL) == key, purl.Key(b.PURL) == key))
	})
	return nil
}

// licensed returns the first origin that agrees as well as the best one, and whose head states the licence that the target's head states.
// It returns -1 if there is none, or if the best one's licence fits the target's. Publishers such as GNU give one text under several
// licences, and the head was copied with the text.
func (dv *Divider) licensed(os []region.Occurrence) int {
	best := os[0]
	other := func(o region.Occurrence) bool {
		stated := o.LicenseFrom.Kind == license.FromHeader || o.LicenseFrom.Kind == license.FromTag
		return stated && o.License != best.License && o.Bits >= best.Bits
	}
	if !slices.ContainsFunc(os, other) { // mostly; reading a head is dear
		return -1
	}
	own := dv.text.Statements().HeadLicence()
	if answer, _, ok := license.Compatible(best.License, own); own == "" || ok && answer == license.Fits {
		return -1
	}
	return slices.IndexFunc(os, func(o region.Occurrence) bool { return other(o) && o.License == own })
}

// cited returns the first origin of the package that the nearest statement names as the source of a region, -1 if there is none. A
// statement that the best origin has too came along with the code.
func (dv *Divider) cited(os []region.Occurrence) (int, error) {
	best := os[0]
	if !slices.ContainsFunc(os, func(o region.Occurrence) bool { return purl.Key(o.PURL) != purl.Key(best.PURL) }) {
		return -1, nil
	}
	from, to := best.Match.Target()
	var own *verdict.Statements
	for _, s := range dv.text.Statements().CopiedFrom(dv.text.Line(from), dv.text.LastLine(to-1)) {
		at := slices.IndexFunc(os, func(o region.Occurrence) bool { return s.Names(verdict.NewSource(o.PURL, o.Path, "").Origin) })
		if at < 0 {
			continue
		}
		if own == nil {
			if _, err := best.Doc.Read(); err != nil {
				return -1, err
			}
			own = dv.text.Reader.Read(best.Doc.Text(), best.Doc.Stream.All(), false)
		}
		if !own.Says(s) {
			return at, nil
		}
	}
	return -1, nil
}
