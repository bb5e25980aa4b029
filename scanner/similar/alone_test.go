package similar

import (
	"math/rand/v2"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// The counts are those of going through all units, token by token.
func TestHolding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	for range 300 {
		units := make([][]match.Interval, 1+r.IntN(5))
		var all []match.Interval
		for u := range units {
			for at := r.IntN(10); at < 40; at += 1 + r.IntN(10) {
				to := at + 1 + r.IntN(12)
				units[u] = append(units[u], match.Interval{From: at, To: to})
				at = to
			}
			all = append(all, units[u]...)
		}
		self := r.IntN(2)
		if self == 1 {
			units = append(units, []match.Interval{{From: 0, To: 64}})
			all = append(all, units[len(units)-1]...)
		}
		h := newHolding(all, self)
		for _, is := range units {
			sum, alone, n := 0, 0, match.Length(is)
			for _, v := range is {
				for at := v.From; at < v.To; at++ {
					have := holders(units, at)
					sum += have
					if have == 1+self {
						alone++
					}
				}
			}
			gotUnits, gotAlone := h.others(is)
			if want := max(0, (sum+n/2)/max(n, 1)-1-self); gotUnits != want || gotAlone != alone {
				t.Fatalf("%v of %v: %d other units and %d tokens alone, want %d and %d", is, units, gotUnits, gotAlone, want, alone)
			}
		}
	}
}

func holders(units [][]match.Interval, at int) (n int) {
	for _, is := range units {
		for _, v := range is {
			if v.From <= at && at < v.To {
				n++
			}
		}
	}
	return n
}

// Code that was handed out is in all folders: a pair says so, and names first the code that only two have.
func TestHandedOutCodeIsInOthers(t *testing.T) {
	own := "package p\n\nfunc own(a, b, c int) int {\n\tif a > b { return b * c }\n\tfor i := range c { a += i * b }\n\tswitch { case a < c: return a - c; case b < c: return b - c }\n\treturn a * b / c\n}\n"
	unlike := "package p\n\nfunc other(m map[string][]byte, s string) (string, error) { if x, ok := m[s]; ok { return string(x[1:]), nil }; return s + s, errNone }\n"
	o := options(2)
	o.Filter.Sort = ByAlone
	r := compared(t, o,
		folder("ann", map[string]string{"given.go": shared, "own.go": own}),
		folder("bob", map[string]string{"given.go": shared, "own.go": own}),
		folder("cid", map[string]string{"given.go": shared, "own.go": unlike}),
		folder("dot", map[string]string{"given.go": shared + "\nvar more = 1\n"}))
	p := r.Pairs[0]
	if p.A != "ann" || p.B != "bob" || p.Files[0].A.Path != "own.go" || p.Files[0].Others != 0 || p.Files[1].Others != 2 || *p.Alone != p.Files[0].A.Shared {
		t.Errorf("%+v, alone %v", p, *p.Alone)
	}
	for _, p := range r.Pairs[1:] {
		if *p.Alone != 0 || p.Files[0].Others != 2 {
			t.Errorf("%s and %s: %d tokens alone, %+v", p.A, p.B, *p.Alone, p.Files)
		}
	}
}
