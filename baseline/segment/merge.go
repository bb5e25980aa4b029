package segment

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A Source is a segment to merge.
type Source struct {
	Reader *Reader
	// Remap gives a posting its number in the merged segment, or says false
	// to drop it: its document was removed. What it keeps must ascend as its
	// input does. It may be asked twice for the same posting. Nil keeps all
	// postings as they are.
	Remap func(posting uint64) (uint64, bool)
	// Whole says that Remap drops nothing: the keys can then be counted without the postings.
	Whole bool
}

// Merge writes the union of sources to path. All must have o's scheme and
// store at least as many postings of a fingerprint. Options.Keys may be 0:
// then the keys are counted in a pass of their own. Nothing is written if
// nothing remains, which Info.Keys == 0 tells.
//
// The outcome is byte for byte that of building one segment from the union of
// all lists. Of a list that was stored in full, that also holds after postings
// were dropped. Of a longer one only the stored postings are known: dropped
// ones are subtracted from its count, those that were never stored stay in it
// whether their document remains or not, the room of the dropped ones is not
// filled up, and a list of which no stored posting remains is dropped.
func Merge(ctx context.Context, path string, o Options, sources []Source) (Info, error) {
	var info Info
	err := disk.Guard(func() (err error) {
		info, err = merge(ctx, path, o, sources)
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("merge into segment %q: %w", path, err)
	}
	return info, nil
}

func merge(ctx context.Context, path string, o Options, sources []Source) (Info, error) {
	if o.MaxPostings == 0 {
		o.MaxPostings = DefaultMaxPostings
	}
	for _, s := range sources {
		if err := fits(s.Reader, o); err != nil {
			return Info{}, err
		}
	}
	if o.Keys == 0 {
		var err error
		if o.Keys, err = countKeys(ctx, sources); err != nil || o.Keys == 0 {
			return Info{}, err
		}
	}
	w, err := Create(path, o)
	if err != nil {
		return Info{}, err
	}
	defer w.Abort()
	err = union(ctx, sources, 0, lastKey, false, func(key, count uint64, postings []uint64) error {
		w.Add(w.geo.fp(key), count, postings)
		return w.err
	})
	if err != nil || w.info.Keys == 0 {
		return Info{}, err
	}
	err = w.Close()
	info := w.info
	info.Size = int64(w.off)
	return info, err
}

// Union calls fn with the lists that Merge would write of the fingerprints from one to
// another, in order. Of each it has all postings, and Merge the first.
func Union(ctx context.Context, o Options, sources []Source, from, to uint64, fn func(fp, count uint64, postings []uint64) error) error {
	g := geometry{keyBits: KeyBits}
	return disk.Guard(func() error {
		for _, s := range sources {
			if err := fits(s.Reader, o); err != nil {
				return err
			}
		}
		return union(ctx, sources, g.key(from), g.key(to), false, func(key, count uint64, postings []uint64) error {
			return fn(g.fp(key), count, postings)
		})
	})
}

func fits(r *Reader, o Options) error {
	switch i := r.Info(); {
	case i.Scheme != o.Scheme:
		return fmt.Errorf("segment %q has scheme %q, want %q", r.path, i.Scheme, o.Scheme)
	case i.KeyBits != KeyBits:
		return fmt.Errorf("segment %q has keys of %d bits, want %d", r.path, i.KeyBits, KeyBits)
	case i.MaxPostings < o.MaxPostings:
		return fmt.Errorf("segment %q stores %d postings of a fingerprint, want %d", r.path, i.MaxPostings, o.MaxPostings)
	}
	return nil
}

// countKeys returns how many keys the union has, or another number that gives it as many buckets.
func countKeys(ctx context.Context, sources []Source) (n uint64, err error) {
	var most, all uint64
	whole := true
	for _, s := range sources {
		keys := s.Reader.Info().Keys
		most, all, whole = max(most, keys), all+keys, whole && (s.Whole || s.Remap == nil)
	}
	if whole && bucketBitsFor(most) == bucketBitsFor(all) {
		return all, nil
	}
	err = union(ctx, sources, 0, lastKey, whole, func(uint64, uint64, []uint64) error {
		n++
		return nil
	})
	return n, err
}

// keysAtHand is after how many keys a merge gives back the memory of what it has read: some megabytes.
const keysAtHand = 1 << 18

// lastKey is behind all keys.
const lastKey = 1<<64 - 1

// union calls fn with the remapped lists of all sources in order, from one key to
// another, those of one key joined. Bare lists have no postings: none is then read.
func union(ctx context.Context, sources []Source, from, to uint64, bare bool, fn func(key, count uint64, postings []uint64) error) error {
	var hs heads
	for _, s := range sources {
		c, err := s.Reader.cursor(ctx)
		if err != nil {
			return err
		}
		c.bare = bare
		if c.seek(from) {
			hs = append(hs, head{c, s.Remap})
		} else if c.err != nil {
			return c.err
		}
	}
	hs.order()
	var postings []uint64
	for n := 1; len(hs) > 0; n++ {
		if n%keysAtHand == 0 {
			for _, s := range sources {
				s.Reader.giveBack()
			}
		}
		key := hs[0].key
		if key > to {
			return nil
		}
		var count uint64
		var err error
		if hs, count, postings, err = hs.take(key, postings[:0]); err != nil {
			return err
		}
		if len(postings) == 0 && !bare {
			continue
		}
		if err := fn(key, count, postings); err != nil {
			return err
		}
	}
	return nil
}

// A head is a source at its next list.
type head struct {
	*cursor
	remap func(uint64) (uint64, bool)
}

// heads is a heap: none has a lower key than the first.
type heads []head

func (hs heads) order() {
	for i := len(hs)/2 - 1; i >= 0; i-- {
		hs.down(i)
	}
}

// down puts a head where it belongs among those below it.
func (hs heads) down(i int) {
	for {
		least := 2*i + 1
		if least >= len(hs) {
			return
		}
		if right := least + 1; right < len(hs) && hs[right].key < hs[least].key {
			least = right
		}
		if hs[i].key <= hs[least].key {
			return
		}
		hs[i], hs[least] = hs[least], hs[i]
		i = least
	}
}

// take joins the lists of key, that of the first, and moves their sources on.
func (hs heads) take(key uint64, dst []uint64) (left heads, count uint64, postings []uint64, err error) {
	for len(hs) > 0 && hs[0].key == key {
		h := hs[0]
		before := len(dst)
		if dst, err = h.remapped(dst); err != nil {
			return nil, 0, nil, err
		}
		count = min(count+h.count-uint64(len(h.postings)-(len(dst)-before)), MaxCount)
		if !h.next() {
			if h.err != nil {
				return nil, 0, nil, h.err
			}
			hs[0] = hs[len(hs)-1]
			hs = hs[:len(hs)-1]
		}
		hs.down(0)
	}
	if !slices.IsSorted(dst) {
		slices.Sort(dst)
	}
	kept := slices.Compact(dst)
	return hs, count - uint64(len(dst)-len(kept)), kept, nil
}

func (h head) remapped(dst []uint64) ([]uint64, error) {
	if h.remap == nil {
		return append(dst, h.postings...), nil
	}
	start := len(dst)
	for _, p := range h.postings {
		q, ok := h.remap(p)
		if !ok {
			continue
		}
		if n := len(dst); n > start && dst[n-1] >= q {
			return nil, fmt.Errorf("segment %q: remapped postings do not ascend", h.r.path)
		}
		dst = append(dst, q)
	}
	return dst, nil
}
