package baselinetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/shared"
)

// folderScheme is the scheme of the addresses of folders.
const folderScheme = "folder"

// folderChunk is smaller than any store's chunk, so that everything is cut somewhere.
const folderChunk = 512

// Folder is a store of a shared baseline in a directory. It counts its operations and fails on demand.
type Folder struct {
	mu     sync.Mutex
	counts map[string]int // by operation
	fault  func(op string) error
}

// NewFolder registers the scheme of folders for the rest of this process and returns the store.
func NewFolder() *Folder {
	f := &Folder{counts: make(map[string]int)}
	shared.Register(folderScheme, f.open, func(address string) string { return address })
	return f
}

// FolderAddress returns the address of a directory.
func FolderAddress(dir string) string {
	return (&url.URL{Scheme: folderScheme, Path: filepath.ToSlash(dir)}).String()
}

// Object makes a file of a given size that can be committed, and returns its content.
func Object(t testing.TB, name string, size int) (shared.Local, []byte) {
	t.Helper()
	text := make([]byte, size)
	for i := range text {
		text[i] = byte(i*i>>3 + i + len(name))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return shared.Local{Object: shared.Object{Name: name, Size: int64(size)}, Path: path}, text
}

// Fail makes f run before each operation: head, fetch, lock, commit. nil ends that.
func (s *Folder) Fail(f func(op string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Counts returns the number of calls of each operation since the last call, and the number of chunks fetched.
func (s *Folder) Counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.counts
	s.counts = make(map[string]int)
	return c
}

func (s *Folder) begin(op string, chunks int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[op]++
	s.counts["chunks"] += chunks
	if s.fault != nil {
		return s.fault(op)
	}
	return nil
}

func (s *Folder) open(_ context.Context, address string) (shared.Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return &folder{s, filepath.FromSlash(u.Path), address}, nil
}

type folder struct {
	*Folder
	dir, address string
}

func (f *folder) ChunkSize() int { return folderChunk }
func (f *folder) Close() error   { return nil }

func (f *folder) Head(context.Context) (*shared.Generation, error) {
	if err := f.begin("head", 0); err != nil {
		return nil, err
	}
	return f.head()
}

func (f *folder) head() (*shared.Generation, error) {
	b, err := os.ReadFile(filepath.Join(f.dir, "head"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &shared.NoneError{Address: f.address}
	}
	g := new(shared.Generation)
	if err == nil {
		err = json.Unmarshal(b, g)
	}
	return g, err
}

func (f *folder) Fetch(_ context.Context, wants []shared.Want, got func(string, int, []byte) error) error {
	n := 0
	for _, w := range wants {
		n += len(w.Chunks)
	}
	if err := f.begin("fetch", n); err != nil {
		return err
	}
	for _, w := range wants {
		if err := f.fetch(w, got); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) fetch(w shared.Want, got func(string, int, []byte) error) error {
	file, err := os.Open(filepath.Join(f.dir, w.Object.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return &shared.GoneError{Object: w.Object.Name}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, folderChunk)
	for _, i := range w.Chunks {
		n, err := file.ReadAt(buf, int64(i)*folderChunk)
		if err != nil && err != io.EOF {
			return err
		}
		if err := got(w.Object.Name, i, buf[:n]); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) Lock(context.Context) error { return f.begin("lock", 0) }

func (f *folder) Commit(_ context.Context, c shared.Change) error {
	if err := f.begin("commit", 0); err != nil {
		return err
	}
	g, err := f.head()
	if _, none := errors.AsType[*shared.NoneError](err); none {
		g, err = new(shared.Generation), os.MkdirAll(f.dir, 0o755)
	}
	if err != nil {
		return err
	}
	if g.Number != c.From {
		return &shared.ConflictError{Address: f.address}
	}
	all := g.Objects
	for _, l := range c.Add {
		if err := copyFile(filepath.Join(f.dir, l.Name), l.Path); err != nil {
			return err
		}
		all = append(all, l.Object)
	}
	next := shared.Generation{Number: c.From + 1, Manifest: c.Manifest}
	for _, o := range all {
		if slices.Contains(c.Keep, o.Name) {
			next.Objects = append(next.Objects, o)
		}
	}
	b, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("write head: %w", err)
	}
	return os.WriteFile(filepath.Join(f.dir, "head"), b, 0o644)
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
