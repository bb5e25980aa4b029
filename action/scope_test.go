package action

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// history is a repository whose branch feature was merged the way GitHub tries a
// pull request: main moved on in the meantime.
type history struct {
	t                             *testing.T
	dir                           string
	root, base, head, main, merge string
}

func newHistory(t *testing.T) *history {
	h := &history{t: t, dir: t.TempDir()}
	h.git("init", "-q", "-b", "main")
	h.root = h.commit("root")
	h.base = h.commit("base")
	h.git("checkout", "-q", "-b", "feature")
	h.commit("one")
	h.head = h.commit("two")
	h.git("checkout", "-q", "main")
	h.main = h.commit("main moves on")
	h.git("checkout", "-q", "--detach")
	h.git("merge", "-q", "--no-ff", "-m", "merge", "feature")
	h.merge = h.git("rev-parse", "HEAD")
	h.git("branch", "merged")
	h.git("config", "uploadpack.allowAnySHA1InWant", "true")
	return h
}

func (h *history) git(args ...string) string { return gittest.Run(h.t, h.dir, nil, args...) }

func (h *history) commit(name string) string {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(name+"\n"), 0o666); err != nil {
		h.t.Fatal(err)
	}
	h.git("add", "-A")
	h.git("commit", "-q", "-m", name)
	return h.git("rev-parse", "HEAD")
}

// checkout clones as actions/checkout does: one commit, detached, to a depth.
func (h *history) checkout(commit string, depth string) *git.Repo {
	h.t.Helper()
	dir := h.t.TempDir()
	gittest.Run(h.t, dir, nil, "init", "-q")
	gittest.Run(h.t, dir, nil, "remote", "add", "origin", "file://"+h.dir)
	if depth == "0" {
		gittest.Run(h.t, dir, nil, "fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", commit)
	} else {
		gittest.Run(h.t, dir, nil, "fetch", "-q", "--depth="+depth, "origin", commit)
	}
	gittest.Run(h.t, dir, nil, "checkout", "-q", "--detach", commit)
	repo, err := git.Open(h.t.Context(), dir, git.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { repo.Close() })
	return repo
}

