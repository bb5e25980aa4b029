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

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Open returns the packages that an argument names, ordered by package URL:
//
//   - a directory: the module cache or a module in it, a Go distribution, a node_modules folder, a vendor folder with
//     modules.txt, or one package named by o.PURL, go.mod or package.json;
//   - a go.mod file: every module it requires, from the module cache, else from a proxy, and Go's standard library;
//   - a lock file: every package it lists, from this machine or else from its registry, and the standard libraries of their
//     ecosystems on this machine;
//   - an archive: zip, jar, whl, tar, tar.gz, tgz, crate, gem;
//   - a package URL, fetched from its registry unless it is in the module cache.
func Open(ctx context.Context, arg string, o Options) ([]*Package, error) {
	o.Limits = o.Limits.WithDefaults()
	if o.HTTP == nil {
		o.HTTP = o.client()
	}
	if o.PURL != "" {
		c, err := purl.Canonical(o.PURL)
		if err != nil {
			return nil, err
		}
		o.PURL = c
	}
	pkgs, err := open(ctx, arg, o)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		o.override(p)
	}
	return pkgs, nil
}

func (o Options) override(p *Package) {
	if o.License != "" && !p.unasked {
		p.License, p.Asked = o.License, true
	}
	if !o.Released.IsZero() && !p.unasked {
		p.Released = o.Released
	}
	p.Released = p.Released.UTC()
}

func open(ctx context.Context, arg string, o Options) ([]*Package, error) {
	if purl.Is(arg) {
		return openPURL(ctx, arg, o)
	}
	info, err := os.Stat(arg)
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		e.Op = "open source" // not stat
	}
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return openDir(ctx, filepath.Clean(arg), o)
	case !info.Mode().IsRegular():
		return nil, &UnknownSourceError{Arg: arg, Why: "neither a regular file nor a directory"}
	case strings.HasSuffix(arg, ".dsc"):
		return openControl(ctx, arg, o)
	case o.PURL != "":
		return openArchive(ctx, arg, o)
	case filepath.Base(arg) == "go.mod":
		return openGoMod(ctx, arg, o)
	}
	if f := lockfile.Of(filepath.ToSlash(arg)); f != nil {
		return openLock(ctx, arg, f, o)
	}
	return openArchive(ctx, arg, o)
}

// openDir tries the kinds of directories, the most specific first. If the user gave a package URL, the directory is one plain
// package; its metadata says the rest, as that of an archive does.
func openDir(ctx context.Context, dir string, o Options) ([]*Package, error) {
	if o.PURL != "" {
		m, err := dirMeta(dir)
		if err != nil {
			m = manifest.Meta{} // not needed; the walk names what it cannot read
		}
		m.PURL = o.PURL
		return []*Package{dirPackage(dir, m)}, nil
	}
	for _, try := range []func(context.Context, string, Options) ([]*Package, error){
		openModCache, openGoRoot, openNodeModules, openVendor, openNamedDir,
	} {
		if pkgs, err := try(ctx, dir, o); pkgs != nil || err != nil {
			return pkgs, err
		}
	}
	return nil, &NeedPURLError{Arg: dir}
}

// openNamedDir opens a directory whose metadata names the package.
func openNamedDir(_ context.Context, dir string, _ Options) ([]*Package, error) {
	m, err := dirMeta(dir)
	if err != nil || m.PURL == "" {
		return nil, err
	}
	return []*Package{dirPackage(dir, m)}, nil
}

func dirPackage(dir string, m manifest.Meta) *Package {
	return &Package{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: dir,
		walk: func(ctx context.Context, v *files.Visit) error { return files.WalkDir(ctx, dir, nil, v) }}
}

// dirMeta reads go.mod or package.json of a directory. A go.mod has no version.
func dirMeta(dir string) (manifest.Meta, error) {
	mod, err := files.ReadSmall(filepath.Join(dir, "go.mod"))
	if err != nil && !os.IsNotExist(err) {
		return manifest.Meta{}, err
	}
	if path := modulePath(mod); path != "" {
		return manifest.Meta{PURL: purl.Golang(path, "")}, nil
	}
	pkg, err := files.ReadSmall(filepath.Join(dir, "package.json"))
	if err != nil && !os.IsNotExist(err) {
		return manifest.Meta{}, err
	}
	return manifest.NPM(pkg), nil
}

// openPURL opens a package by its package URL. It reads the whole package; a subpath and qualifiers are dropped.
func openPURL(ctx context.Context, arg string, o Options) ([]*Package, error) {
	p, err := purl.Parse(arg)
	if err != nil {
		return nil, err
	}
	pkg, err := fetchPURL(ctx, p, "", o)
	if err != nil {
		return nil, err
	}
	if o.PURL != "" {
		pkg.PURL = o.PURL
	}
	return []*Package{pkg}, nil
}

// fetchPURL fetches a package of any type. integrity has the checksums from a lock file.
func fetchPURL(ctx context.Context, u purl.PURL, integrity string, o Options) (*Package, error) {
	if err := fetchable(u); err != nil {
		return nil, err
	}
	switch u.Type {
	case purl.TypeGolang:
		p, err := fetchGolang(ctx, purl.FullName(u), u.Version, o)
		if err == nil {
			p.Released = dateOf(ctx, p, u, o)
		}
		return p, err
	case purl.TypeNPM:
		return fetchNPM(ctx, purl.FullName(u), u.Version, integrity, o)
	}
	return fetchRemote(ctx, u, integrity, o)
}

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
		file, sum := filepath.Join(filepath.Dir(name), part.Name), newChecksums(remote.Integrity("sha256", part.SHA256))
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
func walkPart(ctx context.Context, file string, sum *checksums, v *files.Visit) error {
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
	return fmt.Sprintf("open source %q: nothing in it shows which package it is; name it with --purl, such as --purl pkg:generic/NAME@VERSION", e.Arg)
}
