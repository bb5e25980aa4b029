package scanner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/git"
	"golang.org/x/mod/modfile"
)

// Tree scans files of a work tree: those below paths, relative to root and with
// slashes; none means all. repo is nil outside a repository.
func (s *Scanner) Tree(ctx context.Context, repo *git.Repo, root string, paths []string) (*Report, error) {
	s = s.at(root)
	r := s.report(Target{Kind: "tree"})
	var files []git.File
	var err error
	if repo != nil {
		files, err = repo.WorkTree(ctx, paths, r.skipped)
	} else {
		files, err = git.Files(ctx, root, paths, r.skipped)
	}
	if err != nil {
		return nil, err
	}
	vendored := make(map[string]int)
	var ins []input
	for _, f := range files {
		if dir := s.vendored(f.Path, paths); dir != "" {
			vendored[dir]++
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		ins = append(ins, input{path: f.Path, read: func(context.Context) ([]byte, error) { return s.readFile(name) }})
	}
	r.ledgerVendored(vendored)
	return r.scan(ctx, s, ins)
}

// at returns a scanner that knows the target's own packages.
func (s *Scanner) at(root string) *Scanner {
	t := *s
	t.self = ownPackages(root)
	return &t
}

func (r *Report) scan(ctx context.Context, s *Scanner, ins []input) (*Report, error) {
	err := s.run(ctx, len(ins), fixed(ins), func(_ input, o output) error {
		r.take(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.finish(), nil
}

func (r *Report) skipped(path string, reason git.Reason, detail string) {
	r.Ledger = append(r.Ledger, Entry{path, lang.Reason(reason), detail})
}

func (r *Report) ledgerVendored(dirs map[string]int) {
	for _, d := range sortedKeys(dirs) {
		r.Ledger = append(r.Ledger, Entry{d, ReasonVendored, fmt.Sprintf("%d files kept by a package manager; --vendored scans them", dirs[d])})
	}
}

// vendored returns the directory a package manager keeps that a path lies in,
// unless it is scanned on request: by the option, or named as a path itself.
func (s *Scanner) vendored(path string, paths []string) string {
	if s.o.Vendored || !lang.Vendored(path) {
		return ""
	}
	for _, p := range paths {
		if (path == p || strings.HasPrefix(path, p+"/")) && lang.Vendored(p+"/x") {
			return ""
		}
	}
	dir := path
	for i, c := range path {
		if c == '/' && lang.Vendored(path[:i]+"/x") {
			return path[:i]
		}
	}
	return dir
}

// errChanged says that a file is no longer the one that was listed.
var errChanged = errors.New("changed while it was read")

// readFile reads a regular file, but no more than the limit allows, and nothing
// that took its place in the meantime: a link could lead to any device.
func (s *Scanner) readFile(name string) ([]byte, error) {
	changed := &fs.PathError{Op: "read", Path: name, Err: errChanged}
	listed, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !listed.Mode().IsRegular():
		return nil, changed
	case listed.Size() > s.o.MaxFileSize:
		return nil, &git.TooLargeError{Size: listed.Size(), Limit: s.o.MaxFileSize}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(listed, st) {
		return nil, changed
	}
	b := bytes.NewBuffer(make([]byte, 0, listed.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, s.o.MaxFileSize+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // examine refuses what has grown beyond the limit
}

// Staged scans what is staged, blob by blob.
func (s *Scanner) Staged(ctx context.Context, repo *git.Repo) (*Report, error) {
	s = s.at(repo.Root())
	r := s.report(Target{Kind: "staged"})
	changes, err := repo.Staged(ctx, r.skipped)
	if err != nil {
		return nil, err
	}
	return r.scan(ctx, s, s.changed(repo, r, changes))
}

// Diff scans what a range adds: whole files are matched, and a finding is kept
// when a matched run of it touches a line that is new.
func (s *Scanner) Diff(ctx context.Context, repo *git.Repo, spec string) (*Report, error) {
	s = s.at(repo.Root())
	r := s.report(Target{Kind: "diff"})
	base, head, changes, err := repo.Diff(ctx, spec, r.skipped)
	if err != nil {
		return nil, err
	}
	r.Target.Base, r.Target.Head = base.ID.String(), head.ID.String()
	return r.scan(ctx, s, s.changed(repo, r, changes))
}

// changed makes inputs of changes; findings in code that was there before are
// dropped.
func (s *Scanner) changed(repo *git.Repo, r *Report, changes []git.Change) []input {
	before := newBefore(s, repo, changes)
	vendored := make(map[string]int)
	var ins []input
	for _, c := range changes {
		if dir := s.vendored(c.Path, nil); dir != "" {
			vendored[dir]++
			continue
		}
		ins = append(ins, input{path: c.Path, read: s.blob(repo, c.Blob), keep: before.keep(c)})
	}
	r.ledgerVendored(vendored)
	return ins
}

func (s *Scanner) blob(repo *git.Repo, h git.Hash) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) { return repo.Blob(ctx, h, s.o.MaxFileSize) }
}

// History scans every distinct blob of a range of commits once. A finding is
// attributed to the first commit that has it, parents before children.
func (s *Scanner) History(ctx context.Context, repo *git.Repo, spec string, paths []string) (*Report, error) {
	s = s.at(repo.Root())
	r := s.report(Target{Kind: "history"})
	first := sightings{make(map[string]int), make(map[string][]int)}
	vendored := make(map[string]int)
	var listed []Entry // while workers add to the ledger, what they did not see is kept here
	skipped := func(path string, reason git.Reason, detail string) {
		listed = append(listed, Entry{path, lang.Reason(reason), detail})
	}
	partial := strings.Contains(spec, "..") || repo.Shallow()
	feed := func(ctx context.Context, send func(input) error) error {
		for c, err := range repo.History(ctx, spec, paths, skipped) {
			if err != nil {
				return err
			}
			r.Summary.Commits++
			r.Target.Head = c.ID.String()
			before := newBefore(s, repo, c.Changes)
			for _, ch := range c.Changes {
				if dir := s.vendored(ch.Path, paths); dir != "" {
					vendored[dir]++
					continue
				}
				in := input{path: ch.Path, read: s.blob(repo, ch.Blob), commit: &c.Commit}
				if partial {
					in.keep = older(before.keep(ch))
				}
				if err := send(in); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := s.run(ctx, 0, feed, func(in input, o output) error {
		found := o.findings
		o.findings = nil
		r.take(o)
		return s.takeFirst(r, first, found, in.commit)
	})
	if err != nil {
		return nil, err
	}
	r.Ledger = append(r.Ledger, listed...)
	r.ledgerVendored(vendored)
	return r.finish(), nil
}

// older marks the findings that a commit did not bring: where the history
// examined is not all of it, they may have come before.
func older(fresh func(stream, *Finding) bool) func(stream, *Finding) bool {
	return func(st stream, f *Finding) bool {
		f.older = !fresh(st, f)
		f.Changed = nil // of a region's first commit that is all of it
		return true
	}
}

// sightings finds the indexes of findings in a report.
type sightings struct {
	byID     map[string]int
	byOrigin map[string][]int // of a path: what a file of it has from a file of an origin
}

func originKey(f *Finding) string {
	return f.Path + "\x00" + purl.Name(f.Origins[0].PURL) + "\x00" + f.Origins[0].Path
}

// find returns the finding that f is a later sighting of: of the same content,
// or of the same lines of the origin at the same path, edited since. One that
// this blob has already is not taken for an edited one.
func (s *sightings) find(r *Report, f *Finding, taken map[int]bool) (int, bool) {
	if i, ok := s.byID[f.ID]; ok {
		return i, true
	}
	o := f.Origins[0]
	for _, i := range s.byOrigin[originKey(f)] {
		e := r.Findings[i].Origins[0]
		over := min(o.EndLine, e.EndLine) - max(o.StartLine, e.StartLine) + 1
		if !taken[i] && float64(over) >= sameRegion*float64(o.EndLine-o.StartLine+1) {
			return i, true
		}
	}
	return 0, false
}

// takeFirst keeps a finding at its first sighting and counts the later blobs
// that have it.
func (s *Scanner) takeFirst(r *Report, first sightings, found []Finding, c *git.Commit) error {
	taken := make(map[int]bool) // by this blob, which can have it twice
	for _, f := range found {
		if i, ok := first.byID[f.ID]; ok {
			taken[i] = true
		}
	}
	for i := range taken {
		r.Findings[i].Blobs++
	}
	for _, f := range found {
		i, ok := first.find(r, &f, taken)
		if !ok && f.older {
			continue
		}
		if !ok {
			var err error
			if i, err = s.introduce(r, f, c); err != nil {
				return err
			}
			key := originKey(&f)
			first.byOrigin[key] = append(first.byOrigin[key], i)
		}
		if !taken[i] {
			taken[i] = true
			r.Findings[i].Blobs++
		}
		first.byID[f.ID] = i
	}
	return nil
}

// introduce adds a finding with the commit that brought it.
func (s *Scanner) introduce(r *Report, f Finding, c *git.Commit) (int, error) {
	f.Introduced = &Commit{Commit: c.ID.String(), Author: c.AuthorName + " <" + c.AuthorEmail + ">", Time: c.AuthorTime.UTC()}
	var err error
	if f.Direction, err = s.direction(f); err != nil {
		return 0, err
	}
	r.Findings = append(r.Findings, f)
	return len(r.Findings) - 1, nil
}

// direction compares the first sighting with the oldest release that has the
// code. `to` takes more than a younger release, as older ones may be missing in
// the baseline: it must hold one from before the sighting without the code.
// Where a date is missing it is unknown: never a guess.
func (s *Scanner) direction(f Finding) (string, error) {
	seen, origin := f.Introduced.Time, f.oldest
	switch {
	case origin.Released.IsZero():
		return "unknown", nil
	case !origin.Released.After(seen):
		return "from", nil
	}
	pkgs, err := s.bases[origin.doc.key.base].Packages()
	if err != nil {
		return "", err
	}
	for _, p := range pkgs {
		if !p.Released.IsZero() && p.Released.Before(seen) && purl.Key(p.PURL) == purl.Key(origin.PURL) {
			return "to", nil
		}
	}
	return "unknown", nil
}

// ownPackages names the packages a directory declares to be, so that a
// repository is not accused of copying from itself.
func ownPackages(root string) []string {
	if root == "" {
		return nil
	}
	var own []string
	if b, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
		if m := modfile.ModulePath(b); m != "" {
			own = append(own, purl.Key(purl.Golang(m, "")))
		}
	}
	var pkg struct {
		Name string `json:"name"`
	}
	b, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err == nil && json.Unmarshal(b, &pkg) == nil && pkg.Name != "" {
		own = append(own, purl.Key(purl.NPM(pkg.Name, "")))
	}
	return own
}
