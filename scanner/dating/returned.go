package dating

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/past"
)

// dateByReturned searches the target's history for the regions of findings that accuse now that their origins are dated. A file can be
// deleted and come back at another path, and a scan searches for that only if it knows when the origin had the region. As in a scan,
// files of the same name count. The stories of a history include such regions.
func (d *dater) dateByReturned(ctx context.Context, all []*series) error {
	if d.o.Target == nil || d.rep.Target.Kind == "history" {
		return nil
	}
	accused := slices.DeleteFunc(d.accused(ctx, all), func(s suspect) bool { return s.inVersions.past != nil }) // dateByTarget has read everything
	head, err := d.o.Target.Resolve(ctx, d.head())
	if len(accused) == 0 || err != nil {
		return ctx.Err()
	}
	open := d.recallReturned(accused, head.Name)
	if len(open) == 0 {
		return nil
	}
	history, err := past.OfTarget(ctx, d.o.Target, d.head(), d.o.Now)
	for _, family := range slices.Sorted(maps.Keys(open)) {
		if err == nil {
			err = d.findReturned(ctx, history, open[family])
		}
	}
	if err != nil && ctx.Err() == nil {
		msg, _, _ := strings.Cut(err.Error(), "\n")
		d.rep.Ledger = append(d.rep.Ledger, finding.Entry{Reason: finding.ReasonUndated, Detail: "files that came back cannot be searched for in the target's history: " + msg})
		return nil
	}
	return ctx.Err()
}

// returned is the stored result for a region and a head: since when the history has the region in a file of the same name, if that is
// before the origin has it.
type returned struct {
	Here       *finding.Interval `json:"here,omitempty"`
	Introduced *finding.Commit   `json:"introduced,omitempty"`
}

func (r returned) note(f *finding.Finding) {
	if r.Here == nil || r.Introduced == nil {
		return
	}
	f.Here, f.Introduced = r.Here, new(*r.Introduced)
	if f.Introduced.Path == f.Path {
		f.Introduced.Path = ""
	}
	finding.SetDirection(f)
}

// recallReturned applies the results of earlier runs. It returns the other findings by language family.
func (d *dater) recallReturned(accused []suspect, head string) map[string][]suspect {
	open := map[string][]suspect{}
	for _, s := range accused {
		until := ""
		if t := s.f.FirstBy(); t != nil {
			until = t.Format(time.RFC3339Nano)
		}
		s.id = s.inVersions.idWith("returned1", renames(s.f), path.Base(s.f.Path), head, until)
		var r returned
		if d.store.dir != "" && readInto(d.store.path(s.id), &r) {
			d.store.touch(s.id)
			r.note(s.f)
			continue
		}
		s.needle.Named(path.Base(s.f.Path))
		open[s.inVersions.lang.Family] = append(open[s.inVersions.lang.Family], s)
	}
	return open
}

// findReturned records since when the history has the regions of findings.
func (d *dater) findReturned(ctx context.Context, history *past.WholeHistory, accused []suspect) error {
	accused = slices.DeleteFunc(accused, func(s suspect) bool { return !history.Has(s.f.EntryCommit()) }) // of another branch
	var wanted []findingNeedle
	for _, s := range accused {
		wanted = append(wanted, s.findingNeedle)
	}
	if len(wanted) == 0 {
		return nil
	}
	firsts, err := find(ctx, history, wanted)
	if err != nil {
		return err
	}
	for i, s := range accused {
		r := returned{Here: firsts[i].Interval, Introduced: firsts[i].Commit}
		r.note(s.f)
		if d.store.dir != "" && !firsts[i].Unread {
			d.store.writeJSON(s.id, r)
		}
	}
	return nil
}
