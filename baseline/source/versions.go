package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Release is one version in a registry's list. It is not fetched yet.
type Release struct {
	PURL     string
	Released time.Time // zero if the list does not say: see Date

	Withdrawn bool // by its publisher; it may still be available

	date func(context.Context) (time.Time, error)
	open func(context.Context) (*Package, error)
}

// Date returns when the version was released, or zero if the registry does not say.
func (r *Release) Date(ctx context.Context) (time.Time, error) {
	if r.date == nil || !r.Released.IsZero() {
		return r.Released, nil
	}
	return r.date(ctx)
}

// Open returns the version as a package. Walk fetches its archive.
func (r *Release) Open(ctx context.Context) (*Package, error) { return r.open(ctx) }

// Remote reports whether reading the package downloads it.
func (p *Package) Remote() bool { return p.remote }

// maxMajors bounds the number of major versions of one Go module that are requested.
const maxMajors = 100

// listing is the number of lists of versions that are requested at once.
const listing = 4

// Versions returns the versions of a package at its registry, oldest first in the order of its ecosystem. All major
// versions of a Go module up to the one in name are one package: a/b, a/b/v2, a/b/v3. Versions of the Go standard
// library are those of the tool chains at the proxy.
func Versions(ctx context.Context, name string, o Options) ([]*Release, error) {
	o.Limits = o.Limits.WithDefaults()
	if o.HTTP == nil {
		o.HTTP = newClient(o)
	}
	p, err := purl.Parse(name)
	if err == nil {
		err = fetchable(p)
	}
	if err != nil {
		return nil, err
	}
	if o.Offline {
		return nil, &OfflineError{Subject: purl.Name(name)}
	}
	var list []*Release
	switch {
	case p.Type == purl.TypeNPM:
		list, err = npmVersions(ctx, purl.FullName(p), o)
	case p.Type != purl.TypeGolang:
		list, err = remoteVersions(ctx, p, o)
	case purl.FullName(p) == stdName:
		list, err = stdVersions(ctx, stdName, o)
	default:
		list, err = golangVersions(ctx, purl.FullName(p), o)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b *Release) int { return compareVersions(a.PURL, b.PURL) })
	return slices.CompactFunc(list, func(a, b *Release) bool { return a.PURL == b.PURL }), nil
}

// compareVersions orders package URLs of one package by their versions.
func compareVersions(a, b string) int {
	u, err := purl.Parse(a)
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return purl.CompareVersions(a, b)
	}
	return cmp.Or(remote.Compare(u.Type, purl.Version(a), purl.Version(b)), strings.Compare(a, b))
}

// majors returns the paths of a module for all major versions up to its own.
func majors(p string) []string {
	prefix, suffix, ok := module.SplitPathVersion(p)
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimLeft(suffix, "/.v"), "-unstable"))
	if suffix == "" {
		return []string{p}
	}
	if err != nil || n > maxMajors {
		return []string{p}
	}
	var out []string
	if strings.HasPrefix(p, "gopkg.in/") {
		for i := range n + 1 {
			out = append(out, prefix+".v"+strconv.Itoa(i))
		}
		return out
	}
	out = append(out, prefix)
	for i := 2; i <= n; i++ {
		out = append(out, prefix+"/v"+strconv.Itoa(i))
	}
	return out
}

