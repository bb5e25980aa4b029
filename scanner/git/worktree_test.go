package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func workTree(t *testing.T, r *testRepo, paths ...string) ([]string, notes) {
	t.Helper()
	var skipped notes
	files, err := r.open().WorkTree(context.Background(), paths, skipped.add)
	if err != nil {
		t.Fatal(err)
	}
	return pathList(files), skipped
}

// lsFiles is git's own answer: tracked and untracked, not ignored, and there.
func lsFiles(r *testRepo, paths ...string) []string {
	out := r.git(append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"}, paths...)...)
	var list []string
	for p := range strings.SplitSeq(out, "\x00") {
		if fi, err := os.Lstat(filepath.Join(r.dir, p)); err == nil && fi.Mode().IsRegular() {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestWorkTree(t *testing.T) {
	r := newRepo(t)
	for _, p := range []string{"a.go", "dir/b.go", "dir-c.go", "dir/sub/tracked.o", "build/kept.o", "gone.go", "ü/ñ \"q\"\n.c"} {
		r.write(p, "x")
	}
	r.commit("c")
	r.write(".gitignore", "*.o\nbuild/\n!important.o\n/top\n")
	r.write("dir/.gitignore", "local.*\n!local.keep\n")
	for _, p := range []string{"dir/x.o", "important.o", "build/new.c", "top", "dir/top", "dir/local.a", "dir/local.keep", "untracked/deep/u.go",
		"excluded", ".hidden/h"} {
		r.write(p, "x")
	}
	r.write(".git/info/exclude", "excluded\n")
	os.Remove(filepath.Join(r.dir, "gone.go"))
	got, skipped := workTree(t, r)
	equal(t, "all", got, lsFiles(r))
	equal(t, "skipped", skipped, nil)
	if !slices.Contains(got, "build/kept.o") || slices.Contains(got, "build/new.c") || slices.Contains(got, "gone.go") {
		t.Errorf("got %q", got)
	}
	got, _ = workTree(t, r, "dir")
	equal(t, "one directory", got, lsFiles(r, "dir"))
	got, _ = workTree(t, r, "dir/sub/", "./dir", "a.go", "dir/b.go")
	equal(t, "overlapping paths", got, lsFiles(r, "dir", "a.go"))
	got, _ = workTree(t, r, "dir/x.o", "build/new.c")
	equal(t, "ignored files named", got, []string{"build/new.c", "dir/x.o"})
	got, _ = workTree(t, r, "build")
	equal(t, "ignored directory named", got, []string{"build/kept.o", "build/new.c"})
	got, skipped = workTree(t, r, ".git/config")
	equal(t, "the repository's own", got, nil)
	equal(t, "skipped", skipped, []string{".git: special"})
}

func TestWorkTreeUserIgnores(t *testing.T) {
	r := newRepo(t)
	home := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		name = filepath.Join(home, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{"a", "b", "c", "d"} {
		r.write(p, "x")
	}
	check := func(what string, want ...string) {
		t.Helper()
		files, err := r.open(Options{Home: home}).WorkTree(context.Background(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, what, pathList(files), want)
	}
	check("none", "a", "b", "c", "d")
	write(".config/git/ignore", "a\n")
	check("default", "b", "c", "d")
	write(".gitconfig", "[core]\n\texcludesFile = ~/mine\n")
	write("mine", "b\n")
	check("user's", "a", "c", "d")
	r.git("config", "core.excludesFile", filepath.Join(home, "other"))
	write("other", "c\n")
	check("repository's", "a", "b", "d")
}

func TestWorkTreeSkips(t *testing.T) {
	r := newRepo(t)
	r.write("f", "x")
	r.write("lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
	for link, target := range map[string]string{"outside": "/", "loop": ".", "dangling": "nowhere", "tofile": "f"} {
		if err := os.Symlink(target, filepath.Join(r.dir, link)); err != nil {
			t.Skip(err)
		}
	}
	nested := r.at(filepath.Join(r.dir, "nested"))
	os.Mkdir(nested.dir, 0o777)
	nested.git("init", "-q")
	nested.write("inner", "x")
	r.git("-c", "core.hooksPath=", "submodule", "--quiet", "add", "-f", func() string {
		o := twoCommits(t)
		return o.dir
	}(), "module")
	listener, err := net.Listen("unix", filepath.Join(r.dir, "socket"))
	if err == nil {
		defer listener.Close()
	}
	want := []string{"dangling: symlink", "lfs: lfs-pointer", "loop: symlink", "module: submodule", "nested: submodule", "outside: symlink"}
	if err == nil {
		want = append(want, "socket: special")
	}
	want = append(want, "tofile: symlink")
	got, skipped := workTree(t, r)
	equal(t, "files", got, []string{".gitmodules", "f"})
	equal(t, "skipped", skipped, want)

	got, skipped = workTree(t, r, "outside/etc/passwd", "loop/f", "tofile", "nested/inner", "module/a")
	equal(t, "files below links", got, nil)
	equal(t, "skipped below links", skipped, []string{"loop: symlink", "module: submodule", "nested: submodule", "outside: symlink", "tofile: symlink"})

	var outside *OutsideError
	for _, p := range []string{"../x", "/etc", "a/../../x"} {
		if _, err := r.open().WorkTree(context.Background(), []string{p}, nil); !errors.As(err, &outside) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := r.open().WorkTree(context.Background(), []string{"no/such"}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing path: %v", err)
	}
}

// TestWorkTreeDeep: at the bottom of the deepest tree that has a path, ignored files, nested repositories and pointers are
// told apart as at the top; what has no path any more is reported.
func TestWorkTreeDeep(t *testing.T) {
	r := newRepo(t)
	name := strings.Repeat("d", 199)
	deep := strings.TrimSuffix(strings.Repeat(name+"/", (4000-len(r.dir))/200), "/")
	at := filepath.Join(r.dir, deep)
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Skip(err) // of a system with shorter paths
	}
	for name, text := range map[string]string{".gitignore": "*.o\n", "f.o": "x", "f": "x", "lfs": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"} {
		r.write(deep+"/"+name, text)
	}
	r.write(deep+"/nested/inner", "x")
	if err := os.Rename(filepath.Join(newRepo(t).dir, ".git"), filepath.Join(at, "nested", ".git")); err != nil {
		t.Fatal(errors.Unwrap(err))
	}
	below, err := os.OpenRoot(at)
	for range 3 { // beyond what a path can be
		if err == nil {
			defer below.Close()
			err = below.Mkdir(name, 0o777)
		}
		if err == nil {
			below, err = below.OpenRoot(name)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	got, skipped := workTree(t, r)
	equal(t, "files", got, []string{deep + "/.gitignore", deep + "/f"})
	if len(skipped) != 3 || !strings.HasSuffix(skipped[0], name+": unreadable") || skipped[1] != deep+"/lfs: lfs-pointer" || skipped[2] != deep+"/nested: submodule" {
		t.Errorf("%d skipped: …%q", len(skipped), strings.ReplaceAll(strings.Join(skipped, ", "), name+"/", ""))
	}
}

func TestWorkTreeUnreadable(t *testing.T) {
	r := newRepo(t)
	r.write("open/f", "x")
	r.write("shut/f", "x")
	shut := filepath.Join(r.dir, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(shut, 0o777)
	if _, err := os.ReadDir(shut); err == nil {
		t.Skip("this user may read everything")
	}
	got, skipped := workTree(t, r)
	equal(t, "files", got, []string{"open/f"})
	equal(t, "skipped", skipped, []string{"shut: unreadable"})
}

func TestWorkTreeSparseCheckout(t *testing.T) {
	r := newRepo(t)
	r.write("in/f", "x")
	r.write("out/g", "x")
	r.commit("c")
	r.git("sparse-checkout", "set", "--cone", "--no-sparse-index", "in")
	got, skipped := workTree(t, r)
	equal(t, "files", got, []string{"in/f"})
	equal(t, "skipped", skipped, []string{"out/g: not-checked-out"})
	_, skipped = workTree(t, r, "in")
	equal(t, "skipped below in", skipped, nil)
}

func TestWorkTreeBare(t *testing.T) {
	r := newRepo(t, "--bare")
	var bare *BareError
	if _, err := r.open().WorkTree(context.Background(), nil, nil); !errors.As(err, &bare) {
		t.Errorf("got %v", err)
	}
	if _, err := r.open().Rel("x"); !errors.As(err, &bare) {
		t.Errorf("got %v", err)
	}
}

func TestRel(t *testing.T) {
	r := twoCommits(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Skip(err)
	}
	repo := r.open()
	for name, want := range map[string]string{"": "", "sub": "sub", "sub/b": "sub/b", "sub/../a": "a", "..a": "..a"} {
		for _, root := range []string{r.dir, link} {
			if got, err := repo.Rel(filepath.Join(root, name)); err != nil || got != want {
				t.Errorf("%s: %q, %v", filepath.Join(root, name), got, err)
			}
		}
	}
	var outside *OutsideError
	if _, err := repo.Rel(filepath.Dir(r.dir)); !errors.As(err, &outside) {
		t.Errorf("got %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"b", "a/x", "a-b", "a/.git/config", ".gitignore", "c/d/e"} {
		name := filepath.Join(dir, p)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte("b\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	var skipped notes
	files, err := Files(context.Background(), dir, nil, skipped.add)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", pathList(files), []string{".gitignore", "a-b", "a/x", "b", "c/d/e"})
	equal(t, "skipped", skipped, []string{"link: symlink"})
	if files[0].Size != 2 || files[0].Mode != ModeFile {
		t.Errorf("%+v", files[0])
	}
	files, err = Files(context.Background(), dir, []string{"c", "b"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", pathList(files), []string{"b", "c/d/e"})
	if _, err := Files(context.Background(), filepath.Join(dir, "no"), nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing root: %v", err)
	}
}

// TestIgnoreAgainstGit makes random trees with random patterns and compares the listing with git's.
func TestIgnoreAgainstGit(t *testing.T) {
	if testing.Short() {
		t.Skip("asks git about hundreds of patterns")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	names := []string{"a", "b", "ab", "a.c", "b.o", "[x]", "a b", "x ", "é", "-", "#c", "!d"}
	parts := []string{"a", "b", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[a-c]*", "[[:alpha:]]", "\\", "!", "#", " ", ".c", "\\*", "[", "]",
		"[]x]", "**/", "/**", "[^[:punct:]]", "é", "a*b", "\\[x]", "[\\]]", "[a-"}
	for round := range 40 {
		r := newRepo(t)
		path := func() string {
			p := make([]string, 1+rng.IntN(4))
			for i := range p {
				p[i] = names[rng.IntN(len(names))]
			}
			return strings.Join(p, "/")
		}
		var created []string
		for range 40 {
			p := path()
			name := filepath.Join(r.dir, p)
			if os.MkdirAll(filepath.Dir(name), 0o777) == nil && os.WriteFile(name, []byte("x"), 0o666) == nil {
				created = append(created, p)
			}
		}
		for i := range 4 {
			r.try("add", "-f", "--", ":(literal)"+created[i])
		}
		patterns := func() string {
			var text strings.Builder
			for range 1 + rng.IntN(5) {
				for range 1 + rng.IntN(4) {
					text.WriteString(parts[rng.IntN(len(parts))])
				}
				text.WriteString([]string{"\n", "\r\n", "/\n", " \n"}[rng.IntN(4)])
			}
			return text.String()
		}
		all := map[string]string{".gitignore": patterns()}
		if d := filepath.Dir(created[5]); d != "." {
			all[d+"/.gitignore"] = patterns()
		}
		for p, text := range all {
			r.write(p, text)
		}
		got, _ := workTree(t, r)
		equal(t, fmt.Sprintf("round %d, patterns %q", round, all), got, lsFiles(r))
	}
}

// TestForeignWorkTree: the configuration of a repository leads a scan to no other directory of this machine, unless the
// caller names it or its .git leads back.
func TestForeignWorkTree(t *testing.T) {
	r := newRepo(t)
	elsewhere := t.TempDir()
	r.git("config", "core.worktree", elsewhere)
	open := func(dir string, o Options) error {
		repo, err := Open(t.Context(), dir, o)
		if err == nil {
			err = repo.Close()
		}
		return err
	}
	var foreign *WorkTreeError
	for _, to := range []string{elsewhere, "/", "../..", filepath.Join(r.dir, "link")} {
		if to != "/" && to != elsewhere && to != "../.." {
			if err := os.Symlink(elsewhere, to); err != nil {
				t.Skip(err)
			}
		}
		r.git("config", "core.worktree", to)
		for _, dir := range []string{r.dir, filepath.Join(r.dir, ".git")} {
			if err := open(dir, Options{}); !errors.As(err, &foreign) {
				t.Errorf("%s from %s: %v", to, dir, err)
			}
		}
	}
	r.git("config", "core.worktree", elsewhere)
	for _, o := range []Options{{GitDir: filepath.Join(r.dir, ".git")}, {WorkTree: elsewhere}} {
		if err := open(r.dir, o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := os.WriteFile(filepath.Join(elsewhere, ".git"), []byte("gitdir: "+filepath.Join(r.dir, ".git")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{r.dir, elsewhere} {
		if err := open(dir, Options{}); err != nil {
			t.Errorf("it leads back, from %s: %v", dir, err)
		}
	}
}
