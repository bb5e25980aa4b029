package generation

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
)

// NotBaselineError reports that a path is not a baseline.
type NotBaselineError struct{ Path string }

func (e *NotBaselineError) Error() string { return fmt.Sprintf("%q is no baseline", e.Path) }

// LostManifestError reports that a directory has segments but no manifest that lists them.
type LostManifestError struct {
	Path  string
	Files int // files of segments and models
}

func (e *LostManifestError) Error() string {
	return fmt.Sprintf("baseline %q has lost its manifest: there are %d files of segments and none that lists them", e.Path, e.Files)
}

// Newest returns the newest generation of a directory.
func Newest(dir string) (*Manifest, error) {
	names, err := List(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, Without(dir)
	}
	name := names[len(names)-1]
	b, err := readLimited(filepath.Join(dir, name), MaxSize)
	if err != nil {
		return nil, blame.On(dir, fmt.Errorf("manifest: %w", err))
	}
	m, err := Decode(b)
	if older, ok := errors.AsType[*FormatError](err); ok {
		older.Path = dir
		return nil, older
	}
	if number, _ := NumberOf(name); err == nil && m.Generation != number {
		err = fmt.Errorf("it calls itself generation %d", m.Generation)
	}
	if err != nil {
		return nil, &blame.CorruptError{Path: dir, Err: fmt.Errorf("manifest %q: %w", name, err)}
	}
	return m, nil
}

// readLimited reads a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	return b, err
}

// List lists the manifests of a directory, oldest first.
func List(dir string) ([]string, error) {
	es, err := disk.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, &NotBaselineError{dir}
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	var names []string
	for _, e := range es {
		if _, ok := NumberOf(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return names, nil
}

// Without says what a directory without manifest is: a baseline that has lost its manifest, or no baseline. The latter includes a
// directory whose writer was killed before its first commit.
func Without(dir string) error {
	es, err := disk.List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return blame.On(dir, err)
	}
	n := 0
	for _, e := range es {
		if e.Name() == Begun {
			return &NotBaselineError{dir}
		}
		if IsPart(e.Name()) {
			n++
		}
	}
	if n > 0 {
		return &LostManifestError{dir, n}
	}
	return &NotBaselineError{dir}
}
