package units

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// absent reports whether an error says that a path does not exist. A path below a file, such as an archive, does not exist either.
func absent(err error) bool { return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// submission opens a submission, or a part of one, by the name that a report shows: DIR/PERSON or DIR/PERSON/FILE. No such path
// need exist: a report leaves out what the platform adds to names, and a person may have submitted several files.
func (s *Opener) submission(ctx context.Context, name string, each bool) (part similar.Part, ok bool, err error) {
	dir := path.Dir(name)
	st, err := os.Stat(dir)
	for absent(err) && dir != path.Dir(dir) {
		dir = path.Dir(dir)
		st, err = os.Stat(dir)
	}
	if err != nil {
		return part, false, fmt.Errorf("open %q: %w", name, err)
	}
	if !st.IsDir() {
		if is, err := files.IsArchive(dir); err != nil || !is {
			return part, false, err
		}
	}
	rest := name
	if dir != "." {
		rest = strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
	}
	who, below, _ := strings.Cut(rest, "/")
	ledger := s.Ledger
	s.Ledger = nil
	parts, err := s.persons(ctx, dir, func(w string) bool { return w == who })
	for _, e := range s.Ledger {
		if !slices.Contains(ledger, e) { // the other side may be in the same directory
			ledger = append(ledger, e)
		}
	}
	s.Ledger = ledger
	if err != nil || len(parts) == 0 {
		return part, false, err
	}
	if below != "" {
		return s.within(ctx, parts[0], below, each)
	}
	parts[0].Each, parts[0].Package = each, s.filtered(parts[0].Package)
	return parts[0], true, nil
}

// within returns a file of a unit, or the files below a directory of it.
func (s *Opener) within(ctx context.Context, unit similar.Part, below string, each bool) (part similar.Part, ok bool, err error) {
	file, dir := false, false
	note := func(name string) {
		file = file || name == below
		dir = dir || strings.HasPrefix(name, below+"/")
	}
	err = unit.Package.Walk(ctx, source.DefaultLimits(), func(name string, _ []byte) error { note(name); return nil }, func(name, _, _ string) { note(name) })
	if err != nil || !file && !dir {
		return part, false, err
	}
	name, cut := path.Join(unit.Name, below), below+"/"
	if file {
		cut = strings.TrimSuffix(below, path.Base(below))
	}
	inside := func(name string) (string, bool) {
		rest, ok := strings.CutPrefix(name, cut)
		return rest, ok && (!file || name == below)
	}
	p := source.New(name, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return unit.Package.Walk(ctx, lim, func(name string, data []byte) error {
			if rest, ok := inside(name); ok {
				return file(rest, data)
			}
			return nil
		}, func(name, reason, detail string) {
			if rest, ok := inside(name); ok {
				skipped(rest, reason, detail)
			}
		})
	})
	if file {
		return s.single(name, p, each), true, nil
	}
	return similar.Part{Name: name, Package: s.filtered(p), Each: each}, true, nil
}
