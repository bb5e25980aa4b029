package score

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// newCosts returns the costs of a target. frequent lists its frequent ranges. isName reports whether the name sets of documents
// contain such a token.
func newCosts(w *Weights, target match.Side, c model.Frequencies, frequent []Range, isName func(lang.Token) bool) *Costs {
	out := new(Costs)
	out.Reset(w, target, c, frequent, isName)
	return out
}

func golang(t testing.TB, text string) match.Side { return side(t, "go", text) }

func side(t testing.TB, language, text string) match.Side {
	t.Helper()
	l := lang.ByName(language)
	if l == nil {
		t.Skip("no grammars")
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(l, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return match.Side{Text: []byte(text), Tokens: slices.Clone(s.Tokens)}
}

// isName reports whether a name set contains such a token.
func isName(t lang.Token) bool {
	return t.End-t.Start > 2 && (t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number)
}

// hasOf returns the exact set of names of a document.
func hasOf(s match.Side) func(uint32) bool {
	set := make(map[uint32]bool)
	for i, t := range s.Tokens {
		if isName(t) {
			set[model.NameHash(s.TextAt(uint32(i)))] = true
		}
	}
	return func(h uint32) bool { return set[h] }
}

const original = `package heapsort

import "fmt"

// siftDown restores the heap below root.
func siftDown(data []int, root, limit int) {
	for {
		child := 2*root + 1
		if child >= limit {
			return
		}
		if child+1 < limit && data[child] < data[child+1] {
			child++
		}
		if data[root] >= data[child] {
			return
		}
		data[root], data[child] = data[child], data[root]
		root = child
	}
}

func HeapSort(data []int) {
	limit := len(data)
	for start := (limit - 1) / 2; start >= 0; start-- {
		siftDown(data, start, limit)
	}
	for end := limit - 1; end >= 0; end-- {
		data[0], data[end] = data[end], data[0]
		siftDown(data, 0, end)
	}
	fmt.Println("sorted", limit, "of", 10240)
}
`

// only returns the one match of two Go texts.
func only(t *testing.T, target, origin match.Side) match.Match {
	t.Helper()
	p := fingerprint.Params{K: 20, W: 12}
	ms, whole := Find(target, origin, seedsOf(target, origin, p, 0), match.Defaults(p.K))
	if !whole || len(ms) != 1 {
		t.Fatalf("%d matches, whole %v: %v", len(ms), whole, ms)
	}
	return ms[0]
}

// Find runs the matcher as a scan does.
func Find(target, origin match.Side, seeds []match.Seed, p match.Params) (ms []match.Match, whole bool) {
	runs, whole := match.Runs(target, origin, seeds, p)
	return match.Arrange(target, origin, runs, p), whole
}

// seedsOf joins the fingerprints of both sides as the index does. It keeps at most keep postings of one fingerprint, or all if
// keep is 0.
func seedsOf(target, origin match.Side, p fingerprint.Params, keep int) []match.Seed {
	grams := func(s match.Side) []uint64 {
		var values []uint64
		for _, t := range s.Tokens {
			values = append(values, fingerprint.TokenValue("go", t.Kind))
		}
		return fingerprint.KGrams(nil, values, p.K)
	}
	at := make(map[uint64][]uint32)
	for _, f := range fingerprint.WinnowRobust(nil, grams(origin), p.W) {
		if keep == 0 || len(at[f.Hash]) < keep {
			at[f.Hash] = append(at[f.Hash], f.Pos)
		}
	}
	var seeds []match.Seed
	for _, f := range fingerprint.WinnowTies(nil, grams(target), p.W) {
		for _, o := range at[f.Hash] {
			seeds = append(seeds, match.Seed{Target: f.Pos, Origin: o})
		}
	}
	return seeds
}

// cut returns the part of a run from a target token on.
func cut(r match.Run, from uint32) match.Run {
	return match.Run{Target: from, Origin: r.Origin + from - r.Target, Len: r.TargetEnd() - from}
}

func rename(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

func TestJudge(t *testing.T) {
	origin := golang(t, original)
	for _, c := range []struct {
		name    string
		target  string
		clone   int
		renames []Rename
		against int // identifiers against the map
		unequal int // literals
	}{
		{name: "verbatim", target: original, clone: 1},
		{name: "reformatted, comments changed", target: strings.ReplaceAll(rename(original, "// siftDown restores the heap below root.\n", "/* hand-written */\n"), "\t", "    "), clone: 1},
		{name: "renamed", target: rename(original, "siftDown", "sink", "child", "kid"), clone: 2,
			renames: []Rename{{"child", "kid", 10}, {"siftDown", "sink", 3}}},
		{name: "renamed, once not", target: strings.Replace(rename(original, "child", "kid"), "root = kid", "root = child", 1), clone: 2,
			renames: []Rename{{"child", "kid", 9}}, against: 1},
		{name: "two names made one", target: rename(original, "start", "end"), clone: 2, against: 4},
		{name: "a string and a number changed", target: rename(original, `"sorted"`, `"done"`, "10240", "77"), clone: 2, unequal: 2},
		{name: "a statement inserted", target: rename(original, "\t\tif data[root] >= data[child] {", "\t\tswaps += 17\n\t\tif data[root] >= data[child] {"), clone: 3},
		{name: "a statement removed", target: rename(original, "\tlimit := len(data)\n", "\tlimit := 1\n"), clone: 3},
		{name: "imports are no evidence", target: rename(original, `import "fmt"`, `import "log"`), clone: 1},
	} {
		target := golang(t, c.target)
		m := only(t, target, origin)
		e := EvidenceOf(target, origin, m, newCosts(DefaultWeights(), target, nil, nil, isName))
		renamed := 0
		for _, r := range e.Renames {
			renamed += r.Count
		}
		if e.Unchanged+renamed+e.Inconsistent != e.Identifiers || e.Equal > e.Literals {
			t.Errorf("%s: counts do not add up: %+v", c.name, e)
		}
		if e.CloneType != c.clone || !reflect.DeepEqual(e.Renames, c.renames) || e.Inconsistent != c.against || c.clone < 3 && e.Literals-e.Equal != c.unequal {
			t.Errorf("%s: %+v in %v", c.name, e, m)
		}
		if e.Bits <= 0 {
			t.Errorf("%s: %v bits", c.name, e.Bits)
		}
		if again := EvidenceOf(target, origin, m, newCosts(DefaultWeights(), target, nil, nil, isName)); !reflect.DeepEqual(e, again) {
			t.Errorf("%s: %+v, then %+v", c.name, e, again)
		}
	}
}

// TestBitsFall: the fewer names are unchanged, the fewer bits.
func TestBitsFall(t *testing.T) {
	origin := golang(t, original)
	last := 0.0
	for i, text := range []string{
		original,
		rename(original, "siftDown", "sink", "child", "kid"),
		rename(original, "siftDown", "sink", "child", "kid", "data", "list", "limit", "size", "root", "top", "HeapSort", "Order", "start", "from", "end", "last"),
		strings.Replace(strings.Replace(rename(original, "siftDown", "sink", "child", "kid", "data", "list", "limit", "size", "root", "top", "HeapSort", "Order", "start", "from", "end", "last"), "root", "kid", 3), "list[", "other[", 4),
	} {
		target := golang(t, text)
		e := EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName))
		if i > 0 && e.Bits >= last {
			t.Errorf("text %d: %v bits, the one before %v", i, e.Bits, last)
		}
		last = e.Bits
	}
}

// TestRenamesOneToOne: the map is one-to-one for any names; of equally frequent pairs the first is taken.
func TestRenamesOneToOne(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	side := func(n int) match.Side {
		var s match.Side
		for range n {
			name := []string{"a", "b", "c", "d", "e"}[r.IntN(5)]
			s.Tokens = append(s.Tokens, lang.Token{Start: uint32(len(s.Text)), End: uint32(len(s.Text) + 1), Kind: 1, Class: lang.Identifier})
			s.Text = append(append(s.Text, name...), ' ')
		}
		return s
	}
	for range 500 {
		n := 1 + r.IntN(30)
		a, b := side(n), side(n)
		m := match.Match{Runs: []match.Run{{Target: 0, Origin: 0, Len: uint32(n)}}}
		e := EvidenceOf(a, b, m, newCosts(DefaultWeights(), a, nil, nil, isName))
		from, to := make(map[string]string), make(map[string]string)
		renamed := 0
		for i, x := range e.Renames {
			if x.Origin == x.Target || from[x.Origin] != "" || to[x.Target] != "" {
				t.Fatalf("%+v is not one-to-one", e.Renames)
			}
			if i > 0 && x.Count > e.Renames[i-1].Count {
				t.Fatalf("%+v is not most frequent first", e.Renames)
			}
			from[x.Origin], to[x.Target] = x.Target, x.Origin
			renamed += x.Count
		}
		if e.Identifiers != n || e.Unchanged+renamed+e.Inconsistent != n {
			t.Fatalf("%+v does not add up to %d", e, n)
		}
		agree := 0
		for i := range n {
			o, x := string(b.TextAt(uint32(i))), string(a.TextAt(uint32(i)))
			if from[o] == x || o == x && from[o] == "" && to[x] == "" {
				agree++
			}
		}
		if agree < renamed+e.Unchanged {
			t.Fatalf("%+v: %d pairs agree with the map, want %d", e, agree, renamed+e.Unchanged)
		}
	}
}

// TestJudgeWithoutText: without texts no names are compared, and clone type 1 is not claimed.
func TestJudgeWithoutText(t *testing.T) {
	target, origin := golang(t, original), golang(t, original)
	origin.Text = nil
	m := only(t, target, origin)
	if e := EvidenceOf(target, origin, m, newCosts(DefaultWeights(), target, nil, nil, isName)); e.CloneType != 2 || e.Identifiers != 0 || e.Bits <= 0 {
		t.Errorf("%+v", e)
	}
}

// sources returns shortened files of the standard library.
func sources(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	var texts []string
	for _, dir := range []string{"sort", "strings", "container/list", "container/heap", "text/tabwriter"} {
		names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			b, err := os.ReadFile(n)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(b[:min(len(b), 12_000)]))
		}
	}
	return texts
}

