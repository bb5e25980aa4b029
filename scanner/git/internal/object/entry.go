package object

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// entry is the header of an object in a pack.
type entry struct {
	typ  Type
	size int64 // inflated size; of the delta if the entry is one
	data int64 // offset of the deflated bytes
	base int64 // offset of the delta's base in the same pack
}

// link is a delta of a chain and the offset of the object that it makes.
type link struct {
	off   int64
	delta []byte
}

// packed returns the object at off.
func (r *Reader) packed(p *pack, off int64, h Hash, limit int64) (Type, []byte, error) {
	object, chain, err := r.chain(p, off, h, limit)
	if err != nil {
		return 0, nil, err
	}
	work := int64(0)
	for _, l := range slices.Backward(chain) {
		b, at, err := r.apply(object.data, l.delta)
		if work += int64(len(b)); err == nil && work > maxChainWork {
			err = errors.New("chain of deltas too large")
		}
		if err != nil {
			return 0, nil, &CorruptError{What: p.path, Offset: l.off, Detail: err.Error()}
		}
		object.data, object.slab = b, at.slab
		r.cache.put(p.key(l.off), object.typ, at)
	}
	r.handOut(object)
	return object.typ, object.data, TooLarge(h, int64(len(object.data)), limit)
}

// chain collects the deltas from the object at off down to a base that is whole or in the cache. It is a loop, and each
// link is checked against the limits before it is inflated: a hostile pack can have circular chains or deltas that
// swell.
func (r *Reader) chain(p *pack, off int64, h Hash, limit int64) (base cached, chain []link, err error) {
	inflated := 0
	r.deltas, chain = r.deltas[:0], r.links[:0]
	defer func() { r.links = chain }()
	for len(chain) <= maxDeltaChain && inflated <= maxDeltaBytes {
		key := p.key(off)
		if c, ok := r.cache.get(key); ok {
			return c, chain, nil
		}
		e, err := r.header(p, off)
		if err != nil {
			return cached{}, nil, err
		}
		if err := r.checkSize(p, e, h, limit, len(chain)); err != nil {
			return cached{}, nil, err
		}
		if !e.isDelta() {
			base, err = r.whole(p, e, key)
			return base, chain, err
		}
		b, err := r.delta(p, e)
		if err != nil {
			return cached{}, nil, err
		}
		if _, target, _, ok := deltaSizes(b); ok && len(chain) == 0 {
			if err := TooLarge(h, target, limit); err != nil {
				return cached{}, nil, err
			}
		}
		inflated += len(b)
		chain = append(chain, link{off, b})
		off = e.base
	}
	return cached{}, nil, &CorruptError{What: p.path, Offset: off, Detail: "chain of deltas too long or too large"}
}

func (p *pack) key(off int64) cacheKey { return cacheKey{off: off, pack: p.number} }

func (e entry) isDelta() bool { return e.typ == ofsDelta || e.typ == refDelta }

// checkSize applies limit to the requested object, at depth 0, and MaxObject to the objects that it is built from.
func (r *Reader) checkSize(p *pack, e entry, h Hash, limit int64, depth int) error {
	if depth > 0 || e.isDelta() {
		if err := TooLarge(h, e.size, MaxObject); err != nil || depth > 0 {
			return err
		}
		return r.checkDeltaSize(p, e, h, limit)
	}
	return TooLarge(h, e.size, limit)
}

// smallDelta is the size up to which a delta is inflated before its head is read for the size of the result.
const smallDelta = 64 << 10

// checkDeltaSize inflates only the head of a large delta, which has the size of the result.
func (r *Reader) checkDeltaSize(p *pack, e entry, h Hash, limit int64) error {
	if limit >= MaxObject || e.size <= smallDelta && limit >= 0 {
		return nil // apply checks the first bound, chain the second
	}
	head := make([]byte, min(20, e.size)) // two numbers of at most ten bytes
	if err := r.inflateInto(p, e, head, true); err != nil {
		return err
	}
	_, target, _, ok := deltaSizes(head)
	if !ok {
		return &CorruptError{What: p.path, Offset: e.data, Detail: "delta without sizes"}
	}
	return TooLarge(h, target, limit)
}

