package origindates

import (
	"context"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// dateByReturned searches the target's history for the regions of findings that accuse now that their origins are dated. A file can be
// deleted and come back at another path, and a scan searches for that only if it knows when the origin had the region. As in a scan,
// files of the same name count. A report does not tell whether its history began in the middle, so histories are searched too.
func (d *dater) dateByReturned(ctx context.Context, all []*series) error {
	if d.o.Target == nil {
		return nil
	}
	accused := slices.DeleteFunc(d.accused(ctx, all), func(s suspect) bool { return s.inVersions.past != nil }) // dateByTarget has read everything
	head, err := d.o.Target.Resolve(ctx, d.head())
	if len(accused) == 0 || err != nil {
		return ctx.Err()
	}
	for _, s := range accused {
		s.needle.Named(path.Base(s.f.Path))
	}
	open := recall[returned](d, accused, searched{"returned2", head.Name, path.Base})
	if len(open) == 0 {
		return nil
	}
	history, err := targetdates.OfTarget(ctx, d.o.Target, d.head(), d.o.Now)
	if err == nil {
		for family, ss := range open {
			if open[family] = slices.DeleteFunc(ss, func(s suspect) bool { return !history.Has(s.f.EntryCommit()) }); len(open[family]) == 0 {
				delete(open, family) // all are of another branch
			}
		}
		err = search(ctx, d, history, open, func(f targetdates.First) returned { return returned{f.Interval, f.Commit} })
	}
	return d.unread(ctx, "files that came back cannot be searched for in the target's history", err)
}

// returned is the stored result for a region and a head. If the history had the region in a file of the same name before the origin
// had it, the result says since when.
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
