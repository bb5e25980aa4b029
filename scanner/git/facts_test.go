package git

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// changedOften has what summaries have to tell apart: directories that become files, links, removals, a commit with too many paths.
func changedOften(t *testing.T) *testRepo {
	r := lineRepo(t)
	r.git("rm", "-q", "-r", "f7")
	r.write("f7", "a file\n")
	r.commit("7")
	r.git("rm", "-q", "f7")
	r.write("f7/z.txt", "a directory\n")
	r.commit("8")
	r.git("rm", "-q", "b.txt")
	if err := os.Symlink("c.txt", r.dir+"/b.txt"); err != nil {
		t.Skip(err)
	}
	r.commit("9")
	for i := range maxSummed + 1 {
		r.write(fmt.Sprintf("many/%d.txt", i), "many\n")
	}
	r.commit("10")
	r.write("c.txt", "three\n")
	r.write("many/7.txt", "more\n")
	r.commit("11")
	return r
}

// TestRemember: walks meet the same changes with the facts of commits as without, and a second run learns nothing.
func TestRemember(t *testing.T) {
	r := changedOften(t)
	seen := map[Hash]CommitFacts{}
	for _, paths := range [][]string{{"c.txt"}, {"b.txt", "f7"}, {"f7/z.txt"}, {"f7/y.txt", "many/7.txt"}, {"many"}, nil} {
		trail := func(known map[Hash]CommitFacts) *Trail {
			l, err := r.open().Trail(t.Context(), "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			if known != nil {
				l.Remember(known)
			}
			return l
		}
		want := back(t, trail(nil), -1, paths...)
		for _, known := range []map[Hash]CommitFacts{{}, maps.Clone(seen)} {
			l := trail(known)
			for range 2 {
				if got := back(t, l, -1, paths...); !slices.Equal(got, want) {
					t.Errorf("%q, %d commits known: %v, want %v", paths, len(known), got, want)
				}
			}
			l.Facts(func(id Hash, facts CommitFacts, already bool) {
				if was, ok := known[id]; already != (ok && was.Changes != nil) {
					t.Errorf("%q: commit %s is known: %v", paths, id, already)
				}
				seen[id] = facts
			})
		}
	}
	if len(seen) < 11 {
		t.Errorf("%d commits", len(seen))
	}
}

// TestSummaryOfDeepTree: a summary has each directory above a path, and costs no more than its paths are long. git allows 2,048
// directories.
func TestSummaryOfDeepTree(t *testing.T) {
	dir := strings.Repeat(strings.Repeat("d", 255)+"/", maxTreeDepth)
	var s summary
	for i := range 300 {
		s.add(&treeChange{path: fmt.Sprint(dir, i)})
	}
	got := s.done()
	for _, p := range []string{dir + "299", dir[:len(dir)-1], dir[:255], dir[:511]} {
		w := &Wanted{}
		if w.addPath(p); !w.meets(got) {
			t.Errorf("the summary lacks a path of %d bytes", len(p))
		}
	}
	if want := maxTreeDepth + 2*300; len(got.Sums) < want-8 || len(got.Sums) > want { // a few sums may be equal
		t.Errorf("%d sums, want about %d", len(got.Sums), want)
	}
}

// TestChangesWanted: of commits that cannot have changed a wanted file only the number of changes is told, and all others as without.
func TestChangesWanted(t *testing.T) {
	r := changedOften(t)
	for _, wanted := range []func(*Wanted){
		func(w *Wanted) { w.AddName("c.txt") },
		func(w *Wanted) { w.AddContent(BlobHash([]byte("many\n"))) },
		func(w *Wanted) { w.AddName("z.txt"); w.AddContent(BlobHash([]byte("side\n"))) },
	} {
		known, counts := map[Hash]CommitFacts{}, [2]int{}
		var met [2][]string
		for run := range met {
			l, err := r.open().Trail(t.Context(), "HEAD")
			if err != nil {
				t.Fatal(err)
			}
			l.Remember(maps.Clone(known))
			if err := l.ReadAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			w, skipped := &Wanted{}, 0
			wanted(w)
			err = l.Changes(t.Context(), l.Order(), w, func(n int32, c *Change, files int) error {
				counts[run] += files
				if c == nil {
					skipped++
				} else if one := (&ChangeSummary{Sums: []uint32{sumOf(sumName, path.Base(c.Path)), sumOf(sumContent, c.Blob[:])}}); w.meets(one) {
					met[run] = append(met[run], fmt.Sprint(l.ID(n), c.Path))
				}
				return nil
			})
			if err != nil || (skipped > 0) != (run > 0) {
				t.Errorf("%v, run %d skips %d commits", err, run, skipped)
			}
			l.Facts(func(id Hash, facts CommitFacts, _ bool) { known[id] = facts })
		}
		if len(met[0]) == 0 || !slices.Equal(met[0], met[1]) || counts[0] != counts[1] {
			t.Errorf("%d of %d changes, then %d of %d", len(met[0]), counts[0], len(met[1]), counts[1])
		}
	}
}