// header reads the entry at off: type and size, and the base if it is a delta.
func (r *Reader) header(p *pack, off int64) (entry, error) {
	b, err := r.bytes(p, off, 40) // ten bytes for the size and at most 20 for the base
	if err != nil {
		return entry{}, err
	}
	corrupt := func(detail string) (entry, error) {
		return entry{}, &CorruptError{What: p.path, Offset: off, Detail: detail}
	}
	if len(b) == 0 {
		return corrupt("object beyond the end")
	}
	e := entry{typ: Type(b[0] >> 4 & 7), size: int64(b[0] & 15)}
	i := 1
	for shift := 4; b[i-1] >= 0x80; shift += 7 {
		if i >= len(b) || shift > 55 {
			return corrupt("object size")
		}
		e.size |= int64(b[i]&0x7f) << shift
		i++
	}
	switch e.typ {
	case Commit, Tree, Blob, Tag:
	case ofsDelta:
		back, used := BackOffset(b[i:])
		if used == 0 || back <= 0 || back >= off {
			return corrupt("offset of a delta's base")
		}
		e.base, i = off-back, i+used
	case refDelta:
		if len(b) < i+len(Hash{}) {
			return corrupt("truncated header")
		}
		var ok bool
		if e.base, ok, err = p.find(Hash(b[i : i+20])); err != nil || !ok {
			return corrupt("delta against an object of another pack")
		}
		i += len(Hash{})
	default:
		return corrupt(fmt.Sprintf("object type %d", e.typ))
	}
	e.data = off + int64(i)
	return e, nil
}

// BackOffset reads the big-endian number that packs use for offsets; each continuation adds one.
func BackOffset(b []byte) (back int64, used int) {
	for i, c := range b {
		if i > 7 {
			return 0, 0
		}
		back = back<<7 | int64(c&0x7f)
		if c < 0x80 {
			return back, i + 1
		}
		back++
	}
	return 0, 0
}

// bytes returns up to n bytes of a pack from off on, or more if that costs nothing. They are valid until the next call.
func (r *Reader) bytes(p *pack, off, n int64) ([]byte, error) {
	end := p.size - int64(len(Hash{})) // a pack ends with a checksum
	if off < 0 || off >= end {
		return nil, nil
	}
	if p.data != nil {
		r.db.touch(p, off, min(n, end-off))
		return p.data[off:end], nil
	}
	f, err := r.file(p)
	if err != nil {
		return nil, err
	}
	n = min(n, end-off)
	r.window = slices.Grow(r.window[:0], int(n))[:n]
	got, err := f.ReadAt(r.window, off)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read pack: %w", err)
	}
	return r.window[:got], nil
}

// mostDeflated is the most bytes that a byte of deflated data can inflate to.
const mostDeflated = 1032

// checkInflated refuses impossible sizes before memory is allocated.
func (e *entry) checkInflated(p *pack) error {
	if rest := p.size - e.data; e.size/mostDeflated > rest {
		return &CorruptError{What: p.path, Offset: e.data, Detail: "larger than the rest of the pack can hold"}
	}
	return nil
}

// whole inflates an object that is not a delta into memory of the cache.
func (r *Reader) whole(p *pack, e entry, key cacheKey) (cached, error) {
	if err := e.checkInflated(p); err != nil {
		return cached{}, err
	}
	b, at := r.cache.take(int(e.size))
	if err := r.inflateInto(p, e, b, false); err != nil {
		return cached{}, err
	}
	r.cache.put(key, e.typ, at)
	return cached{e.typ, b, at.slab}, nil
}

// delta inflates a delta and appends it to the others of its chain.
func (r *Reader) delta(p *pack, e entry) ([]byte, error) {
	if err := e.checkInflated(p); err != nil {
		return nil, err
	}
	start := len(r.deltas)
	r.deltas = slices.Grow(r.deltas, int(e.size)+inflate.Slack)[:start+int(e.size)]
	return r.deltas[start:], r.inflateInto(p, e, r.deltas[start:], false)
}

// inflateInto inflates the data of an entry, or only its head. For a pack that has to be read, the number of bytes
// needed is known only during inflation.
func (r *Reader) inflateInto(p *pack, e entry, to []byte, head bool) error {
	for n := e.size + e.size/256 + 64; ; n *= 4 {
		b, err := r.bytes(p, e.data, n)
		if err != nil {
			return err
		}
		err = r.inflater.Inflate(to, b, head)
		if err == inflate.ErrTruncated && int64(len(b)) == n {
			continue
		}
		if err != nil {
			return &CorruptError{What: p.path, Offset: e.data, Detail: err.Error()}
		}
		return nil
	}
}

func (r *Reader) file(p *pack) (*os.File, error) {
	if f := r.files[p]; f != nil {
		return f, nil
	}
	f, _, err := OpenRegular(p.path)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	r.files[p] = f
	return f, nil
}
