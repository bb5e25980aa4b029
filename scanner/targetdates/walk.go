package targetdates

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git"
)

// rank returns the position of a commit in an order with parents before children; -1 is before all of them.
func (d *dater) rank(commit int32) int32 {
	if commit < 0 {
		return -1
	}
	return d.trail.Place(commit)
}

// endRank returns the rank at which a query ends.
func (d *dater) endRank(until int32) int32 {
	if until < 0 {
		return 1 << 30
	}
	return d.rank(until)
}

// walk reads the history of the paths of queries, as far as it was not read before.
func (d *dater) walk(ctx context.Context, qs []query) error {
	if err := d.open(ctx); err != nil {
		return err
	}
	paths, until := d.unwalked(qs)
	if d.full || len(paths) == 0 {
		return nil
	}
	if d.walks++; d.walks > limitedWalks {
		d.full, paths, until = true, nil, -1
		clear(d.records)
	}
	for {
		w := &pathWalk{d: d, ctx: ctx}
		for _, p := range paths {
			w.begin(p, until)
		}
		if err := d.trail.WalkBack(ctx, paths, until, w.note); err != nil {
			return err
		}
		if paths, until = w.missed(), -1; len(paths) == 0 {
			return nil
		}
	}
}

// unwalked lists the paths of queries whose history is not read far enough, and the latest commit before which these queries end.
func (d *dater) unwalked(qs []query) (paths []string, until int32) {
	last := int32(-1)
	for _, q := range qs {
		walked, ok := d.walked[q.path]
		if ok && d.endRank(q.until) <= d.endRank(walked) {
			continue
		}
		paths = append(paths, q.path)
		if end := d.endRank(q.until); end > last {
			last, until = end, q.until
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), until
}

// pathWalk is one walk over the history of some paths, the latest commit first. If a file appears, the walk continues with the
// file that it was before. So few renames need a walk of their own.
type pathWalk struct {
	d    *dater
	ctx  context.Context
	late []string // paths added during the walk
}

// begin adds a path whose contents before a commit are to be read.
func (w *pathWalk) begin(path string, until int32) {
	w.d.walked[path] = until
	delete(w.d.records, path)
}

// note records a change. It returns the paths that the walk continues with.
func (w *pathWalk) note(i int32, c git.Change) ([]string, error) {
	w.d.records[c.Path] = append(w.d.records[c.Path], record{i, c.Blob, c.Old, c.HasOld})
	if c.HasOld || w.d.full || w.d.trail.Parents(i) != 1 {
		return nil, nil
	}
	files, err := w.d.changed(w.ctx, i)
	if err != nil {
		return nil, err
	}
	var more []string
	for _, f := range moved(files, c) {
		if _, ok := w.d.walked[f]; !ok {
			w.begin(f, i)
			more = append(more, f)
		}
	}
	w.late = append(w.late, more...)
	return more, nil
}

// maxMoved limits the files with the same name that are added, before their contents are compared.
const maxMoved = 2

// moved lists the files that a new file may have been before: the first with the same content, else those with the same name.
func moved(files []git.File, c git.Change) (out []string) {
	for _, f := range files {
		if f.Blob == c.Blob {
			return []string{f.Path}
		}
		if path.Base(f.Path) == path.Base(c.Path) && len(out) < maxMoved {
			out = append(out, f.Path)
		}
	}
	return out
}

// missed lists the added paths that need another walk: those without records, and those that existed before their first record.
// If clocks run backwards, a walk meets a commit before it knows of the path.
func (w *pathWalk) missed() (out []string) {
	for _, p := range w.late {
		if rs := w.d.inOrder(p); len(rs) == 0 || rs[0].commit < 0 {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// inOrder returns the records of a path in the order of the commits. If the first record has an old content, that is older than
// the known commits.
func (d *dater) inOrder(path string) []record {
	rs := slices.Clone(d.records[path])
	slices.SortFunc(rs, func(a, b record) int { return cmp.Compare(d.rank(a.commit), d.rank(b.commit)) })
	if len(rs) > 0 && rs[0].hasOld {
		rs = slices.Insert(rs, 0, record{commit: -1, blob: rs[0].old})
	}
	return rs
}

// open opens the history.
func (d *dater) open(ctx context.Context) (err error) {
	if d.trail != nil {
		return nil
	}
	if d.trail, err = d.Repo.Trail(ctx, d.Head); err != nil {
		return err
	}
	d.trail.Every = d.every
	if d.memory != nil {
		d.trail.Remember(d.memory.commits)
	}
	return nil
}

// clock bounds the times of the commits read so far.
func (d *dater) clock() {
	order := d.trail.Order()
	if d.clocks != nil && len(d.clocks.commits) == len(order) {
		return
	}
	d.clocks = NewClocks(time.Now())
	d.clocks.room(len(order))
	d.clocks.read = func(i int) (git.Commit, error) { return d.trail.Commit(order[i]) }
	for _, n := range order {
		d.clocks.Add(d.trail.Brief(n), d.trail.Boundary(n))
	}
	d.clocks.bound()
}
