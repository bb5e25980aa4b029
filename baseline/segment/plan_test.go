package segment

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// TestFiltersAreReadWhenTheyPay looks up fingerprints one by one and many at once. A filter that a query does not read
// may have any content; the answers do not depend on it.
func TestFiltersAreReadWhenTheyPay(t *testing.T) {
	fps := randomFPs(200_000)
	path := filepath.Join(t.TempDir(), "s")
	w, err := Create(path, Options{Scheme: "plan", Keys: uint64(len(fps))})
	if err != nil {
		t.Fatal(err)
	}
	for i, fp := range fps {
		w.Add(fp, 1, []uint64{uint64(i)})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	s := &r.shards[r.geo.shard(r.geo.key(fps[100]))]
	if need := s.filter.size() / readUnit; need < 4 {
		t.Fatalf("filters are too small to be left out: %d reads", need)
	}
	found := func(query []uint64) (out []int) {
		t.Helper()
		if err := r.Lookup(context.Background(), query, func(i int, _ uint64, ps []uint64) error {
			if fps[ps[0]]>>20 != query[i]>>20 {
				t.Errorf("fingerprint %016x has the posting of %016x", query[i], fps[ps[0]])
			}
			out = append(out, i)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := found([]uint64{fps[100]}); len(got) != 1 || s.checked.Load() {
		t.Errorf("one fingerprint: %v, the filter was read: %v", got, s.checked.Load())
	}
	if got := found([]uint64{fps[100] ^ 1<<21}); len(got) != 0 || s.checked.Load() {
		t.Errorf("one that is not there: %v, the filter was read: %v", got, s.checked.Load())
	}
	dice := rand.New(rand.NewPCG(3, 4))
	var query []uint64
	for i := range 5000 {
		query = append(query, fps[i*40], dice.Uint64())
	}
	slices.Sort(query)
	query = slices.Compact(query)
	if got := found(query); len(got) < 5000 || !s.checked.Load() {
		t.Errorf("%d of 5000 found, the filter was read: %v", len(got), s.checked.Load())
	}
}

// here is a file that is completely on this machine; it counts the requests.
type here struct {
	data  []byte
	needs [][]disk.Range
}

func (h *here) Name() string { return "here" }
func (h *here) Data() []byte { return h.data }
func (h *here) Close() error { return nil }
func (h *here) Need(rs ...disk.Range) error {
	if len(rs) > 0 {
		h.needs = append(h.needs, rs)
	}
	return nil
}
func (h *here) ReadAt(p []byte, off int64) (int, error) { return copy(p, h.data[off:]), nil }

// TestPartsAreAskedForOnce counts the parts that a look-up in a store fetches.
func TestPartsAreAskedForOnce(t *testing.T) {
	r, lists := bigSegment(t)
	for _, c := range []struct {
		name   string
		query  []uint64
		rounds int // number of rounds that fetch parts
	}{
		{"one", []uint64{lists[7].fp}, 2}, // its filter, its block
		{"neighbours", []uint64{lists[7].fp, lists[8].fp}, 2},
		{"nothing is there", []uint64{lists[7].fp + 1<<20}, 1},
	} {
		h := &here{data: r.data}
		s, err := OpenParts(h)
		if err != nil {
			t.Fatal(err)
		}
		h.needs = nil
		n := 0
		if err := s.Lookup(context.Background(), c.query, func(int, uint64, []uint64) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		if len(h.needs) != c.rounds {
			t.Errorf("%s: %d rounds, want %d: %v; %d found", c.name, len(h.needs), c.rounds, h.needs, n)
		}
	}
}
