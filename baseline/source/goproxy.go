package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// defaultGoProxy is used if the environment names no proxy.
const defaultGoProxy = "https://proxy.golang.org,direct"

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
	return fromProxies(ctx, query{path, esc, version}, o)
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
		if web.IsHTTP(entry) || strings.HasPrefix(entry, "file://") {
			out = append(out, proxy{entry, lenient})
		}
	}
	return out
}

// query is a module, and the version, branch or tag of it that is asked for; "" is the latest version.
type query struct{ path, escaped, version string }

// fromProxies finds a version at the proxies.
func fromProxies(ctx context.Context, q query, o Options) (p *Package, err error) {
	err = askProxies(ctx, purl.Golang(q.path, q.version), o, func(addr string) error {
		p, err = fromProxy(ctx, addr, q, o)
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
		if web.Missing(err) {
			tried = append(tried, web.Shown(proxy.addr)+web.Said(err))
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
func fromProxy(ctx context.Context, proxy string, q query, o Options) (*Package, error) {
	base := proxy + "/" + q.escaped
	info, err := proxyInfo(ctx, base, q.version, o)
	if err != nil {
		return nil, err
	}
	m := module.Version{Path: q.path, Version: info.Version}
	ver, err := urlVersion(info.Version)
	asked := module.CanonicalVersion(q.version) == q.version && q.version != ""
	if err != nil || module.Check(q.path, info.Version) != nil || asked && info.Version != q.version {
		return nil, &FetchError{URL: web.Shown(base), Err: fmt.Errorf("answered with version %q", info.Version)}
	}
	if p := cachedModule(o.ModCache, m); p != nil {
		return p, nil
	}
	addr := base + "/@v/" + ver + ".zip"
	return &Package{PURL: purl.Golang(q.path, info.Version), Released: info.Time.UTC(), From: web.Shown(addr), remote: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			return o.web().Download(ctx, addr, v.Limits.DownloadBytes, io.Discard, func(a files.Blob) error {
				if err := (&moduleZip{m, a, web.Shown(addr), v.Limits}).check(ctx, o); err != nil {
					return err
				}
				return files.WalkArchive(ctx, a, web.Shown(addr), files.GoZip(m), v)
			})
		}}, nil
}

// proxyInfo returns the .info of a version. For version "" it finds the latest as the Go command does: the highest listed
// release, else the highest listed pre-release, else the proxy's latest.
func proxyInfo(ctx context.Context, base, version string, o Options) (moduleInfo, error) {
	if version == "" {
		list, err := o.web().Document(ctx, base+"/@v/list")
		if err != nil && !web.Missing(err) {
			return moduleInfo{}, err
		}
		if version = highest(strings.Fields(string(list))); version == "" {
			return getInfo(ctx, base+"/@latest", o)
		}
	}
	ver, err := urlVersion(version)
	if err != nil {
		return moduleInfo{}, &FetchError{URL: web.Shown(base), Err: err}
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
	data, err := o.web().Document(ctx, addr)
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil || info.Version == "" {
		return info, &FetchError{URL: web.Shown(addr), Err: errors.New("not a module version document")}
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

// refused reports whether a registry refused one item; it may give others.
func refused(err error) bool {
	f, ok := errors.AsType[*FetchError](err)
	return ok && f.Status >= http.StatusBadRequest && !f.Unavailable() && f.Status != http.StatusUnauthorized
}
