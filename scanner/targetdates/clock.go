package targetdates

import (
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Clocks bounds the times of commits. A commit was made after its ancestors and before its descendants, whatever its clock says.
type Clocks struct {
	commits []clocked // parents before children
	index   map[git.Hash]int32
	now     time.Time
	ahead   bool                            // a commit's time is in the future
	read    func(i int) (git.Commit, error) // reads a commit in full, if only its header is kept
}

type clocked struct {
	git.Commit
	parents []int32
	edge    bool      // its parents are outside the walk
	after   time.Time // latest time of an ancestor; zero if there is none
	before  time.Time // earliest time of a descendant; zero if there is none
}

// room allocates memory for n commits.
func (k *Clocks) room(n int) { k.commits, k.index = make([]clocked, 0, n), make(map[git.Hash]int32, n) }

// NewClocks returns Clocks without commits.
func NewClocks(now time.Time) *Clocks { return &Clocks{index: map[git.Hash]int32{}, now: now} }

// Add adds the next commit of a walk.
func (k *Clocks) Add(c git.Commit, boundary bool) {
	n := clocked{Commit: c, edge: boundary}
	k.ahead = k.ahead || k.future(c.CommitTime) || k.future(c.AuthorTime)
	for _, p := range c.Parents {
		i, ok := k.index[p]
		if !ok {
			n.edge = true
			continue
		}
		n.parents = append(n.parents, i)
		parent := &k.commits[i]
		n.after = later(n.after, parent.after)
		if k.isPlausible(parent.CommitTime) {
			n.after = later(n.after, parent.CommitTime)
		}
	}
	k.index[c.ID] = int32(len(k.commits))
	k.commits = append(k.commits, n)
}

// bound computes the earliest descendants. All commits must have been added.
func (k *Clocks) bound() {
	for i := len(k.commits) - 1; i >= 0; i-- {
		c := &k.commits[i]
		before := c.before
		if k.isPlausible(c.CommitTime) && !c.runsSlow() {
			before = earlier(before, c.CommitTime)
		}
		for _, p := range c.parents {
			k.commits[p].before = earlier(k.commits[p].before, before)
		}
	}
}

// runsSlow reports whether a commit claims to be older than its ancestors, while all later commits agree with the ancestors. One such
// clock is no evidence against the ancestors.
func (c *clocked) runsSlow() bool {
	since := c.after.Add(-finding.Skew)
	return c.CommitTime.Before(since) && !c.before.IsZero() && !c.before.Before(since)
}

// isPlausible reports whether a clock can be right: it was set (not 1970), and the time is not in the future.
func (k *Clocks) isPlausible(t time.Time) bool { return t.Year() > 1970 && !k.future(t) }

func (k *Clocks) future(t time.Time) bool { return !t.Before(k.now.Add(finding.Skew)) }

// Ahead reports whether a commit was made in the future, by its clock. Its bounds change with time.
func (k *Clocks) Ahead() bool { return k.ahead }

// trusted reports whether the time of a commit agrees with the commits around it.
func (k *Clocks) trusted(c *clocked) bool {
	return k.isPlausible(c.CommitTime) && k.isPlausible(c.AuthorTime) &&
		(c.before.IsZero() || !c.CommitTime.After(c.before.Add(finding.Skew))) && !c.CommitTime.Before(c.after.Add(-finding.Skew))
}

// saysAfter reports whether the header of a commit has a sane time after t.
func (k *Clocks) saysAfter(i int, t time.Time) bool {
	at := k.commits[i].CommitTime
	return k.isPlausible(at) && at.After(t)
}

// at returns a commit in full. If it cannot be read, only the data of its header is set.
func (k *Clocks) at(i int32) *clocked {
	c := &k.commits[i]
	if c.Name == "" && k.read != nil {
		if full, err := k.read(int(i)); err == nil {
			c.Commit = full
		}
	}
	return c
}

// interval bounds the time of a commit that first has something. It was absent in the first parent, and present by the latest of
// the commit's times and its ancestors' times. If the commit's clock is wrong, its descendants bound the time, or nothing does.
func (k *Clocks) interval(i int32, from string) *finding.Interval {
	c := k.at(i)
	in := &finding.Interval{Present: &finding.Point{Commit: c.Name}, From: from}
	if k.trusted(c) {
		in.Present.Time = finding.UTC(later(later(c.CommitTime, c.AuthorTime), c.after))
	} else {
		in.Note = "the clock of the commit was wrong"
		if !k.isPlausible(c.CommitTime) && !c.before.IsZero() && !c.before.Before(c.after) {
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

// made returns a commit with a time before which it was not made.
func (k *Clocks) made(i int32) *finding.Point {
	c := k.at(i)
	p := &finding.Point{Commit: c.Name}
	if k.trusted(c) {
		p.Time = finding.UTC(earlier(c.CommitTime, c.before))
	}
	return p
}

// madeBy returns a time by which a commit was made, or nil if no clock tells. The walk may lack the commit.
func (k *Clocks) madeBy(c *git.Commit) *time.Time {
	if i, ok := k.index[c.ID]; ok {
		return k.interval(i, "").Present.Time
	}
	if !k.isPlausible(c.CommitTime) || !k.isPlausible(c.AuthorTime) {
		return nil
	}
	return finding.UTC(later(c.CommitTime, c.AuthorTime))
}

// Date sets on each finding of a history the bounds of the commit that introduced it. In a shallow clone the region may be older.
func (k *Clocks) Date(fs []*finding.Finding, shallow bool) {
	k.bound()
	byName := make(map[string]int32, len(k.commits))
	for i := range k.commits {
		byName[k.commits[i].Name] = int32(i)
	}
	for _, f := range fs {
		if in := f.Introduced; in != nil {
			if at, ok := byName[in.Commit]; ok {
				f.Here = k.interval(at, finding.FromHistory)
				if shallow {
					f.Here.Half, f.Here.Note = &finding.Point{}, join(f.Here.Note, cutOff)
				}
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

// later returns the later of two times, earlier the earlier one. A zero time is ignored.
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
