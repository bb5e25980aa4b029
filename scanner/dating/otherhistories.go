package dating

import (
	"context"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/past"
)

// dateByOtherHistories searches histories that are not related to the target's for the regions of findings that accuse. The repository may
// have had these regions first. Results are stored, because reading such a history can take longer than everything else.
func (d *dater) dateByOtherHistories(ctx context.Context, all []*series) error {
	accused := d.accused(ctx, all)
	if len(accused) == 0 {
		return nil
	}
	history, err := past.OtherHistories(ctx, past.History{Repo: d.o.Target, Head: d.head()}, d.o.Now)
	if err == nil && history != nil {
		open := d.recall(accused, history.Sum())
		for _, family := range slices.Sorted(maps.Keys(open)) {
			if err == nil {
				err = d.seenIn(ctx, history, open[family])
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		d.rep.Ledger = append(d.rep.Ledger, past.Unread(err))
		return nil
	}
	return ctx.Err()
}

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
					inHistory := past.NewNeedle(f.Path, n.lang, n.side, n.wanted, renames(f)).Until(f.FirstBy())
					out = append(out, suspect{findingNeedle: findingNeedle{f, inHistory}, inVersions: n})
				}
			}
		}
	}
	return out
}

// otherHistory is the stored result for a region and a history: the commit that has it first.
type otherHistory struct {
	Present *finding.Point `json:"present,omitempty"`
}

// recall applies the results of earlier runs. It returns the other findings by language family.
func (d *dater) recall(accused []suspect, history [32]byte) map[string][]suspect {
	open := map[string][]suspect{}
	for _, s := range accused {
		until := ""
		if t := s.f.FirstBy(); t != nil {
			until = t.Format(time.RFC3339Nano)
		}
		s.id = s.inVersions.idWith("elsewhere1", renames(s.f), path.Ext(s.f.Path), hex.EncodeToString(history[:]), until)
		var g otherHistory
		if d.store.dir != "" && readInto(d.store.path(s.id), &g) {
			d.store.touch(s.id)
			s.note(g)
			continue
		}
		open[s.inVersions.lang.Family] = append(open[s.inVersions.lang.Family], s)
	}
	return open
}

func (s *suspect) note(g otherHistory) {
	if g.Present != nil {
		first := past.First{Interval: &finding.Interval{Present: g.Present}}
		first.SetOtherHistory(s.f)
	}
}

// seenIn records since when another history has the regions of findings.
func (d *dater) seenIn(ctx context.Context, history *past.WholeHistory, accused []suspect) error {
	var wanted []findingNeedle
	for _, s := range accused {
		wanted = append(wanted, s.findingNeedle)
	}
	firsts, err := find(ctx, history, wanted)
	if err != nil {
		return err
	}
	for i, s := range accused {
		var g otherHistory
		if in := firsts[i].Interval; in != nil {
			g.Present = in.Present
		}
		s.note(g)
		if d.store.dir != "" && !firsts[i].Unread {
			d.store.writeJSON(s.id, g)
		}
	}
	return nil
}
