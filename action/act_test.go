//go:build act && linux

package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/action/internal/ghmock"
)

// TestAct runs action.yml as somebody's workflow does, with nektos/act in place of
// GitHub's runner: .ci/action installs it and calls this. Everything else is real:
// the steps, their shell, the release that is downloaded and checked, the
// repository. The API is the mock that holds every request to GitHub's description.
func TestAct(t *testing.T) {
	c := newConsumer(t)
	c.checkout("feature")
	c.write("a.go", pasted)
	head := c.commit("Add a queue")

	t.Log("a renamed paste fails the check, on its lines, and is explained")
	out, ok := c.act("pull_request", c.pull(head))
	if ok {
		t.Errorf("the job passes\n%s", out)
	}
	c.state(func(s *ghmock.State) {
		if len(s.Checks) != 1 || len(s.Comments) != 1 {
			t.Fatalf("%d checks, %d comments\n%s", len(s.Checks), len(s.Comments), out)
		}
		k := s.Checks[0]
		if k.HeadSHA != head || k.Conclusion != "failure" || len(k.Annotations) != 1 {
			t.Fatalf("check %+v", k)
		}
		if a := k.Annotations[0]; a.Path != "a.go" || a.StartLine != 7 || a.EndLine != 31 || !strings.Contains(a.Title, "GPL-2.0-only") {
			t.Errorf("annotation %+v", a)
		}
		if b := s.Comments[0].Body; !strings.Contains(b, "pkg:generic/ring@1.2.0") || !strings.Contains(b, "head") || !strings.Contains(b, "first") {
			t.Errorf("comment %s", b)
		}
	})
	if strings.Contains(out, `"command":"warning"`) || strings.Contains(out, `"command":"error"`) {
		t.Errorf("annotated twice\n%s", out)
	}

	t.Log("a second run changes nothing")
	writes := c.github.Writes()
	if _, ok := c.act("pull_request", c.pull(head)); ok || c.github.Writes() != writes {
		t.Errorf("passes: %v, writes: %d", ok, c.github.Writes()-writes)
	}

	t.Log("a fork's token may not write: the same in log and summary")
	c.github.Before = forbidden
	c.write("notes.txt", "Another commit.\n")
	head = c.commit("Take notes")
	out, ok = c.act("pull_request", c.pull(head))
	if ok || c.github.Writes() != writes {
		t.Errorf("passes: %v, writes: %d", ok, c.github.Writes()-writes)
	}
	if !annotated(t, out, "a.go", "7", "31") {
		t.Errorf("no annotation\n%s", out)
	}
	for _, want := range []string{`"command":"summary","content":"## git-provenance: 1 finding`, "CONCLUSION: failure", "not accessible by integration"} {
		if !strings.Contains(out, want) {
			t.Errorf("the log lacks %q\n%s", want, out)
		}
	}
	c.github.Before = nil

	t.Log("the paste is allowed, with a reason")
	c.write("a.go", strings.Replace(pasted, "// put appends", "// git-provenance:allow reason=\"we wrote the original\"\n// put appends", 1))
	kept := c.commit("Say why it may stay")
	if out, ok := c.act("pull_request", c.pull(kept)); !ok {
		t.Errorf("the job fails\n%s", out)
	}
	c.state(func(s *ghmock.State) {
		last := s.Checks[len(s.Checks)-1]
		if last.HeadSHA != kept || last.Conclusion != "success" || len(s.Comments) != 1 || !strings.Contains(s.Comments[0].Body, "we wrote the original") {
			t.Errorf("check %+v, comments %+v", last, s.Comments)
		}
	})

	t.Log("the paste is removed")
	c.write("a.go", own)
	gone := c.commit("Remove it")
	if out, ok := c.act("pull_request", c.pull(gone)); !ok {
		t.Errorf("the job fails\n%s", out)
	}
	c.state(func(s *ghmock.State) {
		last := s.Checks[len(s.Checks)-1]
		if last.HeadSHA != gone || last.Conclusion != "success" || len(s.Comments) != 1 || strings.Contains(s.Comments[0].Body, "GPL") {
			t.Errorf("check %+v, comments %+v", last, s.Comments)
		}
	})

	t.Log("pull requests restore the baseline, pushes to the default branch save it")
	if got := c.cached(); len(got) != 0 {
		t.Errorf("a pull request saved %q", got)
	}
	c.checkout("main")
	push := map[string]any{"ref": "refs/heads/main", "before": "0000000000000000000000000000000000000000", "after": c.base, "repository": map[string]any{"default_branch": "main"}}
	if out, ok := c.act("push", push); !ok {
		t.Errorf("the push fails\n%s", out)
	}
	if got := c.cached(); len(got) != 1 {
		t.Errorf("saved: %q", got)
	}
	c.checkout("feature")
	c.write("b.go", strings.Replace(pasted, "Answer", "Another", 2))
	head = c.commit("Add another")
	if out, ok = c.act("pull_request", c.pull(head)); ok || !strings.Contains(out, "the baseline comes from the cache") {
		t.Errorf("passes: %v\n%s", ok, out)
	}
	if f := c.github.Faults(); len(f) > 0 {
		t.Errorf("requests GitHub would not take:\n%s", strings.Join(f, "\n"))
	}
}

