package git

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
	gitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
)

// refRules are the patterns that git tries for a short name, in order.
var refRules = []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"}

// head returns HEAD's commit; ok is false on an unborn branch.
func (r *Repo) head() (h Hash, ok bool, err error) { return r.refs.resolve("HEAD") }

// resolveCommit turns a revision into a commit. A revision is a reference, a full or abbreviated object name, or the
// output of `git describe`. Any number of ^, ^N, ~N, ^{commit}, ^{} and ^0 may follow. @ is HEAD, and BRANCH@{upstream}
// is known. Reflogs and searches are not supported.
func (r *Repo) resolveCommit(rd *reader, rev string) (Hash, error) {
	end := len(rev)
	if i := strings.IndexAny(rev, "^~"); i >= 0 {
		end = i
	}
	h, err := r.resolveBase(rd, rev[:end], rev)
	if err != nil {
		return Hash{}, err
	}
	if h, err = r.peel(rd, h, rev); err != nil {
		return Hash{}, err
	}
	return r.steps(rd, h, rev[end:], rev)
}

func (r *Repo) unknown(rev, detail string) error {
	return &RevisionError{Rev: rev, Shallow: r.Shallow(), Detail: detail}
}

// unborn returns the error for a HEAD that names no commit.
func (r *Repo) unborn(rev string) error {
	branch, err := r.refs.branch()
	if err != nil {
		return err
	}
	return r.unknown(rev, fmt.Sprintf("branch %q has no commit yet", branch))
}

// steps follows the suffixes of a revision.
func (r *Repo) steps(rd *reader, h Hash, suffix, rev string) (Hash, error) {
	for suffix != "" {
		op := suffix[0]
		suffix = suffix[1:]
		if op == '^' && strings.HasPrefix(suffix, "{") {
			kind, rest, ok := strings.Cut(suffix[1:], "}")
			if !ok || kind != "" && kind != "commit" {
				return Hash{}, r.unknown(rev, "only ^{commit} and ^{} are understood")
			}
			suffix = rest
			continue
		}
		digits := len(suffix) - len(strings.TrimLeft(suffix, "0123456789"))
		n := 1
		if digits > 0 {
			var err error
			if n, err = strconv.Atoi(suffix[:digits]); err != nil {
				return Hash{}, r.unknown(rev, "number out of range")
			}
		}
		suffix = suffix[digits:]
		var err error
		switch op {
		case '~':
			for ; n > 0 && err == nil; n-- {
				h, err = r.parent(rd, h, 1, rev)
			}
		case '^':
			if n > 0 {
				h, err = r.parent(rd, h, n, rev)
			}
		default:
			err = r.unknown(rev, "")
		}
		if err != nil {
			return Hash{}, err
		}
	}
	return h, nil
}

func (r *Repo) parent(rd *reader, h Hash, n int, rev string) (Hash, error) {
	if r.shallow[h] {
		return Hash{}, &ShallowError{What: fmt.Sprintf("revision %q", rev), Remedy: unshallowRemedy}
	}
	c, err := r.commit(rd, h)
	if err != nil {
		return Hash{}, err
	}
	if n > len(c.parents) {
		return Hash{}, r.unknown(rev, fmt.Sprintf("commit %s has %d parents", h, len(c.parents)))
	}
	return c.parents[n-1], nil
}

// notCommit is the detail of peel's error for a tree or a blob.
const notCommit = "not a commit"

// peel follows annotated tags to a commit.
func (r *Repo) peel(rd *reader, h Hash, rev string) (Hash, error) {
	for range 16 { // tags of tags are rare, and names cannot form a circle
		t, raw, err := rd.Object(h, object.MaxCommit)
		switch {
		case object.IsMissing(err):
			return Hash{}, r.unknown(rev, "object "+h.String()+" is not in the repository")
		case err != nil:
			return Hash{}, err
		}
		if err := rd.CheckOnce(h, t, raw); err != nil {
			return Hash{}, err
		}
		switch {
		case t == object.Commit:
			return h, nil
		case t != object.Tag:
			return Hash{}, r.unknown(rev, notCommit)
		}
		if h, err = tagTarget(raw); err != nil {
			return Hash{}, err
		}
	}
	return Hash{}, r.unknown(rev, "too many tags in a row")
}

var describeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-\d+-g([0-9a-f]{4,64})$`) })

func (r *Repo) resolveBase(rd *reader, name, rev string) (Hash, error) {
	if name == "" {
		return Hash{}, r.unknown(rev, "")
	}
	if branch, ok := cutUpstream(name); ok {
		return r.resolveUpstream(branch, rev)
	}
	if name == "@" {
		name = "HEAD"
	}
	if h, err := r.parseHash(name); err == nil {
		return h, nil
	}
	for _, rule := range refRules {
		h, ok, err := r.refs.resolve(fmt.Sprintf(rule, name))
		if err != nil || ok {
			return h, err
		}
	}
	if m := describeName().FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	if name == "HEAD" {
		return Hash{}, r.unborn(rev)
	}
	return r.abbreviated(rd, name, rev)
}

func cutUpstream(name string) (branch string, ok bool) {
	for _, suffix := range []string{"@{upstream}", "@{u}"} {
		if n := len(name) - len(suffix); n >= 0 && strings.EqualFold(name[n:], suffix) {
			return name[:n], true
		}
	}
	return "", false
}

// resolveUpstream returns the upstream of a branch, mapped through the fetch rules of the remote.
func (r *Repo) resolveUpstream(branch, rev string) (Hash, error) {
	if branch == "" || branch == "@" || branch == "HEAD" {
		var err error
		if branch, err = r.refs.branch(); err != nil {
			return Hash{}, err
		}
	}
	up, ok := r.config.upstreams[branch]
	if !ok || up.merge == "" {
		return Hash{}, r.unknown(rev, "no upstream is configured")
	}
	name := plumbing.ReferenceName(up.merge)
	if up.remote == "." {
		return r.existing(string(name), rev)
	}
	for _, rule := range r.config.fetchRules[up.remote] {
		spec := gitconfig.RefSpec(rule)
		if spec.Validate() == nil && spec.Match(name) {
			return r.existing(string(spec.Dst(name)), rev)
		}
	}
	return Hash{}, r.unknown(rev, "no reference is kept for the upstream")
}

func (r *Repo) existing(name, rev string) (Hash, error) {
	h, ok, err := r.refs.resolve(name)
	if err == nil && !ok {
		err = r.unknown(rev, "reference "+name+" does not exist")
	}
	return h, err
}

// abbreviated finds the one commit, or tag of a commit, whose name begins with prefix.
func (r *Repo) abbreviated(rd *reader, prefix, rev string) (Hash, error) {
	prefix = strings.ToLower(prefix)
	if len(prefix) < 4 || len(prefix) > r.digits() || strings.Trim(prefix, "0123456789abcdef") != "" {
		return Hash{}, r.unknown(rev, "")
	}
	names, err := r.withPrefix(prefix)
	if err != nil {
		return Hash{}, err
	}
	var found []Hash
	for _, h := range names {
		if t, _, err := rd.Object(h, object.MaxCommit); err == nil && (t == object.Commit || t == object.Tag) {
			found = append(found, h)
		}
	}
	switch len(found) {
	case 0:
		return Hash{}, r.unknown(rev, "")
	case 1:
		return found[0], nil
	}
	return Hash{}, r.unknown(rev, fmt.Sprintf("ambiguous: %d commits begin with it", len(found)))
}

func (r *Repo) withPrefix(prefix string) ([]Hash, error) {
	if r.throughGit() {
		return r.fallback.withPrefix(prefix)
	}
	return r.objects.WithPrefix(prefix)
}

// revRange is a parsed range of revisions.
type revRange struct {
	base, head string // base is "" if the range has none
	symmetric  bool   // three dots
}

// parseRange splits "A...B", "A..B" and "A". A missing side is HEAD.
func parseRange(spec string) revRange {
	for _, dots := range []string{"...", ".."} {
		if base, head, ok := strings.Cut(spec, dots); ok {
			return revRange{base: orHead(base), head: orHead(head), symmetric: dots == "..."}
		}
	}
	return revRange{head: orHead(spec)}
}

// parseDiff is parseRange for a comparison: "A" is "A...HEAD".
func parseDiff(spec string) revRange {
	r := parseRange(spec)
	if r.base == "" {
		r = revRange{base: r.head, head: "HEAD", symmetric: true}
	}
	return r
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

// Resolve returns the commit that a revision names. It fails with *RevisionError if there is none.
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	rd := r.acquire()
	defer r.release(rd)
	h, err := r.resolveCommit(rd, rev)
	if err != nil {
		return Commit{}, err
	}
	return r.describe(rd, h)
}

// Describe returns a commit by its ID.
func (r *Repo) Describe(ctx context.Context, id Hash) (Commit, error) {
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	rd := r.acquire()
	defer r.release(rd)
	return r.describe(rd, id)
}

// CheckRange fails like Diff if a range does not have two ends to compare.
func (r *Repo) CheckRange(ctx context.Context, spec string) error {
	rd := r.acquire()
	defer r.release(rd)
	_, _, err := r.ends(ctx, rd, parseDiff(spec))
	return err
}

// MergeBase returns the commit that Diff compares "left...right" with. It fails like Diff.
func (r *Repo) MergeBase(ctx context.Context, left, right string) (Commit, error) {
	rd := r.acquire()
	defer r.release(rd)
	from, _, err := r.ends(ctx, rd, revRange{base: left, head: right, symmetric: true})
	if err != nil {
		return Commit{}, err
	}
	return r.describe(rd, from.id)
}
