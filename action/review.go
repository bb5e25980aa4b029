package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/report/workflow"
	"github.com/google/go-github/v60/github"
)

// maxReviewComments bounds the comments of a review; a person who gets more stops reading.
const maxReviewComments = 30

// review comments on the lines of findings, all in one review. A finding that already has its comment gets no second
// one.
func (p *publisher) review(ctx context.Context, pull int, sha string, res *result) error {
	return p.retried(ctx, func() error {
		have, err := p.reviewed(ctx, pull)
		if err != nil {
			return err
		}
		comments, left := reviewComments(res.loud, have)
		if len(comments) == 0 {
			return nil
		}
		body := fmt.Sprintf("git-provenance: %d of the regions this change adds stand in code known from elsewhere.", len(comments))
		if left > 0 {
			body += fmt.Sprintf(" Those that weigh most are commented on; %d more are in the check's report.", left)
		}
		o := &github.PullRequestReviewRequest{Event: github.String("COMMENT"), Body: &body, Comments: comments}
		if sha != "" {
			o.CommitID = &sha
		}
		_, _, err = p.client.PullRequests.CreateReview(ctx, p.owner, p.repo, pull, o)
		return err
	})
}

// reviewed returns the bodies of line comments that may be ours.
func (p *publisher) reviewed(ctx context.Context, pull int) ([]string, error) {
	o := &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	var out []string
	for range maxPages {
		list, resp, err := p.client.PullRequests.ListComments(ctx, p.owner, p.repo, pull, o)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if trusted(c.GetUser(), c.GetAuthorAssociation()) {
				out = append(out, c.GetBody())
			}
		}
		if o.Page = resp.NextPage; o.Page == 0 {
			break
		}
	}
	return out, nil
}

// reviewComments returns the comments still to be made, by weight, and the number left out by the limit.
func reviewComments(fs []*finding.Finding, have []string) (out []*github.DraftReviewComment, left int) {
	seen := make(map[string]int)
	for _, f := range fs {
		place := f.ContentID() + "\x00" + f.Path
		seen[place]++
		marker := reviewMarker(place, seen[place])
		if hasMarker(have, marker) || len(f.Changed) == 0 {
			continue // GitHub accepts no comment on a line outside of the change
		}
		if len(out) == maxReviewComments {
			left++
			continue
		}
		out = append(out, reviewComment(f, marker))
	}
	return out, left
}

// reviewMarker identifies a finding by its content, its file and its number among equals. Its lines would change with
// every edit above it.
func reviewMarker(place string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", place, n))
	return "<!-- git-provenance:finding:" + hex.EncodeToString(sum[:8]) + " -->"
}

func hasMarker(bodies []string, marker string) bool {
	for _, b := range bodies {
		if marked(b, marker) {
			return true
		}
	}
	return false
}

// marked reports whether a text begins with a marker. A text that only quotes it does not count.
func marked(body, marker string) bool { return strings.HasPrefix(normal(body), marker) }

func normal(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

func reviewComment(f *finding.Finding, marker string) *github.DraftReviewComment {
	at := order.Focus(f)
	body := marker + "\n" + fenced(words.Title(f)+"\n"+words.Message(f)+"\n"+howToAllow)
	c := &github.DraftReviewComment{Path: github.String(workflow.Path(f.Path)), Body: &body, Line: &at.EndLine, Side: github.String("RIGHT")}
	if at.StartLine < at.EndLine {
		c.StartLine, c.StartSide = &at.StartLine, github.String("RIGHT")
	}
	return c
}
