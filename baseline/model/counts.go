package model

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Counts are the counts that the model of a family is made from: how often each pair of a hash and a unit's bit
// occurred. With them a document can be added to a sample, or removed from it, without counting the others again.
//
// # Format, version 1
//
//	"GPCOUNT1"
//	three tables, each:
//	  uvarint pairs, then for each, ascending: uvarint pair minus the pair before, uvarint times
//	CRC32C of all before it
type Counts struct {
	pairs [3][]uint64
	times [3][]uint32
}

const countsMagic = "GPCOUNT1"

// maxPair is the largest pair: a hash, and a bit of its sketch.
const maxPair = 1<<40 - 1

// Counts returns the counts of a family and removes them from the builder.
func (b *Builder) Counts(family string) *Counts {
	out := new(Counts)
	c := b.of(family)
	var room []uint64
	for t := range c.pairs {
		c.pairs[t], room = ordered(c.pairs[t], room)
		out.pairs[t], out.times[t] = runs(c.pairs[t])
		c.pairs[t] = nil
	}
	return out
}

// runs returns each value of the sorted pairs once, and how often it occurs.
func runs(pairs []uint64) (once []uint64, times []uint32) {
	for i, p := range pairs {
		if i == 0 || p != pairs[i-1] {
			once, times = append(once, p), append(times, 0)
		}
		times[len(times)-1]++
	}
	return once, times
}

// Change adds the counts of plus and subtracts those of minus. It fails if minus has counts that were never added.
func (c *Counts) Change(plus, minus *Counts) error {
	for t := range c.pairs {
		if err := c.change(t, plus, minus); err != nil {
			return err
		}
	}
	return nil
}

func (c *Counts) change(t int, plus, minus *Counts) error {
	pairs := make([]uint64, 0, len(c.pairs[t])+len(plus.pairs[t]))
	times := make([]uint32, 0, cap(pairs))
	sides := [...]walk{{c.pairs[t], c.times[t]}, {plus.pairs[t], plus.times[t]}, {minus.pairs[t], minus.times[t]}}
	for len(sides[0].pairs)+len(sides[1].pairs)+len(sides[2].pairs) > 0 {
		if n := sides[0].below(min(sides[1].next(), sides[2].next())); n > 0 { // most pairs do not change
			pairs, times = append(pairs, sides[0].pairs[:n]...), append(times, sides[0].times[:n]...)
			sides[0] = walk{sides[0].pairs[n:], sides[0].times[n:]}
			continue
		}
		p := min(sides[0].next(), sides[1].next(), sides[2].next())
		n := int64(sides[0].take(p)) + int64(sides[1].take(p)) - int64(sides[2].take(p))
		switch {
		case n < 0 || n > 1<<31:
			return fmt.Errorf("%w: a pair counted %d times", errCorrupt, n)
		case n > 0:
			pairs, times = append(pairs, p), append(times, uint32(n))
		}
	}
	c.pairs[t], c.times[t] = pairs, times
	return nil
}

// walk is the rest of a table.
type walk struct {
	pairs []uint64
	times []uint32
}

func (w *walk) next() uint64 {
	if len(w.pairs) == 0 {
		return maxPair + 1
	}
	return w.pairs[0]
}

// below returns how many pairs at the start are lower than p.
func (w *walk) below(p uint64) (n int) {
	for n < len(w.pairs) && w.pairs[n] < p {
		n++
	}
	return n
}

// take returns the count of the first pair and moves on if that pair is p; otherwise it returns 0.
func (w *walk) take(p uint64) (n uint32) {
	if len(w.pairs) > 0 && w.pairs[0] == p {
		n = w.times[0]
		w.pairs, w.times = w.pairs[1:], w.times[1:]
	}
	return n
}

// Take uses counts for the model of a family, from a sample with these units.
func (b *Builder) Take(family string, c *Counts, units map[uint32]bool) {
	to := b.of(family)
	to.taken, to.units = c, units
}

// Marshal returns the counts in their file format.
func (c *Counts) Marshal() []byte {
	n := 0
	for _, p := range c.pairs {
		n += len(p)
	}
	b := append(make([]byte, 0, 5*n+64), countsMagic...)
	for t := range c.pairs {
		b = binary.AppendUvarint(b, uint64(len(c.pairs[t])))
		last := uint64(0)
		for i, p := range c.pairs[t] {
			b = binary.AppendUvarint(b, p-last)
			b = binary.AppendUvarint(b, uint64(c.times[t][i]))
			last = p
		}
	}
	return sealed(b)
}

// UnmarshalCounts reads the output of Marshal.
func UnmarshalCounts(b []byte) (*Counts, error) {
	body, err := opened(b, countsMagic, "counts")
	if err != nil {
		return nil, err
	}
	r := reader{b: body}
	c := new(Counts)
	for t := range c.pairs {
		n := r.number()
		if r.bad || n > uint64(len(r.b))/2 {
			return nil, fmt.Errorf("%w: more pairs than bytes", errCorrupt)
		}
		pairs, times := make([]uint64, n), make([]uint32, n)
		at := uint64(0)
		for i := range pairs {
			step, k := r.number(), r.number()
			if at += step; r.bad || step > maxPair || at > maxPair || i > 0 && step == 0 || k == 0 || k > 1<<31 {
				return nil, fmt.Errorf("%w: pair %d", errCorrupt, i)
			}
			pairs[i], times[i] = at, uint32(k)
		}
		c.pairs[t], c.times[t] = pairs, times
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%w: too long", errCorrupt)
	}
	return c, nil
}

// Equal reports whether both have the same counts.
func (c *Counts) Equal(d *Counts) bool {
	for t := range c.pairs {
		if !slices.Equal(c.pairs[t], d.pairs[t]) || !slices.Equal(c.times[t], d.times[t]) {
			return false
		}
	}
	return true
}
