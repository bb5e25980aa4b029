package object

import (
	"encoding/hex"
	"errors"
	"fmt"
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
)

const (
	// MaxObject bounds every inflation: an object, a delta or a delta's base. Trees and commits are far smaller, and no scan
	// reads a larger blob.
	MaxObject = 256 << 20
	// maxDeltaChain bounds the deltas of one object. git writes 50, or 250 when aggressive; a longer chain is damage or
	// malice (references in a hostile pack can form a circle).
	maxDeltaChain = 4096
	// maxDeltaBytes bounds the inflated deltas of one chain, and maxChainWork the bytes that applying them may copy, which
	// takes two seconds. A hundred versions of a file of 10 MB stay below.
	maxDeltaBytes = 256 << 20
	maxChainWork  = 4 << 30
	// cacheBytes bounds the delta bases and trees that a Reader keeps. A walk in the order of a history, or of paths, needs
	// the trees of a project and a few versions of a file. A quarter costs a tenth more inflations in go-git's history,
	// twice as much saves none. Touching new memory costs more than inflating what fits in it.
	cacheBytes = 16 << 20
	// allCaches bounds the caches of all readers. There is one for each CPU and one that walks. Each has at least a quarter
	// of cacheBytes.
	allCaches = 96 << 20
)

// DB is the part that all readers of a repository share: object directories and pack indexes.
type DB struct {
	dirs []string
	read bool // packs are read even if they could be mapped
	// elsewhere reads the objects instead; nil if this package reads them
	elsewhere func(h Hash, limit int64) (Type, []byte, error)

	resident atomic.Int64 // parts of packs that are mapped: see resident.go

	mu     sync.Mutex
	packs  []*pack // sorted by path within each object directory
	opened int32   // number of packs opened
}

// pack is an immutable pack file and its index.
type pack struct {
	path    string
	number  int32 // the first pack opened is number one
	size    int64
	data    []byte // mapped; nil if it has to be read
	idx     packIndex
	index   []byte // the bytes after idx, if mapped
	touched residency
}

// Open opens the object directories of a repository. It fails with ErrIndexVersion if an index has version 1.
func Open(dirs []string) (*DB, error) {
	db := &DB{dirs: dirs}
	_, err := db.refresh()
	return db, err
}

// Through returns a database whose objects are read by a function, which also compares them with their names. A limit below
// zero asks for the size: the error is then *TooLargeError.
func Through(read func(h Hash, limit int64) (Type, []byte, error)) *DB { return &DB{elsewhere: read} }

// snapshot returns the packs known now. The slice is never modified later.
func (db *DB) snapshot() []*pack {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.packs
}

// refresh looks for packs again, since git may repack at any time. It reports whether the packs have changed.
func (db *DB) refresh() (changed bool, err error) {
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
					continue // just repacked: its objects are in another pack
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
	for _, e := range entries { // ReadDir sorts them
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
	if err != nil {
		return nil, fmt.Errorf("read pack index %q: %w", name, err)
	}
	return p, nil
}

// readIndex reads an index that cannot be mapped. Before it reads the tables, it compares their size with the number of
// objects.
func readIndex(name string, size int64) ([]byte, error) {
	f, _, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, min(size, indexHead)))
	if err != nil || len(head) < indexHead {
		return head, err
	}
	x := packIndex{fanout: head[8:]}
	if n := int64(x.upTo(255)); size > int64(indexHead+indexTrailer)+n*int64(indexObject+indexLarge) {
		return head, nil // newPackIndex tells what is wrong
	}
	rest, err := io.ReadAll(io.LimitReader(f, size-int64(indexHead)))
	return append(head, rest...), err
}

// mapWhole maps a file of a pack into memory if it can. Readers may still hold the pack when the repository is closed, so
// the map is removed when the pack is collected.
func mapWhole(p *pack, path string, mapped bool) (data []byte, size int64, err error) {
	f, st, err := OpenRegular(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if mapped && disk.Maps {
		if data, err = disk.Map(f, st.Size()); err != nil {
			return nil, st.Size(), nil
		}
		runtime.AddCleanup(p, func(data []byte) { disk.Unmap(data) }, data) // fails only for memory that was never mapped
	}
	return data, st.Size(), nil
}

// WithPrefix lists the objects whose hexadecimal name begins with prefix, sorted, each once.
func (db *DB) WithPrefix(prefix string) ([]Hash, error) {
	var names []Hash
	for _, p := range db.snapshot() {
		err := disk.Guard(func() error {
			names = append(names, p.withPrefix(prefix)...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, dir := range db.dirs {
		entries, err := os.ReadDir(filepath.Join(dir, prefix[:2]))
		if err != nil {
			continue // this directory has no such objects
		}
		for _, e := range entries {
			if h, err := ParseHash(prefix[:2] + e.Name()); err == nil && strings.HasPrefix(h.String(), prefix) {
				names = append(names, h)
			}
		}
	}
	slices.SortFunc(names, Compare)
	return slices.Compact(names), nil
}

func (p *pack) withPrefix(prefix string) []Hash {
	first, err := hex.DecodeString(prefix[:2])
	if err != nil {
		return nil
	}
	var names []Hash
	low, high := p.idx.bucket(first[0])
	for i := range high - low {
		if h := Hash(p.idx.name(low + i)); strings.HasPrefix(h.String(), prefix) {
			names = append(names, h)
		}
	}
	return names
}
