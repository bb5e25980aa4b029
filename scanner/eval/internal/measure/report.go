package measure

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// share counts the elements of a set with a property.
type share struct{ n, of int }

func (s *share) add(yes bool) {
	s.of++
	if yes {
		s.n++
	}
}

func (s share) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(s.n)/float64(s.of))
}

// shares counts a property among the selected outcomes.
func shares(os []Outcome, meant, yes func(Outcome) bool) (s share) {
	for _, o := range os {
		if meant(o) {
			s.add(yes(o))
		}
	}
	return s
}

func found(o Outcome) bool { return o.Found }

// recallTables prints recall by language, kind and size.
func recallTables(w io.Writer, os []Outcome, langs []string) {
	fmt.Fprintln(w, "Recall of excerpts at the defaults:")
	fmt.Fprintln(w)
	head := "| language | kind |"
	rule := "|---|---|"
	for _, s := range excerpt.Sizes {
		head += fmt.Sprintf(" %d |", s)
		rule += "--:|"
	}
	fmt.Fprintln(w, head+"\n"+rule)
	row := func(l, k string) {
		line := fmt.Sprintf("| %s | %s |", cmp.Or(l, "all"), k)
		for _, s := range excerpt.Sizes {
			line += fmt.Sprintf(" %s |", shares(os, func(o Outcome) bool {
				return o.Shape == "excerpt" && o.Size == s && o.Kind == k && (l == "" || o.Lang == l)
			}, found))
		}
		fmt.Fprintln(w, line)
	}
	for _, l := range append([]string{""}, langs...) {
		for _, k := range excerpt.Kinds {
			row(l, k.Name)
		}
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "Recall of whole functions at the defaults, one alone and three of a file in reverse order:")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| shape | kind | 60–119 | 120–199 | 200–600 |")
	fmt.Fprintln(w, "|---|---|--:|--:|--:|")
	for _, shape := range []string{"function", "reordered"} {
		for _, k := range []string{"1", "2c", "2r"} {
			line := fmt.Sprintf("| %s | %s |", shape, k)
			for _, s := range excerpt.FunctionSizes {
				line += fmt.Sprintf(" %s |", shares(os, func(o Outcome) bool { return o.Shape == shape && o.Size == s && o.Kind == k }, found))
			}
			fmt.Fprintln(w, line)
		}
	}
	fmt.Fprintln(w)
}

// missTable groups the misses by stage.
func missTable(w io.Writer, os []Outcome) {
	stages := []string{"below threshold", "short", "partly", "nothing"}
	fmt.Fprintln(w, "Misses of 60 tokens and more by stage; bits and needed are medians of those below the threshold:")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| language | kind | positives | missed | "+strings.Join(stages, " | ")+" | bits | needed |")
	fmt.Fprintln(w, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	type key struct{ lang, kind string }
	by := make(map[key][]Outcome)
	var keys []key
	for _, o := range os {
		if o.Tokens < 60 || o.Shape == "vendored" {
			continue
		}
		k := key{o.Lang, o.Kind}
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], o)
	}
	for _, k := range keys {
		n := make(map[string]int)
		var bits, needed []float64
		for _, o := range by[k] {
			n[o.Stage]++
			if o.Stage == "below threshold" {
				bits, needed = append(bits, o.Bits), append(needed, o.Needed)
			}
		}
		line := fmt.Sprintf("| %s | %s | %d | %d |", k.lang, k.kind, len(by[k]), len(by[k])-n["found"])
		for _, s := range stages {
			line += fmt.Sprintf(" %d |", n[s])
		}
		fmt.Fprintf(w, "%s %.0f | %.0f |\n", line, Median(bits), Median(needed))
	}
	fmt.Fprintln(w)
}

func Median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

// Negative is a finding in an unknown package's file.
type Negative struct {
	ID, Path, Origin, OriginPath, Verdict string
	Lines                                 string
	Tokens, Type                          int
	Bits, Support, Score, Strength        float64
	Identifiers                           finding.Names
	Literals                              finding.Literals
	Packages                              int
	Text                                  *finding.Sides
}

