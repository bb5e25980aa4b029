// Package indexing adds packages to a baseline, and accounts for what is left out:
//
//	Prefetch    packages → packages that are on this machine
//	Add         packages → what was added to a baseline
//	LeftOut     what is not indexed → lines, counts, an error if it was asked for
package indexing

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
)

// Downloading is how many packages are downloaded at a time.
const Downloading = 4

// Prefetch downloads packages before the baseline is changed, so that one that cannot
// be had keeps no other out.
func Prefetch(ctx context.Context, pkgs []*source.Package, o source.Options, bar *console.Progress, left *LeftOut) ([]*source.Package, error) {
	o.Skipped = left.Lacking
	return source.Prefetch(ctx, pkgs, Downloading, o, func(name string, n int) { bar.At("fetched "+name, n, 0) })
}

// Add adds packages to a baseline, and notes what it leaves out.
func Add(ctx context.Context, w *baseline.Writer, pkgs []*source.Package, workers int, counted string, bar *console.Progress, left *LeftOut) (baseline.Added, error) {
	o := Options(workers, counted, bar)
	o.Skipped = func(s baseline.Skip) {
		if s.Reason == baseline.ReasonBroken {
			left.Lacking(source.Skipped{Path: s.PURL, Reason: string(s.Reason), Detail: s.Detail})
			return
		}
		left.Note(strings.TrimSpace(s.PURL+" "+s.Path), string(s.Reason), s.Detail)
	}
	return w.Add(ctx, pkgs, o)
}

// Options are those to add packages with; no workers mean one for each CPU. counted is the directory of counts.
func Options(workers int, counted string, bar *console.Progress) baseline.AddOptions {
	return baseline.AddOptions{
		Counted:  counted,
		Workers:  cmp.Or(workers, runtime.GOMAXPROCS(0)),
		Progress: func(purl string, files int, _ int64) { bar.At("indexing "+purl, files, 0) },
	}
}

// ForgetDownloads deletes what was downloaded for a baseline that now has it. The directory stays, and what another
// program writes there at the moment: if it misses the rest, it downloads that again.
func ForgetDownloads(dir string) {
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		st, err := e.Info()
		if err == nil && (!strings.HasPrefix(e.Name(), source.Partial) || time.Since(st.ModTime()) > unfinished) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // what cannot be deleted now is tried again next time
		}
	}
}

// unfinished is the age from which on a download that is not complete has nobody who goes on with it.
const unfinished = time.Hour
