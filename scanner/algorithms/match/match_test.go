package match

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
)

// Find runs the matcher as a scan does.
func Find(target, origin Side, seeds []Seed, p Params) (ms []Match, whole bool) {
	runs, whole := Runs(target, origin, seeds, p)
	return Arrange(target, origin, runs, p), whole
}

// small holds parameters that suit short random streams.
var small = fingerprint.Params{K: 5, W: 4}

func smallParams() Params {
	return Params{MinRun: small.K, MaxGap: 12, MinFit: 3, Least: small.T()}
}

func stream(kinds []uint32) Side {
	s := Side{Tokens: make([]lang.Token, len(kinds))}
	for i, k := range kinds {
		s.Tokens[i] = lang.Token{Start: uint32(i), End: uint32(i + 1), Kind: k}
	}
	return s
}

func random(r *rand.Rand, n, alphabet int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = r.Uint32N(uint32(alphabet))
	}
	return out
}

// grams returns the k-grams of a stream as the index and a scan compute them.
func grams(s Side, k int) []uint64 {
	var values []uint64
	for _, t := range s.Tokens {
		values = append(values, fingerprint.TokenValue("go", t.Kind))
	}
	return fingerprint.KGrams(nil, values, k)
}

// seedsOf joins the fingerprints of both sides as the index does. It keeps at most keep postings of one fingerprint, or all if
// keep is 0.
func seedsOf(target, origin Side, p fingerprint.Params, keep int) []Seed {
	at := make(map[uint64][]uint32)
	for _, f := range fingerprint.WinnowRobust(nil, grams(origin, p.K), p.W) {
		if keep == 0 || len(at[f.Hash]) < keep {
			at[f.Hash] = append(at[f.Hash], f.Pos)
		}
	}
	var seeds []Seed
	for _, f := range fingerprint.WinnowTies(nil, grams(target, p.K), p.W) {
		for _, o := range at[f.Hash] {
			seeds = append(seeds, Seed{f.Pos, o})
		}
	}
	return seeds
}

// trueRuns returns all maximal common runs of at least the given length, by brute force.
func trueRuns(target, origin Side, least int) []Run {
	t, o := target.Tokens, origin.Tokens
	var out []Run
	for i := range t {
		for j := range o {
			if !same(&t[i], &o[j]) || i > 0 && j > 0 && same(&t[i-1], &o[j-1]) {
				continue
			}
			n := 0
			for i+n < len(t) && j+n < len(o) && same(&t[i+n], &o[j+n]) {
				n++
			}
			if n >= least {
				out = append(out, Run{uint32(i), uint32(j), uint32(n)})
			}
		}
	}
	return out
}

// example is a pair of streams with shared runs in them.
type example struct {
	name           string
	target, origin Side
	shared         []Run // copied on purpose
}

// examples makes pairs of random streams of few or many kinds. Pieces of the origin are copied into the target whole, with small
// edits, out of order and twice.
func examples(t *testing.T, n int, fn func(e example)) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		alphabet := []int{1, 2, 3, 5, 20, 1000, 1_000_000}[i%7]
		o := random(r, 40+r.IntN(160), alphabet)
		tt := random(r, r.IntN(30), alphabet)
		var shared []Run
		for range 1 + r.IntN(5) {
			from := r.IntN(len(o))
			piece := slices.Clone(o[from:min(len(o), from+r.IntN(60))])
			shared = append(shared, Run{uint32(len(tt)), uint32(from), uint32(len(piece))})
			for range r.IntN(3) * r.IntN(2) {
				if len(piece) > 0 {
					piece[r.IntN(len(piece))] = r.Uint32N(uint32(alphabet))
					shared = shared[:len(shared)-min(1, len(shared))]
				}
			}
			tt = append(append(tt, piece...), random(r, r.IntN(25), alphabet)...)
		}
		fn(example{fmt.Sprintf("example %d of %d kinds", i, alphabet), stream(tt), stream(o), shared})
		if t.Failed() {
			return
		}
	}
}

