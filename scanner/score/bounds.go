package score

// BoundOfKinds returns the bits of a bound if no name is unchanged.
func (w *Weights) BoundOfKinds(b Bound) float64 {
	return b.Structure + min(b.Renamed, w.MapMost*b.Structure)
}

// BoundOfStretches returns the most bits of a match whose runs are in separate stretches. All runs but the best pay for their
// gap. At least foreign of its names are not in the document.
func (w *Weights) BoundOfStretches(bs []Bound, foreign int) float64 {
	b := w.sum(bs)
	bits := w.bound(b, w.verbatim(max(b.identifiers, int(w.VerbatimNames)), b.Unchanged, foreign, max(b.identifiers, foreign)), 1)
	return max(bits, w.renamed(b, b.paired))
}

// BoundOfRuns returns the most bits of a match that has exactly these stretches as its runs, before its edges are subtracted. At
// least uneven of its brackets are unpaired.
func (w *Weights) BoundOfRuns(bs []Bound, uneven int) float64 {
	b := w.sum(bs)
	bits := w.bound(b, w.verbatim(max(b.identifiers, int(w.VerbatimNames)), b.Unchanged, b.foreign, b.identifiers), len(bs))
	if len(bs) == 1 && uneven == 0 {
		return max(bits, w.renamed(b, b.length))
	}
	return bits
}

// CostOfUneven returns the least number of bits that a number of unpaired brackets takes off.
func (w *Weights) CostOfUneven(uneven int) float64 { return w.edges(Readings{Uneven: uneven}) }

// bound returns the most bits of a match that has at least the given number of runs. A match whose names are renamed may be
// shorter: renamed bounds that case.
func (w *Weights) bound(b Bound, verbatim float64, runs int) float64 {
	return max(0, w.most(b, verbatim)-w.shortPenalty(b.length, w.below(runs)))
}

// renamed returns the most bits of a match without a gap in which nearly all names are renamed. paired is the number of its tokens
// whose brackets may be paired.
func (w *Weights) renamed(b Bound, paired float64) float64 {
	return b.Structure + b.values + min(b.told, w.MapMost*b.Structure) + w.BriefUnchanged*(b.Unchanged-b.values) - w.shortPenalty(paired, w.below(1)-w.BriefRenamed)
}

// most returns the larger of two bounds: too many names differ for the verbatim bits, or few differ and these may be renamed.
func (w *Weights) most(b Bound, verbatim float64) float64 {
	renamed := min(b.Renamed, w.MapMost*b.Structure)
	few := min(renamed, w.VerbatimMost*float64(b.identifiers)*w.Renamed)
	return b.Structure + b.Unchanged + max(renamed, few+verbatim)
}

func (w *Weights) sum(bs []Bound) (all Bound) {
	best := 0.0
	for _, b := range bs {
		all.Unchanged, all.Renamed = all.Unchanged+b.Unchanged, all.Renamed+b.Renamed
		all.told, all.values = all.told+b.told, all.values+b.values
		all.identifiers, all.foreign = all.identifiers+b.identifiers, all.foreign+b.foreign
		all.length, all.paired = all.length+b.length, max(all.paired, b.paired)
		all.Structure += max(0, b.Structure-w.Gap)
		best = max(best, b.Structure)
	}
	all.Structure += min(best, w.Gap)
	return all
}

// UpperBound returns the most bits that a match of the target tokens [from, to) can
// carry. has reports whether the document may contain a name.
func (c *Costs) UpperBound(from, to int, has func(hash uint32) bool) Bound {
	return c.SpanBound(from, to).UpperBound(has)
}

// Bound is an upper bound of the bits of a match: by token kinds, by unchanged names and literals, and by renamed names. Renamed
// counts only the bits that a name has beyond its bits as an unchanged one.
type Bound struct {
	Structure, Unchanged, Renamed float64
	told, values                  float64 // told: bits of the names if all are renamed; values: bits of the literals
	identifiers                   int
	foreign                       int // identifiers whose names the document does not have
	length                        float64
	paired                        float64 // tokens of the longest part whose brackets may be paired, if that matters
}
