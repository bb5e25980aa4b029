package scanner

import (
	"context"
	"errors"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/trace"
)

// standing is a place of a region at one of the commits that a history ends with.
type standing struct {
	commit string
	Location
}

// conclude makes one finding of each story: with the evidence of the version that
// stands at the tip, of several of the longest, or of the last one if it left.
func (h *historyScan) conclude(ctx context.Context) error {
	h.ctx = ctx // that of the run is done with
	target := h.s.Target()
	target.Dates = true
	t := tips{h: h, s: h.s.at(target), examined: map[string]*examine.Output{}}
	stories := h.follower.stories()
	if err := t.examine(ctx, stories); err != nil {
		return err
	}
	evidence := make([]examine.Found, len(stories))
	for i, st := range stories {
		var err error
		if evidence[i], err = t.evidence(st); err != nil {
			return err
		}
	}
	introduced, err := t.introduced(ctx, stories, evidence)
	if err != nil {
		return err
	}
	for i, st := range stories {
		st.tell(&evidence[i].Finding, introduced[i])
		now := sightOf(&evidence[i], 0)
		evidence[i].FormerIDs = st.former(&now)
	}
	h.r.found, h.r.Findings = evidence, []Finding{}
	return nil
}

// tips looks at the files in which regions stand at the ends of a history.
type tips struct {
	h        *historyScan
	s        *Scanner                   // that keeps what regions are dated by
	examined map[string]*examine.Output // by commit and path; nil where a content cannot be read
}

func (p standing) file() string { return p.commit + "\x00" + p.Path }

// examine examines the files of the tips with regions.
func (t *tips) examine(ctx context.Context, stories []*story) error {
	var order []standing
	for _, st := range stories {
		for _, p := range st.stands {
			if _, ok := t.examined[p.file()]; !ok {
				t.examined[p.file()] = nil
				order = append(order, p)
			}
		}
	}
	outs := make([]*examine.Output, len(order))
	err := t.s.pool().Each(ctx, len(order), func(w *examine.Worker, i int) error {
		p := order[i]
		text, err := t.h.repo.FileAt(ctx, p.commit, p.Path, t.s.o.MaxFileSize)
		if err != nil || text == nil {
			return err
		}
		out, err := w.Input(ctx, examine.Input{Path: p.Path, Read: func(context.Context) ([]byte, error) { return text, nil }})
		outs[i] = &out
		return err
	})
	for i, p := range order {
		if t.examined[p.file()] = outs[i]; outs[i] != nil {
			t.h.r.Inline = append(t.h.r.Inline, outs[i].Inline...)
		}
	}
	return err
}

// at returns the finding at a place of a tip, nil where it cannot be read.
func (t *tips) at(p standing) *examine.Found {
	out := t.examined[p.file()]
	if out == nil {
		return nil
	}
	i := slices.IndexFunc(out.Findings, func(f examine.Found) bool { return f.StartLine == p.StartLine && f.EndLine == p.EndLine })
	if i < 0 {
		return nil
	}
	return &out.Findings[i]
}

// evidence returns the finding of a story. The contents at the tip decide by which
// mark a region is allowed that still stands: a mark may have been added long after
// the region came in, or be gone. All places of a region have to be covered. Of a
// region that left, the content in which it was last decides.
func (t *tips) evidence(st *story) (examine.Found, error) {
	if len(st.stands) == 0 {
		return t.last(st)
	}
	var best *examine.Found
	var mark *Inline
	covered, known := true, true
	for _, p := range st.stands {
		f := t.at(p)
		if f == nil {
			known = known && t.examined[p.file()] != nil
			covered = false
			continue
		}
		if best == nil || f.Tokens > best.Tokens {
			best = f
		}
		if f.Inline == nil || f.Inline.Err != nil {
			covered = false
		} else if mark == nil {
			mark = f.Inline
		}
	}
	out := examine.Found{Finding: t.h.r.Findings[st.finding]}
	if best != nil {
		out = *best
	}
	if known {
		if out.Inline = mark; !covered {
			out.Inline = nil
		}
	}
	return out, nil
}

