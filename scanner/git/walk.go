package git

import (
	"bytes"
	"container/heap"
	"context"
	"slices"
	"time"
)

// commitQueue is a priority queue: latest commit first, names break ties.
type commitQueue []commitData

func (q commitQueue) Len() int { return len(q) }
func (q commitQueue) Less(i, j int) bool {
	if q[i].time != q[j].time {
		return q[i].time > q[j].time
	}
	return bytes.Compare(q[i].id[:], q[j].id[:]) < 0
}
func (q commitQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *commitQueue) Push(x any)   { *q = append(*q, x.(commitData)) }
func (q *commitQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// Colours of a walk from two sides.
const (
	fromLeft  uint8 = 1 << iota // reachable from the left side
	fromRight                   // reachable from the right side
	stale                       // below a common ancestor
	common                      // candidate for the best common ancestor
)

// painter walks from two sides towards the past, latest commits first, handing colours down to parents.
type painter struct {
	repo   *Repo
	rd     *reader
	queue  commitQueue
	colour map[Hash]uint8
	known  map[Hash]commitData
	cut    bool // the walk met the boundary of a shallow clone
}

func newPainter(r *Repo, rd *reader) *painter {
	return &painter{repo: r, rd: rd, colour: map[Hash]uint8{}, known: map[Hash]commitData{}}
}

// paint adds colours to a commit and queues it if any is new.
func (p *painter) paint(h Hash, colours uint8) error {
	before := p.colour[h]
	after := before | colours
	if after == before {
		return nil
	}
	c, ok := p.known[h]
	if !ok {
		var err error
		if c, err = p.repo.commit(p.rd, h); err != nil {
			return err
		}
		p.known[h] = c
	}
	p.colour[h] = after
	heap.Push(&p.queue, c)
	return nil
}

func (p *painter) pop() (commitData, uint8) {
	c := heap.Pop(&p.queue).(commitData)
	p.cut = p.cut || p.repo.shallow[c.id]
	return c, p.colour[c.id]
}

// holds reports whether a queued commit has a colour that matters.
func (p *painter) holds(matters func(colour uint8) bool) bool {
	return slices.ContainsFunc(p.queue, func(c commitData) bool { return matters(p.colour[c.id]) })
}

// mergeBases returns the best common ancestors of two commits, sorted by name, and whether a shallow boundary was met.
func (r *Repo) mergeBases(ctx context.Context, rd *reader, left, right Hash) (bases []Hash, cut bool, err error) {
	p := newPainter(r, rd)
	if err := p.paint(left, fromLeft); err != nil {
		return nil, false, err
	}
	if err := p.paint(right, fromRight); err != nil {
		return nil, false, err
	}
	var found []Hash
	for p.holds(func(colour uint8) bool { return colour&stale == 0 }) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		c, colour := p.pop()
		down := colour & (fromLeft | fromRight | stale)
		if down == fromLeft|fromRight {
			if colour&common == 0 {
				p.colour[c.id] |= common
				found = append(found, c.id)
			}
			down |= stale
		}
		for _, parent := range c.parents {
			if err := p.paint(parent, down); err != nil {
				return nil, false, err
			}
		}
	}
	found = slices.DeleteFunc(found, func(h Hash) bool { return p.colour[h]&stale != 0 })
	bases, err = r.independent(ctx, rd, found)
	return bases, p.cut, err
}

// independent drops the commits that are ancestors of others. Commit times that run backwards can leave such ones.
func (r *Repo) independent(ctx context.Context, rd *reader, commits []Hash) ([]Hash, error) {
	slices.SortFunc(commits, compareHash)
	if len(commits) < 2 {
		return commits, nil
	}
	below := map[Hash]bool{}
	var todo []Hash
	push := func(h Hash) error {
		c, err := r.commit(rd, h)
		todo = append(todo, c.parents...)
		return err
	}
	for _, h := range commits {
		if err := push(h); err != nil {
			return nil, err
		}
	}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if below[h] {
			continue
		}
		below[h] = true
		if err := push(h); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(commits, func(h Hash) bool { return below[h] }), nil
}

// clockSkew is by how much commit times may run backwards from parent to child without a range listing commits its
// base already has. Machines with wrong clocks are off by hours or, rarely, days; more would cost every range the walk
// over the base's whole history, less may list a commit too many, never one too few.
const clockSkew = 30 * 24 * 60 * 60

// rangeWalk lists the commits reachable from heads and not from bases, parents before children, otherwise the earliest
// first. Commits from before since count as reachable from bases. edge holds the excluded parents of listed commits,
// sorted by name.
func (r *Repo) rangeWalk(ctx context.Context, rd *reader, heads, bases []Hash, since time.Time) (list []commitData, edge []Hash, err error) {
	p := newPainter(r, rd)
	for _, h := range bases {
		if err := p.paint(h, fromLeft); err != nil {
			return nil, nil, err
		}
	}
	for _, h := range heads {
		if err := p.paint(h, fromRight); err != nil {
			return nil, nil, err
		}
	}
	oldest := int64(1<<63 - 1)
	wanted := func(colour uint8) bool { return colour&fromLeft == 0 }
	for len(p.queue) > 0 && (p.queue[0].time >= oldest-clockSkew || p.holds(wanted)) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		c, colour := p.pop()
		down := fromLeft
		if wanted(colour) && !since.IsZero() && c.time < since.Unix() {
			colour |= fromLeft
			p.colour[c.id] = colour
		}
		if wanted(colour) {
			down, oldest = fromRight, min(oldest, c.time)
		}
		for _, parent := range c.parents {
			if err := p.paint(parent, down); err != nil {
				return nil, nil, err
			}
		}
	}
	list, edge = p.sorted(wanted)
	return list, edge, nil
}

// sorted puts the wanted commits in order and collects the parents that are not wanted.
func (p *painter) sorted(wanted func(uint8) bool) (list []commitData, edge []Hash) {
	children, pending := map[Hash][]Hash{}, map[Hash]int{}
	outside := map[Hash]bool{}
	var ready earliest
	for h, colour := range p.colour { // order does not matter: all results are sorted
		if !wanted(colour) {
			continue
		}
		c := p.known[h]
		inside := slices.Clone(c.parents)
		slices.SortFunc(inside, compareHash)
		for _, parent := range slices.Compact(inside) {
			if wanted(p.colour[parent]) {
				children[parent] = append(children[parent], h)
				pending[h]++
			} else {
				outside[parent] = true
			}
		}
		if pending[h] == 0 {
			ready.commitQueue = append(ready.commitQueue, c)
		}
	}
	heap.Init(&ready)
	for ready.Len() > 0 {
		c := heap.Pop(&ready).(commitData)
		list = append(list, c)
		for _, child := range children[c.id] {
			if pending[child]--; pending[child] == 0 {
				heap.Push(&ready, p.known[child])
			}
		}
	}
	for h := range outside {
		edge = append(edge, h)
	}
	slices.SortFunc(edge, compareHash)
	return list, edge
}

// earliest is a commitQueue the other way round.
type earliest struct{ commitQueue }

func (q earliest) Less(i, j int) bool { return q.commitQueue.Less(j, i) }

func compareHash(a, b Hash) int { return bytes.Compare(a[:], b[:]) }