// TestBoundsOfRenamed: no short stretch of real code, all names of which are renamed, has more bits than the upper bounds. Without
// paired brackets the bound of a short match is lower.
func TestBoundsOfRenamed(t *testing.T) {
	texts := sources(t)
	r := rand.New(rand.NewPCG(23, 24))
	keyword := regexp.MustCompile(`^(break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package|range|return|select|struct|switch|type|var)$`)
	paired, open, lower := 0, 0, 0
	for _, text := range texts {
		target := golang(t, text)
		origin := golang(t, regexp.MustCompile(`\b[A-Za-z_]\w*\b`).ReplaceAllStringFunc(text, func(s string) string {
			if keyword.MatchString(s) {
				return s
			}
			return s + "q"
		}))
		if len(target.Tokens) < 200 || len(target.Tokens) != len(origin.Tokens) {
			continue
		}
		w := newCosts(DefaultWeights(), target, nil, nil, isName)
		for range 40 {
			n := uint32(31 + r.IntN(22))
			at := r.Uint32N(uint32(len(target.Tokens)) - 2*n)
			m := match.Match{Runs: []match.Run{{Target: at, Origin: at, Len: n}}}
			b := w.UpperBound(int(at), int(at+n), hasOf(origin))
			uneven := w.Uneven(m)
			most := max(0, DefaultWeights().BoundOfRuns([]Bound{b}, uneven)-DefaultWeights().CostOfUneven(uneven))
			around := w.UpperBound(max(0, int(at)-11), int(at+n)+11, hasOf(origin))
			e := EvidenceOf(target, origin, m, w)
			if wide := DefaultWeights().BoundOfStretches([]Bound{around}, 0); e.Bits > most || e.Bits > wide {
				t.Errorf("tokens [%d,%d) carry %v bits, at most %v or %v", at, at+n, e.Bits, most, wide)
			}
			if uneven == 0 {
				paired++
			} else if open++; most < DefaultWeights().BoundOfRuns([]Bound{b}, 0) {
				lower++
			}
		}
	}
	if paired < 50 || lower < 50 {
		t.Errorf("%d stretches with paired brackets, %d of %d others with a lower bound", paired, lower, open)
	}
}