// last returns the finding of the last version of a region that left.
func (t *tips) last(st *story) (examine.Found, error) {
	f, v := examine.Found{Finding: t.h.r.Findings[st.finding]}, st.seen[len(st.seen)-1]
	if v.s.ID == f.ID && v.v.path == f.Path {
		return f, nil
	}
	o := &outcome{}
	if err := t.h.again(v.v, o); err != nil {
		return f, err
	}
	t.h.held -= o.size()
	if v.s.At < len(o.findings) && o.findings[v.s.At].ID == v.s.ID {
		f = examine.Found{Finding: o.findings[v.s.At]}
	}
	return f, nil
}

// introduced finds the first commits that have most of the regions. Those that stand
// at HEAD are dated as in a scan of it; an earlier version of the region itself may
// be older still, in a file that nothing leads to from there.
func (t *tips) introduced(ctx context.Context, stories []*story, evidence []examine.Found) ([]*Commit, error) {
	out := make([]*Commit, len(stories))
	for i, st := range stories {
		out[i] = st.entered
	}
	if t.h.partial {
		return out, nil
	}
	head, err := t.h.repo.Resolve(ctx, "HEAD")
	if err != nil { // of a history given by other references
		return out, nil
	}
	d := &dater{s: t.s, dated: dated{repo: t.h.repo, head: head.Name}, records: map[string][]record{}, walked: map[string]int32{}, sources: map[int32]*sources{}}
	needs, of := t.needs(stories, head.Name)
	if len(needs) == 0 {
		return out, nil
	}
	if err := d.run(ctx, needs); err != nil {
		return nil, err
	}
	for i, st := range stories {
		if evidence[i].Signature == nil || len(of[i]) == 0 {
			continue
		}
		if out[i], err = d.first(ctx, t.h.spare, st, of[i], &evidence[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// needs lists what is to be dated, and by story: each place at HEAD.
func (t *tips) needs(stories []*story, head string) (all []*need, of [][]*need) {
	of = make([][]*need, len(stories))
	for i, st := range stories {
		for _, p := range st.stands {
			if f := t.at(p); f != nil && p.commit == head && f.Signature != nil {
				n := &need{f: f, commit: -1, visited: map[string]bool{}}
				all, of[i] = append(all, n), append(of[i], n)
			}
		}
	}
	return all, of
}

// first returns the first commit that has most of a region: in a file that its places
// came from, or in an earlier version.
func (d *dater) first(ctx context.Context, w *examine.Worker, st *story, needs []*need, f *examine.Found) (*Commit, error) {
	best, path := int32(1<<30), ""
	for _, n := range needs {
		if n.commit >= 0 && !n.older && !n.lacks && n.commit < best {
			best, path = n.commit, n.path
		}
	}
	look := d.looker(ctx, w, query{path: st.path, needs: []*need{{f: f}}})
	for _, v := range st.seen {
		at, ok := d.clocks.index[v.id]
		if !ok || at >= best {
			continue
		}
		shares, err := look(record{blob: v.v.key.blob})
		if err != nil {
			return nil, err
		}
		if shares == nil || shares[0] >= trace.Most { // what cannot be read was found to be the region
			best, path = at, v.v.path
		}
	}
	if best == 1<<30 {
		return st.entered, nil
	}
	c := commitOf(&d.clocks.at(best).Commit)
	c.Path = path
	return c, nil
}

// storedInline is a mark with its error as text.
type storedInline struct {
	Inline
	Err string
}

func shelveInline(m *Inline) *storedInline {
	if m == nil {
		return nil
	}
	s := &storedInline{Inline: *m}
	if m.Err != nil {
		s.Err, s.Inline.Err = m.Err.Error(), nil
	}
	return s
}

func (s *storedInline) unshelve() *Inline {
	if s == nil {
		return nil
	}
	m := s.Inline
	if s.Err != "" {
		m.Err = errors.New(s.Err)
	}
	return &m
}
