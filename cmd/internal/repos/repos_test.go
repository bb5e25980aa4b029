package repos

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// gives counts how often a repository has given back what reading took.
type gives int

func (g *gives) GiveBack() { *g++ }

// A repository gives back what reading it took as soon as another is read, and not between two of its own packages.
func TestTurn(t *testing.T) {
	var turn Turn
	a, b := new(gives), new(gives)
	for _, r := range []*gives{a, a, b, b, a} {
		turn.take(r)
	}
	if *a != 1 || *b != 1 {
		t.Errorf("given back %d and %d times, want once each", *a, *b)
	}
	(*Turn)(nil).take(a)
}

// gitOn runs git in a directory, with a date of commits.
func gitOn(t *testing.T, dir, date string, args ...string) string {
	t.Helper()
	return gittest.Run(t, dir, []string{"GIT_COMMITTER_DATE=" + date + "T11:00:00+0200"}, args...)
}

// A commit of a checkout has its date, also if the objects are in another repository, as with SwiftPM. A directory that is
// not a repository, or lacks the commit, has none.
func TestCommitted(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		return gitOn(t, root, "2023-04-11", args...)
	}
	run("init", "-q", "kept")
	run("-C", "kept", "commit", "-q", "--allow-empty", "-m", "one")
	at := run("-C", "kept", "rev-parse", "HEAD")
	run("clone", "-q", "--shared", "kept", "checkout")
	checkout := filepath.Join(root, "checkout")
	if got, want := Committed(t.Context(), checkout, at), time.Date(2023, 4, 11, 9, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("a commit is of %v, want %v", got, want)
	}
	for _, dir := range []string{checkout, root} {
		if got := Committed(t.Context(), dir, strings.Repeat("0", 40)); !got.IsZero() {
			t.Errorf("%s: a commit that is not there is of %v", dir, got)
		}
	}
}

