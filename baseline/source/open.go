package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// New makes a package from files that the caller lists. walk must call file and skipped as Walk does, and respect the
// limits.
func New(from string, walk func(ctx context.Context, lim Limits, file func(path string, data []byte) error, skipped func(path, reason, detail string)) error) *Package {
	return &Package{From: from, walk: func(ctx context.Context, v *files.Visit) error { return walk(ctx, v.Limits, v.File, v.Skipped) }}
}

// OpenFile makes a package from one file, under its name without directories.
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

// openControl opens a Debian source package by its .dsc. The archives are beside it and must have its checksums.
func openControl(_ context.Context, name string, o Options) ([]*Package, error) {
	data, err := files.ReadSmall(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	c, ok := files.ReadControl(data)
	if !ok {
		return nil, &UnknownSourceError{Arg: name, Why: "it names no source package with checksums of its parts"}
	}
	p := &Package{PURL: cmp.Or(o.PURL, purl.Make(purl.TypeDebian, "debian/"+c.Source, c.Version)), From: name}
	var parts []files.Part
	var others []string
	patched := false // Debian's folder is in a patch: a folder debian is upstream's own
	for _, part := range c.Parts {
		patched = patched || strings.HasSuffix(part.Name, ".diff.gz")
		dir, archive := manifest.DebianPart(part.Name)
		if !archive {
			others = append(others, part.Name)
			continue
		}
		file, sum := filepath.Join(filepath.Dir(name), part.Name), newSums(integrity("sha256", part.SHA256))
		parts = append(parts, files.Part{Name: part.Name, Dir: dir, Hides: dir, Walk: func(ctx context.Context, v *files.Visit) error {
			return walkPart(ctx, file, sum, v)
		}})
	}
	if len(parts) == 0 {
		return nil, &UnknownSourceError{Arg: name, Why: "none of its parts is an archive"}
	}
	slices.Sort(others)
	parts = append(parts, files.Part{Walk: func(_ context.Context, v *files.Visit) error {
		for _, other := range others { // signatures, and Debian's changes in the form of a patch
			v.Skipped(other, reasonPart, "")
		}
		return nil
	}})
	p.walk = func(ctx context.Context, v *files.Visit) error {
		if patched {
			return files.WalkParts(ctx, parts, v)
		}
		v, end := files.Debian(c.Version, true, v)
		defer end()
		return files.WalkParts(ctx, parts, v)
	}
	return []*Package{p}, nil
}

// walkPart checks an archive and reads it.
func walkPart(ctx context.Context, file string, sum *sums, v *files.Visit) error {
	f, err := files.OpenRegular(file)
	if errors.Is(err, files.ErrNotRegular) {
		err = files.ErrNotRegular
	}
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // without the path, which the archive's name says
		}
		return &ArchiveError{Archive: file, Err: err}
	}
	defer f.Close()
	sum = sum.again()
	if sum.hash == nil {
		return &IntegrityError{URL: file}
	}
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("read part: %w", err)
	}
	if err := sum.verify(file); err != nil {
		return err
	}
	return files.WalkArchiveFile(ctx, file, file, files.Form{Strip: true}, v)
}

// openArchive opens an archive in a file. Its metadata names the package.
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
	if fm.Prefix != "" { // a module; in a module cache, its .info is beside it
		m.Released = moduleTime(strings.TrimSuffix(name, ".zip")+".info", purl.Version(m.PURL))
	}
	return []*Package{{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: name,
		walk: func(ctx context.Context, v *files.Visit) error { return files.WalkArchiveFile(ctx, name, name, fm, v) }}}, nil
}

// UnknownSourceError reports that an argument cannot be read as a source.
type UnknownSourceError struct{ Arg, Why string }

func (e *UnknownSourceError) Error() string {
	return fmt.Sprintf("open source %q: %s (wanted: a directory, a go.mod or a lock file, "+
		"an archive (zip, jar, whl, nupkg, phar, tar, tar.gz, tar.xz, tar.zst, tar.bz2, crate, gem, dsc) or a package URL)", e.Arg, e.Why)
}

// NeedPURLError reports that a directory or archive does not name its package.
type NeedPURLError struct{ Arg string }

func (e *NeedPURLError) Error() string {
	return fmt.Sprintf("open source %q: nothing in it tells which package it is; name it with --purl, such as --purl pkg:generic/NAME@VERSION", e.Arg)
}
