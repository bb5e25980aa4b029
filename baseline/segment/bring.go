package segment

import (
	"context"
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Bring fetches what a lookup of fps will read, in two rounds: filters, then the
// blocks of those that pass. Of a segment that is on this machine it does nothing. A
// lookup calls it itself; called before, for several segments at a time, it spares
// rounds.
func (r *Reader) Bring(ctx context.Context, fps []uint64) error {
	if r.data == nil {
		return fmt.Errorf("look up in segment %q: %w", r.path, os.ErrClosed)
	}
	if !ascend(fps) {
		return fmt.Errorf("look up in segment %q: fingerprints do not ascend", r.path)
	}
	return disk.Guard(func() error { return r.bring(ctx, fps) })
}

func (r *Reader) bring(ctx context.Context, fps []uint64) error {
	if r.parts == nil {
		return nil
	}
	if err := r.parts.Need(r.filters(fps)...); err != nil {
		return err
	}
	l := lookup{r: r}
	var blocks []disk.Range
	for base := 0; base < len(fps); base += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := l.filter(fps[base:min(base+batch, len(fps))])
		if err != nil {
			return err
		}
		for i := range n {
			p, err := r.place(r.geo.bucket(l.room[i].key))
			if err != nil {
				return err
			}
			if !r.isChecked(p.bucket) {
				blocks = append(blocks, disk.Range{Off: p.start, Len: p.end - p.start})
			}
		}
	}
	return r.parts.Need(blocks...)
}

// filters lists the filters of fps that were never read.
func (r *Reader) filters(fps []uint64) []disk.Range {
	var out []disk.Range
	at := ^uint64(0)
	for _, fp := range fps {
		i := r.geo.shard(r.geo.key(fp))
		if i == at {
			continue
		}
		at = i
		if s := &r.shards[i]; !s.checked.Load() {
			out = append(out, disk.Range{Off: s.end, Len: s.filter.size()})
		}
	}
	return out
}
