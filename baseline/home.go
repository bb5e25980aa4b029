package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// home is where the files of a generation are. A local baseline has all of them in a directory. A shared baseline has
// them as objects in its store; the directory then holds only the files that a writer is about to add.
type home struct {
	dir     string
	objects *shared.Snapshot // nil if the baseline is a directory
}

// content is one open file.
type content interface {
	io.ReaderAt
	io.Closer
	Name() string
	Size() (int64, error)
}

// object reports whether the store has a file of this name.
func (h home) object(name string) bool { return h.objects != nil && h.objects.Has(name) }

func (h home) open(name string) (content, error) {
	if h.object(name) {
		f, err := h.objects.Open(name)
		if err != nil {
			return nil, err // an interface that holds a nil file would not be nil
		}
		return f, nil
	}
	f, err := disk.Open(h.path(name))
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

// whole opens a file that will be read completely.
func (h home) whole(name string) (f content, size int64, err error) {
	if f, err = h.open(name); err != nil {
		return nil, 0, err
	}
	if size, err = fetchAll(f); err != nil {
		f.Close()
	}
	return f, size, err
}

// fetchAll returns a file's size. It fetches all parts that are not on this machine in one request.
func fetchAll(f content) (size int64, err error) {
	size, err = f.Size()
	if p, ok := f.(disk.Parts); ok && err == nil {
		err = p.Need(disk.Range{Len: uint64(size)})
	}
	return size, err
}

// files opens both files of a segment.
func (h home) files(name string) (*segmentFiles, error) {
	fps, err := h.segment(name + ".fps")
	if err != nil {
		return nil, err
	}
	docs, err := h.documents(name + ".docs")
	if err != nil {
		fps.Close()
		return nil, err
	}
	return &segmentFiles{name: name, fps: fps, docs: docs, outdated: sync.OnceValues(func() ([]bool, error) { return docs.Which(outdated) })}, nil
}

func (h home) segment(name string) (*segment.Reader, error) {
	if !h.object(name) {
		return segment.Open(h.path(name))
	}
	f, err := h.objects.Open(name)
	if err != nil {
		return nil, err
	}
	return segment.OpenParts(f)
}

func (h home) documents(name string) (*store.Reader, error) {
	if !h.object(name) {
		return store.Open(h.path(name))
	}
	f, err := h.objects.Open(name)
	if err != nil {
		return nil, err
	}
	return store.OpenParts(f)
}

func (h home) size(name string) (int64, error) {
	if h.objects != nil {
		if size, ok := h.objects.Size(name); ok {
			return size, nil
		}
	}
	st, err := os.Stat(h.path(name))
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// away translates an error of the store: it could not be reached, or it has no baseline.
func away(name string, err error) error {
	_, none := errors.AsType[*shared.NoneError](err)
	_, store := errors.AsType[*shared.StoreError](err)
	_, busy := errors.AsType[*shared.BusyError](err)
	_, conflict := errors.AsType[*shared.ConflictError](err)
	switch {
	case none:
		return &NotBaselineError{Path: name}
	case store || busy || conflict:
		return err // the error names the baseline itself
	}
	return blame.On(name, err)
}

// segmentFiles are the files of a segment. They never change. So a writer's next generation shares them, and everything that was read
// and checked of them.
type segmentFiles struct {
	name  string
	fps   *segment.Reader
	docs  *store.Reader
	users int // generations of one writer that have the files open

	outdated func() ([]bool, error) // reports which documents are outdated; computed once; nil if none is
}

// close releases the files when the last generation that has them open is closed.
func (o *segmentFiles) close() error {
	if o.users--; o.users > 0 {
		return nil
	}
	return errors.Join(o.fps.Close(), o.docs.Close())
}

// heads identifies both files by their headers, which are read anyway when the files are opened.
func (o *segmentFiles) heads() string {
	fps, docs := o.fps.Head(), o.docs.Head()
	sum := sha256.Sum256(append(fps[:], docs[:]...))
	return hex.EncodeToString(sum[:16])
}

// digest returns the hash of both files of a segment, which is the name they must have.
func (h home) digest(name string) (string, error) {
	sum := sha256.New()
	for _, ext := range []string{".fps", ".docs"} {
		f, size, err := h.whole(name + ext)
		if err != nil {
			return "", err
		}
		n, err := io.Copy(sum, io.NewSectionReader(f, 0, size))
		if err == nil && n < size { // the file was cut short, which says nothing about its content
			err = disk.Cut(f.Name(), size)
		}
		f.Close()
		if err != nil {
			return "", fmt.Errorf("read %q: %w", f.Name(), err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// outdated reports whether tokens of a language were made under another scheme.
func outdated(language, scheme string) bool { return scheme != lang.SchemeOf(language) }

// absentDirs returns the directories at and above dir that do not exist, the innermost first.
func absentDirs(dir string) (out []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
}

// usable refuses a directory that contains anything except a baseline. So a mistyped --baseline never mixes its files
// with others.
func usable(dir string) error {
	es, err := disk.List(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return &NotBaselineError{Path: dir}
	}
	if err != nil {
		return fmt.Errorf("open baseline: %w", err)
	}
	foreign := false
	for _, e := range es {
		if _, ok := generation.NumberOf(e.Name()); ok {
			return nil
		}
		foreign = foreign || !generation.Ours(e.Name()) && e.Name() != generation.Lock
	}
	if foreign {
		return &NotBaselineError{Path: dir}
	}
	// A directory without manifest was left by a writer killed before its first commit, or it has lost its manifest.
	if lost, ok := errors.AsType[*LostManifestError](generation.Without(dir)); ok {
		return lost
	}
	return nil
}

// Absent reports whether a directory holds no baseline yet, so that a writer can begin one: it is missing or empty, or a writer left it
// before its first commit.
func Absent(dir string) bool {
	if usable(dir) != nil {
		return false
	}
	manifests, err := generation.List(dir)
	return err == nil && len(manifests) == 0
}