func forbidden(op string, _ int, w http.ResponseWriter) bool {
	if strings.Contains(op, "list") {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusForbidden)
	io.WriteString(w, `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`)
	return true
}

// consumer is a repository whose workflow uses the action at a version.
type consumer struct {
	t      *testing.T
	dir    string // the repository
	root   string // everything else
	github *ghmock.Server
	url    string
	base   string
}

const consumerWorkflow = `name: provenance
on: [pull_request, push]
permissions: {contents: read, checks: write, pull-requests: write}
jobs:
  scan:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - id: provenance
        uses: git-provenance/git-provenance@v1
        with:
          base-url: URL/release
          baseline-sources: |
            LIB --purl pkg:generic/ring@1.2.0 --license GPL-2.0-only
      - if: always()
        env:
          CONCLUSION: ${{ steps.provenance.outputs.conclusion }}
        run: 'echo "CONCLUSION: $CONCLUSION"'
`

// cacheAction replaces actions/cache, because act provides only a part of its service.
const cacheAction = `name: cache
description: a directory that outlives jobs
inputs:
  path: {required: true}
  key: {required: true}
  restore-keys: {default: ""}
outputs:
  cache-hit: {value: "${{ steps.do.outputs.cache-hit }}"}
runs:
  using: composite
  steps:
    - id: do
      shell: bash
      env: {P: "${{ inputs.path }}", K: "${{ inputs.key }}"}
      run: |
        SCRIPT
`

func newConsumer(t *testing.T) *consumer {
	t.Helper()
	gh, err := ghmock.New()
	if err != nil {
		t.Fatal(err)
	}
	c := &consumer{t: t, dir: filepath.Join(t.TempDir(), "consumer"), root: t.TempDir(), github: gh}
	mux := http.NewServeMux()
	mux.Handle("/release/", http.StripPrefix("/release/", http.FileServer(http.Dir(filepath.Join(c.root, "release")))))
	mux.Handle("/", gh)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	c.url = srv.URL
	c.release()
	store := filepath.Join(c.root, "store")
	must(t, os.MkdirAll(store, 0o777))
	for name, script := range map[string]string{
		"restore": `if [ -d "` + store + `/$K" ]; then mkdir -p "$P" && cp -R "` + store + `/$K/." "$P" && echo cache-hit=true >> "$GITHUB_OUTPUT"; fi`,
		"save":    `cp -R "$P" "` + store + `/$K"`,
	} {
		c.put(filepath.Join("cache", name, "action.yml"), strings.Replace(cacheAction, "SCRIPT", script, 1))
	}
	c.put("lib/ring.go", origin)

	must(t, os.MkdirAll(c.dir, 0o777))
	c.git("init", "-q", "-b", "main")
	c.git("remote", "add", "origin", "https://github.com/octo/consumer")
	c.write("a.go", own)
	c.write(".github/workflows/provenance.yml", strings.NewReplacer("URL", c.url, "LIB", filepath.Join(c.root, "lib")).Replace(consumerWorkflow))
	c.base = c.commit("Begin")
	c.git("branch", "feature")
	return c
}

