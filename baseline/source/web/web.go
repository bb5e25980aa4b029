// Package web fetches the contents of addresses, within limits of time and size. Its client keeps out of the local network, sends each
// credential to its own host only, waits when a host asks for a pause, and gives up on a host that fails again and again.
package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Time limits of a request: without any data, and in total. A download of 1 GiB takes 15 minutes at 10 Mbit/s.
const (
	silentTimeout  = 60 * time.Second
	requestTimeout = 15 * time.Minute
)

// MaxDocument bounds the bytes of a registry document, which is kept in memory.
const MaxDocument = 16 << 20

// IsHTTP reports whether a text is an http or https address.
func IsHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Shown returns an address without credentials and query.
func Shown(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "(unreadable address)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Fetcher fetches the contents of addresses.
type Fetcher struct {
	HTTP      *http.Client  // of NewClient, or another
	Offline   bool          // never use the network
	Downloads string        // directory that keeps downloads; "" keeps none
	Patience  time.Duration // how long a server may send nothing; 0 means 60 seconds
}

// Get opens an address: http, https, or file as GOPROXY allows. The caller must close the body. Errors are of type *FetchError or
// *OfflineError.
func (f Fetcher) Get(ctx context.Context, addr string) (io.ReadCloser, error) {
	return f.request(ctx, addr, wish{})
}

// wish is what a request accepts; "" accepts anything.
type wish struct{ media, encoding string }

func (f Fetcher) request(ctx context.Context, addr string, w wish) (io.ReadCloser, error) {
	u, err := url.Parse(addr)
	if err != nil {
		return nil, &FetchError{URL: Shown(addr), Err: errors.New("unreadable address")}
	}
	if u.Scheme == "file" {
		return getFile(u, addr)
	}
	if f.Offline {
		return nil, &OfflineError{Subject: Shown(addr)}
	}
	return f.getHTTP(ctx, addr, w)
}

func getFile(u *url.URL, addr string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.FromSlash(u.Path))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &FetchError{URL: Shown(addr), Status: http.StatusNotFound, Err: os.ErrNotExist}
	case err != nil:
		return nil, &FetchError{URL: Shown(addr), Err: errors.New(files.Cause(err))}
	}
	return f, nil
}

// leastRate is the number of bytes that a server must send in each second, on average over the time that it may be silent.
const leastRate = 1000

// body cancels its request after a time with less data than leastRate. Closing it ends the time limits.
type body struct {
	io.ReadCloser
	ctx     context.Context
	silence *time.Timer
	limit   time.Duration
	came    atomic.Int64 // bytes since the timer was set
	cancel  context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.came.Add(int64(n)) >= b.least() {
		b.came.Store(0)
		b.silence.Reset(b.limit)
	}
	if err != nil && b.ctx.Err() != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

// least returns the number of bytes that must come before the timer ends.
func (b *body) least() int64 { return int64(leastRate * b.limit.Seconds()) }

// tooSlow says why the timer ended the request.
func (b *body) tooSlow() error {
	if n := b.came.Load(); n > 0 {
		return fmt.Errorf("only %d bytes came in %v, fewer than %d", n, b.limit, b.least())
	}
	return fmt.Errorf("nothing came for %v", b.limit)
}

func (b *body) Close() error {
	defer b.cancel()
	defer b.silence.Stop()
	return b.ReadCloser.Close()
}

// maxWait bounds the wait when a server asks for a retry; tries is the number of attempts.
const (
	maxWait = 60 * time.Second
	tries   = 4
)

func (f Fetcher) getHTTP(ctx context.Context, addr string, w wish) (io.ReadCloser, error) {
	for try := 1; ; try++ {
		r, wait, err := f.getOnce(ctx, addr, w)
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
func (f Fetcher) getOnce(ctx context.Context, addr string, w wish) (_ io.ReadCloser, wait time.Duration, _ error) {
	ctx, end := context.WithTimeoutCause(ctx, requestTimeout, fmt.Errorf("no end after %v", requestTimeout))
	ctx, stop := context.WithCancelCause(ctx)
	cancel := func() { stop(nil); end() }
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		cancel()
		return nil, 0, &FetchError{URL: Shown(addr), Err: errors.New("unreadable address")}
	}
	if w.encoding != "" {
		req.Header.Set("Accept-Encoding", w.encoding)
	}
	if w.media != "" {
		req.Header.Set("Accept", w.media)
	}
	resp, err := f.HTTP.Do(req)
	if err != nil {
		cancel()
		return nil, 0, &FetchError{URL: Shown(addr), Err: withoutURL(err)}
	}
	b := &body{ReadCloser: resp.Body, ctx: ctx, limit: cmp.Or(f.Patience, silentTimeout), cancel: cancel}
	b.silence = time.AfterFunc(b.limit, func() { stop(b.tooSlow()) })
	if resp.StatusCode != http.StatusOK {
		defer b.Close()
		return nil, retryAfter(resp), &FetchError{URL: Shown(addr), Status: resp.StatusCode, Err: errors.New(http.StatusText(resp.StatusCode)), Said: said(resp.Header, b)}
	}
	return b, 0, nil
}

// maxSaid bounds the bytes of an answer that an error quotes.
const maxSaid = 200

// said returns the first line of an error's answer if it is plain text. Proxies for Go modules say there why they do not have a
// module.
func said(h http.Header, r io.Reader) string {
	if media, _, _ := mime.ParseMediaType(h.Get("Content-Type")); media != "text/plain" {
		return ""
	}
	data, _ := io.ReadAll(io.LimitReader(r, maxSaid)) // a part says something, too
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(data), "")), "\n")
	return strings.TrimSpace(line)
}

