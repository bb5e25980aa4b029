package source

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// Release is one version in a registry's list. It is not fetched yet.
type Release struct {
	PURL     string
	Released time.Time // zero if the list does not say: see Date

	Withdrawn bool // by its publisher, such as a retracted version of a Go module; it may still be available

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
		o.HTTP = o.client()
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
	retracted := make([][]*modfile.Retract, len(paths))
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
			if errs[i] == nil && len(lists[i]) > 0 {
				retracted[i], errs[i] = retractions(ctx, module.Version{Path: p, Version: highest(lists[i])}, o)
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
			r := golangRelease(module.Version{Path: p, Version: v}, o)
			r.Withdrawn = slices.ContainsFunc(retracted[i], func(x *modfile.Retract) bool {
				return semver.Compare(x.Low, v) <= 0 && semver.Compare(v, x.High) <= 0
			})
			out = append(out, r)
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
			err = &FetchError{URL: web.Shown(base), Err: fmt.Errorf("answered with version %q", info.Version)}
		}
		t = info.Time.UTC()
		return err
	})
	return t, err
}

// proxyList returns the versions a proxy lists under one module path.
func proxyList(ctx context.Context, name string, o Options) (list []string, err error) {
	err = eachProxy(ctx, name, "", o, func(base string) error {
		data, err := o.web().Document(ctx, base+"/@v/list")
		if err != nil {
			return err
		}
		list = strings.Fields(string(data))
		if len(list) > 0 && !semver.IsValid(list[0]) {
			return &FetchError{URL: web.Shown(base + "/@v/list"), Err: errors.New("not a list of versions")}
		}
		return nil
	})
	return slices.DeleteFunc(list, func(v string) bool {
		return module.Check(name, v) != nil || module.IsPseudoVersion(v)
	}), err
}

// retractions returns the versions that a module retracts, as the go.mod of its latest version says. A proxy that does not have this
// file tells of none.
func retractions(ctx context.Context, m module.Version, o Options) (out []*modfile.Retract, err error) {
	ver, err := urlVersion(m.Version)
	if err != nil {
		return nil, nil // no version that a proxy could have
	}
	err = eachProxy(ctx, m.Path, m.Version, o, func(base string) error {
		data, err := o.web().Document(ctx, base+"/@v/"+ver+".mod")
		if err != nil {
			return err
		}
		if f, err := modfile.ParseLax("go.mod", data, nil); err == nil {
			out = f.Retract
		}
		return nil
	})
	if _, none := errors.AsType[*NotFoundError](err); none || refused(err) {
		err = nil
	}
	return out, err
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
