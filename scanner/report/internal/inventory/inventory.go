// Package inventory writes a report as a list of the packages that code comes from, in SPDX (spdx.go) and CycloneDX documents
// (cyclonedx.go). Both start from one list of packages, which inventory.go makes of the report.
package inventory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// SPDX and CycloneDX documents are inventories. They contain every finding, allowed or not, except common code, whose
// origin is unknown. Of each finding they contain the best origin only, since the others are alternatives.

// originPackage is a package with the findings whose best origin it is.
type originPackage struct {
	purl     string
	name     string
	version  string
	url      string
	released *time.Time
	licences []string // SPDX expressions of the files found, sorted, without unknown ones
	findings []*finding.Finding
}

// inventory groups findings by the package of their best origin, in the order of package URLs. Findings keep the order
// of the report.
func inventory(r *finding.Report) []*originPackage {
	byPURL := make(map[string]*originPackage)
	var out []*originPackage
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Verdict == finding.CommonCode || len(f.Origins) == 0 {
			continue
		}
		o := f.Origins[0]
		p := byPURL[o.PURL]
		if p == nil {
			p = &originPackage{purl: o.PURL, name: words.PackageName(o.PURL), version: purl.Version(o.PURL), url: escape.Address(o.URL)}
			if o.Released != nil && printableYear(*o.Released) {
				p.released = o.Released
			}
			byPURL[o.PURL] = p
			out = append(out, p)
		}
		p.findings = append(p.findings, f)
		if l := license.Expression(o.License); l != license.NoAssertion && !slices.Contains(p.licences, l) {
			p.licences = append(p.licences, l)
		}
	}
	for _, p := range out {
		slices.Sort(p.licences)
	}
	slices.SortFunc(out, func(a, b *originPackage) int { return cmp.Compare(a.purl, b.purl) })
	return out
}

// printableYear reports whether a year has at most four digits.
func printableYear(t time.Time) bool { return t.UTC().Year() >= 0 && t.UTC().Year() < 10000 }

// created returns the creation date of a document. It is the date asked for, else the newest date in the report, else
// the beginning of 1970. It never uses the clock, since the same scan must give the same bytes.
func created(r *finding.Report, asked time.Time) time.Time {
	newest := time.Unix(0, 0).UTC()
	if !asked.IsZero() {
		return asked.UTC().Truncate(time.Second)
	}
	see := func(t time.Time) {
		if t.After(newest) && printableYear(t) {
			newest = t
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		for _, o := range f.Origins {
			if o.Released != nil {
				see(*o.Released)
			}
		}
		for _, c := range f.Edits {
			see(c.Time)
		}
		for _, c := range []*finding.Commit{f.Introduced, f.Left} {
			if c != nil {
				see(c.Time)
			}
		}
	}
	return newest.UTC().Truncate(time.Second)
}

// contentID returns a hash of a report and the date of its document.
func contentID(r *finding.Report, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	if err := jsonform.Write(&b, r); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "%d", at.Unix())
	sum := sha256.Sum256(b.Bytes())
	return sum[:], nil
}

// shortID returns an id for an element of a document, a hash of what the element represents.
func shortID(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// confidence clamps a score to the range that the formats allow.
func confidence(score float64) float64 { return min(1, max(0, score)) }

// copyrights lists the copyright lines in the notices of a finding.
func copyrights(f *finding.Finding) []string {
	var out []string
	for _, n := range f.Attributions {
		if n.Kind == "copyright" && n.Text != "" {
			out = append(out, n.Text)
		}
	}
	return out
}
