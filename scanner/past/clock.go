package past

import (
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Clocks bounds when commits were made. What a commit says of its time is held
// against its ancestors and descendants: it was made after the ones and before the
// others, whatever its clock said.
type Clocks struct {
	commits []clocked // parents before children
	index   map[git.Hash]int32
	now     time.Time
	read    func(i int) (git.Commit, error) // where commits are only known in brief
}

type clocked struct {
	git.Commit
	parents []int32
	edge    bool      // its parents are outside of the walk
	after   time.Time // of the latest ancestor; zero where there is none
	before  time.Time // of the earliest descendant; zero where there is none
}

// room makes place for commits that are about to be added.
func (k *Clocks) room(n int) { k.commits, k.index = make([]clocked, 0, n), make(map[git.Hash]int32, n) }

// NewClocks begins without commits.
func NewClocks(now time.Time) *Clocks { return &Clocks{index: map[git.Hash]int32{}, now: now} }

// Add takes the next commit of a walk.
func (k *Clocks) Add(c git.Commit, boundary bool) {
	n := clocked{Commit: c, edge: boundary}
	for _, p := range c.Parents {
		i, ok := k.index[p]
		if !ok {
			n.edge = true
			continue
		}
		n.parents = append(n.parents, i)
		parent := &k.commits[i]
		n.after = later(n.after, parent.after)
		if k.sane(parent.CommitTime) {
			n.after = later(n.after, parent.CommitTime)
		}
	}
	k.index[c.ID] = int32(len(k.commits))
	k.commits = append(k.commits, n)
}

// bound works out the earliest descendants, once all commits are there.
func (k *Clocks) bound() {
	for i := len(k.commits) - 1; i >= 0; i-- {
		c := &k.commits[i]
		before := c.before
		if k.sane(c.CommitTime) && !c.slow() {
			before = earlier(before, c.CommitTime)
		}
		for _, p := range c.parents {
			k.commits[p].before = earlier(k.commits[p].before, before)
		}
	}
}

// slow tells whether a commit says it is older than its ancestors while all that
// follow agree with those. One such clock says nothing against the ancestors.
func (c *clocked) slow() bool {
	since := c.after.Add(-finding.Skew)
	return c.CommitTime.Before(since) && !c.before.IsZero() && !c.before.Before(since)
}

// sane tells whether a clock can have said this: one that was never set says 1970,
// and nothing was committed tomorrow.
func (k *Clocks) sane(t time.Time) bool { return t.Year() > 1970 && t.Before(k.now.Add(finding.Skew)) }

// trusted tells whether the time of a commit agrees with those around it.
func (k *Clocks) trusted(c *clocked) bool {
	return k.sane(c.CommitTime) && k.sane(c.AuthorTime) &&
		(c.before.IsZero() || !c.CommitTime.After(c.before.Add(finding.Skew))) && !c.CommitTime.Before(c.after.Add(-finding.Skew))
}

// saysAfter tells whether a commit was made after a time, or at none that is known, as far as its head tells.
func (k *Clocks) saysAfter(i int, t time.Time) bool {
	at := k.commits[i].CommitTime
	return k.sane(at) && at.After(t)
}

// at returns a commit in full. What cannot be read, though its head could, has no
// author and the clock of nobody.
func (k *Clocks) at(i int32) *clocked {
	c := &k.commits[i]
	if c.Name == "" && k.read != nil {
		if full, err := k.read(int(i)); err == nil {
			c.Commit = full
		}
	}
	return c
}

// interval says when a commit was made that first had something: after its first
// parent, and by the time it says or any ancestor. Where the clock was wrong the
// descendants tell, or nothing does.
func (k *Clocks) interval(i int32, from string) *finding.Interval {
	c := k.at(i)
	in := &finding.Interval{Present: &finding.Point{Commit: c.Name}, From: from}
	if k.trusted(c) {
		in.Present.Time = finding.UTC(later(later(c.CommitTime, c.AuthorTime), c.after))
	} else {
		in.Note = "the clock of the commit was wrong"
		if !k.sane(c.CommitTime) && !c.before.IsZero() && !c.before.Before(c.after) {
			in.Present.Time = finding.UTC(c.before)
		}
	}
	switch {
	case len(c.parents) > 0:
		in.Absent = k.made(c.parents[0])
	case c.edge:
		in.Note = join(in.Note, "the history before it was not read")
	default:
		in.Note = join(in.Note, "the history begins with it")
	}
	return in
}

// made names a commit with a time before which it was not made.
func (k *Clocks) made(i int32) *finding.Point {
	c := k.at(i)
	p := &finding.Point{Commit: c.Name}
	if k.trusted(c) {
		p.Time = finding.UTC(earlier(c.CommitTime, c.before))
	}
	return p
}

// Date gives the findings of a history the bounds of the commits they entered by.
func (k *Clocks) Date(fs []*finding.Finding) {
	k.bound()
	byName := make(map[string]int32, len(k.commits))
	for i := range k.commits {
		byName[k.commits[i].Name] = int32(i)
	}
	for _, f := range fs {
		if in := f.Introduced; in != nil {
			if at, ok := byName[in.Commit]; ok {
				f.Here = k.interval(at, "history")
			}
		}
	}
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// later returns the later of two times, earlier the earlier; a zero one is none.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