// TestRuns: every shared run of t tokens is found, whole and on its own diagonal. Every run found is shared, maximal and found
// once.
func TestRuns(t *testing.T) {
	long := 0
	examples(t, 700, func(e example) {
		runs, whole := Runs(e.target, e.origin, seedsOf(e.target, e.origin, small, 0), smallParams())
		all := trueRuns(e.target, e.origin, small.K)
		got := make(map[Run]bool)
		for i, r := range runs {
			if got[r] {
				t.Errorf("%s: %v is found twice", e.name, r)
			}
			got[r] = true
			if !slices.Contains(all, r) {
				t.Errorf("%s: %v is no maximal run of %d tokens or more", e.name, r, small.K)
			}
			if i > 0 && diagonal(Seed{runs[i-1].Target, runs[i-1].Origin}) > diagonal(Seed{r.Target, r.Origin}) {
				t.Errorf("%s: diagonals descend", e.name)
			}
		}
		if !whole {
			return // few kinds: the work limit stops it, see TestBoundedWork
		}
		for _, r := range all {
			if int(r.Len) >= small.T() {
				long++
				if !got[r] {
					t.Errorf("%s: %v is shared and not found", e.name, r)
				}
			}
		}
	})
	if long < 1000 {
		t.Errorf("only %d long runs: the examples prove little", long)
	}
}

// covered checks that matches are consistent and returns the target tokens that they cover.
func covered(t testing.TB, e example, ms []Match) []bool {
	t.Helper()
	has := make([]bool, len(e.target.Tokens))
	for _, m := range ms {
		var before Run
		for i, r := range m.Runs {
			if r.Len == 0 || i > 0 && (r.Target < before.TargetEnd() || r.Origin < before.OriginEnd()) {
				t.Fatalf("%s: runs of %v overlap or are empty", e.name, m)
			}
			before = r
			for j := range r.Len {
				if !same(&e.target.Tokens[r.Target+j], &e.origin.Tokens[r.Origin+j]) {
					t.Fatalf("%s: token %d of %v differs", e.name, j, r)
				}
				if has[r.Target+j] {
					t.Fatalf("%s: target token %d is in two matches", e.name, r.Target+j)
				}
				has[r.Target+j] = true
			}
		}
	}
	return has
}

// TestFind: each token of a run of t tokens is in a match, except for rests next to a longer match that are shorter than a seed.
func TestFind(t *testing.T) {
	p := smallParams()
	examples(t, 1400, func(e example) {
		seeds := seedsOf(e.target, e.origin, small, 0)
		ms, whole := Find(e.target, e.origin, slices.Clone(seeds), p)
		has := covered(t, e, ms)
		for i := 1; i < len(ms); i++ {
			if ms[i].Tokens() > ms[i-1].Tokens() {
				t.Errorf("%s: matches are not longest first", e.name)
			}
		}
		for _, r := range trueRuns(e.target, e.origin, small.T()) {
			missing := 0
			for i := r.Target; whole && i < r.TargetEnd(); i++ {
				if missing++; has[i] {
					missing = 0
				}
				if missing >= p.MinRun {
					t.Fatalf("%s: %d tokens of %v from %d on are in no match of %v", e.name, missing, r, int(i)-missing+1, ms)
				}
			}
		}
		r := rand.New(rand.NewPCG(9, uint64(len(seeds))))
		r.Shuffle(len(seeds), func(i, j int) { seeds[i], seeds[j] = seeds[j], seeds[i] })
		again, _ := Find(e.target, e.origin, seeds, p)
		if !slices.EqualFunc(ms, again, func(a, b Match) bool { return slices.Equal(a.Runs, b.Runs) }) {
			t.Errorf("%s: the order of the seeds matters", e.name)
		}
	})
}

// TestFindDiagonal: if nothing repeats, a copied run is in one match, on its diagonal.
func TestFindDiagonal(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	p, fp := Defaults(20), fingerprint.Params{K: 20, W: 12}
	for i := range 200 {
		o := random(r, 300, 1<<30)
		n := fp.T() + r.IntN(100)
		from := r.IntN(len(o) - n)
		tt := slices.Concat(random(r, r.IntN(200), 1<<30), o[from:from+n], random(r, r.IntN(200), 1<<30))
		target, origin := stream(tt), stream(o)
		want := trueRuns(target, origin, fp.T())
		ms, whole := Find(target, origin, seedsOf(target, origin, fp, 0), p)
		if !whole || len(ms) != 1 || !slices.Equal(ms[0].Runs, want) {
			t.Errorf("example %d: %v, want %v", i, ms, want)
		}
	}
}

