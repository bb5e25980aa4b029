package action_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/action"
	"github.com/git-provenance/git-provenance/action/internal/ghmock"
	"github.com/git-provenance/git-provenance/cmd"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// origin is a function under GPL, and paste the same with every name changed.
const origin = `package ring

// Write appends p, or nothing.
func (r *Ring) Write(p []byte) (int, error) {
	if len(p) > len(r.data)-r.size {
		return 0, ErrFull
	}
	at := (r.head + r.size) % len(r.data)
	n := copy(r.data[at:], p)
	copy(r.data, p[n:])
	r.size += len(p)
	return len(p), nil
}

// Read takes the oldest bytes.
func (r *Ring) Read(p []byte) (int, error) {
	want := min(len(p), r.size)
	n := copy(p[:want], r.data[r.head:])
	if n < want {
		n += copy(p[n:want], r.data)
	}
	r.head = (r.head + n) % len(r.data)
	r.size -= n
	for i := 0; i < 3 && r.size == 0; i++ {
		r.head, r.data[i] = 0, byte(i*17)
	}
	return n, nil
}
`

var renamed = strings.NewReplacer("Ring", "Queue", "r.", "q.", "(r ", "(q ", "p[", "out[", "(p)", "(out)", "p []", "out []", ", p)", ", out)",
	"want", "limit", "head", "first", "size", "used", "data", "store", "ErrFull", "errNoRoom", "n, nil", "done, nil",
	"n :=", "done :=", "n <", "done <", "n +=", "done +=", "+ n", "+ done", "-= n", "-= done", "[n", "[done", "Write", "put", "Read", "take", "at", "pos")

// pasted is a file of the consumer's; the paste's code stands on its lines 7 to 31.
var pasted = "package consumer\n\n// Answer is ours.\nconst Answer = 42\n\n" + renamed.Replace(strings.TrimPrefix(origin, "package ring\n\n"))

const own = "package consumer\n\n// Answer is ours.\nconst Answer = 42\n"

// workflow is a repository with a pull request, the GitHub it lies on, and the
// variables of a step.
type workflow struct {
	t      *testing.T
	repo   string
	temp   string
	github *ghmock.Server
	env    map[string]string
	slept  []time.Duration
	base   string
}

func newWorkflow(t *testing.T) *workflow {
	t.Helper()
	gh, err := ghmock.New()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gh)
	t.Cleanup(srv.Close)
	w := &workflow{t: t, repo: t.TempDir(), temp: t.TempDir(), github: gh}
	lib := t.TempDir()
	w.write(filepath.Join(lib, "ring.go"), origin)
	w.env = map[string]string{
		"HOME": t.TempDir(), "RUNNER_TEMP": w.temp, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_ACTIONS": "true",
		"GITHUB_API_URL": srv.URL, "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "octo/consumer", "GITHUB_RUN_ID": "77",
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/7/merge",
		"GITHUB_STEP_SUMMARY": filepath.Join(w.temp, "summary"), "GITHUB_OUTPUT": filepath.Join(w.temp, "output"), "GITHUB_EVENT_PATH": filepath.Join(w.temp, "event.json"),
		"INPUT_TOKEN": "ghs_test", "INPUT_BASELINE_SOURCES": "# ours\n\"" + lib + "\" --purl pkg:generic/ring@1.2.0 --license GPL-2.0-only\n",
	}
	w.git("init", "-q", "-b", "main")
	w.write(filepath.Join(w.repo, "a.go"), own)
	w.base = w.commit("Begin")
	w.git("checkout", "-q", "-b", "feature")
	t.Chdir(w.repo)
	return w
}

func (w *workflow) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workflow) git(args ...string) string {
	w.t.Helper()
	return gittest.Run(w.t, w.repo, []string{"GIT_AUTHOR_DATE=2024-05-06T07:08:09Z", "GIT_COMMITTER_DATE=2024-05-06T07:08:09Z"}, args...)
}

func (w *workflow) commit(message string) string {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "--allow-empty", "-m", message)
	return w.git("rev-parse", "HEAD")
}

