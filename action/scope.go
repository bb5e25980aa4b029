package action

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git"
)

// scope is the target of the scan, with the commit whose lines are reported.
type scope struct {
	spec  string // range for scan --diff; "" means the whole work tree
	words string // the same in words
	head  string // commit for check runs; for a pull request its head, never the merge commit
	lines string // commit whose lines are reported
}

// DepthError says that the checkout lacks history.
type DepthError struct {
	What string
	Err  error
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("%s: the checkout is too shallow: set \"fetch-depth: 0\" for actions/checkout (on pull requests \"fetch-depth: 2\" is enough): %v", e.What, e.Err)
}
func (e *DepthError) Unwrap() error { return e.Err }

// findScope determines the scope from the event and from the commits that the clone has.
func (j *job) findScope(ctx context.Context, repo *git.Repo, span string) (*scope, error) {
	c := clone{ctx, repo}
	here := c.resolve("HEAD")
	switch {
	case span == wholeTree:
		return whole(here, "every file, as asked for"), nil
	case span != "":
		return j.asked(c, span, here)
	case j.isPull():
		return j.pullScope(c)
	case j.event == "merge_group":
		return j.between(c, []string{j.payload.commit("merge_group", "base_sha")}, j.payload.commit("merge_group", "head_sha"), "the merge group")
	case j.event == "push":
		return j.pushScope(c, here)
	}
	return whole(here, fmt.Sprintf("every file: the event %q names no change", j.event)), nil
}

// clone answers which commits a clone has.
type clone struct {
	ctx  context.Context
	repo *git.Repo
}

// resolve returns the name of a commit, "" if the clone does not have it.
func (c clone) resolve(rev string) string {
	if rev == "" {
		return ""
	}
	commit, err := c.repo.Resolve(c.ctx, rev)
	if err != nil {
		return ""
	}
	return commit.Name
}

func whole(head, why string) *scope { return &scope{words: why, head: head, lines: head} }

// asked uses the range that the workflow's author gives.
func (j *job) asked(c clone, span, here string) (*scope, error) {
	s := &scope{spec: span, words: "what " + span + " adds", head: here, lines: here}
	if i := strings.LastIndex(span, ".."); i >= 0 {
		if h := c.resolve(span[i+2:]); h != "" {
			s.head, s.lines = h, h
		}
	}
	if h := j.payload.commit("pull_request", "head", "sha"); h != "" {
		s.head = h
	}
	return s, nil
}

// pullScope compares with the commit of the base at which the branch began. A checkout of depth 2 lacks that commit. It
// has the merge commit and its parents, whose difference is the same change.
func (j *job) pullScope(c clone) (*scope, error) {
	base, head := j.payload.commit("pull_request", "base", "sha"), j.payload.commit("pull_request", "head", "sha")
	merged := c.resolve("HEAD^2")
	if head == "" {
		head = merged
	}
	if head == "" {
		head = c.resolve("HEAD")
	}
	branch := j.payload.text("pull_request", "base", "ref")
	if branch == "" {
		branch = j.baseRef
	}
	s, err := j.between(c, []string{base, remote(branch)}, head, "the pull request")
	if err == nil || merged == "" || merged != head {
		return s, err
	}
	if into := c.resolve("HEAD^1"); into != "" {
		here := c.resolve("HEAD")
		return &scope{spec: into + ".." + here, words: "what the merge of the pull request changes", head: head, lines: here}, nil
	}
	return nil, err
}

func remote(branch string) string {
	if branch == "" {
		return ""
	}
	return "refs/remotes/origin/" + branch
}

// between returns a range from the first base that the clone can compare with.
func (j *job) between(c clone, bases []string, head, what string) (*scope, error) {
	err := fmt.Errorf("commit %s is not in it", head)
	if c.resolve(head) == "" {
		return nil, c.failed(what, err)
	}
	err = errors.New("the base is not in it")
	for _, base := range bases {
		b := c.resolve(base)
		if b == "" {
			continue
		}
		if _, err = c.repo.MergeBase(c.ctx, b, head); err == nil {
			return &scope{spec: b + "..." + head, words: fmt.Sprintf("what %s adds", what), head: head, lines: head}, nil
		}
	}
	return nil, c.failed(what, err)
}

// failed adds the fix for errors that a shallow clone causes.
func (c clone) failed(what string, err error) error {
	if cause := c.ctx.Err(); cause != nil {
		return cause
	}
	if c.repo.Shallow() {
		return &DepthError{"find what " + what + " changes", err}
	}
	return fmt.Errorf("find what %s changes: %w", what, err)
}

// pushScope compares with the branch's state before the push. A new branch is compared with the default branch. If
// there is no commit to compare with, every file counts.
func (j *job) pushScope(c clone, here string) (*scope, error) {
	after := j.payload.commit("after")
	if after == "" || c.resolve(after) == "" {
		after = here
	}
	before := j.payload.commit("before")
	if before != "" {
		s, err := j.between(c, []string{before}, after, "the push")
		if _, shallow := errors.AsType[*DepthError](err); err == nil || shallow {
			return s, err
		}
	}
	branch := j.payload.text("repository", "default_branch")
	if base := c.resolve(remote(branch)); base != "" && base != after && !j.onDefaultBranch() {
		return j.between(c, []string{base}, after, "the branch")
	}
	return whole(after, "every file: the push names no commit to compare with"), nil
}