// golangVersions asks the proxies for the versions under each path of a module.
func golangVersions(ctx context.Context, name string, o Options) ([]*Release, error) {
	paths := majors(name)
	if paths == nil {
		return nil, &purl.SyntaxError{PURL: purl.Golang(name, ""), Err: errors.New("not a module path")}
	}
	lists := make([][]string, len(paths))
	errs := make([]error, len(paths))
	var wg sync.WaitGroup
	slots := make(chan struct{}, listing)
	for i, p := range paths {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			lists[i], errs[i] = proxyList(ctx, p, o)
			if _, none := errors.AsType[*NotFoundError](errs[i]); none && p != name {
				errs[i] = nil // some major versions were never released
			}
		})
	}
	wg.Wait()
	for i, p := range paths {
		if refused(errs[i]) && p != name {
			o.skip(purl.Golang(p, ""), ReasonMissing, "the registry does not tell its versions: "+files.Cause(errs[i]))
			errs[i] = nil
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var out []*Release
	for i, p := range paths {
		for _, v := range lists[i] {
			out = append(out, golangRelease(module.Version{Path: p, Version: v}, o))
		}
	}
	return out, nil
}

func golangRelease(m module.Version, o Options) *Release {
	return &Release{PURL: golangName(m),
		date: func(ctx context.Context) (time.Time, error) { return golangDate(ctx, m, o) },
		open: func(ctx context.Context) (*Package, error) { return fetchGolang(ctx, m.Path, m.Version, o) },
	}
}

func golangDate(ctx context.Context, m module.Version, o Options) (t time.Time, err error) {
	if c, ok := cachePaths(o.ModCache, m); ok {
		if t := moduleTime(c.download+".info", m.Version); !t.IsZero() {
			return t, nil
		}
	}
	err = eachProxy(ctx, m.Path, m.Version, o, func(base string) error {
		info, err := proxyInfo(ctx, base, m.Version, o)
		if err == nil && info.Version != m.Version {
			err = &FetchError{URL: shown(base), Err: fmt.Errorf("answered with version %q", info.Version)}
		}
		t = info.Time.UTC()
		return err
	})
	return t, err
}

// proxyList returns the versions a proxy lists under one module path.
func proxyList(ctx context.Context, name string, o Options) (list []string, err error) {
	err = eachProxy(ctx, name, "", o, func(base string) error {
		data, err := document(ctx, base+"/@v/list", o)
		if err != nil {
			return err
		}
		list = strings.Fields(string(data))
		if len(list) > 0 && !semver.IsValid(list[0]) {
			return &FetchError{URL: shown(base + "/@v/list"), Err: errors.New("not a list of versions")}
		}
		return nil
	})
	return slices.DeleteFunc(list, func(v string) bool {
		return module.Check(name, v) != nil || module.IsPseudoVersion(v)
	}), err
}

// eachProxy calls ask with the module's address at one proxy after another, like fromProxies.
func eachProxy(ctx context.Context, name, version string, o Options, ask func(base string) error) error {
	esc, err := module.EscapePath(name)
	if err != nil {
		return &purl.SyntaxError{PURL: purl.Golang(name, version), Err: err}
	}
	if module.MatchPrefixPatterns(o.GoPrivate, name) {
		return &NotFoundError{PURL: purl.Golang(name, version), Why: "it is private (GOPRIVATE)"}
	}
	return askProxies(ctx, purl.Golang(name, version), o, func(addr string) error { return ask(addr + "/" + esc) })
}

// The standard library is published within the tool chains, which are versions of this module.
const (
	stdName       = "std"
	toolchainPath = "golang.org/toolchain"
	toolchainPre  = "v0.0.1-go"
)

// platforms lists the tool chains that are used, in order of preference. The standard library is the same in all.
var platforms = []string{"linux-amd64", "linux-arm64", "darwin-arm64", "darwin-amd64", "windows-amd64"}

// stdVersions lists the releases of Go whose tool chains the proxies have.
func stdVersions(ctx context.Context, _ string, o Options) ([]*Release, error) {
	list, err := proxyList(ctx, toolchainPath, o)
	if err != nil {
		return nil, err
	}
	best := map[string]string{} // platform of the tool chain of each release
	for _, v := range list {
		release, platform, ok := cutPlatform(v)
		if have, twice := best[release]; ok && (!twice || rank(platform) < rank(have)) {
			best[release] = platform
		}
	}
	var out []*Release
	for release, platform := range best {
		out = append(out, stdRelease(release, toolchainPre+release+"."+platform, o))
	}
	return out, nil
}

// cutPlatform splits v0.0.1-go1.21.0.linux-amd64.
func cutPlatform(v string) (release, platform string, ok bool) {
	rest, ok := strings.CutPrefix(v, toolchainPre)
	i := strings.LastIndexByte(rest, '.')
	if !ok || i < 0 || !slices.Contains(platforms, rest[i+1:]) || purl.GoOrder(rest[:i]) == "" {
		return "", "", false
	}
	return rest[:i], rest[i+1:], true
}

func rank(platform string) int { return slices.Index(platforms, platform) }

func stdRelease(release, version string, o Options) *Release {
	m := module.Version{Path: toolchainPath, Version: version}
	r := &Release{PURL: purl.Golang(stdName, release)}
	r.date = func(ctx context.Context) (time.Time, error) { return golangDate(ctx, m, o) }
	r.open = func(ctx context.Context) (*Package, error) {
		p, err := fetchGolang(ctx, m.Path, m.Version, o)
		if err != nil {
			return nil, err
		}
		return sourceOfToolchain(p, r.PURL), nil
	}
	return r
}

// sourceOfToolchain makes the package std from a tool chain: its src folder without test data, like goRoot.
func sourceOfToolchain(p *Package, name string) *Package {
	walk := p.walk
	return &Package{PURL: name, License: goLicense, Released: p.Released, From: p.From, remote: p.remote,
		walk: func(ctx context.Context, v *files.Visit) error {
			inner := *v
			inner.Skipped = func(string, string, string) {}
			inner.Wanted = func(name string) bool {
				name, ok := strings.CutPrefix(name, "src/")
				return ok && !slices.Contains(strings.Split(path.Dir(name), "/"), "testdata") && (v.Wanted == nil || v.Wanted(name))
			}
			inner.File = func(name string, data []byte) error {
				if !inner.Wanted(name) {
					return nil
				}
				return v.File(strings.TrimPrefix(name, "src/"), data)
			}
			return walk(ctx, &inner)
		}}
}

// npmVersions reads the document on all versions of a package.
func npmVersions(ctx context.Context, name string, o Options) ([]*Release, error) {
	asked := purl.NPM(name, "")
	base, err := npmBase(name, o)
	if err != nil {
		return nil, err
	}
	r, err := get(ctx, base, "", o)
	if missing(err) {
		return nil, &NotFoundError{PURL: asked, Tried: []string{shown(base)}}
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	doc, err := readPackument(io.LimitReader(r, maxPackument))
	if err == nil && doc.name != name {
		err = errors.New("not a document about this package")
	}
	if err != nil {
		return nil, &FetchError{URL: shown(base), Err: err}
	}
	var out []*Release
	for v, d := range doc.versions {
		if semver.IsValid("v"+v) && d.Version == v && isHTTP(d.Dist.Tarball) {
			out = append(out, npmRelease(name, d, doc.time[v], o))
		}
	}
	return out, nil
}

func npmRelease(name string, d npmVersion, released string, o Options) *Release {
	t, _ := time.Parse(time.RFC3339, released)
	m := manifest.Meta{PURL: purl.NPM(name, d.Version), License: d.Declared(), Released: t.UTC(), Repository: d.Address()}
	return &Release{PURL: m.PURL, Released: m.Released,
		open: func(context.Context) (*Package, error) { return npmTarball(m, d.Dist, "", o), nil }}
}

// packument has the parts that are kept of the document on all versions of a package.
type packument struct {
	name     string
	versions map[string]npmVersion
	time     map[string]string
}

// readPackument reads a document of any size and keeps only small parts of it.
func readPackument(r io.Reader) (p packument, err error) {
	d := json.NewDecoder(r)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return p, errors.Join(errors.New("not a document about a package"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return p, err
		}
		switch key {
		case "name":
			err = d.Decode(&p.name)
		case "time":
			err = d.Decode(&p.time)
		case "versions":
			p.versions, err = decodeVersions(d)
		default:
			err = skipValue(d)
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// decodeVersions reads one version at a time, since the unused parts of a version are large.
func decodeVersions(d *json.Decoder) (map[string]npmVersion, error) {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("its versions are no object"), err)
	}
	out := map[string]npmVersion{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v npmVersion
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		out[fmt.Sprint(key)] = v
	}
	_, err := d.Token()
	return out, err
}

// SelectError reports an invalid choice of versions.
type SelectError struct{ Spec string }

func (e *SelectError) Error() string {
	return fmt.Sprintf("choose versions %q: wanted all, a number of newest releases, or a range such as v1.2.0..v1.9.0", e.Spec)
}

// Select returns the versions that spec chooses from an ascending list: see Choose.
func Select(rs []*Release, spec string) ([]*Release, error) {
	var names []string
	for _, r := range rs {
		names = append(names, r.PURL)
	}
	names, err := Choose(names, spec)
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, n := range names {
		chosen[n] = true
	}
	return slices.DeleteFunc(slices.Clone(rs), func(r *Release) bool { return !chosen[r.PURL] }), nil
}

// Choose returns the package URLs of one package that spec chooses, in ascending order. spec is "all", the number N of
// newest releases, or a range FROM..TO with both ends included; one end may be missing. "all" and ranges include
// pre-releases.
func Choose(names []string, spec string) ([]string, error) {
	names = slices.Clone(names)
	slices.SortStableFunc(names, compareVersions)
	if spec == "all" {
		return names, nil
	}
	if n, err := strconv.Atoi(spec); err == nil && n > 0 {
		names = slices.DeleteFunc(names, prerelease)
		return names[max(0, len(names)-n):], nil
	}
	from, to, ok := strings.Cut(spec, "..")
	if !ok || from+to == "" || !isBound(names, from) || !isBound(names, to) {
		return nil, &SelectError{spec}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return from != "" && compareTo(name, from) < 0 || to != "" && compareTo(name, to) > 0
	}), nil
}

// prerelease reports whether a package URL names a pre-release.
func prerelease(name string) bool {
	u, err := purl.Parse(name)
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return semver.Prerelease(purl.Order(name)) != ""
	}
	return remote.Prerelease(u.Type, u.Version)
}

// compareTo compares the version of a package URL with one end of a range.
func compareTo(name, end string) int {
	u, err := purl.Parse(name)
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return semver.Compare(purl.Order(name), "v"+strings.TrimPrefix(end, "v"))
	}
	return remote.Compare(u.Type, u.Version, end)
}

