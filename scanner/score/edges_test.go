package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// TestEdges: whole lines and balanced brackets cost nothing, whatever neighbours match by accident. A match from the middle of
// one line to the middle of another costs bits.
func TestEdges(t *testing.T) {
	side := golang(t, original)
	w := DefaultWeights()
	edges := func(target, origin match.Side, m match.Match) float64 {
		var r Readings
		r.edges(target, origin, m, brackets(target, m))
		return w.edges(r)
	}
	at := func(text string, n int) uint32 { // the token that begins at the n-th occurrence of text
		off := 0
		for range n {
			off += strings.Index(original[off:], text) + 1
		}
		for i, tok := range side.Tokens {
			if int(tok.Start) == off-1 {
				return uint32(i)
			}
		}
		t.Fatalf("no token %q", text)
		return 0
	}
	body, end := at("child := 2", 1), at("root = child", 1)+3 // seven statements
	for _, c := range []struct {
		name     string
		from, to uint32
		bits     float64
	}{
		{"statements", body, end, 0},
		{"the brace behind them too", body, end + 1, 0},
		{"without the name they begin with", body + 1, end, w.EdgeMost * w.Edge},
		{"and two tokens of the next function", body, at("func HeapSort", 1) + 2, 2 * w.Edge},
		{"the head of a branch, not its end", body, at("child++", 1) + 2, w.Bracket},
	} {
		m := match.Match{Runs: []match.Run{{Target: c.from, Origin: c.from, Len: c.to - c.from}}}
		got := edges(side, side, m)
		if got != c.bits {
			t.Errorf("%s: %v bits, not %v", c.name, got, c.bits)
		}
		prose := side
		prose.Prose = true
		if got := edges(prose, side, m); got != 0 {
			t.Errorf("%s: %v bits in prose", c.name, got)
		}
	}
}

// TestEdgesOfOneLine: a side without lines has no penalty.
func TestEdgesOfOneLine(t *testing.T) {
	lines := golang(t, "package p\n\nfunc f(a, b int) int {\n\tif a < b {\n\t\ta = b\n\t}\n\treturn a*b + 1\n}\n")
	one := golang(t, "package p; func f(a, b int) int { if a < b { a = b }; return a*b + 1 }")
	from := uint32(0)
	for i := range one.Tokens {
		if string(one.TextAt(uint32(i))) == "if" {
			from = uint32(i)
		}
	}
	same := match.Match{Runs: []match.Run{{Target: from, Origin: from - 1, Len: 6}}} // the semicolon behind the package clause is its own
	for i := range uint32(6) {
		if string(one.TextAt(from+i)) != string(lines.TextAt(from-1+i)) {
			t.Fatalf("%s is not %s", one.TextAt(from+i), lines.TextAt(from-1+i))
		}
	}
	if _, miss := breaks(one, lines, same.Runs[0], front); miss != 0 {
		t.Errorf("begins %d tokens late, where there are no lines", miss)
	}
}

func TestUneven(t *testing.T) {
	for _, c := range []struct {
		code       string
		begin, end []int
		want       int
	}{
		{"f(a){b}", []int{0}, []int{0}, 0},
		{"f(a){b", []int{0}, []int{0}, 1},
		{"a)(b", []int{0}, []int{0}, 2},
		{"}f(a){b}", []int{0, 1}, []int{0}, 0},
		{"f(a){b}g(", []int{0}, []int{0, 2}, 0},
		{"((((a", []int{0}, []int{0}, 4},
		{"()", []int{1}, []int{1}, 3}, // no token is left
	} {
		var bs []int8
		for _, r := range c.code {
			switch r {
			case '(', '{':
				bs = append(bs, 1)
			case ')', '}':
				bs = append(bs, -1)
			default:
				bs = append(bs, 0)
			}
		}
		if got := uneven(bs, c.begin, c.end); got != c.want {
			t.Errorf("%s: %d, not %d", c.code, got, c.want)
		}
	}
}

