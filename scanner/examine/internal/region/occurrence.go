package region

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// Ranked lists the occurrences of the documents of a region, best first: by share, then home, then age, then how much of a package's
// file is matched, then name.
func (r Region) Ranked(others Others) []Occurrence {
	var out []Occurrence
	seen := make(map[lookup.Key]bool)
	whole := float64(r.Proofs[0].Tokens())
	for _, p := range r.Proofs {
		if seen[p.Doc.Key] {
			continue
		}
		seen[p.Doc.Key] = true
		share := finding.Round(min(1, float64(p.Tokens())/whole))
		for _, o := range others[p.Doc.Key] {
			out = append(out, Occurrence{Proof: p, Occurrence: o, Share: share, Vendored: Vendored(o.Path)})
		}
	}
	fill := filled(out)
	slices.SortFunc(out, func(a, b Occurrence) int { return compareOccurrences(a, b, fill) })
	return out
}

// filled returns, for each package URL, the largest matched share of a file of that package, in any version. A file that was copied
// into a bundle is a small share of the bundle. It returns nil if there is only one package URL.
func filled(os []Occurrence) map[string]float64 {
	if !slices.ContainsFunc(os, func(o Occurrence) bool { return o.PURL != os[0].PURL }) {
		return nil
	}
	of, most := map[string]string{}, map[string]float64{}
	for _, o := range os {
		name, ok := of[o.PURL]
		if !ok {
			name = purl.Name(o.PURL)
			of[o.PURL] = name
		}
		most[name] = max(most[name], float64(o.Tokens())/float64(max(o.Doc.Tokens, 1)))
	}
	out := make(map[string]float64, len(of))
	for p, name := range of {
		out[p] = finding.Round(most[name])
	}
	return out
}

func compareOccurrences(a, b Occurrence, fill map[string]float64) int {
	if c := cmp.Or(cmp.Compare(b.Share, a.Share), CompareHome(a, b)); c != 0 { // return here, because cmp.Or below would parse versions for nothing
		return c
	}
	if c := versions.CompareAge(a.Released, b.Released); c != 0 {
		return c
	}
	if c := cmp.Compare(fill[b.PURL], fill[a.PURL]); c != 0 {
		return c
	}
	return cmp.Or(CompareVersion(a.PURL, b.PURL), cmp.Compare(a.Path, b.Path))
}

// copyDirs lists the names of directories in which people keep copies of other people's code, besides those of package managers. A
// copy comes after a package's own files, and counts for no owner. A name that some projects give to code of their own does little
// harm here. lang/vendored.go lists the tables of such directories, with what each decides.
var copyDirs = []string{"third_party", "third-party", "thirdparty", "3rdparty", "external", "extern", "forked", "contrib", "_vendor", "vendored"}

// Vendored reports whether the name of a directory says that others wrote the code.
func Vendored(path string) bool {
	if lang.Vendored(path) {
		return true
	}
	for dir := range strings.SplitSeq(path, "/") {
		if slices.Contains(copyDirs, dir) {
			return true
		}
	}
	return false
}

// CompareHome puts a package's own code before the copies of other code that a package keeps.
func CompareHome(a, b Occurrence) int {
	switch {
	case a.Vendored == b.Vendored:
		return 0
	case a.Vendored:
		return 1
	}
	return -1
}

// CompareVersion orders by package, then version.
func CompareVersion(a, b string) int {
	if a == b { // the usual case
		return 0
	}
	if c := cmp.Compare(purl.Name(a), purl.Name(b)); c != 0 {
		return c
	}
	return cmp.Or(semver.Compare(dotted(a), dotted(b)), cmp.Compare(a, b))
}

// dotted returns the version of a package URL in the form that semver parses.
func dotted(p string) string { return "v" + strings.TrimPrefix(purl.Version(p), "v") }

// Owners counts the owners of the packages of occurrences.
func Owners(ps []Occurrence) int {
	seen := make(map[string]bool)
	for _, p := range ps {
		seen[purl.Owner(p.PURL)] = true
	}
	return len(seen)
}
