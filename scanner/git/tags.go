package git

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// Tag is a tag of a commit.
type Tag struct {
	Name   string // without refs/tags/
	Commit Hash
}

const tagPrefix = "refs/tags/"

// Tags lists the tags that lead to a commit, sorted by name. lost counts the tags that are malformed, or whose objects are absent or
// damaged; they are left out.
func (r *Repo) Tags(ctx context.Context) (tags []Tag, lost int, err error) {
	rd := r.acquire()
	defer r.release(rd)
	refs, malformed, err := r.refs.all()
	if err != nil {
		return nil, 0, err
	}
	for _, m := range malformed {
		if strings.HasPrefix(m.What, referenceTo+tagPrefix) {
			lost++
		}
	}
	for _, ref := range refs {
		name, ok := strings.CutPrefix(ref.name, tagPrefix)
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		h, err := r.peel(rd, ref.hash, ref.name)
		no, unknown := errors.AsType[*RevisionError](err)
		switch {
		case unknown && no.Detail == notCommit: // a tag of a tree or a blob
		case unknown || IsUnreadable(err):
			lost++
		case err != nil:
			return nil, 0, err
		default:
			tags = append(tags, Tag{name, h})
		}
	}
	slices.SortFunc(tags, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	return tags, lost, nil
}

// Released reads the commits that HEAD, if it exists, and the given commits can reach.
func (r *Repo) Released(ctx context.Context, commits []Hash) (*Commits, error) {
	rd := r.acquire()
	defer r.release(rd)
	heads := slices.Clone(commits)
	head, ok, err := r.head()
	if err != nil {
		return nil, err
	}
	if ok {
		heads = append(heads, head)
	}
	slices.SortFunc(heads, object.Compare)
	return r.reachable(ctx, rd, slices.Compact(heads))
}

// reachable reads the commits that the given commits can reach.
func (r *Repo) reachable(ctx context.Context, rd *reader, heads []Hash) (l *Commits, err error) {
	l = &Commits{repo: r, index: map[Hash]int{}}
	if l.list, _, err = r.rangeWalk(ctx, rd, heads, nil, time.Time{}); err != nil {
		return nil, err
	}
	for i, c := range l.list {
		l.index[c.id] = i
	}
	return l, nil
}

// Find returns the index of a commit in a line, by its full name.
func (l *Commits) Find(name string) (int, bool) {
	h, err := l.repo.parseHash(name)
	if err != nil {
		return 0, false
	}
	i, ok := l.index[h]
	return i, ok && l.repo.name(h) == name
}
