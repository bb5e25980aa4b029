package git

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// node is a commit that a walk met.
type node struct {
	commitData
	colour uint8
	first  int32 // number of the first parent plus 1, if known
}

// Colours of a walk from two sides.
const (
	fromLeft  uint8 = 1 << iota // reachable from the left side
	fromRight                   // reachable from the right side
	stale                       // below a common ancestor
	common                      // candidate for the best common ancestor
)

// commitHeap is a priority queue of nodes, by their index: the latest commit first, or the earliest. Names break ties.
type commitHeap struct {
	order    []int32
	earliest bool
}

func (q *commitHeap) before(nodes []node, i, j int) bool {
	a, b := &nodes[q.order[i]], &nodes[q.order[j]]
	if q.earliest {
		a, b = b, a
	}
	if a.time != b.time {
		return a.time > b.time
	}
	return bytes.Compare(a.id[:], b.id[:]) < 0
}

func (q *commitHeap) push(nodes []node, n int32) {
	q.order = append(q.order, n)
	for i := len(q.order) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.before(nodes, i, up) {
			return
		}
		q.order[i], q.order[up] = q.order[up], q.order[i]
		i = up
	}
}

func (q *commitHeap) pop(nodes []node) int32 {
	first, last := q.order[0], len(q.order)-1
	q.order[0] = q.order[last]
	q.order = q.order[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return first
		}
		if down+1 < last && q.before(nodes, down+1, down) {
			down++
		}
		if !q.before(nodes, down, i) {
			return first
		}
		q.order[i], q.order[down] = q.order[down], q.order[i]
		i = down
	}
}

// painter walks from two sides towards the past, latest commits first, and passes colours on to parents.
type painter struct {
	repo  *Repo
	rd    *reader
	nodes []node
	index map[Hash]int32 // of nodes
	queue commitHeap
	cut   bool // the walk met the boundary of a shallow clone
}

func newPainter(r *Repo, rd *reader) *painter {
	return &painter{repo: r, rd: rd, index: map[Hash]int32{}}
}

// paint adds colours to a commit and queues it if any is new.
func (p *painter) paint(h Hash, colours uint8) error {
	i, ok := p.index[h]
	if !ok {
		c, err := p.repo.commit(p.rd, h)
		if err != nil {
			return err
		}
		i = int32(len(p.nodes))
		p.nodes = append(p.nodes, node{commitData: c})
		p.index[h] = i
	}
	n := &p.nodes[i]
	if n.colour|colours == n.colour {
		return nil
	}
	n.colour |= colours
	p.queue.push(p.nodes, i)
	return nil
}

// paintAll paints some commits.
func (p *painter) paintAll(commits []Hash, colours uint8) error {
	for _, h := range commits {
		if err := p.paint(h, colours); err != nil {
			return err
		}
	}
	return nil
}

// pop takes the first commit off the queue. The pointer is valid until another commit is painted.
func (p *painter) pop() *node {
	n := &p.nodes[p.queue.pop(p.nodes)]
	p.cut = p.cut || p.repo.shallow[n.id]
	return n
}

// holds reports whether a queued commit has a colour that matters.
func (p *painter) holds(matters func(colour uint8) bool) bool {
	return slices.ContainsFunc(p.queue.order, func(i int32) bool { return matters(p.nodes[i].colour) })
}

// mergeBases returns the best common ancestors of two commits, sorted by name. cut says that a shallow boundary was met.
func (r *Repo) mergeBases(ctx context.Context, rd *reader, left, right Hash) (bases []Hash, cut bool, err error) {
	p := newPainter(r, rd)
	if err := p.paint(left, fromLeft); err != nil {
		return nil, false, err
	}
	if err := p.paint(right, fromRight); err != nil {
		return nil, false, err
	}
	var found []int32
	for p.holds(func(colour uint8) bool { return colour&stale == 0 }) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		n := p.pop()
		down := n.colour & (fromLeft | fromRight | stale)
		if down == fromLeft|fromRight {
			if n.colour&common == 0 {
				n.colour |= common
				found = append(found, p.index[n.id])
			}
			down |= stale
		}
		if err := p.paintAll(n.parents, down); err != nil {
			return nil, false, err
		}
	}
	for _, i := range found {
		if n := &p.nodes[i]; n.colour&stale == 0 {
			bases = append(bases, n.id)
		}
	}
	bases, err = r.independent(ctx, rd, bases)
	return bases, p.cut, err
}

