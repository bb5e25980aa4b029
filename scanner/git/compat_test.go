package git

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// subjects lists the commits of a selection, with what each changes.
func subjects(t *testing.T, repo *Repo, sel Selection) []string {
	t.Helper()
	var out []string
	for c, err := range repo.History(t.Context(), sel, nil) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, subject(t, repo, c.ID)+": "+strings.Join(append(changeList(c.Changes), changeList(c.Again)...), ", "))
	}
	return out
}

// TestRecordedHistory has every means by which git shows another history than was recorded.
func TestRecordedHistory(t *testing.T) {
	r := newRepo(t)
	r.write("a", "1\n")
	one := r.commit("one")
	r.write("a", "2\n")
	r.commit("two")
	r.write("b", "3\n")
	three := r.commit("three")
	want := []string{"one: A a", "two: M a", "three: A b"}
	r.now += 60
	other := r.git("commit-tree", "-m", "other", three.String()+"^{tree}")
	grafts := filepath.Join(r.dir, ".git/info/grafts")
	blob := r.git("rev-parse", "HEAD:a")
	tests := map[string]struct {
		setup, undo func()
		git         []string // what git then says HEAD's history is
	}{
		"replaced commit": {func() { r.git("replace", three.String(), other) }, func() { r.git("replace", "-d", three.String()) }, []string{"other"}},
		"replaced blob": {func() { r.git("replace", blob, r.git("rev-parse", "HEAD:b")) }, func() { r.git("replace", "-d", blob) },
			[]string{"three", "two", "one"}},
		"graft": {func() { os.WriteFile(grafts, []byte(three.String()+" "+one.String()+"\n"), 0o666) }, func() { os.Remove(grafts) },
			[]string{"three", "one"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.setup()
			defer test.undo()
			equal(t, "what git shows", strings.Fields(r.git("log", "--format=%s")), test.git)
			repo := r.open()
			equal(t, "history", subjects(t, repo, Selection{}), want)
			c, err := repo.Resolve(t.Context(), "HEAD")
			if err != nil || subject(t, repo, c.ID) != "three" {
				t.Errorf("HEAD is %s, %v", c.ID, err)
			}
			files, err := repo.Dir(t.Context(), "HEAD", "")
			if err != nil {
				t.Fatal(err)
			}
			if b, err := repo.Blob(t.Context(), files[0].Blob, 10); err != nil || string(b) != "2\n" {
				t.Errorf("content %q, %v", b, err)
			}
		})
	}
	// A replacement is a commit of the repository all the same, and a reference leads to it.
	r.git("replace", three.String(), other)
	equal(t, "all", subjects(t, r.open(), Selection{All: true}), append(slices.Clone(want), "other: A a, A b"))
}

// TestMultiPackIndex has packs that git finds by an index over all of them, and packs that go while we read.
func TestMultiPackIndex(t *testing.T) {
	r := newRepo(t)
	var want []string
	for i := range 6 {
		r.write("f", strings.Repeat(string(rune('a'+i)), 5000))
		r.commit(string(rune('a' + i)))
		r.git("repack", "-q", "-d")
		want = append(want, string(rune('a'+i))+": M f")
	}
	want[0] = "a: A f"
	if _, err := r.try("multi-pack-index", "write", "--bitmap"); err != nil {
		r.git("multi-pack-index", "write")
	}
	r.git("commit-graph", "write", "--reachable", "--split")
	repo := r.open()
	equal(t, "history", subjects(t, repo, Selection{}), want)

	before := packFiles(t, r)
	r.git("multi-pack-index", "repack", "--batch-size=0")
	r.git("multi-pack-index", "expire")
	if now := packFiles(t, r); slices.ContainsFunc(before, func(p string) bool { return slices.Contains(now, p) }) {
		t.Fatalf("packs stayed: %v", now)
	}
	var missing *MissingObjectError
	if _, err := repo.Blob(t.Context(), Hash{1}, 10); !errors.As(err, &missing) { // makes the reader look again
		t.Errorf("got %v", err)
	}
	equal(t, "history after repacking", subjects(t, repo, Selection{}), want)
	equal(t, "history, opened again", subjects(t, r.open(), Selection{}), want)

	// Without the index of its own git cannot read a pack either, but says so of every object.
	for _, p := range packFiles(t, r) {
		if err := os.Remove(strings.TrimSuffix(p, ".pack") + ".idx"); err != nil {
			t.Fatal(err)
		}
	}
	var unknown *RevisionError
	if _, err := r.open().Resolve(t.Context(), "HEAD"); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "not in the repository") {
		t.Errorf("got %v", err)
	}
}

