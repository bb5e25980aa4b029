package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/baselinetest/s3test"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/minio/minio-go/v7"
)

func dial(t *testing.T, address string) *shared.Remote {
	t.Helper()
	r, err := shared.Dial(shared.WithCache(context.Background(), shared.Cache{Dir: t.TempDir()}), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func commit(t *testing.T, r *shared.Remote, from int, keep []string, add ...shared.Local) error {
	t.Helper()
	return r.Commit(context.Background(), shared.Change{From: from, Manifest: fmt.Appendf(nil, "generation %d", from+1), Keep: keep, Add: add})
}

func opened(t *testing.T, address, name string) *shared.File {
	t.Helper()
	g, err := dial(t, address).Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f, err := g.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestRequests counts the requests to the store: one for chunks that are close together, none for chunks that are here.
func TestRequests(t *testing.T) {
	s := s3test.Start(t)
	address := s.Bucket(t)
	l, text := baselinetest.Object(t, "a", 300*chunkSize+5)
	if err := commit(t, dial(t, address), 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	f := opened(t, address, "a")
	at := func(chunk, n int) disk.Range {
		return disk.Range{Off: uint64(chunk) * chunkSize, Len: uint64(n) * chunkSize}
	}
	for _, c := range []struct {
		ranges []disk.Range
		want   int
	}{
		{[]disk.Range{at(3, 1)}, 1},
		{[]disk.Range{at(3, 1)}, 0},
		{[]disk.Range{at(10, 2), at(13, 1), at(50, 1)}, 2},
		{[]disk.Range{at(10, 4)}, 1},
		{[]disk.Range{{Len: 1 << 40}}, 3}, // 10 to 13 are here, and 256 is the maximum at once
		{[]disk.Range{{Len: 1 << 40}}, 0},
	} {
		s.Requests()
		if err := f.Need(c.ranges...); err != nil {
			t.Fatal(err)
		}
		if n := s.Requests(); n != c.want {
			t.Errorf("%v took %d requests, want %d", c.ranges, n, c.want)
		}
	}
	if string(f.Data()) != string(text) {
		t.Error("the object differs")
	}
}

func TestWritersMeet(t *testing.T) {
	s := s3test.Start(t)
	address := s.Bucket(t)
	outcome := func(from int) (won int) {
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 4 {
			l, _ := baselinetest.Object(t, fmt.Sprintf("%d-%d", from, i), 100)
			r := dial(t, address)
			all.Go(func() {
				err := commit(t, r, from, []string{l.Name}, l)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if _, ok := errors.AsType[*shared.ConflictError](err); !ok {
					t.Errorf("a writer that lost: %v", err)
				}
			})
		}
		all.Wait()
		return won
	}
	for from := range 3 {
		if won := outcome(from); won != 1 {
			t.Errorf("%d of four writers made generation %d", won, from+1)
		}
		g, err := dial(t, address).Head(context.Background())
		if err != nil || g.Number != from+1 || len(g.Objects) != 1 {
			t.Errorf("generation %v, %v", g, err)
		}
	}
}

// TestFailedWriters: their leftovers are removed after a day, and nothing else is.
func TestFailedWriters(t *testing.T) {
	s := s3test.Start(t)
	address := s.Bucket(t)
	const left, foreign = "objects/b.0123456789abcdef", "objects/notes.txt"
	add := func(from int, name string, keep ...string) {
		t.Helper()
		l, _ := baselinetest.Object(t, name, 100)
		if err := commit(t, dial(t, address), from, append(keep, name), l); err != nil {
			t.Fatal(err)
		}
	}
	add(0, "a")
	s.Put(t, address, left, []byte("half"))
	s.Put(t, address, foreign, []byte("of somebody else"))
	begun := uploads(t, address, left)
	s.Advance(23 * time.Hour)
	add(1, "c", "a")
	if keys := s.Keys(t, address); !slices.Contains(keys, left) || begun() != 1 {
		t.Errorf("the files of a writer that may be under way are gone: %q", keys)
	}
	s.Advance(2 * time.Hour)
	add(2, "d", "a", "c")
	keys := s.Keys(t, address)
	if slices.Contains(keys, left) || !slices.Contains(keys, foreign) || len(keys) != 5 {
		t.Errorf("after a day there is %q, want head, three objects and what is not ours", keys)
	}
	if n := begun(); n > 0 {
		t.Errorf("%d uploads that were begun are left", n)
	}
}

// uploads begins an upload under a key, and returns a function that counts unfinished uploads.
func uploads(t *testing.T, address, key string) (begun func() int) {
	t.Helper()
	c, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(address, "s3://"), "/")
	ctx := context.Background()
	if _, err := c.NewMultipartUpload(ctx, bucket, prefix+"/"+key, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	return func() int {
		l, err := c.ListMultipartUploads(ctx, bucket, prefix, "", "", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(l.Uploads)
	}
}

func TestErrorsSayWhatHelps(t *testing.T) {
	s := s3test.Start(t)
	address := s.Bucket(t)
	l, _ := baselinetest.Object(t, "a", 3*chunkSize)
	if err := commit(t, dial(t, address), 0, []string{"a"}, l); err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t, s.Bucket(t)).Head(context.Background()); !isNone(err) {
		t.Errorf("an empty bucket: %v", err)
	}
	head := func(address string) error { _, err := dial(t, address).Head(context.Background()); return err }
	read := func(change func()) error {
		f := opened(t, address, "a")
		change()
		return f.Need(disk.Range{Len: 1 << 40})
	}
	// stalled waits for a store that sends nothing. No other request has so little time, since a busy machine may need more.
	stalled := func(request func() error) error {
		before := stallAfter
		stallAfter = 100 * time.Millisecond
		s.Stall(true)
		defer func() {
			s.Stall(false)
			stallAfter = before
		}()
		return request()
	}
	key := s.Keys(t, address)[1]
	text := s.Get(t, address, key)
	a := opened(t, address, "a")
	for _, c := range []struct {
		err        error
		says, hint string
	}{
		{head("s3://no-such-bucket/x"), "NoSuchBucket", "make the bucket"},
		{stalled(func() error { return a.Need(disk.Range{Len: 1 << 40}) }), "nothing came for 100ms", "network"},
		{stalled(func() error { return head(address) }), "nothing came for 100ms", "network"},
		{read(func() { s.Put(t, address, key, text[:chunkSize]) }), "not what was put", "by hand"},
		{read(func() { s.Put(t, address, key, append([]byte("x"), text[1:]...)) }), "not what was put", "by hand"},
		{func() error { s.Put(t, address, "head", []byte("{")); return head(address) }(), "not that of a baseline", "another prefix"},
		{func() error { s.Put(t, address, "head", []byte(`{"format":7}`)); return head(address) }(), "format 7", "update"},
		{func() error {
			s.Fail(http.StatusForbidden, "RequestTimeTooSkewed")
			defer s.Fail(0, "")
			return head(address)
		}(), "RequestTimeTooSkewed", "set the clock"},
		{func() error {
			s.Fail(http.StatusForbidden, "AccessDenied")
			defer s.Fail(0, "")
			return head(address)
		}(), "AccessDenied", "AWS_PROFILE"},
	} {
		e, ok := errors.AsType[*shared.StoreError](c.err)
		if !ok || !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("want %q and %q, got %v", c.says, c.hint, c.err)
		}
	}
	if _, err := shared.Dial(context.Background(), "s3://key:secret@bucket/x"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("an address with a secret: %v", err)
	}
	s.Requests()
	s.Fail(http.StatusServiceUnavailable, "SlowDown")
	err := head(address)
	if n := s.Requests(); err == nil || n > 8 {
		t.Errorf("a store that is too busy was asked %d times: %v", n, err)
	}
}

func isNone(err error) bool {
	_, ok := errors.AsType[*shared.NoneError](err)
	return ok
}
