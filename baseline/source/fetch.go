package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Time limits of a request: without any data, and in total. A download of 1 GiB takes 15 minutes at 10 Mbit/s.
const (
	silentTimeout  = 60 * time.Second
	requestTimeout = 15 * time.Minute
)

// maxDocument bounds the bytes of a registry document, which is kept in memory.
const maxDocument = 16 << 20

// newClient returns a client with time limits. It connects to no host of the local network except configured ones,
// because addresses in a registry's answers and redirects are not trusted.
func newClient(o Options, also ...string) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = o.patience()
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if ctx.Value(publicOnly{}) == nil {
			return dialer.DialContext(ctx, network, addr)
		}
		d := *dialer
		d.Control = func(_, address string, _ syscall.RawConn) error { return refuseLocal(address) }
		return d.DialContext(ctx, network, addr)
	}
	g := guard{next: &turns{next: t, hosts: map[string]*turn{}}, proxy: t.Proxy, hosts: map[string]bool{}, plain: map[string]bool{}, credentials: o.Credentials}
	for _, addr := range o.configured(also) {
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
			return nil, errLocal
		}
	}
	return g.next.RoundTrip(r)
}

var errLocal = errors.New("it is an address of the local network, which no configuration names")

// refuseLocal returns an error unless address, which has a port, is a public address.
func refuseLocal(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || !remote.Public(ap.Addr()) {
		return errLocal
	}
	return nil
}

// turns decides when a host may be asked. A pause that a host asks for applies to all requests to it. A host that fails
// again and again is not asked any more.
type turns struct {
	next  http.RoundTripper
	mu    sync.Mutex
	hosts map[string]*turn
}

// turn is the state of one host.
type turn struct {
	until   time.Time // when it may be asked again
	strikes int       // failures in a row
}

// A silent host costs silentTimeout for each request, a busy one a pause that others share.
const (
	silentStrike = 5
	busyStrike   = 1
	mostStrikes  = 16
)

// givenUpError reports that a host is not asked any more.
type givenUpError struct{ host string }

func (e *givenUpError) Error() string {
	return fmt.Sprintf("%s failed several times in a row and is not asked any more: run it again later", e.host)
}

func (t *turns) of(host string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hosts[host] == nil {
		t.hosts[host] = &turn{}
	}
	return t.hosts[host]
}

func (t *turns) RoundTrip(r *http.Request) (*http.Response, error) {
	host := t.of(r.URL.Host)
	if err := t.wait(r, host); err != nil {
		return nil, err
	}
	resp, err := t.next.RoundTrip(r)
	switch {
	case errors.Is(err, errLocal) || r.Context().Err() != nil:
	case err != nil:
		t.note(host, silentStrike, 0)
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable:
		t.note(host, busyStrike, retryAfter(resp))
	case resp.StatusCode == http.StatusOK:
		resp.Body = &answer{ReadCloser: resp.Body, end: func(strikes int) { t.note(host, strikes, 0) }}
	case resp.StatusCode < http.StatusInternalServerError:
		t.note(host, 0, 0)
	default:
		t.note(host, busyStrike, 0)
	}
	return resp, err
}

// wait waits until a host may be asked.
func (t *turns) wait(r *http.Request, host *turn) error {
	t.mu.Lock()
	given, pause := host.strikes >= mostStrikes, time.Until(host.until)
	t.mu.Unlock()
	if given {
		return &givenUpError{r.URL.Host}
	}
	if pause <= 0 {
		return nil
	}
	select {
	case <-r.Context().Done():
		return r.Context().Err()
	case <-time.After(pause):
	}
	return nil
}

// note records how a request ended. No strikes means that the host answered.
func (t *turns) note(host *turn, strikes int, pause time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if strikes == 0 {
		host.strikes = 0
		return
	}
	host.strikes += strikes
	if until := time.Now().Add(pause); pause > 0 && until.After(host.until) {
		host.until = until
	}
}

// answer is a body that reports how it ended, once.
type answer struct {
	io.ReadCloser
	end  func(strikes int)
	once sync.Once
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		a.once.Do(func() { a.end(silentStrike) })
	}
	return n, err
}

