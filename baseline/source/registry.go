package source

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// Default registries, if the environment names none.
const (
	defaultGoProxy = "https://proxy.golang.org,direct"
	defaultNPM     = "https://registry.npmjs.org/"
)

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

// mostForDate bounds the wait for a date, which the module itself does not need.
const mostForDate = 10 * time.Second

// dateOf returns when a module was released. The Go command caches a module's date only if the module was requested by name,
// not for a build. So dateOf asks the proxies for a missing date, if allowed.
func dateOf(ctx context.Context, p *Package, u purl.PURL, o Options) time.Time {
	if !p.Released.IsZero() || p.remote || o.Offline {
		return p.Released
	}
	ctx, stop := context.WithTimeout(ctx, mostForDate)
	defer stop()
	t, err := golangDate(ctx, module.Version{Path: purl.FullName(u), Version: u.Version}, o)
	if err != nil {
		return time.Time{} // a missing date is not an error
	}
	return t
}

// fetchGolang finds a module in the module cache, or else asks the proxies.
func fetchGolang(ctx context.Context, path, version string, o Options) (*Package, error) {
	name := purl.Golang(path, version)
	if path == "std" {
		return nil, &NotFoundError{PURL: name, Why: "the standard library is no module of its own; name the directory of a Go distribution"}
	}
	esc, err := module.EscapePath(path)
	if err != nil {
		return nil, &purl.SyntaxError{PURL: name, Err: err}
	}
	if p := cachedModule(o.ModCache, module.Version{Path: path, Version: version}); p != nil {
		return p, nil
	}
	if o.Offline {
		return nil, &OfflineError{Subject: name}
	}
	if module.MatchPrefixPatterns(o.GoPrivate, path) {
		return nil, &NotFoundError{PURL: name, Why: "it is private (GOPRIVATE): run \"go mod download\" first"}
	}
	return fromProxies(ctx, path, esc, version, o)
}

// proxy is an entry of GOPROXY.
type proxy struct {
	addr    string
	lenient bool // followed by a bar: any failure leads to the next proxy
}

// proxies returns the entries of GOPROXY that can be asked. "direct" would need the module's own repository, so it ends the
// list, like "off".
func proxies(list string) []proxy {
	var out []proxy
	for list != "" {
		end := strings.IndexAny(list+",", ",|")
		entry := strings.TrimRight(strings.TrimSpace(list[:end]), "/")
		lenient := end < len(list) && list[end] == '|'
		list = list[min(end+1, len(list)):]
		if entry == "off" || entry == "direct" {
			break
		}
		if isHTTP(entry) || strings.HasPrefix(entry, "file://") {
			out = append(out, proxy{entry, lenient})
		}
	}
	return out
}

// fromProxies finds a version at the proxies.
func fromProxies(ctx context.Context, path, esc, version string, o Options) (p *Package, err error) {
	err = askProxies(ctx, purl.Golang(path, version), o, func(addr string) error {
		p, err = fromProxy(ctx, addr, path, esc, version, o)
		return err
	})
	return p, err
}

// askProxies asks one proxy after another. It goes on to the next if a proxy does not have the module, or if a lenient one
// failed.
func askProxies(ctx context.Context, name string, o Options, ask func(addr string) error) error {
	list := proxies(cmp.Or(o.GoProxy, defaultGoProxy))
	if list == nil {
		return &NotFoundError{PURL: name, Why: "GOPROXY names no proxy that can be asked"}
	}
	var failed error
	var tried []string
	for _, proxy := range list {
		err := ask(proxy.addr)
		if err == nil {
			return nil
		}
		tried = append(tried, shown(proxy.addr))
		if missing(err) {
			continue
		}
		failed = errors.Join(failed, err)
		if !proxy.lenient || ctx.Err() != nil {
			break
		}
	}
	if failed != nil {
		return failed
	}
	return &NotFoundError{PURL: name, Tried: tried}
}

// fromProxy resolves a version at one proxy. Walk fetches the zip later.
func fromProxy(ctx context.Context, proxy, path, esc, version string, o Options) (*Package, error) {
	info, err := proxyInfo(ctx, proxy+"/"+esc, version, o)
	if err != nil {
		return nil, err
	}
	m := module.Version{Path: path, Version: info.Version}
	ver, err := urlVersion(info.Version)
	asked := module.CanonicalVersion(version) == version && version != ""
	if err != nil || module.Check(path, info.Version) != nil || asked && info.Version != version {
		return nil, &FetchError{URL: shown(proxy + "/" + esc), Err: fmt.Errorf("answered with version %q", info.Version)}
	}
	if p := cachedModule(o.ModCache, m); p != nil {
		return p, nil
	}
	addr := proxy + "/" + esc + "/@v/" + ver + ".zip"
	return &Package{PURL: purl.Golang(path, info.Version), Released: info.Time.UTC(), From: shown(addr), remote: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			return download(ctx, addr, o, v.Limits.DownloadBytes, io.Discard, func(a files.Blob) error {
				if err := checkModule(ctx, m, a, shown(addr), v.Limits, o); err != nil {
					return err
				}
				return files.WalkArchive(ctx, a, shown(addr), files.GoZip(m), v)
			})
		}}, nil
}

