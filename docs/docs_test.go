// Package docs holds the test that the documents are true: every block of
// README.md, docs/EXAMPLE.md, docs/SIMILAR.md, docs/KEYED.md, docs/SOURCES.md, docs/BASELINES.md, docs/SHARED.md, docs/LEDGER.md, docs/REPORTS.md and docs/POLICY.md is run, and what the documents show of the
// output is compared with what comes.
package docs

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recorded is the tool chain whose standard library the documents show. With
// another one other lines are right: then only the exit codes are compared.
const recorded = "go1.26.8"

var update = os.Getenv("UPDATE_DOCS") != "" // writes the output that came into the documents

// block is a fenced block of a document.
type block struct {
	lang, text string
	line       int
}

func blocks(t *testing.T, path string) []block {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	var cur *block
	for i, line := range strings.Split(string(b), "\n") {
		switch fence, ok := strings.CutPrefix(line, "```"); {
		case ok && cur == nil:
			cur = &block{lang: fence, line: i + 2}
		case ok:
			out = append(out, *cur)
			cur = nil
		case cur != nil:
			cur.text += line + "\n"
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no blocks", path)
	}
	return out
}

// session is a shell with the program on its PATH and a home of its own.
type session struct {
	t    *testing.T
	dir  string
	env  []string
	root string

	assistant *mcp.ClientSession // of ASSISTANTS.md
}

func newSession(t *testing.T) *session {
	t.Helper()
	if testing.Short() {
		t.Skip("builds baselines; takes half a minute")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	online(t)
	home := t.TempDir()
	s := &session{t: t, dir: filepath.Join(home, "work"), root: root}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	s.env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home+"/data", "XDG_CACHE_HOME="+home+"/cache", "GOBIN="+bin,
		"GOMODCACHE="+strings.TrimSpace(string(cache)), "GOCACHE="+strings.TrimSpace(string(goCache)), "PATH="+bin+":"+os.Getenv("PATH"),
		"NO_COLOR=1", "COLUMNS=120", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-11-01T12:00:00Z", "GIT_COMMITTER_DATE=2026-11-01T12:00:00Z")
	if out, code := s.run(root, "go install ./cmd/git-provenance"); code != 0 {
		t.Fatalf("go install: exit code %d\n%s", code, out)
	}
	return s
}

func online(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://proxy.golang.org/github.com/golang/snappy/@v/v0.0.4.info", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Skipf("needs the Go module proxy: %v", err)
	}
	resp.Body.Close()
}

func (s *session) run(dir, script string) (string, int) {
	s.t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = dir, s.env
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		s.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// command is a line of a console block that starts with "$ ", and what the
// document shows of its output.
type command struct {
	raw, text, want string // raw as it stands in the document
	line            int
}

func commands(b block) []command {
	var out []command
	for i, line := range strings.SplitAfter(b.text, "\n") {
		if c, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, command{raw: line, text: strings.TrimSuffix(c, "\n"), line: b.line + i})
		} else if n := len(out); n > 0 && strings.HasSuffix(out[n-1].text, "\\") {
			out[n-1].raw += line
			out[n-1].text = strings.TrimSuffix(out[n-1].text, "\\") + strings.TrimSpace(strings.TrimPrefix(line, "> "))
		} else if n > 0 {
			out[n-1].want += line
		}
	}
	return out
}

// console runs the commands of a block in one shell, so that cd and variables
// stay, and compares what each prints.
func (s *session) console(path string, b block) {
	s.t.Helper()
	cmds := commands(b)
	script := "exec 2>&1\n[ -f .state ] && . ./.state\n"
	mark := fmt.Sprintf("@@%d@@", time.Now().UnixNano())
	for _, c := range cmds {
		script += c.text + "\necho '" + mark + "'\n"
	}
	script += "{ declare -p BASE GIT_PROVENANCE_BASELINE 2>/dev/null; echo \"cd '$PWD'\"; } > \"" + s.dir + "/.state\"\n"
	out, _ := s.run(s.dir, script)
	got := strings.Split(out, mark+"\n")
	if len(got) != len(cmds)+1 {
		s.t.Fatalf("%s:%d: %d commands gave %d outputs:\n%s", path, b.line, len(cmds), len(got)-1, out)
	}
	for i, c := range cmds {
		if update {
			s.rewrite(path, c, got[i])
			continue
		}
		s.compare(path, c, got[i])
	}
}

func (s *session) compare(path string, c command, got string) {
	s.t.Helper()
	if runtime.Version() != recorded && strings.Contains(c.want, "std@") {
		s.t.Logf("%s:%d: not compared: shows the standard library of %s", path, c.line, recorded)
		return
	}
	if !pattern(c.want).MatchString(got) {
		s.t.Errorf("%s:%d: $ %s\ngot:\n%s\nwant:\n%s", path, c.line, c.text, got, c.want)
	}
}

// pattern reads "…" as anything: within a line if other text is on it, any
// number of lines if it stands alone.
func pattern(want string) *regexp.Regexp {
	q := regexp.QuoteMeta(want)
	q = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(q, `(?:.*\n)*?`)
	q = strings.ReplaceAll(q, "…", `.*`)
	return regexp.MustCompile(`\A` + q + `\z`)
}

