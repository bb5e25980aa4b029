package collection

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// tables is a set of documents that repeat fingerprints: tables of numbers, of different lengths, between functions of their own.
func tables(t *testing.T) *Set {
	t.Helper()
	p := Part{Name: "all", Package: source.New("all", func(_ context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		for i := range 12 {
			var b strings.Builder
			for j := range 1 + 40*i {
				fmt.Fprintf(&b, "0x%02x, ", 7*i+j)
			}
			text := fmt.Sprintf("int f%d(int x) { while (x < %d) { x = x * 3 + g(x, %d); } return x - h(x); }\nint t%d[] = { %s };\nint k%d(void) { return t%d[0] + %s; }\n",
				i, i, i, i, b.String(), i, i, strings.Repeat("a * b + ", i%4*20)+"c")
			if err := file(fmt.Sprintf("t%02d.c", i), []byte(text)); err != nil {
				return err
			}
		}
		return nil
	})}
	s, err := Read(t.Context(), filepath.Join(t.TempDir(), "work"), []Part{p}, Options{Params: baseline.Defaults, MinTokens: baseline.Defaults.T(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestRankRepeats: each position of a fingerprint that a target repeats counts for each candidate that has it, whether it is widespread or not.
func TestRankRepeats(t *testing.T) {
	s := tables(t)
	repeated := 0
	for _, widespread := range []int{2, 5, 100} {
		r := &ranker{s: s, want: func(a, b ID) bool { return a != b }, widespread: widespread, number: make([]uint32, len(s.Docs))}
		for id := range ID(len(s.Docs)) {
			r.rank(id)
			for _, m := range r.met {
				var places, found uint32
				for _, a := range s.index.of(id) {
					has := uint32(0)
					for _, p := range s.index.others(a, false) {
						if p.doc == m.id && p.at&selected != 0 {
							has++
						}
					}
					if a.nth >= maxRepeats || has == 0 {
						continue
					}
					if places++; a.nth == 0 {
						found += has
					} else {
						repeated++
					}
				}
				if m.places != places || m.found != found {
					t.Errorf("limit %d, document %d and %d: %d positions and %d, want %d and %d", widespread, id, m.id, m.places, m.found, places, found)
				}
			}
		}
	}
	if repeated < 1000 {
		t.Errorf("%d positions repeat a fingerprint", repeated)
	}
}

// TestFollow: of a fingerprint that both documents repeat, the first places are paired with each other, and all others with their
// neighbours in order.
func TestFollow(t *testing.T) {
	for _, nth := range []uint32{0, 1, fewPlaces - 2, fewPlaces - 1, fewPlaces, fewPlaces + 5, 100, 250} {
		for _, n := range []int{1, 2, fewPlaces, fewPlaces + 1, fewPlaces + 2, 60, 101, 102, 103, 104} {
			var ps []posting
			var want []hit
			wantLeft := false
			for i := range n {
				p := posting{doc: 1, at: uint32(10 * i)}
				if i%3 != 1 {
					near := max(i-int(nth), int(nth)-i) <= nearPlaces
					if i < fewPlaces && nth < fewPlaces || near {
						want = append(want, hit{0, 7, p.at})
					} else {
						wantLeft = true
					}
					p.at |= selected
				}
				ps = append(ps, p)
			}
			c := &comparer{number: make([]uint32, 2)}
			if left := c.follow(asked{at: 7, nth: nth}, ps); left != wantLeft || !slices.Equal(c.hits, want) {
				t.Errorf("place %d among %d: %t and %v, want %t and %v", nth, n, left, c.hits, wantLeft, want)
			}
			if got := ofOne(append(slices.Clone(ps), posting{doc: 2})); got != n {
				t.Errorf("%d postings of one document, want %d", got, n)
			}
		}
	}
}
