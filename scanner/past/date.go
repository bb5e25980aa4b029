// Package past tells since when a target has the code of its findings, and which side had it first. Findings and the
// repository's history flow in; intervals with their commits, and directions flow out.
//
//	date.go       dates the findings of a scan, step by step
//	walk.go       walks the history of their paths (git.Trail)
//	older.go      looks for regions in older contents of a path
//	moved.go      looks for regions in the other files of the commit that brought them
//	elsewhere.go  reads the commits of the repository that are not related to its history
//	contents.go   lists every content of a history, for repositories of origins
//	search.go     reads them, in the order in which they came in
//	piece.go      what is looked for in them: a region, and what files can have it
//	clock.go      bounds when a commit was made, by its ancestors and descendants
//	absence.go    looks into versions of an origin that may lack the region
package past

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

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
	// maxGone bounds those that the commit took away: where directories are renamed,
	// a region comes from one of many.
	maxGone = 1024
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
	older   bool  // it stood there before the commits that are known
	lacks   bool  // an older content could not be read
	thinned bool  // not every older content was
	half    int32 // the commit that first had half of it in that path; unmet, uncertain
	cut     bool  // not every file that it can come from was looked at
	visited map[string]bool
}

// The values of need.half that name no commit.
const (
	unmet     int32 = -2 // no content before has half of it
	uncertain int32 = -1 // another file had half of it before
)

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
	half    int32
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
			f.Here = &finding.Interval{Note: "its equal runs are too short to be followed, or their literals differ"}
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

func newNeed(f *examine.Found) *need {
	return &need{f: f, commit: -1, half: unmet, visited: map[string]bool{}}
}

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
	n.commit, n.path, n.blob, n.half = a.record.commit, a.path, a.record.blob, a.half
	n.cut = false
	return true
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
			n.f.Here = &finding.Interval{Absent: d.clocks.made(last), From: "change", Note: finding.NotCommitted, Half: d.half(n)}
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
	if n.cut {
		n.f.Here.Note = join(n.f.Here.Note, notAllFiles)
	}
	if n.lacks { // it may be older
		n.f.Here.Absent, n.f.Here.Note = nil, join(n.f.Here.Note, "an older content cannot be read")
		return
	}
	n.f.Here.Half = d.half(n)
	n.f.Introduced = CommitOf(&d.clocks.at(d.place(n.commit)).Commit)
	if n.path != n.f.Path {
		n.f.Introduced.Path = n.path
	}
}

// notAllFiles is said of a region that may have come from another file of the repository.
const notAllFiles = "with a commit of so many files that not all were searched for it"

// half is when a region had half of what it has in common with its origin, where that
// was before it had most of it; nil where it was not.
func (d *dater) half(n *need) *finding.Point {
	switch {
	case n.half == uncertain, n.cut:
		return &finding.Point{}
	case n.half >= 0 && d.place(n.half) < d.place(n.commit):
		return d.clocks.interval(d.place(n.half), "").Present
	}
	return nil
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
