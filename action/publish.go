package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/report/workflow"
	"github.com/google/go-github/v60/github"
)

// publisher writes to one repository on GitHub.
type publisher struct {
	client *github.Client
	clock  *Clock
	owner  string
	repo   string
}

// newPublisher returns nil if the token or the repository is missing.
func (r *run) newPublisher() (*publisher, error) {
	if r.in.token == "" || r.job.owner == "" || r.job.repo == "" {
		return nil, nil
	}
	base, err := url.Parse(r.job.api + "/") // WithEnterpriseURLs would append api/v3/
	if err != nil {
		return nil, fmt.Errorf("read GITHUB_API_URL: %w", err)
	}
	h := &http.Client{Transport: &patient{base: r.HTTP, clock: r.Clock, log: r.log}, CheckRedirect: sameHost}
	c := github.NewClient(h).WithAuthToken(r.in.token)
	c.BaseURL, c.UploadURL = base, base
	c.UserAgent = "git-provenance"
	return &publisher{client: c, clock: r.Clock, owner: r.job.owner, repo: r.job.repo}, nil
}

// sameHost keeps the token from other hosts that a redirect may name.
func sameHost(req *http.Request, via []*http.Request) error {
	if len(via) > 5 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// result is a report with the data for publishing it.
type result struct {
	rep        *finding.Report
	ranked     []*finding.Finding // by weight
	loud       []*finding.Finding // those that ask for action
	conclusion string
	blob       string // address of the report's files
}

func (r *run) newResult(rep *finding.Report, failing bool) *result {
	res := &result{rep: rep, ranked: order.Ranked(rep.Findings)}
	for _, f := range res.ranked {
		if !order.Quiet(f) {
			res.loud = append(res.loud, f)
		}
	}
	res.conclusion = cmp.Or(map[bool]string{true: "failure"}[failing], map[bool]string{true: "neutral"}[len(res.loud) > 0], "success")
	if r.job.owner != "" && r.job.scope.lines != "" {
		res.blob = fmt.Sprintf("%s/%s/%s/blob/%s", r.job.server, r.job.owner, r.job.repo, r.job.scope.lines)
	}
	return res
}

// publish publishes a report in every way that is possible. It returns only errors of the runner; refusals of GitHub
// are logged.
func (r *run) publish(ctx context.Context, rep *finding.Report, failing bool) error {
	res := r.newResult(rep, failing)
	if err := r.writeSARIF(rep); err != nil {
		return err
	}
	if err := r.writeSummary(res); err != nil {
		return err
	}
	p, err := r.newPublisher()
	if err != nil {
		return err
	}
	done, refused := r.publishAll(ctx, p, res)
	if err := r.writeLog(res, done["check"]); err != nil {
		return err
	}
	if err := r.tellRefused(refused); err != nil {
		return err
	}
	return r.outputs(r.resultOutputs(res, done))
}

// step is one way to publish.
type step struct {
	name string
	on   bool
	do   func() error
}

// publishAll tries each way independently, since their permissions differ.
func (r *run) publishAll(ctx context.Context, p *publisher, res *result) (done map[string]bool, refused []string) {
	done = make(map[string]bool)
	if p == nil {
		return done, nil
	}
	pull := r.job.pull()
	for _, s := range []step{
		{"check", r.in.check && r.job.scope.head != "", func() error { return p.check(ctx, r.checkOf(res)) }},
		{"comment", r.in.comment && pull > 0, func() error { return p.comment(ctx, pull, r.marker(), r.commentOf(res)) }},
		{"review", r.in.review && pull > 0, func() error { return p.review(ctx, pull, r.job.scope.head, res) }},
		{"upload-sarif", r.in.sarif, func() error { return p.uploadSARIF(ctx, r.job, r.file(sarifName)) }},
	} {
		if !s.on {
			continue
		}
		if err := s.do(); err != nil {
			refused = append(refused, s.name+": "+refusal(err))
			continue
		}
		done[s.name] = true
	}
	return done, refused
}

// refusal says in one line why GitHub refused an operation.
func refusal(err error) string {
	e, ok := errors.AsType[*github.ErrorResponse](err)
	if !ok || e.Response == nil {
		return escape.Line(err.Error())
	}
	why := ""
	if e.Response.StatusCode == http.StatusForbidden || e.Response.StatusCode == http.StatusNotFound {
		why = "; the token may not write here, as on pull requests from forks and by Dependabot, or the workflow does not give it the permission"
	}
	return escape.Line(fmt.Sprintf("%d %s%s", e.Response.StatusCode, e.Message, why))
}

// writeLog prints the evidence of every finding. If no check run has annotations, it writes annotations as workflow
// commands.
func (r *run) writeLog(res *result, annotated bool) error {
	if !annotated {
		return workflow.Write(r.Log, res.rep)
	}
	fmt.Fprintln(r.Log, "::group::Findings and their evidence")
	end := r.log.inert()
	err := text.Write(r.Log, res.rep, text.Options{All: true})
	end()
	fmt.Fprintln(r.Log, "::endgroup::")
	return err
}

// noteRoom is the room reserved in the summary for refusals of GitHub, in bytes.
const noteRoom = 8 << 10

func (r *run) writeSummary(res *result) error {
	if r.job.summary == "" {
		return nil
	}
	left := r.summaryLeft() - noteRoom
	if left < markdown.MinLimit {
		r.log.say("the step's summary is full")
		return nil
	}
	b, err := r.markdown(res, left)
	if err != nil {
		return err
	}
	return r.summary(b)
}

func (r *run) markdown(res *result, limit int) ([]byte, error) {
	return rendered(func(w io.Writer) error {
		return markdown.Write(w, res.rep, markdown.Options{Limit: limit, Blob: res.blob})
	})
}

// tellRefused writes to log and summary what could not be published.
func (r *run) tellRefused(refused []string) error {
	if len(refused) == 0 {
		return nil
	}
	for _, s := range refused {
		r.log.say("not published: %s", s)
	}
	text := strings.Join(refused, "\n")
	text = text[:min(len(text), noteRoom/2)]
	return r.summary([]byte("\nNot published elsewhere:\n\n" + fenced(text)))
}

// failedOutputs are the outputs of a run without a result.
func failedOutputs() []output {
	return []output{{"conclusion", "incomplete"}, {"findings", ""}, {"level", ""}, {"report", ""}, {"sarif", ""}, {"save-cache", "false"}}
}

func (r *run) resultOutputs(res *result, done map[string]bool) []output {
	count := make(map[string]int)
	for _, f := range res.loud {
		count[annotationLevel(f.Level)]++
	}
	worst := "none"
	for _, l := range []string{"note", "warning", "error"} {
		if count[levelNames[l]] > 0 {
			worst = l
		}
	}
	var published []string
	for _, name := range []string{"check", "comment", "review", "upload-sarif"} {
		if done[name] {
			published = append(published, name)
		}
	}
	save := r.plan.Cache && !r.in.cacheHit && r.job.onDefaultBranch()
	return []output{
		{"findings", strconv.Itoa(len(res.loud))}, {"quiet", strconv.Itoa(len(res.ranked) - len(res.loud))},
		{"errors", strconv.Itoa(count["failure"])}, {"warnings", strconv.Itoa(count["warning"])}, {"notes", strconv.Itoa(count["notice"])},
		{"level", worst}, {"conclusion", res.conclusion}, {"report", r.file("report.json")}, {"sarif", r.sarifOutput()},
		{"published", strings.Join(published, " ")}, {"save-cache", strconv.FormatBool(save)},
	}
}

func (r *run) sarifOutput() string {
	if _, err := os.Stat(r.file(sarifName)); err != nil {
		return ""
	}
	return r.file(sarifName)
}
