package order

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// bundleFiles is from how many files of one package on a file is taken for a bundle of
// them, all of which is one story.
const bundleFiles = 8

// source is what the regions of a group have in common.
type source struct {
	path, pkg, file string // no file: a bundle
	prose, quiet    bool
}

func sourceOf(f *finding.Finding) source {
	o := FirstOrigin(f)
	return source{f.Path, purl.Name(o.PURL), o.Path, f.IsProse(), Quiet(f)}
}

// of is the source without the file.
func (s source) of() source {
	s.file = ""
	return s
}

// Grouped puts the regions that one file shares with one file of a package, or with
// many, together, by lines, where the first of them stands. Prose follows code, and what
// asks for nothing follows what does.
func Grouped(fs []*finding.Finding) [][]*finding.Finding {
	files, met := make(map[source]int), make(map[source]bool)
	for _, f := range fs {
		if k := sourceOf(f); !met[k] {
			met[k] = true
			files[k.of()]++
		}
	}
	at := make(map[source]int)
	var out [][]*finding.Finding
	for _, f := range fs {
		k := sourceOf(f)
		if files[k.of()] >= bundleFiles {
			k = k.of()
		}
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

// FilesOf counts the files of the origin that the regions of a group come from.
func FilesOf(g []*finding.Finding) int {
	met := make(map[string]bool)
	for _, f := range g {
		met[FirstOrigin(f).Path] = true
	}
	return len(met)
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
