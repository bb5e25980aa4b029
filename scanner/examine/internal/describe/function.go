package describe

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// function returns the innermost function that contains a region, with the share of its tokens that the runs match. It returns
// nil if no function does.
func (t *drafter) function(r region.Region, runs []match.Run) *finding.Function {
	slack := min(evidence.Edge, int(r.To-r.From)/4) // tokens at either end of a match can be accidental
	f := functions.Innermost(t.Functions(), int(r.From), int(r.To), slack)
	if f == nil {
		return nil
	}
	n := 0
	for _, hit := range match.Covered(len(t.Tokens), runs)[f.From:f.To] {
		if hit {
			n++
		}
	}
	return &finding.Function{
		Name:      t.NameAt(f.Name),
		StartLine: t.Line(uint32(f.From)), EndLine: t.LastLine(uint32(f.To - 1)),
		Share: finding.Round(float64(n) / float64(f.To-f.From)),
	}
}

// pairs pairs functions of the target with functions of a document, if the runs match at least half of the target's function.
func (t *drafter) pairs(d *library.Document, runs []match.Run) (out []finding.Pair) {
	from := make(map[int]uint32) // token of the target → matched token of the document
	for _, r := range runs {
		for i := range r.Len {
			from[int(r.Target+i)] = r.Origin + i
		}
	}
	there := functions.Outermost(d.Functions())
	last := 0
	for _, b := range functions.Outermost(t.Functions()) {
		matched, in := 0, make([]int, len(there))
		for i := max(b.From, last); i < b.To; i++ {
			at, ok := from[i]
			if !ok {
				continue
			}
			matched++
			for n, o := range there {
				if o.From <= int(at) && int(at) < o.To {
					in[n]++
				}
			}
		}
		if 2*matched < b.To-b.From || len(in) == 0 {
			continue
		}
		best := 0
		for n := range in {
			if in[n] > in[best] {
				best = n
			}
		}
		if 2*in[best] < matched {
			continue
		}
		o := there[best]
		last = b.To
		out = append(out, finding.Pair{
			Name: t.NameAt(b.Name), StartLine: t.Line(uint32(b.From)), EndLine: t.LastLine(uint32(b.To - 1)), Share: finding.Round(float64(matched) / float64(b.To-b.From)),
			OriginName: d.NameAt(o.Name), OriginStartLine: d.Stream.Line(uint32(o.From)), OriginEndLine: d.LastLine(uint32(o.To - 1)), OriginShare: finding.Round(float64(in[best]) / float64(o.To-o.From)),
		})
	}
	return out
}
