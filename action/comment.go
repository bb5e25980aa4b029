package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/google/go-github/v60/github"
)

// marker is the first line of the comment, which is invisible. Two workflows with checks of different names keep two
// comments.
func (r *run) marker() string {
	sum := sha256.Sum256([]byte(r.in.checkName))
	return "<!-- git-provenance:comment:" + hex.EncodeToString(sum[:8]) + " -->"
}

// comment is the content of a comment on a pull request.
type comment struct {
	body string
	// needed says that a new comment is worthwhile: there is a finding, or the change itself adds an allowance, which a
	// reviewer has to know.
	needed bool
	err    error
}

func (r *run) commentOf(res *result) *comment {
	const room = 512 // bytes for the marker and howToAllow
	b, err := r.markdown(res, markdown.CommentLimit-room)
	c := &comment{body: r.marker() + "\n" + string(b), needed: len(res.loud) > 0 || slices.ContainsFunc(res.ranked, allowed), err: err}
	if len(res.loud) > 0 {
		c.body += "\nTo accept a finding, say why: `git-provenance:allow reason=\"…\"` in a comment on or above its lines, or `allow: [{finding: ID, reason: \"…\"}]` in `.git-provenance.yml`.\n"
	}
	return c
}

func allowed(f *finding.Finding) bool { return f.Allowed != nil }

// comment keeps one comment up to date: the first one with the marker. It is written only if its text changes.
func (p *publisher) comment(ctx context.Context, pull int, marker string, c *comment) error {
	if c.err != nil {
		return c.err
	}
	return p.retried(ctx, func() error {
		have, err := p.findComment(ctx, pull, marker)
		switch {
		case err != nil:
			return err
		case have == nil && !c.needed || have != nil && same(have.GetBody(), c.body):
			return nil
		case have == nil:
			_, _, err = p.client.Issues.CreateComment(ctx, p.owner, p.repo, pull, &github.IssueComment{Body: &c.body})
		default:
			_, _, err = p.client.Issues.EditComment(ctx, p.owner, p.repo, have.GetID(), &github.IssueComment{Body: &c.body})
		}
		return err
	})
}

// same compares comments. GitHub changes line ends and the end of a text.
func same(a, b string) bool { return normal(a) == normal(b) }

func (p *publisher) findComment(ctx context.Context, pull int, marker string) (*github.IssueComment, error) {
	o := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		list, resp, err := p.client.Issues.ListComments(ctx, p.owner, p.repo, pull, o)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if marked(c.GetBody(), marker) && trusted(c.GetUser(), c.GetAuthorAssociation()) {
				return c, nil
			}
		}
		if o.Page = resp.NextPage; o.Page == 0 {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("find comment: more than %d comments", maxPages*100)
}

// trusted reports whether a comment is from a workflow or a person with write access. A stranger could plant the marker
// and edit the comment afterwards.
func trusted(u *github.User, association string) bool {
	return u.GetType() == "Bot" || slices.Contains([]string{"OWNER", "MEMBER", "COLLABORATOR"}, association)
}
