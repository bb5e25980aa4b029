package targetdates

import (
	"context"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// Story is a region that was followed through a history.
type Story struct {
	Found     *examine.Found   // provides the signature
	Path      string           // of a file that had it
	Locations []*examine.Found // its locations at the head of the line
	Seen      []Version        // its versions
}

// Version is a content that has a region, with the first commit that has it.
type Version struct {
	Commit git.Hash
	Path   string
	Blob   git.Hash
}

// Entered returns the first commit that has most of each region, or nil if it is not known. whole is false if a content is
// missing or damaged.
func Entered(ctx context.Context, rs Readers, in History, stories []Story) (out []*finding.Commit, whole bool, err error) {
	out = make([]*finding.Commit, len(stories))
	d := newDater(rs, in)
	d.every = true
	var all []*region
	of := make([][]*region, len(stories))
	for i, s := range stories {
		for _, f := range s.Locations {
			of[i] = append(of[i], newRegion(f))
		}
		all = append(all, of[i]...)
	}
	if len(all) == 0 {
		return out, true, nil
	}
	if err := d.run(ctx, all); err != nil {
		return nil, false, err
	}
	d.clock()
	w := d.New()
	defer w.Close()
	for i, s := range stories {
		if s.Found.Signature == nil || len(of[i]) == 0 {
			continue
		}
		if out[i], err = d.first(ctx, w, s, of[i]); err != nil {
			return nil, false, err
		}
	}
	return out, !d.unread.Load(), nil
}

// first returns the first commit that has most of a region: in a file that its locations came from, or in an earlier version.
func (d *dater) first(ctx context.Context, w *examine.Worker, s Story, locations []*region) (*finding.Commit, error) {
	best, path := int32(1<<30), ""
	for _, r := range locations {
		if r.commit >= 0 && !r.older && !r.unread && d.rank(r.commit) < best {
			best, path = d.rank(r.commit), r.path
		}
	}
	measure := d.measurer(ctx, w, query{path: s.Path, regions: []*region{{finding: s.Found}}})
	for _, v := range s.Seen {
		at, ok := d.clocks.index[v.Commit]
		if !ok || at >= best {
			continue
		}
		shares, err := measure(record{blob: v.Blob})
		if err != nil {
			return nil, err
		}
		if shares == nil || shares[0] >= trace.Most { // a content that cannot be read now was found to have the region
			best, path = at, v.Path
		}
	}
	if best == 1<<30 {
		return nil, nil
	}
	c := CommitOf(&d.clocks.at(best).Commit)
	c.Path = path
	return c, nil
}

// CommitOf returns a commit in the form of a report.
func CommitOf(c *git.Commit) *finding.Commit {
	return &finding.Commit{Commit: c.Name, Author: c.AuthorName + " <" + c.AuthorEmail + ">", Time: c.AuthorTime.UTC()}
}
