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

// Contents is the history of a repository, in which regions are looked for by reading
// every content once: no file is followed, so that none is lost from sight. It has
// what HEAD and the tags of versions lead to.
type Contents struct {
	repo    *git.Repo
	line    *git.Line
	clocks  *Clocks
	tags    []git.Tag
	shallow bool
	target  bool    // it is that of the target
	least   float64 // share of a region that is asked for
}

const (
	// maxContents bounds the contents that are read of one repository, and
	// maxPlaces their places. moby has 190,000 contents of Go in 51,000 commits.
	maxContents = 400_000
	maxPlaces   = 4_000_000
	// maxContent bounds one of them.
	maxContent = 4 << 20
	// atATime is how many contents are read before those regions are dropped that
	// were found.
	atATime = 512
)

// OfTarget reads the commits of the target, which HEAD or another revision ends.
func OfTarget(ctx context.Context, repo *git.Repo, head string, now time.Time) (*Contents, error) {
	p := &Contents{repo: repo, shallow: repo.Shallow(), target: true, least: halfOf}
	var err error
	if p.line, err = repo.Line(ctx, head); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// OfOrigin reads the commits of an origin's repository. release tells which tags count.
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
	if p.line, err = repo.Released(ctx, heads); err != nil {
		return nil, err
	}
	return p, p.order(now)
}

// order bounds the times of the commits.
func (p *Contents) order(now time.Time) error {
	if p.line.Len() == 0 {
		return errors.New("it has no commits")
	}
	p.clocks = NewClocks(now)
	p.clocks.read = p.line.Commit
	for i := range p.line.Len() {
		p.clocks.Add(p.line.Brief(i), p.line.Boundary(i))
	}
	p.clocks.bound()
	return nil
}

// Has tells whether a commit is part of the history.
func (p *Contents) Has(commit string) bool {
	_, ok := p.line.Find(commit)
	return ok
}

// First is what a history tells of a piece.
type First struct {
	Interval *finding.Interval // nil: no content has it
	Commit   *finding.Commit   // that has it first; Path is that of the file
	Tag      string            // of the first version that has the commit, "" if none has
	Root     bool              // the history begins with the commit
	Unread   bool              // not every content before it could be read

	order int // of the commit in the history
}

// found is where a piece was met first: half of it, most of it, most of it outside
// of what a package manager keeps, nearly all of it.
type found struct {
	half, most, own int32 // commits; -1: none
	bulk            int32 // four fifths of it
	path            string
	read            bool // all contents before most could be read
}

// halfOf is the share of a region from which on its history has begun. A region that
// grew on both sides has an order only if one had most of it before the other had half.
const halfOf = 0.5

// bulkOf is the share of a region with which an origin can speak for all of it.
const bulkOf = finding.SameRegion

// Find looks for pieces. They have to be all of one family of languages.
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

// arrivals lists the contents that can have one of the pieces, by the commits that
// brought them; each twice at most, kept and not kept.
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
	whole, err := p.line.Contents(ctx, func(commit int, name string, blob git.Hash) error {
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

// first makes an interval of where a piece was met, in the origin's repository
// outside of what a package manager keeps.
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

// moment names a commit with the time at which it says it was written, if the
// clocks around it agree.
func (p *Contents) moment(i int32) *finding.Point {
	m := &finding.Point{Commit: p.clocks.at(i).Name}
	if t := p.written(i); !t.IsZero() {
		m.Time = finding.UTC(t)
	}
	return m
}

// written is when a commit says it was written, if the clocks around it agree.
func (p *Contents) written(i int32) time.Time {
	c := p.clocks.at(i)
	if !p.clocks.trusted(c) {
		return time.Time{}
	}
	return earlier(c.CommitTime, c.AuthorTime)
}

// name finds the first version that has each commit, by its tags.
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

// firstTag is the tag of the earliest commit that is one or descends from it.
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

// Date gives a finding the date by which the target's history has it, if that is
// earlier than what following its file told. With told, the finding keeps the
// commit of the region's story; only dates are compared with it.
func (p *Contents) Date(f *finding.Finding, first First, told bool) {
	in := first.Interval
	if in == nil {
		return
	}
	if i, ok := p.line.Find(f.Entered()); told || ok && i <= first.order {
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
