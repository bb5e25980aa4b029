package score

import (
	"math"
)

// Evidence is the information of a match in bits, and the facts that explain it to a person.
type Evidence struct {
	Terms
	Bits         float64      // information of the match: the sum of the terms, at least 0
	Renames      []Rename     // names that differ, most frequent first
	Identifiers  int          // identifier tokens compared
	Unchanged    int          // of these, same name on both sides
	Inconsistent int          // of these, against the one-to-one map
	Literals     int          // string and number tokens compared
	Equal        int          // of these, same value on both sides
	CloneType    int          // 1 verbatim except for layout and comments, 2 names or literals differ, 3 edited
	Rare         []string     // rare names and literals that are unchanged
	Derived      bool         // the evidence is that of an alignment, with the weights of Derived
	Whole        bool         // of an alignment: most of it lies in one function on both sides, and is half of that function
	Named        bool         // of a whole one: the function has a name of its own, the same on both sides
	Below        float64      // tokens from which a match is not short
	Order        float64      // bits of the order of the tokens, before the cost of gaps
	Fixed        int          // tokens fixed by a trait or interface that both sides implement; they carry no bits
	Words        string       // in prose, instead of Rare: the rarest words of the match
	CommentRuns  []CommentRun // equal comments beside the match
}

// Terms are the bits of a match, by kind of evidence. Evidence against the match is positive too, and subtracted. Weigh leaves the last
// two at 0.
type Terms struct {
	Structure float64 // the order of the tokens, minus the cost of gaps
	Names     float64 // unchanged names
	Map       float64 // names renamed one to one
	Verbatim  float64 // few or no names differ
	Values    float64 // equal literals
	Against   float64 // subtracted: names that break the map
	Unequal   float64 // subtracted: literals that differ
	Edges     float64 // subtracted: partial lines and unpaired brackets at the boundaries
	Brief     float64 // subtracted: tokens missing to a match of full length

	Comments  float64 // words of equal comments, added by Comments.Beside
	Frequency float64 // subtracted by Weights.MinusFrequency: document frequency of its k-grams
}

// sum adds up the terms that Weigh sets.
func (t Terms) sum() float64 {
	return t.Structure + t.Names + t.Map + t.Verbatim + t.Values - t.Against - t.Unequal - t.Edges - t.Brief
}

// CommentRun is a run of words that comments of both sides share.
type CommentRun struct {
	Words          int
	Bare           int // of these, numbers, which alone carry no bits
	Line, Last     int // lines of the target
	Origin, Behind int // first and last line of the origin
	Text           string
}

// WithBitsOf returns the evidence with the bits and terms of another.
func (e Evidence) WithBitsOf(o Evidence) Evidence {
	e.Terms, e.Order, e.Bits, e.Below = o.Terms, o.Order, o.Bits, o.Below
	return e
}

// Share returns the share of names that are unchanged, 1 if there are no names.
func (e Evidence) Share() float64 { return share(e.Unchanged, e.Identifiers) }

