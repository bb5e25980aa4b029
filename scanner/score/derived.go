package score

import "math"

// What an alignment of edited code is worth. A match is worth its longest runs; an alignment is found by trying how two
// stretches fit best, so that what both have anyway, in the order of their language, is in it too. It is told by names
// of somebody's own at the same places, and by few others.

// Derived are the weights of alignments.
type Derived struct {
	Order   float64 `unit:"times the bits of the tokens' order"`
	Name    float64 `unit:"bits, of a name that no other package is known to have; a commoner one by the square of its bits"`
	Value   float64 `unit:"times the bits of an equal literal"`
	Values  float64 `unit:"bits, of all literals at most: tables agree by what they are of"`
	Differ  float64 `unit:"bits a place where the names differ; taken off"`
	Skipped float64 `unit:"bits a doubling of the tokens that a side has beyond the alignment; taken off"`
}

// StandingDerived returns the weights of alignments in use.
func StandingDerived() *Derived {
	return &Derived{Order: 0.75, Name: 15, Value: 0.53, Values: 20, Differ: 4.8, Skipped: 2.4}
}

// Weigh adds the readings of an alignment up to bits, in place of those of a match.
func (d *Derived) Weigh(w *Weights, r Readings) Evidence {
	e := w.Weigh(r)
	e.Terms, e.Aligned = d.terms(w, r), true
	e.Order = e.Structure
	e.Bits = max(0, e.sum())
	return e
}

func (d *Derived) terms(w *Weights, r Readings) (t Terms) {
	target, origin := 0, 0
	for _, run := range r.Runs {
		for _, tok := range run.Tokens {
			t.Structure += d.Order * min(w.repeated(tok.Before), float64(w.ngram(tok.Index, tok.Ngram)))
		}
		target, origin = target+run.Target, origin+run.Origin
	}
	for _, n := range r.Names {
		if n.Fate == Same {
			part := w.name(n.Bits, n.Short, n.Platform) / w.RareName
			t.Names += d.Name * part * part
		}
	}
	for _, v := range r.Values {
		t.Values += d.Value * w.Literal * w.value(v)
	}
	t.Values = min(t.Values, d.Values)
	t.Against = d.Differ * float64(r.Identifiers-r.Unchanged)
	t.Unequal = d.Skipped * (math.Log2(1+float64(target)) + math.Log2(1+float64(origin)))
	return t
}
