package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// readFrom says where the licence of an origin was read, "" where a report does
// not tell.
func readFrom(o *finding.Origin) string {
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
		return "by " + Escape(from.Path) + " of the package"
	case license.FromPackage:
		return "by " + cmp.Or(Escape(from.Path), "what the package declares")
	case license.FromUnknown:
		return unknownLicence(from)
	}
	return ""
}

// unknownLicence says why the licence of a file is not known.
func unknownLicence(from license.From) string {
	switch {
	case from.Package != "" && len(license.Terms(from.Package)) > 1:
		return "the package is under " + Escape(from.Package) + ", and does not say which of them is the file's"
	case from.Package != "":
		return "the package is under " + Escape(from.Package) + ", but the file lies among other people's and names no licence"
	case from.Path != "":
		return Escape(from.Path) + " of the package has the text of no licence that is known"
	}
	return "neither the file nor its package states a licence"
}

// compatibility says in words whether the origin's licence fits that of the
// target, "" where a report does not tell.
func compatibility(f *finding.Finding) string {
	c := f.Compatibility
	if c == nil {
		return ""
	}
	here := Escape(c.License) + " here"
	switch c.Answer {
	case license.Fits:
		return "compatible with " + here + ": " + Escape(c.Rule)
	case license.FitsNot:
		return "not compatible with " + here + ": " + Escape(c.Rule)
	}
	return "may not fit " + here + ": " + Escape(c.Rule)
}

// licence lists what is known of the licence of a finding's origins. Where the file
// is under what its package declares, the head line says it all.
func licence(f *finding.Finding, all bool) []string {
	o := firstOrigin(f)
	var out []string
	if s := readFrom(&o); s != "" && (all || !slices.Contains([]string{license.FromPackage, license.FromFile}, o.LicenseFrom.Kind)) {
		out = append(out, Escape(o.License)+" "+s)
		if o.License == license.NoAssertion {
			out[0] = "not known: " + s
		}
	}
	if s := compatibility(f); s != "" && (all || f.Compatibility.Answer != license.Fits) {
		out = append(out, s)
	}
	if len(f.Licenses) > 1 {
		out = append(out, "origins disagree: "+Escape(strings.Join(f.Licenses, ", ")))
	}
	return out
}