func TestForge(t *testing.T) {
	for addr, want := range map[string]string{
		"https://github.com/Owner/Name.git":      "pkg:github/owner/name",
		"git@gitlab.com:owner/name.git":          "pkg:gitlab/owner/name",
		"ssh://git@bitbucket.org:22/owner/name":  "pkg:bitbucket/owner/name",
		"https://gitlab.com/group/sub/name":      "",
		"https://git.example.com/owner/name.git": "",
		"/srv/github.com/owner/name":             "",
	} {
		got := ""
		if u, ok := forge(addr); ok {
			got = u.ToString()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
}

// A commit whose files are far larger than its repository is refused, as such an archive is.
func TestBomb(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		gittest.Run(t, root, nil, args...)
	}
	run("init", "-q")
	for i := range 9 { // of one content, which the repository has once
		if err := os.WriteFile(filepath.Join(root, fmt.Sprint(i)), make([]byte, 8<<20), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("add", ".")
	run("commit", "-q", "-m", "one")
	run("tag", "v1")
	repo, err := git.Open(t.Context(), root, git.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	for _, o := range []Options{{PURL: "pkg:generic/x"}, {PURL: "pkg:generic/x", Ref: "v1"}, {PURL: "pkg:generic/x", Tags: "v*"}} {
		pkgs, _, err := Packages(t.Context(), repo, o)
		if err != nil || len(pkgs) != 1 {
			t.Fatalf("%v: %d packages, %v", o, len(pkgs), err)
		}
		read := 0
		err = pkgs[0].Walk(t.Context(), source.Limits{}, func(string, []byte) error { read++; return nil }, nil)
		if limit, ok := errors.AsType[*source.LimitError](err); !ok || limit.Limit != "times its size when unpacked" || read != 0 {
			t.Errorf("%v: %d files, %v", o, read, err)
		}
	}
}

// Of a commit that lacks a file, or has a damaged one, the other files are read. One whose directories cannot be read is refused before
// any file of it is passed on.
func TestDamagedCommit(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		return gittest.Run(t, root, nil, args...)
	}
	object := func(rev string) string {
		name := run("rev-parse", rev)
		return filepath.Join(root, ".git", "objects", name[:2], name[2:])
	}
	run("init", "-q")
	for _, name := range []string{"a", "b", "c", "d/e"} {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	run("add", ".")
	run("commit", "-q", "-m", "one")
	walk := func() (read, left []string, err error) {
		repo, err := git.Open(t.Context(), root, git.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer repo.Close()
		pkgs, _, err := Packages(t.Context(), repo, Options{PURL: "pkg:generic/x"})
		if err != nil {
			t.Fatal(err)
		}
		err = pkgs[0].Walk(t.Context(), source.Limits{}, func(path string, _ []byte) error {
			read = append(read, path)
			return nil
		}, func(path, reason, _ string) { left = append(left, path+" "+reason) })
		return read, left, err
	}
	other := object("HEAD:c")
	if err := errors.Join(os.Remove(object("HEAD:a")), os.Rename(other, object("HEAD:b"))); err != nil {
		t.Fatal(err)
	}
	read, left, err := walk()
	if err != nil || !slices.Equal(read, []string{"d/e"}) || !slices.Equal(left, []string{"a missing", "b damaged", "c missing"}) {
		t.Errorf("read %q, left out %q, %v", read, left, err)
	}
	if err := os.Remove(object("HEAD:d")); err != nil {
		t.Fatal(err)
	}
	if read, left, err := walk(); !source.Broken(err) || read != nil || left != nil {
		t.Errorf("without a directory: read %q, left out %q, %v", read, left, err)
	}
}

// The newest releases are not those with the largest numbers in their names: a slip of the pen, an old branch that was kept as a tag
// and a nightly build are none. Two tags of one commit are one release. Nor does a choice from the oldest to the newest have them. "all" has
// every tag.
func TestNewestReleases(t *testing.T) {
	root := t.TempDir()
	day := 0
	run := func(args ...string) {
		t.Helper()
		gitOn(t, root, fmt.Sprintf("2023-04-%02d", day), args...)
	}
	run("init", "-q")
	for i, tags := range []string{"v0.21.5", "4v0.21.6 archive/issue884", "v0.22.0", "v1.0.0", "v1.1.0", "v2.0.0 core/v2.0.0", "nightly-20230407"} {
		day = i + 1
		run("commit", "-q", "--allow-empty", "-m", tags)
		for _, tag := range strings.Fields(tags) {
			run("tag", tag)
		}
	}
	repo, err := git.Open(t.Context(), root, git.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	for versions, want := range map[string]string{
		"2":        "v1.1.0 v2.0.0",
		"spread:3": "v0.21.5 v1.0.0 v2.0.0",
		"all":      "v0.21.5 v0.22.0 v1.0.0 v1.1.0 core/v2.0.0 v2.0.0 4v0.21.6 archive/issue884 nightly-20230407",
	} {
		pkgs, _, err := Packages(t.Context(), repo, Options{From: root, PURL: "pkg:generic/a", Versions: versions})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range pkgs {
			got = append(got, strings.ReplaceAll(strings.TrimPrefix(p.PURL, "pkg:generic/a@"), "%2F", "/"))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("--versions %s: %s, want %s", versions, got, want)
		}
	}
}

// TestPartReleases: a release of a part of the repository is none of the repository, unless the whole had no releases at that time.
func TestPartReleases(t *testing.T) {
	root := t.TempDir()
	for i, tags := range []string{"old/v0.0.1", "v0.1.0", "admin/v0.0.2", "rel/0.2.0", "@s/client@0.0.3 a@0.3.0", "v1.0.0", "@s/client@2.0.0"} {
		date := fmt.Sprintf("2023-04-%02d", i+1)
		if i == 0 {
			gitOn(t, root, date, "init", "-q")
		}
		gitOn(t, root, date, "commit", "-q", "--allow-empty", "-m", tags)
		for _, tag := range strings.Fields(tags) {
			gitOn(t, root, date, "tag", tag)
		}
	}
	repo, err := git.Open(t.Context(), root, git.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	pkgs, _, err := Packages(t.Context(), repo, Options{From: root, PURL: "pkg:generic/a", Versions: "spread:9"})
	if err != nil {
		t.Fatal(err)
	}
	var got []int // days
	for _, p := range pkgs {
		got = append(got, p.Released.Day())
	}
	if want := []int{1, 2, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("releases of the days %d, want %d", got, want)
	}
}

// TestUntagged: if no tag has a version, commits of the main line stand for versions; those of a merged branch do not.
func TestUntagged(t *testing.T) {
	root := t.TempDir()
	day := 0
	run := func(args ...string) {
		t.Helper()
		day++
		gitOn(t, root, fmt.Sprintf("2023-04-%02d", day), args...)
	}
	run("init", "-q", "-b", "main")
	for _, subject := range []string{"1", "2", "3"} {
		run("commit", "-q", "--allow-empty", "-m", subject)
	}
	run("tag", "stable")
	run("checkout", "-q", "-b", "side")
	run("commit", "-q", "--allow-empty", "-m", "side")
	run("checkout", "-q", "main")
	run("commit", "-q", "--allow-empty", "-m", "4")
	run("merge", "-q", "--no-ff", "-m", "5", "side")
	repo, err := git.Open(t.Context(), root, git.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	for versions, want := range map[string]string{"spread:3": "2 4 10", "spread:9": "2 3 4 9 10", "2": "10", "all": "10"} { // days
		o := Options{From: root, PURL: "pkg:generic/a", Versions: versions}
		_, _, err := Packages(t.Context(), repo, o)
		if none, ok := errors.AsType[*NoTagError](err); !ok || !none.Untagged {
			t.Fatalf("--versions %s: %v, want that no tag has a version", versions, err)
		}
		pkgs, err := Untagged(t.Context(), repo, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range pkgs {
			c, err := repo.Resolve(t.Context(), strings.TrimPrefix(p.PURL, "pkg:generic/a@"))
			if err != nil || !p.Released.Equal(c.CommitTime) {
				t.Fatalf("%s of %s: %v", p.PURL, p.Released, err)
			}
			got = append(got, strconv.Itoa(c.CommitTime.Day()))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("--versions %s: %s, want %s", versions, got, want)
		}
	}
	for _, o := range []Options{{Versions: "1..2"}, {Tags: "v*"}} {
		o.From, o.PURL = root, "pkg:generic/a"
		_, _, err := Packages(t.Context(), repo, o)
		if none, ok := errors.AsType[*NoTagError](err); !ok || none.Untagged {
			t.Errorf("%+v: %v, want that no tag matches", o, err)
		}
	}
}

// TestManyCommits: a repository without tags has as few packages as one with tags.
func TestManyCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many commits")
	}
	root := t.TempDir()
	gittest.Run(t, root, nil, "init", "-q", "-b", "main")
	c := exec.Command("git", "fast-import", "--quiet")
	c.Dir, c.Env = root, gittest.Environ()
	c.Stdin = strings.NewReader(strings.Repeat("commit refs/heads/main\ncommitter A <a@b.c> 1700000000 +0000\ndata 0\n", maxPackages+1))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := git.Open(t.Context(), root, git.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	o := Options{From: root, PURL: "pkg:generic/a", Versions: "spread:" + strconv.Itoa(maxPackages+1)}
	pkgs, err := Untagged(t.Context(), repo, o)
	if limit, ok := errors.AsType[*source.LimitError](err); !ok || limit.Max != maxPackages {
		t.Errorf("%d packages, %v", len(pkgs), err)
	}
	o.Versions = "spread:2"
	if pkgs, err := Untagged(t.Context(), repo, o); len(pkgs) != 2 || err != nil {
		t.Errorf("%d packages, %v", len(pkgs), err)
	}
}
