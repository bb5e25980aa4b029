package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Times after which a request is given up: for an answer to begin, and in all. A
// download of 1 GiB takes 15 minutes at 10 Mbit/s.
const (
	headerTimeout  = 60 * time.Second
	requestTimeout = 15 * time.Minute
)

// maxDocument bounds the documents of registries kept in memory.
const maxDocument = 16 << 20

func newClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = headerTimeout
	return &http.Client{Transport: t}
}

func isHTTP(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// shown is an address without credentials and query.
func shown(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "(unreadable address)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// get opens an address: http, https, or file as GOPROXY allows. The encoding is
// the one it may have on its way, "" any that the client undoes. The body must be
// closed. Errors are of type *FetchError or *OfflineError.
func get(ctx context.Context, addr, encoding string, o Options) (io.ReadCloser, error) {
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
	return getHTTP(ctx, addr, encoding, o)
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

// body ends its request's time limit when closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

func getHTTP(ctx context.Context, addr, encoding string, o Options) (io.ReadCloser, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, requestTimeout, fmt.Errorf("no end after %v", requestTimeout))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		cancel()
		return nil, &FetchError{URL: shown(addr), Err: errors.New("unreadable address")}
	}
	if encoding != "" {
		req.Header.Set("Accept-Encoding", encoding)
	}
	resp, err := o.HTTP.Do(req)
	if err != nil {
		cancel()
		return nil, &FetchError{URL: shown(addr), Err: withoutURL(err)}
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		cancel()
		return nil, &FetchError{URL: shown(addr), Status: resp.StatusCode, Err: errors.New(http.StatusText(resp.StatusCode))}
	}
	return body{resp.Body, cancel}, nil
}

// withoutURL strips the address, which may hold credentials, from client errors.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// document fetches a small document.
func document(ctx context.Context, addr string, o Options) ([]byte, error) {
	r, err := get(ctx, addr, "", o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := files.ReadBounded(r, 4<<10, maxDocument)
	switch {
	case errors.Is(err, files.ErrTooLarge):
		return nil, &LimitError{Subject: shown(addr), Limit: "download bytes", Max: maxDocument}
	case err != nil:
		return nil, &FetchError{URL: shown(addr), Err: err}
	}
	return data, nil
}

// download fetches a file into a temporary one, hands it to use, and removes it.
func download(ctx context.Context, addr string, o Options, limit int64, w io.Writer, use func(files.Blob) error) error {
	r, err := get(ctx, addr, "identity", o) // checksums are of the file as it is
	if err != nil {
		return err
	}
	defer r.Close()
	return files.WithTemp(func(f *os.File) error {
		n, err := io.Copy(io.MultiWriter(f, w), io.LimitReader(r, limit+1))
		switch {
		case n > limit:
			return &LimitError{Subject: shown(addr), Limit: "download bytes", Max: limit}
		case err != nil:
			return &FetchError{URL: shown(addr), Err: err}
		}
		return use(files.Blob{ReaderAt: f, Size: n})
	})
}

// missing reports whether an error says that a registry lacks something.
func missing(err error) bool {
	var f *FetchError
	return errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone)
}