// withoutURL removes the address, which may have credentials, from client errors.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// Document fetches a small document.
func (f Fetcher) Document(ctx context.Context, addr string) ([]byte, error) {
	return f.DocumentAs(ctx, addr, "", MaxDocument)
}

// DocumentAs fetches a document of at most limit bytes as a media type.
func (f Fetcher) DocumentAs(ctx context.Context, addr, media string, limit int64) ([]byte, error) {
	r, err := f.request(ctx, addr, wish{media: media})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := files.ReadBounded(r, 4<<10, limit)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return nil, &files.LimitError{Subject: Shown(addr), Limit: "download bytes", Max: limit}
	case err != nil:
		return nil, &FetchError{URL: Shown(addr), Err: err}
	}
	return data, nil
}

// Download fetches a file into a temporary file, or into the directory for downloads, and passes it to use, which
// checks it. w receives all of it before.
func (f Fetcher) Download(ctx context.Context, addr string, limit int64, w io.Writer, use func(files.Blob) error) error {
	if f.Downloads == "" {
		return files.WithTemp(func(to *os.File) error {
			n, err := f.fetchTo(ctx, addr, limit, io.MultiWriter(to, w))
			if err != nil {
				return err
			}
			return use(files.Blob{ReaderAt: to, Size: n})
		})
	}
	sum := sha256.Sum256([]byte(addr))
	name := filepath.Join(f.Downloads, hex.EncodeToString(sum[:]))
	if kept, err := os.Open(name); err == nil {
		defer kept.Close()
		n, err := io.Copy(w, io.LimitReader(kept, limit+1))
		if err != nil {
			return fmt.Errorf("read download: %w", err)
		}
		return use(files.Blob{ReaderAt: kept, Size: n})
	}
	return f.keep(name, func(to io.Writer) (int64, error) { return f.fetchTo(ctx, addr, limit, io.MultiWriter(to, w)) }, use)
}

// fetchTo writes the content of an address to w.
func (f Fetcher) fetchTo(ctx context.Context, addr string, limit int64, w io.Writer) (int64, error) {
	r, err := f.request(ctx, addr, wish{encoding: "identity"}) // checksums cover the unencoded file
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(r, limit+1))
	switch {
	case n > limit:
		return n, &files.LimitError{Subject: Shown(addr), Limit: "download bytes", Max: limit}
	case err != nil:
		return n, &FetchError{URL: Shown(addr), Err: err}
	}
	return n, nil
}

// Partial begins the names of incomplete downloads.
const Partial = "partial-"

// keep writes a file and keeps it under its name if use accepts it.
func (f Fetcher) keep(name string, write func(io.Writer) (int64, error), use func(files.Blob) error) error {
	if err := os.MkdirAll(f.Downloads, 0o700); err != nil {
		return fmt.Errorf("keep download: %w", err)
	}
	to, err := os.CreateTemp(f.Downloads, Partial)
	if err != nil {
		return fmt.Errorf("keep download: %w", err)
	}
	defer os.Remove(to.Name())
	defer to.Close()
	n, err := write(to)
	if err != nil {
		return err
	}
	if err := use(files.Blob{ReaderAt: to, Size: n}); err != nil {
		return err
	}
	_ = os.Rename(to.Name(), name) // on failure it is fetched again
	return nil
}

// Missing reports whether an error means that a registry does not have something.
func Missing(err error) bool {
	f, ok := errors.AsType[*FetchError](err)
	return ok && f.Missing()
}

// Missing reports whether the server answered that it does not have it.
func (e *FetchError) Missing() bool {
	return e.Status == http.StatusNotFound || e.Status == http.StatusGone
}
