// Package history scans a history: each distinct content is examined once, and its regions are followed through the commits.
// A walk sends the contents of many commits, versions of one file together (contents.go), then the commits (history.go). For
// each commit it is worked out what became of each region (follow.go): where it was before (predecessor.go), by what is known
// of it (snapshot.go). At the end each region has a story (stories.go), with the evidence of the version that stands at the
// tip (tip.go). What contents came to is kept on disk (cache.go).
package history

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-provenance/git-provenance/lang"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/past"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// Options say how a history is scanned.
type Options struct {
	Workers  int
	Cache    string // directory in which is kept what contents came to; "" for none
	Key      string // of what decides outcomes beside the examiner's options
	Progress func(done, total int)
}

// Scan examines every distinct content of the selected commits once and follows each
// region through them. The examiner is that of the history's tip; r is empty.
func Scan(ctx context.Context, e *examine.Examiner, repo *git.Repo, sel git.Selection, r *examine.Draft, o Options) (*finding.Report, error) {
	h := &scan{
		e: e, o: o, repo: repo, sel: sel, r: r, follower: newFollower(),
		partial: strings.Contains(sel.Range, "..") || !sel.Since.IsZero() || repo.Shallow(),
		sent:    map[cacheKey]bool{}, outcomes: map[cacheKey]*outcome{}, nothing: &outcome{used: true}, counted: map[git.Hash]bool{}, vendored: map[string]int{},
		spare: e.NewWorker(), cache: openCache(e, o), clocks: past.NewClocks(time.Now()),
	}
	defer h.spare.Close()
	defer h.cache.close(ctx) // a run without a cache only takes longer
	name, err := h.reportName(ctx)
	if err != nil {
		return nil, err
	}
	if r := h.cache.recallReport(name); r != nil {
		r.Overlook() // an earlier program did not
		return r, nil
	}
	h.follower.begin = h.begin
	if err := cmp.Or(pool.Run(ctx, h.pool(h.e), h.feed, examineJob, h.take), ctx.Err()); err != nil {
		return nil, err
	}
	h.r.Ledger = append(h.r.Ledger, h.listed...)
	h.r.NoteVendored(h.vendored)
	if err := h.conclude(ctx); err != nil {
		return nil, err
	}
	h.clocks.Date(h.r.List())
	if err := past.Directions(ctx, h.e, h.r.List()); err != nil {
		return nil, err
	}
	done := h.r.Finish()
	if !h.lacks {
		h.cache.keepReport(name, done) // as above
	}
	return done, ctx.Err()
}

// scan is the work on one history. One goroutine reads commits and sends
// what is to be examined, another takes the outcomes: each field belongs to one
// of them.
type scan struct {
	e       *examine.Examiner
	o       Options
	repo    *git.Repo
	sel     git.Selection
	partial bool // the history begins somewhere in the middle

	// the feeding side
	sent     map[cacheKey]bool
	wanted   []content    // of the batch
	steps    []job        // its commits
	expected atomic.Int64 // contents in all, by those of the commits so far
	listed   []finding.Entry
	vendored map[string]int

	// the taking side
	r        *examine.Draft
	follower *follower
	outcomes map[cacheKey]*outcome
	nothing  *outcome // of all contents that were counted and hold no region
	counted  map[git.Hash]bool
	spare    *examine.Worker
	cache    *diskCache
	clocks   *past.Clocks
	ctx      context.Context
	done     int  // contents
	held     int  // bytes of findings
	lacks    bool // a content is missing or damaged
}

// blobKey names a content and what else decides how it is read: the name of the
// file, not its directory.
type blobKey struct {
	blob git.Hash
	name string
}

func keyOf(blob git.Hash, file string) blobKey { return blobKey{blob, path.Base(file)} }