// propose makes head the head of the pull request.
func (w *workflow) propose(head string) {
	w.t.Helper()
	w.event(map[string]any{"action": "synchronize", "number": 7, "repository": map[string]any{"default_branch": "main"},
		"pull_request": map[string]any{"number": 7, "base": map[string]any{"sha": w.base, "ref": "main"}, "head": map[string]any{"sha": head, "ref": "feature", "repo": nil}}})
	w.env["GITHUB_SHA"] = head
}

func (w *workflow) event(payload any) {
	w.t.Helper()
	js, err := json.Marshal(payload)
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(w.env["GITHUB_EVENT_PATH"], string(js))
}

// ran is what a step left behind.
type ran struct {
	failing bool
	err     error
	log     string
	summary string
	outputs map[string]string
}

// run is a step of a job. The time it waits passes at once.
func (w *workflow) run() *ran {
	w.t.Helper()
	for _, f := range []string{"GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"} {
		os.Remove(w.env[f])
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var log bytes.Buffer
	r := new(ran)
	r.failing, r.err = action.Run(w.t.Context(), action.Host{
		Env: func(name string) (string, bool) { v, ok := w.env[name]; return v, ok },
		Log: &log,
		Run: func(ctx context.Context, env action.Env, args []string, stdout, stderr io.Writer) int {
			return cmd.Main(ctx, args, cmd.Env(env), cmd.Streams{In: strings.NewReader(""), Out: stdout, Err: stderr})
		},
		Clock: &action.Clock{
			Now: func() time.Time { return now },
			Sleep: func(ctx context.Context, d time.Duration) error {
				now = now.Add(d)
				w.slept = append(w.slept, d)
				return ctx.Err()
			}},
	})
	r.log = log.String()
	b, _ := os.ReadFile(w.env["GITHUB_STEP_SUMMARY"])
	r.summary = string(b)
	b, _ = os.ReadFile(w.env["GITHUB_OUTPUT"])
	r.outputs = decodeOutputs(w.t, string(b))
	if f := w.github.Faults(); len(f) > 0 {
		w.t.Errorf("requests GitHub would not take:\n%s", strings.Join(f, "\n"))
	}
	return r
}

// decodeOutputs reads the file of outputs as the runner does: later ones win.
func decodeOutputs(t *testing.T, s string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for s != "" {
		head, rest, ok := strings.Cut(s, "\n")
		name, word, ok2 := strings.Cut(head, "<<")
		v, after, ok3 := strings.Cut("\n"+rest, "\n"+word+"\n")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("not an output: %q", s)
		}
		out[name] = strings.TrimPrefix(v, "\n")
		s = after
	}
	return out
}

func (r *ran) ok(t *testing.T) {
	t.Helper()
	if r.err != nil {
		t.Fatalf("%v\n%s", r.err, r.log)
	}
}

