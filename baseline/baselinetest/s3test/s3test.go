// Package s3test serves buckets in memory for tests and counts the requests.
package s3test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Server is a running store.
type Server struct {
	backend  *s3mem.Backend
	clock    gofakes3.TimeSourceAdvancer
	mu       sync.Mutex
	requests int
	next     int
	status   int // status of all answers; 0 means normal answers
	code     string
	stalled  chan struct{} // closed when answers are complete again; nil if they are
}

// Start starts a store that ends with the test, and sets the environment to use it.
func Start(t testing.TB) *Server {
	t.Helper()
	clock := gofakes3.FixedTimeSource(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	s := &Server{backend: s3mem.New(s3mem.WithTimeSource(clock)), clock: clock}
	inner := gofakes3.New(s.backend, gofakes3.WithTimeSource(clock), gofakes3.WithTimeSkewLimit(0)).Server()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, code := s.count()
		if status != 0 {
			w.WriteHeader(status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>refused</Message></Error>", code)
			return
		}
		if want := r.Header.Get("If-Match"); want != "" && r.Method == http.MethodGet && !s.matches(r.URL.Path, want) { // gofakes3 ignores this condition
			w.WriteHeader(http.StatusPreconditionFailed)
			fmt.Fprint(w, "<Error><Code>PreconditionFailed</Code><Message>At least one condition failed</Message></Error>")
			return
		}
		if stalled := s.stall(); stalled != nil && r.Method == http.MethodGet {
			w.Header().Set("Content-Length", "1000000")
			w.Write([]byte("half"))
			w.(http.Flusher).Flush()
			select {
			case <-stalled:
			case <-r.Context().Done():
			}
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": h.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, value)
	}
	return s
}

func (s *Server) count() (status int, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return s.status, s.code
}

// matches reports whether an object has a tag.
func (s *Server) matches(path, tag string) bool {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	o, err := s.backend.HeadObject(bucket, key)
	return err == nil && strings.Trim(tag, `"`) == fmt.Sprintf("%x", o.Hash)
}

func (s *Server) stall() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stalled
}

// Stall makes objects begin and never end, until it is called with false.
func (s *Server) Stall(stalls bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case stalls && s.stalled == nil:
		s.stalled = make(chan struct{})
	case !stalls && s.stalled != nil:
		close(s.stalled)
		s.stalled = nil
	}
}

// Requests returns the number of requests since the last call.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requests
	s.requests = 0
	return n
}

// Advance sets the clock of the store forward.
func (s *Server) Advance(d time.Duration) { s.clock.Advance(d) }

// Fail makes every request fail with an error. Status 0 ends that.
func (s *Server) Fail(status int, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.code = status, code
}

// Bucket makes a bucket and returns an address in it.
func (s *Server) Bucket(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	s.next++
	name := fmt.Sprint("bucket-", s.next)
	s.mu.Unlock()
	if err := s.backend.CreateBucket(name); err != nil {
		t.Fatal(err)
	}
	return "s3://" + name + "/code"
}

// split returns the bucket of an address and the prefix in it.
func split(address string) (bucket, prefix string) {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // Bucket makes only valid addresses
	}
	return u.Host, strings.Trim(u.Path, "/") + "/"
}

// Keys lists the objects at an address, without its prefix.
func (s *Server) Keys(t testing.TB, address string) (keys []string) {
	t.Helper()
	bucket, prefix := split(address)
	l, err := s.backend.ListBucket(bucket, nil, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.Contents {
		keys = append(keys, strings.TrimPrefix(c.Key, prefix))
	}
	slices.Sort(keys)
	return keys
}

// Get returns an object at an address.
func (s *Server) Get(t testing.TB, address, key string) []byte {
	t.Helper()
	bucket, prefix := split(address)
	o, err := s.backend.GetObject(bucket, prefix+key, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Contents.Close()
	b, err := io.ReadAll(o.Contents)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Put replaces an object at an address.
func (s *Server) Put(t testing.TB, address, key string, text []byte) {
	t.Helper()
	bucket, prefix := split(address)
	if _, err := s.backend.PutObject(bucket, prefix+key, map[string]string{}, bytes.NewReader(text), int64(len(text)), nil); err != nil {
		t.Fatal(err)
	}
}
