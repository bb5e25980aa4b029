package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// gitPath is the git that made the test's repository.
func gitPath(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	return path
}

// kinds makes the same work tree and history in each kind of repository that only git can read.
var kinds = map[string]struct {
	init    []string
	convert func(r *testRepo) // after all commits, before the index is changed
	after   func(r *testRepo) // after all
}{
	"sha256":             {init: []string{"--object-format=sha256"}},
	"sha256 packed":      {init: []string{"--object-format=sha256"}, convert: func(r *testRepo) { r.git("gc", "-q"); r.git("pack-refs", "--all") }},
	"reftable":           {init: []string{"--ref-format=reftable"}},
	"reftable of sha256": {init: []string{"--object-format=sha256", "--ref-format=reftable"}},
	"split index":        {convert: func(r *testRepo) { r.git("update-index", "--split-index") }},
	"sparse index": {convert: func(r *testRepo) {
		r.git("config", "index.sparse", "true")
		r.git("sparse-checkout", "set", "--cone", "--sparse-index", "a", "b", "sub")
	}},
	"pack index of version 1": {after: func(r *testRepo) {
		r.git("-c", "pack.indexVersion=1", "repack", "-q", "-ad")
	}},
}

// newKind makes an empty repository, or skips where the git at hand cannot.
func newKind(t *testing.T, args []string) *testRepo {
	r := &testRepo{t: t, dir: filepath.Join(t.TempDir(), "repo")}
	gitPath(t)
	os.MkdirAll(r.dir, 0o777)
	if _, err := r.try(append([]string{"init", "-q", "-b", "main"}, args...)...); err != nil {
		t.Skipf("%s cannot make it: %v", r.git("version"), err)
	}
	return r
}

// fill makes commits, tags, branches, a merge and staged changes of every sort.
func fill(r *testRepo, convert func(*testRepo)) {
	for i := range 12 {
		r.write(fmt.Sprintf("a/%d.go", i), strings.Repeat(fmt.Sprintf("line %d\n", i), 30))
	}
	r.write("b/c/odd \"name\"\n.go", "odd\n")
	r.write("outside/of/the/cone.go", "far\n")
	r.commit("one")
	r.git("tag", "-a", "-m", "annotated", "v1")
	r.git("checkout", "-q", "-b", "side")
	r.write("sub/side.go", "side\n")
	r.commit("side")
	r.git("checkout", "-q", "main")
	r.git("mv", "a/1.go", "a/renamed.go")
	os.Chmod(filepath.Join(r.dir, "a/2.go"), 0o777)
	r.write("a/3.go", "changed\n")
	r.commit("two")
	r.now += 60
	r.git("merge", "-q", "-m", "merge", "side")
	if convert != nil {
		convert(r)
	}
	r.write("a/4.go", "staged\n")
	r.write("sub/new.go", "new\n")
	r.write("sub/empty.go", "")
	r.git("rm", "-q", "a/5.go")
	r.git("add", "-A")
	r.write("sub/intended.go", "intended\n")
	r.git("add", "-N", "sub/intended.go")
	r.write("a/4.go", "unstaged\n")
	r.write("untracked.go", "untracked\n")
}

