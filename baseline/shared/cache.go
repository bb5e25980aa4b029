package shared

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

const (
	haveSuffix = ".have"
	workPrefix = "work-"
	// cacheLimit bounds the bytes of the cache for all addresses together.
	cacheLimit = 8 << 30
	// workAge is the age after which leftovers of a killed writer are removed.
	workAge = 7 * 24 * time.Hour
)

// Cache sets where objects are kept on this machine.
type Cache struct {
	Dir    string // "" means the user's cache directory
	Limit  int64  // bytes on disk; 0: 8 GiB
	Afresh bool   // objects that are here already are fetched again: see Afresh
}

type cacheKey struct{}

// WithCache returns a context that sets the cache for Dial.
func WithCache(ctx context.Context, c Cache) context.Context {
	return context.WithValue(ctx, cacheKey{}, c)
}

// Afresh returns a context in which Dial forgets what was fetched from its address. So a reader sees what the store has now. A chunk
// is kept as the store sent it: damage would stay on this machine after the store was mended.
func Afresh(ctx context.Context) context.Context {
	c := cacheOf(ctx)
	c.Afresh = true
	return WithCache(ctx, c)
}

func cacheOf(ctx context.Context) Cache {
	c, _ := ctx.Value(cacheKey{}).(Cache)
	c.Limit = cmp.Or(c.Limit, cacheLimit)
	return c
}

// cache is the part of the cache for one address.
type cache struct {
	dir   string
	all   Cache
	grown int64 // bytes added since the last trim
}

// trimShare is the share of the limit that a cache may grow by between two trims.
const trimShare = 1.0 / 16

// openCache opens the cache for a name and trims the whole cache if it is too large. Without a user's cache directory,
// it uses the one for temporary files.
func openCache(c Cache, name string) (*cache, error) {
	if c.Dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			user = os.TempDir()
		}
		c.Dir = filepath.Join(user, "git-provenance", "shared")
	}
	sum := sha256.Sum256([]byte(name))
	dir := filepath.Join(c.Dir, hex.EncodeToString(sum[:8]))
	if err := disk.MakeDirs(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache of shared baselines: %w", err)
	}
	if c.Afresh {
		if err := forget(dir); err != nil {
			return nil, fmt.Errorf("forget the cache of a shared baseline: %w", err)
		}
	}
	trim(c, nil)
	return &cache{dir: dir, all: c}, nil
}

// forget removes the objects of one address. Other programs keep those that they have open. The files that a writer builds stay.
func forget(dir string) error {
	all, err := disk.List(dir)
	if err != nil {
		return err
	}
	for _, d := range all {
		if base := strings.TrimSuffix(filepath.Join(dir, d.Name()), haveSuffix); d.Type().IsRegular() {
			err = cmp.Or(err, drop(base))
		}
	}
	return err
}

// drop removes an object and its list of chunks. The list goes first, since a list without its chunks would be trusted until they
// are compared.
func drop(base string) error {
	for _, path := range []string{base + haveSuffix, base} {
		if err := disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// grow records that bytes were added, and trims from time to time. Open objects are kept: removing their names would
// free no space.
func (c *cache) grow(bytes int64, open func(path string) bool) {
	if c.grown += bytes; float64(c.grown) > trimShare*float64(c.all.Limit) {
		c.grown = 0
		trim(c.all, open)
	}
}

// kept is a cached object on disk.
type kept struct {
	path string
	size int64
	used time.Time
}

// trim removes the objects that were used longest ago until the rest is within the limit. It keeps objects for which
// stays returns true. Other programs keep objects that they have open until they close them.
func trim(c Cache, stays func(path string) bool) {
	var all []kept
	total := int64(0)
	filepath.WalkDir(c.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		in, err := d.Info()
		switch {
		case err != nil:
		case d.IsDir() && strings.HasPrefix(d.Name(), workPrefix):
			if time.Since(in.ModTime()) > workAge {
				disk.RemoveAll(path)
			}
			return fs.SkipDir
		case d.Type().IsRegular():
			all = append(all, kept{path, allocated(in), in.ModTime()})
			total += allocated(in)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	for _, k := range all {
		if total <= c.Limit {
			return
		}
		base := strings.TrimSuffix(k.path, haveSuffix)
		if stays != nil && stays(base) {
			continue
		}
		drop(base) // one that stays is tried again by the next trim
		total -= k.size
	}
}

func (c *cache) path(o Object) string {
	return filepath.Join(c.dir, fmt.Sprintf("%s.%d", o.Name, o.Size))
}

// open maps an object. It makes the file if it is missing.
func (c *cache) open(o Object, chunk int64) (f *File, err error) {
	n := chunks(o, chunk)
	f = &File{object: o, chunk: chunk, seen: make([]atomic.Uint64, n/64+1)}
	defer func() {
		if err != nil {
			err = fmt.Errorf("open cache of %q: %w", o.Name, err)
		}
	}()
	if f.f, f.data, err = mapped(c.path(o), o.Size); err != nil {
		return nil, err
	}
	if f.have, f.listed, err = mapped(c.path(o)+haveSuffix, n*haveSize); err != nil {
		disk.Unmap(f.data)
		f.f.Close()
		return nil, err
	}
	return f, nil
}

// mapped opens a file, changes it to the given size, where new parts are holes, and marks it as used.
func mapped(path string, size int64) (*disk.File, []byte, error) {
	f, err := disk.Create(path, 0, 0o600)
	if err != nil {
		return nil, nil, err
	}
	data, err := func() ([]byte, error) {
		is, err := f.Size()
		if err == nil && is != size {
			err = os.Truncate(path, size)
		}
		if err != nil {
			return nil, err
		}
		now := time.Now()
		os.Chtimes(path, now, now) // failing to mark it is not an error
		return f.Map(size)
	}()
	if err != nil {
		f.Close()
	}
	return f, data, err
}

// adopt moves a file that became an object into the cache, with a list of all its chunks.
func (c *cache) adopt(l Local, chunk int64) error {
	f, err := disk.Open(l.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	var list []byte
	for buf := make([]byte, chunk); ; {
		n, err := io.ReadFull(f, buf)
		if n > 0 {
			list = binary.LittleEndian.AppendUint64(list, entry(buf[:n]))
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := disk.Rename(l.Path, c.path(l.Object)); err != nil {
		return err
	}
	return disk.WriteFile(c.path(l.Object)+haveSuffix, workPrefix+"*", list)
}

// WorkDir makes a directory for what a writer builds.
func (r *Remote) WorkDir() (string, error) {
	dir, err := os.MkdirTemp(r.cache.dir, workPrefix+"*")
	if err != nil {
		return "", fmt.Errorf("make room to build in: %w", err)
	}
	return dir, nil
}