// TestLiteralBits: the bits of a number are limited by its digits, and so are those of an escape. A character belongs to nobody.
func TestLiteralBits(t *testing.T) {
	w := DefaultWeights()
	for text, want := range map[string]float64{"0.05": w.Digit, "1e9": 2 * w.Digit, "0x6c3f91e2": w.RareName, "1000": w.Digit, "0x4000": w.Digit, "10240": 4 * w.Digit, `"a string"`: w.RareName, "7": w.Short, "": w.Short,
		"'a'": w.Short, "L'a'": w.Short, `u8"\\"`: w.Short, `'\x1b'`: 2 * w.Digit, `'\x00'`: 0, `L'\u4e2d'`: w.RareName, `'\033'`: 2 * w.Digit, `"\x1bc"`: 3 * w.Digit, `"\x1b[0m"`: w.RareName} {
		if got := w.value(valueOf(nil, []byte(text), &match.Side{})); got != want {
			t.Errorf("%s: %v bits, not %v", text, got, want)
		}
	}
}

// TestVerbatimOfOthers: unchanged names count if they are somebody's own, not if they are everybody's.
func TestVerbatimOfOthers(t *testing.T) {
	w := DefaultWeights()
	own, everybodys := w.verbatim(8, 40, 0, 30), w.verbatim(8, 1, 0, 30)
	if own != w.Verbatim || everybodys > own/4 {
		t.Errorf("%v for own names, %v for everybody's", own, everybodys)
	}
}

// TestCounting: numbers that continue the one before carry no bits; those of a table do.
func TestCounting(t *testing.T) {
	list := func(name string, number func(i int) int) match.Side {
		var b strings.Builder
		b.WriteString("package p\n\nconst (\n")
		for i := range 24 {
			fmt.Fprintf(&b, "\t%s%c = %d\n", name, 'A'+i, number(i))
		}
		return golang(t, b.String()+")\n")
	}
	bits := func(number func(i int) int) float64 {
		target, origin := list("token", number), list("opcode", number)
		return EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName)).Bits
	}
	counted := bits(func(i int) int { return 258 + i })
	doubled := bits(func(i int) int { return 1 << i })
	table := bits(func(i int) int { return (i*i*7919 + 104729) % 65521 })
	if max(counted, doubled) > 60 || table < 200 {
		t.Errorf("%.0f bits counted, %.0f doubled, %.0f of a table", counted, doubled, table)
	}
}

// TestCountingStrings: a table of characters in their order carries no bits; one in another order does.
func TestCountingStrings(t *testing.T) {
	bits := func(text func(i int) string) float64 {
		table := func(name string) match.Side {
			var b strings.Builder
			fmt.Fprintf(&b, "package p\n\nvar %s = [...]any{\n", name)
			for i := range 64 {
				fmt.Fprintf(&b, "\t%s,\n", text(i))
			}
			return golang(t, b.String()+"}\n")
		}
		target, origin := table("toUpper"), table("folded")
		return EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName)).Bits
	}
	for _, format := range []string{`'\x%02x'`, `"%%%02X"`, `"\%03o"`, `"item%d"`} {
		counted := bits(func(i int) string { return fmt.Sprintf(format, 0x30+i) })
		mixed := bits(func(i int) string { return fmt.Sprintf(format, 0x30+i*37%64) })
		if counted > 60 || mixed < 200 {
			t.Errorf("%s: %.0f bits counted, %.0f in another order", format, counted, mixed)
		}
	}
}

// TestCountsOn has pairs of strings.
func TestCountsOn(t *testing.T) {
	for _, c := range []struct {
		before, text string
		want         bool
	}{
		{"'a'", "'b'", true}, {"'b'", "'a'", false}, {`'\x09'`, `'\x0a'`, true}, {`"\007"`, `"\010"`, true}, {`"%0F"`, `"%10"`, true},
		{`"v9"`, `"v10"`, true}, {`"v9"`, `"w10"`, false}, {`"left"`, `"right"`, false}, {"", `"1"`, false}, {`"a"`, `"a"`, false},
		{`"ffffffffffffffff"`, `"0"`, false},
	} {
		if got := continuesList([]byte(c.before), []byte(c.text)); got != c.want {
			t.Errorf("%s, %s: %v", c.before, c.text, got)
		}
	}
}

