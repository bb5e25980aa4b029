package segment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// Everything at once, about a minute:
//
//	go test -run - -bench . -benchmem ./baseline/segment
//
// The postings are random and single: the worst case, as nothing repeats.

var benchSizes = []int{1_000_000, 10_000_000}

func randomFPs(n int) []uint64 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	fps := make([]uint64, n)
	for i := range fps {
		fps[i] = rng.Uint64()
	}
	slices.Sort(fps)
	return fps
}

func buildRandom(b *testing.B, path string, fps []uint64) {
	rng := rand.New(rand.NewPCG(2, 2))
	w, err := Create(path, Options{Scheme: "bench", Keys: uint64(len(fps))})
	if err != nil {
		b.Fatal(err)
	}
	posting := make([]uint64, 1)
	for _, fp := range fps {
		posting[0] = rng.Uint64N(1 << 27)
		w.Add(fp, 1, posting)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			fps := randomFPs(n)
			path := filepath.Join(b.TempDir(), "s")
			b.ReportAllocs()
			for b.Loop() {
				buildRandom(b, path, fps)
			}
			r := open(b, path)
			b.ReportMetric(float64(r.Info().Size)/float64(n), "B/posting")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "postings/s")
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s")
			buildRandom(b, path, randomFPs(n))
			b.ReportAllocs()
			for b.Loop() {
				r, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}

// batches returns sorted batches of 10,000 fingerprints, of which the given percentage is present. There are so many
// that no cache holds them all.
func batches(fps []uint64, percent int) [][]uint64 {
	rng := rand.New(rand.NewPCG(3, uint64(percent)))
	out := make([][]uint64, 32)
	for i := range out {
		for range 10_000 {
			fp := rng.Uint64()
			if rng.IntN(100) < percent {
				fp = fps[rng.IntN(len(fps))]
			}
			out[i] = append(out[i], fp)
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// An operation is the lookup of one batch.
func BenchmarkLookup(b *testing.B) {
	for _, n := range benchSizes {
		fps := randomFPs(n)
		path := filepath.Join(b.TempDir(), "s")
		buildRandom(b, path, fps)
		r := open(b, path)
		for _, percent := range []int{10, 100} {
			b.Run(fmt.Sprintf("segment/%d/%d%%", n, percent), func(b *testing.B) {
				lookupBatches(b, batches(fps, percent), func(batch []uint64) (sum uint64) {
					err := r.Lookup(context.Background(), batch, func(_ int, _ uint64, postings []uint64) error {
						sum += postings[0]
						return nil
					})
					if err != nil {
						b.Fatal(err)
					}
					return sum
				})
			})
		}
		m := make(map[uint64]uint64, n)
		for i, fp := range fps {
			m[fp] = uint64(i)
		}
		for _, percent := range []int{10, 100} {
			b.Run(fmt.Sprintf("map/%d/%d%%", n, percent), func(b *testing.B) {
				lookupBatches(b, batches(fps, percent), func(batch []uint64) (sum uint64) {
					for _, fp := range batch {
						if v, ok := m[fp]; ok {
							sum += v
						}
					}
					return sum
				})
			})
		}
	}
}

func lookupBatches(b *testing.B, batches [][]uint64, lookup func([]uint64) uint64) {
	var sum, n uint64
	for _, batch := range batches {
		sum += lookup(batch) // the first touch
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		batch := batches[i%len(batches)]
		sum += lookup(batch)
		n += uint64(len(batch))
	}
	if sum == 0 {
		b.Fatal("nothing found")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/fingerprint")
}
