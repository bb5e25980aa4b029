package git

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/internal/configfile"
	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// expectDiff checks that HEAD^..HEAD of an open repository is the one change every layout test makes.
func expectDiff(t *testing.T, repo *Repo) {
	t.Helper()
	_, _, changes, err := parts(repo.Diff(context.Background(), "HEAD^..HEAD", nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "changes", changeList(changes), []string{"M a"})
	if b, err := repo.Blob(context.Background(), changes[0].Blob, 100); err != nil || string(b) != "2\n" {
		t.Errorf("blob %q, %v", b, err)
	}
}

func twoCommits(t testing.TB, args ...string) *testRepo {
	r := newRepo(t, args...)
	r.write("a", "1\n")
	r.write("sub/b", "1\n")
	r.commit("one")
	r.write("a", "2\n")
	r.commit("two")
	return r
}

func TestOpenLayouts(t *testing.T) {
	tests := map[string]func(t *testing.T, r *testRepo) (dir string, opts Options, root string){
		"root": func(t *testing.T, r *testRepo) (string, Options, string) { return r.dir, Options{}, r.dir },
		"below": func(t *testing.T, r *testRepo) (string, Options, string) {
			return filepath.Join(r.dir, "sub"), Options{}, r.dir
		},
		"a file": func(t *testing.T, r *testRepo) (string, Options, string) {
			return filepath.Join(r.dir, "sub", "b"), Options{}, r.dir
		},
		"inside .git": func(t *testing.T, r *testRepo) (string, Options, string) {
			return filepath.Join(r.dir, ".git", "objects"), Options{}, r.dir
		},
		"packed": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("gc", "-q")
			r.git("pack-refs", "--all")
			return r.dir, Options{}, r.dir
		},
		"bare": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("clone", "-q", "--bare", ".", "../bare")
			return filepath.Join(r.dir, "../bare"), Options{}, ""
		},
		"linked work tree": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("worktree", "add", "-q", "../linked")
			return filepath.Join(r.dir, "../linked/sub"), Options{}, filepath.Join(r.dir, "../linked")
		},
		"work tree linked to a bare repository": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("clone", "-q", "--bare", ".", "../bare")
			r.at(filepath.Join(r.dir, "../bare")).git("worktree", "add", "-q", "../linked")
			return filepath.Join(r.dir, "../linked"), Options{}, filepath.Join(r.dir, "../linked")
		},
		"relative links to the work tree": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("worktree", "add", "-q", "../linked")
			r.git("config", "core.repositoryformatversion", "1")
			r.git("config", "extensions.relativeWorktrees", "true")
			linked := filepath.Join(r.dir, "../linked")
			os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: ../repo/.git/worktrees/linked\n"), 0o666)
			os.WriteFile(filepath.Join(r.dir, ".git/worktrees/linked/gitdir"), []byte("../../../../linked/.git\n"), 0o666)
			return linked, Options{}, linked
		},
		"separate git directory": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("init", "-q", "--separate-git-dir", "../elsewhere")
			return r.dir, Options{}, r.dir
		},
		"submodule": func(t *testing.T, r *testRepo) (string, Options, string) {
			outer := r.at(filepath.Join(r.dir, "../outer"))
			os.Mkdir(outer.dir, 0o777)
			outer.git("init", "-q")
			outer.git("submodule", "--quiet", "add", r.dir, "in")
			return filepath.Join(outer.dir, "in/sub"), Options{}, filepath.Join(outer.dir, "in")
		},
		"GIT_DIR": func(t *testing.T, r *testRepo) (string, Options, string) {
			return r.dir, Options{GitDir: ".git"}, r.dir
		},
		"GIT_DIR of a linked work tree": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("worktree", "add", "-q", "../linked")
			linked := filepath.Join(r.dir, "../linked")
			return t.TempDir(), Options{GitDir: filepath.Join(r.dir, ".git/worktrees/linked")}, linked
		},
		"GIT_DIR and GIT_WORK_TREE": func(t *testing.T, r *testRepo) (string, Options, string) {
			return filepath.Dir(r.dir), Options{GitDir: "repo/.git", WorkTree: "repo/sub"}, filepath.Join(r.dir, "sub")
		},
		"GIT_OBJECT_DIRECTORY": func(t *testing.T, r *testRepo) (string, Options, string) {
			objects := filepath.Join(r.dir, "../objects")
			if err := os.Rename(filepath.Join(r.dir, ".git/objects"), objects); err != nil {
				t.Fatal(err)
			}
			os.Mkdir(filepath.Join(r.dir, ".git/objects"), 0o777)
			return r.dir, Options{ObjectDir: "../objects"}, r.dir
		},
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": func(t *testing.T, r *testRepo) (string, Options, string) {
			objects := filepath.Join(r.dir, "../objects")
			if err := os.Rename(filepath.Join(r.dir, ".git/objects"), objects); err != nil {
				t.Fatal(err)
			}
			os.Mkdir(filepath.Join(r.dir, ".git/objects"), 0o777)
			return r.dir, Options{Alternates: []string{objects}}, r.dir
		},
		"alternates": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("gc", "-q")
			r.git("clone", "-q", "--shared", ".", "../shared")
			return filepath.Join(r.dir, "../shared"), Options{}, filepath.Join(r.dir, "../shared")
		},
		"relative alternates of alternates in a circle": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("clone", "-q", "--shared", ".", "../one")
			r.git("clone", "-q", "--shared", "../one", "../two")
			for name, target := range map[string]string{"one": "../../../repo/.git/objects", "two": "../../../one/.git/objects",
				"repo": "../../../two/.git/objects"} {
				os.WriteFile(filepath.Join(r.dir, "..", name, ".git/objects/info/alternates"), []byte(target+"\n"), 0o666)
			}
			return filepath.Join(r.dir, "../two"), Options{}, filepath.Join(r.dir, "../two")
		},
		"extensions.worktreeConfig": func(t *testing.T, r *testRepo) (string, Options, string) {
			r.git("config", "core.repositoryformatversion", "1")
			r.git("config", "extensions.worktreeConfig", "true")
			r.git("config", "extensions.objectFormat", "sha1")
			r.git("config", "--worktree", "core.worktree", filepath.Join(r.dir, "sub"))
			return r.dir, Options{}, filepath.Join(r.dir, "sub")
		},
		"through a link": func(t *testing.T, r *testRepo) (string, Options, string) {
			link := filepath.Join(r.dir, "../link")
			if err := os.Symlink(r.dir, link); err != nil {
				t.Skip(err)
			}
			return filepath.Join(link, "sub"), Options{}, link
		},
	}
	for name, setup := range tests {
		t.Run(name, func(t *testing.T) {
			r := twoCommits(t)
			dir, opts, root := setup(t, r)
			repo, err := Open(context.Background(), dir, opts)
			if err != nil {
				t.Fatal(err)
			}
			defer repo.Close()
			if root != "" {
				root = filepath.Clean(root)
			}
			if got := repo.Root(); got != root {
				t.Errorf("root %q, want %q", got, root)
			}
			expectDiff(t, repo)
		})
	}
}

