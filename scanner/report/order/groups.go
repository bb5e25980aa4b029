package order

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// bundleFiles is the number of files of one package from which a file counts as a bundle of them. A bundle is one
// group.
const bundleFiles = 8

// source is the common property of the regions of a group.
type source struct {
	path, pkg, file string // empty file: a bundle
	prose, quiet    bool
}

func sourceOf(f *finding.Finding) source {
	o := FirstOrigin(f)
	return source{f.Path, purl.Name(o.PURL), o.Path, f.IsProse(), Quiet(f)}
}

// of returns the source without its file.
func (s source) of() source {
	s.file = ""
	return s
}

// Grouped groups the regions that one file shares with one file of a package, or with a bundle. A group takes the place
// of its first region, and its regions are sorted by lines. Files that have the same region of a package, or the same
// names as its files, are grouped too. Groups with a graver finding come first, prose follows code, and findings without
// action follow the others.
func Grouped(fs []*finding.Finding) [][]*finding.Finding {
	out := joined(byFile(fs))
	for _, g := range out {
		byLines(g)
	}
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return cmp.Compare(gravest(a), gravest(b)) })
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(b[0].IsProse(), a[0].IsProse()) })
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(Quiet(b[0]), Quiet(a[0])) })
	return out
}

// gravest returns the rank of the gravest level of a group.
func gravest(g []*finding.Finding) int {
	rank := LevelRank(g[0].Level)
	for _, f := range g[1:] {
		rank = min(rank, LevelRank(f.Level))
	}
	return rank
}

// byLines sorts a group: files in the order of their first finding, regions of a file by lines.
func byLines(g []*finding.Finding) {
	at := make(map[string]int)
	for i, f := range g {
		if _, ok := at[f.Path]; !ok {
			at[f.Path] = i
		}
	}
	slices.SortStableFunc(g, func(a, b *finding.Finding) int { return cmp.Or(at[a.Path]-at[b.Path], a.StartLine-b.StartLine) })
}

// byFile groups the regions that one file shares with one file of a package, or with a bundle.
func byFile(fs []*finding.Finding) [][]*finding.Finding {
	files, met := make(map[source]int), make(map[source]bool)
	for _, f := range fs {
		if k := sourceOf(f); !met[k] {
			met[k] = true
			files[k.of()]++
		}
	}
	return gathered(fs, func(f *finding.Finding) source {
		k := sourceOf(f)
		if files[k.of()] >= bundleFiles {
			k = k.of()
		}
		return k
	})
}

// gathered groups items by a key, in the order in which the keys first occur.
func gathered[T any, K comparable](items []T, key func(T) K) (out [][]T) {
	at := make(map[K]int)
	for _, item := range items {
		k := key(item)
		i, met := at[k]
		if !met {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], item)
	}
	return out
}

// joined joins groups of several files of the target that belong together. The result takes the place of its first
// group.
func joined(groups [][]*finding.Finding) [][]*finding.Finding {
	first := numbers(len(groups)) // leads to the first group that a group is joined with
	root := func(i int) int {
		for first[i] != i {
			i = first[i]
		}
		return i
	}
	for _, same := range slices.Concat(sameNames(groups), sameRegions(groups)) {
		for _, i := range same[1:] {
			a, b := root(same[0]), root(i)
			first[max(a, b)] = min(a, b)
		}
	}
	var out [][]*finding.Finding
	for _, story := range gathered(numbers(len(groups)), root) {
		var all []*finding.Finding
		for _, i := range story {
			all = append(all, groups[i]...)
		}
		out = append(out, all)
	}
	return out
}

// numbers returns the numbers from 0 to n-1.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// sameNames lists the groups whose files have the same names in the target and in one package, if they are in one
// directory of either. Such code was copied as a whole, or extracted into a package.
func sameNames(groups [][]*finding.Finding) [][]int {
	return slices.Concat(
		collected(groups, func(s source) source {
			return source{path: path.Dir(s.path), pkg: s.pkg, prose: s.prose, quiet: s.quiet}
		}),
		collected(groups, func(s source) source {
			return source{file: path.Dir(s.file), pkg: s.pkg, prose: s.prose, quiet: s.quiet}
		}),
	)
}

