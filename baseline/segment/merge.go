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
	// Remap returns the number of a posting in the merged segment, or false to drop it because its document was
	// removed. The numbers it returns must ascend as its input does. It may be called twice for the same posting. Nil
	// keeps all postings unchanged.
	Remap func(posting uint64) (uint64, bool)
	// Whole says that Remap drops nothing, so the keys can be counted without the postings.
	Whole bool
}

// Merge writes the union of sources to path. All sources must have o's scheme and store at least as many postings of a
// fingerprint. Options.Keys may be 0: then an extra pass counts the keys. If nothing remains, Merge writes no file and
// returns Info.Keys == 0.
//
// The result equals, byte for byte, one segment built from the union of all lists. If postings were dropped, that still
// holds for lists that were stored in full. For a longer list only the stored postings are known. Dropped postings are
// subtracted from its count. Postings that were never stored stay in the count, whether or not their document remains.
// The room of dropped postings is not refilled. A list without any stored posting left is dropped.
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
	err = union(ctx, sources, allKeys, false, func(key, count uint64, postings []uint64) error {
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

// Range is a range of fingerprints, or of their keys. Both ends are included.
type Range struct{ First, Last uint64 }

// Union calls fn with the lists that Merge would write, for a range of fingerprints, in order. Each list has all
// postings, while Merge cuts it.
func Union(ctx context.Context, o Options, sources []Source, fps Range, fn func(fp, count uint64, postings []uint64) error) error {
	g := geometry{keyBits: KeyBits}
	return disk.Guard(func() error {
		for _, s := range sources {
			if err := fits(s.Reader, o); err != nil {
				return err
			}
		}
		return union(ctx, sources, Range{g.key(fps.First), g.key(fps.Last)}, false, func(key, count uint64, postings []uint64) error {
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

// countKeys returns the number of keys of the union, or an estimate that gives it the same number of buckets.
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
	err = union(ctx, sources, allKeys, whole, func(uint64, uint64, []uint64) error {
		n++
		return nil
	})
	return n, err
}

// keysAtHand is the number of keys after which a merge gives back the memory of what it has read, which is some
// megabytes.
const keysAtHand = 1 << 18

// allKeys ends higher than all keys.
var allKeys = Range{Last: 1<<64 - 1}

// union calls fn with the remapped lists of all sources in order, for a range of keys. Lists of one key are joined. With
// bare, postings are not read and lists have none.
func union(ctx context.Context, sources []Source, keys Range, bare bool, fn func(key, count uint64, postings []uint64) error) error {
	var hs heads
	for _, s := range sources {
		c, err := s.Reader.cursor(ctx)
		if err != nil {
			return err
		}
		c.bare = bare
		if c.seek(keys.First) {
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
		if key > keys.Last {
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

// heads is a heap; the first head has the lowest key.
type heads []head

func (hs heads) order() {
	for i := len(hs)/2 - 1; i >= 0; i-- {
		hs.down(i)
	}
}

// down moves a head down to its position in the heap.
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

// take joins the lists of key, which is that of the first head, and moves their sources on.
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
