package words

import (
	"cmp"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// VendoredName names a vendored package of the target: by its package URL, else by name and version.
func VendoredName(v *finding.Vendored) string {
	name := v.Name
	if v.Version != "" {
		name += " " + v.Version
	}
	return escape.Line(cmp.Or(v.PURL, name))
}

// VendoredFiles says how many files of a package there are, and whether they were scanned.
func VendoredFiles(v *finding.Vendored) string {
	if v.Scanned {
		return Plural(v.Files, "file") + ", scanned"
	}
	return Plural(v.Files, "file")
}
