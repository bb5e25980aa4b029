package segment

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A list is one entry of a segment, as given to Add.
type list struct {
	fp, count uint64
	postings  []uint64
}

func build(t testing.TB, path string, o Options, lists []list) {
	t.Helper()
	w, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lists {
		w.Add(l.fp, l.count, l.postings)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func all(t testing.TB, r *Reader) []list {
	t.Helper()
	var out []list
	err := r.All(context.Background(), func(fp, count uint64, postings []uint64) error {
		out = append(out, list{fp, count, slices.Clone(postings)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func find(t testing.TB, r *Reader, fps []uint64) []list {
	t.Helper()
	var out []list
	err := r.Lookup(context.Background(), fps, func(i int, count uint64, postings []uint64) error {
		out = append(out, list{fps[i], count, slices.Clone(postings)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameLists(a, b []list) bool {
	return slices.EqualFunc(a, b, func(x, y list) bool {
		return x.fp == y.fp && x.count == y.count && slices.Equal(x.postings, y.postings)
	})
}

// randomLists returns n lists with fingerprints that are their own keys.
func randomLists(rng *rand.Rand, n int, maxPosting uint64) []list {
	lists := make([]list, n)
	for i := range lists {
		lists[i] = randomList(rng, maxPosting)
	}
	slices.SortFunc(lists, byFingerprint)
	return slices.CompactFunc(lists, func(a, b list) bool { return a.fp == b.fp })
}

func randomList(rng *rand.Rand, maxPosting uint64) list {
	n := 1
	if rng.IntN(4) == 0 {
		n = 1 + rng.IntN(100)
	}
	l := list{fp: rng.Uint64() &^ (1<<(64-KeyBits) - 1)}
	for range n {
		l.postings = append(l.postings, rng.Uint64N(maxPosting)+1)
	}
	slices.Sort(l.postings)
	l.postings = slices.Compact(l.postings)
	l.count = uint64(len(l.postings))
	return l
}

func stored(lists []list, most int) []list {
	out := slices.Clone(lists)
	for i := range out {
		out[i].postings = out[i].postings[:min(most, len(out[i].postings))]
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		keys        int
		expected    uint64
		maxPosting  uint64
		maxPostings int
	}{
		{0, 0, 1, 0},
		{1, 1, 1, 0},
		{1, 1 << 20, MaxPosting - 1, 1},
		{50, 50, 1 << 27, 64},
		{5000, 5000, 1 << 27, 0},
		{5000, 0, MaxPosting - 1, 3},
		{5000, 5_000_000, 100, 70}, // several shards, most buckets empty
		{30000, 3_000_000, 1 << 40, 64},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.keys, c.expected), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(c.keys), c.expected))
			lists := randomLists(rng, c.keys, c.maxPosting)
			path := filepath.Join(t.TempDir(), "s")
			build(t, path, Options{Scheme: "test", Keys: c.expected, MaxPostings: c.maxPostings}, lists)
			r := open(t, path)
			want := stored(lists, r.Info().MaxPostings)
			if got := all(t, r); !sameLists(got, want) {
				t.Error("All differs from what was added")
			}
			fps := make([]uint64, len(lists))
			for i, l := range lists {
				fps[i] = l.fp
			}
			if got := find(t, r, fps); !sameLists(got, want) {
				t.Error("Lookup differs from what was added")
			}
			if err := r.Verify(context.Background()); err != nil {
				t.Error(err)
			}
			checkMisses(t, rng, r, lists)
		})
	}
}

func checkMisses(t *testing.T, rng *rand.Rand, r *Reader, lists []list) {
	present := map[uint64]bool{}
	for _, l := range lists {
		present[r.geo.key(l.fp)] = true
	}
	var fps []uint64
	for range 20000 {
		if fp := rng.Uint64(); !present[r.geo.key(fp)] {
			fps = append(fps, fp)
		}
	}
	slices.Sort(fps)
	if got := find(t, r, slices.Compact(fps)); len(got) > 0 {
		t.Errorf("%d fingerprints found that were not added", len(got))
	}
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sortUnique(fps *[]uint64) {
	slices.Sort(*fps)
	*fps = slices.Compact(*fps)
}

func byFingerprint(a, b list) int { return cmp.Compare(a.fp, b.fp) }
