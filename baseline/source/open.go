package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// New makes a package of files that the caller lists: walk calls file and skipped as
// Walk does, and keeps to the limits.
func New(from string, walk func(ctx context.Context, lim Limits, file func(path string, data []byte) error, skipped func(path, reason, detail string)) error) *Package {
	return &Package{From: from, walk: func(ctx context.Context, v *files.Visit) error { return walk(ctx, v.Limits, v.File, v.Skipped) }}
}

// OpenFile makes a package of one file, under its name without directories.
func OpenFile(name string) *Package {
	return &Package{From: name, walk: func(_ context.Context, v *files.Visit) error {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("read file: %w", err)
		}
		defer f.Close()
		base := filepath.Base(name)
		data, size, err := files.ReadFile(f, v.Limits.FileBytes)
		switch {
		case errors.Is(err, files.ErrTooLarge):
			v.Skipped(base, ReasonTooLarge, files.SizeDetail(size, v.Limits.FileBytes))
			return nil
		case err != nil:
			return fmt.Errorf("read file %q: %w", name, err)
		}
		return v.File(base, data)
	}}
}

// openArchive opens an archive in a file, learning from its metadata what it is.
func openArchive(ctx context.Context, name string, o Options) ([]*Package, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	defer f.Close()
	a, err := files.NewBlob(f)
	if err != nil {
		return nil, err
	}
	if k, err := files.Kind(a); err == nil && k == "" {
		return nil, &UnknownSourceError{Arg: name, Why: "not an archive"}
	}
	m, fm, err := files.Inspect(ctx, a, name, o.Limits)
	if err != nil {
		return nil, err
	}
	if o.PURL != "" {
		m.PURL = o.PURL
	}
	if m.PURL == "" {
		return nil, &NeedPURLError{Arg: name}
	}
	if fm.Prefix != "" { // a module; in a module cache, its .info lies beside it
		m.Released = moduleTime(strings.TrimSuffix(name, ".zip")+".info", purl.Version(m.PURL))
	}
	return []*Package{{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: name,
		walk: func(ctx context.Context, v *files.Visit) error { return files.WalkArchiveFile(ctx, name, name, fm, v) }}}, nil
}
