// Package units opens the code that is compared with each other: files, directories, archives, revisions, and
// submissions from learning platforms. It turns arguments into packages of units, and lists everything that belongs to
// no unit.
//
//	units.go         Opener: an argument → its units
//	revision.go      a revision of the repository
//	submissions.go   a directory or an archive of submissions → one unit for each person
//	platforms.go     the names that learning platforms give to files; pasted.go: texts typed into their forms
//	rosters.go       the lists of names that Gradescope and Brightspace add
//	named.go         the name of a submission → the submission; pseudonyms.go: other names for the report
//	tools.go         directories that tools fill, in submissions
package units

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// Opener opens the arguments of a comparison.
type Opener struct {
	Repository func(ctx context.Context) (*git.Repo, error) // around the working directory; nil for none
	Suffixes   []string                                     // of the files that take part, unless one is opened by its name; none means all
	Ledger     []finding.Entry                              // entries that belong to no unit

	archives map[string]string // archives of submissions → the directories that they were unpacked into
	closers  []io.Closer       // repositories that files are read from, directories of unpacked archives
}

// Close closes everything that the units are read from.
func (s *Opener) Close() error {
	var err error
	for _, c := range s.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// Open opens a file, a directory, an archive, a revision of the repository around the working directory, or a submission or a part
// of it, by the name that Units with folders gives it. With each, every file is a unit of its own, and a named file takes part only
// if its suffix was asked for, since a shell expands src/* to files. Without each, arg is one side of a comparison, and a named
// file always takes part.
func (s *Opener) Open(ctx context.Context, arg string, each bool) (similar.Part, error) {
	name := filepath.ToSlash(filepath.Clean(arg))
	st, err := os.Stat(arg)
	if absent(err) {
		for _, other := range []func() (similar.Part, bool, error){
			func() (similar.Part, bool, error) { return s.revision(ctx, arg, each) },
			func() (similar.Part, bool, error) { return s.submission(ctx, name, each) },
		} {
			if part, ok, err := other(); ok || err != nil {
				return part, err
			}
		}
		return similar.Part{}, fmt.Errorf("open %q: no such file, directory, revision or submission", arg)
	}
	if err != nil {
		return similar.Part{}, fmt.Errorf("open %q: %w", arg, err)
	}
	archive := false
	switch {
	case st.Mode().IsRegular():
		if archive, err = files.IsArchive(arg); err != nil {
			return similar.Part{}, err
		}
	case !st.IsDir(): // opening a pipe would wait
		return similar.Part{}, fmt.Errorf("open %q: neither a file nor a directory", arg)
	}
	if st.IsDir() || archive {
		return s.whole(ctx, arg, name, each)
	}
	return s.single(name, source.OpenFile(arg), each), nil
}

// single returns a file that was named, as a part.
func (s *Opener) single(name string, p *source.Package, each bool) similar.Part {
	if each {
		p = s.filtered(p)
	}
	return similar.Part{Name: name, Package: p, Each: each, File: true}
}

// whole opens a directory or an archive.
func (s *Opener) whole(ctx context.Context, arg, name string, each bool) (similar.Part, error) {
	pkgs, err := source.Open(ctx, arg, source.Options{PURL: "pkg:generic/part", Offline: true})
	if err != nil {
		return similar.Part{}, err
	}
	p := s.filtered(pkgs[0])
	if each {
		p = packed(p)
	}
	return similar.Part{Name: name, Package: p, Each: each}, nil
}

// stillPacked is the detail of an archive that is one file among others.
const stillPacked = "an archive: similar --units folders unpacks it"

// Packed counts the archives in a ledger that only [Opener.Units] with folders unpacks.
func Packed(ledger []finding.Entry) (n int) {
	for _, e := range ledger {
		if e.Detail == stillPacked {
			n++
		}
	}
	return n
}

// packed lists the archives among the files in the ledger, with the command that unpacks them.
func packed(p *source.Package) *source.Package {
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return p.Walk(ctx, lim, func(path string, data []byte) error {
			if archiveName(path) && bytes.IndexByte(data, 0) >= 0 {
				skipped(path, string(lang.Binary), stillPacked)
				return nil
			}
			return file(path, data)
		}, skipped)
	})
}

// filtered omits the files whose suffixes were not asked for.
func (s *Opener) filtered(p *source.Package) *source.Package {
	if len(s.Suffixes) == 0 {
		return p
	}
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return p.Walk(ctx, lim, func(path string, data []byte) error {
			if !s.takes(path) {
				skipped(path, similar.ReasonSuffix, "")
				return nil
			}
			return file(path, data)
		}, skipped)
	})
}

// takes reports whether a file takes part by the suffix of its name.
func (s *Opener) takes(name string) bool {
	return len(s.Suffixes) == 0 || slices.ContainsFunc(s.Suffixes, func(x string) bool { return strings.HasSuffix(name, x) })
}

// Units opens each DIR: every file is a unit, or with folders every person's submission. A DIR that is named twice is
// opened once.
func (s *Opener) Units(ctx context.Context, dirs []string, folders bool) (out []similar.Part, err error) {
	named := make(map[string]bool)
	if folders && len(dirs) == 1 {
		dirs = []string{unwrappedDir(dirs[0])}
	}
	for _, dir := range dirs {
		if folders && named[filepath.Clean(dir)] {
			continue
		}
		named[filepath.Clean(dir)] = true
		if folders {
			ps, err := s.submissions(ctx, dir)
			if err != nil {
				return nil, err
			}
			out = append(out, ps...)
			continue
		}
		part, err := s.Open(ctx, dir, true)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// Against opens a file and the directories that it is compared with.
func (s *Opener) Against(ctx context.Context, file string, dirs []string) ([]similar.Part, error) {
	one, err := s.Open(ctx, file, false)
	if err != nil {
		return nil, err
	}
	rest, err := s.Units(ctx, dirs, false)
	return append([]similar.Part{one}, rest...), err
}

// entries lists the directories and regular files of a directory, without their contents, and passes other entries to
// left.
func entries(dir string, left func(name, reason string)) ([]string, error) {
	es, err := os.ReadDir(dir)
	if err != nil {
		if st, serr := os.Stat(dir); serr == nil && !st.IsDir() {
			err = errors.New("neither a directory nor an archive of submissions")
		}
		return nil, fmt.Errorf("list units of %q: %w", dir, err)
	}
	var out []string
	for _, e := range es {
		switch reason := noSubmission(e); {
		case reason != "":
			left(e.Name(), reason)
		case e.IsDir() || e.Type().IsRegular():
			out = append(out, filepath.Join(dir, e.Name()))
		case e.Type()&os.ModeSymlink != 0:
			left(e.Name(), files.ReasonSymlink)
		default:
			left(e.Name(), files.ReasonSpecial)
		}
	}
	return out, nil
}
