package origindates

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// suspect is a finding that accuses, with its needles in histories and in versions.
type suspect struct {
	findingNeedle
	inVersions *needle
	id         string // names the stored result
}

// accused lists the findings that accuse and were introduced in the target's repository.
func (d *dater) accused(ctx context.Context, all []*series) (out []suspect) {
	if d.o.Target == nil {
		return nil
	}
	for _, s := range all {
		for _, n := range s.needles {
			for _, p := range n.places {
				f := &d.rep.Findings[p.finding]
				if p.origin != 0 || f.Direction != finding.DirectionFrom || f.EntryCommit() == "" {
					continue
				}
				if _, err := d.o.Target.Resolve(ctx, f.EntryCommit()); err == nil {
					inHistory := targetdates.NewNeedle(f.Path, n.lang, n.side, n.wanted, renames(f)).Until(f.FirstBy())
					out = append(out, suspect{findingNeedle: findingNeedle{f, inHistory}, inVersions: n})
				}
			}
		}
	}
	return out
}

// result is what a search of a history stores for a suspect.
type result interface {
	note(f *finding.Finding) // sets dates and the direction again
}

// searched identifies a search, so that its stored results can be used again: its kind, its history, and the kind of files that it
// read.
type searched struct {
	kind, history string
	files         func(name string) string
}

// recall applies the results of earlier runs. It returns the other findings by language family.
func recall[R result](d *dater, accused []suspect, by searched) map[string][]suspect {
	open := map[string][]suspect{}
	for _, s := range accused {
		until := ""
		if t := s.f.FirstBy(); t != nil {
			until = t.Format(time.RFC3339Nano)
		}
		s.id = s.inVersions.idWith(by.kind, renames(s.f), by.files(s.f.Path), by.history, until)
		var r R
		if d.store.dir != "" && readInto(d.store.path(s.id), &r) {
			d.store.touch(s.id)
			r.note(s.f)
			continue
		}
		open[s.inVersions.lang.Family] = append(open[s.inVersions.lang.Family], s)
	}
	return open
}

// search searches a history for the regions of findings, one language family at a time, and stores the results.
func search[R result](ctx context.Context, d *dater, history *targetdates.WholeHistory, open map[string][]suspect, of func(targetdates.First) R) error {
	for _, family := range slices.Sorted(maps.Keys(open)) {
		var wanted []findingNeedle
		for _, s := range open[family] {
			wanted = append(wanted, s.findingNeedle)
		}
		firsts, err := find(ctx, history, wanted)
		if err != nil {
			return err
		}
		for i, s := range open[family] {
			r := of(firsts[i])
			r.note(s.f)
			if d.store.dir != "" && !firsts[i].Unread {
				d.store.writeJSON(s.id, r)
			}
		}
	}
	return nil
}

// unread lists a history of the target that cannot be read, unless ctx has ended.
func (d *dater) unread(ctx context.Context, what string, err error) error {
	if err != nil && ctx.Err() == nil {
		msg, _, _ := strings.Cut(err.Error(), "\n")
		d.rep.Ledger = append(d.rep.Ledger, finding.Entry{Reason: finding.ReasonUndated, Detail: what + ": " + msg})
		return nil
	}
	return ctx.Err()
}
