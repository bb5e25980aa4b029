package git

import "context"

// OtherHistories reads the commits of histories that are separate from that of a revision: references lead to them, and they share
// no root commit with the revision. Such a history exists, for example, if a program was begun anew on another branch. In a shallow
// clone the result is empty. The trail of the revision may be nil; it saves reading the revision's commits if there is no separate
// history.
func (r *Repo) OtherHistories(ctx context.Context, rev string, met *Trail) (*Commits, error) {
	out := &Commits{repo: r, index: map[Hash]int{}}
	if r.Shallow() {
		return out, nil
	}
	rd := r.acquire()
	defer r.release(rd)
	head, err := r.commitOf(rd, rev)
	if err != nil {
		return nil, err
	}
	tips, err := (&history{repo: r, rd: rd}).tips()
	if err != nil {
		return nil, err
	}
	if met != nil {
		if joined, err := r.joined(ctx, rd, tips, met); err != nil || joined {
			return out, err
		}
	}
	all, err := r.reachable(ctx, rd, append(tips, head.id))
	if err != nil {
		return nil, err
	}
	for i, foreign := range all.foreign(head.id) {
		if foreign {
			out.index[all.list[i].id] = len(out.list)
			out.list = append(out.list, all.list[i])
		}
	}
	return out, nil
}

// joined reports whether all references descend from commits of a trail only. Then there is no separate history.
func (r *Repo) joined(ctx context.Context, rd *reader, tips []Hash, met *Trail) (bool, error) {
	seen := map[Hash]bool{}
	for len(tips) > 0 {
		h := tips[len(tips)-1]
		tips = tips[:len(tips)-1]
		if _, own := met.index[h]; own || seen[h] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		seen[h] = true
		c, err := r.commit(rd, h)
		if err != nil || len(c.parents) == 0 {
			return false, err
		}
		tips = append(tips, c.parents...)
	}
	return true, nil
}

// foreign marks the commits that share no commit with the history of head. Merges with that history are not marked.
func (l *Commits) foreign(head Hash) []bool {
	own := make([]bool, len(l.list))
	own[l.index[head]] = true
	for i := len(l.list) - 1; i >= 0; i-- {
		for _, p := range l.list[i].parents {
			own[l.index[p]] = own[l.index[p]] || own[i]
		}
	}
	out := make([]bool, len(l.list))
	for i, c := range l.list {
		out[i] = !own[i]
		for _, p := range c.parents {
			out[i] = out[i] && out[l.index[p]]
		}
	}
	return out
}
