package targetdates

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// WholeHistory is the history of a repository, as reached from HEAD or the tags of versions. It finds regions by reading every
// content once. It follows no files, so it loses none.
type WholeHistory struct {
	repo    *git.Repo
	commits *git.Commits
	clocks  *Clocks
	tags    []git.Tag
	shallow bool
	target  bool    // the repository is the target's
	least   float64 // least share of a region that is recorded
}

const (
	// maxContents limits the contents that are read from one repository, and maxPlaces the places at which they occur. moby has
	// 190,000 contents of Go in 51,000 commits.
	maxContents = 400_000
	maxPlaces   = 4_000_000
	// maxContent limits the size of a content, in bytes.
	maxContent = 4 << 20
	// atATime is how many contents are read between two checks for regions that were found.
	atATime = 512
)

// OfTarget reads the commits of the target up to head.
func OfTarget(ctx context.Context, repo *git.Repo, head string, now time.Time) (*WholeHistory, error) {
	h := &WholeHistory{repo: repo, shallow: repo.Shallow(), target: true, least: trace.Half}
	var err error
	if h.commits, err = repo.Reachable(ctx, head); err != nil {
		return nil, err
	}
	return h, h.order(now)
}

// OfOrigin reads the commits of an origin's repository. release reports whether a tag names a version.
func OfOrigin(ctx context.Context, repo *git.Repo, release func(tag string) bool, now time.Time) (*WholeHistory, error) {
	tags, _, err := repo.Tags(ctx)
	if err != nil {
		return nil, err
	}
	h := &WholeHistory{repo: repo, shallow: repo.Shallow(), least: trace.Half}
	var heads []git.Hash
	for _, t := range tags {
		if release(t.Name) {
			h.tags = append(h.tags, t)
			heads = append(heads, t.Commit)
		}
	}
	if h.commits, err = repo.Released(ctx, heads); err != nil {
		return nil, err
	}
	return h, h.order(now)
}

// order bounds the times of the commits.
func (h *WholeHistory) order(now time.Time) error {
	if h.commits.Len() == 0 {
		return errors.New("it has no commits")
	}
	h.clocks = NewClocks(now)
	h.clocks.read = h.commits.Commit
	for i := range h.commits.Len() {
		h.clocks.Add(h.commits.Brief(i), h.commits.Boundary(i))
	}
	h.clocks.bound()
	return nil
}

// Has reports whether a commit is part of the history.
func (h *WholeHistory) Has(commit string) bool {
	_, ok := h.commits.Find(commit)
	return ok
}

// First is the result of searching a history for a needle.
type First struct {
	Interval *finding.Interval // nil: no content has the needle
	Commit   *finding.Commit   // the first that has it; Path is that of the file
	Tag      string            // of the first version that contains the commit; "" if there is none
	Root     bool              // the history begins with the commit
	Unread   bool              // an earlier content could not be read

	order int // index of the commit in the history
}

// firstCommits are the first commits in which a needle was found: half of it, most of it, most of it outside vendored directories,
// and nearly all of it.
type firstCommits struct {
	half, most, own int32 // indexes of commits; -1: none
	bulk            int32 // with four fifths of it
	path            string
	read            bool // all contents before most were read
}

// Find searches the history for needles, which must be of one language family.
func (h *WholeHistory) Find(ctx context.Context, needles []*Needle) ([]First, error) {
	arrivals, whole, err := h.arrivals(ctx, needles)
	if err != nil {
		return nil, err
	}
	s := &search{history: h, needles: needles, firsts: make([]firstCommits, len(needles))}
	for i := range s.firsts {
		s.firsts[i] = firstCommits{half: -1, most: -1, own: -1, bulk: -1, read: whole}
	}
	if err := s.run(ctx, arrivals); err != nil {
		return nil, err
	}
	out := make([]First, len(needles))
	for i, f := range s.firsts {
		out[i] = h.first(f)
	}
	h.name(out)
	return out, nil
}

// arrivals lists the contents that can have one of the needles, with the commits that added them. Each content is listed at most
// twice: once inside vendored directories, once outside.
func (h *WholeHistory) arrivals(ctx context.Context, needles []*Needle) ([]arrival, bool, error) {
	filter := filterOf(needles)
	type key struct {
		blob     git.Hash
		vendored bool
	}
	seen := map[key]bool{}
	var out []arrival
	places := 0
	until := latest(needles)
	whole, err := h.commits.Contents(ctx, func(commit int, name string, blob git.Hash) error {
		if until != nil && h.clocks.saysAfter(commit, *until) {
			return nil
		}
		if places++; places > maxPlaces {
			return fmt.Errorf("its history has more than %d files and versions of files", maxPlaces)
		}
		k := key{blob, lang.Vendored(name)}
		if !filter.wants(name) || seen[k] {
			return nil
		}
		if seen[k] = true; len(seen) > maxContents {
			return fmt.Errorf("its history has more than %d contents that would have to be read", maxContents)
		}
		out = append(out, arrival{int32(commit), blob, k.vendored, name})
		return nil
	})
	return out, whole, err
}

