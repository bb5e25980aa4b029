package examine

import (
	"cmp"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// ofModules gives origins in bundles the licence of the module that a region comes from. Without a notice of its own, the licence of a
// module of somebody else is not known: it is neither that of the bundle nor that of its package.
func ofModules(ps []region.Occurrence) error {
	for i := range ps {
		p := &ps[i]
		if l := lang.ByName(p.Doc.Language); l == nil || l.Family != lang.ByName("javascript").Family || p.LicenseFrom.Kind == license.FromList {
			continue
		}
		if _, err := p.Doc.Read(); err != nil {
			return err
		}
		first, last := p.Match.Origin()
		from, to := p.Doc.Stream.Span(first).Start, p.Doc.Stream.Span(last-1).End
		switch s, in := p.Doc.Modules().At(int(from), int(to), p.License); in {
		case license.OfNotice:
			p.License, p.LicenseFrom = s.License, license.From{Kind: license.FromModule, Path: p.Path, Line: s.Line}
		case license.Unstated:
			whole := p.License
			if cmp.Or(whole, license.NoAssertion) == license.NoAssertion {
				whole = p.LicenseFrom.Package
			}
			p.License, p.LicenseFrom = license.NoAssertion, license.From{Kind: license.FromUnknown, Path: p.Path, Line: s.Line, Package: whole}
		}
	}
	return nil
}
