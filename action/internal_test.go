package action

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/action/internal/ghmock"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/google/go-github/v60/github"
)

const someSHA = "d6fde92930d4715a2b49857d24b940956b26d2d3"

// instant is a clock on which waiting takes no time.
func instant(slept *[]time.Duration) *Clock {
	now := time.Unix(1_700_000_000, 0)
	return &Clock{Now: func() time.Time { return now }, Sleep: func(ctx context.Context, d time.Duration) error {
		now = now.Add(d)
		*slept = append(*slept, d)
		return ctx.Err()
	}}
}

func testPublisher(t *testing.T) (*publisher, *ghmock.Server, *[]time.Duration) {
	t.Helper()
	gh, err := ghmock.New()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(gh)
	t.Cleanup(srv.Close)
	slept := new([]time.Duration)
	clock := instant(slept)
	var out bytes.Buffer
	c := github.NewClient(&http.Client{Transport: &patient{base: http.DefaultTransport, clock: clock, log: &log{&out}}}).WithAuthToken("x")
	if c.BaseURL, err = url.Parse(srv.URL + "/"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f := gh.Faults(); len(f) > 0 {
			t.Errorf("requests GitHub would not take:\n%s", strings.Join(f, "\n"))
		}
	})
	return &publisher{client: c, clock: clock, owner: "octo", repo: "r"}, gh, slept
}

// findings makes n of them, lighter and lighter, that nobody would want to see
// rendered by a careless program.
func findings(n int) []finding.Finding {
	var fs []finding.Finding
	for i := range n {
		fs = append(fs, finding.Finding{
			ID: fmt.Sprintf("%016x", i), Path: "a/::error::b`\n\u202e@octo #1 <b>.go", StartLine: i + 1, EndLine: i + 3, Level: []string{"error", "warning", "note"}[i%3],
			Verdict: finding.Undeclared, Bits: float64(1000 - i), Score: 1, Tokens: 100, CloneType: 2,
			Changed: []finding.Lines{{StartLine: i + 1, EndLine: i + 3}},
			Origins: []finding.Origin{{PURL: "pkg:generic/" + strings.Repeat("ö", 300), Path: "x\r\n::warning::", StartLine: 1, EndLine: 3, License: "GPL-2.0-only"}},
		})
	}
	return fs
}

func testRun(t *testing.T, fs []finding.Finding) (*run, *result) {
	t.Helper()
	r := &run{in: &inputs{checkName: "check"}, job: &job{owner: "octo", repo: "r", server: "https://github.com", runID: "1", scope: &scope{head: someSHA, lines: someSHA}}, plan: &Plan{}}
	return r, r.newResult(&finding.Report{Schema: finding.Schema, Findings: fs, Summary: finding.Summary{Findings: len(fs)}}, len(fs) > 0)
}