// first makes an interval from the commits in which a needle was found. In an origin's repository, vendored directories do not
// count.
func (h *WholeHistory) first(f firstCommits) First {
	at := f.own
	if h.target {
		at = f.most
	}
	if at < 0 {
		return First{Unread: !f.read}
	}
	in := h.clocks.interval(at, finding.FromHistory)
	commit := h.clocks.at(at)
	out := First{Interval: in, Commit: CommitOf(&commit.Commit), order: int(at), Root: len(commit.parents) == 0, Unread: !f.read}
	out.Commit.Path = f.path
	if in.Half = h.moment(f.half); h.target {
		in.Half.Author = CommitOf(&h.clocks.at(f.half).Commit).Author
	}
	switch {
	case h.target, f.bulk == f.most:
	case f.bulk < 0:
		in.Bulk = &finding.Point{}
	default:
		in.Bulk = h.moment(f.bulk)
	}
	switch {
	case h.shallow:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, "the clone is shallow: the region is as old as this commit or older"
		return out
	case !f.read:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, join(in.Note, "not every older content can be read")
		return out
	case f.most != at:
		in.Note = join(in.Note, "a package manager kept it before")
		in.Absent = nil
		if c := h.clocks.commits[f.most]; len(c.parents) > 0 {
			in.Absent = h.clocks.made(c.parents[0])
		}
	}
	if t := h.written(f.most); !t.IsZero() {
		in.Written = finding.UTC(t)
	}
	return out
}

// moment returns a commit. It sets the time at which the commit says it was written, if this agrees with the commits around.
func (h *WholeHistory) moment(i int32) *finding.Point {
	m := &finding.Point{Commit: h.clocks.at(i).Name}
	if t := h.written(i); !t.IsZero() {
		m.Time = finding.UTC(t)
	}
	return m
}

// written returns when a commit says it was written, if this agrees with the commits around.
func (h *WholeHistory) written(i int32) time.Time {
	c := h.clocks.at(i)
	if !h.clocks.trusted(c) {
		return time.Time{}
	}
	return earlier(c.CommitTime, c.AuthorTime)
}

// name sets the first version that contains each commit, by tags.
func (h *WholeHistory) name(firsts []First) {
	var commits []int
	for _, f := range firsts {
		if f.Interval != nil {
			commits = append(commits, f.order)
		}
	}
	slices.Sort(commits)
	tags := map[int]string{}
	for _, c := range slices.Compact(commits) {
		tags[c] = h.firstTag(c)
	}
	for i := range firsts {
		if firsts[i].Interval != nil {
			firsts[i].Tag = tags[firsts[i].order]
		}
	}
}

// firstTag returns the tag of the earliest commit that is the given one or a descendant.
func (h *WholeHistory) firstTag(commit int) string {
	has := make([]bool, len(h.clocks.commits))
	has[commit] = true
	for i := commit + 1; i < len(has); i++ {
		has[i] = slices.ContainsFunc(h.clocks.commits[i].parents, func(parent int32) bool { return has[parent] })
	}
	best, tag := -1, ""
	for _, t := range h.tags {
		i, ok := h.clocks.index[t.Commit]
		if !ok || !has[i] {
			continue
		}
		if best < 0 || int(i) < best || int(i) == best && len(t.Name) < len(tag) {
			best, tag = int(i), t.Name
		}
	}
	return strings.ToValidUTF8(tag, "\uFFFD")
}

// Date dates a finding by the target's history if that is earlier than the date found by following its file. If keepEntry is true, the
// finding keeps the commit at which its story begins, and only Half is set.
func (h *WholeHistory) Date(f *finding.Finding, first First, keepEntry bool) {
	in := first.Interval
	if in == nil {
		return
	}
	if i, ok := h.commits.Find(f.EntryCommit()); keepEntry || ok && i <= first.order {
		if f.Here == nil {
			f.Here = &finding.Interval{From: finding.FromHistory}
		} else {
			f.Here = new(*f.Here)
		}
		f.Here.Half = in.Half
		return
	}
	f.Here, f.Introduced = in, first.Commit
	if f.Introduced.Path == f.Path {
		f.Introduced.Path = ""
	}
}
