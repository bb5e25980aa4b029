package score

import (
	"fmt"
	"math"
	"strings"
)

// Account is what is told of a finding.
type Account struct {
	Evidence
	Support  float64 // bits of the strongest other finding with the same document
	MinScore float64 // that is asked for
	Tokens   int     // matched
	Runs     int
	File     int    // tokens of it
	Baseline uint64 // tokens of all
	Packages int    // of the baseline that have the region
	Of       int    // packages of the baseline
	K        int    // tokens of a k-gram
}

// Reasons tells in words why a finding has its score, weightiest first, and what
// speaks against it last.
func (w *Weights) Reasons(a Account) []string {
	bits := w.Supported(a.Bits, a.Support)
	out := []string{fmt.Sprintf("%.0f bits, where %.0f are needed for a score of %g in a file of %d tokens against a baseline of %d",
		bits, w.Needed(a.MinScore, a.Baseline, a.File), a.MinScore, a.File, a.Baseline)}
	if a.MinScore == 0 {
		out[0] = fmt.Sprintf("%.0f bits, where none are needed for a score of 0", bits)
	}
	out = append(out, fmt.Sprintf("the order of %d tokens alone carries %.0f bits", a.Tokens, a.Structure))
	if len(a.Kept) > 0 {
		out = append(out, "hardly anybody else has "+strings.Join(shortened(a.Kept), ", "))
	}
	if a.Words != "" {
		out = append(out, fmt.Sprintf("its rarest words: %q", cutTo(a.Words, 80)))
	}
	if a.Identifiers > 0 {
		said := fmt.Sprintf("%d of %d names kept, %d renamed one to one", a.Unchanged, a.Identifiers, a.Identifiers-a.Unchanged-a.Inconsistent)
		if a.Map >= 1 {
			said += fmt.Sprintf(", which carries %.0f bits", a.Map)
		}
		out = append(out, said)
	}
	switch {
	case a.Verbatim > 0 && a.Unchanged == a.Identifiers:
		out = append(out, fmt.Sprintf("not a name differs, where strangers have names of their own: %.0f bits", a.Verbatim))
	case a.Verbatim >= 1:
		out = append(out, fmt.Sprintf("few names differ, where strangers have names of their own: %.0f bits", a.Verbatim))
	}
	if a.Equal > 0 {
		out = append(out, fmt.Sprintf("%d of %d literals equal", a.Equal, a.Literals))
	}
	if a.Support > 0 {
		out = append(out, fmt.Sprintf("another region of %.0f bits shared with the same file of the origin, which adds up to a third", a.Support))
	}
	out = append(out, fmt.Sprintf("in %d of %d packages of the baseline", a.Packages, a.Of))
	return append(out, w.against(a)...)
}

// against tells what speaks against a finding.
func (w *Weights) against(a Account) []string {
	var out []string
	if n := a.Runs - 1; n > 0 {
		out = append(out, fmt.Sprintf("against it: %d gaps; a run counts for what it has beyond the gap that leads to it", n))
	}
	if a.Edges >= 1 {
		out = append(out, fmt.Sprintf("against it: it begins or ends within a line or a bracket: %.0f bits", a.Edges))
	}
	if a.Spread >= 1 {
		out = append(out, fmt.Sprintf("against it: %.1f directories of the baseline have a stretch of %d tokens of it, on average: %.0f bits", math.Exp2(a.Spread/w.Spread), a.K, a.Spread))
	}
	if n := a.Inconsistent; n > 0 {
		out = append(out, fmt.Sprintf("against it: %d names do not follow the map", n))
	}
	if n := a.Literals - a.Equal; n > 0 {
		out = append(out, fmt.Sprintf("against it: %d of %d literals differ", n, a.Literals))
	}
	return out
}

// shortened cuts names to what fits a line together.
func shortened(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = cutTo(n, 32)
	}
	return out
}

func cutTo(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