// TestBatches checks that annotations that do not fit into one request are sent in several,
// in order of their weight. Each is sent once, even if requests fail. At most the limit is
// sent, and the report names it.
func TestBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes thousands of annotations")
	}
	for _, c := range []struct {
		n, shown int
		fail     func(gh *ghmock.Server, op string, n int, w http.ResponseWriter) bool
	}{
		{n: 0, shown: 0}, {n: 50, shown: 50}, {n: 51, shown: 51}, {n: 120, shown: 120}, {n: 700, shown: maxAnnotations},
		{n: 120, shown: 120, fail: func(_ *ghmock.Server, op string, n int, w http.ResponseWriter) bool {
			if op != "checks/update" || n != 1 {
				return false
			}
			w.WriteHeader(http.StatusBadGateway)
			return true
		}},
		{n: 120, shown: 120, fail: func(gh *ghmock.Server, op string, n int, w http.ResponseWriter) bool {
			if op != "checks/create" || n != 1 {
				return false
			}
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}},
		{n: 20, shown: 20, fail: func(_ *ghmock.Server, op string, n int, w http.ResponseWriter) bool {
			if op != "checks/list-for-ref" || n > 3 {
				return false
			}
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}},
	} {
		p, gh, _ := testPublisher(t)
		if c.fail != nil {
			gh.Before = func(op string, n int, w http.ResponseWriter) bool { return c.fail(gh, op, n, w) }
		}
		r, res := testRun(t, findings(c.n))
		for range 2 {
			if err := p.check(t.Context(), r.checkOf(res)); err != nil {
				t.Fatal(err)
			}
		}
		gh.Read(func(s *ghmock.State) {
			if len(s.Checks) != 1 || s.Checks[0].Status != "completed" || len(s.Checks[0].Annotations) != c.shown {
				t.Fatalf("%d findings: %d checks, status %s, %d annotations", c.n, len(s.Checks), s.Checks[0].Status, len(s.Checks[0].Annotations))
			}
			as := s.Checks[0].Annotations
			rank := map[string]int{"failure": 0, "warning": 1, "notice": 2}
			if !slices.IsSortedFunc(as, func(a, b ghmock.Annotation) int { return rank[a.Level] - rank[b.Level] }) {
				t.Error("not ranked")
			}
			if told := strings.Contains(s.Checks[0].Summary, "200 more are in the report"); told != (c.n == 700) {
				t.Errorf("%d findings: the limit is told: %v", c.n, told)
			}
		})
		if want := max(1, (c.shown+batch-1)/batch); gh.Writes() != want {
			t.Errorf("%d findings: %d requests that write, want %d", c.n, gh.Writes(), want)
		}
	}
}

