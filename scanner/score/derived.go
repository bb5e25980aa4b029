package score

import "math"

// The weights of derived code. A match is based on its longest runs. An alignment is the best fit of two stretches,
// so it also contains tokens that any two texts of a language share. Its evidence is somebody's own names at the same places,
// with few other names there.

// Derived holds the weights of alignments, which are the evidence of derived code.
type Derived struct {
	Order   float64 `unit:"times the bits of the tokens' order"`
	Name    float64 `unit:"bits, of a name that no other package is known to have; a commoner one by the square of its bits"`
	Value   float64 `unit:"times the bits of an equal literal"`
	Values  float64 `unit:"bits, of all literals at most: tables agree by what they are of"`
	Differ  float64 `unit:"bits a place where the names differ; taken off"`
	Skipped float64 `unit:"bits a doubling of the tokens that a side has beyond the alignment; taken off"`
	Brief   float64 `unit:"bits a token that an alignment has fewer than Below: two declarations of one interface are short"`
	Below   float64 `unit:"tokens"`
	Whole   float64 `unit:"bits fewer again, if most of the alignment is half of one function on both sides: calls of one API are parts of functions"`
	Named   float64 `unit:"bits fewer again, if that function has a name of its own, the same on both sides: two people seldom give it to functions that align"`
	Less    float64 `unit:"bits fewer than a match needs: alignments are tried only where rare names of one place led"`
	Ordered float64 `unit:"share of the order of the tokens in the bits that speak for it, from which on it needs Less fewer; at half of it, it needs as many as a match"`
}

// OwnFunction is how many bits make the name of a function its own: hardly any other package has that name.
const OwnFunction = 9

// DefaultDerived returns the default weights of alignments.
func DefaultDerived() *Derived {
	return &Derived{Order: 0.75, Name: 15, Value: 0.53, Values: 20, Differ: 4.8, Skipped: 2.4, Brief: 1, Below: 40, Whole: 6, Named: 6, Less: 20, Ordered: 0.25}
}

// Weigh adds the readings of an alignment up to bits, with its own terms.
func (d *Derived) Weigh(w *Weights, r Readings) Evidence {
	e := w.Weigh(r)
	e.Terms, e.Derived = d.terms(w, r), true
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
			part := w.name(n.Rarity) / w.RareName
			t.Names += d.Name * part * part
		}
	}
	for _, v := range r.Values {
		t.Values += d.Value * w.Literal * w.value(v)
	}
	t.Values = min(t.Values, d.Values)
	if r.Identifiers == 0 { // a table of values: its order is that of any table of its kind
		t.Structure = 0
	}
	t.Brief = d.Brief * max(0, d.Below-r.length())
	t.Against = d.Differ * float64(r.Identifiers-r.Unchanged)
	t.Unequal = d.Skipped * (math.Log2(1+float64(target)) + math.Log2(1+float64(origin)))
	return t
}
