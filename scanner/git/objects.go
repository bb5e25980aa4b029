package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

type objectType uint8

// Object types, numbered as packs number them.
const (
	typeCommit   objectType = 1
	typeTree     objectType = 2
	typeBlob     objectType = 3
	typeTag      objectType = 4
	typeOfsDelta objectType = 6
	typeRefDelta objectType = 7
)

const (
	// maxObject bounds every inflation: an object, a delta or a delta's base. Trees and commits are far smaller, and no
	// scan wants a larger blob.
	maxObject = 256 << 20
	// maxDeltaChain bounds the deltas an object is made of. git writes 50, 250 when aggressive; a longer chain is
	// damage or malice (references in a hostile pack can form a circle).
	maxDeltaChain = 4096
	// maxDeltaBytes bounds what the deltas of one chain may inflate to, and maxChainWork what applying them may copy: two
	// seconds. A hundred versions of a file of 10 MB stay below.
	maxDeltaBytes = 256 << 20
	maxChainWork  = 4 << 30
	// cacheBytes bounds the delta bases and trees a reader keeps. What is read in the order of a history, or of paths, needs
	// the trees of a project and a few versions of a file: a quarter costs go-git's history a tenth more inflations, twice
	// as much saves none, and memory never touched before costs more than inflating what fits in it.
	cacheBytes = 16 << 20
	// allCaches bounds those of all readers, of which there is one for each CPU and one that walks. A quarter of cacheBytes
	// each has all the same.
	allCaches = 96 << 20
)

// objectDB is what all readers of a repository share: where objects lie, and the pack indexes.
type objectDB struct {
	dirs []string
	read bool   // packs are read even where they could be mapped
	git  *batch // reads the objects instead; nil where this package can

	resident atomic.Int64 // parts of packs that are mapped: see resident.go

	mu     sync.Mutex
	packs  []*pack // sorted by path within each object directory
	opened int32   // packs in all
}

// pack is an immutable pack file and its index.
type pack struct {
	path    string
	number  int32 // of the packs of its repository opened so far, the first one
	size    int64
	data    []byte // mapped; nil where it has to be read
	idx     packIndex
	index   []byte // what idx divides, if it is mapped
	touched residency
}

func openObjectDB(dirs []string) (*objectDB, error) {
	db := &objectDB{dirs: dirs}
	_, err := db.refresh()
	return db, err
}

// snapshot returns the packs known now. The slice is never written to again.
func (db *objectDB) snapshot() []*pack {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.packs
}

// refresh looks for packs again, since git may repack at any time, and tells whether it found other ones.
func (db *objectDB) refresh() (changed bool, err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	known := map[string]*pack{}
	for _, p := range db.packs {
		known[p.path] = p
	}
	var packs []*pack
	for _, dir := range db.dirs {
		paths, err := packPaths(filepath.Join(dir, "pack"))
		if err != nil {
			return false, err
		}
		for _, path := range paths {
			p := known[path]
			if p == nil {
				p, err = openPack(path, !db.read)
				if errors.Is(err, fs.ErrNotExist) {
					continue // repacked this moment: its objects are in another pack
				}
				if err != nil {
					return false, err
				}
				changed = true
				db.opened++
				p.number = db.opened
			}
			packs = append(packs, p)
		}
	}
	changed = changed || len(packs) != len(db.packs)
	db.packs = packs
	return changed, nil
}