// TestPullRequest is the whole story of a paste: found, looked at again, and gone.
func TestPullRequest(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	head := w.commit("Add a queue")
	w.propose(head)
	r := w.run()
	r.ok(t)
	if !r.failing || r.outputs["conclusion"] != "failure" || r.outputs["findings"] != "1" || r.outputs["published"] != "check comment" {
		t.Fatalf("failing %v, outputs %v\n%s", r.failing, r.outputs, r.log)
	}
	w.github.Read(func(s *ghmock.State) {
		if len(s.Checks) != 1 || len(s.Comments) != 1 || s.Reviews != 0 {
			t.Fatalf("%d checks, %d comments, %d reviews", len(s.Checks), len(s.Comments), s.Reviews)
		}
		c := s.Checks[0]
		if c.HeadSHA != head || c.Status != "completed" || c.Conclusion != "failure" || c.Name != "git-provenance report" || len(c.Annotations) != 1 {
			t.Fatalf("check %+v", c)
		}
		a := c.Annotations[0]
		if a.Path != "a.go" || a.StartLine != 7 || a.EndLine != 31 || !strings.Contains(a.Title, "pkg:generic/ring@1.2.0") || !strings.Contains(a.Title, "GPL-2.0-only") {
			t.Errorf("annotation %+v", a)
		}
		if !strings.Contains(a.Message, "head → first") || !strings.Contains(a.Message, "git-provenance:allow") {
			t.Errorf("message %q", a.Message)
		}
		for _, want := range []string{"pkg:generic/ring@1.2.0", "GPL-2.0-only", "https://github.com/octo/consumer/blob/" + head + "/a.go#L7-L31", "git-provenance:allow"} {
			if !strings.Contains(s.Comments[0].Body, want) {
				t.Errorf("the comment lacks %q:\n%s", want, s.Comments[0].Body)
			}
		}
	})
	for _, want := range []string{"pkg:generic/ring@1.2.0", "GPL-2.0-only"} {
		if !strings.Contains(r.summary, want) || !strings.Contains(r.log, want) {
			t.Errorf("summary or log lacks %q:\n%s\n%s", want, r.summary, r.log)
		}
	}
	if strings.Contains(r.log, "::error ") || strings.Contains(r.log, "::warning ") {
		t.Errorf("annotated twice:\n%s", r.log)
	}

	writes := w.github.Writes()
	again := w.run()
	again.ok(t)
	if n := w.github.Writes(); n != writes {
		t.Errorf("a second run wrote %d times", n-writes)
	}
	if again.summary != r.summary || again.outputs["conclusion"] != "failure" {
		t.Errorf("a second run says other things:\n%s\n%s", r.summary, again.summary)
	}

	w.write("a.go", own)
	w.propose(w.commit("Remove it again"))
	r = w.run()
	r.ok(t)
	if r.failing || r.outputs["conclusion"] != "success" || r.outputs["level"] != "none" {
		t.Errorf("failing %v, outputs %v", r.failing, r.outputs)
	}
	w.github.Read(func(s *ghmock.State) {
		if len(s.Checks) != 2 || s.Checks[1].Conclusion != "success" || len(s.Checks[1].Annotations) != 0 {
			t.Errorf("checks %+v", s.Checks)
		}
		if len(s.Comments) != 1 || strings.Contains(s.Comments[0].Body, "GPL") {
			t.Errorf("comments %+v", s.Comments)
		}
	})
}

// TestNothingFound begins no comment.
func TestNothingFound(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", own+"\n// B is ours too.\nconst B = 1\n")
	w.propose(w.commit("Add B"))
	r := w.run()
	r.ok(t)
	w.github.Read(func(s *ghmock.State) {
		if r.failing || len(s.Comments) != 0 || len(s.Checks) != 1 || s.Checks[0].Conclusion != "success" {
			t.Errorf("failing %v, %+v", r.failing, s)
		}
	})
}

// TestFork is a token that may read only: log and summary say the same.
func TestFork(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	w.propose(w.commit("Add a queue"))
	w.env["INPUT_REVIEW"], w.env["INPUT_UPLOAD_SARIF"] = "true", "true"
	w.github.Before = func(op string, _ int, rw http.ResponseWriter) bool {
		if strings.Contains(op, "list") {
			return false
		}
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusForbidden)
		io.WriteString(rw, `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`)
		return true
	}
	r := w.run()
	r.ok(t)
	if !r.failing || r.outputs["published"] != "" || len(w.slept) != 0 || w.github.Writes() != 0 {
		t.Errorf("failing %v, outputs %v, slept %v", r.failing, r.outputs, w.slept)
	}
	if !regexp.MustCompile(`(?m)^::(error|warning) file=a\.go,line=7,endLine=31,title=`).MatchString(r.log) {
		t.Errorf("no annotation:\n%s", r.log)
	}
	for _, want := range []string{"pkg:generic/ring@1.2.0", "GPL-2.0-only", "not accessible by integration"} {
		if !strings.Contains(r.summary, want) || !strings.Contains(r.log, want) {
			t.Errorf("summary or log lacks %q:\n%s\n%s", want, r.summary, r.log)
		}
	}
}

