package order

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Grouped puts the regions that one file shares with one file of a package
// together, by lines, where the first of them stands. Prose follows code, and what
// asks for nothing follows what does.
func Grouped(fs []*finding.Finding) [][]*finding.Finding {
	type key struct {
		path, pkg, file string
		prose, quiet    bool
	}
	at := make(map[key]int)
	var out [][]*finding.Finding
	for _, f := range fs {
		o := FirstOrigin(f)
		k := key{f.Path, purl.Name(o.PURL), o.Path, f.IsProse(), Quiet(f)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b *finding.Finding) int { return a.StartLine - b.StartLine })
	}
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(b[0].IsProse(), a[0].IsProse()) })
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(Quiet(b[0]), Quiet(a[0])) })
	return out
}

// TokensOf adds up what the regions of a group share with the origin.
func TokensOf(g []*finding.Finding) int {
	n := 0
	for _, f := range g {
		n += f.Tokens
	}
	return n
}

// parts finds, for each finding of a group of several, its group.
func GroupOf(groups [][]*finding.Finding) map[*finding.Finding][]*finding.Finding {
	out := make(map[*finding.Finding][]*finding.Finding)
	for _, g := range groups {
		for _, f := range g {
			if len(g) > 1 {
				out[f] = g
			}
		}
	}
	return out
}