func TestOpenFails(t *testing.T) {
	ctx := context.Background()
	var notRepository *NotRepositoryError
	if _, err := Open(ctx, t.TempDir(), Options{}); !errors.As(err, &notRepository) {
		t.Errorf("outside: %v", err)
	}
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "no"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	empty := t.TempDir()
	os.Mkdir(filepath.Join(empty, ".git"), 0o777)
	if _, err := Open(ctx, empty, Options{}); !errors.As(err, &notRepository) {
		t.Errorf("empty .git: %v", err)
	}
	if _, err := Open(ctx, empty, Options{GitDir: ".git"}); !errors.As(err, &notRepository) {
		t.Errorf("empty GIT_DIR: %v", err)
	}
	for _, setting := range [][2]string{{"extensions.objectFormat", "sha256"}, {"extensions.refStorage", "reftable"},
		{"extensions.unheardOf", "true"}, {"core.repositoryFormatVersion", "7"}} {
		r := twoCommits(t)
		r.git("config", "core.repositoryFormatVersion", "1")
		r.git("config", setting[0], setting[1])
		var unsupported *UnsupportedError
		if _, err := Open(ctx, r.dir, Options{}); !errors.As(err, &unsupported) || unsupported.Remedy == "" {
			t.Errorf("%s: %v", setting[0], err)
		}
	}
}