// negatives lists the findings of a scan, strongest first.
func (s *Scan) negatives(rs []corpus.Review) []Negative {
	var out []Negative
	for _, f := range s.report.Findings {
		o := f.Origins[0]
		out = append(out, Negative{ID: f.ID, Path: f.Path, Origin: purl.Name(o.PURL), OriginPath: fmt.Sprintf("%s:%d-%d", o.Path, o.StartLine, o.EndLine), Verdict: corpus.VerdictOn(rs, f),
			Lines: fmt.Sprintf("%d-%d", f.StartLine, f.EndLine), Tokens: f.Tokens, Type: f.CloneType, Bits: f.Bits, Support: f.Support, Score: f.Score,
			Strength: s.strength(f), Identifiers: f.Identifiers, Literals: f.Literals, Packages: f.PackageCount, Text: f.Text})
	}
	slices.SortStableFunc(out, func(a, b Negative) int { return cmp.Compare(b.Strength, a.Strength) })
	return out
}

// ceilings returns the strengths of the strongest false finding of each file, the highest first. Files without one are
// left out.
func ceilings(ns []Negative) []float64 {
	seen := make(map[string]bool)
	var out []float64
	for _, n := range ns {
		if n.Verdict != "true-copy" && n.Tokens >= examine.DefaultMinTokens && !seen[n.Path] {
			seen[n.Path] = true
			out = append(out, n.Strength)
		}
	}
	return out
}

// auc returns the chance that a positive is stronger than a negative file; half a point if both have no finding.
func auc(os []Outcome, high []float64, files int) float64 {
	if len(os) == 0 || files == 0 {
		return math.NaN()
	}
	low := slices.Clone(high)
	slices.Sort(low)
	silent := files - len(low)
	sum := 0.0
	for _, o := range os {
		if o.Strength == never {
			sum += float64(silent) / 2
			continue
		}
		below, _ := slices.BinarySearch(low, o.Strength)
		sum += float64(silent + below)
	}
	return sum / float64(len(os)) / float64(files)
}

// curveTable prints recall and false findings by threshold.
func curveTable(w io.Writer, os []Outcome, ns []Negative, files int) {
	high := ceilings(ns)
	top := float64(never)
	if len(high) > 0 {
		top = high[0]
	}
	groups := []struct {
		name  string
		meant func(Outcome) bool
	}{
		{"1, excerpts ≥ 60", func(o Outcome) bool { return o.Kind == "1" && o.Shape == "excerpt" }},
		{"2c, excerpts ≥ 60", func(o Outcome) bool { return o.Kind == "2c" && o.Shape == "excerpt" }},
		{"2r, excerpts ≥ 60", func(o Outcome) bool { return o.Kind == "2r" && o.Shape == "excerpt" }},
		{"2l, excerpts ≥ 60", func(o Outcome) bool { return o.Kind == "2l" && o.Shape == "excerpt" }},
		{"3/25, excerpts ≥ 120", func(o Outcome) bool { return o.Kind == "3/25" && o.Shape == "excerpt" && o.Size >= 120 }},
		{"functions ≥ 60, 1 and 2c", func(o Outcome) bool { return o.Shape == "function" && o.Kind != "2r" }},
		{"all ≥ 60", func(o Outcome) bool { return o.Shape != "vendored" && o.Kind != "2r" }},
	}
	thresholds := []float64{0, 2, score.AccidentBits, 7, 10, 14, 20, 30}
	line, rule := "| -log2 E |", "|--:|"
	for _, g := range groups {
		line, rule = line+" "+g.name+" |", rule+"--:|"
	}
	fmt.Fprintf(w, "Recall over the threshold, and false findings in %d unknown files. E is the number of such matches to expect by accident; a finding has a -log2 E of %.2f at least.\n\n", files, score.AccidentBits)
	fmt.Fprintln(w, line+" false findings | a 1,000 files |\n"+rule+"--:|--:|")
	row := func(name string, t float64) {
		line := "| " + name + " |"
		for _, g := range groups {
			line += fmt.Sprintf(" %s |", shares(os, func(o Outcome) bool { return o.Tokens >= 60 && g.meant(o) }, func(o Outcome) bool { return o.Strength > t }))
		}
		n := 0
		for _, x := range ns {
			if x.Verdict != "true-copy" && x.Tokens >= examine.DefaultMinTokens && x.Strength > t {
				n++
			}
		}
		fmt.Fprintf(w, "%s %d | %.2f |\n", line, n, 1000*float64(n)/float64(files))
	}
	for _, t := range thresholds {
		row(fmt.Sprintf("%.2f", t), t)
	}
	row(fmt.Sprintf("**%.2f**, above every negative", top), top)
	line = "| AUC |"
	for _, g := range groups {
		in := slices.DeleteFunc(slices.Clone(os), func(o Outcome) bool { return o.Tokens < 60 || !g.meant(o) })
		line += fmt.Sprintf(" %.3f |", auc(in, high, files))
	}
	fmt.Fprintln(w, line+" | |")
	fmt.Fprintln(w)
}

