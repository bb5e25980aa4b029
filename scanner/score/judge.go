package score

import (
	"math"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// Evidence is what a match is worth, and what convinces a person of it.
type Evidence struct {
	Terms
	Bits         float64  // information of what is shared: the sum of the terms, 0 at least
	Renames      []Rename // names that differ, most frequent first
	Identifiers  int      // identifier tokens compared
	Unchanged    int      // of these, same name on both sides
	Inconsistent int      // of these, against the one-to-one map
	Literals     int      // string and number tokens compared
	Equal        int      // of these, same value on both sides
	CloneType    int      // 1 verbatim but for layout and comments, 2 names or literals differ, 3 edited
	Kept         []string // rare names and literals that are unchanged
	Aligned      bool     // the terms are those of an alignment: see Derived
	Order        float64  // bits of the order of the tokens, the cost of gaps not taken off
	Fixed        int      // tokens that what both sides implement fixes; they carry nothing
	Words        string   // of prose, instead of Kept: the rarest words of the match
	Remarks      []Remark // of comments beside the match that agree
}

// Terms are the bits of a match, by kind of evidence. What speaks against the
// match is positive too, and taken off by sum.
type Terms struct {
	Structure float64 // the order of the tokens, less the cost of gaps
	Names     float64 // unchanged names
	Map       float64 // names renamed one to one
	Verbatim  float64 // hardly a name differs
	Values    float64 // equal literals
	Against   float64 // off: names that break the map
	Unequal   float64 // off: literals that differ
	Edges     float64 // off: lines and brackets it has a part of
	Brief     float64 // off: tokens that a match of full length has more
	Comments  float64 // words of comments that agree; see Comments.Beside
	Frequency float64 // off: many directories have its k-grams; see Weights.Frequency
}

func (t Terms) sum() float64 {
	return t.Structure + t.Names + t.Map + t.Verbatim + t.Values - t.Against - t.Unequal - t.Edges - t.Brief
}

// WorthOf returns the evidence with the bits of another, and with what these are made of.
func (e Evidence) WorthOf(o Evidence) Evidence {
	e.Terms, e.Order, e.Bits = o.Terms, o.Order, o.Bits
	return e
}

// Share is the part of the names that are unchanged, 1 where there are none.
func (e Evidence) Share() float64 { return share(e.Unchanged, e.Identifiers) }

func share(n, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// Judge reads a match and weighs it by the weights of the costs.
func Judge(target, origin match.Side, m match.Match, c *Costs) Evidence {
	return c.w.Weigh(Read(target, origin, m, c))
}

// Weigh adds readings up to bits, but for Weights.Frequency: see Rarer.
func (w *Weights) Weigh(r Readings) Evidence {
	e := Evidence{Renames: r.Renames, Identifiers: r.Identifiers, Unchanged: r.Unchanged, Literals: r.Literals, Equal: r.Equal, CloneType: 1, Words: r.words, Fixed: r.Fixed}
	e.Structure, e.Order = w.structure(r.Runs)
	e.Brief = w.brief(r.tokens() + r.Fixed)
	if len(r.Runs) > 1 {
		e.CloneType = 3
	}
	if !r.Compared {
		e.Bits, e.CloneType = max(e.sum(), 0), max(e.CloneType, 2)
		return e
	}
	w.names(&e, r)
	w.values(&e, r)
	if e.Words != "" {
		e.Kept = nil
	}
	e.Edges = w.edges(r)
	if e.CloneType == 1 && (len(e.Renames) > 0 || e.Inconsistent > 0 || e.Equal < e.Literals) {
		e.CloneType = 2
	}
	e.Bits = max(e.sum(), 0)
	return e
}

// brief is what is missing to a match of so many tokens.
func (w *Weights) brief(tokens int) float64 { return w.Brief * max(0, w.BriefBelow-float64(tokens)) }

// structure is the information of the kinds alone: that of the best run, and what
// the others have beyond the gap that leads there.
func (w *Weights) structure(runs []Run) (bits, order float64) {
	each, best := make([]float64, len(runs)), 0
	for n, r := range runs {
		for _, t := range r.Tokens {
			each[n] += min(w.repeated(t.Before), float64(w.ngram(t.Index, t.Ngram)))
		}
		order += each[n]
		if each[n] > each[best] {
			best = n
		}
	}
	for n := range runs {
		switch {
		case n < best:
			each[n] = max(-w.GapWaste, each[n]-w.gap(runs[n+1]))
		case n > best:
			each[n] = max(-w.GapWaste, each[n]-w.gap(runs[n]))
		}
		bits += each[n]
	}
	return bits, order
}

// repeated is the most a token costs of which so many up to it stood there before.
func (w *Weights) repeated(before int) float64 {
	switch before {
	case three:
		return w.RepeatThree
	case six:
		return w.RepeatSix
	}
	return w.NewToken
}

// ngram is the most a token costs as part of what many have.
func (w *Weights) ngram(index float32, ngram float64) float32 {
	return min(index, float32(ngram+w.Place))
}

// gap is the cost of what is skipped before a run.
func (w *Weights) gap(r Run) float64 {
	return w.Gap + w.GapLength*(math.Log2(1+float64(r.Target))+math.Log2(1+float64(r.Origin)))
}

// name is what an unchanged name or value is worth.
func (w *Weights) name(bits float64, short, platform bool) float64 {
	if short {
		return w.Short
	}
	if platform {
		bits = min(bits, w.Platform)
	}
	return min(w.RareName, bits)
}

// value is name for a literal.
func (w *Weights) value(v Value) float64 {
	bits := w.name(v.Bits, v.Short, v.Platform)
	if v.Digits >= 0 {
		bits = min(bits, w.Digit*float64(v.Digits))
	}
	return bits
}

func (w *Weights) names(e *Evidence, r Readings) {
	if r.Identifiers == 0 {
		return
	}
	kept, bits, own, news := 0, 0.0, 0.0, 0
	for _, n := range r.Names {
		switch n.Fate {
		case Against:
			e.Inconsistent += n.Count
		case Renamed:
			if n.Told > 0 && !n.Akin {
				e.Map += w.Renamed + w.Agree*min(float64(n.Told-1), w.AgreeMost)
			}
		case Same:
			kept++
			news += max(1, n.Told)
			b := w.name(n.Bits, n.Short, n.Platform)
			e.keep(n.text, b, w)
			bits += b
			if len(n.text) >= ownName {
				own += max(0, b-w.Platform)
			}
		}
	}
	e.Against = w.Against * float64(e.Inconsistent)
	e.Names = bits * e.Share()
	e.Map = min(e.Map, w.MapMost*max(0, e.Structure)) * math.Pow(w.MapGap, float64(len(r.Runs)-1))
	e.Verbatim = w.verbatim(kept, own*e.Share(), e.Identifiers-e.Unchanged, e.Identifiers) * min(1, freshShare*share(news, e.Unchanged))
}

// ownName is the length from which on a name can be somebody's own: rej, num and the like are how everybody abbreviates.
const ownName = 4

// freshShare is how often the share of places of unchanged names counts that do more than repeat. Records of one kind have
// the same few names over and over: that none of them differs is said by the first.
const freshShare = 3

// verbatim is what it is worth that of so many occurrences of names few differ,
// with so many names kept, which have so many bits of somebody's own.
func (w *Weights) verbatim(kept int, own float64, differ, all int) float64 {
	if float64(kept) < w.VerbatimNames {
		return 0
	}
	if differ == 0 {
		return w.Verbatim * min(1, own/w.VerbatimKept)
	}
	return w.Verbatim * min(1, own/w.VerbatimKept) * max(0, 1-float64(differ)/(w.VerbatimMost*float64(all)))
}

// values counts literals that agree only where most do: a table of one's own has
// a few numbers of anybody's.
func (w *Weights) values(e *Evidence, r Readings) {
	e.Unequal = w.Unequal * float64(r.Literals-r.Equal)
	if 2*r.Equal < r.Literals {
		return
	}
	for _, v := range r.Values {
		b := w.value(v)
		e.keep(v.text, b, w)
		e.Values += w.Literal * b
	}
}

// keep names a rare name or literal that is unchanged.
func (e *Evidence) keep(name string, bits float64, w *Weights) {
	if bits >= listed*w.RareName && len(e.Kept) < keptNames {
		e.Kept = append(e.Kept, name)
	}
}

// edges is what speaks against a match for where it begins and ends.
func (w *Weights) edges(r Readings) float64 {
	lines := min(w.EdgeMost, float64(r.Late)) + min(w.EdgeMost, float64(r.Early))
	return min(w.EdgesMost, w.Edge*lines+w.Bracket*min(w.BracketMost, float64(r.Uneven)))
}

// Rarer subtracts the bits for document frequency. directories is log2 of the number of
// directories that have a k-gram of the match, on average.
func (w *Weights) Rarer(e Evidence, directories float64) Evidence {
	e.Frequency = w.Frequency * directories
	e.Bits = max(0, e.Bits-e.Frequency)
	return e
}
