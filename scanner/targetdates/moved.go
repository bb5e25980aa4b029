package targetdates

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// sources finds the files that regions may come from, for regions that appear with a commit. It searches the files that the commit
// changed or deleted, in their state before it.
func (d *dater) sources(ctx context.Context, news []*region) ([]query, error) {
	groups := map[pathAt][]*region{}
	for _, r := range news {
		at := pathAt{r.path, r.commit}
		r.visited[r.path] = true
		groups[at] = append(groups[at], r)
	}
	order := slices.SortedFunc(maps.Keys(groups), func(a, b pathAt) int {
		return cmp.Or(cmp.Compare(d.rank(a.commit), d.rank(b.commit)), strings.Compare(a.path, b.path))
	})
	commits := slices.Collect(chunksBy(order, func(at pathAt) int32 { return at.commit }))
	found := make([][]query, len(commits))
	err := d.Each(ctx, len(commits), func(w *examine.Worker, i int) error {
		var qs []query
		for _, at := range commits[i] {
			qs = append(qs, query{path: at.path, until: at.commit, regions: groups[at]})
		}
		files, err := d.changed(ctx, commits[i][0].commit)
		if err == nil {
			found[i], err = d.searchFiles(ctx, w, files, qs)
		}
		return err
	})
	return merged(slices.Concat(found...)), err
}

// chunksBy yields the groups of consecutive elements with the same key.
func chunksBy[T any, K comparable](list []T, key func(T) K) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && key(list[n]) == key(list[0]) {
				n++
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// merged joins the queries for the same path and commit.
func merged(qs []query) []query {
	at := map[pathAt]int{}
	var out []query
	for _, q := range qs {
		k := pathAt{q.path, q.until}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, q)
			continue
		}
		out[i].regions = append(out[i].regions, q.regions...)
	}
	return out
}