// release makes what a release holds, and the action's tree that pins it.
func (c *consumer) release() {
	c.t.Helper()
	program := filepath.Join(c.root, "git-provenance")
	c.command("..", "go", "build", "-o", program, "./cmd/git-provenance")
	text, err := os.ReadFile(program)
	must(c.t, err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	must(c.t, w.WriteHeader(&tar.Header{Name: "git-provenance", Mode: 0o755, Size: int64(len(text))}))
	_, err = w.Write(text)
	must(c.t, errors.Join(err, w.Close(), z.Close()))
	name := "git-provenance_0.0.1_linux_" + runtime.GOARCH + ".tar.gz"
	c.put("release/"+name, b.String())
	for _, f := range []string{"action.yml", "action/install.sh"} {
		text, err := os.ReadFile(filepath.Join("..", f))
		must(c.t, err)
		c.put("action/"+f, string(text))
	}
	c.put("action/action/checksums.txt", fmt.Sprintf("# comment\n%x  %s\n", sha256.Sum256(b.Bytes()), name))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *consumer) put(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.root, name)
	must(c.t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(c.t, os.WriteFile(path, []byte(text), 0o777))
}

func (c *consumer) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	must(c.t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(c.t, os.WriteFile(path, []byte(text), 0o666))
}

func (c *consumer) command(dir string, args ...string) string {
	c.t.Helper()
	x := exec.Command(args[0], args[1:]...)
	x.Dir = dir
	x.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	out, err := x.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *consumer) git(args ...string) string {
	c.t.Helper()
	return c.command(c.dir, append([]string{"git"}, args...)...)
}

func (c *consumer) checkout(branch string) { c.git("checkout", "-q", branch) }

func (c *consumer) commit(message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", message)
	return c.git("rev-parse", "HEAD")
}

func (c *consumer) state(f func(*ghmock.State)) { c.github.Read(f) }

func (c *consumer) pull(head string) map[string]any {
	return map[string]any{"action": "synchronize", "number": 7, "repository": map[string]any{"default_branch": "main", "full_name": "octo/consumer"},
		"pull_request": map[string]any{"number": 7, "base": map[string]any{"sha": c.base, "ref": "main"}, "head": map[string]any{"sha": head, "ref": "feature"}}}
}

// cached lists the keys that were saved.
func (c *consumer) cached() []string {
	es, err := os.ReadDir(filepath.Join(c.root, "store"))
	must(c.t, err)
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

// cacheUse is how action.yml names the cache's action.
var cacheUse = regexp.MustCompile(`uses: (actions/cache)/restore@([0-9a-f]{40})`)

// act runs the workflow for an event, without Docker and without a network.
func (c *consumer) act(event string, payload any) (out string, ok bool) {
	c.t.Helper()
	js, err := json.Marshal(payload)
	must(c.t, err)
	c.put("event.json", string(js))
	c.put("home/.config/act/actrc", "")
	yml, err := os.ReadFile("../action.yml")
	must(c.t, err)
	use := cacheUse.FindStringSubmatch(string(yml))
	if use == nil {
		c.t.Fatal("action.yml restores no cache")
	}
	home := filepath.Join(c.root, "home")
	x := exec.Command(os.Getenv("ACT"), event, "-C", c.dir, "-e", filepath.Join(c.root, "event.json"), "-P", "ubuntu-latest=-self-hosted",
		"--no-cache-server", "--artifact-server-addr", "127.0.0.1", "--cache-server-addr", "127.0.0.1", "--action-offline-mode", "--pull=false", "--json",
		"--local-repository", "git-provenance/git-provenance@v1="+filepath.Join(c.root, "action"),
		"--local-repository", use[1]+"@"+use[2]+"="+filepath.Join(c.root, "cache"),
		"--env", "GITHUB_API_URL="+c.url, "-s", "GITHUB_TOKEN=ghs_test")
	x.Env = []string{"HOME=" + home, "XDG_CACHE_HOME=" + home + "/.cache", "PATH=" + os.Getenv("PATH")}
	b, err := x.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		c.t.Fatal(err)
	}
	return string(b), err == nil
}

// annotated looks for a workflow command as act decodes it.
func annotated(t *testing.T, out, file, line, end string) bool {
	t.Helper()
	for l := range strings.Lines(out) {
		var m struct {
			Command string            `json:"command"`
			Params  map[string]string `json:"kvPairs"`
		}
		if json.Unmarshal([]byte(l), &m) == nil && (m.Command == "warning" || m.Command == "error") && m.Params["file"] == file && m.Params["line"] == line && m.Params["endLine"] == end {
			return true
		}
	}
	return false
}
