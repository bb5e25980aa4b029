package model

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// Counts are the counts that the model of a family is made from: how often each pair of a hash and a unit's bit
// occurred. With them a document can be added to a sample, or removed from it, without counting the others again.
// They stay encoded, since a change copies most of them.
//
// # Format, version 2
//
//	"GPCOUNT2"
//	three tables, each:
//	  uvarint pairs, uvarint bytes, then for each pair, ascending: uvarint pair minus the pair before, uvarint times
//	CRC32C of all before it
type Counts struct{ tables [3]pairTable }

const countsMagic = "GPCOUNT2"

// maxPair is the largest pair: a hash, and a bit of its sketch.
const maxPair = 1<<40 - 1

// pairTable lists pairs, ascending, and how often each occurred, as the file has them.
type pairTable struct {
	pairs int
	b     []byte
	last  uint64 // the last pair; only used to add another
}

// Counts returns the counts of a family and removes them from the builder.
func (b *Builder) Counts(family string) *Counts {
	out := new(Counts)
	c := b.of(family)
	var room []uint64
	for t := range c.pairs {
		c.pairs[t], room = ordered(c.pairs[t], room)
		out.tables[t] = tableOf(c.pairs[t])
		c.pairs[t] = nil
	}
	return out
}

// tableOf counts sorted pairs.
func tableOf(pairs []uint64) (t pairTable) {
	t.b = make([]byte, 0, 4*len(pairs))
	for len(pairs) > 0 {
		n := 1
		for n < len(pairs) && pairs[n] == pairs[0] {
			n++
		}
		t.add(pairs[0], uint64(n))
		pairs = pairs[n:]
	}
	return t
}

func (t *pairTable) add(pair, times uint64) {
	t.b = binary.AppendUvarint(t.b, pair-t.last)
	t.b = binary.AppendUvarint(t.b, times)
	t.last = pair
	t.pairs++
}

// Change adds the counts of plus and subtracts those of minus. It fails if minus has counts that were never added, and if the entries of
// one of them are damaged.
func (c *Counts) Change(plus, minus *Counts) error {
	for t := range c.tables {
		var err error
		if c.tables[t], err = c.tables[t].change(plus.tables[t], minus.tables[t]); err != nil {
			return err
		}
	}
	return nil
}

func (t pairTable) change(plus, minus pairTable) (out pairTable, err error) {
	out.b = make([]byte, 0, len(t.b)+len(plus.b)+2*binary.MaxVarintLen64)
	old, more, less := t.walk(), plus.walk(), minus.walk()
	for !(old.ended() && more.ended() && less.ended()) {
		if next := min(more.pair, less.pair); old.pair < next { // most pairs do not change
			out.copy(&old, next)
			continue
		}
		p := min(old.pair, more.pair, less.pair)
		n := int64(old.take(p)) + int64(more.take(p)) - int64(less.take(p))
		if n < 0 || n > mostTimes {
			return out, fmt.Errorf("%w: a pair counted %d times", errCorrupt, n)
		}
		if n > 0 {
			out.add(p, uint64(n))
		}
	}
	if old.bad || more.bad || less.bad {
		return out, fmt.Errorf("%w: pairs", errCorrupt)
	}
	return out, nil
}

// copy moves the pairs of w that are lower than next to the end of t.
func (t *pairTable) copy(w *walk, next uint64) {
	t.add(w.pair, w.times) // the first pair may follow another pair than in w; the rest follow the same pairs
	from, to := w.r.b, w.r.b
	for w.step(); w.pair < next; w.step() {
		t.last, to = w.pair, w.r.b
		t.pairs++
	}
	t.b = append(t.b, from[:len(from)-len(to)]...)
}

// each yields the pairs, ascending, up to the first damaged one.
func (t pairTable) each() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for w := t.walk(); !w.ended() && yield(w.pair); w.step() {
		}
	}
}

// walk is a position in a table: a pair and its count. The pair is above maxPair at the end.
type walk struct {
	pair, times uint64
	left        int // pairs, this one included
	r           reader
	bad         bool
}

// mostTimes bounds a count.
const mostTimes = 1 << 31

func (t pairTable) walk() walk {
	w := walk{left: t.pairs + 1, r: reader{b: t.b}}
	w.step()
	return w
}

func (w *walk) ended() bool { return w.pair > maxPair }

// step moves to the next pair. A damaged table ends there.
func (w *walk) step() {
	if w.left--; w.left <= 0 {
		w.bad = w.bad || len(w.r.b) > 0
		w.pair, w.times = maxPair+1, 0
		return
	}
	first := w.times == 0
	step, n := w.r.number(), w.r.number()
	if w.r.bad || step > maxPair || w.pair+step > maxPair || step == 0 && !first || n == 0 || n > mostTimes {
		w.pair, w.times, w.left, w.bad = maxPair+1, 0, 0, true
		return
	}
	w.pair, w.times = w.pair+step, n
}

// take returns the count of this pair and moves on if it is p; otherwise it returns 0.
func (w *walk) take(p uint64) (n uint64) {
	if w.pair == p {
		n = w.times
		w.step()
	}
	return n
}

// Take uses counts for the model of a family, from a sample with these units.
func (b *Builder) Take(family string, c *Counts, units map[uint32]bool) {
	to := b.of(family)
	to.taken, to.units = c, units
}

// Append appends the counts in their file format to b.
func (c *Counts) Append(b []byte) []byte {
	from := len(b)
	b = append(b, countsMagic...)
	for _, t := range c.tables {
		b = binary.AppendUvarint(b, uint64(t.pairs))
		b = binary.AppendUvarint(b, uint64(len(t.b)))
		b = append(b, t.b...)
	}
	return sealed(b, from)
}

// Size returns how many bytes Append appends at most.
func (c *Counts) Size() int {
	n := len(countsMagic) + 4
	for _, t := range c.tables {
		n += 2*binary.MaxVarintLen64 + len(t.b)
	}
	return n
}

// UnmarshalCounts reads the output of Append and keeps a reference to b. It does not check the entries of tables; Change does.
func UnmarshalCounts(b []byte) (*Counts, error) {
	body, err := opened(b, countsMagic, "counts")
	if err != nil {
		return nil, err
	}
	r := reader{b: body}
	c := new(Counts)
	for t := range c.tables {
		pairs, size := r.number(), r.number()
		if r.bad || size > uint64(len(r.b)) || pairs > size/2 {
			return nil, fmt.Errorf("%w: more pairs than bytes", errCorrupt)
		}
		c.tables[t] = pairTable{pairs: int(pairs), b: r.b[:size:size]}
		r.b = r.b[size:]
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%w: too long", errCorrupt)
	}
	return c, nil
}
