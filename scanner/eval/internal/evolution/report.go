package evolution

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/measure"
)

// line returns the first line of a piece in its file.
func (p *piece) line() int { return p.code.Line(p.from) }

// functionTables prints recall by agreement, by language and by size.
func functionTables(out io.Writer, rs []result) error {
	fmt.Fprintf(out, "Functions, %d in all. *Found*: findings cover half of the lines. *First*: of those found, the package is named first.\n\n", len(rs))
	head(out, "tokens that agree")
	for _, c := range classes {
		row(out, className(c), rs, func(r result) bool { return classOf(r.Agree) == c })
	}
	fmt.Fprintln(out)
	edited := func(r result) bool { return r.Agree < 1 && r.Agree >= 0.6 }
	head(out, "of those from 0.6 to below 1")
	for _, l := range slices.Sorted(maps.Keys(extensions)) {
		row(out, l, rs, func(r result) bool { return edited(r) && r.Pair.Lang == l })
	}
	for _, s := range sizes {
		row(out, fmt.Sprintf("%d tokens and more", s), rs, func(r result) bool { return edited(r) && sizeOf(r.Pair) == s })
	}
	return boundTable(out, rs)
}

// boundTable prints how many functions have the needed evidence, whichever search led to it.
func boundTable(out io.Writer, rs []result) error {
	fmt.Fprint(out, "\nOf all functions. *Told*: a finding with tokens of the function names the package first. *Could be*: found, or worth what is needed if aligned with "+
		"the right place. *Likely*: of these, found, or most findings with such evidence are true. *In a known file*: worth what is needed beside code of the same file.\n\n")
	fmt.Fprintln(out, "| tokens that agree | functions | found | told | could be | likely | in a known file |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, c := range classes {
		of := slices.DeleteFunc(slices.Clone(rs), func(r result) bool { return classOf(r.Agree) != c })
		if len(of) == 0 {
			continue
		}
		with := func(is func(r result) bool) string {
			return share(len(slices.DeleteFunc(slices.Clone(of), func(r result) bool { return !is(r) })), len(of))
		}
		fmt.Fprintf(out, "| %s | %d | %s | %s | %s | %s | %s |\n", className(c), len(of), with(func(r result) bool { return r.Found }), with(func(r result) bool { return r.Rank }),
			with(func(r result) bool { return r.Found || max(r.most.Bits, r.Bits) >= r.most.Needed }), with(func(r result) bool { return r.Found || r.most.Score >= 0.5 }),
			with(func(r result) bool { return r.Found || r.most.Bits >= r.most.Within }))
	}
	_, err := fmt.Fprintln(out)
	return err
}

func head(out io.Writer, by string) {
	fmt.Fprintf(out, "| %s | functions | found | first | overlap, median | not: below threshold | not: half covered | not: nothing met |\n", by)
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|--:|--:|")
}

func className(c float64) string {
	switch c {
	case 1:
		return "all"
	case 0:
		return "less than 0.4"
	}
	return fmt.Sprintf("%.1f and more", c)
}

func sizeOf(p Pair) int {
	n := min(len(p.Old.words), len(p.New.words))
	for _, s := range sizes {
		if n >= s {
			return s
		}
	}
	return 0
}

func row(out io.Writer, name string, rs []result, of func(result) bool) {
	n, found, first := 0, 0, 0
	stages := make(map[string]int)
	var overlaps []float64
	for _, r := range rs {
		if !of(r) {
			continue
		}
		n++
		stages[r.Stage]++
		if r.Found {
			found++
			overlaps = append(overlaps, r.Overlap)
			if r.Rank {
				first++
			}
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(out, "| %s | %d | %.3f | %s | %.2f | %d | %d | %d |\n", name, n, float64(found)/float64(n), share(first, found), measure.Median(overlaps),
		stages["below threshold"]+stages["short"], stages["partly"], stages["nothing"])
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

// fileTable prints how many whole files are recognised.
func fileTable(out io.Writer, ws []whole) error {
	fmt.Fprintf(out, "Files, %d in all. *Found*: a finding names the package first. *Matched*: tokens of findings to tokens that agree, median.\n\n", len(ws))
	fmt.Fprintln(out, "| tokens that agree | files | found | matched |\n|---|--:|--:|--:|")
	for _, c := range classes {
		n, right := 0, 0
		var matched []float64
		for _, w := range ws {
			if classOf(w.Agree) != c {
				continue
			}
			n++
			if w.right {
				right++
			}
			matched = append(matched, float64(w.matched)/(w.Agree*float64(len(w.Old.words)+len(w.New.words))/2))
		}
		if n > 0 {
			fmt.Fprintf(out, "| %s | %d | %.3f | %.2f |\n", className(c), n, float64(right)/float64(n), measure.Median(matched))
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}