// stem returns the base name of a file without its extension.
func stem(p string) string {
	name := path.Base(p)
	return strings.TrimSuffix(name, path.Ext(name))
}

// collected gathers by a key the groups whose files have the same names as their origins.
func collected(groups [][]*finding.Finding, key func(source) source) [][]int {
	named := slices.DeleteFunc(numbers(len(groups)), func(i int) bool {
		s := sourceOf(groups[i][0])
		return !strings.EqualFold(stem(s.path), stem(s.file))
	})
	return gathered(named, func(i int) source { return key(sourceOf(groups[i][0])) })
}

// sameRegions lists the groups that have one region of an origin file in different files. A bundle is not joined with
// others.
func sameRegions(groups [][]*finding.Finding) (out [][]int) {
	type part struct {
		f     *finding.Finding
		group int
	}
	var parts []part
	for i, g := range groups {
		for _, f := range g {
			if FilesOf(g) < bundleFiles {
				parts = append(parts, part{f, i})
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		x, y := FirstOrigin(a.f), FirstOrigin(b.f)
		return cmp.Or(cmp.Compare(purl.Name(x.PURL), purl.Name(y.PURL)), cmp.Compare(x.Path, y.Path), x.StartLine-y.StartLine, x.EndLine-y.EndLine)
	})
	for i := 1; i < len(parts); i++ {
		a, b := parts[i-1], parts[i]
		if overlap(a.f, b.f) {
			out = append(out, []int{a.group, b.group})
		}
	}
	return out
}

// overlap reports whether two findings share most lines of an origin file.
func overlap(a, b *finding.Finding) bool {
	s, t := sourceOf(a), sourceOf(b)
	if s.path, t.path = "", ""; s != t {
		return false
	}
	x, y := FirstOrigin(a), FirstOrigin(b)
	common := min(x.EndLine, y.EndLine) - max(x.StartLine, y.StartLine) + 1
	return 2*common > max(x.EndLine-x.StartLine, y.EndLine-y.StartLine)+1
}

// FilesOf counts the files of the origin that the regions of a group come from.
func FilesOf(g []*finding.Finding) int {
	met := make(map[string]bool)
	for _, f := range g {
		met[FirstOrigin(f).Path] = true
	}
	return len(met)
}

// PackageOf returns the package that the regions of a group come from, without a version if they come from several.
func PackageOf(g []*finding.Finding) string {
	first := FirstOrigin(g[0]).PURL
	if slices.ContainsFunc(g, func(f *finding.Finding) bool { return FirstOrigin(f).PURL != first }) {
		return purl.Name(first)
	}
	return first
}

// Places counts the files of a group's regions. place is the file, or the directory that contains all files; "" is the
// root.
func Places(g []*finding.Finding) (files int, place string) {
	met := make(map[string]bool)
	place = g[0].Path
	for _, f := range g {
		met[f.Path] = true
		for !within(place, f.Path) {
			place = path.Dir(place)
		}
	}
	if place == "." {
		place = ""
	}
	return len(met), place
}

// within reports whether a path is dir itself or below it.
func within(dir, p string) bool {
	return dir == "." || dir == "/" || p == dir || strings.HasPrefix(p, dir+"/")
}

// TokensOf adds up the tokens that the regions of a group share with the origin.
func TokensOf(g []*finding.Finding) int {
	n := 0
	for _, f := range g {
		n += f.Tokens
	}
	return n
}

// Shortened reports whether a group has so many files that a list for people shows only its beginning.
func Shortened(g []*finding.Finding) bool {
	files, _ := Places(g)
	return max(files, FilesOf(g)) >= bundleFiles
}

// GroupOf returns the group of each finding that belongs to a group of several.
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
