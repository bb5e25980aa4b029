package source

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// reasonPart is why an archive of a Debian source package is left out: the files of a package come from one archive.
const reasonPart = "further-archive"

// maxIndex bounds the bytes of registry documents that list all packages: Debian's index of sources has 13 MB.
const maxIndex = 64 << 20

// fetchable refuses package URLs of types without a supported registry.
func fetchable(u purl.PURL) error {
	if u.Type == purl.TypeGolang || u.Type == purl.TypeNPM || slices.Contains(remote.Types, u.Type) {
		return nil
	}
	types := append([]string{purl.TypeGolang, purl.TypeNPM}, remote.Types...)
	slices.Sort(types)
	return &purl.UnsupportedTypeError{PURL: u.ToString(), Type: u.Type, Supported: types}
}

// fetchRemote finds a package at the registry of its ecosystem. integrity has the checksums from a lock file, or "". The archive
// must have one of them, and the checksum that the registry announces.
func fetchRemote(ctx context.Context, u purl.PURL, integrity string, o Options) (*Package, error) {
	if o.Offline {
		return nil, &OfflineError{Subject: u.ToString()}
	}
	r, err := remote.Locate(ctx, u, o.registries(), o.documents())
	if web.Missing(err) || errors.Is(err, remote.ErrNone) || errors.Is(err, remote.ErrNoSource) {
		return nil, notThere(u, err)
	}
	if err != nil {
		return nil, fmt.Errorf("fetch %q: %w", u.ToString(), err)
	}
	first := r.Archives[0]
	from := web.Shown(first.URL)
	if first.Integrity == "" && integrity == "" && !trusted(u.Type) {
		return nil, &IntegrityError{URL: from}
	}
	return &Package{PURL: r.PURL, License: r.License, Released: r.Released, From: from, remote: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			for _, a := range r.Archives[1:] {
				v.Skipped(a.Name, reasonPart, web.Shown(a.URL))
			}
			switch {
			case r.About != nil:
				return walkDebian(ctx, r, integrity, o, v)
			case u.Type == purl.TypeDebian && !strings.Contains(first.Name, ".orig.tar."): // Debian is upstream
				var end func()
				v, end = files.Debian(purl.Version(r.PURL), true, v)
				defer end()
			}
			return walkRemote(ctx, first, integrity, o, v)
		}}, nil
}

// walkDebian reads upstream's archive of a Debian source package, and what Debian's folder says of the package. Without the folder its date
// is unknown, and the ledger says why.
func walkDebian(ctx context.Context, r remote.Release, integrity string, o Options, v *files.Visit) error {
	about, end := files.Debian(purl.Version(r.PURL), false, &files.Visit{Limits: v.Limits, Check: v.Check, Named: v.Named,
		File: func(string, []byte) error { return nil }, Skipped: func(string, string, string) {}})
	part := files.Part{Name: r.About.Name, Dir: manifest.DebianDir, Walk: func(ctx context.Context, v *files.Visit) error {
		plain := *v
		plain.Named = nil // the folder is no package of another ecosystem
		return walkRemote(ctx, *r.About, "", o, &plain)
	}}
	switch err := files.WalkParts(ctx, []files.Part{part}, about); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		v.Skipped(r.About.Name, reasonPart, files.Cause(err))
	default:
		end()
	}
	return walkRemote(ctx, r.Archives[0], integrity, o, v)
}

// documents returns the function that fetches registry documents. For versions from a list, it uses the documents of that list
// again.
func (o Options) documents() remote.Get {
	if o.get != nil {
		return o.get
	}
	return func(ctx context.Context, addr, accept string) ([]byte, error) {
		return o.web().DocumentAs(ctx, addr, accept, maxIndex)
	}
}

// remoteVersions lists the versions at the registry of an ecosystem. The documents of the list are fetched only once.
func remoteVersions(ctx context.Context, u purl.PURL, o Options) ([]*Release, error) {
	type answer struct {
		data []byte
		err  error
	}
	fetch, kept, listing := o.documents(), map[string]answer{}, true
	var mu sync.Mutex
	o.get = func(ctx context.Context, addr, accept string) ([]byte, error) {
		mu.Lock()
		a, known := kept[addr]
		mu.Unlock()
		if known {
			return a.data, a.err
		}
		data, err := fetch(ctx, addr, accept)
		if listing {
			kept[addr] = answer{data, err}
		}
		return data, err
	}
	list, err := remote.List(ctx, u, o.registries(), o.get)
	listing = false
	if web.Missing(err) || errors.Is(err, remote.ErrNone) {
		return nil, notThere(u, err)
	}
	if err != nil {
		return nil, fmt.Errorf("list the versions of %q: %w", u.ToString(), err)
	}
	var out []*Release
	for _, v := range list {
		one := u
		one.Version, one.Qualifiers, one.Subpath = v.Version, nil, ""
		name, err := purl.Canonical(one.ToString())
		if err != nil {
			continue // no valid package URL
		}
		out = append(out, &Release{PURL: name, Withdrawn: v.Withdrawn, open: func(ctx context.Context) (*Package, error) { return fetchRemote(ctx, one, "", o) }})
	}
	return out, nil
}

