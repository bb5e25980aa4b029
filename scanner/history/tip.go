package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// tipLocation is a location of a region at one of the last commits of a history.
type tipLocation struct {
	commit string
	finding.Location
}

// conclude makes one finding of each story. Its evidence is that of the longest version at the tips, or of the last version if
// the region left.
func (h *scan) conclude(ctx context.Context) error {
	project := h.e.Project()
	project.Dates = true
	t := tips{h: h, e: h.e.For(project), examined: map[string]*examine.Output{}}
	if head, err := h.repo.Resolve(ctx, "HEAD"); err == nil { // the history may be one of other references
		t.head = head.Name
	}
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
	head     string                     // the commit of HEAD, "" if there is none
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
	slices.SortStableFunc(order, func(a, b tipLocation) int { return strings.Compare(a.commit, b.commit) })
	outs := make([]*examine.Output, len(order))
	notices := tipNotices{repo: t.h.repo, commit: t.head}
	err := t.h.pool(t.e).Each(ctx, len(order), func(w *examine.Worker, i int) error {
		p := order[i]
		text, err := t.h.repo.FileAt(ctx, p.commit, p.Path, t.e.Options().MaxFileSize)
		if err != nil || text == nil {
			return err
		}
		out, err := w.Input(ctx, examine.Input{Path: p.Path, Read: func(context.Context) ([]byte, error) { return text, nil }, Notices: notices.of(p.commit)})
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

// tipNotices has the notices of the tip that was asked for last. Tips are asked for one after the other, and many have large notices.
type tipNotices struct {
	repo *git.Repo

	mu      sync.Mutex
	commit  string
	notices *verdict.Notices // nil: those of the project, which are of HEAD
}

func (n *tipNotices) of(commit string) *verdict.Notices {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.commit != commit {
		n.commit, n.notices = commit, verdict.InCommit(n.repo, commit)
	}
	return n.notices
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

// evidence returns the finding of a story: at the tips the longest one, of equally long ones that of HEAD. The allow marks of an existing
// region are read at the tip: marks may have been added or removed since it entered. All its locations must have one. If the region left,
// the last content that had it decides.
func (t *tips) evidence(st *story) examine.Found {
	out := examine.Found{Finding: t.h.r.Findings[st.finding]}
	if len(st.tips) == 0 {
		return out
	}
	var best *examine.Found
	tip := "" // the commit of best
	var mark *finding.Inline
	covered, known := true, true
	for _, p := range st.tips {
		f := t.at(p)
		if f == nil {
			known = known && t.examined[p.file()] != nil
			covered = false
			continue
		}
		if best == nil || f.Tokens > best.Tokens || f.Tokens == best.Tokens && p.commit == t.head && tip != t.head {
			best, tip = f, p.commit
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

// contentAt is a content at a path, by which its findings are named, in a commit that has it.
type contentAt struct {
	path   string
	key    blobKey
	commit string
}

// leftRegions are regions that left, with the content that had them last. commit is the last known commit with that content.
type leftRegions struct {
	contentAt
	stories   []int
	asEntered bool // the findings that were made when they entered are of this content at this path
}

// last returns a finding for the last version of each region that left, by story. It has the notices of the last commit with the
// region: a copy that left often took its licence along. nil means that the finding of the version that entered stands for the
// story.
func (t *tips) last(ctx context.Context, stories []*story) ([]*finding.Finding, error) {
	groups, err := t.groupLeft(ctx, stories)
	if err != nil {
		return nil, err
	}
	out := make([]*finding.Finding, len(stories))
	err = t.h.pool(t.h.e).Each(ctx, len(groups), func(w *examine.Worker, n int) error {
		notices := verdict.InCommit(t.h.repo, groups[n][0].commit)
		for _, l := range groups[n] {
			found, err := t.lastIn(ctx, w, l, notices)
			if err != nil {
				return err
			}
			for _, i := range l.stories {
				s := stories[i].last().s
				if s.At < len(found) && found[s.At].ID == s.ID {
					f := found[s.At].Finding // keeps no other finding of the content
					out[i] = &f
				}
			}
		}
		return nil
	})
	return out, err
}

// lastIn examines a content under the notices that it had last. It returns nothing if the findings at hand are the same.
func (t *tips) lastIn(ctx context.Context, w *examine.Worker, l leftRegions, notices *verdict.Notices) ([]examine.Found, error) {
	had, err := notices.Sum(ctx, l.path)
	if err != nil {
		return nil, err
	}
	now, err := t.h.e.Project().Notices.Sum(ctx, l.path)
	if err != nil || l.asEntered && had == now {
		return nil, err
	}
	out, err := w.Input(ctx, examine.Input{Path: l.path, Read: examine.Blob(t.h.repo, l.key.blob, t.h.e.Options().MaxFileSize), Notices: notices})
	return out.Findings, err
}

// maxLeaving bounds the contents that one worker examines for a commit.
const maxLeaving = 64

// groupLeft groups the regions that left by their last commits, each of which has its own notices.
func (t *tips) groupLeft(ctx context.Context, stories []*story) ([][]leftRegions, error) {
	var all []leftRegions
	at := map[contentAt]int{}
	for i, st := range stories {
		if len(st.tips) > 0 {
			continue
		}
		commit, err := t.lastCommit(ctx, st)
		if err != nil {
			return nil, err
		}
		k := contentAt{st.last().v.path, st.last().v.key, commit}
		n, ok := at[k]
		if !ok {
			n, all = len(all), append(all, leftRegions{contentAt: k, asEntered: true})
			at[k] = n
		}
		all[n].stories = append(all[n].stories, i)
		f := &t.h.r.Findings[st.finding]
		all[n].asEntered = all[n].asEntered && st.last().s.ID == f.ID && st.last().v.path == f.Path
	}
	slices.SortStableFunc(all, func(a, b leftRegions) int { return strings.Compare(a.commit, b.commit) })
	var out [][]leftRegions
	for _, l := range all {
		if n := len(out); n > 0 && out[n-1][0].commit == l.commit && len(out[n-1]) < maxLeaving {
			out[n-1] = append(out[n-1], l)
		} else {
			out = append(out, []leftRegions{l})
		}
	}
	return out, nil
}

// lastCommit names the last commit that had a region: the last one seen, or for a region that left, a parent of the commit that
// removed it. A shallow clone may lack this parent. Then it names the commit in which the region's last version appeared.
func (t *tips) lastCommit(ctx context.Context, st *story) (string, error) {
	last := st.last()
	if len(st.events) == 0 || !st.events[len(st.events)-1].left {
		return last.commit.Commit, nil
	}
	removed, err := t.h.repo.Resolve(ctx, st.events[len(st.events)-1].commit.Commit)
	if err != nil {
		return "", err
	}
	dir := last.v.path[:max(strings.LastIndexByte(last.v.path, '/'), 0)]
	for n := range removed.Parents {
		parent := fmt.Sprintf("%s^%d", removed.Name, n+1)
		files, err := t.h.repo.Dir(ctx, parent, dir)
		if err != nil && ctx.Err() != nil {
			return "", err
		}
		if slices.ContainsFunc(files, func(f git.File) bool { return f.Path == last.v.path && f.Blob == last.v.key.blob }) {
			return parent, nil
		}
	}
	return last.commit.Commit, nil
}

// introduced finds the first commits that have most of each region. Regions at HEAD are dated as by a scan of HEAD. An earlier
// version of the region may be older still, in a file that was not followed.
func (t *tips) introduced(ctx context.Context, stories []*story, evidence []examine.Found) ([]*finding.Commit, error) {
	out := make([]*finding.Commit, len(stories))
	for i, st := range stories {
		out[i] = st.entered
	}
	if t.h.partial || t.head == "" {
		return out, nil
	}
	dated := make([]targetdates.Story, len(stories))
	for i, st := range stories {
		dated[i] = t.story(st, &evidence[i])
	}
	first, whole, err := targetdates.Entered(ctx, targetdates.Readers{Pool: t.h.pool(t.e), MaxFileSize: t.e.Options().MaxFileSize}, targetdates.History{Repo: t.h.repo, Head: t.head}, dated)
	t.h.unread = t.h.unread || !whole
	for i, c := range first {
		if c != nil {
			out[i] = c
		}
	}
	return out, err
}

// story returns the data by which a story is dated: its locations at HEAD, and its versions.
func (t *tips) story(st *story, f *examine.Found) targetdates.Story {
	r := targetdates.Story{Found: f, Path: st.path}
	for _, p := range st.tips {
		if f := t.at(p); f != nil && p.commit == t.head && f.Signature != nil {
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
