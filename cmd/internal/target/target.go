// Package target holds the object of a scan: a work tree, the staged files, a range of commits, a history or a snippet, with the
// paths in it that are scanned.
package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// RootOf returns the root of a repository, or "" without one.
func RootOf(repo *git.Repo) string {
	if repo == nil {
		return ""
	}
	return repo.Root()
}

// Target is the object of a scan.
type Target struct {
	Kind   string // tree, staged, diff, history or snippet
	Repo   *git.Repo
	Root   string
	Spec   string                                // of commits
	Args   []string                              // PATH arguments as given
	Paths  []string                              // relative to root, with slashes
	Prefix string                                // of paths outside of a repository
	Source func(context.Context) ([]byte, error) // reads a snippet
}

// Resolve checks a range of commits, or the selection of a history, before dependencies are indexed, which can take minutes.
func (t *Target) Resolve(ctx context.Context, history git.Selection) error {
	switch t.Kind {
	case "diff":
		return t.Repo.CheckRange(ctx, t.Spec)
	case "history":
		_, _, err := t.Repo.Ends(ctx, history)
		return err
	}
	return nil
}

// Locate makes PATH arguments relative to the root. In the work tree each of them must exist and be readable, since it
// was named explicitly.
func (t *Target) Locate() (err error) {
	if t.Kind == "tree" {
		for _, a := range t.Args {
			if err := readable(a); err != nil {
				return err
			}
		}
	}
	if t.Repo == nil {
		t.Root, t.Paths, t.Prefix, err = outside(t.Args)
		return err
	}
	for _, a := range t.Args {
		rel, err := t.Repo.Rel(a)
		if err != nil {
			return err
		}
		t.Paths = append(t.Paths, rel)
	}
	if t.Kind == "tree" && t.Root == "" {
		_, err = t.Repo.Rel(".") // fails if there is no work tree
	}
	return err
}

func readable(path string) error {
	st, err := os.Lstat(path)
	if err == nil && st.Mode().IsRegular() {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			err = f.Close()
		}
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if err != nil {
		return fmt.Errorf("scan %q: %w", path, err)
	}
	return nil
}

// Prepend completes paths outside of a repository. It keeps their order.
func (t *Target) Prepend(rep *finding.Report) {
	if t.Prefix == "" {
		return
	}
	for i := range rep.Findings {
		rep.Findings[i].Path = t.Prefix + rep.Findings[i].Path
	}
	for i := range rep.Ledger {
		rep.Ledger[i].Path = t.Prefix + rep.Ledger[i].Path
	}
	for i := range rep.Inline {
		rep.Inline[i].Path = t.Prefix + rep.Inline[i].Path
	}
}

// Unreadable fails for paths named on the command line that could not be read.
func (t *Target) Unreadable(rep *finding.Report) error {
	var errs []error
	for _, e := range rep.Ledger {
		if string(e.Reason) == string(git.ReasonUnreadable) && slices.Contains(t.Paths, finding.UnescapeName(strings.TrimPrefix(e.Path, t.Prefix))) {
			errs = append(errs, fmt.Errorf("scan %q: %s", e.Path, e.Detail))
		}
	}
	return errors.Join(errs...)
}

// Project returns the directory whose dependencies the target is compared with: the repository, or outside of one the
// first PATH.
func (t *Target) Project() (string, error) {
	dir := t.Root
	if t.Repo == nil && len(t.Args) > 0 && t.Kind == "tree" {
		dir = t.Args[0]
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			dir = filepath.Dir(dir)
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("locate %q: %w", dir, err)
	}
	return abs, nil
}