func (a *answer) Close() error {
	a.once.Do(func() { a.end(0) })
	return a.ReadCloser.Close()
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

// configured returns the addresses of the registries that the options name.
func (o Options) configured(also []string) []string {
	out := append([]string{o.NPMRegistry}, also...)
	for _, p := range proxies(o.GoProxy) {
		out = append(out, p.addr)
	}
	for _, addr := range o.NPMScopes {
		out = append(out, addr)
	}
	r := o.registries()
	out = append(out, r.PyPI, r.Cargo, r.RubyGems, r.Composer, r.NuGet, r.GitHub)
	out = append(append(out, r.Maven...), r.PyPIExtra...)
	for _, s := range r.Debian {
		out = append(out, s.Archive)
	}
	return out
}

func isHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// shown returns an address without credentials and query.
func shown(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "(unreadable address)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// get opens an address: http, https, or file as GOPROXY allows. encoding is the accepted transfer encoding; "" allows
// any that the client decodes. The caller must close the body. Errors are of type *FetchError or *OfflineError.
func get(ctx context.Context, addr, encoding string, o Options) (io.ReadCloser, error) {
	return request(ctx, addr, "", encoding, o)
}

// request is get with an accepted media type.
func request(ctx context.Context, addr, accept, encoding string, o Options) (io.ReadCloser, error) {
	u, err := url.Parse(addr)
	if err != nil {
		return nil, &FetchError{URL: shown(addr), Err: errors.New("unreadable address")}
	}
	if u.Scheme == "file" {
		return getFile(u, addr)
	}
	if o.Offline {
		return nil, &OfflineError{Subject: shown(addr)}
	}
	return getHTTP(ctx, addr, accept, encoding, o)
}

func getFile(u *url.URL, addr string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.FromSlash(u.Path))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &FetchError{URL: shown(addr), Status: http.StatusNotFound, Err: os.ErrNotExist}
	case err != nil:
		return nil, &FetchError{URL: shown(addr), Err: errors.New(files.Cause(err))}
	}
	return f, nil
}

// patience returns how long a server may send nothing.
func (o Options) patience() time.Duration { return cmp.Or(o.silent, silentTimeout) }

