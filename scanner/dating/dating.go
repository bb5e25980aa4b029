// Package dating tells when the package of an origin first had a region: it
// bisects the versions of the package and looks for the tokens of the region in
// each one it opens. A finding and the files of its origins flow in, an interval
// flows out: absent in one version, present in the next, each with its date.
//
// A version has the region when one file of it shares at least [Enough] of the
// tokens that target and origin share. The matcher of scans compares them. Matches
// keep at least [Named] of their names: the same package seldom renames all of a
// function, and its other functions have the same shapes. The file may have moved.
//
// Nothing here turns an order round. A version counts as absent only if it is
// older than the one that has the region, by its date. Versions without a date, or
// with one that cannot be, bound nothing. A gap in what is known makes an interval
// wider, and the note says so.
package dating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Enough is the share of a region's tokens that a version must have.
const Enough = 0.6

// Named is the share of the names of a match that must be the same for it to count.
const Named = 0.75

const (
	// MaxDownloads bounds the versions of one package that are fetched in a run.
	// After the oldest, seven more tell apart 128 versions.
	MaxDownloads = 8
	// atOnce is how many packages are dated at a time. It is low for the sake of
	// the registries.
	atOnce = 4
	// maxPackages bounds what a report can ask for.
	maxPackages = 2000
)

// Options say where versions come from.
type Options struct {
	Bases  []*baseline.Baseline
	Source source.Options // of registries; Offline asks none
	Store  string         // directory of what is known from earlier runs; "" keeps nothing
	// Repositories date the packages that are published from them by their history.
	Repositories []Repository
	Given        bool // date nothing but the packages of Repositories
	// Clone fetches a repository by the address that a package names; nil fetches none.
	Clone   func(ctx context.Context, addr string) (*git.Repo, error)
	Target  *git.Repo // the repository that was scanned; nil: its history is not read
	Now     time.Time // later dates are wrong
	Workers int       // packages dated at a time; 0 means the default
	// Progress is told how many packages are done.
	Progress func(what string, done, total int)
}

// Date fills Origin.First of the findings of a report, common ones left out, and
// works out their directions anew. What cannot be dated is listed in the ledger. It fails only if ctx ends or a baseline
// is damaged; what was learnt until then is kept in the store.
func Date(ctx context.Context, rep *finding.Report, o Options) error {
	rep.Ledger = slices.DeleteFunc(rep.Ledger, func(e finding.Entry) bool {
		return e.Reason == finding.ReasonUndated && strings.Contains(e.Detail, "pkg:")
	})
	d := &dater{o: o, store: openStore(o.Store), rep: rep, clones: map[string]*clone{}}
	defer d.close()
	all, err := d.collect()
	if err != nil {
		return err
	}
	if err := d.run(ctx, all); err != nil {
		return err
	}
	if err := d.retrace(ctx, all); err != nil {
		return err
	}
	for _, s := range all {
		d.fill(s)
	}
	for i := range rep.Findings {
		if f := &rep.Findings[i]; f.Verdict != finding.CommonCode {
			finding.Direct(f)
		}
	}
	if err := d.elsewhere(ctx, all); err != nil {
		return err
	}
	slices.SortStableFunc(rep.Ledger, func(a, b finding.Entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Reason), string(b.Reason)), strings.Compare(a.Detail, b.Detail))
	})
	rep.Ledger = slices.Compact(rep.Ledger)
	d.store.prune()
	return nil
}

type dater struct {
	o     Options
	store *shelf
	rep   *finding.Report
	mu    sync.Mutex
	done  int

	clones map[string]*clone // by address
}

// place is one origin of the report.
type place struct{ finding, origin int }

// collect groups the origins of a report by package, and within it by what is
// looked for.
func (d *dater) collect() ([]*series, error) {
	by := make(map[string]*series)
	for i := range d.rep.Findings {
		f := &d.rep.Findings[i]
		if f.Verdict == finding.CommonCode {
			continue
		}
		for j := range f.Origins {
			key := purl.Series(f.Origins[j].PURL)
			s := by[key]
			if s == nil {
				s = &series{key: key, d: d, budget: MaxDownloads}
				by[key] = s
			}
			s.places = append(s.places, place{i, j})
		}
	}
	all := make([]*series, 0, len(by))
	for _, s := range by {
		all = append(all, s)
	}
	for _, s := range all {
		s.repo = d.repository(s)
	}
	if d.o.Given {
		all = slices.DeleteFunc(all, func(s *series) bool { return s.repo == nil })
	}
	slices.SortFunc(all, func(a, b *series) int { return cmp.Or(byCost(a, b), strings.Compare(a.key, b.key)) })
	for i, s := range all {
		if i >= maxPackages {
			s.why = fmt.Sprintf("a report dates at most %d packages", maxPackages)
		}
	}
	return all, d.find(all)
}

// byCost puts the packages first that take longest: the Go standard library, of which each version is 75 MB, then those with
// most to look for.
func byCost(a, b *series) int {
	return cmp.Or(finding.CompareTrue(a.key == stdKey, b.key == stdKey), cmp.Compare(len(b.places), len(a.places)))
}

// run dates all packages, some at a time.
func (d *dater) run(ctx context.Context, all []*series) error {
	work := make(chan *series)
	errs := make(chan error, len(all))
	var wg sync.WaitGroup
	for range cmp.Or(d.o.Workers, atOnce) {
		wg.Go(func() {
			r := newReader()
			defer r.tz.Close()
			for s := range work {
				if err := s.date(ctx, r); err != nil {
					errs <- err
				}
				d.progress(s.key, len(all))
			}
		})
	}
	for _, s := range all {
		if ctx.Err() != nil {
			break
		}
		work <- s
	}
	close(work)
	wg.Wait()
	close(errs)
	var first error
	for err := range errs {
		first = cmp.Or(first, err)
	}
	return cmp.Or(ctx.Err(), first)
}

func (d *dater) progress(key string, total int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done++
	if d.o.Progress != nil {
		d.o.Progress("dating "+key, d.done, total)
	}
}

// fill writes what a package came to into the report.
func (d *dater) fill(s *series) {
	for _, n := range s.needles {
		for _, p := range n.places {
			f := &d.rep.Findings[p.finding]
			f.Origins[p.origin].First = s.interval(n, f, f.Origins[p.origin])
			if why := cmp.Or(n.why, n.unlisted()); why != "" && n.past == nil {
				d.undated(f.Path, f.Origins[p.origin].PURL, why)
			}
		}
	}
	if s.unread != "" {
		d.undated("", s.places0().PURL, s.unread)
	}
	for _, p := range s.lost {
		f := &d.rep.Findings[p.finding]
		o := &f.Origins[p.origin]
		o.First = known(*o)
		d.undated(f.Path, o.PURL, p.why)
	}
}

func (d *dater) undated(path, p, why string) {
	d.rep.Ledger = append(d.rep.Ledger, finding.Entry{Path: path, Reason: finding.ReasonUndated, Detail: purl.Name(p) + ": " + why})
}

// known is the interval of an origin of which only its own version is known.
func known(o finding.Origin) *finding.Interval {
	p := &finding.Point{PURL: o.PURL}
	if o.Released != nil {
		p.Time = new(*o.Released)
	}
	return &finding.Interval{Present: p, From: fromBaseline}
}

// The values of Interval.From.
const (
	fromBaseline = "baseline"
	fromVersions = "versions"
)

// plainly shortens an error of a registry to what the ledger shows.
func plainly(err error) string {
	if _, ok := errors.AsType[*source.OfflineError](err); ok {
		return "it was not dated before, and the network is switched off"
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return msg
}