func TestRevisions(t *testing.T) {
	r := twoCommits(t)
	r.git("tag", "light")
	r.git("tag", "-a", "-m", "x", "heavy")
	r.git("tag", "-a", "-m", "x", "heavier", "heavy")
	r.git("branch", "feature/a")
	r.git("checkout", "-q", "-b", "side", "HEAD^")
	r.write("c", "3\n")
	r.commit("three")
	r.git("checkout", "-q", "main")
	r.now += 60
	r.git("merge", "-q", "-m", "merge", "side")
	r.git("tag", "side", "light") // beats the branch
	r.git("clone", "-q", ".", "../clone")
	clone := r.at(filepath.Join(r.dir, "../clone"))
	clone.write("d", "4\n")
	clone.commit("ahead")
	repo := clone.open()
	rd := repo.acquire()
	defer repo.release(rd)
	full := clone.git("rev-parse", "HEAD")
	for _, rev := range []string{"HEAD", "@", "main", "refs/heads/main", "heads/main", "origin", "origin/main", "light", "heavy",
		"heavier", "heavy^{}", "heavy^{commit}", "tags/heavy", "origin/feature/a", "HEAD^", "HEAD~", "HEAD~2", "HEAD^^",
		"HEAD^^2", "HEAD~1^2~1", "HEAD^0", "HEAD~0", "@^", "side", "main@{upstream}", "@{u}", "@{U}~1", full, full[:7], full[:4],
		strings.ToUpper(full[:9]), "heavy-0-g" + full[:8], full[:12] + "^"} {
		got, err := repo.resolveCommit(rd, rev)
		if err != nil {
			t.Errorf("%s: %v", rev, err)
			continue
		}
		if want := clone.git("rev-parse", rev+"^{commit}"); got.String() != want {
			t.Errorf("%s: got %s, want %s", rev, got, want)
		}
	}
	for _, rev := range []string{"", "nope", "HEAD^3", "HEAD~99", "HEAD^{tree}", "HEAD^{", "main@{1}", ":/x", "HEAD:a", "feature",
		"-x", "../config", "a b", "^HEAD", "HEAD~99999999999999999999", strings.Repeat("0", 40), full[:3], full + "0",
		clone.git("rev-parse", "HEAD:a"), "\x00"} {
		var bad *RevisionError
		if got, err := repo.resolveCommit(rd, rev); !errors.As(err, &bad) || !got.IsZero() || bad.Rev != rev {
			t.Errorf("%q: got %s, %v", rev, got, err)
		}
	}
}

func TestEmptyRepository(t *testing.T) {
	ctx := context.Background()
	r := newRepo(t)
	r.write("a", "1")
	repo := r.open()
	var bad *RevisionError
	for _, sel := range []Selection{{}, {All: true}, {Range: "HEAD"}} {
		if err := historyError(t, repo, sel); !errors.As(err, &bad) || !strings.Contains(err.Error(), `"main" has no commit yet`) {
			t.Errorf("history %+v: %v", sel, err)
		}
	}
	if _, _, _, err := parts(repo.Diff(ctx, "HEAD^...", nil)); !errors.As(err, &bad) {
		t.Errorf("diff: %v", err)
	}
	files, err := repo.WorkTree(ctx, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "work tree", pathList(files), []string{"a"})
}