// portrait is all that is read of a repository, without object names.
func portrait(t *testing.T, repo *Repo) []string {
	t.Helper()
	ctx := context.Background()
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	skipped := func(path string, reason Reason, _ string) { say("skipped %q %s", path, reason) }
	content := func(h Hash) string {
		b, err := repo.Blob(ctx, h, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, c := range []func() (Comparison, error){
		func() (Comparison, error) { return repo.Staged(ctx, skipped) },
		func() (Comparison, error) { return repo.Diff(ctx, "v1..HEAD", skipped) },
		func() (Comparison, error) { return repo.Diff(ctx, "side...main~1", skipped) },
	} {
		c, err := c()
		if err != nil {
			t.Fatal(err)
		}
		say("comparison %q %q", subject(t, repo, c.Base.ID), subject(t, repo, c.Head.ID))
		for _, l := range changeList(c.Changes) {
			say("%s", l)
		}
		for _, ch := range c.Changes {
			say("%o %d %q", ch.Mode, ch.Size, content(ch.Blob))
		}
		for _, f := range c.Deleted {
			say("deleted %q", f.Path)
		}
	}
	for _, sel := range []Selection{{}, {All: true}, {Range: "v1..side"}} {
		for c, err := range repo.History(ctx, sel, skipped) {
			if err != nil {
				t.Fatal(err)
			}
			say("commit %q by %s, %d parents, head %t, mainline %t", subject(t, repo, c.ID), c.AuthorName, len(c.Parents), c.Head, c.Mainline)
			for _, ch := range c.Changes {
				say("%o %q %q", ch.Mode, ch.Path, content(ch.Blob))
			}
		}
	}
	files, err := repo.WorkTree(ctx, nil, skipped)
	if err != nil {
		t.Fatal(err)
	}
	named, err := repo.StagedFiles(ctx, func(name string) bool { return strings.HasSuffix(name, ".go") })
	if err != nil {
		t.Fatal(err)
	}
	dir, err := repo.Dir(ctx, "HEAD", "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]File{files, named, dir} {
		say("files %q", pathList(list))
	}
	return out
}

func TestThroughGit(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			r, plain := newKind(t, kind.init), newRepo(t)
			fill(r, kind.convert)
			if kind.after != nil {
				kind.after(r)
			}
			convert := kind.convert
			if name != "sparse index" { // the only kind that changes what is in the work tree
				convert = nil
			}
			fill(plain, convert)
			if convert != nil {
				plain.git("sparse-checkout", "reapply", "--no-sparse-index")
			}
			repo := r.open(Options{Git: gitPath(t)})
			equal(t, "what is read", portrait(t, repo), portrait(t, plain.open()))
			for _, rev := range []string{"HEAD", "main~1", "v1", "side", "HEAD^2"} {
				want := r.git("rev-parse", rev+"^{commit}")
				for _, spelled := range []string{rev, want, want[:12], "x-3-g" + want[:9]} {
					c, err := repo.Resolve(context.Background(), spelled)
					if err != nil || c.Name != want {
						t.Errorf("%s: %s, %v; want %s", spelled, c.Name, err, want)
					}
				}
			}
			var bad *RevisionError
			if _, err := repo.Resolve(context.Background(), "nowhere"); !errors.As(err, &bad) {
				t.Errorf("unknown revision: %v", err)
			}
			if _, err := r.openWith(Options{}); (err == nil) != (name == "split index" || name == "sparse index") {
				t.Errorf("without git: %v", err)
			}
		})
	}
}

func (r *testRepo) openWith(opts Options) (*Repo, error) {
	return Open(context.Background(), r.dir, opts)
}

// TestBothWays reads one repository by both ways, which have to agree in every byte: all through git, and only the
// references, as where they are in a reftable.
func TestBothWays(t *testing.T) {
	r := generated(t, 200, 11)
	own, through, mixed := r.open(), r.open(), r.open()
	f, err := openFallback(t.Context(), through.layout, Options{Git: gitPath(t)}, false, &UnsupportedError{needs: needsObjects})
	if err != nil {
		t.Fatal(err)
	}
	through.fallback, through.refs.git, through.objects = f, f, object.Through(f.batch.object)
	mixed.refs.git = f
	dump := func(repo *Repo) []string {
		var out []string
		for c, err := range repo.History(t.Context(), Selection{All: true}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%+v", c))
			for _, ch := range c.Changes {
				b, err := repo.Blob(t.Context(), ch.Blob, 300)
				out = append(out, fmt.Sprintf("%q %v", b, err))
			}
		}
		return out
	}
	want := dump(own)
	for name, repo := range map[string]*Repo{"all": through, "references": mixed} {
		if got := dump(repo); !slices.Equal(got, want) {
			equal(t, "history, "+name+" through git", got, want)
		}
	}
}

