package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lineRepo has renames, a root of many entries that changes at once, and a merge.
func lineRepo(t *testing.T) *testRepo {
	r := newRepo(t)
	r.write("a/x.txt", "one\n")
	r.write("b.txt", "b\n")
	r.commit("1")
	for i := range maxTops + 10 {
		r.write(fmt.Sprintf("f%d/y.txt", i), fmt.Sprintln(i))
	}
	r.commit("2")
	r.git("mv", "a/x.txt", "c.txt")
	r.commit("3")
	r.git("checkout", "-q", "-b", "side", "HEAD~1")
	r.write("b.txt", "side\n")
	r.commit("4")
	r.git("checkout", "-q", "-")
	r.git("merge", "-q", "--no-ff", "-m", "5", "side")
	r.write("c.txt", "two\n")
	r.commit("6")
	return r
}

// back walks over a trail and tells the places of the commits and the paths, the latest first.
func back(t *testing.T, l *Trail, until int, paths ...string) (out []string) {
	t.Helper()
	type met struct {
		commit int32
		path   string
	}
	var all []met
	before := int32(-1)
	if until >= 0 {
		before = l.Order()[until]
	}
	err := l.WalkBack(t.Context(), paths, before, func(n int32, c Change) ([]string, error) {
		all = append(all, met{n, c.Path})
		if c.Path == "c.txt" && !c.HasOld {
			return []string{"a/x.txt"}, nil
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		out = append(out, fmt.Sprint(l.Place(m.commit), " ", m.path))
	}
	return out
}

// TestWalkBack: a walk meets what git log tells, the latest first, whatever part of
// it an earlier walk has read, and takes up further paths on its way.
func TestWalkBack(t *testing.T) {
	r := lineRepo(t)
	trail, err := r.open().Trail(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	trail.Every = true
	for range 2 {
		if got, want := fmt.Sprint(back(t, trail, -1, "c.txt")), "[5 c.txt 2 c.txt 0 a/x.txt]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := fmt.Sprint(back(t, trail, -1, "b.txt", "f7")), "[4 b.txt 3 b.txt 1 f7/y.txt 0 b.txt]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := back(t, trail, 2, "c.txt", "a"); len(got) != 1 {
			t.Errorf("%s", got)
		}
	}
	line, err := r.open().Reachable(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	whole, err := line.Contents(t.Context(), func(i int, path string, blob Hash) error {
		all = append(all, fmt.Sprint(i, " ", path))
		return nil
	})
	every := back(t, trail, -1)
	slices.Sort(all)
	slices.Sort(every)
	if err != nil || !whole || strings.Join(all, "\n") != strings.Join(every, "\n") {
		t.Errorf("%v, %v: Contents yields %d, WalkBack %d", err, whole, len(all), len(every))
	}
	for _, paths := range [][]string{nil, {"c.txt"}} {
		trail, err := r.open().Trail(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if paths != nil {
			back(t, trail, -1, paths...)
		}
		if err := trail.ReadAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		var changes []string
		wanted := &Wanted{}
		err = trail.Changes(t.Context(), trail.Order(), wanted, func(n int32, c *Change, _ int) error {
			changes = append(changes, fmt.Sprint(trail.Place(n), " ", c.Path))
			return nil
		})
		slices.Sort(changes)
		if err != nil || !slices.Equal(changes, every) {
			t.Errorf("%v: after a walk over %q, Changes yields %d, WalkBack %d", err, paths, len(changes), len(every))
		}
	}
}

// TestWalkBackLeavesOut: a walk over a file visits a merged branch if the merge changed the file. If the merge left the file as it
// was, the walk visits the branch only if it was asked for every commit. A walk over other paths visits the branch.
func TestWalkBackLeavesOut(t *testing.T) {
	r := newRepo(t)
	r.write("a", "1\n")
	r.write("b", "1\n")
	r.commit("1")
	r.git("checkout", "-q", "-b", "side")
	r.write("a", "2\n")
	r.commit("2")
	r.write("a", "1\n")
	r.write("b", "2\n")
	r.commit("3")
	r.git("checkout", "-q", "-")
	r.write("c", "1\n")
	r.commit("4")
	r.git("merge", "-q", "--no-ff", "-m", "5", "side")
	walk := func(every bool, paths ...[]string) (out []string) {
		t.Helper()
		trail, err := r.open().Trail(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		trail.Every = every
		for _, ps := range paths {
			out = back(t, trail, -1, ps...)
		}
		return out
	}
	a, b := []string{"a"}, []string{"b"}
	for _, tc := range []struct{ got, want []string }{
		{walk(false, a), []string{"0 a"}},
		{walk(true, a), []string{"2 a", "1 a", "0 a"}},
		{walk(false, b), []string{"4 b", "2 b", "0 b"}},
		{walk(false, a, b), []string{"4 b", "2 b", "0 b"}},
		{walk(false, b, a), []string{"2 a", "1 a", "0 a"}},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%v, want %v", tc.got, tc.want)
		}
	}
}

// TestAdded: a range has what the base lacks.
func TestAdded(t *testing.T) {
	r := lineRepo(t)
	repo := r.open()
	ids, err := repo.Added(t.Context(), "HEAD~1", "HEAD")
	if want, _ := repo.Resolve(t.Context(), "HEAD"); err != nil || len(ids) != 1 || ids[0] != want.ID {
		t.Error(ids, err)
	}
	if ids, err = repo.Added(t.Context(), "HEAD", "HEAD~1"); err != nil || len(ids) != 0 {
		t.Error(ids, err)
	}
	if _, err = repo.Added(t.Context(), "none", "HEAD"); err == nil {
		t.Error("a base that does not exist")
	}
}

// TestTagsOfLine: tags lead to commits; HEAD and they tell what a line has.
func TestTagsOfLine(t *testing.T) {
	r := lineRepo(t)
	r.git("checkout", "-q", "-b", "old", "HEAD~3")
	r.write("z.txt", "z\n")
	z := r.commit("z")
	r.git("tag", "-a", "-m", "t", "v1", "HEAD")
	r.git("tag", "of-a-tree", "HEAD:f1")
	r.git("checkout", "-q", "-")
	repo := r.open()
	tags, lost, err := repo.Tags(t.Context())
	if err != nil || lost != 0 || len(tags) != 1 || tags[0] != (Tag{"v1", z}) {
		t.Fatal(tags, lost, err)
	}
	for heads, want := range map[int]bool{0: false, 1: true} {
		l, err := repo.Released(t.Context(), []Hash{z}[:heads])
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := l.Find(z.String()); ok != want {
			t.Errorf("with %d heads: found %v", heads, ok)
		}
		if _, ok := l.Find("no name"); ok {
			t.Error("found what is no name")
		}
	}
}

// TestMalformedTags: a tag whose file is no reference is counted, and hides a packed tag of its name. The others are listed.
func TestMalformedTags(t *testing.T) {
	r := lineRepo(t)
	r.git("tag", "v1")
	r.git("tag", "v2")
	r.git("pack-refs", "--all")
	for _, name := range []string{"v2", "v3"} {
		if err := os.WriteFile(filepath.Join(r.dir, ".git/refs/tags", name), []byte("no name of an object\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tags, lost, err := r.open().Tags(t.Context())
	if err != nil || lost != 2 || len(tags) != 1 || tags[0].Name != "v1" {
		t.Error(tags, lost, err)
	}
}

// TestElsewhere: histories that HEAD shares no commit with are listed, merges with its own are not.
func TestElsewhere(t *testing.T) {
	r := lineRepo(t)
	head := r.git("rev-parse", "--abbrev-ref", "HEAD")
	r.git("checkout", "-q", "-b", "another", "HEAD~2")
	r.write("s.txt", "s\n")
	r.commit("a branch")
	r.git("checkout", "-q", "--orphan", "left")
	r.write("z.txt", "z\n")
	a := r.commit("z")
	r.write("z.txt", "y\n")
	b := r.commit("y")
	r.git("tag", "v0.9")
	r.git("merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "merge", head)
	r.git("checkout", "-q", "-f", head)
	r.elsewhere([]Hash{a, b})
	if l, err := r.open().OtherHistories(t.Context(), "left", nil); err != nil || l.Len() != 0 {
		t.Error("of a branch that merged all", l.Len(), err)
	}
	r.git("tag", "-d", "v0.9")
	r.git("branch", "-q", "-D", "left")
	r.elsewhere(nil)
	if _, err := r.open().OtherHistories(t.Context(), "none", nil); err == nil {
		t.Error("of a revision that does not exist")
	}
}

// elsewhere checks what histories HEAD has no part in, with and without a walk of its own.
func (r *testRepo) elsewhere(want []Hash) {
	r.t.Helper()
	repo := r.open()
	met, err := repo.Trail(r.t.Context(), "HEAD")
	if err != nil {
		r.t.Fatal(err)
	}
	if err := met.WalkBack(r.t.Context(), nil, -1, func(int32, Change) ([]string, error) { return nil, nil }); err != nil {
		r.t.Fatal(err)
	}
	for _, met := range []*Trail{nil, met} {
		l, err := repo.OtherHistories(r.t.Context(), "HEAD", met)
		if err != nil {
			r.t.Fatal(err)
		}
		var got []Hash
		for i := range l.Len() {
			got = append(got, l.Brief(i).ID)
		}
		if !slices.Equal(got, want) {
			r.t.Errorf("%v, want %v", got, want)
		}
	}
}
