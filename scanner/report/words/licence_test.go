package words

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestLicenceOf: a reader sees where the licence was read, and why it is not
// known; names of files that are hostile are escaped.
func TestLicenceOf(t *testing.T) {
	const verdict = "; no notice names this origin (undeclared)"
	fits := &finding.Compatibility{License: "ISC", Answer: license.Fits, Rule: "r"}
	fitsNot := &finding.Compatibility{License: "ISC", Answer: license.FitsNot, Rule: "r"}
	for _, c := range []struct {
		expr       string
		from       license.From
		fit        *finding.Compatibility
		brief, all string
	}{
		{"MIT", license.From{}, nil, "MIT" + verdict, "MIT" + verdict},
		{"MIT", license.From{Kind: license.FromTag, Path: "a.go", Line: 3}, nil, "MIT from the SPDX tag of the file, line 3" + verdict, "MIT from the SPDX tag of the file, line 3" + verdict},
		{"MIT", license.From{Kind: license.FromFile, Path: "x\x1b/LICENSE"}, nil, "MIT" + verdict, `MIT from x\x1b/LICENSE of the package` + verdict},
		{"MIT", license.From{Kind: license.FromPackage}, nil, "MIT" + verdict, "MIT from the declaration of the package" + verdict},
		{"NOASSERTION", license.From{Kind: license.FromUnknown, Package: "MIT AND ISC"}, nil,
			"unknown: the package is under MIT AND ISC and does not say which licence is the file's" + verdict, "unknown: the package is under MIT AND ISC and does not say which licence is the file's" + verdict},
		{"NOASSERTION", license.From{Kind: license.FromUnknown}, nil, "unknown: neither the file nor its package states a licence" + verdict, "unknown: neither the file nor its package states a licence" + verdict},
		{"NOASSERTION", license.From{Kind: license.FromUnknown, Path: "a.java", Line: 1}, nil,
			"unknown: the header of the file, line 1, states terms that are no known licence" + verdict, "unknown: the header of the file, line 1, states terms that are no known licence" + verdict},
		{"NOASSERTION", license.From{Kind: license.FromUnknown, Path: "a.java", Line: 1, Package: "MIT"}, nil,
			"unknown: the package is under MIT, but the header of the file, line 1, states other terms" + verdict, "unknown: the package is under MIT, but the header of the file, line 1, states other terms" + verdict},
		{"NOASSERTION", license.From{Kind: license.FromBundle, Path: "a.js", Line: 7}, nil,
			"unknown: the bundle has modules of others, and the one at line 7 names no licence" + verdict, "unknown: the bundle has modules of others, and the one at line 7 names no licence" + verdict},
		{"", license.From{}, nil, "unknown" + verdict, "unknown" + verdict},
		{"MIT", license.From{}, fits, "MIT" + verdict, "MIT" + verdict + "; compatible with ISC here: r"},
		{"GPL-3.0-only", license.From{}, fitsNot, "GPL-3.0-only" + verdict + "; not compatible with ISC here: r", "GPL-3.0-only" + verdict + "; not compatible with ISC here: r"},
		{"MIT", license.From{}, &finding.Compatibility{License: license.NoAssertion, Answer: license.Fits, Rule: "r"}, "MIT" + verdict, "MIT" + verdict + "; compatible with the terms here: r"},
	} {
		f := &finding.Finding{Verdict: finding.Undeclared, Origins: []finding.Origin{{License: c.expr, LicenseFrom: c.from}}, Compatibility: c.fit}
		if got := LicenceOf(f, Brief).String(); got != c.brief {
			t.Errorf("%q, want %q", got, c.brief)
		}
		if got := LicenceOf(f, Full).String(); got != c.all {
			t.Errorf("%q, want %q", got, c.all)
		}
	}
}

// An origin whose licence is not known contradicts no other one.
func TestDisagreement(t *testing.T) {
	for _, c := range []struct {
		first, brief, all string
		licences          []string
	}{
		{"MIT", "", "", []string{"MIT"}},
		{"MIT", "; the origins disagree: ISC, MIT", "; the origins disagree: ISC, MIT", []string{"ISC", "MIT", license.NoAssertion}},
		{"MIT", "", "; that of another origin is unknown", []string{"MIT", license.NoAssertion}},
		{license.NoAssertion, "; another origin has MIT", "; another origin has MIT", []string{"MIT", license.NoAssertion}},
		{license.NoAssertion, "", "", []string{license.NoAssertion}},
	} {
		f := &finding.Finding{Verdict: finding.Undeclared, Origins: []finding.Origin{{License: c.first}}, Licenses: c.licences}
		for extent, want := range map[Extent]string{Brief: c.brief, Full: c.all} {
			if got := LicenceOf(f, extent).String(); !strings.HasSuffix(got, "(undeclared)"+want) {
				t.Errorf("%v: %q does not end with %q", c.licences, got, want)
			}
		}
	}
}
