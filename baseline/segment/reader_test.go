package segment

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestLookupErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, tinyOptions, tinyLists)
	r := open(t, path)
	nothing := func(int, uint64, []uint64) error { return nil }
	ctx := context.Background()
	for _, fps := range [][]uint64{{2, 1}, {1, 1}, append(make([]uint64, 0), append(ascending(batch), 3)...)} {
		if err := r.Lookup(ctx, fps, nothing); err == nil || !strings.Contains(err.Error(), "do not ascend") {
			t.Errorf("%d fingerprints out of order: %v", len(fps), err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := r.Lookup(cancelled, []uint64{1}, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := r.All(cancelled, func(uint64, uint64, []uint64) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	stop := errors.New("stop")
	calls := 0
	err := r.Lookup(ctx, []uint64{tinyLists[0].fp, tinyLists[1].fp}, func(int, uint64, []uint64) error { calls++; return stop })
	if err != stop || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if err := r.All(ctx, func(uint64, uint64, []uint64) error { return stop }); err != stop {
		t.Error(err)
	}
	if err := r.Lookup(ctx, nil, nothing); err != nil {
		t.Error(err)
	}
}

func TestClosedReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, tinyOptions, tinyLists)
	r := open(t, path)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	err := r.Lookup(ctx, []uint64{1}, func(int, uint64, []uint64) error { return nil })
	for _, err := range []error{err, r.Verify(ctx), r.All(ctx, nil)} {
		if !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func ascending(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i + 1)
	}
	return out
}

// bigSegment has several shards; the lists are those of randomLists.
func bigSegment(t *testing.T) (*Reader, []list) {
	t.Helper()
	lists := randomLists(rand.New(rand.NewPCG(21, 22)), 100_000, 1<<27)
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, Options{Keys: uint64(len(lists))}, lists)
	r := open(t, path)
	if len(r.shards) < 4 {
		t.Fatalf("%d shards are too few for this test", len(r.shards))
	}
	return r, stored(lists, DefaultMaxPostings)
}

func TestConcurrentUse(t *testing.T) {
	r, lists := bigSegment(t)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(23, uint64(worker)))
			var fps []uint64
			for range 2000 {
				fps = append(fps, rng.Uint64(), lists[rng.IntN(len(lists))].fp)
			}
			sortUnique(&fps)
			var want []list
			for _, fp := range fps {
				i, ok := slices.BinarySearchFunc(lists, r.geo.fp(r.geo.key(fp)), func(l list, fp uint64) int {
					return cmp.Compare(l.fp, fp)
				})
				if ok {
					want = append(want, list{fp, lists[i].count, lists[i].postings})
				}
			}
			if worker == 0 {
				if err := r.Verify(context.Background()); err != nil {
					t.Error(err)
				}
			}
			var got []list
			err := r.Lookup(context.Background(), fps, func(i int, count uint64, postings []uint64) error {
				got = append(got, list{fps[i], count, slices.Clone(postings)})
				return nil
			})
			if err != nil || !sameLists(got, want) {
				t.Errorf("worker %d: %d lists, want %d: %v", worker, len(got), len(want), err)
			}
		})
	}
	group.Wait()
}

func TestLookupAllocatesNothingPerHit(t *testing.T) {
	r, lists := bigSegment(t)
	fps := make([]uint64, 5000)
	for i := range fps {
		fps[i] = lists[i*20].fp
	}
	n := testing.AllocsPerRun(10, func() {
		_ = r.Lookup(context.Background(), fps, func(int, uint64, []uint64) error { return nil })
	})
	if n > 4 { // allocations of the query itself
		t.Errorf("%v allocations for %d hits", n, len(fps))
	}
}

// The filter must reject 255 of 256 absent keys.
func TestFilterRejects(t *testing.T) {
	r, _ := bigSegment(t)
	rng := rand.New(rand.NewPCG(31, 32))
	passed := 0
	for range 100_000 {
		key := r.geo.key(rng.Uint64())
		if r.passes(&r.shards[r.geo.shard(key)], key) {
			passed++
		}
	}
	if passed > 500 { // 391 expected, standard deviation 20
		t.Errorf("%d of 100,000 random keys pass", passed)
	}
}

func TestSelectBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for range 2000 {
		x := rng.Uint64() & rng.Uint64() >> rng.IntN(60)
		n := uint64(0)
		for at := range uint64(64) {
			if x>>at&1 == 0 {
				continue
			}
			if got := selectBit(x, n); got != at {
				t.Fatalf("selectBit(%#x, %d) = %d, want %d", x, n, got, at)
			}
			n++
		}
	}
	if got := selectBit(^uint64(0), 63); got != 63 {
		t.Errorf("selectBit(all, 63) = %d", got)
	}
}

func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	var w bitWriter
	var values []uint64
	var widths []uint
	for range 3000 {
		width := uint(rng.IntN(58))
		v := rng.Uint64() & (1<<width - 1)
		w.put(v, width)
		values, widths = append(values, v), append(widths, width)
	}
	w.align()
	data := view(slices.Clone(w.buf))
	pos := uint64(0)
	for i, width := range widths {
		if got, ok := data.bits(pos, uint64(width)); !ok || got != values[i] {
			t.Fatalf("value %d of %d bits: %#x, want %#x", i, width, got, values[i])
		}
		pos += uint64(width)
	}
	if _, ok := data.bits(uint64(len(data))*8-3, 4); ok {
		t.Error("read beyond the end")
	}
}