func packPaths(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list packs: %w", err)
	}
	var paths []string
	for _, e := range entries { // ReadDir sorts
		name, ok := strings.CutSuffix(e.Name(), ".idx")
		if !ok || !strings.HasPrefix(name, "pack-") {
			continue
		}
		path := filepath.Join(dir, name+".pack")
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// openPack opens a pack and its index.
func openPack(path string, mapped bool) (*pack, error) {
	p := &pack{path: path}
	name := strings.TrimSuffix(path, ".pack") + ".idx"
	idx, size, err := mapWhole(p, name, mapped)
	p.index = idx
	if err == nil && idx == nil {
		idx, err = readIndex(name, size)
	}
	if err != nil {
		return nil, fmt.Errorf("open pack index: %w", err)
	}
	if p.data, p.size, err = mapWhole(p, path, mapped); err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	p.touched = newResidency(p.size)
	err = disk.Guard(func() error {
		p.idx, err = newPackIndex(idx)
		return err
	})
	if errors.Is(err, errIndexVersion) {
		err = &UnsupportedError{What: err.Error(), Remedy: "install git, or run `git repack -ad`", needs: needsObjects}
	}
	if err != nil {
		return nil, fmt.Errorf("read pack index %q: %w", name, err)
	}
	return p, nil
}

// readIndex reads an index that cannot be mapped.
func readIndex(name string, size int64) ([]byte, error) {
	f, _, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size))
}

