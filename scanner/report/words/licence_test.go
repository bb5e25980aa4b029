package words

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestLicenceWords: a reader sees where the licence was read, and why it is not
// known; names of files that are hostile are escaped.
func TestLicenceWords(t *testing.T) {
	for _, c := range []struct {
		expr string
		from license.From
		fit  *finding.Compatibility
		want []string // by default
		all  string
	}{
		{"MIT", license.From{}, nil, nil, ""},
		{"MIT", license.From{Kind: license.FromTag, Path: "a.go", Line: 3}, nil, []string{"MIT by the SPDX tag of the file, line 3"}, "MIT by the SPDX tag of the file, line 3"},
		{"MIT", license.From{Kind: license.FromFile, Path: "x\x1b/LICENSE"}, nil, nil, `MIT by x\x1b/LICENSE of the package`},
		{"MIT", license.From{Kind: license.FromPackage}, nil, nil, "MIT by what the package declares"},
		{"NOASSERTION", license.From{Kind: license.FromUnknown, Package: "MIT AND ISC"}, nil,
			[]string{"not known: the package is under MIT AND ISC, and does not say which of them is the file's"}, "not known: the package is under MIT AND ISC, and does not say which of them is the file's"},
		{"NOASSERTION", license.From{Kind: license.FromUnknown}, nil, []string{"not known: neither the file nor its package states a licence"}, "not known: neither the file nor its package states a licence"},
		{"MIT", license.From{Kind: license.FromPackage}, &finding.Compatibility{License: "ISC", Answer: license.Fits, Rule: "r"}, nil, "MIT by what the package declares; compatible with ISC here: r"},
		{"GPL-3.0-only", license.From{Kind: license.FromPackage}, &finding.Compatibility{License: "ISC", Answer: license.FitsNot, Rule: "r"}, []string{"not compatible with ISC here: r"}, "GPL-3.0-only by what the package declares; not compatible with ISC here: r"},
	} {
		f := &finding.Finding{Origins: []finding.Origin{{License: c.expr, LicenseFrom: c.from}}, Compatibility: c.fit}
		if got := LicenceFacts(f, false); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := strings.Join(LicenceFacts(f, true), "; "); got != c.all {
			t.Errorf("%q, want %q", got, c.all)
		}
	}
}
