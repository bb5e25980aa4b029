package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// term makes a random expression that is unlike any other.
func term(dice *rand.Rand, depth int) string {
	a, op := string(rune('a'+dice.IntN(3))), []string{"+", "-", "*", "/", "%", "<", ">", "&", "|", "^"}[dice.IntN(10)]
	switch {
	case depth == 0:
		return a
	case dice.IntN(3) == 0:
		return fmt.Sprintf("%s[%s %s %d]", a, term(dice, depth-1), op, dice.IntN(9))
	}
	return fmt.Sprintf("(%s %s %s)", term(dice, depth-1), op, term(dice, depth-1))
}

// script makes a random file in a language.
func script(dice *rand.Rand, ext string) string {
	forms := map[string]string{
		".py": "def f%d(a, b, c):\n    return %s\n",
		".js": "function f%d(a, b, c) { return %s; }\n",
		".c":  "int f%d(int *a, int *b, int *c) { return %s; }\n",
	}
	var b bytes.Buffer
	for range 6 + dice.IntN(12) {
		fmt.Fprintf(&b, forms[ext], dice.IntN(40), term(dice, 4))
	}
	return b.String()
}

// projects makes small packages in three languages that share some files.
func projects(t *testing.T, dice *rand.Rand, n int) []*source.Package {
	t.Helper()
	var shared, sharedC []string
	var out []*source.Package
	for i := range n {
		files := make(map[string]string)
		for _, ext := range []string{".py", ".js", ".c"} {
			for j := range dice.IntN(3) {
				files[fmt.Sprintf("d%d/f%d%s", dice.IntN(3), j, ext)] = script(dice, ext)
			}
		}
		if len(shared) > 0 && dice.IntN(2) == 0 {
			files["copy/of.py"] = shared[dice.IntN(len(shared))]
		}
		if len(sharedC) > 0 && dice.IntN(2) == 0 {
			files["copy/of.c"] = sharedC[dice.IntN(len(sharedC))]
		}
		if c := files["d0/f0.c"]; c != "" {
			sharedC = append(sharedC, c)
		}
		own := script(dice, ".py")
		files["own.py"], shared = own, append(shared, own)
		out = append(out, pkg(t, fmt.Sprintf("pkg:generic/p%02d@1", dice.IntN(90)*100+i), files))
	}
	return out
}

