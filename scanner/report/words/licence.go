package words

import (
	"cmp"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// ReadFrom says where the licence of an origin was read, "" if the report does not say.
func ReadFrom(o *finding.Origin) string {
	from := o.LicenseFrom
	line := ""
	if from.Line > 0 {
		line = fmt.Sprintf(", line %d", from.Line)
	}
	switch from.Kind {
	case license.FromTag:
		return "from the SPDX tag of the file" + line
	case license.FromHeader:
		return "from the header of the file" + line
	case license.FromModule:
		return "from the notice of the module in the bundle" + line
	case license.FromFile, license.FromList:
		return "from " + escape.Line(from.Path) + " of the package"
	case license.FromPackage:
		return "from " + cmp.Or(escape.Line(from.Path), "the declaration of the package")
	case license.FromUnknown, license.FromBundle:
		return unknownLicence(from)
	}
	return ""
}

// unknownLicence says why the licence of a file is unknown.
func unknownLicence(from license.From) string {
	switch {
	case from.Kind == license.FromBundle && from.Package != "":
		return fmt.Sprintf("the package is under %s, but its bundle has modules of others, and the one at line %d names no licence", escape.Line(from.Package), from.Line)
	case from.Kind == license.FromBundle:
		return fmt.Sprintf("the bundle has modules of others, and the one at line %d names no licence", from.Line)
	case from.Line > 0 && from.Package != "":
		return fmt.Sprintf("the package is under %s, but the header of the file, line %d, states other terms", escape.Line(from.Package), from.Line)
	case from.Line > 0:
		return fmt.Sprintf("the header of the file, line %d, states terms that are no known licence", from.Line)
	case from.Package != "" && len(license.Terms(from.Package)) > 1:
		return "the package is under " + escape.Line(from.Package) + " and does not say which licence is the file's"
	case from.Package != "":
		return "the package is under " + escape.Line(from.Package) + ", but the file is in a vendored directory and names no licence"
	case from.Path != "":
		return escape.Line(from.Path) + " of the package holds no known licence text"
	}
	return "neither the file nor its package states a licence"
}

// Compatibility says whether the origin's licence fits that of the target, "" if the report does not say.
func Compatibility(f *finding.Finding) string {
	c := f.Compatibility
	if c == nil {
		return ""
	}
	here := escape.Line(c.License) + " here"
	if c.License == license.NoAssertion {
		here = "the terms here"
	}
	switch c.Answer {
	case license.Fits:
		return "compatible with " + here + ": " + escape.Line(c.Rule)
	case license.FitsNot:
		return "not compatible with " + here + ": " + escape.Line(c.Rule)
	}
	return "may not fit " + here + ": " + escape.Line(c.Rule)
}
