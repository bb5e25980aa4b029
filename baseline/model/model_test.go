package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// doc makes a stream in which each word is a token of its own kind; words of more than two letters are identifiers.
func doc(words ...string) (toks []lang.Token, text []byte) {
	for _, w := range words {
		t := lang.Token{Start: uint32(len(text)), End: uint32(len(text) + len(w)), Kind: NameHash([]byte(w))}
		if len(w) > 2 {
			t.Class, t.Kind = lang.Identifier, 7
		}
		toks = append(toks, t)
		text = append(append(text, w...), ' ')
	}
	return toks, text
}

func kinds(toks []lang.Token) []uint32 {
	var out []uint32
	for _, t := range toks {
		out = append(out, t.Kind)
	}
	return out
}

func add(b *Builder, unit uint32, words ...string) {
	toks, text := doc(words...)
	b.Unit("go", unit)
	b.Add("go", unit, unit, toks, text)
}

// Fifty documents of one unit count as one unit; four units are common.
func TestCountedByUnits(t *testing.T) {
	var b Builder
	for range 50 {
		add(&b, 1, "if", "x", "{", "}", "versions")
	}
	for u := range uint32(3) {
		add(&b, 10+u, "a", "b", "c", "d", "three")
	}
	for u := range uint32(4) {
		add(&b, 20+u, "go", "f", "(", ")", "four")
	}
	for u := range uint32(8) {
		add(&b, 40+u, "<", "-", "c", ";", "eight")
	}
	b.Unit("go", 99) // not sampled
	m := b.Model()
	f := m.Of("go")
	if f.Units != 16 || f.All != 17 {
		t.Errorf("units %d of %d, want 16 of 17", f.Units, f.All)
	}
	c := Frequencies{f}
	ngram := func(words ...string) float64 {
		toks, _ := doc(words...)
		return c.NGram(kinds(toks))
	}
	for name, r := range map[string]struct {
		got  float64
		rare bool
	}{
		"n-gram of one unit": {ngram("if", "x", "{", "}"), true}, "name of one unit": {c.Name([]byte("versions")), true},
		"n-gram of three": {ngram("a", "b", "c", "d"), true}, "name of three": {c.Name([]byte("three")), true},
		"n-gram of four": {ngram("go", "f", "(", ")"), false}, "name of four": {c.Name([]byte("four")), false},
		"n-gram of eight": {ngram("<", "-", "c", ";"), false}, "name of eight": {c.Name([]byte("eight")), false},
		"n-gram of none": {ngram("<", "-", "c", "c"), true}, "name of none": {c.Name([]byte("none")), true},
	} {
		if math.IsInf(r.got, 1) != r.rare || r.got < 0 {
			t.Errorf("%s costs %v bits", name, r.got)
		}
	}
	four, eight := c.Name([]byte("four")), c.Name([]byte("eight"))
	if math.Abs(four-2) > 0.15 || math.Abs(eight-1) > 0.15 {
		t.Errorf("a name of 4 of 16 units costs %v bits, one of 8 %v, want about 2 and 1", four, eight)
	}
	if got := c.Run(17); got < 0 || got > 0.2 {
		t.Errorf("a run of all units costs %v", got)
	}
	if a, b := c.Run(1), c.Run(8); a <= b {
		t.Errorf("a run of 1 unit costs %v, one of 8 %v", a, b)
	}
}

// An empty model returns that everything is rare.
func TestNothingKnown(t *testing.T) {
	var nothing *Model
	for _, c := range []Frequencies{nil, {nil}, {nothing.Of("go")}, {new(Model).Of("go")}, {new(Family)}} {
		if !math.IsInf(c.Name([]byte("name")), 1) || !math.IsInf(c.NGram(make([]uint32, ShortNGram)), 1) || !math.IsInf(c.NGram(make([]uint32, LongNGram)), 1) {
			t.Errorf("%v knows something", c)
		}
	}
}

// If several baselines are combined, the highest frequency counts.
func TestSeveral(t *testing.T) {
	var a, b Builder
	for u := range uint32(10) {
		add(&a, u, "both", "one")
		add(&b, u, "both")
		add(&b, u+100, "both")
		add(&b, u+100, "other")
	}
	fa, fb := a.Model().Of("go"), b.Model().Of("go")
	for _, n := range []string{"both", "one", "other"} {
		got := Frequencies{fa, fb}.Name([]byte(n))
		if want := min(Frequencies{fa}.Name([]byte(n)), Frequencies{fb}.Name([]byte(n))); got != want {
			t.Errorf("%s costs %v, want %v", n, got, want)
		}
	}
}

