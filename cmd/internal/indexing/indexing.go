// Package indexing adds packages to a baseline, and accounts for everything that is left out:
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
	"github.com/git-provenance/git-provenance/baseline/source/web"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Downloading is how many packages are downloaded at the same time.
const Downloading = 4

// Prefetch downloads packages before the baseline is changed. So a package that cannot be downloaded does not stop the
// others.
func Prefetch(ctx context.Context, pkgs []*source.Package, o source.Options, bar *console.Progress, left *LeftOut) ([]*source.Package, error) {
	o.Skipped = left.Lacking
	return source.Prefetch(ctx, pkgs, Downloading, o, func(name string, n int) { bar.At("fetched "+name, n, 0) })
}

// Add adds packages to a baseline and notes everything it leaves out. o is of Options.
func Add(ctx context.Context, w *baseline.Writer, pkgs []*source.Package, o baseline.AddOptions, left *LeftOut) (baseline.Added, error) {
	o.Skipped = func(s baseline.Skip) {
		name := strings.TrimSpace(s.PURL + " " + s.Path)
		switch s.Reason {
		case baseline.ReasonBroken:
			left.Lacking(source.Skipped{Path: s.PURL, Reason: string(s.Reason), Detail: s.Detail})
		case finding.ReasonMissing, finding.ReasonDamaged: // a file of a commit
			left.lacksFile(name, string(s.Reason), s.Detail)
		default:
			left.Note(name, string(s.Reason), s.Detail)
		}
	}
	return w.Add(ctx, pkgs, o)
}

// Options returns the options for adding packages. Zero workers mean one for each CPU. counted is the directory of
// counts.
func Options(workers int, counted string, bar *console.Progress) baseline.AddOptions {
	return baseline.AddOptions{
		Counted:  counted,
		Workers:  cmp.Or(workers, runtime.GOMAXPROCS(0)),
		Progress: func(purl string, files int, _ int64) { bar.At("indexing "+purl, files, 0) },
	}
}

// ForgetDownloads deletes the downloads for a baseline that now contains them. It keeps the directory, and files that
// another program is writing there. A program that misses a deleted file downloads it again.
func ForgetDownloads(dir string) {
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		st, err := e.Info()
		if err == nil && (!strings.HasPrefix(e.Name(), web.Partial) || time.Since(st.ModTime()) > unfinished) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // a file that cannot be deleted now is tried again next time
		}
	}
}

// unfinished is the age at which an incomplete download counts as abandoned.
const unfinished = time.Hour
