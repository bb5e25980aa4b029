// Package history scans a history: a range of commits. It examines each distinct content once, and follows its regions through the
// commits. The outcome is a story for each region: when it came, changed and left. Package targetdates dates the findings of other scans.
//
//	history.go      Scan: a walk over the commits, oldest first; the order of the steps
//	contents.go     the contents of many commits, versions of one file together, for the workers
//	follow.go       one commit: its regions, and those of the commits before it
//	predecessor.go  the rules by which a region is an earlier one
//	snapshot.go     the properties of a region that the rules compare
//	tracks.go       track: a region through the commits so far; state: where the regions are after a commit
//	stories.go      a region through all commits → its story
//	tip.go          the evidence of the version at the tip, for the report
//	before.go       the commits before a range, for regions that accuse
//	cache.go        the disk cache; outcomes.go: of contents, reports.go: of histories that did not change
package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/lang"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// Options say how a history is scanned.
type Options struct {
	Selection git.Selection // the commits
	Workers   int
	Cache     string // directory of the disk cache; "" for none
	Key       string // names everything that decides outcomes besides the examiner's options
	Progress  func(done, total int)
}

// Scan examines every distinct content of the selected commits once, and follows each region through them. e must be the examiner
// of the history's tip, and r must be empty.
func Scan(ctx context.Context, e *examine.Examiner, repo *git.Repo, r *examine.Draft, o Options) (*finding.Report, error) {
	sel := o.Selection
	h := &scan{
		e: e, o: o, repo: repo, sel: sel, cache: openCache(e, o),
		partial: strings.Contains(sel.Range, "..") || !sel.Since.IsZero() || repo.Shallow(),
		feeding: feeding{sent: map[cacheKey]bool{}, unfolds: repo.Unfolding(e.Options().MaxFileSize), vendored: map[string]int{}},
		collecting: collecting{
			r: r, follower: newFollower(), outcomes: map[cacheKey]*outcome{}, nothing: &outcome{used: true}, counted: map[git.Hash]bool{},
			spare: e.NewWorker(), clocks: targetdates.NewClocks(time.Now()),
		},
	}
	defer h.spare.Close()
	defer h.cache.close(ctx) // without a cache the next run only takes longer
	name, err := h.reportName(ctx)
	if err != nil {
		return nil, err
	}
	if r := h.cache.recallReport(name); r != nil {
		r.SetUnseen() // reports of earlier programs lack these notes
		return r, nil
	}
	h.follower.begin = h.begin
	collect := func(j job, outs []*outcome) error { return h.collect(ctx, j, outs) }
	if err := cmp.Or(pool.Run(ctx, h.pool(h.e), h.feed, examineJob, collect), ctx.Err()); err != nil {
		return nil, err
	}
	h.r.Ledger = append(h.r.Ledger, h.listed...)
	h.r.NoteVendored(h.vendored)
	if err := h.conclude(ctx); err != nil {
		return nil, err
	}
	h.clocks.Date(h.r.List(), repo.Shallow())
	unread, err := targetdates.DateByLockFiles(ctx, h.r.List(), repo, h.clocks, e.Options().MaxFileSize)
	if err != nil {
		return nil, err
	}
	if err := targetdates.Directions(ctx, h.e, h.r.List()); err != nil {
		return nil, err
	}
	if err := h.searchBefore(ctx); err != nil {
		return nil, err
	}
	done := h.r.Finish()
	if !unread && !h.unread && !h.clocks.Ahead() {
		h.cache.keepReport(name, done) // an error only makes the next run slower
	}
	return done, ctx.Err()
}

// scan is the work on one history. One goroutine reads commits and sends contents to be examined (feeding). Another one takes the
// outcomes (collecting).
type scan struct {
	e        *examine.Examiner
	o        Options
	repo     *git.Repo
	sel      git.Selection
	partial  bool // the history begins in the middle
	cache    *diskCache
	expected atomic.Int64 // estimated number of contents in total
	feeding
	collecting
}

// feeding is the state of the goroutine that reads commits.
type feeding struct {
	sent     map[cacheKey]bool
	unfolds  *git.Unfolding
	wanted   []content // contents of the current batch
	steps    []job     // commits of the current batch
	listed   []finding.Entry
	vendored map[string]int
}

// collecting is the state of the goroutine that takes outcomes.
type collecting struct {
	r        *examine.Draft
	follower *follower
	outcomes map[cacheKey]*outcome
	nothing  *outcome // shared by all contents that were counted and have no region
	counted  map[git.Hash]bool
	spare    *examine.Worker
	clocks   *targetdates.Clocks
	tips     []string // of each finding: a last commit that has it; "" if it left
	done     int      // contents done
	held     int      // bytes of findings held
	unread   bool     // a content is missing or damaged, so that the next run may have another report
}