func TestShallowClone(t *testing.T) {
	ctx := context.Background()
	r := newRepo(t)
	r.write("root", "1\n")
	r.commit("root")
	r.git("branch", "base")
	for i := range 6 {
		r.write("a", strings.Repeat("x\n", i+1))
		r.commit("c")
	}
	r.git("checkout", "-q", "base")
	r.write("b", "1\n")
	r.commit("on base")
	clone := func(depth string) *testRepo {
		dir := filepath.Join(r.dir, "../depth"+depth)
		r.git("clone", "-q", "--depth", depth, "--no-single-branch", "--branch", "main", "file://"+r.dir, dir)
		return r.at(dir)
	}
	shallow := clone("3")
	repo := shallow.open()
	if !repo.Shallow() {
		t.Error("not recognized as shallow")
	}
	_, _, changes, err := parts(repo.Diff(ctx, "HEAD~2..HEAD", nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "diff", changeList(changes), []string{"M a"})
	var cut *ShallowError
	for _, spec := range []string{"HEAD~3..HEAD", "HEAD~3", "origin/base...HEAD"} {
		if _, _, _, err := parts(repo.Diff(ctx, spec, nil)); !errors.As(err, &cut) || !strings.Contains(err.Error(), "git fetch --unshallow") {
			t.Errorf("%s: %v", spec, err)
		}
	}
	var bad *RevisionError
	if _, _, _, err := parts(repo.Diff(ctx, r.rev("main~5").String()+"..HEAD", nil)); !errors.As(err, &bad) || !bad.Shallow {
		t.Errorf("absent commit: %v", err)
	}
	var skipped notes
	var got []string
	boundaries := 0
	for c, err := range repo.History(ctx, Selection{}, skipped.add) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Boundary {
			boundaries++
		}
		got = append(got, strings.Join(changeList(c.Changes), ","))
	}
	equal(t, "history", got, []string{"", "M a", "M a"})
	equal(t, "skipped", skipped, []string{": shallow"})
	if boundaries != 1 {
		t.Errorf("%d boundaries", boundaries)
	}
	// The remedy has to work.
	shallow.git("fetch", "-q", "--unshallow")
	whole := shallow.open()
	base, _, changes, err := parts(whole.Diff(ctx, "origin/base...HEAD", nil))
	if err != nil || subject(t, whole, base.ID) != "root" {
		t.Fatalf("base %v, %v", base, err)
	}
	equal(t, "diff after --unshallow", changeList(changes), []string{"A a"})
}

// TestPullRequestCheckout is what actions/checkout makes with fetch-depth: 2 of a pull request's merge commit.
func TestPullRequestCheckout(t *testing.T) {
	r := newRepo(t)
	for i := range 4 {
		r.write("base", strings.Repeat("x\n", i))
		r.commit("base")
	}
	r.git("checkout", "-q", "-b", "topic", "HEAD~2")
	for i := range 3 {
		r.write("new", strings.Repeat("y\n", i+1))
		r.commit("topic")
	}
	r.git("checkout", "-q", "--detach", "main")
	r.now += 60
	r.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	r.git("branch", "pull")
	r.git("clone", "-q", "--depth", "2", "--branch", "pull", "file://"+r.dir, "../clone")
	repo := r.at(filepath.Join(r.dir, "../clone")).open()
	for _, spec := range []string{"HEAD^1...HEAD", "HEAD^1..HEAD", "HEAD^", "HEAD^1...@"} {
		_, _, changes, err := parts(repo.Diff(context.Background(), spec, nil))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, spec, changeList(changes), []string{"A new"})
	}
	var cut *ShallowError
	if _, _, _, err := parts(repo.Diff(context.Background(), "HEAD^1...HEAD^2", nil)); !errors.As(err, &cut) {
		t.Errorf("got %v", err)
	}
	var bad *RevisionError
	if _, _, _, err := parts(repo.Diff(context.Background(), "origin/main...HEAD", nil)); !errors.As(err, &bad) || !bad.Shallow {
		t.Errorf("got %v", err)
	}
}

func TestPartialClone(t *testing.T) {
	r := twoCommits(t)
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.dir, "../partial")
	repo := r.at(filepath.Join(r.dir, "../partial")).open()
	_, _, changes, err := parts(repo.Diff(context.Background(), "HEAD^..HEAD", nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "changes", changeList(changes), []string{"M a"})
	var missing *MissingObjectError
	if _, err := repo.Blob(context.Background(), changes[0].Blob, 100); !errors.As(err, &missing) || !missing.Partial || missing.Remedy == "" {
		t.Fatalf("got %v", err)
	}
	has := func(r *Repo, want bool) {
		t.Helper()
		if got := r.Has(changes[0].Blob); got != want {
			t.Errorf("it has the content: %v", got)
		}
	}
	has(repo, false)
	has(r.open(), true)
	command := strings.Split(missing.Remedy, "`")[1]
	partial := r.at(filepath.Join(r.dir, "../partial"))
	partial.git(strings.Fields(command)[1:]...)
	fetched := partial.open()
	expectDiff(t, fetched)
	has(fetched, true)
}

