package scanner

import (
	"fmt"
	"math"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// reasons tells in words why a finding has its score, weightiest first, and what
// speaks against it last.
func (w *worker) reasons(st stream, f *Finding, ev match.Evidence) []string {
	bits := f.Bits + min(f.Support, f.Bits)*supportShare
	out := []string{fmt.Sprintf("%.0f bits, where %.0f are needed for a score of %g in a file of %d tokens against a baseline of %d",
		bits, w.s.needed(len(st.tokens)), w.s.o.MinScore, len(st.tokens), w.s.tokens)}
	if w.s.o.MinScore == 0 {
		out[0] = fmt.Sprintf("%.0f bits, where none are needed for a score of 0", bits)
	}
	out = append(out, fmt.Sprintf("the order of %d tokens alone carries %.0f bits", f.Tokens, ev.Structure))
	if len(ev.Kept) > 0 {
		out = append(out, "hardly anybody else has "+strings.Join(shortened(ev.Kept), ", "))
	}
	if n := f.Identifiers; n.Total > 0 {
		said := fmt.Sprintf("%d of %d names kept, %d renamed one to one", n.Unchanged, n.Total, n.Renamed)
		if ev.Map >= 1 {
			said += fmt.Sprintf(", which carries %.0f bits", ev.Map)
		}
		out = append(out, said)
	}
	switch {
	case ev.Verbatim > 0 && f.Identifiers.Unchanged == f.Identifiers.Total:
		out = append(out, fmt.Sprintf("not a name differs, where strangers have names of their own: %.0f bits", ev.Verbatim))
	case ev.Verbatim >= 1:
		out = append(out, fmt.Sprintf("few names differ, where strangers have names of their own: %.0f bits", ev.Verbatim))
	}
	if l := f.Literals; l.Equal > 0 {
		out = append(out, fmt.Sprintf("%d of %d literals equal", l.Equal, l.Total))
	}
	if f.Support > 0 {
		out = append(out, fmt.Sprintf("another region of %.0f bits shared with the same file of the origin, which adds up to a third", f.Support))
	}
	out = append(out, fmt.Sprintf("in %d of %d packages of the baseline", f.PackageCount, w.s.info.Packages))
	return append(out, against(f, ev, w.s.params.K)...)
}

func against(f *Finding, ev match.Evidence, k int) []string {
	var out []string
	if n := len(f.Runs) - 1; n > 0 {
		out = append(out, fmt.Sprintf("against it: %d gaps; a run counts for what it has beyond the gap that leads to it", n))
	}
	if ev.Edges >= 1 {
		out = append(out, fmt.Sprintf("against it: it begins or ends within a line or a bracket: %.0f bits", ev.Edges))
	}
	if ev.Spread >= 1 {
		out = append(out, fmt.Sprintf("against it: %.1f directories of the baseline have a stretch of %d tokens of it, on average: %.0f bits", math.Exp2(ev.Spread/bitsSpread), k, ev.Spread))
	}
	if n := f.Identifiers.Inconsistent; n > 0 {
		out = append(out, fmt.Sprintf("against it: %d names do not follow the map", n))
	}
	if l := f.Literals; l.Equal < l.Total {
		out = append(out, fmt.Sprintf("against it: %d of %d literals differ", l.Total-l.Equal, l.Total))
	}
	return out
}

// shortened cuts names to what fits a line together.
func shortened(names []string) []string {
	const most = 32
	out := make([]string, len(names))
	for i, n := range names {
		if r := []rune(n); len(r) > most {
			n = string(r[:most-1]) + "…"
		}
		out[i] = n
	}
	return out
}
