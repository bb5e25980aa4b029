package past

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
func OtherHistories(ctx context.Context, in History, now time.Time) (*Contents, error) {
	p := &Contents{repo: in.Repo, target: true, least: trace.Most}
	var err error
	if p.commits, err = in.Repo.OtherHistories(ctx, in.Head, in.met); err != nil || p.commits.Len() == 0 {
		return nil, err
	}
	return p, p.order(now)
}

// Sum returns a hash of the commits of a history.
func (p *Contents) Sum() [sha256.Size]byte {
	h := sha256.New()
	for i := range p.commits.Len() {
		id := p.commits.Brief(i).ID
		h.Write(id[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Until limits the search for a piece to commits made by a time. A region that came later than the origin's is no evidence
// against the origin. nil sets no limit.
func (p *Piece) Until(t *time.Time) *Piece {
	p.until = t
	return p
}

// latest returns the latest time limit of some pieces, or nil if one has none.
func latest(pieces []*Piece) (t *time.Time) {
	for _, p := range pieces {
		if p.until == nil {
			return nil
		}
		if t == nil || p.until.After(*t) {
			t = p.until
		}
	}
	return t
}

// inTime reports whether a commit was made before the time limit of a piece.
func (p *Contents) inTime(commit int32, piece *Piece) bool {
	if piece.until == nil {
		return true
	}
	made := p.clocks.interval(commit, finding.FromHistory).Present.Time
	return made != nil && !made.After(*piece.until)
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

// Unread returns the ledger entry for unrelated histories that cannot be read.
func Unread(err error) finding.Entry {
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
		e := Unread(err)
		return &e, nil
	}
	return nil, ctx.Err()
}

// seen records since when a history has the regions of findings.
func (p *Contents) seen(ctx context.Context, fs []*examine.Found) error {
	pieces := make([]*Piece, len(fs))
	for i, f := range fs {
		l := lang.ByName(f.Language)
		pieces[i] = &Piece{sig: *f.Signature, family: l.Family, ext: path.Ext(f.Path), lang: l, until: f.FirstBy()}
	}
	firsts, err := p.Find(ctx, pieces)
	if err != nil {
		return fmt.Errorf("date findings: %w", err)
	}
	for i, f := range fs {
		firsts[i].SetOtherHistory(&f.Finding)
	}
	return nil
}