// originTable prints how often the right package is named first, and how well the lines agree.
func originTable(w io.Writer, os []Outcome) {
	fmt.Fprintln(w, "Of those found, the right package at rank 1, and the median overlap of lines reported and pasted (Jaccard):")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| kind | found | right package first | median overlap | overlap ≥ 0.8 |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|")
	row := func(name string, meant func(Outcome) bool) {
		in := slices.DeleteFunc(slices.Clone(os), func(o Outcome) bool { return !o.Found || !meant(o) })
		var over []float64
		for _, o := range in {
			over = append(over, o.Overlap)
		}
		yes := func(Outcome) bool { return true }
		fmt.Fprintf(w, "| %s | %d | %s | %.3f | %s |\n", name, len(in), shares(in, yes, func(o Outcome) bool { return o.Rank }), Median(over),
			shares(in, yes, func(o Outcome) bool { return o.Overlap >= 0.8 }))
	}
	for _, k := range excerpt.Kinds {
		row(k.Name, func(o Outcome) bool { return o.Kind == k.Name && o.Shape == "excerpt" })
	}
	row("functions", func(o Outcome) bool { return o.Shape == "function" })
	row("reordered", func(o Outcome) bool { return o.Shape == "reordered" })
	row("vendored by others that are known", func(o Outcome) bool { return o.Shape == "vendored" })
	row("all", func(Outcome) bool { return true })
	fmt.Fprintln(w)
}

// falseTable prints the findings in unknown files by verdict of the review.
func falseTable(w io.Writer, ns []Negative, files map[string]int) {
	fmt.Fprintln(w, "Findings at the defaults in files of unknown packages, by what reading both sides said:")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| language | files | true copies | false | unreviewed | false or unreviewed a 1,000 files |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|")
	n := make(map[string]int)
	for _, x := range ns {
		l, _, _ := strings.Cut(x.Path, "/")
		n[l+x.Verdict]++
		n[x.Verdict]++
	}
	all := 0
	row := func(name, l string, of int) {
		bad := n[l+"false"] + n[l+"unreviewed"]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.2f |\n", name, of, n[l+"true-copy"], n[l+"false"], n[l+"unreviewed"], 1000*float64(bad)/float64(max(of, 1)))
	}
	for _, l := range corpus.Languages {
		if files[l] > 0 {
			row(l, l, files[l])
			all += files[l]
		}
	}
	row("all", "", all)
	fmt.Fprintln(w)
	if i := slices.IndexFunc(ns, func(x Negative) bool { return x.Verdict != "true-copy" }); i >= 0 {
		fmt.Fprintf(w, "The strongest false or unreviewed one has -log2 E %.2f: %s:%s.\n\n", ns[i].Strength, ns[i].Path, ns[i].Lines)
	}
}