func TestFallbackMissing(t *testing.T) {
	r := newKind(t, []string{"--object-format=sha256"})
	var beyond *UnsupportedError
	if _, err := r.openWith(Options{}); !errors.As(err, &beyond) || !strings.Contains(err.Error(), "git 2.29") || !strings.Contains(err.Error(), "PATH") {
		t.Errorf("without git: %v", err)
	}
	if _, err := r.openWith(Options{Git: filepath.Join(t.TempDir(), "git")}); !errors.As(err, &beyond) {
		t.Errorf("no such git: %v", err)
	}
	// An unborn HEAD of such a repository.
	repo := r.open(Options{Git: gitPath(t)})
	var bad *RevisionError
	if err := historyError(t, repo, Selection{}); !errors.As(err, &bad) || !strings.Contains(err.Error(), "no commit yet") {
		t.Errorf("history of an empty repository: %v", err)
	}
	if _, err := repo.Resolve(t.Context(), "HEAD"); !errors.As(err, &bad) {
		t.Errorf("unborn HEAD: %v", err)
	}
	strange := twoCommits(t)
	strange.git("config", "core.repositoryFormatVersion", "1")
	strange.git("config", "extensions.unheardOf", "true")
	if _, err := strange.openWith(Options{Git: gitPath(t)}); !errors.As(err, &beyond) || !strings.Contains(strings.ToLower(beyond.Git), "unheardof") {
		t.Errorf("an extension git does not know: %v", err)
	}
}

func TestFallbackLargeAndMissingObjects(t *testing.T) {
	r := newKind(t, []string{"--object-format=sha256"})
	r.write("large", strings.Repeat("0123456789", 10000))
	r.write("small", "1")
	r.commit("c")
	repo := r.open(Options{Git: gitPath(t)})
	files, err := repo.Dir(t.Context(), "HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	var large *TooLargeError
	if _, err := repo.Blob(t.Context(), files[0].Blob, 10); !errors.As(err, &large) || large.Size != 100000 {
		t.Errorf("large: %v", err)
	}
	var missing *MissingObjectError
	if _, err := repo.Blob(t.Context(), Hash{1}, 10); !errors.As(err, &missing) || missing.Partial {
		t.Errorf("missing: %v", err)
	}
	if b, err := repo.Blob(t.Context(), files[1].Blob, 10); err != nil || string(b) != "1" {
		t.Errorf("small: %q, %v", b, err)
	}
	if repo.Has(Hash{1}) || !repo.Has(files[0].Blob) {
		t.Error("it has what is missing, or lacks what is there")
	}
}

// TestFallbackNeverFetches has a partial clone whose remote is there and would answer.
func TestFallbackNeverFetches(t *testing.T) {
	r := newKind(t, []string{"--object-format=sha256"})
	r.write("a", "1\n")
	r.commit("one")
	r.write("a", "2\n")
	r.write("b", "2\n")
	r.commit("two")
	r.git("config", "uploadpack.allowFilter", "true")
	r.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.dir, "../partial")
	partial := r.at(filepath.Join(r.dir, "../partial"))
	before := partial.git("count-objects", "-v")
	repo := partial.open(Options{Git: gitPath(t)})
	c, err := repo.Diff(t.Context(), "HEAD^..HEAD", nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "changes", changeList(c.Changes), []string{"M a", "A b"})
	for _, ch := range c.Changes {
		var missing *MissingObjectError
		if _, err := repo.Blob(t.Context(), ch.Blob, 100); !errors.As(err, &missing) || !missing.Partial || missing.Remedy == "" {
			t.Errorf("%s: %v", ch.Path, err)
		}
	}
	if after := partial.git("count-objects", "-v"); after != before {
		t.Errorf("objects were fetched: %s, before %s", after, before)
	}
}

