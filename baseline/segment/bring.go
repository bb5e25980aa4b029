package segment

import (
	"context"
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Found is a query of which everything is on this machine.
type Found struct {
	r      *Reader
	fps    []uint64
	runs   []run
	passed []candidate // of a segment whose parts come when they are needed
}

// Find fetches what a lookup of fps reads, in two rounds: filters, then the blocks of
// what passes. Of a segment that is on this machine it reads nothing. It is a lookup's
// first half, so that several segments can be fetched at a time.
func (r *Reader) Find(ctx context.Context, fps []uint64) (*Found, error) {
	if r.data == nil {
		return nil, fmt.Errorf("look up in segment %q: %w", r.path, os.ErrClosed)
	}
	if !ascend(fps) {
		return nil, fmt.Errorf("look up in segment %q: fingerprints do not ascend", r.path)
	}
	f := &Found{r: r, fps: fps}
	return f, disk.Guard(func() error { return f.bring(ctx) })
}

func (f *Found) bring(ctx context.Context) error {
	r := f.r
	f.runs = r.plan(f.fps)
	if r.parts == nil {
		for _, is := range r.filters(f.runs) { // the disk can work on them together
			willNeed(r.data, is.Off, is.Len)
		}
		return nil
	}
	if err := r.parts.Need(r.filters(f.runs)...); err != nil {
		return err
	}
	l := lookup{r: r, runs: f.runs}
	var blocks []disk.Range
	for base := 0; base < len(f.fps); base += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := l.filter(f.fps[base:min(base+batch, len(f.fps))], base)
		if err != nil {
			return err
		}
		for _, c := range l.room[:n] {
			p, err := r.place(r.geo.bucket(c.key))
			if err != nil {
				return err
			}
			if !r.isChecked(p.bucket) {
				blocks = append(blocks, disk.Range{Off: p.start, Len: p.end - p.start})
			}
			c.i += base
			f.passed = append(f.passed, c)
		}
	}
	return r.parts.Need(blocks...)
}

// A run are the fingerprints of a query that belong to one shard.
type run struct {
	shard    *shard
	end      int  // in the query
	filtered bool // its filter is asked
}

// plan divides a query. Whether a filter is asked stays as it is for the whole query,
// whatever others do meanwhile.
func (r *Reader) plan(fps []uint64) []run {
	runs := make([]run, 0, min(len(fps), len(r.shards)))
	for i := 0; i < len(fps); {
		at, from := r.geo.shard(r.geo.key(fps[i])), i
		for i++; i < len(fps) && r.geo.shard(r.geo.key(fps[i])) == at; i++ {
		}
		s := &r.shards[at]
		runs = append(runs, run{s, i, r.pays(s, i-from)})
	}
	return runs
}

// readUnit is what a disk reads for a block.
const readUnit = 4096

// pays tells whether to read the filter of a shard before n fingerprints are looked up
// there. All of a filter is read and checked once, 20 to 40 KB. A segment of 10^9
// postings has 16,000 shards, of which a query of 10,000 fingerprints asks most for none or
// one, and a block costs one read. A filter is read when what was asked without it, now and before, would have
// cost as much. In a store a read is a request: there filters always come first.
func (r *Reader) pays(s *shard, n int) bool {
	if r.parts != nil || s.checked.Load() {
		return true
	}
	return uint64(s.asked.Add(uint32(n)))*readUnit >= s.filter.size()
}

// filters lists the filters of runs that were never read.
func (r *Reader) filters(runs []run) []disk.Range {
	var out []disk.Range
	for _, is := range runs {
		if is.filtered && !is.shard.checked.Load() {
			out = append(out, disk.Range{Off: is.shard.end, Len: is.shard.filter.size()})
		}
	}
	return out
}
