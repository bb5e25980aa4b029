// Package past finds since when a target has the code of its findings, and which side had it first. Its input is findings and the
// repository's history; its output is intervals with their commits, and directions.
//
//	date.go       dates the findings of a scan, step by step
//	walk.go       walks the history of their paths (git.Trail)
//	older.go      searches older contents of a path for regions
//	moved.go      searches the other files of the commit that added a region
//	elsewhere.go  reads the commits of the repository that are not related to its history
//	contents.go   lists every content of a history, for repositories of origins
//	search.go     reads these contents in the order in which they were added
//	piece.go      a region to be searched for, and which files can have it
//	clock.go      bounds the time of a commit by its ancestors and descendants
//	absence.go    reads versions of an origin that may lack the region
package past

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

const (
	// maxVersions limits the contents of one path that are read, oldest first. If there are more, this many are read at even
	// distances, then those between two that differ.
	maxVersions = 256
	// maxOlder limits the other files of a commit that are searched for a region that appears with it.
	maxOlder = 64
	// maxGone limits the searched files that the commit removed. If directories are renamed, a region comes from one of many.
	maxGone = 1024
	// limitedWalks is how many walks of the history are limited to the paths concerned. Then one walk reads everything. Files
	// that moved more often are rare.
	limitedWalks = 8
	// maxMoves limits how often a region is followed from file to file.
	maxMoves = 32
)

// Readers read older contents.
type Readers struct {
	pool.Pool[*examine.Worker]
	MaxFileSize int64 // bytes; larger contents are not read
}

// History is the history that findings are dated by, and the changes of the scanned files that are not in it.
type History struct {
	Repo *git.Repo
	Head string // last revision of the history
	Base string // diff: name of the commit that was compared with
	// Gone lists the files of the head that the scanned state has changed or lost. Code that was moved but not committed comes
	// from them. nil: everything is committed
	Gone func(ctx context.Context) ([]git.File, error)

	met *git.Trail // commits that dating has read
}

// dater finds the commits by which regions entered a repository.
type dater struct {
	Readers
	History
	trail   *git.Trail
	clocks  *Clocks             // in the order of the trail
	records map[string][]record // of the paths walked so far
	walked  map[string]int32    // by path: the commit before which its history was read
	every   bool                // also read merged branches that changed nothing in the end
	walks   int
	full    bool
	olds    map[int32]*oldFiles // by commit
	mu      sync.Mutex
	unread  atomic.Bool // a content is missing or damaged
}

// record is a content that a commit gave to a path.
type record struct {
	commit int32 // index in the trail; -1: the path had it before the known commits
	blob   git.Hash
	old    git.Hash // content of the path before, if hasOld
	hasOld bool
}

// oldFiles lists the files that a commit changed or deleted: a region that appears with the commit may come from one of them.
type oldFiles struct {
	once  sync.Once
	files []git.File
	err   error
}

// need is a finding to be dated.
type need struct {
	f       *examine.Found
	commit  int32 // the first known to have it; -1: none
	path    string
	blob    git.Hash
	older   bool  // the region is older than the known commits
	lacks   bool  // an older content could not be read
	thinned bool  // not every older content was read
	half    int32 // the first commit with half of the region in that path, or unmet, or uncertain
	cut     bool  // not every file that it can come from was searched
	visited map[string]bool
}

// Values of need.half that are no commit.
const (
	unmet     int32 = -2 // no earlier content has half of it
	uncertain int32 = -1 // another file had half of it before
)

// query asks when a path first had some needs, before a commit.
type query struct {
	path  string
	until int32 // -1: at any time
	needs []*need
	had   bool // the path had them just before the commit
}

// answer is the result of a query for one need.
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

// Date dates findings by the history of a repository. If the history cannot be read, they stay without a date, and the returned
// ledger entry says why.
func Date(ctx context.Context, rs Readers, fs []examine.Found, in *History) (*finding.Entry, error) {
	var needs []*need
	for i := range fs {
		switch f := &fs[i]; {
		case in.Repo == nil:
		case f.Signature.Empty(): // the signature would never be found, which proves nothing
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

func newDater(rs Readers, in History) *dater {
	return &dater{Readers: rs, History: in, records: map[string][]record{}, walked: map[string]int32{}, olds: map[int32]*oldFiles{}}
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

// follow answers queries. If a region appears in a file, new queries ask for the file that it came from.
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

// branches searches the branches that were left out for earlier commits with the regions.
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

// take records an answer and reports whether it is earlier than the commit known before.
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

// tell writes the results into the findings.
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
	if n.lacks { // the region may be older
		n.f.Here.Absent, n.f.Here.Note = nil, join(n.f.Here.Note, "an older content cannot be read")
		return
	}
	n.f.Here.Half = d.half(n)
	n.f.Introduced = CommitOf(&d.clocks.at(d.place(n.commit)).Commit)
	if n.path != n.f.Path {
		n.f.Introduced.Path = n.path
	}
}

// notAllFiles is the note for a region that may have come from another file of the repository.
const notAllFiles = "with a commit of so many files that not all were searched for it"

// half returns when a region first had half of the tokens that it shares with its origin, if that was before it had most of them,
// else nil.
func (d *dater) half(n *need) *finding.Point {
	switch {
	case n.half == uncertain, n.cut:
		return &finding.Point{}
	case n.half >= 0 && d.place(n.half) < d.place(n.commit):
		return d.clocks.interval(d.place(n.half), "").Present
	}
	return nil
}

// beforeAll returns the interval of a region that is older than the known commits. Only one bound is certain: the latest of the
// commits with which a shallow clone begins.
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

// atHead reports whether the last commit of the history has a region in the file where it was found.
func (d *dater) atHead(ctx context.Context, n *need) (bool, error) {
	text, err := d.Repo.FileAt(ctx, d.Head, n.f.Path, d.MaxFileSize)
	if err != nil || text == nil {
		return false, err
	}
	w := d.New()
	defer w.Close()
	st, _ := w.Tokenize(examine.Input{Path: n.f.Path, Language: lang.ByName(n.f.Language)}, text)
	return trace.NewSet([]*trace.Signature{n.f.Signature}).Shares(st.Text, st.Tokens)[0] >= trace.Most, nil
}

// change returns the commits that the base of a diff lacks.
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
