package collection

import (
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Two tables of numbers share all of their tokens, whatever the numbers are, and so do two lists of names. Most of these tokens
// repeat each other: a number, a comma, a number. A pair is ranked by the tokens that tell more than that.

// repeating is the length of the sequences of tokens that are told apart.
const repeating = 6

// distinct counts the different sequences of six tokens in the covered tokens of the target, by their kinds, and with their
// values where matches have the same on both sides. Names do not count, since copies rename them. It is about the number of tokens if
// they do not repeat each other.
func (c *comparer) distinct(covered []match.Interval, ms []match.Match, t, o *Loaded) int {
	n := match.Length(covered)
	if n <= repeating {
		return n
	}
	c.seen.Reset(n)
	count := repeating - 1 // the tokens before the first sequence is complete
	for _, v := range covered {
		for i := v.From; i+repeating <= v.To; i++ {
			h := uint64(0)
			for _, tok := range t.Tokens[i : i+repeating] {
				h = hashes.Next(h, uint64(tok.Kind))
			}
			if c.seen.Add(h) {
				count++
			}
		}
	}
	for _, m := range ms {
		for _, r := range m.Runs {
			count += c.equalValues(r, t, o)
		}
	}
	return min(n, count)
}

// equalValues counts the different sequences of a run that have values, all of them the same on both sides.
func (c *comparer) equalValues(r match.Run, t, o *Loaded) (count int) {
	origins := o.Tokens[r.Origin:r.OriginEnd()]
	var last [repeating]uint64 // hashes of the last tokens
	equal, value := 0, -1      // how many tokens up to here are equal; the last value among them
	for i, a := range t.Tokens[r.Target:r.TargetEnd()] {
		h := uint64(a.Kind)
		if a.Class == lang.String || a.Class == lang.Number {
			b := origins[i]
			text := t.Text[a.Start:a.End]
			if string(text) != string(o.Text[b.Start:b.End]) {
				equal = 0
				continue
			}
			value = i
			for _, x := range text {
				h = hashes.Next(h, uint64(x))
			}
		}
		last[i%repeating] = h
		if equal++; equal < repeating || value <= i-repeating {
			continue
		}
		h = 1 // no sequence of kinds begins with it
		for k := range repeating {
			h = hashes.Next(h, last[(i+1+k)%repeating])
		}
		if c.seen.Add(h) {
			count++
		}
	}
	return count
}
