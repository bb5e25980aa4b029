package object

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// Reader reads objects. It is not safe for concurrent use.
type Reader struct {
	db       *DB
	promisor bool
	packs    []*pack
	files    map[*pack]*os.File
	cache    *byteCache
	inflater inflate.Inflater
	zlib     io.Reader // of loose objects; nil before the first
	window   []byte    // of a pack that is not mapped
	deltas   []byte    // of the current chain
	message  []byte    // a commit that is being checked, with its headers
	links    []link
	last     int            // index of the pack that had the last object; it mostly has the next one too
	places   [1 << 11]place // recently requested objects, by a part of their name: a tree is read first as the new side, then as the old one
	checked  checks
	lends    bool // the caller gives back what it gets
	sum      hash.Hash
	head     []byte // the prefix of the current object that its name covers
	digest   []byte
}

// place is an object's pack and offset.
type place struct {
	name Hash
	pack *pack
	off  int64
}

// NewReader makes a reader. promisor means that objects can be absent from a partial clone.
func NewReader(db *DB, promisor bool) *Reader {
	return &Reader{
		db:       db,
		promisor: promisor,
		packs:    db.snapshot(),
		files:    map[*pack]*os.File{},
		cache:    newByteCache(max(cacheBytes/4, min(cacheBytes, allCaches/(1+runtime.GOMAXPROCS(0))))),
	}
}

// Close closes the file descriptors.
func (r *Reader) Close() {
	for _, f := range r.files {
		f.Close()
	}
	clear(r.files)
}

// Lend says that the bytes handed out from now on are lent: they are valid until Lend or Return is called. So a walk over
// many trees needs the memory of a few.
func (r *Reader) Lend() {
	r.cache.reuse()
	r.lends = true
}

// Return ends all loans. Bytes that are handed out from now on stay valid.
func (r *Reader) Return() {
	r.cache.reuse()
	r.lends = false
}

// handOut notes that a caller gets an object.
func (r *Reader) handOut(c cached) {
	if !r.lends {
		r.cache.hold(c.slab)
	}
}

// Object returns an object of at most limit bytes. The bytes must not be modified.
func (r *Reader) Object(h Hash, limit int64) (t Type, b []byte, err error) {
	if r.db.elsewhere != nil {
		return r.through(h, min(limit, MaxObject))
	}
	guarded := disk.Guard(func() error {
		t, b, err = r.own(h, limit)
		return err
	})
	return t, b, guarded
}

// through is Object for a database that reads its objects elsewhere.
func (r *Reader) through(h Hash, limit int64) (Type, []byte, error) {
	key := cacheKey{name: h}
	if c, ok := r.cache.get(key); ok {
		return c.typ, c.data, TooLarge(h, int64(len(c.data)), limit)
	}
	t, b, err := r.db.elsewhere(h, limit)
	if IsMissing(err) {
		err = r.missing(h)
	}
	if err == nil {
		r.cache.keep(key, t, b)
	}
	return t, b, err
}

// own is Object for objects that this package reads.
func (r *Reader) own(h Hash, limit int64) (Type, []byte, error) {
	t, b, err := r.find(h, min(limit, MaxObject))
	if err == nil || !IsMissing(err) && !errors.Is(err, fs.ErrNotExist) { // a pack that disappeared was repacked
		return t, b, err
	}
	changed, refreshErr := r.db.refresh()
	if refreshErr != nil || !changed {
		return t, b, errors.Join(err, refreshErr)
	}
	r.packs, r.last = r.db.snapshot(), 0
	clear(r.places[:])
	return r.find(h, min(limit, MaxObject))
}

func (r *Reader) find(h Hash, limit int64) (Type, []byte, error) {
	if p, off, err := r.locate(h); err != nil {
		return 0, nil, err
	} else if p != nil {
		return r.packed(p, off, h, limit)
	}
	for _, dir := range r.db.dirs {
		t, b, err := r.loose(dir, h, limit)
		if !errors.Is(err, fs.ErrNotExist) {
			return t, b, err
		}
	}
	return 0, nil, r.missing(h)
}

func (r *Reader) missing(h Hash) error {
	e := &MissingObjectError{Object: h, Partial: r.promisor}
	if r.promisor {
		e.Remedy = "a partial clone left it out: run `git fetch --refetch --no-filter`, or clone without --filter"
	}
	return e
}

func (r *Reader) locate(h Hash) (*pack, int64, error) {
	known := &r.places[int(binary.LittleEndian.Uint16(h[2:]))%len(r.places)]
	if known.name == h && known.pack != nil {
		return known.pack, known.off, nil
	}
	for i := range r.packs {
		at := (r.last + i) % len(r.packs)
		p := r.packs[at]
		off, ok, err := p.find(h)
		if err != nil {
			return nil, 0, fmt.Errorf("find object %s: %w", h, err)
		}
		if ok {
			r.last, *known = at, place{h, p, off}
			return p, off, nil
		}
	}
	return nil, 0, nil
}

// Size returns the size of an object without inflating more than its head.
func (r *Reader) Size(h Hash) (int64, error) {
	_, b, err := r.Object(h, -1)
	var large *TooLargeError
	if errors.As(err, &large) && large.Object == h {
		return large.Size, nil
	}
	return int64(len(b)), err
}

// Has reports whether an object exists, without inflating it. Damage does not count.
func (r *Reader) Has(h Hash) bool {
	var p *pack
	if r.db.elsewhere == nil {
		err := disk.Guard(func() (err error) {
			p, _, err = r.locate(h)
			return err
		})
		if p != nil && err == nil {
			return true
		}
	}
	_, err := r.Size(h)
	return !IsMissing(err)
}

// Typed is Object for an object that must have the type want.
func (r *Reader) Typed(h Hash, want Type, limit int64) ([]byte, error) {
	t, b, err := r.Object(h, limit)
	if err == nil && t != want {
		err = &CorruptError{What: "object " + h.String(), Offset: -1, Detail: fmt.Sprintf("a %v, not a %v", t, want)}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Blob returns a blob as stored; it may differ from what its name says.
func (r *Reader) Blob(h Hash, limit int64) ([]byte, error) { return r.Typed(h, Blob, limit) }

// Content returns a blob, checked against its name.
func (r *Reader) Content(h Hash, limit int64) ([]byte, error) {
	b, err := r.Blob(h, limit)
	if err == nil {
		err = r.Check(h, Blob, b)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// MaxTree bounds one tree. A directory of a million files is about 60 MB.
const MaxTree = 128 << 20

// Tree returns the entries of a tree in git's encoding. The empty tree need not exist.
func (r *Reader) Tree(h Hash) ([]byte, error) {
	if h == EmptyTree || h.IsZero() {
		return nil, nil
	}
	b, err := r.Typed(h, Tree, MaxTree)
	if err == nil {
		err = r.CheckOnce(h, Tree, b)
	}
	return b, err
}