// Data in long literals is not counted as a name.
func TestLongNames(t *testing.T) {
	long := bytes.Repeat([]byte("x"), maxNameLen+1)
	var b Builder
	for u := range uint32(10) {
		add(&b, u, string(long), string(long[1:]))
	}
	c := Frequencies{b.Model().Of("go")}
	if !math.IsInf(c.Name(long), 1) || math.IsInf(c.Name(long[1:]), 1) {
		t.Errorf("%d bytes cost %v, %d bytes %v", len(long), c.Name(long), len(long)-1, c.Name(long[1:]))
	}
}

type input struct {
	family string
	unit   uint32
	words  []string
}

func inputs(n int) []input {
	r := rand.New(rand.NewPCG(23, 24))
	out := make([]input, n)
	for i := range out {
		out[i] = input{[]string{"go", "c", "words"}[r.IntN(3)], r.Uint32N(40) * 0x9E3779B9, nil}
		for range r.IntN(60) {
			out[i].words = append(out[i].words, []string{"if", "(", ")", "{", "name", "value", "err", fmt.Sprint("n", r.IntN(50))}[r.IntN(8)])
		}
	}
	return out
}

func build(in []input) *Model {
	var b Builder
	for _, x := range in {
		toks, text := doc(x.words...)
		b.Unit(x.family, x.unit)
		b.Add(x.family, x.unit, x.unit, toks, text)
	}
	return b.Model()
}

func TestOrderDoesNotMatter(t *testing.T) {
	in := inputs(300)
	want := build(in).Marshal()
	r := rand.New(rand.NewPCG(25, 26))
	for range 5 {
		r.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		if !bytes.Equal(build(in).Marshal(), want) {
			t.Fatal("another order makes another model")
		}
	}
	if again := build(append(in, in...)).Marshal(); !bytes.Equal(again, want) {
		t.Error("adding all twice makes another model")
	}
}

func TestMarshalRoundTrip(t *testing.T) {
	for _, m := range []*Model{new(Model), build(nil), build(inputs(1)), build(inputs(300))} {
		b := m.Marshal()
		got, err := Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Marshal(), b) {
			t.Error("the model read writes other bytes")
		}
		for _, family := range []string{"go", "c", "words"} {
			was, is := Frequencies{m.Of(family)}, Frequencies{got.Of(family)}
			for _, n := range []string{"name", "value", "err", "n1", "n2", "rare"} {
				if was.Name([]byte(n)) != is.Name([]byte(n)) {
					t.Errorf("%s costs %v, read %v", n, was.Name([]byte(n)), is.Name([]byte(n)))
				}
			}
			if was.Run(3) != is.Run(3) {
				t.Errorf("a run costs %v, read %v", was.Run(3), is.Run(3))
			}
		}
	}
}

// A table returns all counted hashes and no others.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for _, n := range []int{0, 1, 2, 3, 100, 5000} {
		want := map[uint32]uint8{}
		for range n {
			want[r.Uint32()>>r.IntN(30)] = 1 + uint8(r.IntN(255))
		}
		var es []entry
		for _, h := range slices.Sorted(maps.Keys(want)) {
			es = append(es, entry{h, want[h]})
		}
		tab := pack(es)
		if all, ok := tab.all(); !ok || !slices.Equal(all, es) {
			t.Fatalf("%d entries are not those of the table: %v", len(es), ok)
		}
		for h, level := range want {
			if got := tab.get(h); got != level {
				t.Fatalf("level of %d is %d, want %d", h, got, level)
			}
		}
		for range 10_000 {
			h := r.Uint32() >> r.IntN(32)
			if got := tab.get(h); got != want[h] {
				t.Fatalf("level of %d is %d, want %d", h, got, want[h])
			}
		}
	}
}

func TestPriorLoads(t *testing.T) {
	p := Prior()
	for _, l := range []string{"go", "js", "c"} {
		if f := p.Of(l); f != nil && (f.Units <= 0 || f.All < f.Units) {
			t.Errorf("%s: %d of %d units", l, f.Units, f.All)
		}
	}
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	for name := range p.families {
		got, err := os.ReadFile(filepath.Join(dir, name+".bin"))
		want, err2 := os.ReadFile(filepath.Join("prior", name+".bin"))
		if err != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the prior read writes other bytes: %v, %v", name, err, err2)
		}
	}
	if n := len(prior()); n != len(p.families) {
		t.Errorf("%d files, %d families", n, len(p.families))
	}
}

func TestTrim(t *testing.T) {
	m := build(inputs(300))
	if got := m.Trim(0).Marshal(); !bytes.Equal(got, m.Marshal()) {
		t.Error("trimming nothing changes the model")
	}
	none := m.Trim(2)
	if got := (Frequencies{none.Of("go")}).Name([]byte("name")); !math.IsInf(got, 1) {
		t.Errorf("with all trimmed a name costs %v", got)
	}
	if _, err := Unmarshal(none.Marshal()); err != nil {
		t.Error(err)
	}
}

