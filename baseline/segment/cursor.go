package segment

import (
	"context"
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A cursor goes through all lists of a segment.
type cursor struct {
	ctx     context.Context
	r       *Reader
	recheck bool // check CRCs again, even if they were checked before
	bare    bool // lists are returned without their count and postings
	err     error

	bucket uint64 // the next bucket
	place  place
	block  block
	i      uint64 // the next key of the block
	at     uint64 // position in highs where its search starts

	key, count uint64
	postings   []uint64
}

func (r *Reader) cursor(ctx context.Context) (*cursor, error) {
	if r.data == nil {
		return nil, fmt.Errorf("read segment %q: %w", r.path, os.ErrClosed)
	}
	return &cursor{ctx: ctx, r: r}, nil
}

// seek moves to the first list whose key is key or higher.
func (c *cursor) seek(key uint64) bool {
	if c.bucket = c.r.geo.bucket(key); c.bucket%c.r.geo.perShard() > 0 {
		if c.err = c.nextShard(); c.err != nil {
			return false
		}
	}
	for c.next() {
		if c.key >= key {
			return true
		}
	}
	return false
}

// next moves to the next list. At the end and on error it returns false.
func (c *cursor) next() bool {
	for c.err == nil && c.i == c.block.n {
		if c.bucket == c.r.geo.buckets() {
			return false
		}
		c.err = c.nextBlock()
	}
	if c.err == nil {
		c.err = c.read()
	}
	return c.err == nil
}

func (c *cursor) nextBlock() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if c.bucket%c.r.geo.perShard() == 0 {
		if err := c.nextShard(); err != nil {
			return err
		}
	}
	p, err := c.r.place(c.bucket)
	if err != nil {
		return err
	}
	c.place, c.block, c.i, c.at = p, block{}, 0, 0
	if p.start < p.end {
		if c.recheck {
			c.r.checked[p.bucket>>6].And(^(uint64(1) << (p.bucket & 63)))
		}
		c.block, err = c.r.block(p)
	}
	c.bucket++
	return err
}

func (c *cursor) nextShard() error {
	s := &c.r.shards[c.bucket/c.r.geo.perShard()]
	willNeed(c.r.data, s.start, s.end-s.start+s.filter.size())
	if err := c.r.need(disk.Range{Off: s.start, Len: s.end - s.start + s.filter.size()}); err != nil {
		return err
	}
	if c.recheck {
		s.checked.Store(false)
		return c.r.checkFilter(s)
	}
	return nil
}

// read decodes the list at i.
func (c *cursor) read() error {
	b := &c.block
	for {
		if c.at >= b.n+1<<highBits {
			return c.r.corrupt("block", c.place.start, "it has fewer keys than it says")
		}
		bit, _ := b.data.bits(b.highs+c.at, 1)
		c.at++
		if bit == 1 {
			break
		}
	}
	high := c.at - 1 - c.i
	low, ok := b.data.bits(b.entries+c.i*b.entryBits, b.lowBits)
	key := c.place.bucket<<c.r.geo.restBits() | high<<b.lowBits | low
	if c.i > 0 && key <= c.key || high >= 1<<highBits {
		return c.r.corrupt("block", c.place.start, "keys do not ascend")
	}
	if ok && !c.bare {
		c.count, c.postings, ok = b.postingsOf(c.postings[:0], c.i, uint64(c.r.info.MaxPostings))
	}
	if !ok {
		return c.r.corrupt("block", c.place.start, "a list lies outside")
	}
	c.key = key
	c.i++
	return nil
}