func share(n, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// Weigh adds readings up to bits, except document frequency, which MinusFrequency subtracts.
func (w *Weights) Weigh(r Readings) Evidence {
	e := Evidence{Renames: r.Renames, Identifiers: r.Identifiers, Unchanged: r.Unchanged, Literals: r.Literals, Equal: r.Equal, CloneType: 1, Words: r.words, Fixed: r.Fixed}
	e.Structure, e.Order = w.structure(r.Runs)
	e.Below = w.below(len(r.Runs))
	e.Brief = w.shortPenalty(r.length(), e.Below)
	if r.Edited {
		e.CloneType = 3
	}
	if !r.Compared {
		e.Bits, e.CloneType = max(e.sum(), 0), max(e.CloneType, 2)
		return e
	}
	w.names(&e, r)
	e.Below -= w.shorter(e, r)
	e.Brief = w.shortPenalty(r.length(), e.Below)
	w.values(&e, r)
	if e.Words != "" {
		e.Rare = nil
	}
	e.Edges = w.edges(r)
	if e.CloneType == 1 && (len(e.Renames) > 0 || e.Inconsistent > 0 || e.Equal < e.Literals) {
		e.CloneType = 2
	}
	e.Bits = max(e.sum(), 0)
	return e
}

// shortPenalty returns the bits subtracted from a match of this length, because it is short.
func (w *Weights) shortPenalty(length, below float64) float64 {
	return w.Brief * max(0, below-length)
}

// shorter returns how many tokens shorter a match may be because its names are renamed. It is 0 for a match with a gap or an
// unpaired bracket: the heads of two unrelated functions often agree up to an open bracket.
func (w *Weights) shorter(e Evidence, r Readings) float64 {
	if len(r.Runs) > 1 || r.Uneven > 0 || float64(len(e.Renames)) < w.VerbatimNames {
		return 0
	}
	return w.BriefRenamed * max(0, 1-e.Share()/w.BriefUnchanged)
}

// below returns the length from which a match with the given number of runs is not short, if some of its names are unchanged.
func (w *Weights) below(runs int) float64 {
	if runs == 1 {
		return w.BriefBelow - withoutGap
	}
	return w.BriefBelow
}

// structure returns the bits of the token kinds: those of the best run, and those of each other run minus the cost of its gap.
// order has no gap subtracted.
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

// repeated returns the most bits of a token that ends a repeated n-gram of the given length.
func (w *Weights) repeated(before int32) float64 {
	switch before {
	case three:
		return w.RepeatThree
	case six:
		return w.RepeatSix
	}
	return w.NewToken
}

// ngram returns the most bits of a token that is part of a frequent n-gram.
func (w *Weights) ngram(index float32, ngram float64) float32 {
	return min(index, float32(ngram+w.Place))
}

// gap returns the cost of the tokens skipped before a run.
func (w *Weights) gap(r Run) float64 {
	return w.Gap + w.GapLength*(math.Log2(1+float64(r.Target))+math.Log2(1+float64(r.Origin)))
}

// name returns the bits of an unchanged name or value.
func (w *Weights) name(r Rarity) float64 {
	if r.Short {
		return w.Short
	}
	if r.Platform {
		r.Bits = min(r.Bits, w.Platform)
	}
	return min(w.RareName, r.Bits)
}

// value returns the bits of an equal literal.
func (w *Weights) value(v Value) float64 {
	bits := w.name(v.Rarity)
	if v.Digits >= 0 {
		bits = min(bits, w.Digit*float64(v.Digits))
	}
	return bits
}

func (w *Weights) names(e *Evidence, r Readings) {
	if r.Identifiers == 0 {
		return
	}
	unchanged, bits, own, news := 0, 0.0, 0.0, 0
	for _, n := range r.Names {
		switch n.Fate {
		case Against:
			e.Inconsistent += n.Count
		case Renamed:
			if n.Told > 0 && !n.Akin {
				e.Map += w.Renamed + w.Agree*min(float64(n.Told-1), w.AgreeMost)
			}
		case Same:
			unchanged++
			news += max(1, n.Told)
			b := w.name(n.Rarity)
			e.listUnchanged(n.text, b, w)
			bits += b
			if n.Own {
				own += max(0, b-w.Platform)
			}
		}
	}
	e.Against = w.Against * float64(e.Inconsistent)
	e.Names = bits * e.Share()
	e.Map = min(e.Map, w.MapMost*max(0, e.Structure)) * math.Pow(w.MapGap, float64(len(r.Runs)-1))
	e.Verbatim = w.verbatim(unchanged, own*e.Share(), e.Identifiers-e.Unchanged, e.Identifiers) * min(1, freshShare*share(news, e.Unchanged))
}

// verbatim returns the bits for few names that differ. unchanged is the number of unchanged names, own their bits as somebody's own
// names. differ and all count occurrences.
func (w *Weights) verbatim(unchanged int, own float64, differ, all int) float64 {
	if float64(unchanged) < w.VerbatimNames {
		return 0
	}
	if differ == 0 {
		return w.Verbatim * min(1, own/w.VerbatimUnchanged)
	}
	return w.Verbatim * min(1, own/w.VerbatimUnchanged) * max(0, 1-float64(differ)/(w.VerbatimMost*float64(all)))
}

// values adds the bits of equal literals if at least half of the literals are equal. Otherwise equal numbers may be accidental,
// as in two tables.
func (w *Weights) values(e *Evidence, r Readings) {
	e.Unequal = w.Unequal * float64(r.Literals-r.Equal)
	if 2*r.Equal < r.Literals {
		return
	}
	for _, v := range r.Values {
		b := w.value(v)
		e.listUnchanged(v.text, b, w)
		e.Values += w.Literal * b
	}
}

// listUnchanged lists a name or literal that is unchanged, if it is rare.
func (e *Evidence) listUnchanged(name string, bits float64, w *Weights) {
	if bits >= listed*w.RareName && len(e.Rare) < rareNames && name != "" {
		e.Rare = append(e.Rare, name)
	}
}

// edges returns the boundary penalty.
func (w *Weights) edges(r Readings) float64 {
	lines := min(w.EdgeMost, float64(r.Late)) + min(w.EdgeMost, float64(r.Early))
	return min(w.EdgesMost, w.Edge*lines+w.Bracket*min(w.BracketMost, float64(r.Uneven)))
}

// Frequency averages how many directories have the k-grams of a match.
type Frequency struct {
	sum float64
	n   int
}

// Add counts a k-gram that the given number of directories have.
func (f *Frequency) Add(directories int) {
	f.sum += math.Log2(float64(min(directories, Frequent)))
	f.n++
}

// CostOfFrequency returns the least number of bits that document frequency subtracts if each k-gram is in the given number of
// directories: see MinusFrequency.
func (w *Weights) CostOfFrequency(directories int) float64 {
	return w.Frequency * math.Log2(float64(min(directories, Frequent)))
}

// Mean returns the mean of log2 of the directories.
func (f Frequency) Mean() float64 {
	if f.n == 0 {
		return 0
	}
	return f.sum / float64(f.n)
}

// MinusFrequency subtracts the bits for document frequency. directories is log2 of the number of
// directories that have a k-gram of the match, on average.
func (w *Weights) MinusFrequency(e Evidence, directories float64) Evidence {
	e.Frequency = w.Frequency * directories
	e.Bits = max(0, e.Bits-e.Frequency)
	return e
}