// isBound reports whether a text is a valid end of a range: empty, or a version with or without "v".
func isBound(names []string, s string) bool {
	s = strings.TrimPrefix(s, "v")
	if s == "" || len(names) == 0 {
		return true
	}
	u, err := purl.Parse(names[0])
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return semver.IsValid("v" + s)
	}
	return s[0] >= '0' && s[0] <= '9'
}

// OpenVersions returns the versions that spec chooses of a package URL without version: see Select. Listed versions
// that the registry no longer has are skipped.
func OpenVersions(ctx context.Context, arg, spec string, o Options) ([]*Package, error) {
	if p, err := purl.Parse(arg); err != nil {
		return nil, err
	} else if p.Version != "" {
		return nil, fmt.Errorf("open source %q: it names one version, and %q chooses among all", arg, spec)
	}
	all, err := Versions(ctx, arg, o)
	if err != nil {
		return nil, err
	}
	chosen, err := Select(all, spec)
	if err != nil {
		return nil, err
	}
	var pkgs []*Package
	for _, r := range chosen {
		if r.Withdrawn {
			o.skip(r.PURL, ReasonMissing, "withdrawn by its publisher")
			continue
		}
		p, err := r.Open(ctx)
		if _, none := errors.AsType[*NotFoundError](err); none {
			o.skip(r.PURL, ReasonMissing, "listed, but not there")
			continue
		}
		if refused(err) {
			o.skip(r.PURL, ReasonMissing, "the registry does not give it: "+files.Cause(err))
			continue
		}
		if err != nil {
			return nil, err
		}
		o.override(p)
		pkgs = append(pkgs, p)
	}
	return byPURL(pkgs), nil
}
