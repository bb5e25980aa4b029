package git

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// refStore reads references: files below the directory of the repository, and the file of packed references.
type refStore struct {
	gitDir, commonDir string
	kept              *packedRefs // the file of packed references
	git               *fallback   // reads them instead; nil if this package can
}

// packedRefs keeps the file of packed references while it does not change. A scan asks several times which commit HEAD names, and the file
// can have tens of thousands of lines.
type packedRefs struct {
	mu    sync.Mutex
	info  fs.FileInfo // of the file when it was read; nil: nothing is kept
	text  []byte
	sound bool // every line is well-formed
}

const (
	// maxPackedRefs bounds the file of packed references to some millions of them.
	maxPackedRefs = 1 << 28
	// maxKeptRefs bounds the file that is kept in memory.
	maxKeptRefs = 1 << 24
	// maxSymbolic bounds references to references; git follows five.
	maxSymbolic = 5
)

// referenceTo begins what a *CorruptError of a reference names.
const referenceTo = "reference "

func openRefs(l layout) refStore {
	return refStore{gitDir: l.gitDir, commonDir: l.commonDir, kept: &packedRefs{}}
}

// reference is the content of a reference's file: the name of an object, or of another reference.
type reference struct {
	hash   Hash
	target string // if symbolic
}

// resolve follows a reference to an object; ok is false if there is none, for example on an unborn branch.
func (s refStore) resolve(name string) (h Hash, ok bool, err error) {
	if s.git != nil {
		return s.git.resolve(name)
	}
	for range maxSymbolic + 1 {
		ref, ok, err := s.read(name)
		if err != nil || !ok || ref.target == "" {
			return ref.hash, ok, err
		}
		name = ref.target
	}
	return Hash{}, false, &CorruptError{What: referenceTo + name, Offset: -1, Detail: "too many references in a row"}
}

// read looks a reference up. A packed reference counts only if there is no file for it.
func (s refStore) read(name string) (ref reference, ok bool, err error) {
	if !isRefName(name) {
		return reference{}, false, nil
	}
	ref, ok, err = s.loose(name)
	if err != nil || ok || !strings.HasPrefix(name, "refs/") {
		return ref, ok, err
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	file, b, err := s.packedFile()
	if err == nil && !s.kept.sound {
		err = eachPacked(file, b, func([]byte, Hash) {})
		s.kept.sound = err == nil && s.kept.info != nil
	}
	if err != nil {
		return reference{}, false, err
	}
	ref.hash, ok = findPacked(b, name)
	return ref, ok, nil
}

// findPacked looks a reference up in a file whose lines are well-formed. Of several lines the last counts.
func findPacked(b []byte, name string) (found Hash, ok bool) {
	pattern, digits := []byte(" "+name), 2*len(Hash{})
	for at := 0; ; {
		i := bytes.Index(b[at:], pattern)
		if i < 0 {
			return found, ok
		}
		blank := at + i
		at = blank + len(pattern)
		begin := blank - digits
		if begin < 0 || begin > 0 && b[begin-1] != '\n' || !bytes.HasPrefix(bytes.TrimLeft(b[at:], "\r"), []byte("\n")) {
			continue
		}
		if h, err := object.ParseHash(b[begin:blank]); err == nil {
			found, ok = h, true
		}
	}
}

// isRefName accepts the names of references, and HEAD, ORIG_HEAD and the like. It rejects other files of a repository.
func isRefName(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.Contains(name, "..") && !strings.ContainsAny(name, "\x00\\:?*[^~ \n\t\x7f")
}

// perWorkTree lists the references that each linked work tree has separately.
var perWorkTree = []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"}

// dir returns the directory that contains a reference.
func (s refStore) dir(name string) string {
	own := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	if !strings.HasPrefix(name, "refs/") || slices.ContainsFunc(perWorkTree, own) {
		return s.gitDir
	}
	return s.commonDir
}

// loose reads the file of a reference. A symbolic link to a reference counts as one: old versions of git made HEAD like
// that.
func (s refStore) loose(name string) (ref reference, ok bool, err error) {
	file := filepath.Join(s.dir(name), filepath.FromSlash(name))
	fi, err := os.Lstat(file)
	if err != nil || fi.IsDir() {
		return reference{}, false, ignoreAbsent(err)
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		if target, err := os.Readlink(file); err == nil && strings.HasPrefix(target, "refs/") {
			return reference{target: target}, true, nil
		}
		if fi, err = os.Stat(file); err != nil || fi.IsDir() {
			return reference{}, false, ignoreAbsent(err)
		}
	}
	b, err := readAdminFile(file)
	if err != nil {
		return reference{}, false, ignoreAbsent(err)
	}
	ref, ok = parseReference(b)
	if !ok {
		return reference{}, false, &CorruptError{What: referenceTo + name, Offset: -1, Detail: "neither the name of an object nor of a reference"}
	}
	return ref, true, nil
}

// ignoreAbsent drops errors that say that a file does not exist, also because one of its directories is a file.
func ignoreAbsent(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || object.IsNotDirectory(err) {
		return nil
	}
	return err
}

// parseReference reads the text of a reference. It ignores text after the name, which FETCH_HEAD has.
func parseReference(b []byte) (reference, bool) {
	if target, symbolic := bytes.CutPrefix(b, []byte("ref:")); symbolic {
		name := string(bytes.TrimSpace(target))
		return reference{target: name}, strings.HasPrefix(name, "refs/") && isRefName(name)
	}
	digits := 2 * len(Hash{})
	if len(b) < digits || len(b) > digits && !strings.ContainsRune(" \t\r\n", rune(b[digits])) {
		return reference{}, false
	}
	h, err := object.ParseHash(b[:digits])
	return reference{hash: h}, err == nil
}

// packed reads the packed references.
func (s refStore) packed() (map[string]Hash, error) {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	name, b, err := s.packedFile()
	if err != nil || b == nil {
		return nil, err
	}
	return parsePacked(name, b)
}

// packedFile returns the current file of packed references. b is nil if there is none. The caller holds the lock of packedRefs.
func (s refStore) packedFile() (name string, b []byte, err error) {
	name = filepath.Join(s.commonDir, "packed-refs")
	info, err := os.Stat(name)
	if err == nil && s.kept.is(info) {
		return name, s.kept.text, nil
	}
	s.kept.forget()
	b, readErr := readBounded(name, maxPackedRefs)
	if errors.Is(readErr, fs.ErrNotExist) {
		return name, nil, nil
	}
	if err == nil && readErr == nil && len(b) <= maxKeptRefs {
		s.kept.info, s.kept.text = info, b
	}
	return name, b, readErr
}

// is reports whether a file is the one that is kept. git replaces the file, and never writes to it.
func (k *packedRefs) is(info fs.FileInfo) bool {
	return k.info != nil && os.SameFile(k.info, info) && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime())
}