// blobKey identifies a content as it is read: by its hash and its short name.
type blobKey struct {
	blob git.Hash
	name string
}

func keyOf(blob git.Hash, file string) blobKey { return blobKey{blob, lang.ShortName(file)} }

// outcome is the result of examining one content.
type outcome struct {
	files         int
	bytes, tokens int64
	missing       bool // the content cannot be read
	unsure        bool // an earlier version cannot be read, so that this one was examined as a whole
	language      string
	longest       int64
	aligned       bool
	entries       []finding.Entry
	snapshots     []snapshot
	findings      []finding.Finding // of the snapshots; dropped after the first use
	packed        []byte            // deflated findings from the disk cache
	notices       uint64            // hash of the path and the notice files that the findings depend on
	used          bool
	stored        cacheKey // key in the disk cache
	began         bool     // a region entered with one of the findings
}

func newOutcome(o examine.Output) *outcome {
	out := &outcome{files: o.Files, missing: o.Missing, bytes: o.Bytes, tokens: o.Tokens, language: o.Language, longest: o.Longest, aligned: o.Aligned, entries: o.Entries, findings: plain(o.Findings)}
	for i := range o.Findings {
		out.snapshots = append(out.snapshots, snapshotOf(&o.Findings[i], i))
	}
	return out
}

// plain returns the findings without the fields that are not reported.
func plain(fs []examine.Found) []finding.Finding {
	var out []finding.Finding
	for i := range fs {
		out = append(out, fs[i].Finding)
	}
	return out
}

// feed reads commits. It sends the contents that were not sent before, then the steps that need them.
func (h *scan) feed(ctx context.Context, send func(j job, work bool) error) error {
	skipped := func(path string, reason git.Reason, detail string) {
		h.listed = append(h.listed, finding.Entry{Path: path, Reason: lang.Reason(reason), Detail: detail})
	}
	done := 0
	for c, err := range h.repo.History(ctx, h.sel, skipped) {
		if err != nil {
			return err
		}
		if err := h.unfolds.Places(&c); err != nil {
			return err
		}
		files := h.files(&c)
		if err := h.noteContents(ctx, &c, files); err != nil {
			return err
		}
		done++
		h.expected.Store(int64(len(h.sent)) * int64(c.Total) / int64(done))
		h.steps = append(h.steps, job{step: func() error { return h.commit(ctx, &c, files) }})
		if len(h.wanted) >= batch || len(h.steps) >= batch {
			if err := h.sendBatch(send); err != nil {
				return err
			}
		}
	}
	return h.sendBatch(send)
}

// heldBytes limits the findings held until their commits are followed. Beyond it a content is examined again if a region enters
// with it.
const heldBytes = 64 << 20