func packFiles(t *testing.T, r *testRepo) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.pack"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no packs: ", err)
	}
	return paths
}

// TestOddNames has names that are no text, look like options or pathspecs, or other systems would not have.
func TestOddNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other file systems have no such names")
	}
	r := newRepo(t)
	names := []string{"-", "--output=x", ":(glob)**", "a\\b", "a b ", "b\xff\xfe", "CON", "dir.git/x", "tab\there", "new\nline", "é", "e\u0301",
		"*", "[a]", "~", "#x", "!y", strings.Repeat("n", 250), ".gitx", "\u202etxt"}
	for _, n := range names {
		r.write(n, n+"\n")
	}
	r.commit("names")
	slices.Sort(names)
	var want []string
	for _, n := range names {
		want = append(want, "A "+n)
	}
	repo := r.open()
	for c, err := range repo.History(t.Context(), Selection{}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "history", changeList(c.Changes), want)
		for _, ch := range c.Changes {
			if b, err := repo.Blob(t.Context(), ch.Blob, 1000); err != nil || string(b) != ch.Path+"\n" {
				t.Errorf("%q: %q, %v", ch.Path, b, err)
			}
		}
	}
	var skipped notes
	files, err := repo.WorkTree(t.Context(), nil, skipped.add)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "work tree", pathList(files), names)
	equal(t, "skipped", skipped, nil)
	for _, n := range names {
		if files, err := repo.WorkTree(t.Context(), []string{n}, nil); err != nil || len(files) != 1 {
			t.Errorf("%q by name: %v, %v", n, pathList(files), err)
		}
	}
}

// TestModesAndKinds turns a file into each other kind of entry and back.
func TestModesAndKinds(t *testing.T) {
	r := newRepo(t)
	r.write("f", "text\n")
	r.commit("file")
	kinds := []struct {
		subject, mode, id string
	}{
		{"executable", "100755", r.git("rev-parse", "HEAD:f")},
		{"link", "120000", r.git("rev-parse", "HEAD:f")},
		{"submodule", "160000", r.git("rev-parse", "HEAD")},
		{"file again", "100644", r.git("rev-parse", "HEAD:f")},
	}
	for _, k := range kinds {
		r.now += 60
		r.git("update-index", "--cacheinfo", k.mode+","+k.id+",f")
		r.git("commit", "-q", "-m", k.subject)
	}
	repo := r.open()
	equal(t, "history", subjects(t, repo, Selection{}), []string{"file: A f", "executable: ", "link: ", "submodule: ", "file again: A f"})
	for _, test := range []struct {
		spec    string
		changes []string
		deleted int
		skipped []string
	}{
		{"HEAD~4..HEAD~3", nil, 0, nil},
		{"HEAD~3..HEAD~2", nil, 1, []string{"f: symlink"}},
		{"HEAD~2..HEAD~1", nil, 0, []string{"f: submodule"}},
		{"HEAD~1..HEAD", []string{"A f"}, 0, nil},
		{"HEAD~4..HEAD", nil, 0, nil},
	} {
		var skipped notes
		c, err := repo.Diff(t.Context(), test.spec, skipped.add)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, test.spec, changeList(c.Changes), test.changes)
		equal(t, test.spec+" skipped", skipped, test.skipped)
		if len(c.Deleted) != test.deleted {
			t.Errorf("%s: %d deleted, want %d", test.spec, len(c.Deleted), test.deleted)
		}
	}
}
