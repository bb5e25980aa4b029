package action

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/report/workflow"
	"github.com/google/go-github/v60/github"
)

const (
	// batch is the number of annotations that GitHub accepts in one request.
	batch = 50
	// maxAnnotations bounds the annotations of a check run: ten requests. Nobody reads more, and a workflow has a
	// thousand requests an hour in all.
	maxAnnotations = 500
)

// levelNames maps the levels of findings to those of annotations.
var levelNames = map[string]string{"note": "notice", "warning": "warning", "error": "failure"}

// annotationLevel maps an unknown level to a warning.
func annotationLevel(level string) string {
	if l := levelNames[level]; l != "" {
		return l
	}
	return "warning"
}

// check is the content of a check run.
type check struct {
	Name, SHA, Conclusion, Title, Summary, DetailsURL string
	Annotations                                       []*github.CheckRunAnnotation
	err                                               error
}

func (r *run) checkOf(res *result) *check {
	c := &check{Name: r.in.checkName, SHA: r.job.scope.head, Conclusion: res.conclusion, Title: title(res)}
	if r.job.runID != "" {
		c.DetailsURL = fmt.Sprintf("%s/%s/%s/actions/runs/%s", r.job.server, r.job.owner, r.job.repo, r.job.runID)
	}
	shown := res.loud[:min(len(res.loud), maxAnnotations)]
	for _, f := range shown {
		c.Annotations = append(c.Annotations, annotation(f))
	}
	const note = 200 // bytes for the line below
	b, err := r.markdown(res, markdown.CommentLimit-note)
	c.Summary, c.err = string(b), err
	if n := len(res.loud) - len(shown); n > 0 {
		c.Summary += fmt.Sprintf("\nAnnotated: the %d findings that weigh most; %d more are in the report.\n", len(shown), n)
	}
	return c
}

// title is shown in the list of checks.
func title(res *result) string {
	n := len(res.loud)
	quiet := len(res.ranked) - n
	switch {
	case n == 0 && quiet == 0:
		return "Nothing copied was found"
	case n == 0:
		return fmt.Sprintf("Nothing to act on; allowed or ignored: %d", quiet)
	case n == 1:
		return "1 region: " + words.Title(res.loud[0])
	}
	return fmt.Sprintf("%d regions; the weightiest: %s", n, words.Title(res.loud[0]))
}

// annotation covers exactly the lines of a finding.
func annotation(f *finding.Finding) *github.CheckRunAnnotation {
	first := max(1, f.StartLine)
	last := max(first, f.EndLine)
	return &github.CheckRunAnnotation{
		Path: github.String(workflow.Path(f.Path)), StartLine: &first, EndLine: &last,
		AnnotationLevel: github.String(annotationLevel(f.Level)),
		Title:           github.String(words.Title(f)),
		Message:         github.String(words.Message(f) + "\n" + howToAllow),
	}
}

// howToAllow ends the text on a finding.
const howToAllow = `To accept it, say why: git-provenance:allow reason="…" in a comment on or above these lines, or allow: [{finding: ID, reason: "…"}] in .git-provenance.yml`

// externalPrefix marks check runs as ours. The digest of their content follows.
const externalPrefix = "git-provenance/"

func (c *check) digest() (string, error) {
	js, err := json.Marshal([]any{c.Conclusion, c.Title, c.Summary, c.Annotations})
	if err != nil {
		return "", fmt.Errorf("encode check run: %w", err)
	}
	sum := sha256.Sum256(js)
	return externalPrefix + hex.EncodeToString(sum[:16]), nil
}

// attempts bounds the tries of an operation that may have been half done. Each try reads the current state first.
const attempts = 3

// check makes a check run that shows c, or completes one that an earlier run began. Annotations cannot be removed. So
// another result for the same commit is another check run with the same name, of which GitHub shows the later.
func (p *publisher) check(ctx context.Context, c *check) error {
	if c.err != nil {
		return c.err
	}
	id, err := c.digest()
	if err != nil {
		return err
	}
	return p.retried(ctx, func() error { return p.checkOnce(ctx, c, id) })
}

