// Package action is the GitHub Action: inputs and the event of a workflow flow in
// as environment variables and a file, the arguments of the command line flow down
// through [Host], and what was found flows out to wherever a workflow shows it:
// the log, the step's summary and outputs, and, as far as the token may write, a
// check run with annotations, a comment on the pull request, comments on its lines
// and code scanning.
//
// Nothing is guessed about permissions: what GitHub refuses is said in the log and
// the summary instead. What a limit cuts off matters least, and its number is
// told. A second run over the same commit changes nothing.
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

// Host is what the Action runs on.
type Host struct {
	Env Env
	Log io.Writer // where the runner reads workflow commands
	// Run is the command line: arguments after the program's name in, exit code
	// out.
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

// FailedError says that a command of the command line could not complete. It has
// said why in the log.
type FailedError struct{ Command string }

func (e *FailedError) Error() string { return fmt.Sprintf("%s could not complete", e.Command) }

// run is one run of the Action.
type run struct {
	Host
	in   *inputs
	job  *job
	log  *log
	dir  string // for what this run writes
	plan *Plan
}

// Run scans what the event is about and publishes the result. It reports whether
// findings reached the threshold of the scan.
func Run(ctx context.Context, h Host) (failing bool, err error) {
	r, err := newRun(h)
	if err != nil {
		(&log{h.Log}).failed(err)
		return false, err
	}
	if err := r.outputs(failedOutputs()); err != nil { // in case it ends early
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

// scan builds the baseline if it is to, scans, and reads the report back.
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
	code := r.command(ctx, append(args, "--format", "json", "--output", out))
	if code != 0 && code != exitFindings {
		return nil, false, &FailedError{"scan"}
	}
	rep, err = readReport(out)
	return rep, code == exitFindings, err
}

// scope decides what is to be scanned, which needs the repository.
func (r *run) scope(ctx context.Context) (s *scope, err error) {
	repo, err := git.Open(ctx, ".", git.Options{Git: r.Git})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	return r.job.findScope(ctx, repo, r.in.span)
}

// command runs the command line, in whose output the runner is to obey nothing.
// The zero-configuration baseline goes where the workflow's cache keeps it.
func (r *run) command(ctx context.Context, args []string) int {
	env := func(name string) (string, bool) {
		if name == "XDG_CACHE_HOME" {
			return r.plan.cacheHome(), true
		}
		return r.Env(name)
	}
	end := r.log.inert()
	defer end()
	return r.Run(ctx, env, args, r.Log, r.Log)
}

// buildBaseline indexes the sources the workflow lists, unless the cache had them.
func (r *run) buildBaseline(ctx context.Context) error {
	if r.in.cacheHit {
		r.log.say("the baseline comes from the cache")
		return nil
	}
	for _, source := range r.in.sources {
		args := append([]string{"baseline", "add"}, source...)
		if r.command(ctx, append(args, "--baseline", r.plan.baseline())) != 0 {
			return &FailedError{"baseline add"}
		}
	}
	return nil
}

func (r *run) file(name string) string { return filepath.Join(r.dir, name) }

func readReport(path string) (_ *finding.Report, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return jsonform.Read(f)
}

// sayFailed shows in log and summary that there is no result.
func (r *run) sayFailed(err error) {
	r.log.failed(err)
	text := "## git-provenance: no result\n\n" + fenced(escape.Line(err.Error())) + "\nThe log of this step has the details.\n"
	if e := r.summary([]byte(text)); e != nil {
		r.log.say("%v", e)
	}
}

// rendered is a report in one of its forms.
func rendered(render func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := render(&b)
	return b.Bytes(), err
}
