// Package origindates finds when the package of an origin first had a region. It bisects the versions of the package and searches each
// version that it opens for the tokens of the region. Its input is a finding and the files of its origins. Its output is an
// interval: absent in one version, present in the next, each with its date.
//
// A version has the region if one of its files shares at least [Enough] of the tokens that target and origin share. The matcher
// of scans compares them. A match counts if at least [Named] of its names are unchanged: a package seldom renames all of a
// function, and its other functions have similar structure. The file may have moved.
//
// No result reverses an order. A version counts as absent only if it is older, by its date, than the one that has the region.
// Versions without a plausible date bound nothing. Missing data makes an interval wider, and the note says so.
//
//	dating.go          Date: the order of the steps
//	needle.go          a region to be searched for (needle), and the search in the files of a version (haystack)
//	series.go          a package with its needles: the steps for one package
//	available.go       which versions can be opened, in registries and baselines
//	bisect.go          which versions are opened, in which order
//	interval.go        what was seen in versions → an interval with its notes
//	repository.go      the history of the package's repository, which is better evidence than versions
//	clone.go, tags.go  that repository is fetched; its tags are names of versions
//	target.go          the history of the target, read in the same way
//	suspects.go        findings that accuse, and searches of histories for them, whose results are stored
//	returned.go        the target's history up to the date of an origin, for files that came back
//	otherhistories.go  histories of the target's repository that are not related to its head
//	store.go           results of earlier runs
package origindates

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

// Named is the least share of unchanged names for a match to count.
const Named = 0.75

const (
	// MaxDownloads limits the versions of one package that are fetched in a run. After the oldest, seven more suffice to bisect
	// 128 versions.
	MaxDownloads = 8
	// atOnce is how many packages are dated at a time. It is low to spare the registries.
	atOnce = 4
	// maxPackages limits the packages of a report that are dated.
	maxPackages = 2000
)

// Options say where versions come from.
type Options struct {
	Baselines []*baseline.Baseline
	Source    source.Options // options of registries; if Offline is set, none is asked
	Store     string         // directory of results of earlier runs; "" for none
	// Repositories date the packages published from them by their history.
	Repositories []Repository
	Given        bool // date only the packages of Repositories
	// Clone fetches a repository by the address that a package names; nil: no repository is fetched.
	Clone  func(ctx context.Context, addr string) (*git.Repo, error)
	Target *git.Repo // the scanned repository; nil: its history is not read
	Now    time.Time // later dates are ignored
	// Progress is called with the number of packages that are done.
	Progress func(what string, done, total int)
}

// Date sets Origin.First of the findings of a report, except common ones, and sets their directions again. Origins that cannot be
// dated are listed in the ledger. Date fails only if ctx ends or a baseline is damaged; results until then are kept in the store.
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
	if err := d.dateByTarget(ctx, all); err != nil {
		return err
	}
	for _, s := range all {
		d.fill(s)
	}
	for i := range rep.Findings {
		if f := &rep.Findings[i]; f.Verdict != finding.CommonCode {
			finding.SetDirection(f)
		}
	}
	if err := d.dateByReturned(ctx, all); err != nil {
		return err
	}
	if err := d.dateByOtherHistories(ctx, all); err != nil {
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
	store *resultStore
	rep   *finding.Report
	mu    sync.Mutex
	done  int

	clones map[string]*clone // by address
}

// place is one origin of the report.
type place struct{ finding, origin int }

// collect groups the origins of a report by package, and makes their needles.
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

// byCost puts the packages first that take longest: the Go standard library, of which each version is 75 MB, then the packages
// with most origins.
func byCost(a, b *series) int {
	return cmp.Or(finding.CompareTrue(a.key == stdKey, b.key == stdKey), cmp.Compare(len(b.places), len(a.places)))
}

// run dates all packages, a few at a time.
func (d *dater) run(ctx context.Context, all []*series) error {
	work := make(chan *series)
	errs := make(chan error, len(all))
	var wg sync.WaitGroup
	for range atOnce {
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

// fill writes the results of a package into the report.
func (d *dater) fill(s *series) {
	for _, n := range s.needles {
		for _, p := range n.places {
			f := &d.rep.Findings[p.finding]
			f.Origins[p.origin].First = dated(s.interval(n, f, f.Origins[p.origin]), f.Origins[p.origin])
			if why := cmp.Or(n.why, n.unlisted()); why != "" && n.past == nil {
				d.undated(f.Path, f.Origins[p.origin].PURL, why)
			}
		}
	}
	if s.unread != "" {
		d.undated("", s.firstOrigin().PURL, s.unread)
	}
	for _, p := range s.lost {
		f := &d.rep.Findings[p.finding]
		o := &f.Origins[p.origin]
		o.First = dated(known(*o), *o)
		d.undated(f.Path, o.PURL, p.why)
	}
}

func (d *dater) undated(path, p, why string) {
	d.rep.Ledger = append(d.rep.Ledger, finding.Entry{Path: path, Reason: finding.ReasonUndated, Detail: purl.Name(p) + ": " + why})
}

// dated returns the interval from versions. If that has no date, and o.First has one from a lock file of the target, it returns
// o.First.
func dated(in *finding.Interval, o finding.Origin) *finding.Interval {
	undated := in == nil || (in.Present == nil || in.Present.Time == nil) && (in.Absent == nil || in.Absent.Time == nil)
	if undated && o.First != nil && o.First.From == finding.FromLockFile && o.First.Present != nil {
		return o.First
	}
	return in
}

// known returns the interval of an origin if only the version in the report is known.
func known(o finding.Origin) *finding.Interval {
	p := &finding.Point{PURL: o.PURL}
	if o.Released != nil {
		p.Time = new(*o.Released)
	}
	return &finding.Interval{Present: p, From: finding.FromBaseline}
}

// plainly returns an error of a registry as a short text for the ledger.
func plainly(err error) string {
	if _, ok := errors.AsType[*source.OfflineError](err); ok {
		return "it was not dated before, and the network is switched off"
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return msg
}

// briefly returns an error of a registry as a text that fits into one line of a finding. The ledger has the address and the
// registry's words.
func briefly(err error) string {
	if f, ok := errors.AsType[*source.FetchError](err); ok && f.Status != 0 {
		return fmt.Sprintf("the registry answered %d", f.Status)
	}
	return plainly(err)
}
