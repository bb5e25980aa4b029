package history

import (
	"context"
	"errors"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// tipLocation is a location of a region at one of the last commits of a history.
type tipLocation struct {
	commit string
	finding.Location
}

// conclude makes one finding of each story. Its evidence is that of the longest version at the tips, or of the last version if
// the region left.
func (h *scan) conclude(ctx context.Context) error {
	h.ctx = ctx // the context of the run is done
	project := h.e.Project()
	project.Dates = true
	t := tips{h: h, e: h.e.For(project), examined: map[string]*examine.Output{}}
	stories := h.follower.stories()
	if err := t.examine(ctx, stories); err != nil {
		return err
	}
	last, err := t.last(ctx, stories)
	if err != nil {
		return err
	}
	evidence := make([]examine.Found, len(stories))
	for i, st := range stories {
		if evidence[i] = t.evidence(st); last[i] != nil {
			evidence[i].Finding = *last[i]
		}
	}
	introduced, err := t.introduced(ctx, stories, evidence)
	if err != nil {
		return err
	}
	for i, st := range stories {
		st.tell(&evidence[i].Finding, introduced[i])
		now := snapshotOf(&evidence[i], 0)
		evidence[i].FormerIDs = st.former(&now)
		h.tips = append(h.tips, st.tipOf(&evidence[i].Finding))
	}
	h.r.Found, h.r.Findings = evidence, []finding.Finding{}
	return nil
}

// tipOf returns a last commit that has a finding at its path, or "".
func (st *story) tipOf(f *finding.Finding) string {
	for _, p := range st.tips {
		if p.Path == f.Path {
			return p.commit
		}
	}
	return ""
}

// tips examines the files that have regions at the tips of a history.
type tips struct {
	h        *scan
	e        *examine.Examiner          // also computes the signatures by which regions are dated
	examined map[string]*examine.Output // by commit and path; nil if a content cannot be read
}

func (p tipLocation) file() string { return p.commit + "\x00" + p.Path }

// examine examines the files of the tips that have regions.
func (t *tips) examine(ctx context.Context, stories []*story) error {
	var order []tipLocation
	for _, st := range stories {
		for _, p := range st.tips {
			if _, ok := t.examined[p.file()]; !ok {
				t.examined[p.file()] = nil
				order = append(order, p)
			}
		}
	}
	outs := make([]*examine.Output, len(order))
	err := t.h.pool(t.e).Each(ctx, len(order), func(w *examine.Worker, i int) error {
		p := order[i]
		text, err := t.h.repo.FileAt(ctx, p.commit, p.Path, t.e.Options().MaxFileSize)
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

// at returns the finding at a location of a tip, or nil.
func (t *tips) at(p tipLocation) *examine.Found {
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

// evidence returns the finding of a story. The allow marks of an existing region are read at the tip: marks may have been added
// or removed since it entered. All its locations must have one. If the region left, the last content that had it decides.
func (t *tips) evidence(st *story) examine.Found {
	out := examine.Found{Finding: t.h.r.Findings[st.finding]}
	if len(st.tips) == 0 {
		return out
	}
	var best *examine.Found
	var mark *finding.Inline
	covered, known := true, true
	for _, p := range st.tips {
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
	if best != nil {
		out = *best
	}
	if known {
		if out.Inline = mark; !covered {
			out.Inline = nil
		}
	}
	return out
}

// contentAt is a content at a path, by which its findings are named.
type contentAt struct {
	path string
	key  blobKey
}

// last returns the findings of the last versions of regions that left, by story. Each content is examined once for all its regions. nil
// means that the finding of the version that entered stands for the story.
func (t *tips) last(ctx context.Context, stories []*story) ([]*finding.Finding, error) {
	left := map[contentAt][]int{}
	var order []contentAt
	for i, st := range stories {
		f, v := &t.h.r.Findings[st.finding], st.appearances[len(st.appearances)-1]
		if len(st.tips) > 0 || v.s.ID == f.ID && v.v.path == f.Path {
			continue
		}
		at := contentAt{v.v.path, v.v.key}
		if left[at] == nil {
			order = append(order, at)
		}
		left[at] = append(left[at], i)
	}
	out := make([]*finding.Finding, len(stories))
	err := t.h.pool(t.h.e).Each(ctx, len(order), func(w *examine.Worker, n int) error {
		at := order[n]
		now, err := w.Input(ctx, examine.Input{Path: at.path, Read: examine.Blob(t.h.repo, at.key.blob, t.h.e.Options().MaxFileSize)})
		for _, i := range left[at] {
			s := stories[i].appearances[len(stories[i].appearances)-1].s
			if s.At < len(now.Findings) && now.Findings[s.At].ID == s.ID {
				f := now.Findings[s.At].Finding // keeps no other finding of the content
				out[i] = &f
			}
		}
		return err
	})
	return out, err
}

// introduced finds the first commits that have most of each region. Regions at HEAD are dated as by a scan of HEAD. An earlier
// version of the region may be older still, in a file that was not followed.
func (t *tips) introduced(ctx context.Context, stories []*story, evidence []examine.Found) ([]*finding.Commit, error) {
	out := make([]*finding.Commit, len(stories))
	for i, st := range stories {
		out[i] = st.entered
	}
	if t.h.partial {
		return out, nil
	}
	head, err := t.h.repo.Resolve(ctx, "HEAD")
	if err != nil { // the history may be one of other references
		return out, nil
	}
	dated := make([]targetdates.Story, len(stories))
	for i, st := range stories {
		dated[i] = t.story(st, &evidence[i], head.Name)
	}
	first, whole, err := targetdates.Entered(ctx, targetdates.Readers{Pool: t.h.pool(t.e), MaxFileSize: t.e.Options().MaxFileSize}, targetdates.History{Repo: t.h.repo, Head: head.Name}, dated)
	t.h.unread = t.h.unread || !whole
	for i, c := range first {
		if c != nil {
			out[i] = c
		}
	}
	return out, err
}

// story returns the data by which a story is dated: its locations at HEAD, and its versions.
func (t *tips) story(st *story, f *examine.Found, head string) targetdates.Story {
	r := targetdates.Story{Found: f, Path: st.path}
	for _, p := range st.tips {
		if f := t.at(p); f != nil && p.commit == head && f.Signature != nil {
			r.Locations = append(r.Locations, f)
		}
	}
	for _, v := range st.appearances {
		r.Seen = append(r.Seen, targetdates.Version{Commit: v.id, Path: v.v.path, Blob: v.v.key.blob})
	}
	return r
}

// storedInline is an allow mark with its error as text.
type storedInline struct {
	finding.Inline
	Err string
}

func shelveInline(m *finding.Inline) *storedInline {
	if m == nil {
		return nil
	}
	s := &storedInline{Inline: *m}
	if m.Err != nil {
		s.Err, s.Inline.Err = m.Err.Error(), nil
	}
	return s
}

func (s *storedInline) unshelve() *finding.Inline {
	if s == nil {
		return nil
	}
	m := s.Inline
	if s.Err != "" {
		m.Err = errors.New(s.Err)
	}
	return &m
}