func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func TestUnmarshalRefuses(t *testing.T) {
	good := build(inputs(300)).Marshal()
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := Unmarshal(bad); !errors.Is(err, errCorrupt) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := Unmarshal(good[:i]); !errors.Is(err, errCorrupt) {
			t.Fatalf("%d bytes: %v", i, err)
		}
	}
	family := "\x02go\x05\x05"
	for name, body := range map[string]string{
		"families missing":       "\x01",
		"a huge name":            "\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
		"a huge table":           "\x01" + family + "\xFF\xFF\xFF\xFF\x0F\x01\x01",
		"equal hashes":           "\x01" + family + "\x02\x05\x20\x00\x20\x00\x00",
		"hashes beyond 32 bits":  "\x01" + family + "\x02\x05\x20\xFF\xFF\xFF\xFF\x0F\x20\x00\x00",
		"a distance of 64 bits":  "\x01" + family + "\x02\x05\x20\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x20\x00\x00",
		"level 0":                "\x01" + family + "\x01\x05\x00\x00\x00",
		"families twice":         "\x02" + family + "\x00\x00\x00" + family + "\x00\x00\x00",
		"bytes behind":           "\x01" + family + "\x00\x00\x00\x00",
		"more families than all": "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01" + family + "\x00\x00\x00",
	} {
		if _, err := Unmarshal(seal([]byte(magic1 + body))); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, body := range map[string]string{
		"a length beyond the end": "\x01" + family + "\x07\x00\x00\x00",
		"a huge length":           "\x01" + family + "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x00\x00\x00",
		"families twice":          "\x02" + family + "\x03\x00\x00\x00" + family + "\x03\x00\x00\x00",
		"bytes behind":            "\x01" + family + "\x03\x00\x00\x00\x00",
		"no tables":               "\x01" + family + "\x00",
		"a table missing":         "\x01" + family + "\x02\x00\x00",
		"a huge table":            "\x01" + family + "\x05\xFF\xFF\xFF\xFF\x0F",
		"bytes behind tables":     "\x01" + family + "\x04\x00\x00\x00\x00",
		"level 0":                 "\x01" + family + "\x05\x01\x05\x00\x00\x00",
	} {
		if _, err := Unmarshal(seal([]byte(magic2 + body))); !errors.Is(err, errCorrupt) {
			t.Errorf("version 2, %s: %v", name, err)
		}
	}
	starts := strings.Repeat("\x00\x00\x00\x00", 1) + strings.Repeat("\x01\x00\x00\x00", 256)
	one := "\x01\x08" + starts + "\x20\x05\x00\x00"
	for name, body := range map[string]string{
		"a huge table":      "\x01" + family + "\xFF\xFF\xFF\xFF\x0F\x08" + starts,
		"a small width":     "\x01" + family + "\x01\x07" + one[2:] + "\x00\x00",
		"a large width":     "\x01" + family + "\x01\x19" + one[2:] + "\x00\x00",
		"no width":          "\x01" + family + "\x01",
		"starts missing":    "\x01" + family + "\x01\x08\x01\x00\x00\x00",
		"entries missing":   "\x01" + family + "\x02\x08" + starts + "\x20\x05\x00\x00",
		"two tables":        "\x01" + family + one + "\x00",
		"families twice":    "\x02" + family + "\x00\x00\x00" + family + "\x00\x00\x00",
		"bytes behind":      "\x01" + family + one + "\x00\x00\x00",
		"families missing":  "\x01",
		"names of no order": "\x02\x02js\x05\x05\x00\x00\x00" + family + "\x00\x00\x00",
	} {
		if _, err := Unmarshal(seal([]byte(magic + body))); !errors.Is(err, errCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, tables := range map[string]string{
		"level 0":          "\x01\x08" + starts + "\x00\x05\x00\x00\x00\x00",
		"starts beyond":    "\x01\x08" + strings.Repeat("\xFF\xFF\xFF\xFF", 257) + "\x20\x05\x00\x00\x00\x00",
		"starts descend":   "\x01\x08\x01\x00\x00\x00" + strings.Repeat("\x00\x00\x00\x00", 256) + "\x20\x05\x00\x00\x00\x00",
		"entries descend":  "\x02\x08" + "\x00\x00\x00\x00" + strings.Repeat("\x02\x00\x00\x00", 256) + "\x20\x05\x00\x00" + "\x20\x04\x00\x00\x00\x00",
		"entries of none":  "\x02\x08" + starts + "\x20\x05\x00\x00" + "\x20\x06\x00\x00\x00\x00",
		"bits of a bucket": "\x01\x09\x00\x00\x00\x00" + strings.Repeat("\x01\x00\x00\x00", 512) + "\x20\x01\x05\x00\x00\x00",
	} {
		m, err := Unmarshal(seal([]byte(magic + "\x01" + family + tables)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if Frequencies([]*Family{m.Of("go")}).NGram(make([]uint32, LongNGram)); !errors.Is(m.Check(), errCorrupt) {
			t.Errorf("%s: %v", name, m.Check())
		}
	}
	want := seal([]byte(magic + "\x01" + family + one + "\x00\x00"))
	for _, good := range []string{magic1 + "\x01" + family + "\x01\x05\x20\x00\x00", magic2 + "\x01" + family + "\x05\x01\x05\x20\x00\x00", string(want[:len(want)-4])} {
		if m, err := Unmarshal(seal([]byte(good))); err != nil || m.Check() != nil || !bytes.Equal(m.Marshal(), want) {
			t.Errorf("a good one: %v", err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	whole := build(inputs(100)).Marshal()
	f.Add(whole[:len(whole)-4])
	f.Add([]byte(magic1 + "\x01\x02go\x05\x05\x01\x05\x20\x00\x00"))
	f.Add([]byte(magic2 + "\x01\x02go\x05\x05\x05\x01\x05\x20\x00\x00"))
	f.Add([]byte(magic + "\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Unmarshal(seal(b))
		if err != nil {
			return
		}
		for _, fam := range m.families {
			c := Frequencies{fam}
			c.Name([]byte("name"))
			c.NGram(make([]uint32, LongNGram))
		}
		if _, err := Unmarshal(m.Marshal()); err != nil {
			t.Fatalf("what was read is written, and refused: %v", err)
		}
	})
}

// NGrams returns the same as NGram for each n-gram, before the tables have an index and after.
func TestNGramsAgreeWithNGram(t *testing.T) {
	prior := priorOf(t, "go")
	c := Frequencies{prior, nil, API().Of("go")}
	r := rand.New(rand.NewPCG(9, 10))
	text, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.ByName("go"), text)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []uint32
	for _, tok := range s.Tokens {
		kinds = append(kinds, tok.Kind)
	}
	known := 0
	for range 1500 {
		from := r.IntN(len(kinds))
		some := kinds[from:min(len(kinds), from+r.IntN(250))]
		for _, n := range []int{ShortNGram, LongNGram} {
			got := c.NGrams(nil, some, n)
			if len(got) != max(0, len(some)-n+1) {
				t.Fatalf("%d n-grams of %d in %d kinds", len(got), n, len(some))
			}
			for i, bits := range got {
				if want := c.NGram(some[i : i+n]); bits != want {
					t.Fatalf("%d-gram %d: %v bits, want %v", n, i, bits, want)
				} else if !math.IsInf(want, 1) {
					known++
				}
			}
		}
	}
	if known == 0 {
		t.Error("the prior knows none of them")
	}
	for i := range prior.indexes {
		if prior.indexes[i].made.Load() == nil {
			t.Errorf("table %d has no index after %d look-ups", i, prior.indexes[i].asked.Load())
		}
	}
}

// priorOf returns the prior of a family that nobody has asked yet.
func priorOf(t *testing.T, family string) *Family {
	t.Helper()
	m, err := Unmarshal(Prior().Marshal())
	if err != nil {
		t.Fatal(err)
	}
	return m.Of(family)
}

// An index knows the entries of its table and no others. A damaged table gets none, and is asked as before.
func TestIndex(t *testing.T) {
	table := &priorOf(t, "java").tables[longNGrams]
	es, _ := table.all()
	x := newIndex(table)
	for _, e := range es {
		if got := x.get(e.hash); got != e.level {
			t.Fatalf("hash %08x: level %d, want %d", e.hash, got, e.level)
		}
		if got, want := x.get(e.hash+1), table.get(e.hash+1); got != want {
			t.Fatalf("hash %08x: level %d, want %d", e.hash+1, got, want)
		}
	}
	// the last slots are full, so the search goes on with the first
	last := pack([]entry{{1<<32 - 3, 1}, {1<<32 - 2, 2}, {1<<32 - 1, 3}})
	for h, want := range map[uint32]uint8{1<<32 - 3: 1, 1<<32 - 2: 2, 1<<32 - 1: 3, 1<<32 - 4: 0, 0: 0} {
		if got := newIndex(&last).get(h); got != want {
			t.Errorf("hash %08x: level %d, want %d", h, got, want)
		}
	}
	damaged := pack([]entry{{5, 1}, {7, 2}})
	damaged.entries[0] = 0
	var late lateIndex
	for range 3 {
		if late.of(&damaged, 1000) != nil {
			t.Error("a damaged table has an index")
		}
	}
}
