// Package baseline is the index of known external code: the stage between
// fingerprints and matches. Packages of files flow in (Writer.Add); out flow
// postings for fingerprints (Lookup), and for a posting its document, with
// tokens, text, and every package and path that holds it.
//
// # On disk
//
// A baseline is a directory:
//
//	manifest-00000007.json  one immutable generation: its segments, what was removed
//	HASH.fps                a segment's fingerprints (package segment)
//	HASH.docs               the same segment's documents (package store)
//	HASH.model              what is common in the generation (package model)
//	lock                    held by the one writer
//
// A change writes new files under temporary names, syncs and renames them, and
// last of all the next manifest: killed at any moment, the directory opens
// again at the generation before. Readers pin the generation they opened.
// Adding makes a segment of the contents not yet known; removing marks packages
// as dead; compacting merges all segments into one and drops the dead.
package baseline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

const (
	format         = 1 // of the manifest
	manifestPrefix = "manifest-"
	manifestSuffix = ".json"
	lockName       = "lock"
	tempPrefix     = ".tmp-"
	// compactAbove is the number of segments from which on a lookup in each of
	// them costs more than merging; Add compacts then.
	compactAbove = 8
	// MaxPostings is how many postings a fingerprint keeps; its true count is
	// kept beside them and what is cut off is in the scan's ledger.
	MaxPostings = 64
)

// Defaults of a new baseline. See docs/ARCHITECTURE.md for how they were chosen.
var Defaults = fingerprint.Params{K: 20, W: 12}

// manifest is one generation.
type manifest struct {
	Format     int                `json:"format"`
	Generation int                `json:"generation"`
	Scheme     string             `json:"scheme"`
	Languages  string             `json:"languages"` // what the scheme stands for, for people
	Params     fingerprint.Params `json:"params"`
	Segments   []segmentEntry     `json:"segments"`
	Model      string             `json:"model"` // hex of its digest
}

type segmentEntry struct {
	Name     string `json:"name"`              // hex of its digest
	Removed  []int  `json:"removed,omitempty"` // indexes of dead packages, ascending
	Postings uint64 `json:"postings"`
	Docs     int    `json:"docs"`
}

// SchemeID names everything that decides which fingerprint a text gets: the
// hash, the normaliser, each grammar's version, k and w. Two baselines or a
// baseline and a scan agree on fingerprints only if they agree on it.
func SchemeID(p fingerprint.Params) string {
	sum := sha256.Sum256([]byte(lang.SchemeID()))
	return fmt.Sprintf("gp1-k%d-w%d-%s", p.K, p.W, hex.EncodeToString(sum[:8]))
}

// NotBaselineError says that a path holds no baseline.
type NotBaselineError struct{ Path string }

func (e *NotBaselineError) Error() string { return fmt.Sprintf("%q is no baseline", e.Path) }

// SchemeError says that a baseline's fingerprints are not this program's.
type SchemeError struct{ Path, Have, Want string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("baseline %q has scheme %s, this program makes %s", e.Path, e.Have, e.Want)
}

// CorruptError says that a part of a baseline cannot be trusted.
type CorruptError struct {
	Path string
	Err  error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("baseline %q is damaged: %v", e.Path, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// ReadError says that a baseline could not be read, which says nothing of
// whether it is sound.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read baseline %q: %v", e.Path, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }

// blame tells by an error met in a file of a baseline whether the baseline is
// damaged or the machine could not read it. A part that is missing is damage.
func blame(dir string, err error) error {
	_, corrupt := errors.AsType[*CorruptError](err)
	_, read := errors.AsType[*ReadError](err)
	if err == nil || corrupt || read || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	_, system := errors.AsType[syscall.Errno](err)
	_, cut := errors.AsType[*disk.FaultError](err)
	if cut || system && !errors.Is(err, fs.ErrNotExist) {
		return &ReadError{dir, err}
	}
	return &CorruptError{dir, err}
}

func manifestName(gen int) string {
	return fmt.Sprintf("%s%08d%s", manifestPrefix, gen, manifestSuffix)
}

// readManifest returns the newest generation of a directory.
func readManifest(dir string) (*manifest, error) {
	names, err := manifests(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &NotBaselineError{dir}
	}
	path := filepath.Join(dir, names[len(names)-1])
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	m := new(manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, &CorruptError{dir, fmt.Errorf("manifest %q: %w", path, err)}
	}
	if m.Format != format {
		return nil, &CorruptError{dir, fmt.Errorf("manifest %q has format %d, this program reads %d", path, m.Format, format)}
	}
	if gen, _ := generation(filepath.Base(path)); m.Generation != gen {
		return nil, &CorruptError{dir, fmt.Errorf("manifest %q calls itself generation %d", path, m.Generation)}
	}
	if err := m.check(); err != nil {
		return nil, &CorruptError{dir, fmt.Errorf("manifest %q: %w", path, err)}
	}
	return m, nil
}

// check refuses names that would leave the directory, a baseline may come from
// elsewhere, and numbers that are none of a package.
func (m *manifest) check() error {
	for _, s := range m.Segments {
		if !isDigest(s.Name) {
			return fmt.Errorf("segment name %q", s.Name)
		}
		for i, n := range s.Removed {
			if n < 0 || n > math.MaxInt32 || i > 0 && n <= s.Removed[i-1] {
				return fmt.Errorf("removed package %d of segment %s", n, s.Name)
			}
		}
	}
	if !isDigest(m.Model) {
		return fmt.Errorf("model name %q", m.Model)
	}
	return m.Params.Validate()
}

// isDigest tells whether s is half a SHA-256 in hex, which all files but the
// manifests and the lock are named by.
func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == s
}

// generation reads the number in the name of a manifest.
func generation(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, manifestPrefix)
	digits, end := strings.CutSuffix(digits, manifestSuffix)
	n, err := strconv.Atoi(digits)
	return n, ok && end && err == nil && manifestName(n) == name
}

// manifests lists the generations of a directory, oldest first.
func manifests(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	var names []string
	for _, e := range es {
		if _, ok := generation(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return names, nil
}

// writeFile gives a file its content in one step: temporary name, sync, rename.
func writeFile(path string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(b); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return store.SyncDir(filepath.Dir(path))
}

// Values appends the fingerprint value of each token.
func Values(dst []uint64, l *lang.Language, toks []lang.Token) []uint64 {
	salt := fingerprint.FamilySalt(l.Family)
	for _, t := range toks {
		dst = append(dst, fingerprint.Value(salt, t.Kind))
	}
	return dst
}

func schemeText() string { return lang.SchemeID() }
