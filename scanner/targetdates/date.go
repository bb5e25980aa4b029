// Package targetdates finds since when a target has the code of its findings, and which side had it first. Its input is findings and the
// repository's history; its output is intervals with their commits, and directions. An interval is two dates: absent at the first,
// present at the second. Package history follows the regions if the history itself is scanned; package origindates dates the origins.
//
//	date.go            dates the findings of a scan, step by step
//	walk.go            walks the history of their paths (git.Trail)
//	older.go           searches older contents of a path for regions
//	moved.go           searches the other files of the commit that added a region
//	states.go          searches the files that the repository had when an origin was released, and before
//	elsewhere.go       searches files that were deleted and came back at another path
//	story.go           dates the regions that package history followed
//	wholehistory.go    lists every content of a history, for repositories of origins
//	search.go          reads these contents in the order in which they were added
//	otherhistories.go  reads the commits of the repository that are not related to its history
//	needle.go          a region to be searched for in them, and which files can have it
//	clock.go           bounds the time of a commit by its ancestors and descendants
//	memory.go          keeps for later runs what was read: facts of commits, and which contents have which regions
//	lockfiles.go       dates origins by the lock files that the target had before a region
//	absence.go         reads versions of an origin that may lack the region
package targetdates

import (
	"cmp"
	"context"
	"crypto/sha256"
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
	// maxOlder limits the copies of a content that are searched for what they were copied from.
	maxOlder = 64
	// maxAlike is that limit for copies whose origins have only the file's name in common.
	maxAlike = 16
	// maxGone limits the other files of a commit that are searched for a region that appears with it: those that it removed, and those that
	// it changed. If directories are renamed, a region comes from one of many. The search is cheap, since a content is read once.
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
	// Memory is the directory in which dating keeps what it has read for later runs; "" for none. Stamp changes with the program.
	Memory, Stamp string
}

// History is the history that findings are dated by, and the changes of the scanned files that are not in it.
type History struct {
	Repo *git.Repo
	Head string // last revision of the history
	Base string // diff: name of the commit that was compared with
	// Gone lists the files of the head that the scanned state has changed or lost. Code that was moved but not committed comes
	// from them. nil: everything is committed
	Gone func(ctx context.Context) ([]git.File, error)

	readTrail *git.Trail // commits that dating has read
}

