package conformance

import (
	"context"
	"crypto/ed25519"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/shared"
)

// bench returns the baseline in a directory and the address of an empty store, which docs/bench/shared.sh sets.
func bench(b *testing.B) (dir, address string) {
	dir, address = os.Getenv("BENCH_BASELINE"), os.Getenv("BENCH_ADDRESS")
	if dir == "" || address == "" {
		b.Skip("needs BENCH_BASELINE and BENCH_ADDRESS: see docs/bench/shared.sh")
	}
	return dir, address
}

// fresh returns the context of a machine with an empty cache.
func fresh(b *testing.B) context.Context {
	return shared.WithCache(context.Background(), shared.Cache{Dir: b.TempDir()})
}

// BenchmarkLoad imports a baseline whose signature is trusted.
func BenchmarkLoad(b *testing.B) {
	dir, address := bench(b)
	for b.Loop() {
		if err := load(fresh(b), dir, address); err != nil {
			b.Fatal(err)
		}
	}
	from, err := baseline.Open(context.Background(), dir)
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	in, err := from.Info()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(in.Postings)*float64(b.N)/b.Elapsed().Seconds(), "postings/s")
	b.ReportMetric(float64(in.Bytes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
}

func load(ctx context.Context, dir, address string) error {
	from, err := baseline.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer from.Close()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	e, err := from.Export(baseline.ExportOptions{Sign: private})
	if err != nil {
		return err
	}
	w, err := baseline.OpenWriter(ctx, address, from.Params())
	if err != nil {
		return err
	}
	defer w.Close()
	r, out := io.Pipe()
	go func() { out.CloseWithError(e.Write(ctx, out)) }()
	_, err = w.Import(ctx, r, baseline.ImportOptions{Trust: []ed25519.PublicKey{public}, Replace: true})
	return err
}

// perLookup is how many fingerprints are looked up at once; one in ten is present.
const perLookup = 10_000

// BenchmarkLookup looks up fingerprints. Those of a batch were never looked up before (cold), or all were (warm).
func BenchmarkLookup(b *testing.B) {
	dir, address := bench(b)
	there := present(b, dir)
	for _, warm := range []bool{false, true} {
		b.Run(map[bool]string{false: "cold", true: "warm"}[warm], func(b *testing.B) {
			base, err := baseline.Open(fresh(b), address)
			if err != nil {
				b.Fatal(err)
			}
			defer base.Close()
			dice := rand.New(rand.NewPCG(1, 2))
			batches := make([][]uint64, 40)
			for i := range batches {
				batches[i] = batch(dice, there)
			}
			ask := func() {
				for _, fps := range batches {
					if err := base.Lookup(context.Background(), fps, func(int, uint64, []baseline.Posting) error { return nil }); err != nil {
						b.Fatal(err)
					}
				}
			}
			if warm {
				ask()
			}
			b.ResetTimer()
			for range b.N { // once when cold
				ask()
			}
			b.ReportMetric(float64(len(batches)*perLookup*b.N)/b.Elapsed().Seconds(), "look-ups/s")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(len(batches)*b.N), "ms/10,000")
		})
	}
}

func batch(dice *rand.Rand, there []uint64) []uint64 {
	fps := make([]uint64, perLookup)
	for i := range fps {
		if fps[i] = dice.Uint64(); i%10 == 0 {
			fps[i] = there[dice.IntN(len(there))]
		}
	}
	slices.Sort(fps)
	return slices.Compact(fps)
}

// present lists fingerprints of a baseline in a directory.
func present(b *testing.B, dir string) (fps []uint64) {
	names, err := filepath.Glob(filepath.Join(dir, "*.fps"))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		r, err := segment.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.All(context.Background(), func(fp, _ uint64, _ []uint64) error {
			fps = append(fps, fp)
			return nil
		}); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
	return fps
}
