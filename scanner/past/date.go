package past

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

const (
	// maxVersions bounds the contents of one path that are looked at, oldest first.
	// Of more, as many are, evenly spread, then those between two that differ.
	maxVersions = 256
	// maxOlder bounds the other files of a commit in which a region is looked for
	// that appears with it.
	maxOlder = 64
	// limitedWalks is how many walks of the history look at the paths concerned
	// only. Files moved so often are rare; one walk of everything settles them.
	limitedWalks = 8
	// maxMoves bounds how often a region is followed from file to file.
	maxMoves = 32
)

// Readers read older contents.
type Readers struct {
	pool.Pool[*examine.Worker]
	MaxFileSize int64 // bytes; larger contents are not read
}

// Line is what findings are dated by: a line of history, and what the scanned
// files are ahead of it.
type Line struct {
	Repo *git.Repo
	Head string // revision the history ends with
	Base string // diff: name of the commit that was compared with
	// Gone lists the files of the head that the scanned state has changed or lost:
	// what was moved and is not committed yet comes from there. nil: everything is committed
	Gone func(ctx context.Context) ([]git.File, error)

	met *git.Trail // what dating has read of the line
}

// dater finds the commits by which regions entered a repository.
type dater struct {
	Readers
	Line
	trail   *git.Trail
	clocks  *Clocks             // of the commits in the order of the trail
	records map[string][]record // of the paths walked so far
	walked  map[string]int32    // before which commit
	every   bool                // merged branches count that changed nothing in the end
	walks   int
	full    bool
	sources map[int32]*sources
	mu      sync.Mutex
}

// record is a content that a commit gave a path.
type record struct {
	commit int32 // of the trail; -1: it had it before the commits that are known
	blob   git.Hash
	old    git.Hash // what the path had before, if hasOld
	hasOld bool
}

// sources are the other files of a commit that a region may come from.
type sources struct {
	once  sync.Once
	files []git.File
	err   error
}

// need is a finding to be dated.
type need struct {
	f       *examine.Found
	commit  int32 // that first has it, as far as is known; -1: none
	path    string
	blob    git.Hash
	older   bool // it stood there before the commits that are known
	lacks   bool // an older content could not be read
	thinned bool // not every older content was
	visited map[string]bool
}

// query asks when some needs were first met by a path, before a commit.
type query struct {
	path  string
	until int32 // -1: at any time
	needs []*need
	had   bool // the path had them right before the commit
}

// answer is what a query came to.
type answer struct {
	need    *need
	record  record
	path    string
	found   bool
	older   bool
	lacks   bool
	thinned bool
}

// Date dates findings by the history of a repository. A history that cannot be read leaves them without a date; the entry
// for the ledger says so.
func Date(ctx context.Context, rs Readers, fs []examine.Found, in *Line) (*finding.Entry, error) {
	var needs []*need
	for i := range fs {
		switch f := &fs[i]; {
		case in.Repo == nil:
		case f.Signature == nil:
			f.Here = &finding.Interval{Note: "comments are not followed"}
		case f.Signature.Empty(): // it was never met, which proves nothing
			f.Here = &finding.Interval{Note: "its equal runs are too short to be followed"}
		default:
			needs = append(needs, newNeed(f))
		}
	}
	if len(needs) == 0 {
		return nil, nil
	}
	d := newDater(rs, *in)
	defer func() { in.met = d.trail }()
	if err := d.run(ctx, needs); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return &finding.Entry{Reason: finding.ReasonUndated, Detail: "the history cannot be read: " + err.Error()}, nil
	}
	return nil, d.tell(ctx, needs)
}

func newDater(rs Readers, in Line) *dater {
	return &dater{Readers: rs, Line: in, records: map[string][]record{}, walked: map[string]int32{}, sources: map[int32]*sources{}}
}

func newNeed(f *examine.Found) *need { return &need{f: f, commit: -1, visited: map[string]bool{}} }

