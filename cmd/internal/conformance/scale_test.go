package conformance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// scaled returns the paths set by docs/bench/scale.sh: a baseline of real code in one segment, and the new one.
func scaled(b *testing.B) (from, to string) {
	from, to = os.Getenv("SCALE_FROM"), os.Getenv("SCALE_TO")
	if from == "" || to == "" {
		b.Skip("needs SCALE_FROM and SCALE_TO: see docs/bench/scale.sh")
	}
	return from, to
}

// drawn is a language without grammar, so that texts of documents without text are never looked up.
const drawn = "drawn"

// BenchmarkDraw makes a baseline SCALE_TIMES as large as one of real code. It puts that many new fingerprints between
// each two neighbouring ones, each with a list as long as that of the first, at random positions. Documents have the
// lengths of real ones, but neither text nor tokens.
func BenchmarkDraw(b *testing.B) {
	from, to := scaled(b)
	times, err := strconv.Atoi(os.Getenv("SCALE_TIMES"))
	if err != nil || times < 1 {
		b.Fatalf("SCALE_TIMES: %v", err)
	}
	ctx := context.Background()
	fps, docs := segmentOf(b, from)
	defer fps.Close()
	defer docs.Close()
	w, err := baseline.OpenWriter(ctx, to, baseline.Defaults)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	n := docs.Docs() * times
	p := baseline.Pieces{Keys: fps.Info().Keys * uint64(times), Lists: drawLists(ctx, fps, times, docs.Tokens()*uint64(times)), Documents: drawDocuments(docs, n), Surveys: surveysOf(n)}
	if _, err := w.AddPieces(ctx, p, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(fps.Info().Postings)*float64(times)/b.Elapsed().Seconds(), "postings/s")
}

func segmentOf(b *testing.B, dir string) (*segment.Reader, *store.Reader) {
	names, err := filepath.Glob(filepath.Join(dir, "*.fps"))
	if err != nil || len(names) != 1 {
		b.Fatalf("%d segments in %s, %v", len(names), dir, err)
	}
	fps, err := segment.Open(names[0])
	if err != nil {
		b.Fatal(err)
	}
	docs, err := store.Open(strings.TrimSuffix(names[0], ".fps") + ".docs")
	if err != nil {
		b.Fatal(err)
	}
	return fps, docs
}

func drawLists(ctx context.Context, fps *segment.Reader, times int, tokens uint64) iter.Seq2[segment.List, error] {
	const unit = 1 << (64 - segment.KeyBits)
	return func(yield func(segment.List, error) bool) {
		dice, room := rand.New(rand.NewPCG(1, 2)), make([]uint64, 0, baseline.MaxPostings)
		var last segment.List // of the real fingerprints
		length := 0
		put := func(until uint64) error {
			step := (until - last.Fingerprint) / uint64(times) / unit * unit
			for j := range times {
				room = room[:0]
				for range length {
					room = append(room, dice.Uint64N(tokens))
				}
				if length > 1 {
					slices.Sort(room)
					room = slices.Compact(room)
				}
				l := segment.List{Fingerprint: last.Fingerprint + uint64(j)*step, Count: max(last.Count, uint64(len(room))), Positions: room}
				if step == 0 && j > 0 || !yield(l, nil) {
					return nil
				}
			}
			return nil
		}
		err := fps.All(ctx, func(fp, count uint64, postings []uint64) error {
			if length > 0 {
				put(fp)
			}
			last, length = segment.List{Fingerprint: fp, Count: count}, len(postings)
			return nil
		})
		if put(1<<64 - 1); err != nil {
			yield(last, err)
		}
	}
}

func hashOf(i, n int) (h store.Hash) {
	binary.BigEndian.PutUint64(h[:], uint64(i)*(1<<63/uint64(n)))
	return h
}