// proxyInfo returns the .info of a version. For version "" it finds the latest as the Go command does: the highest listed
// release, else the highest listed pre-release, else the proxy's latest.
func proxyInfo(ctx context.Context, base, version string, o Options) (moduleInfo, error) {
	if version == "" {
		list, err := document(ctx, base+"/@v/list", o)
		if err != nil && !missing(err) {
			return moduleInfo{}, err
		}
		if version = highest(strings.Fields(string(list))); version == "" {
			return getInfo(ctx, base+"/@latest", o)
		}
	}
	ver, err := urlVersion(version)
	if err != nil {
		return moduleInfo{}, &FetchError{URL: shown(base), Err: err}
	}
	return getInfo(ctx, base+"/@v/"+ver+".info", o)
}

// urlVersion escapes a version, branch or tag for an address.
func urlVersion(version string) (string, error) {
	v, err := module.EscapeVersion(version)
	return strings.ReplaceAll(url.PathEscape(v), "%21", "!"), err
}

func getInfo(ctx context.Context, addr string, o Options) (moduleInfo, error) {
	var info moduleInfo
	data, err := document(ctx, addr, o)
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil || info.Version == "" {
		return info, &FetchError{URL: shown(addr), Err: errors.New("not a module version document")}
	}
	return info, nil
}

func highest(versions []string) string {
	var release, pre string
	for _, v := range versions {
		if !semver.IsValid(v) {
			continue
		}
		best := &release
		if semver.Prerelease(v) != "" {
			best = &pre
		}
		if *best == "" || semver.Compare(v, *best) > 0 {
			*best = v
		}
	}
	return cmp.Or(release, pre)
}

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
	if missing(err) {
		return nil, &NotFoundError{PURL: asked, Tried: []string{shown(registryOf(name, o))}}
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
	if !isHTTP(registry) {
		return "", &FetchError{URL: shown(registry), Err: errors.New("the npm registry is not an http address")}
	}
	return registry + "/" + strings.Replace(url.PathEscape(name), "%40", "@", 1), nil
}

func npmDocument(ctx context.Context, base, name, version string, o Options) (npmVersion, error) {
	var doc npmVersion
	addr := base + "/" + url.PathEscape(version)
	data, err := document(ctx, addr, o)
	if err != nil {
		return doc, err
	}
	if err := json.Unmarshal(data, &doc); err != nil || doc.Name != name || doc.Version == "" || !isHTTP(doc.Dist.Tarball) ||
		semver.IsValid("v"+version) && doc.Version != version {
		return doc, &FetchError{URL: shown(addr), Err: errors.New("not a document about a version of this package")}
	}
	return doc, nil
}

// maxPackument bounds the bytes of the document on all versions of a package, of which only the times are kept. The largest on
// the public registry have about 100 MB.
const maxPackument = 256 << 20

// npmTime returns when a version was published, or zero if the registry does not say. Documents on single versions do not have
// the time.
func npmTime(ctx context.Context, addr, version string, o Options) (time.Time, error) {
	r, err := get(ctx, addr, "", o)
	if missing(err) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	defer r.Close()
	times, err := packumentTimes(io.LimitReader(r, maxPackument))
	if err != nil {
		return time.Time{}, &FetchError{URL: shown(addr), Err: err}
	}
	t, _ := time.Parse(time.RFC3339, times[version])
	return t, nil
}

// packumentTimes reads the object "time" at the top level of a document, and stops there.
func packumentTimes(r io.Reader) (map[string]string, error) {
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("not a document about a package"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		if key == "time" {
			times := map[string]string{}
			return times, d.Decode(&times)
		}
		if err := skipValue(d); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// skipValue skips one value.
func skipValue(d *json.Decoder) error {
	depth := 0
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// npmTarball returns the package of a tarball. Walk fetches it and compares it with the registry's checksum and with those of
// a lock file.
func npmTarball(m manifest.Meta, dist npmDist, integrity string, o Options) *Package {
	from := shown(dist.Tarball)
	return &Package{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: from, remote: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			sum := newChecksum(dist)
			if sum.want == "" {
				return &IntegrityError{URL: from}
			}
			locked := newSums(integrity)
			return download(ctx, dist.Tarball, o, v.Limits.DownloadBytes, io.MultiWriter(sum.hash, locked), func(a files.Blob) error {
				if err := cmp.Or(sum.verify(from), locked.verify(from)); err != nil {
					return err
				}
				return files.WalkArchive(ctx, a, from, files.Form{Strip: true}, v)
			})
		}}
}

// checksum is the strongest checksum that a registry announces.
type checksum struct {
	name, want string // want is base64; "" if there is none
	hash       hash.Hash
}

func newChecksum(d npmDist) checksum {
	for _, alg := range []struct {
		name string
		make func() hash.Hash
	}{{"sha512", sha512.New}, {"sha384", sha512.New384}, {"sha256", sha256.New}, {"sha1", sha1.New}} {
		for _, s := range strings.Fields(d.Integrity) {
			s, _, _ = strings.Cut(s, "?")
			if want, ok := strings.CutPrefix(s, alg.name+"-"); ok && want != "" {
				return checksum{alg.name, want, alg.make()}
			}
		}
	}
	if sum, err := hex.DecodeString(d.Shasum); err == nil && len(sum) == sha1.Size {
		return checksum{"sha1", base64.StdEncoding.EncodeToString(sum), sha1.New()}
	}
	return checksum{}
}

func (c checksum) verify(from string) error {
	got := base64.StdEncoding.EncodeToString(c.hash.Sum(nil))
	if got != c.want {
		return &IntegrityError{URL: from, Want: c.name + "-" + c.want, Got: c.name + "-" + got}
	}
	return nil
}