// TestServerThatDoesNotCount checks that the requests end at a server whose answers hold neither the state of a check run nor
// the number of its annotations.
func TestServerThatDoesNotCount(t *testing.T) {
	for _, n := range []int{0, 120} {
		p, gh, _ := testPublisher(t)
		writes := 0
		gh.Before = func(op string, _ int, w http.ResponseWriter) bool {
			if op != "checks/create" && op != "checks/update" {
				return false
			}
			if writes++; writes > 10 {
				w.WriteHeader(http.StatusBadRequest)
				return true
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"id":7}`)
			return true
		}
		r, res := testRun(t, findings(n))
		if err := p.check(t.Context(), r.checkOf(res)); err != nil {
			t.Fatal(err)
		}
		if want := max(1, (n+batch-1)/batch); writes != want {
			t.Errorf("%d findings: %d requests, want %d", n, writes, want)
		}
	}
}

// TestResumed completes the check run that an earlier run left unfinished.
func TestResumed(t *testing.T) {
	p, gh, _ := testPublisher(t)
	r, res := testRun(t, findings(130))
	ctx, cancel := context.WithCancel(t.Context())
	gh.Before = func(op string, n int, _ http.ResponseWriter) bool {
		if op == "checks/update" {
			cancel()
		}
		return false
	}
	if err := p.check(ctx, r.checkOf(res)); err == nil {
		t.Fatal("was not interrupted")
	}
	gh.Before = nil
	if err := p.check(t.Context(), r.checkOf(res)); err != nil {
		t.Fatal(err)
	}
	gh.Read(func(s *ghmock.State) {
		if len(s.Checks) != 1 || len(s.Checks[0].Annotations) != 130 || s.Checks[0].Conclusion != "failure" {
			t.Errorf("%d checks, %d annotations, %s", len(s.Checks), len(s.Checks[0].Annotations), s.Checks[0].Conclusion)
		}
	})
}

// TestStrangers checks that neither a check run nor a comment of somebody else's
// is taken for ours.
func TestStrangers(t *testing.T) {
	p, gh, _ := testPublisher(t)
	r, res := testRun(t, findings(1))
	c := r.commentOf(res)
	gh.Read(func(s *ghmock.State) {
		s.Checks = append(s.Checks, &ghmock.Check{ID: 5, Name: "check", HeadSHA: someSHA, ExternalID: "theirs", Status: "completed", Conclusion: "success", StartedAt: "2024-01-01T00:00:00Z"})
		for i := range 150 {
			s.Comments = append(s.Comments, &ghmock.Comment{ID: int64(10 + i), Issue: "7", Body: "hello", UserType: "User", Association: "NONE"})
		}
		s.Comments[20].Body = r.marker() + "\nplanted"
		s.Comments[30].Body, s.Comments[30].UserType = "> "+r.marker()+"\nquoted", "Bot"
	})
	for range 2 {
		if err := p.check(t.Context(), r.checkOf(res)); err != nil {
			t.Fatal(err)
		}
		if err := p.comment(t.Context(), 7, r.marker(), c); err != nil {
			t.Fatal(err)
		}
	}
	gh.Read(func(s *ghmock.State) {
		if len(s.Checks) != 2 || len(s.Comments) != 151 || s.Comments[150].Body != c.body {
			t.Errorf("%d checks, %d comments", len(s.Checks), len(s.Comments))
		}
		s.Comments[150].Body = strings.ReplaceAll(c.body, "\n", "\r\n") // as GitHub gives it back
	})
	before := gh.Writes()
	if err := p.comment(t.Context(), 7, r.marker(), c); err != nil || gh.Writes() != before {
		t.Errorf("written again: %v", err)
	}
	c.body += "more"
	if err := p.comment(t.Context(), 7, r.marker(), c); err != nil || gh.Writes() != before+1 {
		t.Errorf("not updated in place: %v", err)
	}
}

// TestCommentLimit checks that no comment and no check is too long.
func TestCommentLimit(t *testing.T) {
	r, res := testRun(t, findings(3000))
	c, k := r.commentOf(res), r.checkOf(res)
	if len(c.body) > markdown.CommentLimit || len(k.Summary) > markdown.CommentLimit {
		t.Errorf("comment of %d bytes, summary of %d", len(c.body), len(k.Summary))
	}
}

// TestReviewLimits comments on the weightiest, says how many are left, and never
// twice.
func TestReviewLimits(t *testing.T) {
	p, gh, _ := testPublisher(t)
	_, res := testRun(t, findings(maxReviewComments+12))
	for range 3 {
		if err := p.review(t.Context(), 7, someSHA, res); err != nil {
			t.Fatal(err)
		}
	}
	gh.Read(func(s *ghmock.State) {
		if len(s.ReviewComments) != maxReviewComments+12 || s.Reviews != 2 {
			t.Errorf("%d comments in %d reviews", len(s.ReviewComments), s.Reviews)
		}
	})
}

// TestUnknownCommit is a head that is gone: GitHub says so, and nothing else
// breaks.
func TestUnknownCommit(t *testing.T) {
	p, gh, slept := testPublisher(t)
	gh.KnownSHA = func(string) bool { return false }
	r, res := testRun(t, findings(1))
	err := p.check(t.Context(), r.checkOf(res))
	if err == nil || !strings.Contains(refusal(err), "422 No commit found for SHA") || len(*slept) != 0 {
		t.Errorf("error %v, slept %v", err, *slept)
	}
}

// TestInert checks that what others say is no command.
func TestInert(t *testing.T) {
	var b bytes.Buffer
	l := &log{&b}
	end := l.inert()
	fmt.Fprint(&b, "::error::planted\n::stop-commands::x\nno line end")
	end()
	l.say("a\n::error::b")
	ls := strings.Split(strings.TrimSpace(b.String()), "\n")
	word := strings.TrimPrefix(ls[0], "::stop-commands::")
	if word == ls[0] || len(word) < 20 || ls[len(ls)-2] != "::"+word+"::" || strings.HasPrefix(ls[len(ls)-1], "::") {
		t.Errorf("%q", ls)
	}
}

// TestOutputs checks that a value ends where it ends.
func TestOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "output")
	if err := writeOutputs(path, []output{{"a", "x\nEOF\nb<<EOF\nplanted\nEOF"}, {"b", ""}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ls := strings.Split(string(b), "\n")
	word := strings.TrimPrefix(ls[0], "a<<")
	if len(word) < 20 || slices.Index(ls, word) != 6 || !strings.HasPrefix(ls[7], "b<<git-provenance-") {
		t.Errorf("%q", ls)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"":                       nil,
		" a  b\tc ":              {"a", "b", "c"},
		`x --license "MIT OR B"`: {"x", "--license", "MIT OR B"},
		`'a "b' ""`:              {`a "b`, ""},
		`a$(b)\c;d`:              {`a$(b)\c;d`},
	} {
		if got, err := shellWords(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	if _, err := shellWords(`a "b`); err == nil {
		t.Error("an open quote is taken")
	}
}

func TestInputs(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"INPUT_CHECK", "yes", "input check: must be true or false"},
		{"INPUT_UPLOAD_SARIF", "1", "input upload-sarif: must be"},
		{"INPUT_ARGS", `"`, "input args: "},
		{"INPUT_BASELINE_SOURCES", "a\nb '", "input baseline-sources: "},
		{"INPUT_CHECK_NAME", strings.Repeat("x", 101), "input check-name: longer"},
	} {
		_, err := readInputs(func(name string) (string, bool) { return map[string]string{c.name: c.value}[name], true })
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s=%q: %v", c.name, c.value, err)
		}
	}
}

