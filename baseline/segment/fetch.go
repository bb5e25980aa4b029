package segment

import (
	"context"
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Found is a query whose data is all on this machine.
type Found struct {
	r      *Reader
	fps    []uint64
	runs   []run
	passed []candidate // candidates that passed, if the segment's parts are fetched on demand
}

// Find fetches what a look-up of fps reads, in two rounds: the filters, then the blocks of the fingerprints that pass.
// If the segment is on this machine, Find reads nothing. It is the first half of Lookup, so that several segments can
// be fetched at once.
func (r *Reader) Find(ctx context.Context, fps []uint64) (*Found, error) {
	if r.data == nil {
		return nil, fmt.Errorf("look up in segment %q: %w", r.path, os.ErrClosed)
	}
	if !ascend(fps) {
		return nil, fmt.Errorf("look up in segment %q: fingerprints do not ascend", r.path)
	}
	f := &Found{r: r, fps: fps}
	return f, disk.Guard(func() error { return f.fetch(ctx) })
}

func (f *Found) fetch(ctx context.Context) error {
	r := f.r
	f.runs = r.plan(f.fps)
	if r.parts == nil {
		for _, is := range r.filters(f.runs) { // the disk can read them in parallel
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

// A run is the part of a query that belongs to one shard.
type run struct {
	shard    *shard
	end      int  // in the query
	filtered bool // its filter is used
}

// plan divides a query into runs. The use of a filter is decided once for the whole query, even if other queries change
// the state meanwhile.
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

// readUnit is the number of bytes that a disk reads for a block.
const readUnit = 4096

// pays reports whether to read the filter of a shard before n fingerprints are looked up there. A filter of 20 to 40 KB
// is read and checked once, as a whole. A segment of 10^9 postings has 16,000 shards. A query of 10,000 fingerprints
// asks most of them for none or one, and a block costs one read. So a filter is read once the look-ups without it, now
// and before, would have cost as much. In a shared store each read is a request, so filters always come first there.
func (r *Reader) pays(s *shard, n int) bool {
	if r.parts != nil || s.checked.Load() {
		return true
	}
	return uint64(s.asked.Add(uint32(n)))*readUnit >= s.filter.size()
}

// filters lists the filters of runs that were not read yet.
func (r *Reader) filters(runs []run) []disk.Range {
	var out []disk.Range
	for _, is := range runs {
		if is.filtered && !is.shard.checked.Load() {
			out = append(out, disk.Range{Off: is.shard.end, Len: is.shard.filter.size()})
		}
	}
	return out
}