// outcome is what the examination of one content came to.
type outcome struct {
	files         int
	bytes, tokens int64
	missing       bool // there is no telling what it holds
	language      string
	longest       int64
	aligned       bool
	entries       []finding.Entry
	snapshots     []snapshot
	findings      []finding.Finding // of the snapshots; dropped after the first use
	packed        []byte            // findings that the disk cache had
	said          uint64            // by the notice files that were asked for the findings
	used          bool
	stored        cacheKey // where it is kept on disk
	began         bool     // a region entered with one of the findings
}

func newOutcome(o examine.Output) *outcome {
	out := &outcome{files: o.Files, missing: o.Missing, bytes: o.Bytes, tokens: o.Tokens, language: o.Language, longest: o.Longest, aligned: o.Aligned, entries: o.Entries, findings: plain(o.Findings)}
	for i := range o.Findings {
		out.snapshots = append(out.snapshots, snapshotOf(&o.Findings[i], i))
	}
	return out
}

// plain are the findings without what is not told of them.
func plain(fs []examine.Found) []finding.Finding {
	var out []finding.Finding
	for i := range fs {
		out = append(out, fs[i].Finding)
	}
	return out
}

// feed reads commits and sends the contents that were never examined before,
// then what is to be done once they are.
func (h *scan) feed(ctx context.Context, send func(j job, work bool) error) error {
	skipped := func(path string, reason git.Reason, detail string) {
		h.listed = append(h.listed, finding.Entry{Path: path, Reason: lang.Reason(reason), Detail: detail})
	}
	done := 0
	for c, err := range h.repo.History(ctx, h.sel, skipped) {
		if err != nil {
			return err
		}
		files := h.files(&c)
		h.want(&c, files)
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

// heldBytes bounds the findings kept until the commits that have them are
// followed. Beyond it a content is examined again, if a region enters with it.
const heldBytes = 64 << 20

// files lists the changed files that are to be looked at, sorted by path.
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

// pool has workers of an examiner.
func (h *scan) pool(e *examine.Examiner) pool.Pool[*examine.Worker] {
	return pool.Pool[*examine.Worker]{Workers: h.o.Workers, New: e.NewWorker}
}

// commit follows the regions through a commit whose contents are all examined.
func (h *scan) commit(ctx context.Context, c *git.CommitChanges, files []git.Change) error {
	h.ctx = ctx
	h.clocks.Add(c.Commit, c.Boundary)
	h.r.Summary.Commits++
	h.r.Target.Head = c.Name
	var versions []version
	for _, ch := range files {
		v := h.version(c, &ch)
		if h.outcomes[v.key.cacheKey()].missing {
			continue // what was there is taken to be there still, until a content that can be read says otherwise
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
	if err := h.follower.take(ctx, c, versions); err != nil {
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

// remember keeps an outcome beyond this run and lets go of what is no longer
// needed in it.
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

// size is about the memory that the findings of an outcome take.
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

// version is a changed file with what was found in it. Its first use counts.
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

// before is what an earlier content holds, if the history may not have come by it.
func (h *scan) before(blob git.Hash, path string) []snapshot {
	if o := h.outcomes[keyOf(blob, path).cacheKey()]; o != nil && h.partial {
		return o.snapshots
	}
	return nil
}

// begin makes the finding of a region that enters.
func (h *scan) begin(v *version, s *snapshot, c *finding.Commit) (int, error) {
	o := h.outcomes[v.key.cacheKey()]
	said, err := h.e.Target().Notices.Sum(h.ctx, v.path)
	if err != nil {
		return 0, err
	}
	if o.findings == nil && o.packed != nil {
		o.findings = o.unpack()
		h.held += o.size()
	}
	if s.At >= len(o.findings) || o.said != said { // found elsewhere, where other notices hold
		if err := h.again(v, o); err != nil {
			return 0, err
		}
		o.said = said
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

// again examines a content once more, as that of another path.
func (h *scan) again(v *version, o *outcome) error {
	out, err := h.spare.Input(h.ctx, examine.Input{Path: v.path, Read: examine.Blob(h.repo, v.key.blob, h.e.Options().MaxFileSize)})
	h.held -= o.size()
	o.findings, o.packed = plain(out.Findings), nil
	h.held += o.size()
	return err
}