func TestScope(t *testing.T) {
	h := newHistory(t)
	const gone = "1111111111111111111111111111111111111111"
	const none = "0000000000000000000000000000000000000000"
	pull := func(base, head string) string {
		return `{"number":7,"pull_request":{"number":7,"base":{"sha":"` + base + `","ref":"main"},"head":{"sha":"` + head + `","repo":null}},"repository":{"default_branch":"main"}}`
	}
	push := func(before, after string) string {
		return `{"before":"` + before + `","after":"` + after + `","repository":{"default_branch":"main"}}`
	}
	for _, c := range []struct {
		name, event, ref, at, depth, payload, span string
		want                                       scope
		depthErr, err                              bool
	}{
		{name: "pull, merge commit, all history", event: "pull_request", at: h.merge, depth: "0", payload: pull(h.base, h.head), want: scope{spec: h.base + "..." + h.head, head: h.head, lines: h.head}},
		{name: "pull, head checked out", event: "pull_request", at: h.head, depth: "0", payload: pull(h.main, h.head), want: scope{spec: h.main + "..." + h.head, head: h.head, lines: h.head}},
		{name: "pull, depth 2", event: "pull_request", at: h.merge, depth: "2", payload: pull(h.base, h.head), want: scope{spec: h.main + ".." + h.merge, head: h.head, lines: h.merge}},
		{name: "pull, depth 1", event: "pull_request", at: h.merge, depth: "1", payload: pull(h.base, h.head), depthErr: true},
		{name: "pull, base rewritten", event: "pull_request", at: h.merge, depth: "0", payload: pull(gone, h.head), want: scope{spec: h.main + "..." + h.head, head: h.head, lines: h.head}},
		{name: "pull, nothing in the payload", event: "pull_request", at: h.merge, depth: "0", payload: `{"pull_request":{"head":{"sha":5,"repo":null},"base":[]}}`, want: scope{spec: h.main + "..." + h.head, head: h.head, lines: h.head}},
		{name: "pull, no history and no payload", event: "pull_request", at: h.head, depth: "1", payload: `{}`, depthErr: true},
		{name: "pull, head is an option", event: "pull_request", at: h.merge, depth: "0", payload: pull(h.base, "--upload-pack=x"), want: scope{spec: h.base + "..." + h.head, head: h.head, lines: h.head}},
		{name: "push", event: "push", ref: "refs/heads/main", at: h.main, depth: "0", payload: push(h.base, h.main), want: scope{spec: h.base + "..." + h.main, head: h.main, lines: h.main}},
		{name: "push, depth 2", event: "push", ref: "refs/heads/main", at: h.main, depth: "2", payload: push(h.base, h.main), want: scope{spec: h.base + "..." + h.main, head: h.main, lines: h.main}},
		{name: "push, depth 1", event: "push", ref: "refs/heads/main", at: h.main, depth: "1", payload: push(h.base, h.main), depthErr: true},
		{name: "push, new branch", event: "push", ref: "refs/heads/feature", at: h.head, depth: "0", payload: push(none, h.head), want: scope{spec: h.main + "..." + h.head, head: h.head, lines: h.head}},
		{name: "push, forced", event: "push", ref: "refs/heads/feature", at: h.head, depth: "0", payload: push(gone, h.head), want: scope{spec: h.main + "..." + h.head, head: h.head, lines: h.head}},
		{name: "push, first", event: "push", ref: "refs/heads/main", at: h.main, depth: "0", payload: push(none, h.main), want: scope{head: h.main, lines: h.main}},
		{name: "merge group", event: "merge_group", at: h.main, depth: "0", payload: `{"merge_group":{"base_sha":"` + h.base + `","head_sha":"` + h.main + `"}}`, want: scope{spec: h.base + "..." + h.main, head: h.main, lines: h.main}},
		{name: "schedule", event: "schedule", at: h.main, depth: "1", payload: `{"schedule":"0 0 * * *"}`, want: scope{head: h.main, lines: h.main}},
		{name: "dispatch", event: "workflow_dispatch", at: h.main, depth: "1", payload: `{"inputs":null}`, want: scope{head: h.main, lines: h.main}},
		{name: "all asked for", event: "push", at: h.main, depth: "1", span: "all", payload: push(h.base, h.main), want: scope{head: h.main, lines: h.main}},
		{name: "range asked for", event: "schedule", at: h.main, depth: "0", span: h.root + ".." + h.base, payload: `{}`, want: scope{spec: h.root + ".." + h.base, head: h.base, lines: h.base}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parsePayload([]byte(c.payload))
			if err != nil {
				t.Fatal(err)
			}
			j := &job{event: c.event, ref: c.ref, payload: p, baseRef: map[bool]string{true: "main"}[strings.HasPrefix(c.event, "pull")]}
			s, err := j.findScope(t.Context(), h.checkout(c.at, c.depth), c.span)
			if _, depth := errors.AsType[*DepthError](err); depth != c.depthErr {
				t.Fatalf("error %v", err)
			}
			if c.depthErr {
				if !strings.Contains(err.Error(), "fetch-depth: 0") {
					t.Errorf("the error does not name the fix: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.spec != c.want.spec || s.head != c.want.head || s.lines != c.want.lines || s.words == "" {
				t.Errorf("got %+v, want %+v", *s, c.want)
			}
		})
	}
}

// TestExamples reads events as GitHub publishes them.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		file, event, ref string
		pull             int
		isPull           bool
		head             string
	}{
		{"pull_request.opened", "pull_request", "refs/pull/2/merge", 2, true, "ec26c3e57ca3a959ca5aad62de7213c562f8c821"},
		{"pull_request.synchronize", "pull_request", "refs/pull/2/merge", 2, true, "ec26c3e57ca3a959ca5aad62de7213c562f8c821"},
		{"pull_request.closed", "pull_request", "refs/pull/2/merge", 2, true, "ec26c3e57ca3a959ca5aad62de7213c562f8c821"},
		{"pull_request.labeled", "pull_request", "refs/pull/2/merge", 2, true, "ec26c3e57ca3a959ca5aad62de7213c562f8c821"},
		{"push.created-branch", "push", "refs/heads/master", 0, false, ""},
		{"push.deleted-tag", "push", "refs/tags/simple-tag", 0, false, ""},
		{"merge_group", "merge_group", "", 0, false, ""},
		{"workflow_dispatch", "workflow_dispatch", "refs/heads/main", 0, false, ""},
	} {
		p, err := readPayload("testdata/events/" + c.file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		j := &job{event: c.event, ref: c.ref, payload: p}
		if j.pull() != c.pull || j.isPull() != c.isPull || p.commit("pull_request", "head", "sha") != c.head {
			t.Errorf("%s: pull %d, %v, head %q", c.file, j.pull(), j.isPull(), p.commit("pull_request", "head", "sha"))
		}
	}
}

// FuzzPayload checks that no event is too odd to be read.
func FuzzPayload(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, `null`, `{"number":1e400}`, `{"pull_request":{"number":-1.5,"head":null}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parsePayload(b)
		if err != nil {
			return
		}
		j := &job{event: "pull_request", ref: "refs/pull/3/merge", payload: p}
		if j.pull() < 0 {
			t.Error("a negative number")
		}
		if c := p.commit("pull_request", "head", "sha"); c != "" && !commitPattern().MatchString(c) {
			t.Errorf("commit %q", c)
		}
		j.onDefaultBranch()
	})
}
