package origindates

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// dateByTarget dates findings by the history of the target, read in the same way as the histories of origins: it reads every content
// and follows no file. So a region that left and came back in another file does not count as new, and the two histories can be
// compared.
func (d *dater) dateByTarget(ctx context.Context, all []*series) error {
	by := map[string][]findingNeedle{}
	for _, s := range all {
		for _, n := range s.needles {
			for _, p := range n.places {
				if f := &d.rep.Findings[p.finding]; p.origin == 0 && n.past != nil && !notFollowed(f) {
					by[n.lang.Family] = append(by[n.lang.Family], findingNeedle{f, targetdates.NewNeedle(f.Path, n.lang, n.side, n.wanted, renames(f))})
				}
			}
		}
	}
	if d.o.Target == nil || len(by) == 0 {
		return nil
	}
	history, err := targetdates.OfTarget(ctx, d.o.Target, d.head(), d.o.Now)
	for _, family := range slices.Sorted(maps.Keys(by)) {
		if err == nil {
			err = d.follow(ctx, history, by[family])
		}
	}
	return d.unread(ctx, "the history of the target cannot be read as a whole", err)
}

// notFollowed reports whether the scan found that too little of a region can be followed. The same holds for the whole history.
func notFollowed(f *finding.Finding) bool {
	return f.Here != nil && f.Here.Present == nil && f.Here.Note == finding.NotFollowed
}

// findingNeedle is a finding with the region that is searched for in histories.
type findingNeedle struct {
	f      *finding.Finding
	needle *targetdates.Needle
}

// find searches a history for the regions of findings.
func find(ctx context.Context, history *targetdates.WholeHistory, wanted []findingNeedle) ([]targetdates.First, error) {
	needles := make([]*targetdates.Needle, len(wanted))
	for i, t := range wanted {
		needles[i] = t.needle
	}
	firsts, err := history.Find(ctx, needles)
	if err != nil {
		return nil, fmt.Errorf("date findings: %w", err)
	}
	return firsts, nil
}

// head returns the last commit of the target's history.
func (d *dater) head() string {
	if d.rep.Target.Head != "" {
		return d.rep.Target.Head
	}
	return "HEAD"
}

func (d *dater) follow(ctx context.Context, history *targetdates.WholeHistory, wanted []findingNeedle) error {
	if !slices.ContainsFunc(wanted, func(t findingNeedle) bool { return t.f.Introduced != nil && history.Has(t.f.Introduced.Commit) }) {
		return nil // another repository, or nothing is committed
	}
	firsts, err := find(ctx, history, wanted)
	if err != nil {
		return err
	}
	for i, t := range wanted {
		history.Date(t.f, firsts[i], d.rep.Target.Kind == "history")
	}
	return nil
}
