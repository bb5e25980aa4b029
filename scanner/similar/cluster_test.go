package similar

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/store"
)

// Contents whose hashes begin alike stay apart. A content is read once for each file name.
func TestMeet(t *testing.T) {
	hash := func(first, last byte) (h store.Hash) {
		h[0], h[len(h)-1] = first, last
		return h
	}
	g := &gathering{begins: make(map[uint64]int32), bases: make(map[reading]bool)}
	for i, c := range []struct {
		hash  store.Hash
		path  string
		want  int32
		fresh bool
	}{
		{hash(1, 1), "b/x.c", 0, true}, {hash(1, 2), "x.c", 1, true}, {hash(1, 3), "y.c", 2, true}, {hash(2, 1), "z.c", 3, true},
		{hash(1, 1), "a/x.c", 0, false}, {hash(1, 2), "d/x.h", 1, true}, {hash(1, 2), "c/x.h", 1, false}, {hash(1, 3), "y.c", 2, false},
	} {
		if n, fresh := g.meet(c.hash, c.path); n != c.want || fresh != c.fresh {
			t.Errorf("file %d: content %d, to be read: %v", i, n, fresh)
		}
	}
	g.docs.settle()
	for i, want := range [][]string{{"a/x.c", "b/x.c"}, {"c/x.h", "d/x.h", "x.c"}, {"y.c", "y.c"}, {"z.c"}} {
		if got := g.docs.paths(i); !slices.Equal(got, want) {
			t.Errorf("content %d: %q, want %q", i, got, want)
		}
	}
}

// Equal sketches lie in memory once.
func TestEqualSketchesAreOne(t *testing.T) {
	g := &gathering{equal: make(map[uint64][]uint64)}
	for i, s := range [][]uint64{{1, 2, 3}, {1, 2}, {1, 2, 3}, nil} {
		g.take(i, sketchOf{sketch: s})
	}
	if &g.made[0].sketch[0] != &g.made[2].sketch[0] || len(g.made[1].sketch) != 2 || g.made[3].sketch != nil {
		t.Errorf("%v", g.made)
	}
}