func drawDocuments(docs *store.Reader, n int) iter.Seq2[*store.Entry, error] {
	return func(yield func(*store.Entry, error) bool) {
		for i := range n {
			d, err := docs.Doc(i % docs.Docs())
			e := &store.Entry{Hash: hashOf(i, n), Tokens: d.Tokens, Lines: d.Lines, Size: d.Size, Unit: d.Unit, Language: drawn, Scheme: lang.SchemeOf(drawn)}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// surveysOf makes packages of a hundred documents.
func surveysOf(n int) (out []*baseline.Survey) {
	const files = 100
	for i := 0; i < n; i += files {
		s := &baseline.Survey{Package: baseline.Package{PURL: fmt.Sprintf("pkg:generic/drawn%08d@1", i), License: "MIT"}}
		for j := i; j < min(i+files, n); j++ {
			s.Files = append(s.Files, baseline.File{Path: "f" + strconv.Itoa(j-i), Hash: hashOf(j, n), Seq: j - i + 1})
		}
		out = append(out, s)
	}
	return out
}

// BenchmarkScale opens a baseline and looks up 10,000 fingerprints, of which one in ten is present: first with an empty
// cache, then others, then the first again.
func BenchmarkScale(b *testing.B) {
	from, to := scaled(b)
	ctx := context.Background()
	there := everyNth(b, from, 500)
	dice := rand.New(rand.NewPCG(uint64(os.Getpid()), 2))
	batches := make([][]uint64, 40)
	for i := range batches {
		batches[i] = batch(dice, there)
	}
	start := time.Now()
	base, err := baseline.Open(ctx, to)
	if err != nil {
		b.Fatal(err)
	}
	defer base.Close()
	b.ReportMetric(time.Since(start).Seconds()*1000, "open-ms")
	hits := 0
	ask := func(fps []uint64) float64 {
		start := time.Now()
		if err := base.Lookup(ctx, fps, func(int, uint64, []baseline.Posting) error { hits++; return nil }); err != nil {
			b.Fatal(err)
		}
		return time.Since(start).Seconds() * 1000
	}
	before := cpu(b)
	b.ReportMetric(ask(batches[0]), "first-ms")
	b.ReportMetric(cpu(b)-before, "first-cpu-ms")
	b.ReportMetric(resident(b, "RssAnon:")+resident(b, "RssFile:")+resident(b, "RssShmem:"), "first-MB")
	b.ReportMetric(float64(hits), "hits")
	for name, again := range map[string]int{"next-ms": 0, "warm-ms": 1} {
		var ms []float64
		for i := range batches[1:] {
			ms = append(ms, ask(batches[1+i*(1-again)]))
		}
		slices.Sort(ms)
		b.ReportMetric(ms[len(ms)/2], name)
	}
	b.ReportMetric(resident(b, "RssAnon:"), "anon-MB")
	b.ReportMetric(resident(b, "RssFile:")+resident(b, "RssShmem:"), "mapped-MB")
}

// BenchmarkCold opens a baseline again and again, and looks up 10,000 other fingerprints each time. Its pages stay in the
// page cache, but are not mapped.
func BenchmarkCold(b *testing.B) {
	const rounds = 40
	from, to := scaled(b)
	ctx := context.Background()
	there := everyNth(b, from, 500)
	dice := rand.New(rand.NewPCG(uint64(os.Getpid()), 3))
	used, ms := 0.0, make([]float64, rounds)
	for i := range ms {
		fps := batch(dice, there)
		base, err := baseline.Open(ctx, to)
		if err != nil {
			b.Fatal(err)
		}
		start, before := time.Now(), cpu(b)
		if err := base.Lookup(ctx, fps, func(int, uint64, []baseline.Posting) error { return nil }); err != nil {
			b.Fatal(err)
		}
		ms[i] = time.Since(start).Seconds() * 1000
		used += cpu(b) - before
		if err := base.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(used/rounds, "cold-cpu-ms")
	b.ReportMetric(slices.Min(ms), "least-ms")
}

func everyNth(b *testing.B, dir string, nth int) (out []uint64) {
	fps, docs := segmentOf(b, dir)
	defer fps.Close()
	defer docs.Close()
	i := 0
	err := fps.All(context.Background(), func(fp, _ uint64, _ []uint64) error {
		if i++; i%nth == 0 {
			out = append(out, fp)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// cpu returns the CPU time of this process, in milliseconds.
func cpu(b *testing.B) float64 {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		b.Skip("needs Linux")
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')'):]))
	user, err1 := strconv.ParseFloat(f[12], 64)
	system, err2 := strconv.ParseFloat(f[13], 64)
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	return (user + system) * 10 // ticks of a hundredth of a second
}

// resident reads a line of this process's status, in MB.
func resident(b *testing.B, name string) (mb float64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("needs Linux")
	}
	_, rest, _ := strings.Cut(string(text), name)
	if _, err := fmt.Sscan(rest, &mb); err != nil {
		b.Fatal(err)
	}
	return mb / 1024
}
