package origindates

import (
	"context"
	"encoding/hex"
	"path"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// dateByOtherHistories searches histories that are not related to the target's for the regions of findings that accuse. The
// repository may have had these regions before the origin. Results are stored, because reading such a history can take longer than
// all other steps.
func (d *dater) dateByOtherHistories(ctx context.Context, all []*series) error {
	accused := d.accused(ctx, all)
	if len(accused) == 0 {
		return nil
	}
	history, err := targetdates.OtherHistories(ctx, targetdates.History{Repo: d.o.Target, Head: d.head()}, d.o.Now)
	if err == nil && history != nil {
		sum := history.Sum()
		open := recall[otherHistory](d, accused, searched{"elsewhere2", hex.EncodeToString(sum[:]), path.Ext})
		err = search(ctx, d, history, open, func(f targetdates.First) otherHistory {
			if f.Interval == nil {
				return otherHistory{}
			}
			return otherHistory{f.Interval.Present}
		})
	}
	if err != nil && ctx.Err() == nil {
		d.rep.Ledger = append(d.rep.Ledger, targetdates.UnreadEntry(err))
		return nil
	}
	return ctx.Err()
}

// otherHistory is the stored result for a region and a history: the commit that has it first.
type otherHistory struct {
	Present *finding.Point `json:"present,omitempty"`
}

func (g otherHistory) note(f *finding.Finding) {
	if g.Present != nil {
		first := targetdates.First{Interval: &finding.Interval{Present: g.Present}}
		first.SetOtherHistory(f)
	}
}