// dater finds the commits by which regions entered a repository.
type dater struct {
	Readers
	History
	trail    *git.Trail
	memory   *memory             // nil: none
	clocks   *Clocks             // in the order of the trail
	records  map[string][]record // of the paths walked so far
	walked   map[string]int32    // by path: the commit before which its history was read
	every    bool                // also read merged branches that changed nothing in the end
	walks    int
	full     bool
	oldFiles map[int32]*oldFiles // by commit
	mu       sync.Mutex
	unread   atomic.Bool // a content is missing or damaged
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

// region is a finding to be dated, with the first commit known to have its region.
type region struct {
	finding    *examine.Found
	commit     int32 // the first known to have it; -1: none
	path       string
	blob       git.Hash
	older      bool   // the region is older than the known commits
	unread     bool   // an older content could not be read
	thinned    bool   // not every older content was read
	half       int32  // the first commit with half of the region in that path, or unmet, or uncertain
	halfAt     string // the path that had half of it, if that is uncertain
	unsearched bool   // not every file that it can come from was searched
	dated      bool   // a deleted file had it before
	limit      string // why a deleted file may have had it before; "" if all were searched
	visited    map[string]bool
	sum        [sha256.Size]byte // of what it is searched by
}

// Values of region.half that are no commit.
const (
	unmet     int32 = -2 // no earlier content has half of it
	uncertain int32 = -1 // another file had half of it before, or its own at a time that is not certain
)

// query asks since when a path has some regions, before a commit.
type query struct {
	path    string
	until   int32 // -1: at any time
	regions []*region
	had     bool // the path had them just before the commit
}

// pathAt is a path at a commit.
type pathAt struct {
	path   string
	commit int32
}

// answer is the result of a query for one region.
type answer struct {
	region  *region
	record  record
	path    string
	found   bool
	older   bool
	unread  bool
	thinned bool
	half    int32
}

// Date dates findings by the history of a repository. If the history cannot be read, they stay without a date, and the returned
// ledger entry says why.
func Date(ctx context.Context, rs Readers, fs []examine.Found, in *History) (*finding.Entry, error) {
	var regions []*region
	for i := range fs {
		switch f := &fs[i]; {
		case in.Repo == nil:
		case f.Signature.Empty(): // the signature would never be found, which proves nothing
			f.Here = &finding.Interval{Note: finding.NotFollowed}
		default:
			regions = append(regions, newRegion(f))
		}
	}
	if len(regions) == 0 {
		return nil, nil
	}
	d := newDater(rs, *in)
	d.memory = openMemory(&rs, in.Repo)
	defer func() { in.readTrail = d.trail }()
	err := d.run(ctx, regions)
	if err == nil {
		err = d.elsewhere(ctx, regions)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return &finding.Entry{Reason: finding.ReasonUndated, Detail: "the history cannot be read: " + err.Error()}, nil
	}
	if err := d.setDates(ctx, regions); err != nil {
		return nil, err
	}
	d.memory.save(d.trail)
	return nil, nil
}

func newDater(rs Readers, in History) *dater {
	return &dater{Readers: rs, History: in, records: map[string][]record{}, walked: map[string]int32{}, oldFiles: map[int32]*oldFiles{}}
}

func newRegion(f *examine.Found) *region {
	return &region{finding: f, commit: -1, half: unmet, visited: map[string]bool{}, sum: f.Signature.Sum()}
}

// run finds the first commit of each region.
func (d *dater) run(ctx context.Context, regions []*region) error {
	byPath := map[string][]*region{}
	for _, r := range regions {
		byPath[r.finding.Path] = append(byPath[r.finding.Path], r)
	}
	var qs []query
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		qs = append(qs, query{path: p, until: -1, regions: byPath[p]})
	}
	if err := d.follow(ctx, qs); err != nil {
		return err
	}
	if err := d.branches(ctx, regions); err != nil {
		return err
	}
	if d.Gone != nil {
		if err := d.uncommitted(ctx, byPath); err != nil {
			return err
		}
	}
	if err := d.byLockFiles(ctx, regions); err != nil {
		return err
	}
	return d.siblings(ctx, regions)
}

// follow answers queries. If a region appears in a file, new queries ask for the file that it came from.
func (d *dater) follow(ctx context.Context, qs []query) error {
	for moves := 0; len(qs) > 0 && moves < maxMoves; moves++ {
		if err := d.walk(ctx, qs); err != nil {
			return err
		}
		answers := make([][]answer, len(qs))
		err := d.Each(ctx, len(qs), func(w *examine.Worker, i int) (err error) {
			answers[i], err = d.answer(ctx, w, qs[i])
			return err
		})
		if err != nil {
			return err
		}
		var news []*region
		for _, as := range answers {
			for _, a := range as {
				if d.update(&a) {
					news = append(news, a.region)
				}
			}
		}
		if qs, err = d.sources(ctx, news); err != nil {
			return err
		}
	}
	return nil
}

// branches searches the branches that were left out for earlier commits with the regions.
func (d *dater) branches(ctx context.Context, regions []*region) error {
	groups := map[pathAt][]*region{}
	var paths []string
	var commits []int32
	for _, r := range regions {
		if r.commit >= 0 && !r.older {
			at := pathAt{r.path, r.commit}
			groups[at] = append(groups[at], r)
			paths, commits = append(paths, r.path), append(commits, r.commit)
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
	for at, group := range groups {
		if changed[at.path] {
			qs = append(qs, query{path: at.path, until: at.commit, regions: group})
		}
	}
	slices.SortFunc(qs, func(a, b query) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(d.rank(a.until), d.rank(b.until)))
	})
	return d.follow(ctx, qs)
}

// update records an answer and reports whether it is earlier than the commit known before.
func (d *dater) update(a *answer) bool {
	r := a.region
	r.older, r.unread, r.thinned = r.older || a.older, r.unread || a.unread, r.thinned || a.thinned
	if !a.found || r.older || r.commit >= 0 && d.rank(r.commit) <= d.rank(a.record.commit) {
		return false
	}
	r.commit, r.path, r.blob, r.half = a.record.commit, a.path, a.record.blob, a.half
	r.unsearched = false
	return true
}

