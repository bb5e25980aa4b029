package git

import (
	"context"
	"slices"
)

// topChange is an entry of a tree in which it differs from another.
type topChange struct{ old, new treeEntry }

// maxTops bounds what is kept of one comparison.
const maxTops = 64

// keepTop keeps an entry. Its name points into a tree, which is not kept.
func (w *treeWalk) keepTop(old, new treeEntry) {
	if len(*w.tops) <= maxTops {
		name := slices.Clone(new.name)
		old.name, new.name = name, name
		*w.tops = append(*w.tops, topChange{old, new})
	}
}

// readAhead reads a commit and its first parents in a goroutine of its own, since every walk over a trail meets them. What
// cannot be read ends it, and the walk finds out why.
type readAhead struct {
	lots   chan []aheadCommit
	expect Hash // the next commit that comes
	stop   context.CancelFunc
}

// aheadCommit is a commit and in what its root differs from that of its first parent; nil: in too much.
type aheadCommit struct {
	commitData
	tops []topChange
}

// aheadLot is how many commits are handed over together, aheadLots how many lots may lie ready.
const aheadLot, aheadLots = 128, 256

func (r *Repo) readAhead(ctx context.Context, from Hash) *readAhead {
	ctx, stop := context.WithCancel(ctx)
	a := &readAhead{lots: make(chan []aheadCommit, aheadLots), expect: from, stop: stop}
	go func() {
		defer close(a.lots)
		rd := r.acquire()
		defer r.release(rd)
		c, err := r.commit(rd, from)
		for lot := []aheadCommit(nil); err == nil; lot = nil {
			for len(lot) < aheadLot && !c.id.IsZero() && err == nil {
				var next aheadCommit
				next, c, err = r.aheadOf(ctx, rd, c)
				lot = append(lot, next)
			}
			if len(lot) == 0 {
				return
			}
			select {
			case a.lots <- lot:
			case <-ctx.Done():
				return
			}
		}
	}()
	return a
}

// aheadOf compares a commit with its first parent, which is next; a zero one is none.
func (r *Repo) aheadOf(ctx context.Context, rd *reader, c commitData) (out aheadCommit, next commitData, err error) {
	out.commitData = c
	if r.shallow[c.id] {
		return out, next, ctx.Err()
	}
	if len(c.parents) > 0 {
		if next, err = r.commit(rd, c.parents[0]); err != nil {
			return out, next, err
		}
	}
	tops := []topChange{}
	w := treeWalk{ctx: ctx, r: rd, tops: &tops}
	if w.diff(next.tree, c.tree) == nil && len(tops) <= maxTops {
		out.tops = slices.Clip(tops)
	}
	return out, next, ctx.Err()
}

// next returns commits that were read, and waits for them if a commit is the next that comes. It returns nil if there are
// none.
func (a *readAhead) next(h Hash) []aheadCommit {
	if a == nil {
		return nil
	}
	var lot []aheadCommit
	if h == a.expect {
		lot = <-a.lots
	} else {
		select {
		case lot = <-a.lots:
		default:
		}
	}
	if len(lot) > 0 {
		a.expect = Hash{}
		if parents := lot[len(lot)-1].parents; len(parents) > 0 {
			a.expect = parents[0]
		}
	}
	return lot
}

// close ends the reading.
func (a *readAhead) close() {
	a.stop()
	for range a.lots {
	}
}

// knownTrees keeps in what entries pairs of trees differ.
type knownTrees struct {
	diffs map[[2]Hash][]topChange
	names map[string][]byte
	size  int // entries and pairs kept
}

// maxKnown bounds the entries and pairs kept, of 120 bytes each.
const maxKnown = 1 << 18

// recall is compare for walks that come by again: each pair of trees is read once, as long as there is room.
func (w *treeWalk) recall(old, new Hash, depth int) error {
	k, pair := w.known, [2]Hash{old, new}
	diff, ok := k.diffs[pair]
	if !ok {
		if k.size >= maxKnown {
			return w.compare(old, new, depth)
		}
		one := treeWalk{ctx: w.ctx, r: w.r, tops: &diff}
		if err := one.compare(old, new, depth); err != nil {
			return err
		}
		if len(diff) > maxTops {
			return w.compare(old, new, depth)
		}
		k.keep(pair, diff)
	}
	for _, t := range diff {
		if err := w.entry(t.old, t.new, depth); err != nil {
			return err
		}
	}
	return nil
}

func (k *knownTrees) keep(pair [2]Hash, diff []topChange) {
	if k.diffs == nil {
		k.diffs, k.names = map[[2]Hash][]topChange{}, map[string][]byte{}
	}
	for i := range diff {
		name, ok := k.names[string(diff[i].new.name)]
		if !ok {
			name = diff[i].new.name
			k.names[string(name)] = name
		}
		diff[i].old.name, diff[i].new.name = name, name
	}
	k.diffs[pair] = slices.Clip(diff)
	k.size += len(diff) + 1
}