func (k *packedRefs) forget() { k.info, k.text, k.sound = nil, nil, false }

// giveBack releases the memory of the file.
func (k *packedRefs) giveBack() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget()
}

// parsePacked returns the packed references of a file.
func parsePacked(file string, b []byte) (map[string]Hash, error) {
	refs := map[string]Hash{}
	if err := eachPacked(file, b, func(name []byte, h Hash) { refs[string(name)] = h }); err != nil {
		return nil, err
	}
	return refs, nil
}

// eachPacked reads lines that consist of an object name, a blank and a reference. The first line may be a comment. A line
// that begins with ^ has the target of the tag before it.
func eachPacked(file string, b []byte, emit func(name []byte, h Hash)) error {
	at := int64(0)
	for l := range bytes.Lines(b) {
		text := bytes.TrimRight(l, "\r\n")
		id, name, ok := bytes.Cut(text, []byte{' '})
		switch {
		case at == 0 && bytes.HasPrefix(l, []byte("# ")):
		case l[0] == '^' && at > 0 && len(text) == 1+2*len(Hash{}):
		default:
			h, err := object.ParseHash(id)
			if err != nil || !ok || !bytes.HasPrefix(name, []byte("refs/")) || l[len(l)-1] != '\n' {
				return &CorruptError{What: file, Offset: at, Detail: "a line that is no reference"}
			}
			emit(name, h)
		}
		at += int64(len(l))
	}
	return nil
}

// all lists the references that name an object, sorted by name. Symbolic references are left out, since their targets are
// listed. malformed has the errors of files that hold no reference.
func (s refStore) all() (refs []namedRef, malformed []*CorruptError, err error) {
	if s.git != nil {
		refs, err = s.git.all()
		return refs, nil, err
	}
	found := listing{refs: map[string]Hash{}}
	packed, err := s.packed()
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(found.refs, packed)
	if err := s.walk(s.commonDir, "refs", &found); err != nil {
		return nil, nil, err
	}
	if s.gitDir != s.commonDir {
		for _, own := range perWorkTree {
			if err := s.walk(s.gitDir, path.Clean(own), &found); err != nil {
				return nil, nil, err
			}
		}
	}
	refs = make([]namedRef, 0, len(found.refs))
	for _, name := range slices.Sorted(maps.Keys(found.refs)) {
		refs = append(refs, namedRef{name, found.refs[name]})
	}
	return refs, found.malformed, nil
}

// listing collects references.
type listing struct {
	refs      map[string]Hash
	malformed []*CorruptError
}

// walk adds the references in the files below a directory.
func (s refStore) walk(dir, name string, to *listing) error {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return ignoreAbsent(err)
	}
	for _, e := range entries {
		name := path.Join(name, e.Name())
		if e.IsDir() {
			if s.dir(name+"/") == dir {
				err = s.walk(dir, name, to)
			}
		} else if isRefName(name) {
			err = s.add(name, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s refStore) add(name string, to *listing) error {
	ref, ok, err := s.loose(name)
	if bad, is := errors.AsType[*CorruptError](err); is {
		delete(to.refs, name) // the file hides the packed reference
		to.malformed = append(to.malformed, bad)
		return nil
	}
	if err == nil && ok && ref.target == "" {
		to.refs[name] = ref.hash
	}
	return err
}

// branch returns the name of the branch that HEAD names, "" if HEAD is detached.
func (s refStore) branch() (string, error) {
	if s.git != nil {
		return s.git.branch()
	}
	ref, _, err := s.loose("HEAD")
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(ref.target, "refs/heads/")
	if !ok {
		return "", nil
	}
	return name, nil
}