func (s *session) rewrite(path string, c command, got string) {
	if c.want == got || pattern(c.want).MatchString(got) {
		return
	}
	b, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	old := c.raw + c.want
	if !strings.Contains(string(b), old) {
		s.t.Fatalf("%s: no place for\n%s", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, c.raw+got, 1)), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func TestReadme(t *testing.T) {
	s := newSession(t)
	ran := 0
	for _, b := range blocks(t, "../README.md") {
		switch {
		case b.lang == "console":
			s.console("../README.md", b)
		case b.lang == "sh" && strings.HasPrefix(b.text, "go install"):
			// newSession has just done it
		case b.lang == "sh" && strings.HasPrefix(b.text, "go run"):
			s.inClone(b)
		case b.lang == "sh":
			s.inNewModule(b)
		case b.lang == "yaml" && strings.Contains(b.text, "uses:"):
			// steps of a workflow: TestActionExamples
		case b.lang == "yaml":
			s.settings(b)
		default:
			t.Errorf("README.md:%d: no test runs a block of %q", b.line, b.lang)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("ran %d blocks", ran)
	}
}

// inClone runs the command that scans this repository against a small baseline,
// since the index of all dependencies takes minutes. The other command is the one
// by which this test is run.
func (s *session) inClone(b block) {
	s.t.Helper()
	scan, test, _ := strings.Cut(b.text, "\n")
	small := "git-provenance baseline add --baseline ~/small --purl pkg:golang/std@1 \"$(go env GOROOT)/src/container\" >/dev/null\nGIT_PROVENANCE_BASELINE=~/small "
	if out, code := s.run(s.root, small+scan); code != 0 || !strings.Contains(out, "0 findings in ") {
		s.t.Errorf("README.md:%d: exit code %d\n%s", b.line, code, out)
	}
	if !strings.HasPrefix(test, "go test ./... ") {
		s.t.Errorf("README.md:%d: want the command that runs the tests, have %q", b.line, test)
	}
}

// inNewModule runs commands in a repository that depends on the standard
// library and holds nothing of anybody else's.
func (s *session) inNewModule(b block) {
	s.t.Helper()
	out, code := s.run(s.t.TempDir(), "git init -q && go mod init example.com/m 2>/dev/null; printf 'package m\\n\\nfunc F() int { return 1 }\\n' > m.go\n"+b.text)
	if code != 0 || !strings.Contains(out, "0 findings in 2 files") && !strings.Contains(out, "0 findings in 1 file") {
		s.t.Errorf("README.md:%d: exit code %d\n%s", b.line, code, out)
	}
}

// settings runs a scan under the settings shown, its baseline apart.
func (s *session) settings(b block) {
	s.t.Helper()
	dir := s.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".git-provenance.yml"), []byte(b.text), 0o644); err != nil {
		s.t.Fatal(err)
	}
	out, code := s.run(dir, `git init -q && echo hello > a.txt && git-provenance scan --baseline ~/snappy`)
	if code != 0 {
		s.t.Errorf("README.md:%d: exit code %d\n%s", b.line, code, out)
	}
	if out, code := s.run(dir, "git-provenance scan"); code != 2 || !strings.Contains(out, "/srv/baselines/oss") {
		s.t.Errorf("README.md:%d: the baseline of the settings is not used: exit code %s\n%s", b.line, strconv.Itoa(code), out)
	}
}

func TestExample(t *testing.T)   { consoles(t, "EXAMPLE.md") }
func TestHistory(t *testing.T)   { consoles(t, "HISTORY.md") }
func TestDating(t *testing.T)    { consoles(t, "DATING.md") }
func TestSimilar(t *testing.T)   { consoles(t, "SIMILAR.md") }
func TestKeyed(t *testing.T)     { consoles(t, "KEYED.md") }
func TestSources(t *testing.T)   { consoles(t, "SOURCES.md") }
func TestBaselines(t *testing.T) { consoles(t, "BASELINES.md") }

func TestReports(t *testing.T) { consoles(t, "REPORTS.md") }

// consoles runs the console blocks of a document.
func consoles(t *testing.T, path string) {
	t.Helper()
	s := newSession(t)
	n := 0
	for _, b := range blocks(t, path) {
		if b.lang == "console" {
			s.console(path, b)
			n++
		}
	}
	if n == 0 {
		t.Errorf("%s has no console block", path)
	}
}

// TestFences checks that every fence of a code block is a line of its own. A session in a block that is broken would not be run.
func TestFences(t *testing.T) {
	paths, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	fence := regexp.MustCompile("^ *```[a-z]*$")
	for _, path := range append(paths, "../README.md", "../SECURITY.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fences := 0
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, "```") {
				continue
			}
			if fences++; !fence.MatchString(line) {
				t.Errorf("%s:%d: a fence with other text on its line: %.60s", path, i+1, line)
			}
		}
		if fences%2 == 1 {
			t.Errorf("%s: a code block has no end", path)
		}
	}
}

// TestPolicy runs the session of POLICY.md, and takes the configurations and
// comments it shows for what it says they are.
func TestPolicy(t *testing.T) {
	s := newSession(t)
	s.env = append(s.env, "SOURCE_DATE_EPOCH=1795219200") // 2026-11-21
	for _, b := range blocks(t, "POLICY.md") {
		switch b.lang {
		case "console":
			s.console("POLICY.md", b)
		case "yaml":
			s.accepted(b, ".git-provenance.yml", b.text, "0 findings in")
		case "go":
			s.accepted(b, "x.go", "package x\n\n"+b.text, "x.go:5: unused allowance")
		default:
			t.Errorf("POLICY.md:%d: no test runs a block of %q", b.line, b.lang)
		}
	}
}

// accepted runs a scan with a file; it has to pass and to show something.
func (s *session) accepted(b block, name, text, want string) {
	s.t.Helper()
	dir := s.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
	out, code := s.run(dir, `git init -q && git-provenance baseline add --baseline b --purl pkg:generic/x@1 "$(go env GOROOT)/src/container/list" >/dev/null && git-provenance scan --baseline b --exclude b`)
	if code != 0 || !strings.Contains(out, want) || strings.Contains(out, "refused") {
		s.t.Errorf("POLICY.md:%d: exit code %d\n%s", b.line, code, out)
	}
}