// trusted reports types whose registries announce no checksums: archives of a forge, and Packagist, which identifies them by commit.
func trusted(typ string) bool { return typ == "github" || typ == "composer" }

func (o Options) registries() remote.Registries {
	if o.Registries == nil {
		return remote.Defaults()
	}
	return *o.Registries
}

// walkRemote downloads, checks and reads an archive.
func walkRemote(ctx context.Context, a remote.Archive, integrity string, o Options, v *files.Visit) error {
	from := web.Shown(a.URL)
	announced, locked := newChecksums(a.Integrity), newChecksums(integrity)
	return o.web().Download(ctx, a.URL, v.Limits.DownloadBytes, io.MultiWriter(announced, locked), func(b files.Blob) error {
		for _, s := range []*checksums{announced, locked} {
			if err := s.verify(from); err != nil {
				return err
			}
		}
		if v.Check {
			return files.WalkArchive(ctx, b, from, files.Form{}, v)
		}
		m, fm, err := files.Inspect(ctx, b, a.Name, v.Limits)
		if err != nil {
			return err
		}
		if v.Named != nil {
			v.Named(m)
		}
		return files.WalkArchive(ctx, b, from, fm, v)
	})
}

// checksums compares the bytes written to it with a list of checksums. One checksum of the strongest algorithm in the list must match.
type checksums struct {
	name string
	want []string // in base64; if empty, everything matches
	hash hash.Hash
}

func newChecksums(integrity string) *checksums {
	for _, alg := range []struct {
		name string
		make func() hash.Hash
	}{{"sha512", sha512.New}, {"sha384", sha512.New384}, {"sha256", sha256.New}, {"sha1", sha1.New}, {"md5", md5.New}} {
		s := &checksums{name: alg.name}
		for _, f := range strings.Fields(integrity) {
			if want, ok := strings.CutPrefix(f, alg.name+"-"); ok && want != "" {
				s.want = append(s.want, want)
			}
		}
		if s.want != nil {
			s.hash = alg.make()
			return s
		}
	}
	return &checksums{}
}

// again returns a copy that starts from the beginning.
func (s *checksums) again() *checksums {
	return newChecksums(s.name + "-" + strings.Join(s.want, " "+s.name+"-"))
}

func (s *checksums) Write(p []byte) (int, error) {
	if s.hash == nil {
		return len(p), nil
	}
	return s.hash.Write(p)
}

func (s *checksums) verify(from string) error {
	if s.hash == nil {
		return nil
	}
	got := base64.StdEncoding.EncodeToString(s.hash.Sum(nil))
	if slices.Contains(s.want, got) {
		return nil
	}
	return &IntegrityError{URL: from, Want: s.name + "-" + s.want[0], Got: s.name + "-" + got}
}

// notThere is the error for a package that its registry answered it does not have, or not in source.
func notThere(u purl.PURL, err error) *NotFoundError {
	return &NotFoundError{PURL: u.ToString(), Why: strings.ReplaceAll(files.Cause(err), "\n", "; "), Asked: true, NoSource: errors.Is(err, remote.ErrNoSource)}
}

// Prefetch downloads packages into the directory o.Downloads, at most parallel at a time, for Walk to use. It compares checksums and
// unpacks no archive. It returns the packages that can be read; the others are skipped as missing, each with a reason. Files of an
// earlier call are not downloaded again.
func Prefetch(ctx context.Context, pkgs []*Package, parallel int, o Options, done func(purl string, n int)) ([]*Package, error) {
	errs := make([]error, len(pkgs))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(parallel, 1))
	var mu sync.Mutex
	n := 0
	for i, p := range pkgs {
		if !p.remote {
			continue
		}
		g.Go(func() error {
			errs[i] = p.walk(gctx, &files.Visit{Check: true, Limits: o.Limits.WithDefaults(), Skipped: func(string, string, string) {}})
			mu.Lock()
			defer mu.Unlock()
			n++
			done(p.PURL, n)
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []*Package
	for i, p := range pkgs {
		if errs[i] != nil {
			o.failed(p.PURL, errs[i].Error(), errs[i], "")
			continue
		}
		out = append(out, p)
	}
	return out, nil
}
