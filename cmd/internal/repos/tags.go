package repos

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// choose returns the selected tags.
func (o Options) choose(ctx context.Context, repo *git.Repo, name purl.PURL, tags []git.Tag) (out []git.Tag, err error) {
	byPURL := map[string]git.Tag{}
	for _, t := range tags {
		if ok, _ := path.Match(o.Tags, t.Name); !ok && o.Tags != "" {
			continue
		}
		if out = append(out, t); o.Versions != "" && versioned(t) {
			byPURL[purl.Make(name.Type, purl.FullName(name), t.Name)] = t
		}
	}
	if o.Versions == "" {
		return out, nil
	}
	names := slices.Collect(maps.Keys(byPURL))
	count, counted := source.CountOf(o.Versions)
	if counted {
		names = source.Releases(names)
	} else if names, err = source.Choose(names, o.Versions); err != nil {
		return nil, err
	}
	out = nil
	for _, name := range names {
		out = append(out, byPURL[name])
	}
	if !counted {
		return out, nil
	}
	d := dates{repo: repo, from: o.From, known: map[git.Hash]time.Time{}}
	if out, err = d.ofWhole(ctx, name.Name, out); err != nil {
		return nil, err
	}
	least := count.N
	if count.Spread {
		least = len(out) // the distances depend on all releases
	}
	out, err = d.newest(ctx, out, least)
	return source.Take(count, out), err
}

// versioned reports whether the name of a tag has a version.
func versioned(t git.Tag) bool { return strings.ContainsAny(t.Name, "0123456789") }

// mainline returns the commits of the first-parent line of HEAD, the oldest first, as tags without a name.
func mainline(ctx context.Context, repo *git.Repo) (line []git.Tag, err error) {
	commits, err := repo.Reachable(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	head, err := repo.Resolve(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	parents := make(map[git.Hash][]git.Hash, commits.Len())
	for i := range commits.Len() {
		c := commits.Brief(i)
		parents[c.ID] = c.Parents
	}
	for id := head.ID; ; id = parents[id][0] {
		if line = append(line, git.Tag{Commit: id}); len(parents[id]) == 0 {
			slices.Reverse(line)
			return line, nil
		}
	}
}

// neighbours is how many tags below a tag are compared with it, to see whether its name and its date agree.
const neighbours = 10

// dates knows when the commits of tags were made.
type dates struct {
	repo  *git.Repo
	from  string // the address of the repository, for errors
	known map[git.Hash]time.Time
}

func (d dates) of(ctx context.Context, t git.Tag) (time.Time, error) {
	at, ok := d.known[t.Commit]
	if !ok {
		c, err := d.repo.Describe(ctx, t.Commit)
		if err != nil {
			return at, fmt.Errorf("open repository %q: %w", d.from, err)
		}
		at = c.CommitTime
		d.known[t.Commit] = at
	}
	return at, nil
}

// span returns the oldest and the newest date of tags.
func (d dates) span(ctx context.Context, tags []git.Tag) (oldest, newest time.Time, err error) {
	for i, t := range tags {
		at, err := d.of(ctx, t)
		if err != nil {
			return oldest, newest, err
		}
		if i == 0 || at.Before(oldest) {
			oldest = at
		}
		if i == 0 || at.After(newest) {
			newest = at
		}
	}
	return oldest, newest, nil
}

// ofWhole drops the tags that name releases of a part: a tag with the name of a part, made while the repository as a whole had releases.
// An older or newer one stays, since the names of tags change in the life of a repository. name is that of the repository.
func (d dates) ofWhole(ctx context.Context, name string, tags []git.Tag) ([]git.Tag, error) {
	var parts, whole []git.Tag
	for _, t := range tags {
		if part(t.Name, name) {
			parts = append(parts, t)
		} else {
			whole = append(whole, t)
		}
	}
	if len(parts) == 0 || len(whole) == 0 {
		return tags, nil
	}
	oldest, newest, err := d.span(ctx, whole)
	if err != nil {
		return nil, err
	}
	var out []git.Tag
	for _, t := range tags {
		at, err := d.of(ctx, t)
		if err != nil {
			return nil, err
		}
		if !part(t.Name, name) || at.Before(oldest) || at.After(newest) {
			out = append(out, t)
		}
	}
	return out, nil
}

// part reports whether the name of a tag names a part of a repository before the version, as "admin/v0.1" and "@scope/client@1.2" do,
// and "rel/1.2" and "NAME@1.2" do not.
func part(tag, name string) bool {
	i := strings.LastIndexAny(tag, "/@")
	if i < 1 || !strings.ContainsAny(tag[i:], "0123456789") {
		return false
	}
	switch before := path.Base(tag[:i]); before {
	case "rel", "release", "releases", "tag", "tags", "version", "versions":
		return false
	default:
		return !strings.EqualFold(before, name)
	}
}

// newest returns the n newest releases of an ascending list of tags. A tag that is older than most of the next ones below it
// is no release: "4v0.21.6" is a slip for v0.21.6, "archive/issue884" an old branch. Tags of one commit are one release.
func (d dates) newest(ctx context.Context, tags []git.Tag, n int) ([]git.Tag, error) {
	var out []git.Tag
	met := map[git.Hash]bool{} // commits of out
	for i := len(tags) - 1; i >= 0 && len(out) < n; i-- {
		at, err := d.of(ctx, tags[i])
		if err != nil {
			return nil, err
		}
		below := tags[max(0, i-neighbours):i]
		later := 0
		for _, t := range below {
			other, err := d.of(ctx, t)
			if err != nil {
				return nil, err
			}
			if other.After(at) {
				later++
			}
		}
		if misplaced := len(below) > 2 && later > len(below)/2; !misplaced && !met[tags[i].Commit] {
			met[tags[i].Commit] = true
			out = append(out, tags[i])
		}
	}
	slices.Reverse(out)
	return out, nil
}