func (d *dater) run(ctx context.Context, needs []*need) error {
	byPath := map[string][]*need{}
	for _, n := range needs {
		byPath[n.f.Path] = append(byPath[n.f.Path], n)
	}
	var qs []query
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		qs = append(qs, query{path: p, until: -1, needs: byPath[p]})
	}
	if err := d.follow(ctx, qs); err != nil {
		return err
	}
	if err := d.branches(ctx, needs); err != nil {
		return err
	}
	if d.Gone != nil {
		if err := d.uncommitted(ctx, byPath); err != nil {
			return err
		}
	}
	return d.siblings(ctx, needs)
}

// follow answers queries, and those that follow from the answers: where a region
// appears in a file, it may come from another one.
func (d *dater) follow(ctx context.Context, qs []query) error {
	for moves := 0; len(qs) > 0 && moves < maxMoves; moves++ {
		if err := d.walk(ctx, qs); err != nil {
			return err
		}
		answers := make([][]answer, len(qs))
		err := d.Each(ctx, len(qs), func(w *examine.Worker, i int) (err error) {
			answers[i], err = d.ask(ctx, w, qs[i])
			return err
		})
		if err != nil {
			return err
		}
		var news []*need
		for _, as := range answers {
			for _, a := range as {
				if d.take(&a) {
					news = append(news, a.need)
				}
			}
		}
		if qs, err = d.before(ctx, news); err != nil {
			return err
		}
	}
	return nil
}

// branches looks for regions on branches that were left out: before the commit that is known to have one first.
func (d *dater) branches(ctx context.Context, needs []*need) error {
	type place struct {
		path   string
		commit int32
	}
	groups := map[place][]*need{}
	var paths []string
	var commits []int32
	for _, n := range needs {
		if n.commit >= 0 && !n.older {
			at := place{n.path, n.commit}
			groups[at] = append(groups[at], n)
			paths, commits = append(paths, n.path), append(commits, n.commit)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	changed := map[string]bool{}
	err := d.trail.Branches(ctx, paths, commits, func(i int32, c git.Change) error {
		changed[c.Path] = true
		d.records[c.Path] = append(d.records[c.Path], record{i, c.Blob, c.Old, c.HasOld})
		return nil
	})
	if err != nil {
		return err
	}
	var qs []query
	for at, ns := range groups {
		if changed[at.path] {
			qs = append(qs, query{path: at.path, until: at.commit, needs: ns})
		}
	}
	slices.SortFunc(qs, func(a, b query) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(d.place(a.until), d.place(b.until)))
	})
	return d.follow(ctx, qs)
}

// take notes an answer and tells whether it is earlier than what was known.
func (d *dater) take(a *answer) bool {
	n := a.need
	n.older, n.lacks, n.thinned = n.older || a.older, n.lacks || a.lacks, n.thinned || a.thinned
	if !a.found || n.older || n.commit >= 0 && d.place(n.commit) <= d.place(a.record.commit) {
		return false
	}
	n.commit, n.path, n.blob = a.record.commit, a.path, a.record.blob
	return true
}

// place orders commits, parents before children; -1 is before all of them.
func (d *dater) place(commit int32) int32 {
	if commit < 0 {
		return -1
	}
	return d.trail.Place(commit)
}

// end is the place that a query ends before.
func (d *dater) end(until int32) int32 {
	if until < 0 {
		return 1 << 30
	}
	return d.place(until)
}

// walk reads the history of the paths of queries that were not walked yet, as far
// as they ask.
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
		if err := d.trail.WalkBack(ctx, paths, until, w.take); err != nil {
			return err
		}
		if paths, until = w.missed(), -1; len(paths) == 0 {
			return nil
		}
	}
}

