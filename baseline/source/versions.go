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

// Release is one version that a registry lists. Nothing of it is fetched yet.
type Release struct {
	PURL     string
	Released time.Time // zero where the list does not tell: see Date

	Withdrawn bool // by its publisher; it may still be there

	date func(context.Context) (time.Time, error)
	open func(context.Context) (*Package, error)
}

// Date returns when the version was released, zero when the registry does not say.
func (r *Release) Date(ctx context.Context) (time.Time, error) {
	if r.date == nil || !r.Released.IsZero() {
		return r.Released, nil
	}
	return r.date(ctx)
}

// Open returns the version as a package. Its archive is fetched by Walk.
func (r *Release) Open(ctx context.Context) (*Package, error) { return r.open(ctx) }

// Remote reports whether reading the package downloads it.
func (p *Package) Remote() bool { return p.remote }

// maxMajors bounds how many major versions of one Go module are asked for.
const maxMajors = 100

// listing is how many lists of versions are asked for at a time.
const listing = 4

// Versions returns the versions that a registry lists of a package, oldest first
// in the order of its ecosystem. The major versions of a Go module up to that
// of name are one package: a/b, a/b/v2, a/b/v3. Versions of the Go standard
// library are those of the tool chains that the proxy has.
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

// majors returns the paths a module has had, up to its own major version.
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
				errs[i] = nil // not every major version was ever released
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

// eachProxy asks one proxy after another, as fromProxies does, with the address of
// a module.
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

// The standard library is published with the tool chains, as this module.
const (
	stdName       = "std"
	toolchainPath = "golang.org/toolchain"
	toolchainPre  = "v0.0.1-go"
)

// platforms are those whose tool chains are taken, the first that there is. The
// standard library is the same in all of them.
var platforms = []string{"linux-amd64", "linux-arm64", "darwin-arm64", "darwin-amd64", "windows-amd64"}

// stdVersions lists the releases of Go whose tool chains the proxies have.
func stdVersions(ctx context.Context, _ string, o Options) ([]*Release, error) {
	list, err := proxyList(ctx, toolchainPath, o)
	if err != nil {
		return nil, err
	}
	best := map[string]string{} // tool chain of each release
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

// sourceOfToolchain makes the package std of a tool chain: its src folder without
// test data, as goRoot does.
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

// npmVersions reads the document about all versions of a package.
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

// packument is what is kept of the document about all versions of a package.
type packument struct {
	name     string
	versions map[string]npmVersion
	time     map[string]string
}

// readPackument reads a document of any size, keeping little of it.
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

// decodeVersions reads one version at a time: what is not wanted of it is large.
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

// SelectError says that a choice of versions cannot be understood.
type SelectError struct{ Spec string }

func (e *SelectError) Error() string {
	return fmt.Sprintf("choose versions %q: wanted all, a number of newest releases, or a range such as v1.2.0..v1.9.0", e.Spec)
}

// Select returns the versions that spec names of a list in ascending order: see Choose.
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

// Choose returns which package URLs of one package spec names, in ascending order: all of
// them, the newest N releases, or those of a range FROM..TO with both ends, of
// which one may be left out. Pre-releases are among all and among those of a range.
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

// prerelease tells whether a package URL names a version before a release.
func prerelease(name string) bool {
	u, err := purl.Parse(name)
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return semver.Prerelease(purl.Order(name)) != ""
	}
	return remote.Prerelease(u.Type, u.Version)
}

// compareTo orders the version of a package URL against one end of a range.
func compareTo(name, end string) int {
	u, err := purl.Parse(name)
	if err != nil || u.Type == purl.TypeGolang || u.Type == purl.TypeNPM {
		return semver.Compare(purl.Order(name), "v"+strings.TrimPrefix(end, "v"))
	}
	return remote.Compare(u.Type, u.Version, end)
}

// isBound tells whether a text is one end of a range: empty, or a version with or
// without "v".
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

// OpenVersions returns the versions of a package URL without version that spec
// names: see Select. A version that the registry lists and has no more is skipped.
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
