package past

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

// before finds the files that regions may come from, for regions that appear with a commit. It searches the files that the commit
// changed or deleted, in their state before it.
func (d *dater) before(ctx context.Context, news []*need) ([]query, error) {
	type place struct {
		commit int32
		path   string
	}
	groups := map[place][]*need{}
	for _, n := range news {
		at := place{n.commit, n.path}
		n.visited[n.path] = true
		groups[at] = append(groups[at], n)
	}
	order := slices.SortedFunc(maps.Keys(groups), func(a, b place) int {
		return cmp.Or(cmp.Compare(d.place(a.commit), d.place(b.commit)), strings.Compare(a.path, b.path))
	})
	commits := slices.Collect(chunksBy(order, func(at place) int32 { return at.commit }))
	found := make([][]query, len(commits))
	err := d.Each(ctx, len(commits), func(w *examine.Worker, i int) error {
		var qs []query
		for _, at := range commits[i] {
			qs = append(qs, query{path: at.path, until: at.commit, needs: groups[at]})
		}
		files, err := d.changed(ctx, commits[i][0].commit)
		if err == nil {
			found[i], err = d.search(ctx, w, files, qs)
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
	type place struct {
		path  string
		until int32
	}
	at := map[place]int{}
	var out []query
	for _, q := range qs {
		k := place{q.path, q.until}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, q)
			continue
		}
		out[i].needs = append(out[i].needs, q.needs...)
	}
	return out
}

// search searches files for the needs of queries. It returns queries for the files that have them. If a file has the same content
// as the query's file, no other file is searched.
func (d *dater) search(ctx context.Context, w *examine.Worker, files []git.File, qs []query) ([]query, error) {
	sights := map[string]*sight{}
	for _, q := range qs {
		key := q.kind()
		if sights[key] == nil {
			sights[key] = &sight{known: map[git.Hash][]share{}, query: query{path: q.path}, ways: waysTo(q.needs[0].f.Language)}
		}
		sights[key].query.needs = append(sights[key].query.needs, q.needs...)
	}
	for _, s := range sights {
		s.look = d.looker(ctx, w, s.query)
	}
	var out []query
	for _, q := range qs {
		s := sights[q.kind()]
		from, all := likely(files, q, s.ways, d.changedAtMost(q))
		met := map[*need]bool{}
		for _, f := range from {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			shares, err := s.has(f.Blob)
			if err != nil {
				return nil, err
			}
			var has []*need
			for _, n := range q.needs {
				i := slices.IndexFunc(shares, func(x share) bool { return x.need == n })
				switch {
				case n.visited[f.Path] || i < 0:
				case shares[i].most:
					has, met[n] = append(has, n), true
				default:
					n.half = uncertain
				}
			}
			if len(has) > 0 {
				out = append(out, query{f.Path, q.until, has, true})
			}
		}
		if !all {
			doubt(q.needs, met)
		}
	}
	return out, nil
}

// doubt notes that needs may have come from a file that was not searched.
func doubt(needs []*need, met map[*need]bool) {
	for _, n := range needs {
		n.cut = n.cut || !met[n]
	}
}

// kind returns a key that is equal for queries that can be searched together.
func (q *query) kind() string { return q.needs[0].f.Language + "\x00" + path.Ext(q.path) }

// sight caches which needs of some queries each content has.
type sight struct {
	query
	ways  *ways
	look  func(record) ([]float64, error)
	known map[git.Hash][]share
}

// share is a need of which a content has at least half.
type share struct {
	need *need
	most bool
}

func (s *sight) has(blob git.Hash) ([]share, error) {
	out, ok := s.known[blob]
	if ok {
		return out, nil
	}
	shares, err := s.look(record{blob: blob})
	for i, have := range shares {
		if have >= halfOf {
			out = append(out, share{s.needs[i], have >= trace.Most})
		}
	}
	s.known[blob] = out
	return out, err
}

// waysTo returns the files that a region can come from by their names: those of its language family.
func waysTo(language string) *ways {
	w := &ways{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	if l := lang.ByName(language); l != nil && l != lang.Words() {
		w.families[l.Family] = true
	}
	return w
}

// changedAtMost returns how many files are searched that a commit changed without removing them. The number is larger if the
// origin had the region before, so that the answer may accuse.
func (d *dater) changedAtMost(q query) int {
	accuses := func(n *need) bool {
		if len(n.f.Origins) == 0 {
			return false
		}
		by := n.f.FirstBy()
		return by != nil && (q.until < 0 || d.trail.Brief(q.until).CommitTime.After(*by))
	}
	if slices.ContainsFunc(q.needs, accuses) {
		return maxGone
	}
	return maxOlder
}

// likely picks the files that a region may come from. If a file has the same content, it is the only one. Otherwise these are
// files of the same kind: those of the same name first, then those that the commit removed. Vendored files count, because the
// repository had the region with them. all reports whether no such file was left out.
func likely(files []git.File, q query, w *ways, changed int) (out []git.File, all bool) {
	var same []git.File
	for _, f := range files {
		switch {
		case f.Path == q.path:
		case f.Blob == q.needs[0].blob:
			same = append(same, f)
		case path.Ext(f.Path) == path.Ext(q.path) || w.wants(f.Path):
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
		return kept > changed
	})
	return out, len(out) == count
}

// changed lists the files that a commit changed or deleted, in their state before it.
func (d *dater) changed(ctx context.Context, commit int32) ([]git.File, error) {
	d.mu.Lock()
	s := d.olds[commit]
	if s == nil {
		s = &oldFiles{}
		d.olds[commit] = s
	}
	d.mu.Unlock()
	s.once.Do(func() { s.files, s.err = d.Repo.Changed(ctx, d.trail.ID(commit)) })
	return s.files, s.err
}

// uncommitted searches the files that the scanned state has changed or lost, for regions that no commit has in their own file.
func (d *dater) uncommitted(ctx context.Context, byPath map[string][]*need) error {
	var gone []git.File
	var qs []query
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		open := slices.DeleteFunc(slices.Clone(byPath[p]), func(n *need) bool { return n.commit >= 0 || n.older })
		if len(open) == 0 {
			continue
		}
		if gone == nil {
			var err error
			if gone, err = d.Gone(ctx); err != nil {
				return err
			}
		}
		qs = append(qs, query{path: p, until: -1, needs: open})
	}
	found := make([][]query, len(qs))
	err := d.Each(ctx, len(qs), func(w *examine.Worker, i int) (err error) {
		found[i], err = d.search(ctx, w, gone, qs[i:i+1])
		return err
	})
	if err != nil {
		return err
	}
	return d.follow(ctx, merged(slices.Concat(found...)))
}

// siblings dates a region by an older copy elsewhere in the repository, if that copy is a finding too.
func (d *dater) siblings(ctx context.Context, needs []*need) error {
	byOrigin := map[string][]*need{}
	for _, n := range needs {
		if n.commit >= 0 && !n.older && len(n.f.Origins) > 0 {
			o := &n.f.Origins[0]
			byOrigin[o.SHA256] = append(byOrigin[o.SHA256], n)
		}
	}
	w := d.New()
	defer w.Close()
	for _, key := range slices.Sorted(maps.Keys(byOrigin)) {
		group := byOrigin[key]
		slices.SortStableFunc(group, func(a, b *need) int { return cmp.Compare(d.place(a.commit), d.place(b.commit)) })
		for i, n := range group {
			if err := d.sibling(ctx, w, n, group[:min(i, maxOlder)]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dater) sibling(ctx context.Context, w *examine.Worker, n *need, older []*need) error {
	for _, o := range older {
		a, b := &n.f.Origins[0], &o.f.Origins[0]
		if d.place(o.commit) >= d.place(n.commit) || a.StartLine > b.EndLine || b.StartLine > a.EndLine {
			continue
		}
		shares, err := d.looker(ctx, w, query{path: o.path, needs: []*need{n}})(record{blob: o.blob})
		if err != nil {
			return err
		}
		if shares != nil && shares[0] >= trace.Most {
			n.commit, n.path, n.blob, n.half = o.commit, o.path, o.blob, o.half
			return nil
		}
	}
	return nil
}