// files lists the changed files to be examined, sorted by path.
func (h *scan) files(c *git.CommitChanges) []git.Change {
	var out []git.Change
	for i, list := range [][]git.Change{c.Changes, c.Again} {
		for _, ch := range list {
			if dir := h.e.Vendored(ch.Path, h.sel.Paths); dir != "" {
				if i == 0 {
					h.vendored[dir]++
				}
				continue
			}
			if h.e.Excluded(ch.Path) {
				h.listed = append(h.listed, finding.Entry{Path: ch.Path, Reason: finding.ReasonExcluded, Detail: "by pattern"})
				continue
			}
			out = append(out, ch)
		}
	}
	slices.SortFunc(out, func(a, b git.Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// pool returns workers of an examiner.
func (h *scan) pool(e *examine.Examiner) pool.Pool[*examine.Worker] {
	return pool.Pool[*examine.Worker]{Workers: h.o.Workers, New: e.NewWorker}
}

// commit follows the regions through a commit whose contents are all examined.
func (h *scan) commit(ctx context.Context, c *git.CommitChanges, files []git.Change) error {
	h.clocks.Add(c.Commit, c.Boundary)
	h.r.Summary.Commits++
	h.r.Target.Head = c.Name
	var versions []version
	for _, ch := range files {
		v := h.version(c, &ch)
		if h.outcomes[v.key.cacheKey()].missing {
			continue // its regions are taken to be unchanged until a readable content says otherwise
		}
		if len(v.now)+len(v.before) > 0 || h.follower.holds(c.Parents, v.path) {
			versions = append(versions, v)
		}
	}
	for _, f := range c.Deleted {
		v := version{path: f.Path, before: h.before(f.Blob, f.Path)}
		if len(v.before) > 0 || h.follower.holds(c.Parents, f.Path) {
			versions = append(versions, v)
		}
	}
	slices.SortFunc(versions, func(a, b version) int { return strings.Compare(a.path, b.path) })
	if err := h.follower.advance(ctx, c, versions); err != nil {
		return err
	}
	for _, ch := range files {
		h.remember(keyOf(ch.Blob, ch.Path))
		if h.partial && ch.HasOld {
			h.remember(keyOf(ch.Old, ch.OldPath))
		}
	}
	for _, f := range c.Deleted {
		if h.partial {
			h.remember(keyOf(f.Blob, f.Path))
		}
	}
	return nil
}

// remember stores an outcome on disk if its findings were used, and frees the parts that are no longer needed.
func (h *scan) remember(k blobKey) {
	id := k.cacheKey()
	o := h.outcomes[id]
	if o == h.nothing {
		return
	}
	if o.began && o.packed == nil {
		h.cache.keep(o)
	}
	h.held -= o.size()
	o.findings, o.packed, o.began = nil, nil, false
	if o.used {
		o.entries = nil
	}
	if o.used && len(o.snapshots) == 0 && !o.missing {
		h.outcomes[id] = h.nothing
	}
}

// size estimates the memory of the findings, in bytes.
func (o *outcome) size() int {
	n := 0
	for i := range o.findings {
		n += 2 << 10
		if t := o.findings[i].Text; t != nil {
			for _, l := range slices.Concat(t.Target.Lines, t.Origin.Lines) {
				n += len(l) + 16
			}
		}
	}
	return n
}

// version returns a changed file with its snapshots. The first use of a content is counted in the report.
func (h *scan) version(c *git.CommitChanges, ch *git.Change) version {
	k := keyOf(ch.Blob, ch.Path)
	o := h.outcomes[k.cacheKey()]
	if !o.used {
		o.used = true
		for _, e := range o.entries {
			e.Path = ch.Path
			h.r.Ledger = append(h.r.Ledger, e)
		}
		h.r.Summary.Files += o.files
		h.r.Summary.Bytes += o.bytes
		h.r.Summary.Tokens += o.tokens
	}
	v := version{path: ch.Path, now: o.snapshots, older: ch.Older, key: k}
	if len(o.snapshots) > 0 && !h.counted[k.blob] {
		h.counted[k.blob] = true
		v.firstUse = true
	}
	if ch.HasOld {
		v.before = h.before(ch.Old, ch.OldPath)
	}
	return v
}

// before returns the snapshots of an earlier content, if the history may not contain it.
func (h *scan) before(blob git.Hash, path string) []snapshot {
	if o := h.outcomes[keyOf(blob, path).cacheKey()]; o != nil && h.partial {
		return o.snapshots
	}
	return nil
}

// begin makes the finding of a region that enters.
func (h *scan) begin(ctx context.Context, v *version, s *snapshot, c *finding.Commit) (int, error) {
	o := h.outcomes[v.key.cacheKey()]
	notices, err := h.noticesOf(ctx, v.path)
	if err != nil {
		return 0, err
	}
	if o.findings == nil && o.packed != nil {
		o.findings = o.unpack()
		h.held += o.size()
	}
	if s.At >= len(o.findings) || o.notices != notices { // the findings are those of another path, or the notices changed
		if err := h.examineAt(ctx, v, o); err != nil {
			return 0, err
		}
		o.notices = notices
	}
	if s.At >= len(o.findings) {
		return 0, fmt.Errorf("examine %s: finding %d of %d", v.path, s.At+1, len(o.findings))
	}
	o.began = true
	f := o.findings[s.At]
	f.Path, f.Introduced = v.path, c
	h.r.Findings = append(h.r.Findings, f)
	return len(h.r.Findings) - 1, nil
}

// noticesOf returns a hash of what the findings of a content depend on at a path: the path itself, which licences are stated for, and the
// notice files that apply to it.
func (h *scan) noticesOf(ctx context.Context, path string) (uint64, error) {
	sum, err := h.e.Project().Notices.Sum(ctx, path)
	return sum*trace.HashMultiplier ^ trace.HashBytes([]byte(path)), err
}

// examineAt examines a content once more, with another path.
func (h *scan) examineAt(ctx context.Context, v *version, o *outcome) error {
	out, err := h.spare.Input(ctx, examine.Input{Path: v.path, Read: examine.Blob(h.repo, v.key.blob, h.e.Options().MaxFileSize)})
	h.held -= o.size()
	o.findings, o.packed = plain(out.Findings), nil
	h.held += o.size()
	return err
}
