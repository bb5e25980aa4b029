package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// fallback reads with git what this package cannot read of a repository. It is nil if that is not needed or there is no
// git.
type fallback struct {
	git     *program
	objects bool // objects and index too; otherwise only the references
	names   *longNames
	batch   *batch

	once sync.Once // guards the fields below
	refs map[string]Hash
	list []namedRef
	err  error
}

// namedRef is a reference that names an object.
type namedRef struct {
	name string
	hash Hash
}

// openFallback returns a fallback for a repository that this package cannot read. It returns the error why if there is no git, or
// if git cannot read the repository either.
func openFallback(ctx context.Context, l layout, opts Options, promisor bool, why *UnsupportedError) (*fallback, error) {
	if opts.Git == "" {
		return nil, why
	}
	p := newProgram(ctx, l, opts)
	out, err := p.run(ctx, maxAdminFile, "rev-parse", "--show-object-format")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &UnsupportedError{What: why.What, Remedy: why.Remedy, Git: err.Error()}
	}
	f := &fallback{git: p, objects: why.needs == needsObjects, names: &longNames{}}
	switch format := line(out); format {
	case "sha1":
	case "sha256":
		f.names.rest = map[Hash][restBytes]byte{}
	default:
		return nil, &UnsupportedError{What: why.What, Remedy: why.Remedy, Git: fmt.Sprintf("object format %q", cleanText(out))}
	}
	if f.objects {
		f.batch = newBatch(p, f.names, promisor)
	}
	return f, nil
}

// maxListing bounds a listing of references or index entries to some millions of them.
const maxListing = 1 << 30

// readRefs lists the references once. Symbolic references are left out, since their targets are listed.
func (f *fallback) readRefs() error {
	f.once.Do(func() {
		var out []byte
		out, f.err = f.git.run(f.git.ctx, maxListing, "for-each-ref", "--format=%(objectname) %(refname) %(symref)")
		f.refs = map[string]Hash{}
		for l := range bytes.Lines(out) {
			if f.err != nil {
				return
			}
			f.err = f.addRef(line(l))
		}
	})
	return f.err
}

func (f *fallback) addRef(l string) error {
	id, rest, _ := strings.Cut(l, " ")
	name, symbolic, ok := strings.Cut(rest, " ")
	h, err := f.names.cut(id)
	if !ok || err != nil {
		return &CorruptError{What: "list of references", Offset: -1, Detail: "line " + strconv.Quote(l)}
	}
	f.refs[name] = h
	if symbolic == "" {
		f.list = append(f.list, namedRef{name, h})
	}
	return nil
}

// all lists the references, sorted by name.
func (f *fallback) all() ([]namedRef, error) {
	if err := f.readRefs(); err != nil {
		return nil, err
	}
	slices.SortFunc(f.list, func(a, b namedRef) int { return strings.Compare(a.name, b.name) })
	return f.list, nil
}

// resolve follows a reference by its full name.
func (f *fallback) resolve(name string) (Hash, bool, error) {
	if isRootRef(name) {
		return f.rootRef(name)
	}
	if err := f.readRefs(); err != nil {
		return Hash{}, false, err
	}
	h, ok := f.refs[name]
	return h, ok, nil
}

// isRootRef recognizes HEAD, FETCH_HEAD, ORIG_HEAD and the like.
func isRootRef(name string) bool {
	return strings.HasSuffix(name, "HEAD") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

func (f *fallback) rootRef(name string) (Hash, bool, error) {
	out, err := f.git.run(f.git.ctx, maxAdminFile, "rev-parse", "--verify", "--quiet", name)
	if e, ok := errors.AsType[*programError](err); ok && e.code == 1 {
		return Hash{}, false, nil // unborn
	}
	if err != nil {
		return Hash{}, false, err
	}
	h, err := f.names.cut(line(out))
	return h, err == nil, err
}

// branch returns the branch that HEAD names, "" if HEAD is detached.
func (f *fallback) branch() (string, error) {
	out, err := f.git.run(f.git.ctx, maxAdminFile, "symbolic-ref", "--quiet", "HEAD")
	if e, ok := errors.AsType[*programError](err); ok && e.code == 1 {
		return "", nil
	}
	name, _ := strings.CutPrefix(line(out), "refs/heads/")
	return name, err
}

// withPrefix lists the objects whose names begin with the given digits.
func (f *fallback) withPrefix(prefix string) ([]Hash, error) {
	out, err := f.git.run(f.git.ctx, maxAdminFile, "rev-parse", "--disambiguate="+prefix)
	if err != nil {
		return nil, err
	}
	var names []Hash
	for l := range bytes.Lines(out) {
		h, err := f.names.cut(line(l))
		if err != nil {
			return nil, err
		}
		names = append(names, h)
	}
	slices.SortFunc(names, object.Compare)
	return slices.Compact(names), nil
}

// index lists the entries of an index that this package cannot read, or of a repository with longer object names.
func (f *fallback) index(ctx context.Context) ([]indexEntry, error) {
	out, err := f.git.run(ctx, maxListing, "ls-files", "--stage", "-t", "-z", "--full-name")
	if err != nil {
		return nil, err
	}
	var entries []indexEntry
	hasEmpty := false
	for l := range strings.SplitSeq(string(out), "\x00") {
		if l == "" {
			continue
		}
		e, err := f.indexEntry(l)
		if err != nil {
			return nil, err
		}
		hasEmpty = hasEmpty || f.names.full(e.blob) == f.names.emptyBlob()
		entries = append(entries, e)
	}
	if hasEmpty {
		err = f.markIntent(ctx, entries)
	}
	return entries, err
}

// indexEntry reads "H 100644 NAME 0<tab>path". The letter is S if the file is left out of the work tree.
func (f *fallback) indexEntry(l string) (indexEntry, error) {
	head, path, ok := strings.Cut(l, "\t")
	fields := strings.Fields(head)
	bad := &CorruptError{What: "list of the index", Offset: -1, Detail: "line " + strconv.Quote(l)}
	if !ok || len(fields) != 4 {
		return indexEntry{}, bad
	}
	mode, err := strconv.ParseUint(fields[1], 8, 32)
	if err != nil {
		return indexEntry{}, bad
	}
	stage, err := strconv.ParseUint(fields[3], 10, 2)
	if err != nil {
		return indexEntry{}, bad
	}
	blob, err := f.names.cut(fields[2])
	if err != nil {
		return indexEntry{}, bad
	}
	return indexEntry{path: path, mode: canonicalMode(uint32(mode)), blob: blob, stage: uint8(stage),
		skipWorkTree: fields[0] == "S"}, nil
}

// markIntent marks the entries of git add -N. In a listing they look like empty files; a comparison leaves them out.
func (f *fallback) markIntent(ctx context.Context, entries []indexEntry) error {
	out, err := f.git.run(ctx, maxListing, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--ita-invisible-in-index",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=all", f.names.emptyTree())
	if err != nil {
		return err
	}
	staged := map[string]bool{}
	fields := strings.Split(string(out), "\x00") // metadata, path, metadata, path, …
	for i := 1; i < len(fields); i += 2 {
		staged[fields[i]] = true
	}
	for i, e := range entries {
		entries[i].intentToAdd = e.stage == 0 && !staged[e.path] && f.names.full(e.blob) == f.names.emptyBlob()
	}
	return nil
}