// unwalked lists the paths of queries whose history is not known as far as these ask, and the commit that the last of
// them ends before.
func (d *dater) unwalked(qs []query) (paths []string, until int32) {
	last := int32(-1)
	for _, q := range qs {
		walked, ok := d.walked[q.path]
		if ok && d.end(q.until) <= d.end(walked) {
			continue
		}
		paths = append(paths, q.path)
		if end := d.end(q.until); end > last {
			last, until = end, q.until
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), until
}

// pathWalk is one walk over the history of some paths, the latest commit first. Where
// a file appears, the file it was before is walked as well from there on, so that
// few renames need a walk of their own.
type pathWalk struct {
	d    *dater
	ctx  context.Context
	late []string // paths that it took up on its way
}

// begin takes in a path whose contents before a commit are to be known.
func (w *pathWalk) begin(path string, until int32) {
	w.d.walked[path] = until
	delete(w.d.records, path)
}

// take notes a change.
func (w *pathWalk) take(i int32, c git.Change) ([]string, error) {
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

// maxMoved bounds the files that one is looked for in beyond its own history before
// anything is known of its content.
const maxMoved = 2

// moved lists the files that one which appears may have been: the first of the same
// content, else those of the same name.
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

// missed lists the paths taken up on the way that were there before all commits that changed them, or that none changed. Clocks that run
// backwards let a walk meet such a commit before it knows of the path.
func (w *pathWalk) missed() (out []string) {
	for _, p := range w.late {
		if rs := w.d.inOrder(p); len(rs) == 0 || rs[0].commit < 0 {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// inOrder returns the records of a path in the order of the commits. A path that had a content when it was first changed
// had that before the commits that are known.
func (d *dater) inOrder(path string) []record {
	rs := slices.Clone(d.records[path])
	slices.SortFunc(rs, func(a, b record) int { return cmp.Compare(d.place(a.commit), d.place(b.commit)) })
	if len(rs) > 0 && rs[0].hasOld {
		rs = slices.Insert(rs, 0, record{commit: -1, blob: rs[0].old})
	}
	return rs
}

// open begins the history.
func (d *dater) open(ctx context.Context) (err error) {
	if d.trail != nil {
		return nil
	}
	if d.trail, err = d.Repo.Trail(ctx, d.Head); err != nil {
		return err
	}
	d.trail.Every = d.every
	return nil
}

// clock holds the commits that were met against each other.
func (d *dater) clock() {
	order := d.trail.Order()
	d.clocks = NewClocks(time.Now())
	d.clocks.room(len(order))
	d.clocks.read = func(i int) (git.Commit, error) { return d.trail.Commit(order[i]) }
	for _, n := range order {
		d.clocks.Add(d.trail.Brief(n), d.trail.Boundary(n))
	}
	d.clocks.bound()
}

// ask looks for needs in the contents of a path, the oldest first, each once.
func (d *dater) ask(ctx context.Context, w *examine.Worker, q query) ([]answer, error) {
	var rs []record
	seen := map[git.Hash]bool{}
	until := d.end(q.until)
	for _, r := range d.inOrder(q.path) {
		if d.place(r.commit) < until && !seen[r.blob] {
			seen[r.blob] = true
			rs = append(rs, r)
		}
	}
	out := make([]answer, len(q.needs))
	for i, n := range q.needs {
		out[i] = answer{need: n, path: q.path, thinned: len(rs) > maxVersions, older: q.had && len(rs) == 0}
	}
	look := d.looker(ctx, &reading{d: d, w: w}, q)
	step := (len(rs) + maxVersions - 1) / maxVersions
	for at := 0; at < len(rs); at += max(step, 1) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shares, err := look(rs[at])
		if err != nil {
			return nil, err
		}
		open := false
		for i := range out {
			a := &out[i]
			switch {
			case a.found:
			case shares == nil:
				a.lacks = true
			case shares[i] >= trace.Most:
				a.found, a.record = true, rs[at]
				if err := a.narrow(rs[max(0, at-step+1):at+1], i, look); err != nil {
					return nil, err
				}
			}
			open = open || !a.found
		}
		if !open {
			break
		}
	}
	for i := range out {
		if out[i].found && out[i].record.commit < 0 {
			out[i].found, out[i].older = false, true
		}
	}
	return out, nil
}

// narrow finds by bisection where, between a content that has not got the region
// and a later one that has, it first stands.
func (a *answer) narrow(rs []record, i int, look func(record) ([]float64, error)) error {
	lo, hi := 0, len(rs)-1 // rs[hi] has it
	for lo < hi {
		mid := (lo + hi) / 2
		shares, err := look(rs[mid])
		switch {
		case err != nil:
			return err
		case shares == nil:
			a.lacks = true
			lo = mid + 1
		case shares[i] >= trace.Most:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	a.record = rs[hi]
	return nil
}

// looker returns what tells how much of each need a content has; nil where it
// cannot be read.
func (d *dater) looker(ctx context.Context, r *reading, q query) func(record) ([]float64, error) {
	var sigs []*trace.Signature
	for _, n := range q.needs {
		sigs = append(sigs, n.f.Signature)
	}
	k, none := trace.NewSet(sigs), make([]float64, len(sigs))
	in := examine.Input{Path: q.path, Language: lang.ByName(q.needs[0].f.Language)}
	return func(at record) ([]float64, error) {
		text, err := d.Repo.Blob(ctx, at.blob, d.MaxFileSize)
		if err != nil {
			return nil, absent(err)
		}
		if !k.Possible(text, trace.Most) {
			return none, nil
		}
		st, _ := r.w.Tokenize(in, text)
		r.hashes = trace.Contents(r.hashes[:0], st.Text, st.Tokens)
		return k.Shares(r.hashes), nil
	}
}

// reading reads contents for one job.
type reading struct {
	d      *dater
	w      *examine.Worker
	hashes []uint64
}

// absent drops the errors that say a content is not to be had.
func absent(err error) error {
	if git.IsUnreadable(err) {
		return nil
	}
	return err
}

// before asks for the regions that appear with a commit in the files that the
// commit changed or deleted, as they were before it.
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

// chunksBy yields the runs of a list that have one key.
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

// merged puts together the queries for one path before one commit.
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

// search looks for the needs of queries in files and returns where they are to be looked
// for further. A file of the very content settles it for all needs of a query.
func (d *dater) search(ctx context.Context, w *examine.Worker, files []git.File, qs []query) ([]query, error) {
	sights := map[string]*sight{}
	for _, q := range qs {
		key := q.kind()
		if sights[key] == nil {
			sights[key] = &sight{known: map[git.Hash][]*need{}, query: query{path: q.path}}
		}
		sights[key].query.needs = append(sights[key].query.needs, q.needs...)
	}
	for _, s := range sights {
		s.look = d.looker(ctx, &reading{d: d, w: w}, s.query)
	}
	var out []query
	for _, q := range qs {
		s := sights[q.kind()]
		for _, f := range likely(files, q) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			all, err := s.has(f.Blob)
			if err != nil {
				return nil, err
			}
			has := slices.DeleteFunc(slices.Clone(q.needs), func(n *need) bool { return n.visited[f.Path] || !slices.Contains(all, n) })
			if len(has) > 0 {
				out = append(out, query{f.Path, q.until, has, true})
			}
		}
	}
	return out, nil
}

// kind is what queries agree in that can be looked for together.
func (q *query) kind() string { return q.needs[0].f.Language + "\x00" + path.Ext(q.path) }

// sight is which needs of some queries contents have, each looked at once.
type sight struct {
	query
	look  func(record) ([]float64, error)
	known map[git.Hash][]*need
}

func (s *sight) has(blob git.Hash) ([]*need, error) {
	out, ok := s.known[blob]
	if ok {
		return out, nil
	}
	shares, err := s.look(record{blob: blob})
	for i, share := range shares {
		if share >= trace.Most {
			out = append(out, s.needs[i])
		}
	}
	s.known[blob] = out
	return out, err
}

// likely picks the files that a region may come from: those of the same content
// if there are any, else those of the same kind, those of the same name first. What
// a package manager kept counts: the repository had the region with it.
func likely(files []git.File, q query) []git.File {
	var same, out []git.File
	for _, f := range files {
		switch {
		case f.Path == q.path:
		case f.Blob == q.needs[0].blob:
			same = append(same, f)
		case path.Ext(f.Path) == path.Ext(q.path):
			out = append(out, f)
		}
	}
	if len(same) > 0 {
		return same[:1]
	}
	base := path.Base(q.path)
	slices.SortStableFunc(out, func(a, b git.File) int {
		return finding.CompareTrue(path.Base(a.Path) == base, path.Base(b.Path) == base)
	})
	return out[:min(len(out), maxOlder)]
}

// changed lists what a commit changed or deleted, as it was before.
func (d *dater) changed(ctx context.Context, commit int32) ([]git.File, error) {
	d.mu.Lock()
	s := d.sources[commit]
	if s == nil {
		s = &sources{}
		d.sources[commit] = s
	}
	d.mu.Unlock()
	s.once.Do(func() { s.files, s.err = d.Repo.Changed(ctx, d.trail.ID(commit)) })
	return s.files, s.err
}

// uncommitted looks for regions that no commit has in their file in the files that
// the scanned state has changed or lost.
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

// siblings dates a region by a copy of it that stood elsewhere in the repository
// before, if that is a finding too.
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
		shares, err := d.looker(ctx, &reading{d: d, w: w}, query{path: o.path, needs: []*need{n}})(record{blob: o.blob})
		if err != nil {
			return err
		}
		if shares != nil && shares[0] >= trace.Most {
			n.commit, n.path, n.blob = o.commit, o.path, o.blob
			return nil
		}
	}
	return nil
}

// tell puts what was found out into the findings.
func (d *dater) tell(ctx context.Context, needs []*need) error {
	change, err := d.change(ctx)
	if err != nil {
		return err
	}
	d.clock()
	for _, n := range needs {
		has := n.older
		if !has && n.commit < 0 && len(d.trail.Order()) > 0 {
			if has, err = d.atHead(ctx, n); err != nil {
				return err
			}
		}
		switch {
		case has:
			n.f.Here = d.beforeAll()
		case n.commit >= 0:
			d.introduced(n, change)
		case d.Gone != nil && len(d.clocks.commits) > 0:
			last := int32(len(d.clocks.commits) - 1)
			n.f.Here = &finding.Interval{Absent: d.clocks.made(last), From: "change", Note: finding.NotCommitted}
		}
	}
	return nil
}

func (d *dater) introduced(n *need, change map[git.Hash]bool) {
	from := "history"
	if change[d.trail.ID(n.commit)] {
		from = "change"
	}
	n.f.Here = d.clocks.interval(d.place(n.commit), from)
	if n.thinned {
		n.f.Here.Note = join(n.f.Here.Note, "not every older content was read")
	}
	if n.lacks { // it may be older
		n.f.Here.Absent, n.f.Here.Note = nil, join(n.f.Here.Note, "an older content cannot be read")
		return
	}
	n.f.Introduced = CommitOf(&d.clocks.at(d.place(n.commit)).Commit)
	if n.path != n.f.Path {
		n.f.Introduced.Path = n.path
	}
}

// beforeAll bounds a region that stood in the repository before the commits that
// are known: all that is certain is when the last of those was made that a shallow
// clone begins with.
func (d *dater) beforeAll() *finding.Interval {
	in := &finding.Interval{From: "history", Note: "an older content cannot be read"}
	boundary := d.Repo.Boundary()
	if len(boundary) > 0 {
		in.Note = "the clone is shallow: the region is as old as its first commit or older"
	}
	for _, h := range boundary {
		i, ok := d.clocks.index[h]
		if !ok {
			continue
		}
		p := d.clocks.interval(i, "").Present
		if p.Time != nil && (in.Present == nil || p.Time.After(*in.Present.Time)) {
			in.Present = p
		}
	}
	return in
}

// atHead tells whether the commit that the history ends with has a region where it
// was found.
func (d *dater) atHead(ctx context.Context, n *need) (bool, error) {
	text, err := d.Repo.FileAt(ctx, d.Head, n.f.Path, d.MaxFileSize)
	if err != nil || text == nil {
		return false, err
	}
	w := d.New()
	defer w.Close()
	st, _ := w.Tokenize(examine.Input{Path: n.f.Path, Language: lang.ByName(n.f.Language)}, text)
	return trace.NewSet([]*trace.Signature{n.f.Signature}).Shares(trace.Contents(nil, st.Text, st.Tokens))[0] >= trace.Most, nil
}

// change is the commits that the base of a diff has not got.
func (d *dater) change(ctx context.Context) (map[git.Hash]bool, error) {
	if d.Base == "" {
		return nil, nil
	}
	ids, err := d.Repo.Added(ctx, d.Base, d.Head)
	if err != nil {
		return nil, err
	}
	out := map[git.Hash]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out, nil
}