// TestMostBounds: no match in real code has more bits than the upper bound that decides whether its document is loaded.
func TestMostBounds(t *testing.T) {
	texts := sources(t)
	r := rand.New(rand.NewPCG(19, 20))
	n := 0
	for i := range 3 * len(texts) {
		text, other := texts[i/3], texts[r.IntN(len(texts))]
		if i%2 == 0 { // a copy of a part
			lines := strings.SplitAfter(text, "\n")
			from := r.IntN(len(lines))
			other = strings.Join(lines[from:], "") + other
		}
		target, origin := golang(t, text), golang(t, other)
		p := fingerprint.Params{K: 20, W: 12}
		ms, _ := Find(target, origin, seedsOf(target, origin, p, 64), match.Defaults(p.K))
		has := hasOf(origin)
		for _, m := range ms {
			n++
			from, to := m.Target()
			w := newCosts(DefaultWeights(), target, nil, nil, isName)
			most := DefaultWeights().BoundOfStretches([]Bound{w.UpperBound(int(from), int(to), has)}, w.SpanBound(int(from), int(to)).Foreign(int(to-from), has))
			var bounds []Bound
			for _, r := range m.Runs {
				bounds = append(bounds, w.UpperBound(int(r.Target), int(r.TargetEnd()), has))
			}
			if e := EvidenceOf(target, origin, m, w); e.Bits > DefaultWeights().BoundOfStretches(bounds, 0) {
				t.Errorf("%v of text %d carries %v bits, its runs together at most %v", m, i/3, e.Bits, DefaultWeights().BoundOfStretches(bounds, 0))
			}
			part := m.Runs[r.IntN(len(m.Runs))]
			part = cut(part, part.Target+r.Uint32N(part.Len))
			for _, m := range []match.Match{m, {Runs: []match.Run{part}}} {
				if e := EvidenceOf(target, origin, m, w); e.Bits > most {
					t.Errorf("%v of tokens [%d,%d) of text %d carries %v bits, at most %v", m, from, to, i/3, e.Bits, most)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d matches: the examples prove little", n)
	}
}

// TestWeightsOrder: blocks are computed when first needed; the order does not change the result.
func TestWeightsOrder(t *testing.T) {
	target := golang(t, strings.Repeat(original[bytes.IndexByte([]byte(original), '\n'):], 4))
	n := len(target.Tokens)
	has := hasOf(target)
	all := newCosts(DefaultWeights(), target, nil, []Range{{10, 40, 3}, {n - 5, n + 9, 1}}, isName)
	all.UpperBound(0, n, has)
	r := rand.New(rand.NewPCG(21, 22))
	for range 50 {
		w := newCosts(DefaultWeights(), target, nil, []Range{{10, 40, 3}, {n - 5, n + 9, 1}}, isName)
		for range 5 {
			from := r.IntN(n)
			to := from + r.IntN(n-from+1)
			if a, b := w.UpperBound(from, to, has), all.UpperBound(from, to, has); a != b {
				t.Fatalf("Most(%d, %d) = %v, all weighed %v", from, to, a, b)
			}
		}
	}
}

// TestAgainstTakesNoName: names of a pair that breaks the map stay available for other pairs.
func TestAgainstTakesNoName(t *testing.T) {
	origin := golang(t, "package p\n\nfunc f() {\n\tg(one, one, one, two, two, two)\n}\n")
	target := golang(t, "package p\n\nfunc f() {\n\tg(uno, uno, uno, uno, uno, due)\n}\n")
	all := match.Match{Runs: []match.Run{{Len: uint32(len(target.Tokens))}}}
	e := EvidenceOf(target, origin, all, newCosts(DefaultWeights(), target, nil, nil, isName))
	if want := []Rename{{"one", "uno", 3}, {"two", "due", 1}}; !reflect.DeepEqual(e.Renames, want) || e.Inconsistent != 2 {
		t.Errorf("%+v, %d against the map; want %v, 2", e.Renames, e.Inconsistent, want)
	}
}

// TestBrief: short matches lose bits. The limit is lower for a match without a gap, and tokens that the language leaves out count.
func TestBrief(t *testing.T) {
	w := DefaultWeights()
	brief := func(omitted float64, runs ...int) float64 {
		r := Readings{Omitted: omitted}
		for _, n := range runs {
			r.Runs = append(r.Runs, Run{Tokens: make([]Token, n)})
		}
		return w.Weigh(r).Brief
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"with a gap", brief(0, 20, 25), 10 * w.Brief},
		{"without", brief(0, 45), 8 * w.Brief},
		{"long enough", brief(0, 53), 0},
		{"with tokens left out", brief(0.1, 20, 30), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v bits, want %v", c.name, c.got, c.want)
		}
	}
}

// TestShortRenamed: a match without a gap may be shorter if all of its names are renamed. If a fifth of them are unchanged, if
// there are few, or if a bracket is open, it may not.
func TestShortRenamed(t *testing.T) {
	w := DefaultWeights()
	read := func(tokens, same, renamed int, gap bool) Readings {
		r := Readings{Compared: true, Identifiers: same + renamed, Unchanged: same, Runs: []Run{{Tokens: make([]Token, tokens)}}}
		if gap {
			r.Runs = []Run{{Tokens: make([]Token, tokens/2)}, {Tokens: make([]Token, tokens-tokens/2), Target: 1, Origin: 1}}
		}
		for range same {
			r.Names = append(r.Names, Name{Fate: Same, Count: 1, Told: 1})
		}
		for range renamed {
			r.Names, r.Renames = append(r.Names, Name{Fate: Renamed, Count: 1, Told: 1}), append(r.Renames, Rename{Count: 1})
		}
		return r
	}
	open := read(40, 0, 10, false)
	open.Uneven = 1
	for _, c := range []struct {
		name  string
		r     Readings
		below float64
	}{
		{"all names renamed", read(40, 0, 10, false), 45},
		{"one of ten unchanged", read(40, 1, 9, false), 49},
		{"a fifth unchanged", read(40, 2, 8, false), 53},
		{"no name renamed", read(40, 10, 0, false), 53},
		{"two names", read(40, 0, 2, false), 53},
		{"an open bracket", open, 53},
		{"a gap", read(40, 0, 10, true), 55},
	} {
		if got, want := w.Weigh(c.r).Brief, w.Brief*(c.below-40); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: 40 tokens lose %v bits, want %v", c.name, got, want)
		}
	}
}
