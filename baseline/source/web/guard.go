package web

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// NewClient returns a client with time limits; patience is how long a server may send nothing. It connects to no host of the local
// network except those of configured addresses, because addresses in a registry's answers and redirects are not trusted.
func NewClient(configured []string, credentials remote.Credentials, patience time.Duration) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = cmp.Or(patience, silentTimeout)
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if ctx.Value(publicOnly{}) == nil {
			return dialer.DialContext(ctx, network, addr)
		}
		d := *dialer
		d.Control = func(_, address string, _ syscall.RawConn) error { return refuseLocal(address) }
		return d.DialContext(ctx, network, addr)
	}
	g := guard{next: &turns{next: t, hosts: map[string]*turn{}}, proxy: t.Proxy, hosts: map[string]bool{}, plain: map[string]bool{}, credentials: slices.Clone(credentials)}
	for _, addr := range configured {
		if u, err := url.Parse(addr); err == nil && u.Host != "" {
			g.hosts[u.Host] = true
			g.plain[u.Host] = g.plain[u.Host] || u.Scheme == "http"
			g.credentials = append(g.credentials, remote.Within(addr))
		}
	}
	return &http.Client{Transport: g, CheckRedirect: checkRedirect}
}

// publicOnly marks the context of a request that must not reach the local network.
type publicOnly struct{}

// guard marks requests to hosts that are not configured, and adds the credential of each request's own host. It handles
// every request separately, so a redirected request gets only what is configured for its new host.
type guard struct {
	next        http.RoundTripper
	proxy       func(*http.Request) (*url.URL, error)
	hosts       map[string]bool
	plain       map[string]bool // configured with http
	credentials remote.Credentials
}

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if header, value := g.credentials.For(r.URL, g.plain[r.URL.Host]); header != "" && r.URL.User == nil {
		r = r.Clone(r.Context())
		r.Header.Set(header, value)
	}
	if !g.hosts[r.URL.Host] {
		if via, err := g.proxy(r); err == nil && via == nil {
			r = r.WithContext(context.WithValue(r.Context(), publicOnly{}, true))
		} else if ip, err := netip.ParseAddr(r.URL.Hostname()); err == nil && !remote.Public(ip) {
			return nil, ErrLocal
		}
	}
	return g.next.RoundTrip(r)
}

// ErrLocal refuses an address of the local network.
var ErrLocal = errors.New("it is an address of the local network, which no configuration names")

// refuseLocal returns an error unless address, which has a port, is a public address.
func refuseLocal(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !remote.Public(ap.Addr()) {
		return ErrLocal
	}
	return nil
}

// checkRedirect allows at most ten redirects, and none from https to http.
func checkRedirect(r *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return errors.New("it redirects more than ten times")
	case via[0].URL.Scheme == "https" && r.URL.Scheme != "https":
		return errors.New("it redirects from https to " + r.URL.Scheme)
	}
	return nil
}
