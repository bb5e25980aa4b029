package describe

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// ofModules gives origins in bundles the licence of the module that a region comes from. If a module
// of another package has no notice, its licence is unknown: it is neither that of the bundle nor that of its package. A module is the
// package's own if a source file of the package has the region too.
func ofModules(ps []region.Occurrence) error {
	for i := range ps {
		if !script(&ps[i]) {
			continue
		}
		if _, err := ps[i].Doc.Read(); err != nil {
			return err
		}
	}
	for i := range ps {
		p := &ps[i]
		if !script(p) || p.LicenseFrom.Kind == license.FromList {
			continue
		}
		first, last := p.Match.Origin()
		from, to := p.Doc.Stream.Span(first).Start, p.Doc.Stream.Span(last-1).End
		switch s, in := p.Doc.Modules().At(int(from), int(to), p.License); {
		case in == license.OfNotice:
			p.License, p.LicenseFrom = s.License, license.From{Kind: license.FromModule, Path: p.Path, Line: s.Line}
		case in == license.Unstated && !ownModule(ps, p):
			whole := p.License
			if cmp.Or(whole, license.NoAssertion) == license.NoAssertion {
				whole = p.LicenseFrom.Package
			}
			p.License, p.LicenseFrom = license.NoAssertion, license.From{Kind: license.FromBundle, Path: p.Path, Line: s.Line, Package: whole}
		}
	}
	return nil
}

// script reports whether an occurrence is in a language that bundlers read.
func script(p *region.Occurrence) bool {
	l := lang.ByName(p.Doc.Language)
	return l != nil && l.Family == lang.ByName("javascript").Family
}

// ownModule reports whether the package of an occurrence in a bundle also has the region in a file that is neither a bundle nor
// somebody else's.
func ownModule(ps []region.Occurrence, in *region.Occurrence) bool {
	return slices.ContainsFunc(ps, func(p region.Occurrence) bool {
		return p.PURL == in.PURL && p.Path != in.Path && !p.Vendored && script(&p) && !p.Doc.Modules().Bundle()
	})
}