// body cancels its request after a time without data. Closing it ends the time limits.
type body struct {
	io.ReadCloser
	ctx     context.Context
	silence *time.Timer
	limit   time.Duration
	cancel  context.CancelFunc
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.silence.Reset(b.limit)
	if err != nil && b.ctx.Err() != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

func (b body) Close() error {
	defer b.cancel()
	defer b.silence.Stop()
	return b.ReadCloser.Close()
}

// maxWait bounds the wait when a server asks for a retry; tries is the number of attempts.
const (
	maxWait = 60 * time.Second
	tries   = 4
)

func getHTTP(ctx context.Context, addr, accept, encoding string, o Options) (io.ReadCloser, error) {
	for try := 1; ; try++ {
		r, wait, err := getOnce(ctx, addr, accept, encoding, o)
		if err == nil || wait <= 0 || try == tries {
			return r, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// getOnce makes one request. wait is the time after which the server asks for a retry. It is zero if the server does
// not say so, or asks for more than maxWait.
func getOnce(ctx context.Context, addr, accept, encoding string, o Options) (_ io.ReadCloser, wait time.Duration, _ error) {
	ctx, end := context.WithTimeoutCause(ctx, requestTimeout, fmt.Errorf("no end after %v", requestTimeout))
	ctx, stop := context.WithCancelCause(ctx)
	cancel := func() { stop(nil); end() }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		cancel()
		return nil, 0, &FetchError{URL: shown(addr), Err: errors.New("unreadable address")}
	}
	if encoding != "" {
		req.Header.Set("Accept-Encoding", encoding)
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := o.HTTP.Do(req)
	if err != nil {
		cancel()
		return nil, 0, &FetchError{URL: shown(addr), Err: withoutURL(err)}
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		cancel()
		return nil, retryAfter(resp), &FetchError{URL: shown(addr), Status: resp.StatusCode, Err: errors.New(http.StatusText(resp.StatusCode))}
	}
	limit := o.patience()
	silence := time.AfterFunc(limit, func() { stop(fmt.Errorf("nothing came for %v", limit)) })
	return body{resp.Body, ctx, silence, limit, cancel}, 0, nil
}

// retryAfter reads when a busy server wants a retry: in seconds, or as a date by its own clock.
func retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	after := resp.Header.Get("Retry-After")
	n, err := strconv.Atoi(after)
	wait := time.Duration(n) * time.Second
	if err != nil {
		then, err1 := http.ParseTime(after)
		now, err2 := http.ParseTime(resp.Header.Get("Date"))
		if err1 != nil || err2 != nil {
			return 0
		}
		wait = then.Sub(now)
	}
	if wait > 0 && wait <= maxWait {
		return wait
	}
	return 0
}

// withoutURL removes the address, which may have credentials, from client errors.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// document fetches a small document.
func document(ctx context.Context, addr string, o Options) ([]byte, error) {
	return documentAs(ctx, addr, "", maxDocument, o)
}

// documentAs fetches a document of at most limit bytes as a media type.
func documentAs(ctx context.Context, addr, accept string, limit int64, o Options) ([]byte, error) {
	r, err := request(ctx, addr, accept, "", o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := files.ReadBounded(r, 4<<10, limit)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return nil, &LimitError{Subject: shown(addr), Limit: "download bytes", Max: limit}
	case err != nil:
		return nil, &FetchError{URL: shown(addr), Err: err}
	}
	return data, nil
}

// download fetches a file into a temporary file, or into the directory for downloads, and passes it to use, which
// checks it. w receives all of it before.
func download(ctx context.Context, addr string, o Options, limit int64, w io.Writer, use func(files.Blob) error) error {
	if o.Downloads == "" {
		return files.WithTemp(func(f *os.File) error {
			n, err := fetchTo(ctx, addr, o, limit, io.MultiWriter(f, w))
			if err != nil {
				return err
			}
			return use(files.Blob{ReaderAt: f, Size: n})
		})
	}
	sum := sha256.Sum256([]byte(addr))
	name := filepath.Join(o.Downloads, hex.EncodeToString(sum[:]))
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		n, err := io.Copy(w, io.LimitReader(f, limit+1))
		if err != nil {
			return fmt.Errorf("read download: %w", err)
		}
		return use(files.Blob{ReaderAt: f, Size: n})
	}
	return keepDownload(ctx, addr, name, o, limit, w, use)
}

// fetchTo writes the content of an address to w.
func fetchTo(ctx context.Context, addr string, o Options, limit int64, w io.Writer) (int64, error) {
	r, err := get(ctx, addr, "identity", o) // checksums cover the unencoded file
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(r, limit+1))
	switch {
	case n > limit:
		return n, &LimitError{Subject: shown(addr), Limit: "download bytes", Max: limit}
	case err != nil:
		return n, &FetchError{URL: shown(addr), Err: err}
	}
	return n, nil
}

// Partial begins the names of incomplete downloads.
const Partial = "partial-"

// keepDownload downloads a file and keeps it under its name if use accepts it.
func keepDownload(ctx context.Context, addr, name string, o Options, limit int64, w io.Writer, use func(files.Blob) error) error {
	if err := os.MkdirAll(o.Downloads, 0o700); err != nil {
		return fmt.Errorf("keep download: %w", err)
	}
	f, err := os.CreateTemp(o.Downloads, Partial)
	if err != nil {
		return fmt.Errorf("keep download: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	n, err := fetchTo(ctx, addr, o, limit, io.MultiWriter(f, w))
	if err != nil {
		return err
	}
	if err := use(files.Blob{ReaderAt: f, Size: n}); err != nil {
		return err
	}
	_ = os.Rename(f.Name(), name) // on failure it is fetched again
	return nil
}

// missing reports whether an error means that a registry does not have something.
func missing(err error) bool {
	var f *FetchError
	return errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone)
}