// The model depends only on the packages that are left, not on the order of additions and removals. It equals that of one
// Add, and each change writes it. Kept tables equal newly learnt ones. A compacted baseline equals that Add, byte for byte.
// All this also holds if the samples are full.
func TestHistoryDoesNotMatter(t *testing.T) {
	for seed := range uint64(7) {
		dice := rand.New(rand.NewPCG(seed, 16))
		all := projects(t, dice, 14)
		dir := t.TempDir()
		w := writer(t, dir)
		w.learnt = []int{0, 3000}[seed%2]
		counted := []string{"", t.TempDir()}[min(seed/2, 1)]
		if seed >= 5 {
			w.mostNew = 1
		}
		in := make(map[string]*source.Package)
		merges := 0
		for range 26 {
			p := all[dice.IntN(len(all))]
			if in[p.PURL] != nil && len(in) > 4 {
				if err := w.Remove(context.Background(), []string{p.PURL}); err != nil {
					t.Fatal(err)
				}
				delete(in, p.PURL)
			} else {
				before := len(w.man.Segments)
				if dice.IntN(4) == 0 {
					damage(t, dice, counted)
				}
				if _, err := w.Add(context.Background(), []*source.Package{p}, AddOptions{Workers: 2, Counted: counted}); err != nil {
					t.Fatal(err)
				}
				in[p.PURL] = p
				if len(w.man.Segments) <= before {
					merges++
				}
			}
		}
		if (w.recounts > 0) != (counted != "") || (w.extensions > 0) != (seed >= 5) {
			t.Errorf("seed %d: %d families were recounted, %d changes extended", seed, w.recounts, w.extensions)
		}
		var left []*source.Package
		for _, p := range in {
			left = append(left, p)
		}
		first := writer(t, t.TempDir())
		first.learnt = w.learnt
		add(t, first, left...)
		fresh := first.Baseline()
		if got, want := modelBytes(t, w.Baseline()), modelBytes(t, fresh); !bytes.Equal(got, want) {
			t.Errorf("seed %d: model of %d bytes, want %d", seed, len(got), len(want))
		}
		text, err := os.ReadFile(filepath.Join(left[0].From, "own.py"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found(t, w.Baseline(), string(text))) == 0 {
			t.Errorf("seed %d: %s is not found", seed, left[0].PURL)
		}
		if !slices.Equal(purls(t, w.Baseline()), purls(t, fresh)) || merges == 0 {
			t.Errorf("seed %d: packages %v, want %v, after %d merges", seed, purls(t, w.Baseline()), purls(t, fresh), merges)
		}
		verify(t, dir)
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		if w.Baseline().Digest() != fresh.Digest() {
			t.Errorf("seed %d: compacted %s, want %s", seed, w.Baseline().Digest(), fresh.Digest())
		}
		if err := errors.Join(w.Close(), first.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherSamples: units are not used for a generation whose model another program made. It may have left out a family.
func TestOtherSamples(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 99))
	all := append(projects(t, dice, 12), pkg(t, "pkg:generic/zzz@1", map[string]string{"z.py": script(dice, ".py")}))
	w, fresh := writer(t, t.TempDir()), writer(t, t.TempDir())
	w.mostNew, w.learnt, fresh.learnt = 1, 1000, 1000
	ctx, o := context.Background(), AddOptions{Workers: 2, Counted: t.TempDir()}
	if _, err := w.Add(ctx, all[:12], o); err != nil {
		t.Fatal(err)
	}
	m := w.man.Clone()
	m.Samples = maps.Clone(m.Samples)
	if m.Samples["c"] == "" {
		t.Fatal("no C was sampled")
	}
	delete(m.Samples, "c")
	if err := w.publish(ctx, m); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(ctx, all[12:], o); err != nil {
		t.Fatal(err)
	}
	add(t, fresh, all...)
	if !bytes.Equal(modelBytes(t, w.Baseline()), modelBytes(t, fresh.Baseline())) {
		t.Error("another model than that of one add")
	}
	if err := errors.Join(w.Close(), fresh.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestFirstCounts: the first add keeps counts if it fills the sample, so that the second one only counts what is new. A sample that is
// not full keeps none.
func TestFirstCounts(t *testing.T) {
	all := projects(t, rand.New(rand.NewPCG(1, 16)), 14)
	for most, want := range map[int]bool{1000: true, 1 << 20: false} {
		w, o := writer(t, t.TempDir()), AddOptions{Workers: 2, Counted: t.TempDir()}
		w.learnt = most
		t.Cleanup(func() { w.Close() })
		for _, pkgs := range [][]*source.Package{all[:8], all[8:]} {
			if _, err := w.Add(context.Background(), pkgs, o); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.recounts > 0; got != want {
			t.Errorf("%d tokens: counts of the first add were used: %v, want %v", most, got, want)
		}
	}
}

// damage changes a byte of each file of counts and of units, or cuts the file there.
func damage(t *testing.T, dice *rand.Rand, dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "*"+learning.CountedSuffix))
	units, err2 := filepath.Glob(filepath.Join(dir, "*"+learning.UnitsSuffix))
	if err != nil || err2 != nil || dir == "" {
		return
	}
	for _, name := range append(names, units...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) == 0 { // it was cut before its first byte
			continue
		}
		at := dice.IntN(len(data))
		if data[at] ^= 1 << dice.IntN(8); dice.IntN(3) == 0 {
			data = data[:at]
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func modelBytes(t *testing.T, b *Baseline) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, b.man.ModelFile()))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// If many packages are added one by one, there are still few segments: each is larger than all later ones together.
func TestSegmentsStayFew(t *testing.T) {
	w := writer(t, t.TempDir())
	defer w.Close()
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		add(t, w, pkg(t, fmt.Sprintf("pkg:generic/p%d@1", i), map[string]string{"a.c": script(dice, ".c")}))
		behind := uint64(0)
		for _, p := range slices.Backward(w.base.segs) {
			size := p.docs.Size() + uint64(p.fps.Info().Size)
			if size <= behind {
				t.Fatalf("after %d packages a segment of %d bytes has %d behind it", i+1, size, behind)
			}
			behind += size
		}
	}
	if n := len(w.base.segs); n > 6 {
		t.Errorf("%d segments of 40 packages", n)
	}
}

// A build that was interrupted before its merge leaves all of its segments. Later adds merge only their own segments; a
// compaction merges the others.
func TestAddPaysForItself(t *testing.T) {
	ctx := context.Background()
	w := writer(t, t.TempDir())
	defer w.Close()
	w.flushBytes = 3000
	dice := rand.New(rand.NewPCG(3, 16))
	files := make(map[string]string)
	for i := range 40 {
		files[fmt.Sprintf("f%d.c", i)] = script(dice, ".c")
	}
	all := []*source.Package{pkg(t, "pkg:generic/large@1", files)}
	a := newAdder(w, AddOptions{Workers: 2})
	if err := w.change(func() error { return a.add(ctx, all) }); err != nil {
		t.Fatal(err)
	}
	left := slices.Clone(w.man.Segments)
	if len(left) < 5 {
		t.Fatalf("%d segments of the build", len(left))
	}
	for i := range 12 {
		p := pkg(t, fmt.Sprintf("pkg:generic/small%02d@1", i), map[string]string{"a.c": script(dice, ".c")})
		all = append(all, p)
		add(t, w, p)
		if n := len(left) - 1; len(w.man.Segments) < n || !slices.EqualFunc(w.man.Segments[:n], left[:n], generation.Segment.Equal) {
			t.Fatalf("add %d merged segments of the build", i+1)
		}
	}
	if n := len(w.man.Segments) - len(left); n > 4 {
		t.Errorf("%d segments of 12 packages", n)
	}
	if err := w.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	first := writer(t, t.TempDir())
	defer first.Close()
	add(t, first, all...)
	if w.Baseline().Digest() != first.Baseline().Digest() {
		t.Error("compacted it is not what one Add makes")
	}
}

// If a package has a copy of a known file and its name comes first, that file counts for it. So the family of languages is
// learnt again, even without a new document.
func TestCopyCounts(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 16))
	sampled, code := script(dice, ".c"), script(dice, ".c")
	if compareHash(store.Sum([]byte(sampled)), store.Sum([]byte(code))) > 0 {
		sampled, code = code, sampled
	}
	files := map[string]string{"d/f0.c": code, "d/f1.c": sampled}
	for i := range 20 { // so that the next segment is not merged with this one
		files[fmt.Sprintf("d/f%d.js", i)] = script(dice, ".js")
	}
	old := pkg(t, "pkg:generic/b@1", files)
	for _, name := range []string{"pkg:generic/a@1", "pkg:generic/c@1"} {
		copied := pkg(t, name, map[string]string{"copy/of.c": code, "own.py": script(dice, ".py")})
		var models [2][]byte
		for i, steps := range [][][]*source.Package{{{old}, {copied}}, {{old, copied}}} {
			w := writer(t, t.TempDir())
			w.learnt = 1 // a document of each family
			for _, step := range steps {
				add(t, w, step...)
			}
			if n := len(w.man.Segments); n != len(steps) {
				t.Fatalf("%d segments, want %d", n, len(steps))
			}
			models[i] = modelBytes(t, w.Baseline())
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(models[0], models[1]) {
			t.Errorf("%s: the model is another one than that of one Add", name)
		}
	}
}