func TestMergeBases(t *testing.T) {
	ctx := context.Background()
	r := newRepo(t)
	r.write("f", "0\n")
	r.commit("root")
	r.git("branch", "other")
	r.write("a", "1\n")
	left := r.commit("left")
	r.git("checkout", "-q", "other")
	r.write("b", "1\n")
	right := r.commit("right")
	r.now += 60
	r.git("merge", "-q", "-m", "m1", left.String())
	r.git("checkout", "-q", "main")
	r.now += 60
	r.git("merge", "-q", "-m", "m2", right.String())
	r.write("c", "1\n")
	r.commit("after")
	base, _, changes, err := parts(r.open().Diff(ctx, "other...main", nil))
	if err != nil {
		t.Fatal(err)
	}
	if base.ID != right {
		t.Errorf("criss-cross: base %s, want the later %s", base.ID, right)
	}
	equal(t, "criss-cross", changeList(changes), []string{"A a", "A c"})

	r.git("checkout", "-q", "--orphan", "unrelated")
	r.write("z", "1\n")
	r.commit("z")
	var unrelated *UnrelatedError
	if _, _, _, err := parts(r.open().Diff(ctx, "main...unrelated", nil)); !errors.As(err, &unrelated) {
		t.Errorf("unrelated: %v", err)
	}
	if _, _, _, err := parts(r.open().Diff(ctx, "main..unrelated", nil)); err != nil {
		t.Errorf("unrelated, two dots: %v", err)
	}
}

func TestOctopusHistory(t *testing.T) {
	r := newRepo(t)
	r.write("f", "0\n")
	r.commit("root")
	for _, b := range []string{"x", "y", "z"} {
		r.git("checkout", "-q", "-b", b, "main")
		r.write(b, b)
		r.commit("add " + b)
	}
	r.git("checkout", "-q", "main")
	r.write("m", "m")
	r.commit("add m")
	r.now += 60
	r.git("merge", "-q", "-m", "octopus", "x", "y", "z")
	r.write("evil", "only in the merge")
	r.git("add", "-A")
	r.git("commit", "-q", "--amend", "-m", "octopus")
	var got []string
	repo := r.open()
	for c, err := range repo.History(context.Background(), Selection{}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, subject(t, repo, c.ID)+": "+strings.Join(changeList(c.Changes), ","))
	}
	equal(t, "history", got, []string{"root: A f", "add x: A x", "add y: A y", "add z: A z", "add m: A m", "octopus: A evil"})
	got = nil
	for c, err := range repo.History(context.Background(), Selection{Range: "x..", Paths: []string{"y", "./z/"}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, subject(t, repo, c.ID)+": "+strings.Join(changeList(c.Changes), ","))
	}
	equal(t, "limited history", got, []string{"add y: A y", "add z: A z", "add m: ", "octopus: "})
}

