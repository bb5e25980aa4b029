package git

import (
	"fmt"
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

// TestWalkBack: a walk meets what git log tells, the latest first, whatever part of
// it an earlier walk has read, and takes up further paths on its way.
func TestWalkBack(t *testing.T) {
	r := lineRepo(t)
	l, err := r.open().Line(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	walk := func(until int, paths ...string) (out []string) {
		t.Helper()
		err := l.WalkBack(t.Context(), paths, until, func(i int, c Change) ([]string, error) {
			out = append(out, fmt.Sprint(i, " ", c.Path))
			if c.Path == "c.txt" && !c.HasOld {
				return []string{"a/x.txt"}, nil
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for range 2 {
		if got, want := fmt.Sprint(walk(l.Len(), "c.txt")), "[5 c.txt 2 c.txt 0 a/x.txt]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := fmt.Sprint(walk(l.Len(), "b.txt", "f7")), "[4 b.txt 3 b.txt 1 f7/y.txt 0 b.txt]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := walk(2, "c.txt", "a"); len(got) != 1 {
			t.Errorf("%s", got)
		}
	}
	var all []string
	whole, err := l.Contents(t.Context(), func(i int, path string, blob Hash) error {
		all = append(all, fmt.Sprint(i, " ", path))
		return nil
	})
	back := walk(l.Len())
	slices.Sort(all)
	slices.Sort(back)
	if err != nil || !whole || strings.Join(all, "\n") != strings.Join(back, "\n") {
		t.Errorf("%v, %v: Contents yields %d, WalkBack %d", err, whole, len(all), len(back))
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