// TestFallbackRunsNothing has everything that could make git run a program point at one that leaves a trace.
func TestFallbackRunsNothing(t *testing.T) {
	for _, name := range []string{"sha256", "split index"} {
		t.Run(name, func(t *testing.T) {
			r := newKind(t, kinds[name].init)
			fill(r, kinds[name].convert)
			want := portrait(t, r.open(Options{Git: gitPath(t)}))
			trace := filepath.Join(t.TempDir(), "trace")
			script := filepath.Join(t.TempDir(), "script")
			os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $@\" >> '"+trace+"'\n"), 0o777)
			for _, key := range []string{"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass",
				"core.alternateRefsCommand", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge",
				"filter.x.process", "gpg.program", "credential.helper", "sequence.editor", "uploadpack.packObjectsHook", "pager.cat-file",
				"pager.ls-files", "remote.origin.uploadpack", "trace2.eventTarget"} {
				r.git("config", key, script)
			}
			r.git("config", "alias.cat-file", "!"+script)
			r.git("config", "alias.ls-files", "!"+script)
			r.git("config", "core.attributesFile", filepath.Join(r.dir, ".git/attributes"))
			os.WriteFile(filepath.Join(r.dir, ".git/attributes"), []byte("* filter=x diff=x\n"), 0o666)
			os.MkdirAll(filepath.Join(r.dir, ".git/hooks"), 0o777)
			for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc"} {
				os.WriteFile(filepath.Join(r.dir, ".git/hooks", hook), []byte("#!/bin/sh\n"+script+"\n"), 0o777)
			}
			r.git("config", "core.hooksPath", filepath.Join(r.dir, ".git/hooks"))
			os.Remove(trace) // the commands above
			for k, v := range map[string]string{"GIT_TRACE": trace, "GIT_EXTERNAL_DIFF": script, "GIT_PAGER": script, "GIT_SSH_COMMAND": script,
				"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": script, "GIT_DIR": t.TempDir(),
				"GIT_EXEC_PATH": filepath.Dir(script), "GIT_INDEX_FILE": script, "GIT_NAMESPACE": "elsewhere", "GIT_LITERAL_PATHSPECS": "0"} {
				t.Setenv(k, v)
			}
			equal(t, "what is read", portrait(t, r.open(Options{Git: gitPath(t)})), want)
			if b, err := os.ReadFile(trace); err == nil {
				t.Errorf("git ran or wrote: %s", b)
			}
		})
	}
}

// TestFallbackForeignOwner has a repository of somebody else, which git by itself refuses.
func TestFallbackForeignOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	r := newKind(t, []string{"--object-format=sha256"})
	r.write("a", "1")
	r.commit("c")
	for _, name := range []string{r.dir, filepath.Join(r.dir, ".git")} {
		if err := os.Lchown(name, 12345, 12345); err != nil {
			t.Skip(err)
		}
	}
	if files, err := r.open(Options{Git: gitPath(t)}).Dir(t.Context(), "HEAD", ""); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestFallbackCanceled(t *testing.T) {
	r := newKind(t, []string{"--object-format=sha256"})
	r.write("a", "1")
	r.commit("c")
	ctx, cancel := context.WithCancel(t.Context())
	repo, err := Open(ctx, r.dir, Options{Git: gitPath(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	files, err := repo.Dir(ctx, "HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	running := repo.fallback.batch.content.process
	cancel()
	rd := repo.acquire()
	defer repo.release(rd)
	if _, err := rd.Blob(files[0].Blob, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for range running.pending { // closed once the process is gone
	}
}

// TestFallbackKilled kills the process while many goroutines ask it: one of them gets an error, the others get their answers.
func TestFallbackKilled(t *testing.T) {
	r := newKind(t, []string{"--object-format=sha256"})
	want := map[string]string{}
	for i := range 50 {
		name := fmt.Sprintf("f%02d", i)
		want[name] = strings.Repeat(name, 2000)
		r.write(name, want[name])
	}
	r.commit("c")
	repo := r.open(Options{Git: gitPath(t)})
	files, err := repo.Dir(t.Context(), "HEAD", "")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	got, lost := map[string]string{}, 0
	for i, f := range files {
		wg.Go(func() {
			if i == 25 {
				p := &repo.fallback.batch.content
				p.mu.Lock()
				if p.process != nil {
					p.process.cmd.Process.Kill()
				}
				p.mu.Unlock()
			}
			b, err := repo.Blob(t.Context(), f.Blob, 1<<20)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				lost++
				got[f.Path] = want[f.Path]
				return
			}
			got[f.Path] = string(b)
		})
	}
	wg.Wait()
	if lost > 1 || !maps.Equal(got, want) {
		t.Errorf("%d lost, or a wrong content", lost)
	}
}

// FuzzShorten has trees, commits and tags of any content.
func FuzzShorten(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("x", 32)))
	f.Add([]byte("tree " + strings.Repeat("ab", 32) + "\nparent " + strings.Repeat("cd", 32) + "\n\nm\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := &longNames{rest: map[Hash][restBytes]byte{}}
		for _, typ := range []object.Type{object.Commit, object.Tree, object.Blob, object.Tag} {
			out, err := n.shorten(Hash{}, typ, b)
			if err == nil && len(out) > len(b)+1 { // a last line may lack its end
				t.Errorf("%d bytes of %d", len(out), len(b))
			}
		}
	})
}