// TestRateLimits waits as GitHub asks to, whichever way it asks.
func TestRateLimits(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	w.propose(w.commit("Add a queue"))
	w.env["INPUT_COMMENT"] = "false"
	w.github.Before = func(op string, n int, rw http.ResponseWriter) bool {
		if op != "checks/create" || n > 5 {
			return false
		}
		h, status, message := rw.Header(), http.StatusForbidden, "You have exceeded a secondary rate limit."
		h.Set("Content-Type", "application/json")
		switch n {
		case 1:
			h.Set("Retry-After", "7")
		case 2:
			h.Set("Retry-After", "8")
			status = http.StatusTooManyRequests
		case 3:
			h.Set("X-RateLimit-Remaining", "0")
			h.Set("X-RateLimit-Limit", "1000")
			h.Set("X-RateLimit-Reset", fmt.Sprint(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(30*time.Second).Unix()))
			message = "API rate limit exceeded for installation."
		case 4:
			status = http.StatusTooManyRequests
		}
		rw.WriteHeader(status)
		fmt.Fprintf(rw, `{"message":%q,"documentation_url":"https://docs.github.com/rest"}`, message)
		return true
	}
	r := w.run()
	r.ok(t)
	want := []time.Duration{7 * time.Second, 8 * time.Second, 16 * time.Second, time.Minute, 2 * time.Minute}
	if !slices.Equal(w.slept, want) || r.outputs["published"] != "check" {
		t.Errorf("slept %v, want %v; outputs %v", w.slept, want, r.outputs)
	}
}

