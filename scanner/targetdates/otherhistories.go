package targetdates

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// OtherHistories reads the commits of the target's repository that are not related to its history. It returns nil if there are none.
// It reuses the commits that dating has read.
func OtherHistories(ctx context.Context, in History, now time.Time) (*WholeHistory, error) {
	h := &WholeHistory{repo: in.Repo, target: true, least: trace.Most}
	var err error
	if h.commits, err = in.Repo.OtherHistories(ctx, in.Head, in.readTrail); err != nil || h.commits.Len() == 0 {
		return nil, err
	}
	return h, h.order(now)
}

// Sum returns a hash of the commits of a history.
func (h *WholeHistory) Sum() [sha256.Size]byte {
	sum := sha256.New()
	for i := range h.commits.Len() {
		id := h.commits.Brief(i).ID
		sum.Write(id[:])
	}
	return [sha256.Size]byte(sum.Sum(nil))
}

// Until limits the search for a needle to commits made by a time. A region that came later than the origin's is no evidence
// against the origin. nil sets no limit.
func (n *Needle) Until(t *time.Time) *Needle {
	n.until = t
	return n
}

// latest returns the latest time limit of some needles, or nil if one has none.
func latest(needles []*Needle) (t *time.Time) {
	for _, n := range needles {
		if n.until == nil {
			return nil
		}
		if t == nil || n.until.After(*t) {
			t = n.until
		}
	}
	return t
}

// inTime reports whether a commit was made before the time limit of a needle.
func (h *WholeHistory) inTime(commit int32, needle *Needle) bool {
	if needle.until == nil {
		return true
	}
	made := h.clocks.interval(commit, finding.FromHistory).Present.Time
	return made != nil && !made.After(*needle.until)
}

// SetOtherHistory records that another history of the repository has the finding's region, and sets the direction again.
func (first *First) SetOtherHistory(f *finding.Finding) {
	if first.Interval == nil || first.Interval.Present.Time == nil {
		return
	}
	here := finding.Interval{From: finding.FromHistory}
	if f.Here != nil {
		here = *f.Here
	}
	here.OtherHistory = first.Interval.Present
	f.Here = &here
	finding.SetDirection(f)
}

// UnreadEntry returns the ledger entry for unrelated histories that cannot be read.
func UnreadEntry(err error) finding.Entry {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return finding.Entry{Reason: finding.ReasonUndated, Detail: "other histories of the target's repository cannot be read: " + msg}
}

// DateByOtherHistories searches histories that are not related to the target's for the regions of findings that accuse. The repository may
// have had these regions first.
func DateByOtherHistories(ctx context.Context, fs []examine.Found, in History) (*finding.Entry, error) {
	by := map[string][]*examine.Found{}
	for i := range fs {
		f := &fs[i]
		if l := lang.ByName(f.Language); f.Direction == finding.DirectionFrom && f.EntryCommit() != "" && f.Signature != nil && l != nil {
			by[l.Family] = append(by[l.Family], f)
		}
	}
	if in.Repo == nil || len(by) == 0 {
		return nil, nil
	}
	history, err := OtherHistories(ctx, in, time.Now())
	for _, family := range slices.Sorted(maps.Keys(by)) {
		if err == nil && history != nil {
			err = history.seen(ctx, by[family])
		}
	}
	if err != nil && ctx.Err() == nil {
		e := UnreadEntry(err)
		return &e, nil
	}
	return nil, ctx.Err()
}

// seen records since when a history has the regions of findings.
func (h *WholeHistory) seen(ctx context.Context, fs []*examine.Found) error {
	needles := make([]*Needle, len(fs))
	for i, f := range fs {
		l := lang.ByName(f.Language)
		needles[i] = &Needle{sig: *f.Signature, family: l.Family, ext: path.Ext(f.Path), lang: l, until: f.FirstBy()}
	}
	firsts, err := h.Find(ctx, needles)
	if err != nil {
		return fmt.Errorf("date findings: %w", err)
	}
	for i, f := range fs {
		firsts[i].SetOtherHistory(&f.Finding)
	}
	return nil
}