// independent drops commits that are ancestors of others. mergeBases can leave such commits if commit times run
// backwards.
func (r *Repo) independent(ctx context.Context, rd *reader, commits []Hash) ([]Hash, error) {
	slices.SortFunc(commits, object.Compare)
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

// clockSkew is how far commit times may run backwards from parent to child before a range lists commits that its base
// already has. Wrong clocks are off by hours or, rarely, days. A larger value would make every range walk more of the
// base's history. A smaller one may list a commit too many, never one too few.
const clockSkew = 30 * 24 * 60 * 60

// rangeWalk lists the commits reachable from heads and not from bases, parents before children, otherwise the earliest
// first. Commits from before since count as reachable from bases. edge holds the excluded parents of listed commits,
// sorted by name.
func (r *Repo) rangeWalk(ctx context.Context, rd *reader, heads, bases []Hash, since time.Time) (list []commitData, edge []Hash, err error) {
	p := newPainter(r, rd)
	if err := p.paintAll(bases, fromLeft); err != nil {
		return nil, nil, err
	}
	if err := p.paintAll(heads, fromRight); err != nil {
		return nil, nil, err
	}
	oldest := int64(1<<63 - 1)
	for len(p.queue.order) > 0 && (p.nodes[p.queue.order[0]].time >= oldest-clockSkew || p.holds(wanted)) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		n := p.pop()
		down := fromLeft
		if wanted(n.colour) && !since.IsZero() && n.time < since.Unix() {
			n.colour |= fromLeft
		}
		if wanted(n.colour) {
			down, oldest = fromRight, min(oldest, n.time)
		}
		if err := p.paintAll(n.parents, down); err != nil {
			return nil, nil, err
		}
	}
	order, edge := p.sorted()
	list = make([]commitData, len(order))
	for i, n := range order {
		list[i] = p.nodes[n].commitData
	}
	return list, edge, nil
}

// wanted reports whether a range lists a commit of that colour.
func wanted(colour uint8) bool { return colour&fromLeft == 0 }

// parent returns the number of a parent of a node, if it was met.
func (p *painter) parent(n *node, k int) (int32, bool) {
	if k == 0 && n.first > 0 {
		return n.first - 1, true
	}
	at, met := p.index[n.parents[k]]
	return at, met
}

// sorted orders the wanted commits and collects their parents that are not wanted. Parents that were not met do not
// count.
func (p *painter) sorted() (order []int32, edge []Hash) {
	// children of a node: a chain that begins at first and continues with next
	type child struct{ node, next int32 }
	children := []child{{}}
	first, pending := make([]int32, len(p.nodes)), make([]int32, len(p.nodes))
	ready := commitHeap{earliest: true}
	outside := map[Hash]bool{}
	count := 0
	for i := range p.nodes {
		n := &p.nodes[i]
		if !wanted(n.colour) {
			continue
		}
		count++
		for k, h := range n.parents {
			parent, met := p.parent(n, k)
			switch {
			case !met:
			case !wanted(p.nodes[parent].colour):
				outside[h] = true
			case !slices.Contains(n.parents[:k], h):
				children = append(children, child{int32(i), first[parent]})
				first[parent] = int32(len(children) - 1)
				pending[i]++
			}
		}
		if pending[i] == 0 {
			ready.push(p.nodes, int32(i))
		}
	}
	order = make([]int32, 0, count)
	for len(ready.order) > 0 {
		i := ready.pop(p.nodes)
		order = append(order, i)
		for c := first[i]; c != 0; c = children[c].next {
			if at := children[c].node; pending[at] > 1 {
				pending[at]--
			} else {
				ready.push(p.nodes, at)
			}
		}
	}
	for h := range outside {
		edge = append(edge, h)
	}
	slices.SortFunc(edge, object.Compare)
	return order, edge
}
