//go:build unix

package git

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"
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
// changed blob, each time with a repository just opened.
func BenchmarkReadHistory(b *testing.B) {
	dir := os.Getenv("REPO")
	if dir == "" {
		b.Skip("set REPO to a repository")
	}
	var walked, all time.Duration
	commits, blobs, bytes, missing := 0, 0, 0, 0
	for b.Loop() {
		for _, read := range []bool{false, true} {
			start := cpu()
			repo, err := Open(context.Background(), dir, Options{})
			if err != nil {
				b.Fatal(err)
			}
			commits, blobs, bytes, missing = 0, 0, 0, 0
			for c, err := range repo.History(context.Background(), Selection{}, nil) {
				if err != nil {
					b.Fatal(err)
				}
				commits++
				for _, ch := range c.Changes {
					if !read {
						continue
					}
					text, err := repo.Blob(context.Background(), ch.Blob, 1<<40)
					switch {
					case isMissing(err): // a snapshot may lack large files
						missing++
					case err != nil:
						b.Fatal(err)
					}
					blobs, bytes = blobs+1, bytes+len(text)
				}
			}
			repo.Close()
			if read {
				all += cpu() - start
			} else {
				walked += cpu() - start
			}
		}
	}
	n := float64(b.N)
	b.ReportMetric(walked.Seconds()/n, "walk-cpu-s")
	b.ReportMetric(all.Seconds()/n, "read-cpu-s")
	b.ReportMetric(float64(commits), "commits")
	b.ReportMetric(float64(blobs), "blobs")
	b.ReportMetric(float64(bytes)/1e6, "MB")
	b.ReportMetric(float64(missing), "missing")
}
