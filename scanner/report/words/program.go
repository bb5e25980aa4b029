package words

import (
	"cmp"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// PackageName returns the name of a package that its users know.
func PackageName(s string) string {
	p, err := purl.Parse(s)
	if err != nil {
		return cmp.Or(s, "unknown")
	}
	return purl.FullName(p)
}

// Homepage is the address of this program that documents contain.
const Homepage = "https://github.com/git-provenance/git-provenance"

// NumericVersion returns a version that begins with a digit, which programs that compare versions need. A build from a
// work tree has no version and counts as older than all.
func NumericVersion(v string) string {
	v = escape.Clip(escape.Line(strings.TrimPrefix(v, "v")), escape.MaxInline)
	if v == "" || v[0] < '0' || v[0] > '9' {
		v = "0 " + v
	}
	return v
}