// TestUnevenIsTheFewest compares the count of unpaired brackets with reading each choice from front to back.
func TestUnevenIsTheFewest(t *testing.T) {
	halves := func(bs []int8) int {
		closed, depth := 0, 0
		for _, b := range bs {
			if depth += int(b); depth < 0 {
				closed, depth = closed+1, 0
			}
		}
		return closed + depth
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		bs := make([]int8, r.IntN(14))
		for i := range bs {
			bs[i] = int8(r.IntN(3) - 1)
		}
		cuts := func() (at []int) {
			for range 1 + r.IntN(3) {
				at = append(at, r.IntN(8))
			}
			return at
		}
		begin, end := cuts(), cuts()
		want := len(bs) + 1
		for _, a := range begin {
			for _, b := range end {
				if a+b < len(bs) {
					want = min(want, halves(bs[a:len(bs)-b]))
				}
			}
		}
		if got := uneven(bs, begin, end); got != want {
			t.Fatalf("%v, begin %v, end %v: %d, want %d", bs, begin, end, got, want)
		}
	}
}

// TestPaired: no match within a stretch whose brackets are paired has more tokens than the bound says. Up to bracketSlack tokens at
// either end do not count.
func TestPaired(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	shorter := 0
	for range 300 {
		var text []byte
		for range 60 {
			text = append(text, "(a){b}[c]ddddddd"[r.IntN(16)], ' ')
		}
		target := match.Side{Text: text}
		for i := range uint32(60) {
			target.Tokens = append(target.Tokens, lang.Token{Start: 2 * i, End: 2*i + 1})
		}
		c := newCosts(DefaultWeights(), target, nil, nil, isName)
		from := r.IntN(20)
		to := from + 31 + r.IntN(9)
		bs := brackets(target, match.Match{Runs: []match.Run{{Len: 60}}})
		longest := 0
		for a := from; a < to; a++ {
			for b := a + 1; b <= to; b++ {
				if n := (nesting{}).followedBy(bs[a:b]); n.unpaired() == 0 {
					longest = max(longest, min(to, b+bracketSlack)-max(from, a-bracketSlack))
				}
			}
		}
		most := c.paired(from, to, float64(to-from))
		if most < float64(longest) {
			t.Fatalf("%q, tokens [%d,%d): at most %v are paired, but %d are", text, from, to, most, longest)
		}
		if most < float64(to-from) {
			shorter++
		}
	}
	if shorter < 100 {
		t.Errorf("%d of 300 stretches have a bound", shorter)
	}
}

// TestListsWords: a list of words that a language reserves is no evidence. A few of them are, and so are other words.
func TestListsWords(t *testing.T) {
	const words = `"abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default"`
	values := func(list string) float64 {
		side := golang(t, "package a\n\nvar words = []string{"+list+", \"frobnicate\"}\n")
		return EvidenceOf(side, side, only(t, side, side), newCosts(DefaultWeights(), side, nil, nil, isName)).Values
	}
	few, all := strings.Join(strings.Split(words, ", ")[:leastListed-1], ", "), values(words)
	if some := values(few); some <= all || all <= 0 {
		t.Errorf("%d words %.1f bits, one more %.1f", leastListed-1, some, all)
	}
	if other := values(strings.ReplaceAll(words, `"a`, `"ona`)); other <= all {
		t.Errorf("with others %.1f bits, %.1f", other, all)
	}
}

// brackets is Costs.nesting without costs.
func brackets(s match.Side, m match.Match) (out []int8) {
	for _, r := range m.Runs {
		for i := range r.Len {
			out = append(out, bracket(s, r.Target+i))
		}
	}
	return out
}