// TestMovedIntoGap: a piece moved from elsewhere into the gap of another match is a match of its own.
func TestMovedIntoGap(t *testing.T) {
	o := make([]uint32, 400)
	for i := range o {
		o[i] = uint32(i)
	}
	target, origin := stream(slices.Concat(o[:100], o[300:340], o[100:200])), stream(o)
	ms, _ := Find(target, origin, seedsOf(target, origin, fingerprint.Params{K: 20, W: 12}, 0), Defaults(20))
	want := []Match{{[]Run{{0, 0, 100}, {140, 100, 100}}}, {[]Run{{100, 300, 40}}}}
	if !slices.EqualFunc(ms, want, func(a, b Match) bool { return slices.Equal(a.Runs, b.Runs) }) {
		t.Errorf("%v, want %v", ms, want)
	}
}

// TestCopiedTwice: the target has a piece twice, the second time with more of the origin behind it. Every target token is
// matched.
func TestCopiedTwice(t *testing.T) {
	o := make([]uint32, 300)
	for i := range o {
		o[i] = uint32(i)
	}
	target, origin := stream(slices.Concat(o[:100], o[50:250])), stream(o)
	ms, _ := Find(target, origin, seedsOf(target, origin, fingerprint.Params{K: 20, W: 12}, 0), Defaults(20))
	has := covered(t, example{"copied twice", target, origin, nil}, ms)
	if i := slices.Index(has, false); i >= 0 {
		t.Errorf("target token %d is in no match of %v", i, ms)
	}
}

// TestJoined: two runs are too far apart for a chain, but a short run between them, which only the second reaches, joins them.
func TestJoined(t *testing.T) {
	fill := func(from, n int) []uint32 {
		out := make([]uint32, n)
		for i := range out {
			out[i] = uint32(from + i)
		}
		return out
	}
	a, short, b := fill(0, 100), fill(1000, 12), fill(2000, 60)
	target := stream(slices.Concat(a, fill(10_000, 40), short, fill(11_000, 10), b))
	origin := stream(slices.Concat(a, fill(20_000, 40), short, fill(21_000, 10), b))
	ms, _ := Find(target, origin, seedsOf(target, origin, fingerprint.Params{K: 20, W: 12}, 0), Defaults(20))
	want := []Run{{0, 0, 100}, {140, 140, 12}, {162, 162, 60}}
	if len(ms) != 1 || !slices.Equal(ms[0].Runs, want) {
		t.Errorf("%v, want one match of %v", ms, want)
	}
}

