package source

import (
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// defaultNPM is used if the environment names no registry.
const defaultNPM = "https://registry.npmjs.org/"

// npmDist has the address and checksums of a version at a registry.
type npmDist struct {
	Tarball   string `json:"tarball"`
	Integrity string `json:"integrity"`
	Shasum    string `json:"shasum"`
}

// npmVersion is a registry's document on one version.
type npmVersion struct {
	manifest.NPMDocument
	Dist npmDist `json:"dist"`
}

// fetchNPM asks the registry for a version or tag; "" means "latest". integrity has the checksums from a lock file.
func fetchNPM(ctx context.Context, name, version, integrity string, o Options) (*Package, error) {
	asked := purl.NPM(name, version)
	base, err := npmBase(name, o)
	if err != nil {
		return nil, err
	}
	if o.Offline {
		return nil, &OfflineError{Subject: asked}
	}
	doc, err := npmDocument(ctx, base, name, cmp.Or(version, "latest"), o)
	if web.Missing(err) {
		return nil, &NotFoundError{PURL: asked, Tried: []string{web.Shown(registryOf(name, o))}}
	}
	if err != nil {
		return nil, err
	}
	released, err := npmTime(ctx, base, doc.Version, o)
	if err != nil {
		return nil, err
	}
	m := manifest.Meta{PURL: purl.NPM(name, doc.Version), License: doc.Declared(), Released: released, Repository: doc.Address()}
	return npmTarball(m, doc.Dist, integrity, o), nil
}

// registryOf returns the registry of an npm package, by its scope.
func registryOf(name string, o Options) string {
	scope, _, _ := strings.Cut(name, "/")
	return strings.TrimRight(cmp.Or(o.NPMScopes[scope], o.NPMRegistry, defaultNPM), "/")
}

// npmBase returns the address of the document on a package.
func npmBase(name string, o Options) (string, error) {
	if !manifest.ValidNPMName(name) {
		return "", &purl.SyntaxError{PURL: purl.NPM(name, ""), Err: errors.New("not a name npm accepts")}
	}
	registry := registryOf(name, o)
	if !web.IsHTTP(registry) {
		return "", &FetchError{URL: web.Shown(registry), Err: errors.New("the npm registry is not an http address")}
	}
	return registry + "/" + strings.Replace(url.PathEscape(name), "%40", "@", 1), nil
}

func npmDocument(ctx context.Context, base, name, version string, o Options) (npmVersion, error) {
	var doc npmVersion
	addr := base + "/" + url.PathEscape(version)
	data, err := o.web().Document(ctx, addr)
	if err != nil {
		return doc, err
	}
	if err := bounded.JSON(data, &doc); err != nil || doc.Name != name || doc.Version == "" || !web.IsHTTP(doc.Dist.Tarball) ||
		semver.IsValid("v"+version) && doc.Version != version {
		return doc, &FetchError{URL: web.Shown(addr), Err: errors.New("not a document about a version of this package")}
	}
	return doc, nil
}

// maxPackument bounds the bytes of the document on all versions of a package, of which only the times are kept. The largest on
// the public registry have about 100 MB.
const maxPackument = 256 << 20

// npmTime returns when a version was published, or zero if the registry does not say. Documents on single versions do not have
// the time.
func npmTime(ctx context.Context, addr, version string, o Options) (time.Time, error) {
	r, err := o.web().Get(ctx, addr)
	if web.Missing(err) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	defer r.Close()
	times, err := packumentTimes(io.LimitReader(r, maxPackument))
	if err != nil {
		return time.Time{}, &FetchError{URL: web.Shown(addr), Err: err}
	}
	t, _ := time.Parse(time.RFC3339, times[version])
	return t, nil
}

// packumentTimes reads the object "time" at the top level of a document, and stops there.
func packumentTimes(r io.Reader) (times map[string]string, err error) {
	o, err := bounded.NewObject(r)
	for err == nil && times == nil {
		key, more, e := o.Next()
		switch {
		case e != nil || !more:
			return nil, e
		case key == "time":
			times, err = timesOf(o)
		default:
			err = o.Skip()
		}
	}
	return times, err
}

// timesOf reads the value of "time".
func timesOf(o *bounded.Object) (map[string]string, error) {
	times := map[string]string{}
	raw, err := o.Value(web.MaxDocument)
	if err == nil {
		err = bounded.JSON(raw, &times)
	}
	return times, err
}

// npmTarball returns the package of a tarball. Walk fetches it and compares it with the registry's checksum and with those of
// a lock file.
func npmTarball(m manifest.Meta, dist npmDist, integrity string, o Options) *Package {
	from := web.Shown(dist.Tarball)
	return &Package{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: from, remote: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			announced, locked := newChecksums(dist.integrity()), newChecksums(integrity)
			if announced.hash == nil {
				return &IntegrityError{URL: from}
			}
			return o.web().Download(ctx, dist.Tarball, v.Limits.DownloadBytes, io.MultiWriter(announced, locked), func(a files.Blob) error {
				if err := cmp.Or(announced.verify(from), locked.verify(from)); err != nil {
					return err
				}
				return files.WalkArchive(ctx, a, from, files.Form{Strip: true}, named(m.PURL, v))
			})
		}}
}

// named returns a visit that also reads which repository package.json names: a lock file says where a tarball lies, and no more.
func named(p string, v *files.Visit) *files.Visit {
	if v.Named == nil || v.File == nil {
		return v
	}
	visit := *v
	visit.File = func(path string, data []byte) error {
		if path == "package.json" {
			if m := manifest.NPM(data); m.PURL == p {
				v.Named(m)
			}
		}
		return v.File(path, data)
	}
	return &visit
}

// integrity returns the strongest checksum that the registry announces, in the form of lock files; "" if there is none.
func (d npmDist) integrity() string {
	for _, alg := range []string{"sha512-", "sha384-", "sha256-", "sha1-"} {
		for _, s := range strings.Fields(d.Integrity) {
			s, _, _ = strings.Cut(s, "?")
			if want, ok := strings.CutPrefix(s, alg); ok && want != "" {
				return s
			}
		}
	}
	if len(d.Shasum) != 2*sha1.Size {
		return ""
	}
	return remote.Integrity("sha1", d.Shasum)
}