func (p *publisher) retried(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if !ambiguous(err) || try == attempts {
			return err
		}
		if err := p.clock.Sleep(ctx, firstPause<<try); err != nil {
			return err
		}
	}
}

// ambiguous reports whether a failed request may have been executed.
func ambiguous(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if _, limit := errors.AsType[*LimitError](err); limit {
		return false
	}
	e, ok := errors.AsType[*github.ErrorResponse](err)
	return !ok || e.Response != nil && e.Response.StatusCode >= http.StatusInternalServerError
}

func (p *publisher) checkOnce(ctx context.Context, c *check, id string) error {
	have, err := p.findCheck(ctx, c, id)
	if err != nil {
		return err
	}
	// The requests that were sent are counted here. A server whose answers do not count would get them for ever.
	done, completed := 0, false
	if have == nil {
		if have, err = p.createCheck(ctx, c, id); err != nil {
			return err
		}
		done, completed = batch, len(c.Annotations) <= batch
	} else {
		done, completed = have.GetOutput().GetAnnotationsCount(), have.GetStatus() == "completed"
	}
	for ; done < len(c.Annotations) || !completed; done += batch {
		if err := p.updateCheck(ctx, c, have.GetID(), done); err != nil {
			return err
		}
		completed = len(c.Annotations) <= done+batch
	}
	return nil
}

// findCheck returns the newest check run of that name if it shows c.
func (p *publisher) findCheck(ctx context.Context, c *check, id string) (*github.CheckRun, error) {
	o := &github.ListCheckRunsOptions{CheckName: &c.Name, Filter: github.String("all"), ListOptions: github.ListOptions{PerPage: 100}}
	var newest *github.CheckRun
	for range maxPages {
		list, resp, err := p.client.Checks.ListCheckRunsForRef(ctx, p.owner, p.repo, c.SHA, o)
		if err != nil {
			return nil, err
		}
		for _, run := range list.CheckRuns {
			if strings.HasPrefix(run.GetExternalID(), externalPrefix) && (newest == nil || run.GetID() > newest.GetID()) {
				newest = run
			}
		}
		if o.Page = resp.NextPage; o.Page == 0 {
			break
		}
	}
	if newest == nil || newest.GetExternalID() != id {
		return nil, nil
	}
	return newest, nil
}

// maxPages bounds the pages read of lists that others can make long: five thousand entries.
const maxPages = 50

func (p *publisher) createCheck(ctx context.Context, c *check, id string) (*github.CheckRun, error) {
	o := github.CreateCheckRunOptions{Name: c.Name, HeadSHA: c.SHA, ExternalID: &id, Status: github.String("in_progress"), Output: c.output(0)}
	if c.DetailsURL != "" {
		o.DetailsURL = &c.DetailsURL
	}
	if len(c.Annotations) <= batch {
		o.Status, o.Conclusion, o.CompletedAt = github.String("completed"), &c.Conclusion, p.now()
	}
	run, _, err := p.client.Checks.CreateCheckRun(ctx, p.owner, p.repo, o)
	return run, err
}

func (p *publisher) updateCheck(ctx context.Context, c *check, run int64, done int) error {
	o := github.UpdateCheckRunOptions{Name: c.Name, Status: github.String("in_progress"), Output: c.output(done)}
	if len(c.Annotations) <= done+batch {
		o.Status, o.Conclusion, o.CompletedAt = github.String("completed"), &c.Conclusion, p.now()
	}
	_, _, err := p.client.Checks.UpdateCheckRun(ctx, p.owner, p.repo, run, o)
	return err
}

func (p *publisher) now() *github.Timestamp {
	return &github.Timestamp{Time: p.clock.Now().UTC().Truncate(time.Second)}
}

// output returns the content of a request that adds the next batch of annotations; done of them were sent before.
func (c *check) output(done int) *github.CheckRunOutput {
	from := min(done, len(c.Annotations))
	return &github.CheckRunOutput{
		Title: &c.Title, Summary: &c.Summary,
		Annotations: c.Annotations[from:min(from+batch, len(c.Annotations))],
	}
}
