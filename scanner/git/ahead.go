package git

import (
	"context"
	"slices"
)

// topChange is an entry that differs between two trees.
type topChange struct {
	old, new treeEntry
	below    []topChange // of directories: the entries that differ; nil: not known
}

// maxTops bounds the entries kept of one comparison.
const maxTops = 64

// entryNames holds the names of entries, each once.
type entryNames map[string][]byte

// keepTop keeps an entry. It copies the name, which points into a tree that is not kept.
func (w *treeWalk) keepTop(old, new treeEntry) {
	if len(*w.tops) > maxTops {
		return
	}
	name, ok := w.names[string(new.name)]
	if !ok {
		name = slices.Clone(new.name)
		w.names[string(name)] = name
	}
	old.name, new.name = name, name
	*w.tops = append(*w.tops, topChange{old: old, new: new})
}

// readAhead reads a commit and its first parents in a goroutine of its own, since every walk over a trail needs them. It ends at an
// object that cannot be read; the walk reads that object again and reports the error.
type readAhead struct {
	lots   chan []aheadCommit
	expect Hash // the next commit that comes
	stop   context.CancelFunc
	names  entryNames
	tops   []topChange // of the current commit
	trail  *Trail      // only what walks do not change is read
}

// aheadCommit is a commit with the entries in which its root differs from that of its first parent. nil means too many.
type aheadCommit struct {
	commitData
	tops    []topChange
	summary *ChangeSummary
}

// aheadLot is how many commits are handed over together; aheadLots is how many lots may wait.
const aheadLot, aheadLots = 128, 256

func (t *Trail) readAhead(ctx context.Context, from Hash) *readAhead {
	r := t.repo
	ctx, stop := context.WithCancel(ctx)
	a := &readAhead{lots: make(chan []aheadCommit, aheadLots), expect: from, stop: stop, names: entryNames{}, trail: t}
	go func() {
		defer close(a.lots)
		rd := r.acquire()
		defer r.release(rd)
		c, err := r.commit(rd, from)
		for lot := []aheadCommit(nil); err == nil; lot = nil {
			for len(lot) < aheadLot && !c.id.IsZero() && err == nil && t.remembered[c.id].Changes == nil {
				var next aheadCommit
				next, c, err = a.read(ctx, r, rd, c)
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

// read compares a commit with its first parent. It returns the parent as next, or a zero commit if there is no parent.
func (a *readAhead) read(ctx context.Context, r *Repo, rd *reader, c commitData) (out aheadCommit, next commitData, err error) {
	rd.Lend()
	out.commitData = c
	if r.shallow[c.id] {
		return out, next, ctx.Err()
	}
	if len(c.parents) > 0 {
		if next, err = r.commit(rd, c.parents[0]); err != nil {
			return out, next, err
		}
	}
	a.tops = a.tops[:0]
	w := treeWalk{ctx: ctx, r: rd, tops: &a.tops, names: a.names}
	if w.diff(next.tree, c.tree) == nil && len(a.tops) <= maxTops {
		out.tops = append(make([]topChange, 0, len(a.tops)), a.tops...)
		if len(a.trail.remembered) > 0 {
			out.summary = w.summarize(next.tree, c.tree, out.tops)
		}
	}
	return out, next, ctx.Err()
}

// next returns commits that were read. If h is the next commit of the goroutine, it waits for h. It returns nil if there are no
// commits.
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

// knownTrees holds the results of tree comparisons.
type knownTrees struct {
	names entryNames
	tops  []topChange // of the current comparison
	size  int         // entries and comparisons kept
}

// maxKnown bounds the entries and comparisons kept. Each takes 130 bytes.
const maxKnown = 1 << 18

// recall is compare for walks that repeat: each pair of trees is compared once, as long as there is room.
func (w *treeWalk) recall(old, new Hash, depth int, below *[]topChange) error {
	if *below == nil {
		k := w.known
		if k.size >= maxKnown {
			return w.compare(old, new, depth)
		}
		if k.names == nil {
			k.names = entryNames{}
		}
		k.tops = k.tops[:0]
		one := treeWalk{ctx: w.ctx, r: w.r, tops: &k.tops, names: k.names}
		if err := one.compare(old, new, depth); err != nil {
			return err
		}
		if len(k.tops) > maxTops {
			return w.compare(old, new, depth)
		}
		*below = append(make([]topChange, 0, len(k.tops)), k.tops...)
		k.size += len(k.tops) + 1
	}
	return w.changes(*below, depth)
}

// changes handles entries that differ.
func (w *treeWalk) changes(list []topChange, depth int) error {
	for i := range list {
		if err := w.entry(list[i].old, list[i].new, depth, &list[i].below); err != nil {
			return err
		}
	}
	return nil
}
