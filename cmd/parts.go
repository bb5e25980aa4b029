package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// parts opens what was named to be compared.
type parts struct {
	p        *program
	suffixes []string        // of the files that take part; none means all
	closers  []io.Closer     // repositories that files are read from, directories of unpacked archives
	ledger   []finding.Entry // what no part gets
}

func (s *parts) close(err *error) { closeAll(err, s.closers) }

// open opens a file, a directory, an archive, or a revision of the repository around
// the working directory, as one unit or as a unit for each file.
func (s *parts) open(ctx context.Context, arg string, each bool) (similar.Part, error) {
	name := filepath.ToSlash(filepath.Clean(arg))
	st, err := os.Stat(arg)
	if errors.Is(err, os.ErrNotExist) {
		if part, ok, rerr := s.revision(ctx, arg, each); ok || rerr != nil {
			return part, rerr
		}
	}
	if err != nil {
		return similar.Part{}, fmt.Errorf("compare: %w", err)
	}
	archive := false
	if st.Mode().IsRegular() {
		if archive, err = files.IsArchive(arg); err != nil {
			return similar.Part{}, err
		}
	}
	if st.IsDir() || archive {
		return s.whole(ctx, arg, name, each)
	}
	dir, _ := path.Split(name)
	return similar.Part{Name: strings.TrimSuffix(dir, "/"), Package: source.OpenFile(arg), Each: true}, nil
}

// whole is a directory or an archive.
func (s *parts) whole(ctx context.Context, arg, name string, each bool) (similar.Part, error) {
	pkgs, err := source.Open(ctx, arg, source.Options{PURL: "pkg:generic/part", Offline: true})
	if err != nil {
		return similar.Part{}, err
	}
	return similar.Part{Name: name, Package: s.filtered(pkgs[0]), Each: each}, nil
}

// filtered leaves out the files of other suffixes than those that were asked for.
func (s *parts) filtered(p *source.Package) *source.Package {
	if len(s.suffixes) == 0 {
		return p
	}
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return p.Walk(ctx, lim, func(path string, data []byte) error {
			if !slices.ContainsFunc(s.suffixes, func(x string) bool { return strings.HasSuffix(path, x) }) {
				skipped(path, reasonSuffix, "")
				return nil
			}
			return file(path, data)
		}, skipped)
	})
}

// reasonSuffix is why a file is in the ledger that --suffix leaves out.
const reasonSuffix = "suffix"

// revision is REV or REV:PATH of the repository around the working directory.
func (s *parts) revision(ctx context.Context, arg string, each bool) (part similar.Part, ok bool, err error) {
	repo, err := s.p.openRepo(ctx, ".")
	if repo == nil || err != nil {
		return part, false, err
	}
	rev, below, _ := strings.Cut(arg, ":")
	files, err := repo.FilesAt(ctx, rev, strings.Trim(below, "/"))
	if err != nil || len(files) == 0 {
		err = cmp.Or(repo.Close(), err)
		if unknown := new(git.RevisionError); errors.As(err, &unknown) {
			err = nil // then it is a path that is not there
		}
		return part, false, err
	}
	s.closers = append(s.closers, repo)
	walk := func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		for _, f := range files {
			data, err := repo.Blob(ctx, f.Blob, lim.FileBytes)
			if large := new(git.TooLargeError); errors.As(err, &large) {
				skipped(f.Path, source.ReasonTooLarge, err.Error())
				continue
			}
			if err != nil {
				return err
			}
			if err := file(f.Path, data); err != nil {
				return err
			}
		}
		return nil
	}
	return similar.Part{Name: arg, Package: s.filtered(source.New(arg, walk)), Each: each}, true, nil
}

// units opens each DIR: every file in it as a unit, or what each person handed in.
func (s *parts) units(ctx context.Context, dirs []string, folders bool) (out []similar.Part, err error) {
	for _, dir := range dirs {
		if folders {
			ps, err := s.submissions(ctx, dir)
			if err != nil {
				return nil, err
			}
			out = append(out, ps...)
			continue
		}
		part, err := s.open(ctx, dir, true)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// entries lists the directories and regular files right in a directory.
func entries(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list units: %w", err)
	}
	var out []string
	for _, e := range es {
		if e.IsDir() || e.Type().IsRegular() {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}