// TestPlan checks that a key changes with what the baseline is made of.
func TestPlan(t *testing.T) {
	t.Chdir(t.TempDir())
	env := map[string]string{"RUNNER_TEMP": t.TempDir(), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64"}
	key := func() string {
		p, err := NewPlan(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if err != nil {
			t.Fatal(err)
		}
		if p.Restore != "" && !strings.HasPrefix(p.Key, p.Restore) {
			t.Errorf("%q does not begin with %q", p.Key, p.Restore)
		}
		return p.Key
	}
	seen := []string{key()}
	if key() != seen[0] {
		t.Error("the key is not stable")
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, same := range []func(){
		func() { write("README.md", "x") },
		func() { write("node_modules/x/package.json", "{}") },
		func() { write(".git/modules/third_party/ring/logs/HEAD", "when") },
	} {
		if same(); key() != seen[0] {
			t.Error("the key changes with what is no list of dependencies")
		}
	}
	for _, change := range []func(){
		func() { write("go.sum", "x") },
		func() { write("vendor/modules.txt", "x") },
		func() { write("rs/Cargo.lock", "x") },
		func() { write("rs/Cargo.lock", "y") },
		func() { os.Rename("rs", "rust") },
		func() { write(".git/modules/third_party/ring/HEAD", "7f0821b1") },
		func() { write(".git/modules/third_party/ring/HEAD", "0ff1beb2") },
		func() { env["INPUT_BASELINE_SOURCES"] = "lib --purl pkg:generic/x@1" },
		func() { write("lib/a.c", "x") },
		func() { write("lib/a.c", "y") },
		func() { os.Rename("lib/a.c", "lib/b.c") },
		func() { env["INPUT_BASELINE_SOURCES"] = "lib --purl pkg:generic/x@2" },
		func() { env["RUNNER_ARCH"] = "ARM64" },
		func() { env["INPUT_BASELINE_SOURCES"], env["INPUT_BASELINE"] = "", "/srv/baseline" },
	} {
		change()
		k := key()
		if slices.Contains(seen, k) {
			t.Errorf("key %q comes twice", k)
		}
		seen = append(seen, k)
	}
	if seen[len(seen)-1] != "" {
		t.Error("somebody else's baseline is kept")
	}
}

// TestReason: of what a command wrote the last message is kept, with its hints, however much came before.
func TestReason(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"git-provenance: no baseline yet: comparing\ngit-provenance: \"x\" is no baseline\nhint: make one\nhint: or two\n\n": `"x" is no baseline; hint: make one; hint: or two`,
		strings.Repeat("git-provenance: indexing\n", 1000) + "git-provenance: wrong\n":                                       "wrong",
		"panic: wrong\n": "panic: wrong",
	} {
		var log strings.Builder
		e := &ending{w: &log}
		for i := 0; i < len(in); i += 7 {
			io.WriteString(e, in[i:min(i+7, len(in))])
		}
		if got := e.reason(); got != want || log.String() != in {
			t.Errorf("%.60q: the reason is %q, want %q", in, got, want)
		}
	}
	e := &ending{w: io.Discard}
	if io.WriteString(e, strings.Repeat("é", mostReason)+"e"); len(e.reason()) != mostReason-1 {
		t.Errorf("%d bytes are kept", len(e.reason()))
	}
}
