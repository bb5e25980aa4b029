package past

import (
	"cmp"
	"context"
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

// ReasonUndated says that a history could not be read to date findings by.
const ReasonUndated lang.Reason = "undated"

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
}

// dater finds the commits by which regions entered a repository.
type dater struct {
	Readers
	Line
	line    *git.Line
	clocks  *Clocks
	records map[string][]record // of the paths walked so far, parents before children
	walked  map[string]int32    // before which commit
	walks   int
	full    bool
	sources map[int32]*sources
	mu      sync.Mutex
}

// record is a content that a commit gave a path.
type record struct {
	commit int32 // -1: it had it before the commits that are known
	blob   git.Hash
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
	until int32
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
func Date(ctx context.Context, rs Readers, fs []examine.Found, in Line) (*finding.Entry, error) {
	if len(fs) == 0 || in.Repo == nil {
		return nil, nil
	}
	d := newDater(rs, in)
	var needs []*need
	for i := range fs {
		if fs[i].Signature != nil {
			needs = append(needs, newNeed(&fs[i]))
		}
	}
	if err := d.run(ctx, needs); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return &finding.Entry{Reason: ReasonUndated, Detail: "the history cannot be read: " + err.Error()}, nil
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
		qs = append(qs, query{path: p, until: 1 << 30, needs: byPath[p]})
	}
	if err := d.follow(ctx, qs); err != nil {
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
				if a.take() {
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

// take notes an answer and tells whether it is earlier than what was known.
func (a *answer) take() bool {
	n := a.need
	n.older, n.lacks, n.thinned = n.older || a.older, n.lacks || a.lacks, n.thinned || a.thinned
	if !a.found || n.older || n.commit >= 0 && n.commit <= a.record.commit {
		return false
	}
	n.commit, n.path, n.blob = a.record.commit, a.path, a.record.blob
	return true
}

// walk reads the history of the paths of queries that were not walked yet, as far
// as they ask.
func (d *dater) walk(ctx context.Context, qs []query) error {
	if err := d.open(ctx); err != nil {
		return err
	}
	var paths []string
	until := 0
	for _, q := range qs {
		if q.until > d.walked[q.path] {
			paths, until = append(paths, q.path), max(until, int(q.until))
		}
	}
	if d.full || len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if d.walks++; d.walks > limitedWalks {
		d.full, paths, until = true, nil, d.line.Len()
		clear(d.records)
	}
	w := &pathWalk{d: d, ctx: ctx, oldest: map[string]git.Change{}}
	for _, p := range paths {
		w.begin(p, until)
	}
	if err := d.line.WalkBack(ctx, paths, until, w.take); err != nil {
		return err
	}
	w.end()
	return nil
}

// pathWalk is one walk over the history of some paths, the latest commit first. Where
// a file appears, the file it was before is walked as well from there on, so that
// few renames need a walk of their own.
type pathWalk struct {
	d      *dater
	ctx    context.Context
	oldest map[string]git.Change // of each path, the change met last
}

// begin takes in a path whose contents before a commit are to be known.
func (w *pathWalk) begin(path string, until int) {
	w.d.walked[path] = int32(until)
	delete(w.d.records, path)
}

// take notes a change.
func (w *pathWalk) take(i int, c git.Change) ([]string, error) {
	w.oldest[c.Path] = c
	w.d.records[c.Path] = append(w.d.records[c.Path], record{int32(i), c.Blob})
	if c.HasOld || w.d.full || len(w.d.clocks.commits[i].parents) != 1 {
		return nil, nil
	}
	files, err := w.d.changed(w.ctx, int32(i))
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

// end puts the records into the order of the commits. A path that had a content when
// it was first changed had that before the commits that are known.
func (w *pathWalk) end() {
	for p, c := range w.oldest {
		rs := w.d.records[p]
		if c.HasOld {
			rs = append(rs, record{-1, c.Old})
		}
		slices.Reverse(rs)
		w.d.records[p] = rs
	}
}

// open reads the commits.
func (d *dater) open(ctx context.Context) (err error) {
	if d.line != nil {
		return nil
	}
	if d.line, err = d.Repo.Line(ctx, d.Head); err != nil {
		return err
	}
	d.clocks = NewClocks(time.Now())
	d.clocks.read = d.line.Commit
	for i := range d.line.Len() {
		d.clocks.Add(d.line.Brief(i), d.line.Boundary(i))
	}
	d.clocks.bound()
	return nil
}

// ask looks for needs in the contents of a path, the oldest first, each once.
func (d *dater) ask(ctx context.Context, w *examine.Worker, q query) ([]answer, error) {
	var rs []record
	seen := map[git.Hash]bool{}
	for _, r := range d.records[q.path] {
		if r.commit < q.until && !seen[r.blob] {
			seen[r.blob] = true
			rs = append(rs, r)
		}
	}
	out := make([]answer, len(q.needs))
	for i, n := range q.needs {
		out[i] = answer{need: n, path: q.path, thinned: len(rs) > maxVersions, older: q.had && len(rs) == 0}
	}
	look := d.looker(ctx, w, q)
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
func (d *dater) looker(ctx context.Context, w *examine.Worker, q query) func(record) ([]float64, error) {
	var sigs []*trace.Signature
	for _, n := range q.needs {
		sigs = append(sigs, n.f.Signature)
	}
	k := trace.NewSet(sigs)
	language := lang.ByName(q.needs[0].f.Language)
	var hashes []uint64
	return func(r record) ([]float64, error) {
		text, err := d.Repo.Blob(ctx, r.blob, d.MaxFileSize)
		if err != nil {
			return nil, absent(err)
		}
		st, _ := w.Tokenize(examine.Input{Path: q.path, Language: language}, text)
		hashes = trace.Contents(hashes[:0], st.Text, st.Tokens)
		return k.Shares(hashes), nil
	}
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
		return cmp.Or(cmp.Compare(a.commit, b.commit), strings.Compare(a.path, b.path))
	})
	found := make([][]query, len(order))
	err := d.Each(ctx, len(order), func(w *examine.Worker, i int) (err error) {
		at := order[i]
		found[i], err = d.origins(ctx, w, at.commit, at.path, groups[at])
		return err
	})
	return merged(slices.Concat(found...)), err
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

// origins finds the files that regions come from which appear in a path with a
// commit. A file of the very content settles it for all of them.
func (d *dater) origins(ctx context.Context, w *examine.Worker, commit int32, name string, needs []*need) ([]query, error) {
	files, err := d.changed(ctx, commit)
	if err != nil {
		return nil, err
	}
	return d.search(ctx, w, files, query{path: name, until: commit, needs: needs})
}

// search looks for needs in files and returns where they are to be looked for further.
func (d *dater) search(ctx context.Context, w *examine.Worker, files []git.File, q query) ([]query, error) {
	files = likely(files, q)
	look := d.looker(ctx, w, q)
	var out []query
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shares, err := look(record{blob: f.Blob})
		if err != nil {
			return nil, err
		}
		var has []*need
		for i, n := range q.needs {
			if shares != nil && shares[i] >= trace.Most && !n.visited[f.Path] {
				has = append(has, n)
			}
		}
		if len(has) > 0 {
			out = append(out, query{f.Path, q.until, has, true})
		}
	}
	return out, nil
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
	s.once.Do(func() { s.files, s.err = d.Repo.Changed(ctx, d.clocks.commits[commit].ID) })
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
		qs = append(qs, query{path: p, until: 1 << 30, needs: open})
	}
	found := make([][]query, len(qs))
	err := d.Each(ctx, len(qs), func(w *examine.Worker, i int) (err error) {
		found[i], err = d.search(ctx, w, gone, qs[i])
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
		slices.SortStableFunc(group, func(a, b *need) int { return cmp.Compare(a.commit, b.commit) })
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
		if o.commit >= n.commit || a.StartLine > b.EndLine || b.StartLine > a.EndLine {
			continue
		}
		shares, err := d.looker(ctx, w, query{path: o.path, needs: []*need{n}})(record{blob: o.blob})
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
	for _, n := range needs {
		has := n.older
		if !has && n.commit < 0 && d.line.Len() > 0 {
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

func (d *dater) introduced(n *need, change map[int32]bool) {
	from := "history"
	if change[n.commit] {
		from = "change"
	}
	n.f.Here = d.clocks.interval(n.commit, from)
	if n.thinned {
		n.f.Here.Note = join(n.f.Here.Note, "not every older content was read")
	}
	if n.lacks { // it may be older
		n.f.Here.Absent, n.f.Here.Note = nil, join(n.f.Here.Note, "an older content cannot be read")
		return
	}
	n.f.Introduced = CommitOf(&d.clocks.at(n.commit).Commit)
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

// change lists the commits that the base of a diff has not got.
func (d *dater) change(ctx context.Context) (map[int32]bool, error) {
	if d.Base == "" || d.clocks == nil {
		return nil, nil
	}
	base, err := d.Repo.Resolve(ctx, d.Base)
	if err != nil {
		return nil, err
	}
	old := make([]bool, len(d.clocks.commits))
	if i, ok := d.clocks.index[base.ID]; ok {
		old[i] = true
	}
	out := map[int32]bool{}
	for i := len(old) - 1; i >= 0; i-- {
		if !old[i] {
			out[int32(i)] = true
			continue
		}
		for _, p := range d.clocks.commits[i].parents {
			old[p] = true
		}
	}
	return out, nil
}
