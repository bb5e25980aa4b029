// Package action is the GitHub Action. It reads the inputs and the event of a workflow from environment variables and a
// file, and runs the command line through [Host]. It publishes the findings in the log and in the step's summary and
// outputs. As far as the token permits, it also publishes a check run with annotations, a comment on the pull request,
// comments on its lines, and code scanning results.
//
//	action.go      the order of the steps
//	inputs.go      inputs; event.go: the event and the job
//	plan.go        which baseline the workflow caches
//	scope.go       which commits are scanned
//	publish.go     what goes to GitHub: check.go: check run, annotations; comment.go: the comment; review.go: comments on lines; sarif.go
//	transport.go   requests that are repeated
//	log.go         the log of the job
//
// It does not guess permissions: if GitHub refuses an operation, the log and the summary say so. A limit cuts off the
// least important entries, and their number is reported. A second run over the same commit changes nothing.
package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// Env looks up an environment variable, as os.LookupEnv does.
type Env func(name string) (string, bool)

// Host is the environment of the Action.
type Host struct {
	Env Env
	Log io.Writer // the runner reads workflow commands here
	// Run is the command line. It takes the arguments after the program's name and returns the exit code.
	Run   func(ctx context.Context, env Env, args []string, stdout, stderr io.Writer) int
	Git   string            // the git program, for repositories that need it
	HTTP  http.RoundTripper // nil means the default one
	Clock *Clock            // nil means the real one
}

// Clock tells the time and waits.
type Clock struct {
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

func realClock() *Clock {
	return &Clock{Now: time.Now, Sleep: func(ctx context.Context, d time.Duration) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			return nil
		}
	}}
}

// exitFindings is the exit code of a scan whose findings reach its threshold.
const exitFindings = 1

// FailedError says that a command could not complete.
type FailedError struct {
	Command string
	Reason  string // what the command said last, "" if nothing
}

func (e *FailedError) Error() string {
	if e.Reason == "" {
		return e.Command + " could not complete"
	}
	return fmt.Sprintf("%s could not complete: %s", e.Command, e.Reason)
}

// run is one run of the Action.
type run struct {
	Host
	in   *inputs
	job  *job
	log  *log
	dir  string // for files of this run
	plan *Plan
}

// Run scans the target of the event and publishes the result. failing says that findings reached the threshold of the
// scan.
func Run(ctx context.Context, h Host) (failing bool, err error) {
	r, err := newRun(h)
	if err != nil {
		(&log{h.Log}).failed(err)
		return false, err
	}
	if err := r.outputs(failedOutputs()); err != nil { // in case the run ends early
		return false, err
	}
	rep, failing, err := r.scan(ctx)
	if err != nil {
		r.sayFailed(err)
		return false, err
	}
	return failing, r.publish(ctx, rep, failing)
}

func newRun(h Host) (*run, error) {
	if h.Clock == nil {
		h.Clock = realClock()
	}
	if h.HTTP == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = time.Minute // GitHub itself gives up after ten seconds
		h.HTTP = t
	}
	in, err := readInputs(h.Env)
	if err != nil {
		return nil, err
	}
	j, err := readJob(h.Env)
	if err != nil {
		return nil, err
	}
	plan, err := NewPlan(h.Env)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(j.temp, "git-provenance-report-")
	if err != nil {
		return nil, fmt.Errorf("make directory for reports: %w", err)
	}
	return &run{Host: h, in: in, job: j, log: &log{w: h.Log}, dir: dir, plan: plan}, nil
}

// scan builds the baseline if the inputs ask for it, scans, and reads the report back.
func (r *run) scan(ctx context.Context) (rep *finding.Report, failing bool, err error) {
	sc, err := r.scope(ctx)
	if err != nil {
		return nil, false, err
	}
	r.job.scope = sc
	r.log.say("scanning %s", sc.words)
	args := append([]string{"scan"}, r.in.args...)
	if sc.spec != "" {
		args = append(args, "--diff", sc.spec)
	}
	if r.in.failOn != "" {
		args = append(args, "--fail-on", r.in.failOn)
	}
	for _, b := range r.in.baselines {
		args = append(args, "--baseline", b)
	}
	if len(r.in.sources) > 0 {
		if err := r.buildBaseline(ctx); err != nil {
			return nil, false, err
		}
		args = append(args, "--baseline", r.plan.baseline())
	}
	out := r.file("report.json")
	code, reason := r.command(ctx, append(args, "--format", "json", "--output", out))
	if code != 0 && code != exitFindings {
		return nil, false, &FailedError{"scan", reason}
	}
	rep, err = readReport(out)
	return rep, code == exitFindings, err
}

// scope determines the target of the scan, which needs the repository.
func (r *run) scope(ctx context.Context) (s *scope, err error) {
	repo, err := git.Open(ctx, ".", git.Options{Git: r.Git})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	return r.job.findScope(ctx, repo, r.in.span)
}

// command runs the command line; the runner obeys nothing in its output. The zero-configuration baseline is stored
// where the workflow's cache keeps it. reason is what the command said last.
func (r *run) command(ctx context.Context, args []string) (code int, reason string) {
	env := func(name string) (string, bool) {
		if name == "XDG_CACHE_HOME" {
			return r.plan.cacheHome(), true
		}
		return r.Env(name)
	}
	end := r.log.inert()
	defer end()
	stderr := &ending{w: r.Log}
	code = r.Run(ctx, env, args, r.Log, stderr)
	return code, stderr.reason()
}

// buildBaseline indexes the sources that the workflow lists, unless the cache had them.
func (r *run) buildBaseline(ctx context.Context) error {
	if r.in.cacheHit {
		r.log.say("the baseline comes from the cache")
		return nil
	}
	for _, source := range r.in.sources {
		args := append([]string{"baseline", "add"}, source...)
		if code, reason := r.command(ctx, append(args, "--baseline", r.plan.baseline())); code != 0 {
			return &FailedError{"baseline add", reason}
		}
	}
	return nil
}

func (r *run) file(name string) string { return filepath.Join(r.dir, name) }

func readReport(path string) (*finding.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	defer f.Close()
	rep, err := jsonform.Read(f)
	if err != nil {
		return nil, fmt.Errorf("read report %q: %w", path, err)
	}
	return rep, nil
}

// sayFailed writes to log and summary that there is no result.
func (r *run) sayFailed(err error) {
	r.log.failed(err)
	text := "## git-provenance: no result\n\n" + fenced(escape.Line(err.Error())) + "\nThe log of this step has the details.\n"
	if e := r.summary([]byte(text)); e != nil {
		r.log.say("%v", e)
	}
}

// rendered returns a report in one format.
func rendered(render func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := render(&b)
	return b.Bytes(), err
}
