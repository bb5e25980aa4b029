package similar

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// folder is a part of files in memory.
func folder(name string, files map[string]string) Part {
	return Part{Name: name, Package: source.New(name, func(_ context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		names := make([]string, 0, len(files))
		for n := range files {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			if err := file(n, []byte(files[n])); err != nil {
				return err
			}
		}
		return nil
	})}
}

func options(workers int) Options {
	scan := scanner.Defaults()
	scan.Workers, scan.MinTokens = workers, baseline.Defaults.T()
	return Options{Params: baseline.Defaults, Scan: scan, Filter: Filter{Sort: ByShare, Group: 0.5}}
}

func compared(t *testing.T, o Options, parts ...Part) *Result {
	t.Helper()
	r, err := Compare(t.Context(), t.TempDir()+"/index", parts, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	var whole []UnitPair
	if err := r.Each(func(p *UnitPair) error {
		whole = append(whole, *p)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	r.Pairs = append([]UnitPair{}, whole...)
	return r
}

// programs makes units whose files are put together from a pool of functions.
func programs(r *rand.Rand, units int) (parts []Part, texts []map[string]string) {
	var pool []string
	for i := range 30 {
		var b strings.Builder
		fmt.Fprintf(&b, "func f%d(a, b int) int {\n", i)
		for range 1 + r.IntN(8) {
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(&b, "\tfor a %s b { a %s %d }\n", pick(r, "<", ">", "!="), pick(r, "+=", "-=", "<<="), r.IntN(9))
			case 1:
				fmt.Fprintf(&b, "\tif b %s a { return b %s a }\n", pick(r, "<", ">", "=="), pick(r, "+", "*", "%"))
			case 2:
				fmt.Fprintf(&b, "\ta, b = b%sa, []int{a, b}[a%sb]\n", pick(r, "+", "/", "^"), pick(r, "&", "|", "%"))
			default:
				fmt.Fprintf(&b, "\tdefer func() { go f%d(a, b%s1) }()\n", r.IntN(30), pick(r, "+", "-", "*"))
			}
		}
		b.WriteString("\treturn a\n}\n\n")
		pool = append(pool, b.String())
	}
	for u := range units {
		files := make(map[string]string)
		for f := range 1 + r.IntN(3) {
			text := "package p\n\n"
			for range 1 + r.IntN(6) {
				text += pool[r.IntN(len(pool))]
			}
			files[fmt.Sprintf("f%d.go", f)] = text
		}
		texts = append(texts, files)
		parts = append(parts, folder(fmt.Sprintf("unit%02d", u), files))
	}
	return parts, texts
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// common counts the tokens of the files of a that lie in a run of t and more tokens
// that some file of b has too, by comparing everything with everything.
func common(t *testing.T, a, b map[string]string, least int) int {
	n := 0
	for _, x := range a {
		ta := kinds(t, x)
		in := make([]bool, len(ta))
		for _, y := range b {
			tb := kinds(t, y)
			for i := range ta {
				for j := range tb {
					k := 0
					for i+k < len(ta) && j+k < len(tb) && ta[i+k] == tb[j+k] {
						k++
					}
					for d := range k {
						in[i+d] = in[i+d] || k >= least
					}
				}
			}
		}
		for _, x := range in {
			if x {
				n++
			}
		}
	}
	return n
}

func kinds(t *testing.T, text string) (out []uint32) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	s, err := z.Tokenize(lang.ByName("go"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range s.Tokens {
		if k.Flags&lang.FlagImport == 0 { // else it does not count
			out = append(out, k.Kind)
		}
	}
	return out
}

// The guarantee, pair by pair: every run of t tokens that two units share is counted.
func TestNoSharedRunIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	met := 0
	for range 6 {
		parts, texts := programs(r, 6)
		res := compared(t, options(2), parts...)
		found := make(map[[2]string]UnitPair)
		for _, p := range res.Pairs {
			found[[2]string{p.A, p.B}] = p
		}
		for i := range parts {
			for j := i + 1; j < len(parts); j++ {
				p := found[[2]string{parts[i].Name, parts[j].Name}]
				a, b := common(t, texts[i], texts[j], baseline.Defaults.T()), common(t, texts[j], texts[i], baseline.Defaults.T())
				if p.SharedA < a || p.SharedB < b {
					t.Errorf("%s and %s share %d and %d tokens, %d and %d found", parts[i].Name, parts[j].Name, a, b, p.SharedA, p.SharedB)
				}
				met += a
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d tokens are shared: the units are too unlike to test anything", met)
	}
}

func TestResultDoesNotDependOnWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{1, 2, 7} {
		parts, _ := programs(rand.New(rand.NewPCG(2, 2)), 12)
		got, err := json.Marshal(compared(t, options(workers), parts...))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Errorf("%d workers: another result", workers)
		}
	}
	if len(want) < 10_000 {
		t.Errorf("only %d bytes of result", len(want))
	}
}

const shared = "package p\n\nfunc g(xs []int) (sum int) {\n\tfor i, x := range xs {\n\t\tif x%2 == 0 && i > 3 {\n\t\t\tsum += x * i\n\t\t} else {\n\t\t\tsum -= x / (i + 1)\n\t\t}\n\t}\n\treturn sum\n}\n"

func TestEqualFilesAreToldApart(t *testing.T) {
	r := compared(t, options(1), folder("a", map[string]string{"x.go": shared}), folder("b", map[string]string{"y.go": shared}),
		folder("c", map[string]string{"z.go": strings.ReplaceAll(shared, "sum", "total")}))
	if len(r.Pairs) != 3 {
		t.Fatalf("%d pairs, want 3", len(r.Pairs))
	}
	if p := r.Pairs[0]; !p.Equal || p.A != "a" || p.B != "b" || p.ShareA != 1 {
		t.Errorf("first pair: %+v", p)
	}
	if p := r.Pairs[1]; p.Equal || p.ShareA != 1 || p.Files[0].Matches[0].CloneType != 2 {
		t.Errorf("second pair: %+v", p)
	}
	if len(r.Groups) != 1 || len(r.Groups[0].Units) != 3 {
		t.Errorf("groups: %+v", r.Groups)
	}
}

// TestAsManyFilesAsUnits: a unit without files does not make up for one with two. The share of that one is of both its files.
func TestAsManyFilesAsUnits(t *testing.T) {
	r := compared(t, options(1), folder("a", map[string]string{"x.go": shared, "y.go": strings.ReplaceAll(shared, "sum", "total")}), folder("b", map[string]string{"z.go": shared}), folder("c", nil))
	if len(r.Pairs) != 1 || r.Pairs[0].ShareA != 1 || r.Pairs[0].SharedA != 108 || r.Pairs[0].Alone == nil || len(r.Pairs[0].Files) != 2 {
		t.Errorf("%+v", r.Pairs)
	}
}

// TestUTF16: a copy that an editor stored as UTF-16 is the copy that it is. Its lines are those of the text.
func TestUTF16(t *testing.T) {
	stored := func(text string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return string(b)
	}
	r := compared(t, options(2), folder("a", map[string]string{"a.go": shared}), folder("b", map[string]string{"b.go": stored(shared)}),
		folder("c", map[string]string{"c.go": stored("// größer\r\n" + strings.ReplaceAll(shared, "\n", "\r\n"))}))
	if len(r.Ledger) > 0 || len(r.Pairs) != 3 || r.Pairs[0].ShareA != 1 || r.Pairs[0].ShareB != 1 || r.Pairs[0].B != "b" {
		t.Fatalf("ledger %+v, pairs %+v", r.Ledger, r.Pairs)
	}
	if p := r.Pairs[1]; p.ShareA != 1 || p.Files[0].Matches[0].Runs[0].OriginStartLine != p.Files[0].Matches[0].Runs[0].StartLine+1 {
		t.Errorf("with a comment above: %+v", p)
	}
}

func TestFilesOfOneUnitAreNoPair(t *testing.T) {
	r := compared(t, options(1), folder("a", map[string]string{"x.go": shared, "y.go": strings.ReplaceAll(shared, "sum", "total")}))
	if len(r.Pairs) != 0 {
		t.Errorf("%+v", r.Pairs)
	}
}

// A file that many submissions contain is left out, and the ledger lists it.
func TestContentOfManyUnitsIsInTheLedger(t *testing.T) {
	var parts []Part
	for i := range maxHolders + 1 {
		parts = append(parts, folder(fmt.Sprintf("unit%02d", i), map[string]string{"x.go": shared, "y.go": fmt.Sprintf("package p\n\nvar x%d = []int{%s1}\n", i, strings.Repeat("1, ", 20+i))}))
	}
	o := options(1)
	o.Filter.Tokens = 60
	r := compared(t, o, parts...)
	if i := slices.IndexFunc(r.Pairs, func(p UnitPair) bool { return p.Equal || p.Files[0].A.Path == "x.go" }); i >= 0 {
		t.Errorf("%+v", r.Pairs[i])
	}
	if len(r.Ledger) == 0 || r.Ledger[0].Reason != finding.ReasonCommon || r.Ledger[0].Path != "unit00/x.go" {
		t.Errorf("ledger %+v", r.Ledger)
	}
}

// If many files are equal, the first represents the others: no pair is lost, and files that
// resemble them are reported once.
func TestManyEqualFiles(t *testing.T) {
	var parts []Part
	for i := range maxHolders + 1 {
		parts = append(parts, folder(fmt.Sprintf("unit%02d", i), map[string]string{"x.go": shared}))
	}
	parts = append(parts, folder("other", map[string]string{"z.go": strings.ReplaceAll(shared, "sum", "total")}))
	r := compared(t, options(1), parts...)
	equal := 0
	for _, p := range r.Pairs {
		if p.Equal {
			equal++
		}
		if p.A != "unit00" {
			t.Errorf("%s and %s", p.A, p.B)
		}
	}
	if equal != maxHolders || len(r.Pairs) != maxHolders+1 || len(r.Groups) != 1 || len(r.Groups[0].Units) != maxHolders+2 || len(r.Ledger) != 1 {
		t.Errorf("%d of %d pairs are equal, groups %+v, ledger %+v", equal, len(r.Pairs), r.Groups, r.Ledger)
	}
	o := options(1)
	o.Filter.Sort = BySimilarity // of few submissions all pairs are told
	if r := compared(t, o, parts...); len(r.Pairs) != (maxHolders+2)*(maxHolders+1)/2 {
		t.Errorf("%d pairs", len(r.Pairs))
	}
}

// One against all tells what the one shares, and nothing of the others among them.
func TestQueryTellsOfTheOneAlone(t *testing.T) {
	parts := []Part{folder("one", map[string]string{"x.go": shared})}
	for i := range maxHolders + 5 {
		parts = append(parts, folder(fmt.Sprintf("unit%02d", i), map[string]string{"x.go": shared}))
	}
	parts = append(parts, folder("other", map[string]string{"z.go": strings.ReplaceAll(shared, "sum", "total")}))
	o := options(2)
	o.Query = true
	r := compared(t, o, parts...)
	if len(r.Pairs) != maxHolders+6 || len(r.Ledger) != 0 {
		t.Errorf("%d pairs, ledger %+v", len(r.Pairs), r.Ledger)
	}
	for _, p := range r.Pairs {
		if p.A != "one" {
			t.Errorf("%s and %s", p.A, p.B)
		}
	}
}

func TestEmptyCollections(t *testing.T) {
	for _, parts := range [][]Part{nil, {folder("a", nil)}, {folder("a", nil), folder("b", map[string]string{"x": ""})}} {
		o := options(1)
		o.Two, o.Parameterized = len(parts) == 2, len(parts) == 2
		r := compared(t, o, parts...)
		if len(r.Pairs) != 0 || len(r.Groups) != 0 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBothSidesOfAPairSayTheSame(t *testing.T) {
	edited := strings.Replace(shared, "sum += x * i", "sum += x * i * 7", 1)
	ab := compared(t, options(1), folder("a", map[string]string{"x.go": shared}), folder("b", map[string]string{"y.go": edited})).Pairs[0]
	ba := compared(t, options(1), folder("a", map[string]string{"y.go": edited}), folder("b", map[string]string{"x.go": shared})).Pairs[0]
	if ab.SharedA != ba.SharedB || ab.SharedB != ba.SharedA || ab.ShareA != ba.ShareB {
		t.Errorf("%+v\n%+v", ab, ba)
	}
	x, y := ab.Files[0].Matches[0].Runs, ba.Files[0].Matches[0].swapped().Runs
	if fmt.Sprint(x) != fmt.Sprint(y) {
		t.Errorf("runs %v and %v", x, y)
	}
}

func TestSetsOfTwoUnits(t *testing.T) {
	o := options(1)
	o.Two, o.Params = true, fingerprint.Params{K: 5, W: 4}
	r := compared(t, o, folder("a", map[string]string{"x.go": shared}), folder("b", map[string]string{"x.go": shared + "\nfunc h() { println(1, 2, 3, 4, 5, 6) }\n"}))
	if s := r.Sets; s.ContainmentA != 1 || s.ContainmentB >= 1 || s.Resemblance != s.ContainmentB || s.Sampled != 1 {
		t.Errorf("%+v", s)
	}
}

func TestParameterizedMatchesNameTheirLines(t *testing.T) {
	o := options(1)
	o.Parameterized = true
	r := compared(t, o, folder("a", map[string]string{"x.go": shared}), folder("b", map[string]string{"w.go": "package p\n\nvar pad = 1\n", "y.go": "package p\n\n// more\n" + strings.ReplaceAll(shared[len("package p\n\n"):], "sum", "n")}))
	ms := r.Parameterized.Matches
	if len(ms) != 1 || ms[0].A != (Stretch{"x.go", 3, 12}) || ms[0].B != (Stretch{"y.go", 4, 13}) || ms[0].Renamed != 1 || !r.Parameterized.Whole {
		t.Errorf("%+v", r.Parameterized)
	}
}

func TestFilterAgain(t *testing.T) {
	parts, _ := programs(rand.New(rand.NewPCG(3, 3)), 12)
	all := compared(t, options(1), parts...)
	o := options(1)
	o.Filter = Filter{Share: 0.4, Tokens: 80, Sort: ByTokens, Group: 0.6}
	parts, _ = programs(rand.New(rand.NewPCG(3, 3)), 12)
	want := compared(t, o, parts...)
	js, err := json.Marshal(all)
	read := new(Result)
	if err != nil || json.Unmarshal(js, read) != nil {
		t.Fatal(err)
	}
	all.Filter(o.Filter)
	read.Filter(o.Filter)
	text := func(r *Result) string {
		b, err := json.Marshal([]any{r.Pairs, r.Groups})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if text(all) != text(want) || text(read) != text(want) || len(want.Groups) == 0 {
		t.Error("a result that is filtered again, or after it was read, differs from one that was filtered at once")
	}
	if len(want.Pairs) == 0 {
		t.Error("nothing is left to compare")
	}
}

// Only so much source is kept that a page of two trees opens.
func TestSourceOfManyFilesIsBounded(t *testing.T) {
	a, b := make(map[string]string), make(map[string]string)
	for i := range 4 {
		text := fmt.Sprintf("package p%d\n\nfunc f%d(a, b, c int) {\n%s}\n", i, i, sums(rand.New(rand.NewPCG(7, uint64(i))), 150))
		a[fmt.Sprintf("%d.go", i)], b[fmt.Sprintf("%d.go", i)] = text, text+fmt.Sprintf("\nvar end = %d\n", i)
	}
	o := options(1)
	for sources, want := range map[int]int{0: 0, 1: 2, 9: 4} { // 20 kB are full after two pairs of files
		o.Sources = sources
		r := compared(t, o, folder("a", a), folder("b", b))
		if len(r.Pairs) != 1 || len(r.Pairs[0].Files) != 4 {
			t.Fatalf("%d pairs", len(r.Pairs))
		}
		for i, f := range r.Pairs[0].Files {
			if kept := f.Matches[0].Text != nil; kept != (i < want) {
				t.Errorf("--sources %d: source of pair %d of files: %v, %d bytes", sources, i, kept, len(a["0.go"]))
			}
		}
	}
}

func TestOnly(t *testing.T) {
	r := &Result{Query: "q.txt", Units: []Unit{{Name: "q.txt", Files: 1}, {Name: "a.c", Files: 1}, {Name: "b.go", Files: 1}, {Name: "c.h", Files: 1}},
		Pairs: []UnitPair{{A: "q.txt", B: "b.go"}, {A: "q.txt", B: "c.h"}, {A: "a.c", B: "b.go"}, {A: "a.c", B: "c.h"}}}
	r.Only([]string{".c", ".h"})
	if got := fmt.Sprint(r.Units, r.Ledger); got != "[{q.txt 1 0} {a.c 1 0} {c.h 1 0}] [{b.go suffix }]" {
		t.Error(got)
	}
	if len(r.Pairs) != 2 || r.Pairs[0].A+r.Pairs[0].B != "q.txtc.h" || r.Pairs[1].A+r.Pairs[1].B != "a.cc.h" {
		t.Errorf("%+v", r.Pairs)
	}
	r.Pairs[1].Files = []Pair{{A: Side{Path: "a.c"}, B: Side{Path: "c.h"}}}
	if r.OfFolders() {
		t.Error("files are taken for submissions")
	}
	if r.Pairs[1].Files[0].A.Path = "main.c"; !r.OfFolders() {
		t.Error("submissions of one file are taken for files")
	}
}

func TestClusters(t *testing.T) {
	big := func(n int) string {
		var b strings.Builder
		b.WriteString("package p\n")
		for i := range 40 {
			fmt.Fprintf(&b, "func f%d(a int) int { for a < %d { a += %d %s a }; return a }\n", i, i, i, []string{"*", "+", "%", "^"}[(i*n)%4])
		}
		return b.String()
	}
	files := map[string]string{"a.go": big(1), "b.go": big(1) + "var x = 1\n", "c.go": big(1), "d.go": shared, "e.go": shared, "f.go": "package p"}
	for range 2 {
		c, err := ClusterOf(t.Context(), []Part{folder("src", files)}, ClusterOptions{K: 20, Sketch: 128, Resemblance: 0.5, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Clusters) != 2 || len(c.Clusters[0].Members) != 3 || len(c.Clusters[1].Members) != 2 {
			t.Fatalf("%+v", c.Clusters)
		}
		if m := c.Clusters[0].Members; m[0].Path != "src/a.go" || m[1].Path != "src/b.go" || m[1].Resemblance < 0.8 || m[0].Equal != m[2].Equal {
			t.Errorf("%+v", m)
		}
		if len(c.Ledger) != 1 || c.Ledger[0].Path != "src/f.go" {
			t.Errorf("%+v", c.Ledger)
		}
	}
}

// A content under two names is read by the better one, in whatever order the names come.
// Empty files are no cluster.
func TestClustersDoNotDependOnTheOrderOfNames(t *testing.T) {
	code := "package p\n\nfunc own(a, b, c int) {\n" + sums(rand.New(rand.NewPCG(1, 1)), 9) + "}\n"
	parts := []Part{folder("x", map[string]string{"notes.txt": code, "empty.go": ""}), folder("y", map[string]string{"own.go": code, "none.go": ""}),
		folder("z", map[string]string{"other.go": code + "var x = 1\n"})}
	var first []byte
	for range 3 {
		c, err := ClusterOf(t.Context(), parts, ClusterOptions{K: 20, Sketch: 128, Resemblance: 0.5, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		js, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Ledger) != 2 || c.Ledger[0].Path != "x/empty.go" || c.Ledger[1].Path != "y/none.go" {
			t.Errorf("not each empty file is listed: %v", c.Ledger)
		}
		if len(c.Clusters) != 1 || len(c.Clusters[0].Members) != 3 || first != nil && !bytes.Equal(js, first) {
			t.Errorf("%s\n%s", js, first)
		}
		first, parts = js, append(parts[1:], parts[0])
	}
}

func TestSimilarWithoutMatch(t *testing.T) {
	// The same program, with a statement more after every other: no run of 31 tokens is left.
	var a, b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&a, "func f%d(v []int) int { s := %d; for i := 0; i < len(v); i++ { s += v[i] }; return s }\n", i, 1000+i)
		fmt.Fprintf(&b, "func g%d(w []int) (r int) { r = %d; for k := range w { r = r + w[k]; use(k) }; return r }\n", i, 1000+i)
	}
	parts := func() (ps []Part) {
		for _, u := range []struct{ name, text string }{{"a", a.String()}, {"b", b.String()}, {"c", strings.Repeat("type t struct { name string; next *t }\n", 9)}} {
			ps = append(ps, folder(u.name, map[string]string{"x.go": "package p\n" + u.text}))
		}
		return ps
	}
	for _, sort := range []string{ByShare, BySimilarity} {
		var first []byte
		for _, workers := range []int{1, 3} {
			o := options(workers)
			o.Filter = Filter{Sort: sort, Tokens: 1, Share: 0.2, Group: 0.2}
			r := compared(t, o, parts()...)
			js, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(js, first) {
				t.Errorf("%d workers, other bytes", workers)
			}
			first = js
			if sort == ByShare && len(r.Pairs) != 0 {
				t.Errorf("by share: %+v", r.Pairs)
			}
			if want := []int{2, 0, 1, 0, 0, 0, 0, 0, 0, 0}; sort == BySimilarity && !slices.Equal(r.Distribution, want) {
				t.Errorf("%v pairs by similarity, want %v", r.Distribution, want)
			}
			if sort == BySimilarity && (len(r.Pairs) != 1 || r.Pairs[0].A != "a" || r.Pairs[0].B != "b" || len(r.Pairs[0].Files) != 0 || len(r.Groups) != 1) {
				t.Errorf("by similarity: %s", js)
			}
		}
	}
}

// TestNoCodeIsNotCompared: a submission without code is no pair of similarity 0, and it is said why it has none.
func TestNoCodeIsNotCompared(t *testing.T) {
	code := func(name string) Part {
		return folder(name, map[string]string{"x.go": "package p\n" + strings.Repeat("type t struct { name string; next *t }\n", 9)})
	}
	o := options(1)
	o.Filter = Filter{Sort: BySimilarity, Tokens: 1, Share: 0.2, Group: 0.2}
	r := compared(t, o, code("a"), code("b"), folder("c", map[string]string{"y.go": "", "z.bin": "\x00\x01\x02"}))
	if want := []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}; !slices.Equal(r.Distribution, want) {
		t.Errorf("%v pairs by similarity, want %v", r.Distribution, want)
	}
	if got := r.Empty(); len(got) != 1 || got[0].Name != "c" || !slices.Equal(got[0].Reasons, []string{"binary", "empty"}) {
		t.Errorf("%v", got)
	}
}

// TestFilesBeside: a pair that is similar without a match has its files side by side, those of one name first, within the bounds of
// source, and anonymous if the units are.
func TestFilesBeside(t *testing.T) {
	var a, b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&a, "func f%d(v []int) int { s := %d; for i := 0; i < len(v); i++ { s += v[i] }; return s }\n", i, 1000+i)
		fmt.Fprintf(&b, "func g%d(w []int) (r int) { r = %d; for k := range w { r = r + w[k]; use(k) }; return r }\n", i, 1000+i)
	}
	own := func(i int) string {
		return fmt.Sprintf("package p\n\n%s\n", strings.Repeat(fmt.Sprintf("type t%d map[[%d]string]*t%d\n", i, i, i+1), 3))
	}
	left := map[string]string{"src/x.go": "package p\n" + a.String(), "rest.go": own(5), "more.go": own(9)}
	right := map[string]string{"src/x.go": "package p\n" + b.String(), "other.go": "package p\n\nvar s = []string{0: \"a\"}\n\nfunc h() chan<- bool { return nil }\n"}
	o := options(1)
	o.Filter, o.Sources = Filter{Sort: BySimilarity, Tokens: 1, Share: 0.2, Group: 0.2}, 1
	r := compared(t, o, folder("class/ann", left), folder("class/bob", right))
	if len(r.Pairs) != 1 || len(r.Pairs[0].Files) != 0 {
		t.Fatalf("%+v", r.Pairs)
	}
	var got []string
	for _, p := range r.Pairs[0].Beside {
		got = append(got, fmt.Sprintf("%s %d | %s %d", p.A, len(p.Text.Target.Lines), p.B, len(p.Text.Origin.Lines)))
	}
	if want := []string{"more.go 6 | other.go 5", "rest.go 6 |  0", "src/x.go 13 | src/x.go 13"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	o.Sources = 0
	if r := compared(t, o, folder("class/ann", left), folder("class/bob", right)); len(r.Pairs) != 1 || r.Pairs[0].Beside != nil {
		t.Errorf("no source was asked for: %+v", r.Pairs)
	}
	o.Sources = 1
	single := compared(t, o, folder("class/ann.go", map[string]string{"ann.go": left["src/x.go"]}), folder("class/bob.go", map[string]string{"bob.go": right["src/x.go"]}))
	single.Anonymous()
	if len(single.Pairs) != 1 || len(single.Pairs[0].Beside) != 1 || single.Pairs[0].Beside[0].A != "unit 001" || single.Pairs[0].Beside[0].B != "unit 002" {
		t.Errorf("%+v", single.Pairs)
	}
}

// TestGroupsInOrder: the largest group comes first, and of equally large ones the one whose units are most alike.
func TestGroupsInOrder(t *testing.T) {
	r := &Result{Pairs: []UnitPair{{A: "a", B: "b", ShareA: 0.6}, {A: "c", B: "d", ShareA: 0.9}, {A: "e", B: "f", ShareA: 0.7}, {A: "f", B: "g", ShareA: 0.7}}}
	r.Filter(Filter{Sort: ByShare, Group: 0.5})
	var got []string
	for _, g := range r.Groups {
		got = append(got, strings.Join(g.Units, " "))
	}
	if want := []string{"e f g", "c d", "a b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnreadQuery asks about a file that nothing can be read of: no other takes its place.
func TestUnreadQuery(t *testing.T) {
	code := "package p\n\nfunc own(a, b, c int) {\n" + sums(rand.New(rand.NewPCG(1, 1)), 9) + "}\n"
	query, dir := folder("x.bin", map[string]string{"x.bin": "\x00\x01"}), folder("dir", map[string]string{"1.go": code, "2.go": code})
	query.File, dir.Each = true, true
	o := options(1)
	o.Query = true
	if r := compared(t, o, query, dir); r.Query != "x.bin" || len(r.Pairs) != 0 || len(r.Units) != 3 {
		t.Errorf("asked about %q of %d units: %d pairs", r.Query, len(r.Units), len(r.Pairs))
	}
	query = folder("dir/1.go", map[string]string{"1.go": code})
	query.File = true
	if r := compared(t, o, query, dir); r.Query != "dir/1.go" || len(r.Pairs) != 1 || len(r.Units) != 2 {
		t.Errorf("asked about %q of %d units: %d pairs", r.Query, len(r.Units), len(r.Pairs))
	}
}

// Ranked by similarity, a pair of which both have what all have is left out, however large its share is.
func TestFilterBySimilarity(t *testing.T) {
	r := &Result{Pairs: []UnitPair{{A: "a", B: "b", ShareA: 0.9, ShareB: 0.9, SharedA: 90, SharedB: 90, Similarity: 0.1}, {A: "a", B: "c", Similarity: 0.6}}}
	r.Filter(Filter{Share: 0.25, Tokens: 1, Sort: BySimilarity})
	if len(r.Pairs) != 1 || r.Pairs[0].B != "c" {
		t.Errorf("%+v", r.Pairs)
	}
}

// TestShortEqualFilesComeLater: a list does not begin with the files that are equal because they are short.
func TestShortEqualFilesComeLater(t *testing.T) {
	r := &Result{Pairs: []UnitPair{
		{A: "a", B: "b", ShareA: 1, ShareB: 1, SharedA: 15, SharedB: 15, Equal: true},
		{A: "c", B: "d", ShareA: 1, ShareB: 1, SharedA: 600, SharedB: 600},
		{A: "e", B: "f", ShareA: 0.01, ShareB: 1, SharedA: 40, SharedB: 40},
		{A: "g", B: "h", ShareA: 0.9, ShareB: 0.8, SharedA: 900, SharedB: 900},
		{A: "i", B: "j", ShareA: 1, ShareB: 1, SharedA: 600, SharedB: 600, Equal: true},
	}}
	r.Filter(Filter{Sort: ByShare})
	got := ""
	for _, p := range r.Pairs {
		got += p.A
	}
	if got != "icgea" {
		t.Errorf("order %q, want %q", got, "icgea")
	}
}

// TestEqualFilesHaveBits: files of the same bytes carry at least what renamed ones do, also among the files of a submission.
func TestEqualFilesHaveBits(t *testing.T) {
	renamed := strings.ReplaceAll(shared, "sum", "total")
	o := options(1)
	o.Filter.Sort = ByBits
	r := compared(t, o, folder("a", map[string]string{"x.go": shared}), folder("b", map[string]string{"y.go": shared}), folder("c", map[string]string{"z.go": renamed}))
	if p := r.Pairs[0]; !p.Equal || p.Bits <= r.Pairs[1].Bits || p.Bits != p.Files[0].Bits {
		t.Errorf("equal files of %g bits come before renamed ones of %g", p.Bits, r.Pairs[1].Bits)
	}
	two := map[string]string{"x.go": shared, "w.go": "package w\n\nfunc own(a, b, c int) {\n" + sums(rand.New(rand.NewPCG(1, 1)), 9) + "}\n"}
	if q := compared(t, o, folder("a", two), folder("b", two)).Pairs[0]; q.Bits <= r.Pairs[0].Bits || !q.Equal {
		t.Errorf("two equal files of %g bits, one of %g", q.Bits, r.Pairs[0].Bits)
	}
	base := t.TempDir() + "/x.go"
	if err := os.WriteFile(base, []byte(shared), 0o600); err != nil {
		t.Fatal(err)
	}
	o.BaseCode = []string{base}
	if p := compared(t, o, folder("a", two), folder("b", two)).Pairs[0]; p.Bits <= 0 || p.Bits != p.Files[0].Bits {
		t.Errorf("%g bits without the base code, of %d pairs of files", p.Bits, len(p.Files))
	}
}

func TestOfEquallyGoodFilesTheOneOfTheSamePathComesFirst(t *testing.T) {
	_, texts := programs(rand.New(rand.NewPCG(7, 7)), 1)
	text := texts[0]["f0.go"]
	renamed := strings.ReplaceAll(text, "func f", "func g") // as many tokens, but not the same bytes
	a := map[string]string{"x/m.go": text, "y/m.go": text}
	b := map[string]string{"aa.go": text, "x/m.go": text, "y/m.go": renamed, "z/m.go": text, "deep/x/m.go": text}
	want := []string{
		"x/m.go x/m.go",                                                         // the same path
		"x/m.go deep/x/m.go",                                                    // the last two elements
		"x/m.go z/m.go", "y/m.go deep/x/m.go", "y/m.go x/m.go", "y/m.go z/m.go", // the same name
		"x/m.go aa.go", "y/m.go aa.go",
		"y/m.go y/m.go", "x/m.go y/m.go", // not equal
	}
	for _, workers := range []int{1, 3} {
		o := options(workers)
		o.Two = true
		var got []string
		for _, f := range compared(t, o, folder("a", a), folder("b", b)).Pairs[0].Files {
			got = append(got, f.A.Path+" "+f.B.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: pairs of files are\n%s\nnot\n%s", workers, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestBaseCodeIsNoEdit: base code within a match splits its runs, but nobody has edited it.
func TestBaseCodeIsNoEdit(t *testing.T) {
	given := "func Given(rows [][]string) (out map[string]int) {\n\tout = make(map[string]int)\n\tfor i, row := range rows {\n\t\tfor _, cell := range row {\n\t\t\tout[cell] += i * len(cell)\n\t\t}\n\t}\n\treturn out\n}\n"
	first := "package p\n\nfunc First(n int) int {\n\tsum := 0\n\tfor i := 0; i < n; i += 3 {\n\t\tif i%5 == 2 {\n\t\t\tsum -= i\n\t\t}\n\t}\n\treturn sum\n}\n"
	last := "func Last(s string) (c byte) {\n\tfor j := len(s); j > 0 && c != '.'; j-- {\n\t\tc = s[j-1]\n\t}\n\tswitch c {\n\tcase 'x', 'y':\n\t\treturn 'z'\n\t}\n\treturn c\n}\n"
	base := t.TempDir() + "/given.go"
	if err := os.WriteFile(base, []byte("package p\n\n"+given), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(1)
	o.BaseCode = []string{base}
	for _, c := range []struct {
		name, other string
		clone       int
	}{
		{"another comment", first + given + last + "// mine\n", 1},
		{"renamed", first + given + strings.ReplaceAll(last, "Last", "End"), 2},
		{"edited beside it", strings.Replace(first, "sum -= i", "sum -= i * i", 1) + given + last, 3},
		{"edited within it", first + strings.Replace(given, "i * len", "i + i * len", 1) + last, 3},
	} {
		r := compared(t, o, folder("ann", map[string]string{"a.go": first + given + last}), folder("bob", map[string]string{"a.go": c.other}))
		if len(r.Pairs) != 1 || len(r.Pairs[0].Files) != 1 || len(r.Pairs[0].Files[0].Matches) != 1 {
			t.Fatalf("%s: %+v", c.name, r.Pairs)
		}
		if m := r.Pairs[0].Files[0].Matches[0]; m.CloneType != c.clone || len(m.Runs) < 2 {
			t.Errorf("%s: type %d of %d runs, want type %d", c.name, m.CloneType, len(m.Runs), c.clone)
		}
	}
}

// Equal files in both of two trees are not all paired: the pairs would grow with the square.
func TestEqualFilesOfTwoTrees(t *testing.T) {
	tree := func(name string, n int) Part {
		files := map[string]string{"other.go": strings.ReplaceAll(shared, "sum", "total")}
		for i := range n {
			files[fmt.Sprintf("x%04d.go", i)] = shared
		}
		return folder(name, files)
	}
	const few, many = 60, 1100
	r := compared(t, options(2), tree("a", few), tree("b", few))
	if p := r.Pairs[0]; len(p.Files) != few*few+1+2*few || len(r.Ledger) != 0 {
		t.Errorf("%d pairs of files, ledger %+v", len(p.Files), r.Ledger)
	}
	r = compared(t, options(2), tree("a", many), tree("b", many))
	p := r.Pairs[0]
	if len(p.Files) != 2*many-1+1+2 || p.ShareA != 1 || p.ShareB != 1 {
		t.Errorf("%d pairs of files, shares %g and %g", len(p.Files), p.ShareA, p.ShareB)
	}
	if len(r.Ledger) != 1 || r.Ledger[0].Reason != finding.ReasonCommon || r.Ledger[0].Path != "a/x0000.go" || !strings.HasPrefix(r.Ledger[0].Detail, "2200 files have the same content") {
		t.Errorf("ledger %+v", r.Ledger)
	}
	told := make(map[string]bool)
	for _, f := range p.Files {
		told["a/"+f.A.Path], told["b/"+f.B.Path] = true, true
	}
	if len(told) != 2*(many+1) {
		t.Errorf("%d files are told of", len(told))
	}
}

// Of many contents with many files each, one file represents the others, and all files are told of once.
func TestManyContentsOfEqualFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 16,000 files")
	}
	const contents = maxPairs/maxHolders/maxHolders + 1
	files := make(map[string]string)
	for c := range contents {
		for i := range maxHolders {
			files[fmt.Sprintf("%03d/%02d.go", c, i)] = fmt.Sprintf("package p\n\nvar x = f(%s%d)\n", strings.Repeat("1, ", 20+c%200), c)
		}
	}
	part := folder("many", files)
	part.Each = true
	o := options(2)
	o.Pairs = 100
	r := compared(t, o, part)
	equal, represented := 0, 0
	for _, p := range r.Pairs {
		if p.Equal {
			equal++
		}
	}
	for _, e := range r.Ledger {
		if strings.HasPrefix(e.Detail, "64 files have the same content") {
			represented++
		}
	}
	if equal != contents*(maxHolders-1) || represented != contents {
		t.Errorf("%d equal pairs, %d contents are represented, of %d", equal, represented, contents)
	}
}

// TestTablesComeLater: tables of other numbers and lists of other names share all of their tokens, but rank behind code that shares
// less. A table with the same numbers ranks before both. The order stays after a round through JSON.
func TestTablesComeLater(t *testing.T) {
	numbers := func(seed uint64) string {
		r := rand.New(rand.NewPCG(seed, 1))
		b := []byte("package p\n\nvar table = []uint32{\n")
		for range 200 {
			b = fmt.Appendf(b, "\t0x%04x, 0x%04x,\n", r.IntN(1<<16), r.IntN(1<<16))
		}
		return string(append(b, "}\n"...))
	}
	names := func(prefix string) string {
		b := []byte("package p\n\nconst (\n\tfirst" + prefix + " = iota\n")
		for i := range 300 {
			b = fmt.Appendf(b, "\t%s%d\n", prefix, i)
		}
		return string(append(b, ")\n"...))
	}
	code, err := os.ReadFile("rank.go")
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("cluster.go")
	if err != nil {
		t.Fatal(err)
	}
	r := compared(t, options(2), Part{Name: "all", Each: true, Package: folder("all", map[string]string{
		"codeA.go": string(code), "codeB.go": string(code[:3*len(code)/5]) + string(other),
		"copiedA.go": numbers(1) + "var a int\n", "copiedB.go": numbers(1) + "const b = 1\n", "numbers.go": numbers(2), "names.go": names("Red"), "nomina.go": names("caeruleus"),
	}).Package})
	js, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := json.Unmarshal(js, &again); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(again.Pairs)
	again.Filter(Filter{Sort: ByShare, Group: 0.5})
	for _, r := range []*Result{r, &again} {
		at := make(map[string]int)
		for i, p := range r.Pairs {
			at[p.A+" "+p.B] = i + 1
			t.Log(p.A, p.B, p.ShareA, p.ShareB, p.SharedA, p.Distinct)
		}
		for _, later := range []string{"all/copiedA.go all/numbers.go", "all/names.go all/nomina.go"} {
			if at["all/copiedA.go all/copiedB.go"] != 1 || at["all/codeA.go all/codeB.go"] == 0 || at[later] < at["all/codeA.go all/codeB.go"] {
				t.Errorf("%s is pair %d: %v", later, at[later], at)
			}
		}
	}
}
