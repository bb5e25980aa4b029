package score

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// most computes SpanBound.UpperBound token by token.
func (c *Costs) most(from, to int, has func(uint32) bool) Bound {
	var b Bound
	short := make(map[string]bool)
	for i := from; i < to; i++ {
		t := c.target.Tokens[i]
		if t.Flags&lang.FlagImport != 0 {
			continue
		}
		b.length++
		repeats, unchanged := int(c.again[i]) > from, 0.0
		if repeats {
			b.Structure += min(float64(c.shape[i]), c.w.RepeatSix)
		} else {
			b.Structure += float64(c.shape[i])
		}
		if c.hashes[i] == 0 {
			if text := string(c.target.TextAt(uint32(i))); (t.Class == lang.String || t.Class == lang.Number) && !short[text] {
				short[text] = true
				b.Unchanged, b.values = b.Unchanged+c.w.Literal*c.w.Short, b.values+c.w.Literal*c.w.Short
			}
			continue
		}
		switch {
		case int(c.before[i]) >= from:
		case c.unchanged[i] == 0:
			unchanged = c.w.Short
		case has(c.hashes[i]):
			unchanged = float64(c.unchanged[i])
		}
		b.Unchanged += unchanged
		if t.Class != lang.Identifier {
			if c.unchanged[i] > 0 {
				b.values += unchanged
			}
			continue
		}
		b.identifiers++
		if c.unchanged[i] > 0 && !has(c.hashes[i]) {
			b.foreign++
		}
		if !repeats {
			b.Renamed += max(0, c.renamed(i, from)-unchanged)
			b.told += c.renamed(i, from)
		}
	}
	b.paired = c.paired(from, to, b.length) // TestPaired
	return b
}

// foreign computes SpanBound.Foreign stretch by stretch.
func (c *Costs) foreign(from, to, length int, has func(uint32) bool) int {
	count := func(from, to int) (n int) {
		for i := from; i < to; i++ {
			if t := c.target.Tokens[i]; t.Class == lang.Identifier && t.Flags&lang.FlagImport == 0 && c.unchanged[i] > 0 && !has(c.hashes[i]) {
				n++
			}
		}
		return n
	}
	least := count(from, to)
	for i := from; i+length <= to; i++ {
		least = min(least, count(i, i+length))
	}
	return least
}

func TestOutlook(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	foreign := 0
	for _, text := range []string{original, strings.Replace(original, "package heapsort", "package p\n\nimport \"sort\"", 1), "package p\n\nvar a, b = f(\"abc\", 000, abc, ab), []T{{aaa, bbb}, {aaa, bbb}, {aaa, bbb}, {ccc, bbb}}\n"} {
		target := golang(t, text)
		n := len(target.Tokens)
		c := newCosts(DefaultWeights(), target, nil, []Range{{10, 40, 3}}, isName)
		for range 200 {
			from := r.IntN(n)
			to := from + r.IntN(min(n-from, 90)+1)
			salt, length := r.Uint32(), 1+r.IntN(40)
			has := func(hash uint32) bool { return (hash^salt)*0x9E3779B9>>30 > 0 }
			o := c.SpanBound(from, to)
			if got, want := o.UpperBound(has), c.most(from, to, has); !near(got, want) {
				t.Fatalf("tokens [%d,%d) of %q: %+v, token by token %+v", from, to, text, got, want)
			}
			if got, want := o.All, c.most(from, to, func(uint32) bool { return true }); !near(got, want) {
				t.Fatalf("tokens [%d,%d) of %q with all names: %+v, token by token %+v", from, to, text, got, want)
			}
			got, want := o.Foreign(length, has), c.foreign(from, to, length, has)
			if foreign += want; got != want {
				t.Fatalf("%d tokens of [%d,%d) of %q have %d foreign names, stretch by stretch %d", length, from, to, text, got, want)
			}
		}
	}
	if foreign == 0 {
		t.Error("no name was foreign: the examples prove little")
	}
}

// near reports whether two bounds are equal except for the order of their sums.
func near(a, b Bound) bool {
	same := math.Abs(a.Structure-b.Structure)+math.Abs(a.Unchanged-b.Unchanged)+math.Abs(a.Renamed-b.Renamed) < 1e-9
	same = same && math.Abs(a.told-b.told)+math.Abs(a.values-b.values) < 1e-9
	a.Structure, a.Unchanged, a.Renamed, a.told, a.values = b.Structure, b.Unchanged, b.Renamed, b.told, b.values
	return same && a == b
}

// TestOutlooksAreBounded: many long stretches do not use unlimited memory.
func TestOutlooksAreBounded(t *testing.T) {
	target := golang(t, "package p\n"+strings.Repeat(original[strings.Index(original, "\nfunc"):], 60))
	c := newCosts(DefaultWeights(), target, nil, nil, isName)
	n, all := len(target.Tokens), func(uint32) bool { return true }
	asked := 0
	for from := range 1000 {
		o := c.SpanBound(from, n-from)
		asked += len(o.names) + len(o.uses)
		if kept := len(c.spans.shares) + len(c.spans.uses) + len(c.spans.bounds); kept > mostSpanBounds+2*n {
			t.Fatalf("%d names, uses and stretches are kept", kept)
		}
		if from%100 == 0 && !near(o.UpperBound(all), c.most(from, n-from, all)) {
			t.Errorf("tokens [%d,%d) differ from those weighed one by one", from, n-from)
		}
	}
	if asked < 2*mostSpanBounds {
		t.Errorf("only %d names and uses were asked for", asked)
	}
}