// TestLimitTooLong gives up, and shows the findings all the same.
func TestLimitTooLong(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	w.propose(w.commit("Add a queue"))
	w.github.Before = func(_ string, _ int, rw http.ResponseWriter) bool {
		rw.Header().Set("Retry-After", "3600")
		rw.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	r := w.run()
	r.ok(t)
	if !r.failing || len(w.slept) != 0 || !strings.Contains(r.log, "::group::Findings") || !strings.Contains(r.summary, "rate limit") {
		t.Errorf("failing %v, slept %v\n%s", r.failing, w.slept, r.log)
	}
}

// TestReview comments on lines once.
func TestReview(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	head := w.commit("Add a queue")
	w.propose(head)
	w.env["INPUT_REVIEW"] = "true"
	w.github.Commented = func(path string, line int) bool { return path == "a.go" && line >= 5 && line <= 32 }
	for range 2 {
		r := w.run()
		r.ok(t)
		if !strings.Contains(r.outputs["published"], "review") {
			t.Fatalf("outputs %v\n%s", r.outputs, r.log)
		}
	}
	w.github.Read(func(s *ghmock.State) {
		if s.Reviews != 1 || len(s.ReviewComments) != 1 {
			t.Fatalf("%d reviews with %d comments", s.Reviews, len(s.ReviewComments))
		}
		c := s.ReviewComments[0]
		if c.Path != "a.go" || c.Line != 31 || c.StartLine != 7 || c.Commit != head || !strings.Contains(c.Body, "GPL-2.0-only") {
			t.Errorf("comment %+v", c)
		}
	})
}

// TestSARIF gives code scanning the commit whose lines it names, and what it takes.
func TestSARIF(t *testing.T) {
	w := newWorkflow(t)
	w.write("a.go", pasted)
	head := w.commit("Add a queue")
	w.propose(head)
	w.env["GITHUB_SHA"] = w.base // as if a merge commit
	w.env["INPUT_UPLOAD_SARIF"] = "true"
	r := w.run()
	r.ok(t)
	w.github.Read(func(s *ghmock.State) {
		if len(s.SARIFs) != 1 || s.SARIFs[0]["commit_sha"] != head || s.SARIFs[0]["ref"] != "refs/pull/7/head" {
			t.Fatalf("uploads %v\n%s", s.SARIFs, r.log)
		}
		packed, err := base64.StdEncoding.DecodeString(s.SARIFs[0]["sarif"].(string))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(r.outputs["sarif"])
		if err != nil || !bytes.Equal(got, want) || !bytes.Contains(got, []byte("pkg:generic/ring@1.2.0")) {
			t.Errorf("%v: %.200s", err, got)
		}
	})
}

// TestOwnDependencies runs the Action without a baseline: the dependencies of the repository
// are indexed in a directory that the workflow's cache keeps.
func TestOwnDependencies(t *testing.T) {
	w := newWorkflow(t)
	w.env["INPUT_BASELINE_SOURCES"] = ""
	const js = `
export class Ring {
  write(p) {
    if (p.length > this.data.length - this.size) {
      throw new RangeError("ring: full");
    }
    const at = (this.head + this.size) % this.data.length;
    const n = Math.min(p.length, this.data.length - at);
    this.data.set(p.subarray(0, n), at);
    this.data.set(p.subarray(n), 0);
    this.size += p.length;
    for (let i = 0; i < 3 && this.size === 0; i++) {
      this.head = 0;
      this.data[i] = (i * 17) & 255;
    }
    return p.length;
  }
}
`
	w.write("package.json", `{"name": "consumer", "version": "1.0.0", "dependencies": {"ring": "1.2.0"}}`)
	w.write("node_modules/ring/package.json", `{"name": "ring", "version": "1.2.0", "license": "GPL-2.0-only"}`)
	w.write("node_modules/ring/index.js", js)
	w.write(".gitignore", "node_modules\n")
	w.base = w.commit("Depend on ring")
	w.write("queue.js", "// Ours.\n"+js)
	w.propose(w.commit("Copy it"))
	for _, want := range []string{"to index: 1", "to index: 0"} {
		r := w.run()
		r.ok(t)
		if r.outputs["findings"] != "1" || !strings.Contains(r.summary, "pkg:npm/ring@1.2.0") || !strings.Contains(r.log, want) {
			t.Errorf("outputs %v\n%s", r.outputs, r.log)
		}
	}
	if es, err := os.ReadDir(filepath.Join(w.temp, "git-provenance", "cache")); err != nil || len(es) == 0 {
		t.Errorf("nothing is kept: %v", err)
	}
}

// TestHostileNames checks that no name in a change is obeyed by the runner.
func TestHostileNames(t *testing.T) {
	w := newWorkflow(t)
	w.env["INPUT_TOKEN"] = "" // more goes to the log
	name := "a\n::error::planted\n%0A::warning::planted`@octo`\r::set-output name=x::y.go"
	w.write(name, strings.Replace(pasted, "put", "\xff\n::error::planted", 1))
	w.write("b\n::stop-commands::planted.go", pasted)
	w.propose(w.commit("Add\n\n::error::planted"))
	r := w.run()
	r.ok(t)
	if r.outputs["findings"] == "0" {
		t.Fatalf("nothing was found\n%s", r.log)
	}
	stopped := ""
	for _, l := range strings.FieldsFunc(r.log, func(c rune) bool { return c == '\n' || c == '\r' }) {
		switch {
		case stopped != "":
			if l == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(l, "::stop-commands::"):
			stopped = strings.TrimPrefix(l, "::stop-commands::")
			if stopped == "planted.go" {
				t.Error("a name stopped the commands")
			}
		case strings.HasPrefix(strings.TrimSpace(l), "::") && !regexp.MustCompile(`^::(group|endgroup|warning file=|error file=)`).MatchString(l):
			t.Errorf("the runner obeys %q", l)
		}
	}
	for l := range strings.Lines(r.summary) {
		if strings.HasPrefix(l, "::") {
			t.Errorf("summary has %q", l)
		}
	}
}

// TestAllowed is a paste that the change itself accepts: the check is green, and the
// reviewer sees the acceptance.
func TestAllowed(t *testing.T) {
	for name, allow := range map[string]func(w *workflow){
		"inline": func(w *workflow) {
			w.write("a.go", strings.Replace(pasted, "// put appends", "// git-provenance:allow reason=\"we wrote the original\"\n// put appends", 1))
		},
		"configuration": func(w *workflow) {
			w.write("a.go", pasted)
			w.write(".git-provenance.yml", "allow:\n  - origin: pkg:generic/ring@*\n    reason: we wrote the original\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkflow(t)
			w.write("a.go", pasted)
			w.propose(w.commit("Add a queue"))
			if r := w.run(); !r.failing {
				t.Fatalf("not failing before: %v", r.err)
			}
			allow(w)
			w.propose(w.commit("Allow it"))
			r := w.run()
			r.ok(t)
			if r.failing || r.outputs["conclusion"] != "success" || r.outputs["quiet"] != "1" || r.outputs["findings"] != "0" {
				t.Errorf("failing %v, outputs %v\n%s", r.failing, r.outputs, r.log)
			}
			w.github.Read(func(s *ghmock.State) {
				last := s.Checks[len(s.Checks)-1]
				if last.Conclusion != "success" || len(last.Annotations) != 0 || len(s.Comments) != 1 || !strings.Contains(s.Comments[0].Body, "we wrote the original") {
					t.Errorf("check %+v, comments %+v", last, s.Comments)
				}
			})
		})
	}
}
