package past

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
)

// Contents is the history of a repository, as reached from HEAD or the tags of versions. It finds regions by reading every
// content once. It follows no files, so it loses none.
type Contents struct {
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
func OfTarget(ctx context.Context, repo *git.Repo, head string, now time.Time) (*Contents, error) {
	p := &Contents{repo: repo, shallow: repo.Shallow(), target: true, least: halfOf}
	var err error
	if p.commits, err = repo.Reachable(ctx, head); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// OfOrigin reads the commits of an origin's repository. release reports whether a tag names a version.
func OfOrigin(ctx context.Context, repo *git.Repo, release func(tag string) bool, now time.Time) (*Contents, error) {
	tags, _, err := repo.Tags(ctx)
	if err != nil {
		return nil, err
	}
	p := &Contents{repo: repo, shallow: repo.Shallow(), least: halfOf}
	var heads []git.Hash
	for _, t := range tags {
		if release(t.Name) {
			p.tags = append(p.tags, t)
			heads = append(heads, t.Commit)
		}
	}
	if p.commits, err = repo.Released(ctx, heads); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// order bounds the times of the commits.
func (p *Contents) order(now time.Time) error {
	if p.commits.Len() == 0 {
		return errors.New("it has no commits")
	}
	p.clocks = NewClocks(now)
	p.clocks.read = p.commits.Commit
	for i := range p.commits.Len() {
		p.clocks.Add(p.commits.Brief(i), p.commits.Boundary(i))
	}
	p.clocks.bound()
	return nil
}

// Has reports whether a commit is part of the history.
func (p *Contents) Has(commit string) bool {
	_, ok := p.commits.Find(commit)
	return ok
}

// First is the result of searching a history for a piece.
type First struct {
	Interval *finding.Interval // nil: no content has the piece
	Commit   *finding.Commit   // the first that has it; Path is that of the file
	Tag      string            // of the first version that contains the commit; "" if there is none
	Root     bool              // the history begins with the commit
	Unread   bool              // an earlier content could not be read

	order int // index of the commit in the history
}

// found records the first commits in which a piece was found: half of it, most of it, most of it outside vendored directories,
// and nearly all of it.
type found struct {
	half, most, own int32 // indexes of commits; -1: none
	bulk            int32 // with four fifths of it
	path            string
	read            bool // all contents before most were read
}

// halfOf is the share of a region from which on its history has begun. If a region grew on both sides, one side is first only if
// it had most of the region before the other had half of it.
const halfOf = 0.5

// bulkOf is the share of a region that an origin must have to be the source of all of it.
const bulkOf = finding.SameRegion

// Find searches the history for pieces, which must be of one language family.
func (p *Contents) Find(ctx context.Context, pieces []*Piece) ([]First, error) {
	arrivals, whole, err := p.arrivals(ctx, pieces)
	if err != nil {
		return nil, err
	}
	s := &search{past: p, pieces: pieces, at: make([]found, len(pieces)), whole: whole}
	for i := range s.at {
		s.at[i] = found{half: -1, most: -1, own: -1, bulk: -1, read: whole}
	}
	if err := s.run(ctx, arrivals); err != nil {
		return nil, err
	}
	out := make([]First, len(pieces))
	for i, f := range s.at {
		out[i] = p.first(f)
	}
	p.name(out)
	return out, nil
}

// arrivals lists the contents that can have one of the pieces, with the commits that added them. Each content is listed at most
// twice: once inside vendored directories, once outside.
func (p *Contents) arrivals(ctx context.Context, pieces []*Piece) ([]arrival, bool, error) {
	ways := waysOf(pieces)
	type key struct {
		blob git.Hash
		kept bool
	}
	seen := map[key]bool{}
	var out []arrival
	places := 0
	until := latest(pieces)
	whole, err := p.commits.Contents(ctx, func(commit int, name string, blob git.Hash) error {
		if until != nil && p.clocks.saysAfter(commit, *until) {
			return nil
		}
		if places++; places > maxPlaces {
			return fmt.Errorf("its history has more than %d files and versions of files", maxPlaces)
		}
		k := key{blob, lang.Vendored(name)}
		if !ways.wants(name) || seen[k] {
			return nil
		}
		if seen[k] = true; len(seen) > maxContents {
			return fmt.Errorf("its history has more than %d contents that would have to be read", maxContents)
		}
		out = append(out, arrival{int32(commit), blob, k.kept, name})
		return nil
	})
	return out, whole, err
}

// first makes an interval from the commits in which a piece was found. In an origin's repository, vendored directories do not
// count.
func (p *Contents) first(f found) First {
	at := f.own
	if p.target {
		at = f.most
	}
	if at < 0 {
		return First{Unread: !f.read}
	}
	in := p.clocks.interval(at, finding.FromHistory)
	commit := p.clocks.at(at)
	out := First{Interval: in, Commit: CommitOf(&commit.Commit), order: int(at), Root: len(commit.parents) == 0, Unread: !f.read}
	out.Commit.Path = f.path
	in.Half = p.moment(f.half)
	switch {
	case p.target, f.bulk == f.most:
	case f.bulk < 0:
		in.Bulk = &finding.Point{}
	default:
		in.Bulk = p.moment(f.bulk)
	}
	switch {
	case p.shallow:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, "the clone is shallow: the region is as old as this commit or older"
		return out
	case !f.read:
		in.Absent, in.Half, in.Note = nil, &finding.Point{}, join(in.Note, "not every older content can be read")
		return out
	case f.most != at:
		in.Note = join(in.Note, "a package manager kept it before")
		in.Absent = nil
		if c := p.clocks.commits[f.most]; len(c.parents) > 0 {
			in.Absent = p.clocks.made(c.parents[0])
		}
	}
	if t := p.written(f.most); !t.IsZero() {
		in.Written = finding.UTC(t)
	}
	return out
}

// moment returns a commit. It sets the time at which the commit says it was written, if this agrees with the commits around.
func (p *Contents) moment(i int32) *finding.Point {
	m := &finding.Point{Commit: p.clocks.at(i).Name}
	if t := p.written(i); !t.IsZero() {
		m.Time = finding.UTC(t)
	}
	return m
}

// written returns when a commit says it was written, if this agrees with the commits around.
func (p *Contents) written(i int32) time.Time {
	c := p.clocks.at(i)
	if !p.clocks.trusted(c) {
		return time.Time{}
	}
	return earlier(c.CommitTime, c.AuthorTime)
}

// name sets the first version that contains each commit, by tags.
func (p *Contents) name(firsts []First) {
	var commits []int
	for _, f := range firsts {
		if f.Interval != nil {
			commits = append(commits, f.order)
		}
	}
	slices.Sort(commits)
	tags := map[int]string{}
	for _, c := range slices.Compact(commits) {
		tags[c] = p.firstTag(c)
	}
	for i := range firsts {
		if firsts[i].Interval != nil {
			firsts[i].Tag = tags[firsts[i].order]
		}
	}
}

// firstTag returns the tag of the earliest commit that is the given one or a descendant.
func (p *Contents) firstTag(commit int) string {
	has := make([]bool, len(p.clocks.commits))
	has[commit] = true
	for i := commit + 1; i < len(has); i++ {
		has[i] = slices.ContainsFunc(p.clocks.commits[i].parents, func(parent int32) bool { return has[parent] })
	}
	best, tag := -1, ""
	for _, t := range p.tags {
		i, ok := p.clocks.index[t.Commit]
		if !ok || !has[i] {
			continue
		}
		if best < 0 || int(i) < best || int(i) == best && len(t.Name) < len(tag) {
			best, tag = int(i), t.Name
		}
	}
	return strings.ToValidUTF8(tag, "\uFFFD")
}

// Date dates a finding by the target's history if that is earlier than the date found by following its file. If told is true, the
// finding keeps the commit at which its story begins, and only Half is set.
func (p *Contents) Date(f *finding.Finding, first First, told bool) {
	in := first.Interval
	if in == nil {
		return
	}
	if i, ok := p.commits.Find(f.EntryCommit()); told || ok && i <= first.order {
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