// setDates writes the results into the findings.
func (d *dater) setDates(ctx context.Context, regions []*region) error {
	change, err := d.change(ctx)
	if err != nil {
		return err
	}
	d.clock()
	for _, r := range regions {
		if d.Repo.Shallow() {
			r.limit = join(r.limit, cutOff)
		}
		has := r.older
		if !has && r.commit < 0 && len(d.trail.Order()) > 0 {
			if has, err = d.atHead(ctx, r); err != nil {
				return err
			}
		}
		switch {
		case has:
			r.finding.Here = d.beforeAll()
		case r.commit >= 0:
			d.introduced(r, change)
		case d.Gone != nil && len(d.clocks.commits) > 0:
			last := int32(len(d.clocks.commits) - 1)
			r.finding.Here = &finding.Interval{Absent: d.clocks.made(last), From: finding.FromChange, Note: join(finding.NotCommitted, r.limit), Half: d.halfPoint(r)}
		}
	}
	return nil
}

// introduced dates a region by the commit that brought it.
func (d *dater) introduced(r *region, change map[git.Hash]bool) {
	from := finding.FromHistory
	if change[d.trail.ID(r.commit)] {
		from = finding.FromChange
	}
	in := d.clocks.interval(d.rank(r.commit), from)
	r.finding.Here = in
	if r.thinned {
		in.Note = join(in.Note, "not every older content was read")
	}
	if r.unsearched {
		in.Note = join(in.Note, notAllFiles)
	}
	in.Note = join(in.Note, r.limit)
	if r.unread { // the region may be older
		in.Absent, in.Note = nil, join(in.Note, "an older content cannot be read")
		return
	}
	in.Half = d.halfPoint(r)
	switch {
	case r.half != uncertain:
	case r.halfAt == r.current():
		in.Note = join(in.Note, "its file had half of it before, at a time that is not certain")
	default:
		in.Note = join(in.Note, "another file had half of it before")
	}
	r.finding.Introduced = CommitOf(&d.clocks.at(d.rank(r.commit)).Commit)
	if r.path != r.finding.Path {
		r.finding.Introduced.Path = r.path
	}
}

// cutOff is the note for a region in a shallow clone. The missing commits may have had the region in a file that was deleted later.
const cutOff = "the clone is shallow: a commit that it lacks may have had the region before"

// notAllFiles is the note for a region that may have come from another file of the repository.
const notAllFiles = "with a commit of so many files that not all were searched for it"

// halfPoint returns when a region first had half of the tokens that it shares with its origin. It returns nil if the region had most of them
// at once.
func (d *dater) halfPoint(r *region) *finding.Point {
	switch {
	case r.half == uncertain, r.unsearched, r.limit != "":
		return &finding.Point{}
	case r.half >= 0 && d.rank(r.half) < d.rank(r.commit):
		half := d.clocks.interval(d.rank(r.half), "").Present
		half.Author = CommitOf(&d.clocks.at(d.rank(r.half)).Commit).Author
		return half
	}
	return nil
}

// beforeAll returns the interval of a region that is older than the known commits. Only one bound is certain: the latest of the
// commits with which a shallow clone begins.
func (d *dater) beforeAll() *finding.Interval {
	in := &finding.Interval{From: finding.FromHistory, Note: "an older content cannot be read"}
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
func (d *dater) atHead(ctx context.Context, r *region) (bool, error) {
	text, err := d.Repo.FileAt(ctx, d.Head, r.finding.Path, d.MaxFileSize)
	if err != nil || text == nil {
		return false, err
	}
	w := d.New()
	defer w.Close()
	st, _ := w.Tokenize(examine.Input{Path: r.finding.Path, Language: lang.ByName(r.finding.Language)}, text)
	return trace.NewSet([]*trace.Signature{r.finding.Signature}).Shares(st.Text, st.Tokens)[0] >= trace.Most, nil
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