func TestChainGaps(t *testing.T) {
	p := Params{MinRun: 5, MaxGap: 10, MinFit: 3}
	for name, c := range map[string]struct {
		runs []Run
		want [][]Run
	}{
		"nothing":                 {nil, nil},
		"one":                     {[]Run{{3, 4, 5}}, [][]Run{{{3, 4, 5}}}},
		"inserted in the target":  {[]Run{{0, 0, 20}, {30, 20, 20}}, [][]Run{{{0, 0, 20}, {30, 20, 20}}}},
		"inserted in the origin":  {[]Run{{0, 0, 20}, {20, 30, 20}}, [][]Run{{{0, 0, 20}, {20, 30, 20}}}},
		"too far apart":           {[]Run{{0, 0, 20}, {31, 20, 30}}, [][]Run{{{31, 20, 30}}, {{0, 0, 20}}}},
		"swapped":                 {[]Run{{0, 20, 20}, {20, 0, 30}}, [][]Run{{{20, 0, 30}}, {{0, 20, 20}}}},
		"overlap in both":         {[]Run{{0, 0, 20}, {15, 16, 20}}, [][]Run{{{0, 0, 20}, {20, 21, 15}}}},
		"three, the middle first": {[]Run{{30, 30, 8}, {0, 0, 10}, {15, 15, 10}}, [][]Run{{{0, 0, 10}, {15, 15, 10}, {30, 30, 8}}}},
		"inside of a longer one":  {[]Run{{0, 0, 40}, {10, 100, 12}}, [][]Run{{{0, 0, 40}}, {{10, 100, 12}}}},
	} {
		ms, _ := chain(slices.Clone(c.runs), p)
		var got [][]Run
		for _, m := range ms {
			got = append(got, m.Runs)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestLongest compares longest with brute force.
func TestLongest(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 3000 {
		a, b := stream(random(r, r.IntN(40), 1+r.IntN(4))), stream(random(r, r.IntN(40), 1+r.IntN(4)))
		t0, o0 := r.IntN(len(a.Tokens)+1), r.IntN(len(b.Tokens)+1)
		t1, o1 := t0+r.IntN(len(a.Tokens)-t0+1), o0+r.IntN(len(b.Tokens)-o0+1)
		least := 1 + r.IntN(6)
		var want Run
		for _, c := range trueRuns(Side{Tokens: a.Tokens[t0:t1]}, Side{Tokens: b.Tokens[o0:o1]}, least) {
			if c.Len > want.Len { // ascending by target, then origin: the first of equal length
				want = Run{c.Target + uint32(t0), c.Origin + uint32(o0), c.Len}
			}
		}
		if got := longest(a.Tokens, &b, box{uint32(t0), uint32(t1), uint32(o0), uint32(o1)}, least); got != want {
			t.Fatalf("longest in [%d,%d) and [%d,%d) of %d or more: %v, want %v", t0, t1, o0, o1, least, got, want)
		}
	}
}

// TestStretches: no run of t tokens or more exceeds the stretches of its diagonal.
func TestStretches(t *testing.T) {
	examples(t, 700, func(e example) {
		ss := new(Grouper).Stretches(seedsOf(e.target, e.origin, small, 0), small.K, small.W)
		for _, r := range trueRuns(e.target, e.origin, small.T()) {
			if !slices.ContainsFunc(ss, func(s Stretch) bool {
				return s.diagonal == diagonal(Seed{r.Target, r.Origin}) && s.From <= int(r.Target) && int(r.TargetEnd()) <= s.To
			}) {
				t.Errorf("%s: %v is in none of %v", e.name, r, ss)
			}
		}
	})
}

// TestGroups: a chain is in one group.
func TestGroups(t *testing.T) {
	p := smallParams()
	within := func(g []Interval, m Match) bool {
		for _, r := range m.Runs {
			if !slices.ContainsFunc(g, func(v Interval) bool { return v.From <= int(r.Target) && int(r.TargetEnd()) <= v.To }) {
				return false
			}
		}
		return true
	}
	examples(t, 1400, func(e example) {
		seeds := seedsOf(e.target, e.origin, small, 0)
		runs, _ := Runs(e.target, e.origin, slices.Clone(seeds), p)
		runs = slices.DeleteFunc(runs, func(r Run) bool { return int(r.Len) < small.T() })
		ms, _ := chain(runs, p)
		var groups [][]Interval
		many := new(Grouper).Groups(new(Grouper).Stretches(seeds, small.K, small.W), p, func(g []Interval) bool {
			for i := 1; i < len(g); i++ {
				if g[i].From <= g[i-1].To {
					t.Errorf("%s: intervals %v", e.name, g)
				}
			}
			groups = append(groups, slices.Clone(g))
			return false
		})
		for _, m := range ms {
			if !many && !slices.ContainsFunc(groups, func(g []Interval) bool { return within(g, m) }) {
				t.Errorf("%s: %v is in no group", e.name, m)
			}
		}
	})
	// the middle run has the highest diagonal; the last has moved on
	for _, m := range []Match{
		{[]Run{{0, 0, 20}, {30, 42, 20}, {60, 64, 20}}},
		{[]Run{{0, 0, 20}, {20, 30, 20}, {40, 60, 20}, {60, 90, 20}, {80, 120, 20}}},
		{[]Run{{0, 100, 20}, {28, 120, 20}, {56, 140, 20}, {84, 160, 20}, {112, 180, 20}}},
	} {
		var ss []Stretch
		for _, r := range m.Runs {
			ss = append(ss, new(Grouper).Stretches([]Seed{{r.Target + 3, r.Origin + 3}, {r.Target + 7, r.Origin + 7}, {r.Target + 11, r.Origin + 11}, {r.Target + 14, r.Origin + 14}}, small.K, small.W)...)
		}
		slices.SortFunc(ss, func(a, b Stretch) int { return int(a.diagonal - b.diagonal) })
		if !new(Grouper).Groups(ss, p, func(g []Interval) bool { return within(g, m) }) {
			t.Errorf("%v is in no group", m)
		}
	}
}

func TestUnion(t *testing.T) {
	for _, c := range []struct{ in, want []Interval }{
		{nil, nil}, {[]Interval{{3, 5}}, []Interval{{3, 5}}}, {[]Interval{{5, 9}, {1, 5}}, []Interval{{1, 9}}},
		{[]Interval{{1, 20}, {2, 3}, {21, 22}}, []Interval{{1, 20}, {21, 22}}},
	} {
		if got := Union(slices.Clone(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("Union(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

// TestBoundedWork: streams that are equal everywhere have as many diagonals as tokens. The limit stops the search, and the result
// says so.
func TestBoundedWork(t *testing.T) {
	s := stream(make([]uint32, 50_000))
	fp := fingerprint.Params{K: 20, W: 12}
	ms, whole := Find(s, s, seedsOf(s, s, fp, 64), Defaults(fp.K))
	if whole {
		t.Error("all was compared")
	}
	covered(t, example{"constant", s, s, nil}, ms)
	if len(ms) == 0 {
		t.Error("nothing was found")
	}
}

// TestRepetitive: a table with the same row over and over, and a cell changed here and there.
func TestRepetitive(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	row := random(r, 25, 1000)
	table := func() Side {
		var out []uint32
		for range 2000 {
			out = append(out, row...)
			out[len(out)-1-r.IntN(3)] = r.Uint32N(1000)
		}
		return stream(out)
	}
	a, b := table(), table()
	fp := fingerprint.Params{K: 20, W: 12}
	ms, _ := Find(a, b, seedsOf(a, b, fp, 64), Defaults(fp.K))
	covered(t, example{"table", a, b, nil}, ms)
	if len(ms) == 0 {
		t.Error("nothing was found")
	}
}

// TestSeedsNotTrusted: hostile seeds are outside of the streams, or of tokens that differ.
func TestSeedsNotTrusted(t *testing.T) {
	a, b := stream([]uint32{1, 2, 3, 4, 5, 6}), stream([]uint32{9, 9, 1, 2, 3, 4, 5, 6})
	seeds := []Seed{{0, 0}, {6, 0}, {0, 8}, {1<<32 - 1, 1<<32 - 1}, {0, 1<<32 - 1}, {1<<32 - 1, 0}, {2, 4}}
	ms, whole := Find(a, b, seeds, smallParams())
	if !whole || len(ms) != 1 || !slices.Equal(ms[0].Runs, []Run{{0, 2, 6}}) {
		t.Errorf("%v, %v", ms, whole)
	}
	if ms, whole := Find(Side{}, Side{}, seeds, smallParams()); len(ms) > 0 || !whole {
		t.Errorf("empty streams: %v, %v", ms, whole)
	}
}

// TestAnyOrder: the order of runs does not matter, and empty runs change nothing.
func TestAnyOrder(t *testing.T) {
	random, p := rand.New(rand.NewPCG(5, 9)), smallParams()
	for n := range 300 {
		target, origin := randomStream(random, 60, 1+n%4), randomStream(random, 60, 1+n%4)
		runs := trueRuns(target, origin, 1)
		for i := range runs { // also parts of runs
			cut := random.Uint32N(runs[i].Len)
			runs[i].Target, runs[i].Origin, runs[i].Len = runs[i].Target+cut, runs[i].Origin+cut, runs[i].Len-cut
		}
		shuffled := append(slices.Clone(runs), Run{}, Run{Target: 7, Origin: 3})
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		slices.SortFunc(runs, compareRuns)
		want, got := Arrange(target, origin, runs, p), Arrange(target, origin, shuffled, p)
		if !slices.EqualFunc(want, got, func(a, b Match) bool { return slices.Equal(a.Runs, b.Runs) }) {
			t.Fatalf("round %d: %v, want %v", n, got, want)
		}
	}
}

func randomStream(random *rand.Rand, tokens, kinds int) Side {
	ks := make([]uint32, tokens)
	for i := range ks {
		ks[i] = uint32(random.IntN(kinds))
	}
	return stream(ks)
}

// TestSeedsByDiagonal: seeds are sorted by diagonal, then target, for any number and order.
func TestSeedsByDiagonal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var keys []uint64
	for range 500 {
		seeds := make([]Seed, 1+r.IntN(200))
		spread := 1 << r.IntN(20)
		for i := range seeds {
			seeds[i] = Seed{uint32(r.IntN(spread)), uint32(r.IntN(spread))}
		}
		if r.IntN(3) > 0 {
			slices.SortStableFunc(seeds, func(a, b Seed) int { return cmp.Compare(a.Target, b.Target) })
		}
		want := slices.Clone(seeds)
		slices.SortFunc(want, compareSeeds)
		if keys = byDiagonal(seeds, keys); !slices.Equal(seeds, want) {
			t.Fatalf("%v, want %v", seeds, want)
		}
	}
}
