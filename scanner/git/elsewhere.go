package git

import "context"

// Elsewhere reads the commits of histories that are not those of a revision: references lead to them, and none of their
// first commits is one that the revision descends from. A program that was begun anew on another branch leaves such a
// history behind. Of a shallow clone nothing is known.
func (r *Repo) Elsewhere(ctx context.Context, rev string) (*Line, error) {
	out := &Line{repo: r, index: map[Hash]int{}}
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
	all, err := r.line(ctx, rd, append(tips, head.id))
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

// foreign marks the commits that share no commit with the history of another. Merges with that history are none.
func (l *Line) foreign(head Hash) []bool {
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
