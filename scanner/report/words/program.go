package words

import (
	"cmp"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// PackageName is what a package is called by those who use it.
func PackageName(s string) string {
	p, err := purl.Parse(s)
	if err != nil {
		return cmp.Or(s, "unknown")
	}
	return purl.FullName(p)
}

// Homepage is where documents say that this program is from.
const Homepage = "https://github.com/git-provenance/git-provenance"

// NumericVersion begins with a digit, as programs that compare versions need it;
// a build from a work tree has none and is older than all.
func NumericVersion(v string) string {
	v = escape.Clip(escape.Line(strings.TrimPrefix(v, "v")), escape.MaxInline)
	if v == "" || v[0] < '0' || v[0] > '9' {
		v = "0 " + v
	}
	return v
}