// mapWhole maps a file of a pack into memory if it can. Readers may hold the pack when the repository is closed: the map
// goes when nobody does.
func mapWhole(p *pack, path string, mapped bool) (data []byte, size int64, err error) {
	f, st, err := openRegular(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if mapped && disk.Maps {
		if data, err = disk.Map(f, st.Size()); err != nil {
			return nil, st.Size(), nil
		}
		runtime.AddCleanup(p, func(data []byte) { disk.Unmap(data) }, data) // fails only for what was never mapped
	}
	return data, st.Size(), nil
}

// reader reads objects. It is not safe for concurrent use.
type reader struct {
	db       *objectDB
	promisor bool
	packs    []*pack
	files    map[*pack]*os.File
	cache    *byteCache
	inflater inflater
	window   []byte // of a pack that is not mapped
	deltas   []byte // of the chain at work
	message  []byte // of a commit that is being checked, with its headers
	links    []link
	authors  map[string]identity
	last     int            // index of the pack that had the last object: the next one is mostly there too
	places   [1 << 11]place // of objects asked for lately, by a part of their name: trees are, as the new and then as the old one
	checked  checks
	sum      hash.Hash
	head     []byte // of the object at hand, as its name covers it
	digest   []byte
}

// place is where in a pack an object lies.
type place struct {
	name Hash
	pack *pack
	off  int64
}

func newReader(db *objectDB, promisor bool) *reader {
	return &reader{
		db:       db,
		promisor: promisor,
		packs:    db.snapshot(),
		files:    map[*pack]*os.File{},
		authors:  map[string]identity{},
		cache:    newByteCache(max(cacheBytes/4, min(cacheBytes, allCaches/(1+runtime.GOMAXPROCS(0))))),
	}
}

func (r *reader) close() {
	for _, f := range r.files {
		f.Close()
	}
	clear(r.files)
}

// object returns an object of at most limit bytes. The bytes must not be modified.
func (r *reader) object(h Hash, limit int64) (t objectType, b []byte, err error) {
	if r.db.git != nil {
		return r.throughGit(h, min(limit, maxObject))
	}
	guarded := disk.Guard(func() error {
		t, b, err = r.own(h, limit)
		return err
	})
	return t, b, guarded
}

// own is object where this package reads them.
func (r *reader) own(h Hash, limit int64) (objectType, []byte, error) {
	t, b, err := r.find(h, min(limit, maxObject))
	if err == nil || !isMissing(err) && !errors.Is(err, fs.ErrNotExist) { // a pack that is gone was repacked
		return t, b, err
	}
	changed, refreshErr := r.db.refresh()
	if refreshErr != nil || !changed {
		return t, b, errors.Join(err, refreshErr)
	}
	r.packs, r.last = r.db.snapshot(), 0
	clear(r.places[:])
	return r.find(h, min(limit, maxObject))
}

func isMissing(err error) bool {
	if err == nil {
		return false // which is to be had without an allocation
	}
	var missing *MissingObjectError
	return errors.As(err, &missing)
}

func isCorrupt(err error) bool {
	var corrupt *CorruptError
	return errors.As(err, &corrupt)
}

func (r *reader) find(h Hash, limit int64) (objectType, []byte, error) {
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

func (r *reader) missing(h Hash) error {
	e := &MissingObjectError{Object: h, Partial: r.promisor}
	if r.promisor {
		e.Remedy = "a partial clone left it out: run `git fetch --refetch --no-filter`, or clone without --filter"
	}
	return e
}

func (r *reader) locate(h Hash) (*pack, int64, error) {
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

func (r *reader) loose(dir string, h Hash, limit int64) (objectType, []byte, error) {
	key := cacheKey{name: h}
	if c, ok := r.cache.get(key); ok {
		return c.typ, c.data, tooLarge(h, int64(len(c.data)), limit)
	}
	name := h.String()
	path := filepath.Join(dir, name[:2], name[2:])
	f, _, err := openRegular(path)
	if err != nil {
		return 0, nil, fmt.Errorf("open object: %w", err)
	}
	defer f.Close()
	or, err := objfile.NewReader(f)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	defer or.Close()
	typ, size, err := or.Header()
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	if err := tooLarge(h, size, limit); err != nil {
		return objectType(typ), nil, err
	}
	b, err := readExactly(or, size)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	r.cache.keep(key, cached{objectType(typ), b})
	return objectType(typ), b, nil
}

// looseError tells damage from a file system that refuses.
func looseError(path string, err error) error {
	if _, refused := errors.AsType[*fs.PathError](err); refused {
		return fmt.Errorf("read object %q: %w", path, err)
	}
	return &CorruptError{What: path, Offset: -1, Detail: err.Error()}
}

func tooLarge(h Hash, size, limit int64) error {
	if size > limit {
		return &TooLargeError{Object: h, Size: size, Limit: limit}
	}
	return nil
}

// trustedSize is up to where memory is taken for what a header promised; beyond it, for what is really there.
const trustedSize = 1 << 20

// readExactly reads size bytes and the end.
func readExactly(src io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		return nil, errors.New("negative size")
	}
	if size > trustedSize {
		var b bytes.Buffer
		n, err := b.ReadFrom(io.LimitReader(src, size))
		if err == nil && n < size {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		return b.Bytes(), atEnd(src)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(src, b); err != nil {
		return nil, err
	}
	return b, atEnd(src)
}

// atEnd reads once more: what is longer than announced is damaged, and only at its end is a checksum verified.
func atEnd(src io.Reader) error {
	var one [1]byte
	switch n, err := io.ReadFull(src, one[:]); {
	case n > 0:
		return errors.New("longer than announced")
	case err != io.EOF:
		return err
	}
	return nil
}

// entry is the header of an object in a pack.
type entry struct {
	typ  objectType
	size int64 // inflated, of the delta if it is one
	data int64 // offset of the deflated bytes
	base int64 // offset of the delta's base in the same pack
}

// link is a delta of a chain and the place of the object it makes.
type link struct {
	off   int64
	delta []byte
}

// packed returns the object at off.
func (r *reader) packed(p *pack, off int64, h Hash, limit int64) (objectType, []byte, error) {
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
		object.data = b
		r.cache.put(p.key(l.off), object.typ, at)
	}
	return object.typ, object.data, tooLarge(h, int64(len(object.data)), limit)
}

// chain collects the deltas from the object at off down to a base that is whole or in the cache. It is a loop, each link
// checked against the limits before it is inflated: packs can be made whose chain is a circle or whose deltas swell.
func (r *reader) chain(p *pack, off int64, h Hash, limit int64) (base cached, chain []link, err error) {
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
			if err := tooLarge(h, target, limit); err != nil {
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

func (e entry) isDelta() bool { return e.typ == typeOfsDelta || e.typ == typeRefDelta }

// checkSize applies limit to the object that was asked for, at depth 0, and maxObject to what it is made of.
func (r *reader) checkSize(p *pack, e entry, h Hash, limit int64, depth int) error {
	if depth > 0 || e.isDelta() {
		if err := tooLarge(h, e.size, maxObject); err != nil || depth > 0 {
			return err
		}
		return r.checkDeltaSize(p, e, h, limit)
	}
	return tooLarge(h, e.size, limit)
}

// smallDelta is up to where a delta is inflated before its head tells how large the result is.
const smallDelta = 64 << 10

// checkDeltaSize inflates only the head of a large delta, which says how large the result will be.
func (r *reader) checkDeltaSize(p *pack, e entry, h Hash, limit int64) error {
	if limit >= maxObject || e.size <= smallDelta && limit >= 0 {
		return nil // apply has the first bound, chain the second
	}
	head := make([]byte, min(20, e.size)) // two numbers of at most ten bytes
	if err := r.inflateInto(p, e, head, true); err != nil {
		return err
	}
	_, target, _, ok := deltaSizes(head)
	if !ok {
		return &CorruptError{What: p.path, Offset: e.data, Detail: "delta without sizes"}
	}
	return tooLarge(h, target, limit)
}

// apply bounds the result of a delta before it is built in memory of the cache.
func (r *reader) apply(base, delta []byte) ([]byte, spot, error) {
	source, target, rest, ok := deltaSizes(delta)
	if !ok || source != int64(len(base)) {
		return nil, spot{}, errors.New("delta does not fit its base")
	}
	if target > maxObject {
		return nil, spot{}, fmt.Errorf("delta makes %d bytes", target)
	}
	out, at := r.cache.take(int(target))
	if !patch(out, base, rest) {
		return nil, spot{}, errors.New("delta out of its bounds")
	}
	return out, at, nil
}

// patch fills out by the instructions of a delta: copies from the base and bytes of its own.
func patch(out, base, delta []byte) bool {
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op == 0 {
			return false
		}
		if op < 0x80 {
			n := int(op)
			if n > len(delta) || n > len(out) {
				return false
			}
			copy(out, delta[:n])
			out, delta = out[n:], delta[n:]
			continue
		}
		var args [7]byte // offset and size, little-endian, without the bytes that are zero
		for i := range args {
			if op>>i&1 == 0 {
				continue
			}
			if len(delta) == 0 {
				return false
			}
			args[i], delta = delta[0], delta[1:]
		}
		from := int64(args[0]) | int64(args[1])<<8 | int64(args[2])<<16 | int64(args[3])<<24
		n := int64(args[4]) | int64(args[5])<<8 | int64(args[6])<<16
		if n == 0 {
			n = 0x10000
		}
		if from+n > int64(len(base)) || n > int64(len(out)) {
			return false
		}
		copy(out, base[from:from+n])
		out = out[n:]
	}
	return len(out) == 0
}

func deltaSizes(delta []byte) (source, target int64, rest []byte, ok bool) {
	if source, delta, ok = varint(delta); !ok {
		return 0, 0, nil, false
	}
	target, delta, ok = varint(delta)
	return source, target, delta, ok
}

// varint reads a little-endian base-128 number.
func varint(b []byte) (v int64, rest []byte, ok bool) {
	for i, c := range b {
		if i > 8 { // the ninth byte would reach the sign
			return 0, nil, false
		}
		v |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, b[i+1:], v >= 0
		}
	}
	return 0, nil, false
}

// header reads the entry at off: type and size, and the base if it is a delta.
func (r *reader) header(p *pack, off int64) (entry, error) {
	b, err := r.bytes(p, off, 40) // ten bytes of size and at most 20 of base
	if err != nil {
		return entry{}, err
	}
	corrupt := func(detail string) (entry, error) {
		return entry{}, &CorruptError{What: p.path, Offset: off, Detail: detail}
	}
	if len(b) == 0 {
		return corrupt("object beyond the end")
	}
	e := entry{typ: objectType(b[0] >> 4 & 7), size: int64(b[0] & 15)}
	i := 1
	for shift := 4; b[i-1] >= 0x80; shift += 7 {
		if i >= len(b) || shift > 55 {
			return corrupt("object size")
		}
		e.size |= int64(b[i]&0x7f) << shift
		i++
	}
	switch e.typ {
	case typeCommit, typeTree, typeBlob, typeTag:
	case typeOfsDelta:
		back, used := ofsBase(b[i:])
		if used == 0 || back <= 0 || back >= off {
			return corrupt("offset of a delta's base")
		}
		e.base, i = off-back, i+used
	case typeRefDelta:
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

// ofsBase reads the big-endian number packs use for offsets, each continuation adding one.
func ofsBase(b []byte) (back int64, used int) {
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

// bytes returns up to n bytes of a pack from off on, more where that costs nothing. They are valid until the next call.
func (r *reader) bytes(p *pack, off, n int64) ([]byte, error) {
	end := p.size - int64(len(Hash{})) // a checksum is the last of a pack
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

// mostDeflated is what a byte of deflated data can stand for at most.
const mostDeflated = 1032

// checkInflated refuses before memory is taken what can only be a lie.
func (e *entry) checkInflated(p *pack) error {
	if rest := p.size - e.data; e.size/mostDeflated > rest {
		return &CorruptError{What: p.path, Offset: e.data, Detail: "larger than the rest of the pack can hold"}
	}
	return nil
}

// whole inflates an object that is no delta into memory of the cache.
func (r *reader) whole(p *pack, e entry, key cacheKey) (cached, error) {
	if err := e.checkInflated(p); err != nil {
		return cached{}, err
	}
	b, at := r.cache.take(int(e.size))
	if err := r.inflateInto(p, e, b, false); err != nil {
		return cached{}, err
	}
	r.cache.put(key, e.typ, at)
	return cached{e.typ, b}, nil
}

// delta inflates a delta behind the others of its chain.
func (r *reader) delta(p *pack, e entry) ([]byte, error) {
	if err := e.checkInflated(p); err != nil {
		return nil, err
	}
	start := len(r.deltas)
	r.deltas = slices.Grow(r.deltas, int(e.size)+slack)[:start+int(e.size)]
	return r.deltas[start:], r.inflateInto(p, e, r.deltas[start:], false)
}

// inflateInto inflates the data of an entry, or the head of it. How much of a pack that has to be read it takes shows
// only while it is inflated.
func (r *reader) inflateInto(p *pack, e entry, to []byte, head bool) error {
	for n := e.size + e.size/256 + 64; ; n *= 4 {
		b, err := r.bytes(p, e.data, n)
		if err != nil {
			return err
		}
		err = r.inflater.inflate(to, b, head)
		if err == errTruncated && int64(len(b)) == n {
			continue
		}
		if err != nil {
			return &CorruptError{What: p.path, Offset: e.data, Detail: err.Error()}
		}
		return nil
	}
}

func (r *reader) file(p *pack) (*os.File, error) {
	if f := r.files[p]; f != nil {
		return f, nil
	}
	f, _, err := openRegular(p.path)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	r.files[p] = f
	return f, nil
}

// size returns the size of an object without inflating more than its head.
func (r *reader) size(h Hash) (int64, error) {
	_, b, err := r.object(h, -1)
	var large *TooLargeError
	if errors.As(err, &large) && large.Object == h {
		return large.Size, nil
	}
	return int64(len(b)), err
}

func (r *reader) typed(h Hash, want objectType, limit int64) ([]byte, error) {
	t, b, err := r.object(h, limit)
	if err == nil && t != want {
		err = &CorruptError{What: "object " + h.String(), Offset: -1, Detail: fmt.Sprintf("a %v, not a %v", t, want)}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (r *reader) blob(h Hash, limit int64) ([]byte, error) { return r.typed(h, typeBlob, limit) }

// content is blob, checked against its name.
func (r *reader) content(h Hash, limit int64) ([]byte, error) {
	b, err := r.blob(h, limit)
	if err == nil {
		err = r.check(h, typeBlob, b)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// tree returns the entries of a tree in git's encoding. The empty tree need not exist.
func (r *reader) tree(h Hash) ([]byte, error) {
	if h == emptyTree || h.IsZero() {
		return nil, nil
	}
	b, err := r.typed(h, typeTree, maxTree)
	if err == nil {
		err = r.checkOnce(h, typeTree, b)
	}
	return b, err
}
