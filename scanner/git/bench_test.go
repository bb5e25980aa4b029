//go:build unix

package git

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// The benchmark takes the repository named by the environment variable REPO:
//
//	REPO=dir go test -run - -bench ReadHistory -benchtime 3x ./scanner/git

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkReadHistory reads all commits, their tree differences and every
// changed blob, those by path as the scan does, each time with a repository just
// opened: the blobs as they are, as git cat-file does, then compared with their
// names, as the scan has them.
func BenchmarkReadHistory(b *testing.B) {
	dir := os.Getenv("REPO")
	if dir == "" {
		b.Skip("set REPO to a repository")
	}
	var walked, all, checked time.Duration
	var r reading
	for b.Loop() {
		start := cpu()
		readHistory(b, dir, nil)
		middle := cpu()
		readHistory(b, dir, (*reader).Blob)
		last := cpu()
		r = readHistory(b, dir, (*reader).Content)
		walked, all, checked = walked+middle-start, all+last-middle, checked+cpu()-last
	}
	n := float64(b.N)
	b.ReportMetric(walked.Seconds()/n, "walk-cpu-s")
	b.ReportMetric(all.Seconds()/n, "read-cpu-s")
	b.ReportMetric(checked.Seconds()/n, "checked-cpu-s")
	b.ReportMetric(float64(r.commits), "commits")
	b.ReportMetric(float64(r.blobs), "blobs")
	b.ReportMetric(float64(r.bytes)/1e6, "MB")
	b.ReportMetric(float64(r.missing), "missing") // a snapshot may lack large files
}

type reading struct{ commits, blobs, bytes, missing int }

func readHistory(b *testing.B, dir string, content func(*reader, Hash, int64) ([]byte, error)) (r reading) {
	repo, err := Open(context.Background(), dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer repo.Close()
	var changes []Change
	for c, err := range repo.History(context.Background(), Selection{}, nil) {
		if err != nil {
			b.Fatal(err)
		}
		r.commits++
		changes = append(changes, c.Changes...)
	}
	if content == nil {
		return r
	}
	rd := repo.acquire()
	defer repo.release(rd)
	order := make([]int32, len(changes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(strings.Compare(changes[a].Path, changes[b].Path), cmp.Compare(a, b))
	})
	for _, i := range order {
		c := &changes[i]
		text, err := content(rd, c.Blob, 1<<40)
		if object.IsMissing(err) {
			r.missing++
		} else if err != nil {
			b.Fatal(err)
		}
		r.blobs, r.bytes = r.blobs+1, r.bytes+len(text)
	}
	return r
}