// searchFiles searches files for the regions of queries. It returns queries for the files that have them.
func (d *dater) searchFiles(ctx context.Context, w *examine.Worker, files []git.File, qs []query) ([]query, error) {
	caches := map[string]*shareCache{}
	for _, q := range qs {
		key := q.searchKey()
		if caches[key] == nil {
			caches[key] = &shareCache{known: map[git.Hash]map[*region]bool{}, query: query{path: q.path}, filter: filterFor(q.regions[0].finding.Language)}
		}
		caches[key].query.regions = append(caches[key].query.regions, q.regions...)
	}
	for _, c := range caches {
		c.measure = d.measurer(ctx, w, c.query)
	}
	var out []query
	for _, q := range qs {
		found, err := d.searchFor(ctx, q, files, caches[q.searchKey()])
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// searchFor searches files for the regions of one query. If a file has the same content as the query's file, no other is searched.
func (d *dater) searchFor(ctx context.Context, q query, files []git.File, c *shareCache) (out []query, err error) {
	from, all := sourceFiles(files, q, c.filter)
	met := map[*region]bool{}
	for _, f := range from {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shares, err := c.shares(f.Blob)
		if err != nil {
			return nil, err
		}
		var has []*region
		for _, r := range q.regions {
			switch most, half := shares[r]; {
			case r.visited[f.Path] || !half:
			case most:
				has, met[r] = append(has, r), true
			default:
				r.half, r.halfAt = uncertain, f.Path
			}
		}
		if len(has) > 0 {
			out = append(out, query{f.Path, q.until, has, true})
		}
	}
	for _, r := range q.regions {
		r.unsearched = r.unsearched || !all && !met[r]
	}
	return out, nil
}

// searchKey returns a key that is equal for queries that can be searched together.
func (q *query) searchKey() string { return q.regions[0].finding.Language + "\x00" + path.Ext(q.path) }

// shareCache keeps which regions of some queries each content has.
type shareCache struct {
	query
	filter  *fileFilter
	measure func(record) ([]float64, error)
	known   map[git.Hash]map[*region]bool
}

// shares returns the regions of which a content has at least half; true: it has most of the region.
func (c *shareCache) shares(blob git.Hash) (map[*region]bool, error) {
	out, ok := c.known[blob]
	if ok {
		return out, nil
	}
	shares, err := c.measure(record{blob: blob})
	for i, have := range shares {
		if have >= trace.Half {
			if out == nil {
				out = map[*region]bool{}
			}
			out[c.regions[i]] = have >= trace.Most
		}
	}
	c.known[blob] = out
	return out, err
}

// filterFor returns a filter for the files that a region can come from: those of its language family.
func filterFor(language string) *fileFilter {
	w := &fileFilter{families: map[string]bool{}, exts: map[string]bool{}, known: map[string]bool{}}
	if l := lang.ByName(language); l != nil && l != lang.Words() {
		w.families[l.Family] = true
	}
	return w
}

// sourceFiles picks the files that a region may come from. If a file has the same content, it is the only one. Otherwise these are
// files of the same kind: those of the same name first, then those that the commit removed. Vendored files count, because the
// repository had the region with them. all reports whether no such file was left out.
func sourceFiles(files []git.File, q query, by *fileFilter) (out []git.File, all bool) {
	var same []git.File
	for _, f := range files {
		switch {
		case f.Path == q.path:
		case f.Blob == q.regions[0].blob:
			same = append(same, f)
		case path.Ext(f.Path) == path.Ext(q.path) || by.wants(f.Path):
			out = append(out, f)
		}
	}
	if len(same) > 0 {
		return same[:1], true
	}
	base := path.Base(q.path)
	slices.SortStableFunc(out, func(a, b git.File) int {
		return cmp.Or(finding.CompareTrue(path.Base(a.Path) == base, path.Base(b.Path) == base), finding.CompareTrue(a.Gone, b.Gone))
	})
	count, kept, gone := len(out), 0, 0
	out = slices.DeleteFunc(out, func(f git.File) bool {
		if f.Gone {
			gone++
			return gone > maxGone
		}
		kept++
		return kept > maxGone
	})
	return out, len(out) == count
}

// changed lists the files that a commit changed or deleted, in their state before it.
func (d *dater) changed(ctx context.Context, commit int32) ([]git.File, error) {
	d.mu.Lock()
	s := d.oldFiles[commit]
	if s == nil {
		s = &oldFiles{}
		d.oldFiles[commit] = s
	}
	d.mu.Unlock()
	s.once.Do(func() { s.files, s.err = d.Repo.Changed(ctx, d.trail.ID(commit)) })
	return s.files, s.err
}

// uncommitted searches the files that the scanned state has changed or lost, for regions that no commit has in their own file.
func (d *dater) uncommitted(ctx context.Context, byPath map[string][]*region) error {
	var gone []git.File
	var qs []query
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		open := slices.DeleteFunc(slices.Clone(byPath[p]), func(r *region) bool { return r.commit >= 0 || r.older })
		if len(open) == 0 {
			continue
		}
		if gone == nil {
			var err error
			if gone, err = d.Gone(ctx); err != nil {
				return err
			}
		}
		qs = append(qs, query{path: p, until: -1, regions: open})
	}
	found := make([][]query, len(qs))
	err := d.Each(ctx, len(qs), func(w *examine.Worker, i int) (err error) {
		found[i], err = d.searchFiles(ctx, w, gone, qs[i:i+1])
		return err
	})
	if err != nil {
		return err
	}
	return d.follow(ctx, merged(slices.Concat(found...)))
}

// siblings dates a region by an older copy elsewhere in the repository, if that copy is a finding too. Their origins are one file, or files of
// one name: one package may be named for the copy, and another for the older code. The latter are searched for accused regions only.
func (d *dater) siblings(ctx context.Context, regions []*region) error {
	content := func(o *finding.Origin) string { return o.SHA256 }
	name := func(o *finding.Origin) string { return path.Base(o.Path) }
	every := func(*region) bool { return true }
	if err := d.siblingsBy(ctx, regions, every, content, maxOlder); err != nil {
		return err
	}
	return d.siblingsBy(ctx, regions, d.accused, name, maxAlike)
}

// siblingsBy is siblings for some regions, among those whose origins have the same key: the oldest ones, at most limit of them.
func (d *dater) siblingsBy(ctx context.Context, regions []*region, of func(*region) bool, key func(*finding.Origin) string, limit int) error {
	groups := map[string][]*region{}
	for _, r := range regions {
		if r.commit >= 0 && !r.older && len(r.finding.Origins) > 0 {
			k := key(&r.finding.Origins[0])
			groups[k] = append(groups[k], r)
		}
	}
	w := d.New()
	defer w.Close()
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		group := groups[k]
		slices.SortStableFunc(group, func(a, b *region) int { return cmp.Compare(d.rank(a.commit), d.rank(b.commit)) })
		for i, r := range group {
			if !of(r) {
				continue
			}
			if err := d.sibling(ctx, w, r, group[:min(i, limit)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sibling dates a region by the first of older regions that it is a copy of.
func (d *dater) sibling(ctx context.Context, w *examine.Worker, r *region, older []*region) error {
	for _, o := range older {
		a, b := &r.finding.Origins[0], &o.finding.Origins[0]
		apart := a.SHA256 == b.SHA256 && (a.StartLine > b.EndLine || b.StartLine > a.EndLine)
		if d.rank(o.commit) >= d.rank(r.commit) || apart {
			continue
		}
		shares, err := d.measurer(ctx, w, query{path: o.path, regions: []*region{r}})(record{blob: o.blob})
		if err != nil {
			return err
		}
		if shares != nil && shares[0] >= trace.Most {
			r.commit, r.path, r.blob, r.half, r.halfAt = o.commit, o.path, o.blob, o.half, o.halfAt
			return nil
		}
	}
	return nil
}
