package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// ReadFrom says where the licence of an origin was read, "" where a report does
// not tell.
func ReadFrom(o *finding.Origin) string {
	from := o.LicenseFrom
	line := ""
	if from.Line > 0 {
		line = fmt.Sprintf(", line %d", from.Line)
	}
	switch from.Kind {
	case license.FromTag:
		return "by the SPDX tag of the file" + line
	case license.FromHeader:
		return "by the head of the file" + line
	case license.FromFile, license.FromList:
		return "by " + escape.Line(from.Path) + " of the package"
	case license.FromPackage:
		return "by " + cmp.Or(escape.Line(from.Path), "what the package declares")
	case license.FromUnknown:
		return unknownLicence(from)
	}
	return ""
}

// unknownLicence says why the licence of a file is not known.
func unknownLicence(from license.From) string {
	switch {
	case from.Package != "" && len(license.Terms(from.Package)) > 1:
		return "the package is under " + escape.Line(from.Package) + ", and does not say which of them is the file's"
	case from.Package != "":
		return "the package is under " + escape.Line(from.Package) + ", but the file lies among other people's and names no licence"
	case from.Path != "":
		return escape.Line(from.Path) + " of the package has the text of no licence that is known"
	}
	return "neither the file nor its package states a licence"
}

// Compatibility says in words whether the origin's licence fits that of the
// target, "" where a report does not tell.
func Compatibility(f *finding.Finding) string {
	c := f.Compatibility
	if c == nil {
		return ""
	}
	here := escape.Line(c.License) + " here"
	switch c.Answer {
	case license.Fits:
		return "compatible with " + here + ": " + escape.Line(c.Rule)
	case license.FitsNot:
		return "not compatible with " + here + ": " + escape.Line(c.Rule)
	}
	return "may not fit " + here + ": " + escape.Line(c.Rule)
}

// LicenceFacts lists what is known of the licence of a finding's origins. Where the file
// is under what its package declares, the head line says it all.
func LicenceFacts(f *finding.Finding, all bool) []string {
	o := order.FirstOrigin(f)
	var out []string
	if s := ReadFrom(&o); s != "" && (all || !slices.Contains([]string{license.FromPackage, license.FromFile}, o.LicenseFrom.Kind)) {
		out = append(out, escape.Line(o.License)+" "+s)
		if o.License == license.NoAssertion {
			out[0] = "not known: " + s
		}
	}
	if s := Compatibility(f); s != "" && (all || f.Compatibility.Answer != license.Fits) {
		out = append(out, s)
	}
	if len(f.Licenses) > 1 {
		out = append(out, "origins disagree: "+escape.Line(strings.Join(f.Licenses, ", ")))
	}
	return out
}
