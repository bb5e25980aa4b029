package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/gittest"
	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// testRepo is a repository made and changed by the real git.
type testRepo struct {
	t   testing.TB
	dir string
	env []string
	now int // seconds added to the commit time, so that each commit has its own
}

func newRepo(t testing.TB, args ...string) *testRepo {
	t.Helper()
	r := &testRepo{t: t, dir: filepath.Join(t.TempDir(), "repo")}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return r
}

// at is the same helper in another directory.
func (r *testRepo) at(dir string) *testRepo { return &testRepo{t: r.t, dir: dir, now: r.now + 1000} }

func (r *testRepo) environ() []string {
	date := fmt.Sprintf("%d +0200", 1700000000+r.now)
	return append(gittest.Environ(), "HOME="+r.dir,
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com", "GIT_COMMITTER_DATE="+date,
		"GIT_ALLOW_PROTOCOL=file")
}

func (r *testRepo) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, append(r.environ(), r.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %q: %w: %s", args, err, stderr.String())
	}
	return string(out), err
}

func (r *testRepo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSuffix(out, "\n")
}

func (r *testRepo) write(path, content string) {
	r.t.Helper()
	name := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// commit stages everything and commits it.
func (r *testRepo) commit(message string) Hash {
	r.t.Helper()
	r.now += 60
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.rev("HEAD")
}

func (r *testRepo) rev(name string) Hash {
	r.t.Helper()
	id := r.git("rev-parse", name)
	h, err := ParseHash(id[:min(len(id), 2*len(Hash{}))]) // SHA-256 names are cut
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

func (r *testRepo) open(opts ...Options) *Repo {
	r.t.Helper()
	var o Options
	if len(opts) > 0 {
		o = opts[0]
	}
	repo, err := Open(context.Background(), r.dir, o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { repo.Close() })
	return repo
}

// notes collects the calls of a Skipped.
type notes []string

func (n *notes) add(path string, reason Reason, _ string) {
	*n = append(*n, path+": "+string(reason))
}

func changeList(changes []Change) []string {
	var list []string
	for _, c := range changes {
		switch {
		case !c.HasOld:
			list = append(list, "A "+c.Path)
		case c.OldPath != c.Path:
			list = append(list, "R "+c.OldPath+" > "+c.Path)
		default:
			list = append(list, "M "+c.Path)
		}
	}
	return list
}

func pathList(files []File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Path)
	}
	return list
}

func equal(t testing.TB, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("%s: %d items, want %d", what, len(got), len(want))
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("\tunexpected: %q", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("\tmissing: %q", w)
		}
	}
}

func TestDiffAndBlob(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "one\n")
	r.write("dir/b.txt", "two\n")
	first := r.commit("first")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.txt", "one\nmore\n")
	r.write("new/c.txt", "three\n")
	second := r.commit("second\nline\n\nbody")
	repo := r.open()
	base, head, changes, err := parts(repo.Diff(context.Background(), "main...topic", nil))
	if err != nil {
		t.Fatal(err)
	}
	if base.ID != first || head.ID != second || subject(t, repo, head.ID) != "second" || head.AuthorName != "A U Thor" ||
		head.AuthorEmail != "author@example.com" || head.CommitTime.Unix() != 1700000120 || head.Parents[0] != first {
		t.Errorf("base %+v, head %+v", base, head)
	}
	equal(t, "changes", changeList(changes), []string{"M a.txt", "A new/c.txt"})
	b, err := repo.Blob(context.Background(), changes[0].Blob, 100)
	if err != nil || string(b) != "one\nmore\n" {
		t.Errorf("blob %q, %v", b, err)
	}
	var large *TooLargeError
	if _, err := repo.Blob(context.Background(), changes[0].Blob, 8); !errors.As(err, &large) || large.Size != 9 {
		t.Errorf("limit: %v", err)
	}
}

// parts and changesOf take comparisons apart.
func parts(c Comparison, err error) (base, head Commit, changes []Change, _ error) {
	return c.Base, c.Head, c.Changes, err
}

func changesOf(c Comparison, err error) ([]Change, error) { return c.Changes, err }

// subject is the first line of a commit's message, as tests know commits by.
func subject(t testing.TB, repo *Repo, id Hash) string {
	t.Helper()
	if id.IsZero() {
		return ""
	}
	rd := repo.acquire()
	defer repo.release(rd)
	raw, err := rd.Typed(id, object.Commit, object.MaxCommit)
	if err != nil {
		t.Fatal(err)
	}
	_, message, _ := bytes.Cut(raw, []byte("\n\n"))
	line, _, _ := bytes.Cut(message, []byte("\n"))
	return string(line)
}