// TestConcurrentBlobs reads all blobs from many goroutines while a history is walked and its own body reads too.
func TestConcurrentBlobs(t *testing.T) {
	r := generated(t, 120, 9)
	r.git("repack", "-q", "-adf", "--depth=50")
	repo := r.open()
	ctx := context.Background()
	want := map[Hash]string{}
	for c, err := range repo.History(ctx, Selection{}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		for _, ch := range c.Changes {
			b, err := repo.Blob(ctx, ch.Blob, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			want[ch.Blob] = string(b)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for h, content := range want {
				if b, err := repo.Blob(ctx, h, 1<<20); err != nil || string(b) != content {
					t.Errorf("%s: %d bytes, %v", h, len(b), err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestRepackedMeanwhile(t *testing.T) {
	r := twoCommits(t)
	r.git("repack", "-q", "-ad")
	unread := r.open() // knows a pack that it has not opened yet
	r.write("b", "b")
	r.commit("b")
	r.git("repack", "-q", "-ad")
	if _, err := unread.Blob(context.Background(), r.rev("HEAD~2:a"), 10); err != nil {
		t.Error(err)
	}
	r.git("reset", "-q", "--hard", "HEAD^")
	repo := r.open()
	expectDiff(t, repo)
	r.git("gc", "-q", "--prune=now")
	expectDiff(t, repo)
	r.write("a", "3\n")
	r.commit("three")
	r.git("repack", "-q", "-ad")
	r.git("prune-packed")
	b, err := repo.Blob(context.Background(), r.rev("HEAD:a"), 10)
	if err != nil || string(b) != "3\n" {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestPackIndexVersion1(t *testing.T) {
	r := twoCommits(t)
	r.git("-c", "pack.indexVersion=1", "repack", "-q", "-ad")
	var unsupported *UnsupportedError
	if _, err := Open(context.Background(), r.dir, Options{}); !errors.As(err, &unsupported) {
		t.Fatalf("got %v", err)
	}
	r.git(strings.Fields(strings.Split(unsupported.Remedy, "`")[1])[1:]...)
	expectDiff(t, r.open())
}

func TestOddConfiguration(t *testing.T) {
	r := twoCommits(t)
	name := filepath.Join(r.dir, ".git/config")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	odd := "; comment\n# other\n[Core] Bare = FALSE ; why\n\texcludesFile = \"a \\\"b\\\"\" # c\n\tignoreCase\n[alias]\n\tx = \"!f() { \\\n" +
		"  echo; }; f\"\n[includeIf \"gitdir:~/x/\"]\n\tpath = /no/such\n[http \"https://example.com/\"]\n\tproxy =\n" +
		"[branch \"a/b.c\"]\n\tremote = .\n\tmerge = refs/heads/main\n[remote \"o\"]\n\tpromisor = false\n\turl = C:\\\\x\n"
	for _, text := range []string{odd, strings.ReplaceAll(odd, "\n", "\r\n"), "\xef\xbb\xbf" + odd} {
		if err := os.WriteFile(name, append(b, text...), 0o666); err != nil {
			t.Fatal(err)
		}
		if text[0] == 0xef {
			os.WriteFile(name, append([]byte(text), b...), 0o666)
		}
		r.git("status", "--porcelain") // git takes it
		repo := r.open()
		expectDiff(t, repo)
		if c := repo.config; c.bare || !c.ignoreCase || c.promisor || c.excludes != `a "b"` || c.upstreams["a/b.c"].remote != "." {
			t.Errorf("%q: %+v", text[:10], c)
		}
	}
}

func TestCanceled(t *testing.T) {
	r := twoCommits(t)
	repo := r.open()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, staged := changesOf(repo.Staged(ctx, nil))
	_, workTree := repo.WorkTree(ctx, nil, nil)
	_, _, _, diff := parts(repo.Diff(ctx, "HEAD^..HEAD", nil))
	_, blob := repo.Blob(ctx, r.rev("HEAD:a"), 10)
	var history error
	for _, err := range repo.History(ctx, Selection{}, nil) {
		history = err
	}
	for i, err := range []error{staged, workTree, diff, blob, history} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

func TestIdentity(t *testing.T) {
	for in, want := range map[string][2]string{
		"A U Thor <a@example.com> 1700000000 +0200": {"A U Thor", "a@example.com"},
		"<> 1 +0000":    {"", ""},
		"no mail":       {"no mail", ""},
		"A <b> <c@d> x": {"A", "b> <c@d"},
		"J\xf6rg <j@example.com> 99999999999999999999":         {"J\uFFFDrg", "j@example.com"},
		strings.Repeat("ü", maxName) + " <a@example.com> 1 +0": {strings.Repeat("ü", maxName/2), "a@example.com"},
	} {
		rd := newReader(&object.DB{}, false)
		for range 2 {
			if name, mail := rd.author([]byte(in)); name != want[0] || mail != want[1] {
				t.Errorf("%q: %q %q", in, name, mail)
			}
		}
	}
	if got := unixTime(1 << 62).Year(); got != 9999 {
		t.Errorf("year %d", got)
	}
}

// TestCommitHead: of a commit no more is kept than its headers, if those are
// where git puts them.
func TestCommitHead(t *testing.T) {
	const tree, committer = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", "committer C <c@example.com> 7 +0000\n"
	many := strings.Repeat("parent "+strings.Repeat("0123456789", 4)+"\n", 10)
	for name, test := range map[string]struct {
		raw     string
		parents int
		part    bool
	}{
		"common":       {tree + "author A <a@example.com> 5 +0000\n" + committer + "\n" + noise(1000), 0, true},
		"short":        {tree + "author A <a@example.com> 5 +0000\n" + committer + "\nmessage", 0, false},
		"many parents": {tree + many + "author A <a@example.com> 5 +0000\n" + committer + "\n" + noise(1000), 10, true},
		"long name":    {tree + "author A <a@example.com> 5 +0000\n" + "committer " + strings.Repeat("n", 400) + " <c> 7 +0000\n\nmessage", 0, true},
	} {
		r := newRepo(t)
		id := r.store(object.Commit, test.raw)
		r.pack(id)
		repo := r.open()
		rd := repo.acquire()
		for range 2 { // the second time from the cache
			b, err := rd.Commit(id)
			if err != nil || !strings.HasPrefix(test.raw, string(b)) || (len(b) < len(test.raw)) != test.part {
				t.Errorf("%s: %d of %d bytes, %v", name, len(b), len(test.raw), err)
			}
			c, err := repo.commit(rd, id)
			if err != nil || c.time != 7 || len(c.parents) != test.parents || c.tree != object.EmptyTree {
				t.Errorf("%s: %v, %v", name, c, err)
			}
			if who, err := repo.describe(rd, id); err != nil || who.AuthorEmail != "a@example.com" || who.AuthorTime.Unix() != 5 || who.CommitTime.Unix() != 7 {
				t.Errorf("%s: %v, %v", name, who, err)
			}
		}
		if b, err := rd.Typed(id, object.Commit, object.MaxCommit); err != nil || string(b) != test.raw {
			t.Errorf("%s: %d bytes of the whole, %v", name, len(b), err)
		}
		repo.release(rd)
	}
}

// TestConfigAgainstGit compares every setting of an odd file with what git reads.
func TestConfigAgainstGit(t *testing.T) {
	r := newRepo(t)
	text := "[a]b=1\n[a \"S.x\"] c = \" q \" r ; no\n\td\n e = x\\\n  y\\tz \\\"q\\\" # no\n[A.Sub]\nkey-2 =   two   words   \n" +
		"[x \"q\\\"\\\\\"] k = \"a#b;c\"d \n ; [not]\n[e]\nempty =\n\tlast = end"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), text + "\\"} {
		r.write("config", text)
		out, err := r.try("config", "--file", "config", "--null", "--list")
		settings, got := configfile.Parse("config", []byte(text))
		if (err != nil) != (got != nil) {
			t.Errorf("git: %v, here: %v", err, got)
		}
		var list strings.Builder
		for _, s := range settings {
			list.WriteString(s.Section + ".")
			if s.Subsection != "" {
				list.WriteString(s.Subsection + ".")
			}
			list.WriteString(s.Key)
			if !s.Bare {
				list.WriteString("\n" + s.Value)
			}
			list.WriteString("\x00")
		}
		if err == nil && list.String() != out {
			t.Errorf("got %q, want %q", list.String(), out)
		}
	}
	for _, bad := range []string{"[", "[a", "[a\n]", "[]", "[a]\n=1", "[a]\nk = \"x", "[a]\nk = \\x", "[a \"b\n\"]", "[a]\nk v"} {
		var corrupt *CorruptError
		if _, err := configfile.Parse("config", []byte(bad)); !errors.As(err, &corrupt) {
			t.Errorf("%q: %v", bad, err)
		}
		r.write("config", bad)
		if out, err := r.try("config", "--file", "config", "--list"); err == nil {
			t.Errorf("git takes %q: %q", bad, out)
		}
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890" + "40000 b\x0012345678901234567890"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, c := skipCommonEntries(b, slices.Clone(b))
		if len(a) != len(c) {
			t.Error("uneven skip")
		}
		for len(b) > 0 {
			e, rest, ok := nextEntry(b)
			if !ok {
				return
			}
			if len(rest) >= len(b) || len(e.name) == 0 {
				t.Fatal("no progress")
			}
			b = rest
		}
	})
}

func noise(n int) string {
	rng := rand.New(rand.NewPCG(9, 9))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return string(b)
}

// A repository that gave back what reading took keeps no reader and reads the same again, while others are reading too.
func TestGiveBack(t *testing.T) {
	r := twoCommits(t)
	r.git("gc", "-q")
	repo, err := Open(t.Context(), r.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 20 {
				expectDiff(t, repo)
				repo.GiveBack()
			}
		})
	}
	readers.Wait()
	repo.GiveBack()
	if n := len(repo.free); n != 0 {
		t.Errorf("%d readers are kept", n)
	}
	expectDiff(t, repo)
}
