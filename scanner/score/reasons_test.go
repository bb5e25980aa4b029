package score

import (
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReasonsAddUp: the signed terms add up to the numbers behind "=". So each field of Terms has a line.
func TestReasonsAddUp(t *testing.T) {
	signed := regexp.MustCompile(`^([+-][0-9.]+) bits: `)
	total := regexp.MustCompile(`^= ([0-9.]+) bits`)
	rnd := rand.New(rand.NewPCG(7, 8))
	w := DefaultWeights()
	for range 500 {
		var ev Evidence
		for _, term := range reflect.ValueOf(&ev.Terms).Elem().Fields() {
			term.SetFloat(2 + 8*rnd.Float64())
		}
		ev.Structure += 100
		ev.CommentRuns = []CommentRun{{Words: 40, Text: "words"}}
		ev.Bits = ev.sum() + ev.Comments
		ev = w.MinusFrequency(ev, rnd.Float64())
		reasons := w.Reasons(Account{Evidence: ev, Support: 300 * rnd.Float64(), MinScore: 0.05, Tokens: 100, Runs: 3, File: 2239, Baseline: 51850, Packages: 1})
		sum, totals := 0.0, 0
		for _, r := range reasons {
			if m := signed.FindStringSubmatch(r); m != nil {
				bits, _ := strconv.ParseFloat(m[1], 64)
				sum += bits
			}
			if m := total.FindStringSubmatch(r); m != nil {
				totals++
				if bits, _ := strconv.ParseFloat(m[1], 64); math.Abs(bits-sum) > 0.6 { // eleven terms, each rounded
					t.Fatalf("%.1f bits add up to\n%s", sum, strings.Join(reasons, "\n"))
				}
			}
		}
		if totals != 2 || !strings.HasPrefix(reasons[0], strings.TrimPrefix(reasons[slices.IndexFunc(reasons, func(r string) bool { return strings.HasPrefix(r, "= ") && !strings.Contains(r, "region") })], "= ")+"; ") {
			t.Fatalf("the first line is not the total:\n%s", strings.Join(reasons, "\n"))
		}
	}
}

// TestReasons: each term is described by what it counts, with its unit.
func TestReasons(t *testing.T) {
	ev := Evidence{Terms: Terms{Structure: 32.6, Names: 48.1, Map: 9.8, Verbatim: 10, Values: 5.3, Against: 12.5, Edges: 30}, Bits: 63.3,
		Renames: []Rename{{Count: 2}, {Count: 1}, {Count: 1}}, Identifiers: 48, Unchanged: 40, Inconsistent: 5, Literals: 6, Equal: 6, Rare: []string{"chunkLen"}}
	got := DefaultWeights().Reasons(Account{Evidence: ev, Support: 197, MinScore: 0.05, Score: 0.93, ScoredBy: Traits{Above: 26.9, Order: 0.308, Unchanged: 0.833, Supported: true}, Tokens: 127, Runs: 5, File: 2239, Baseline: 51850, Packages: 1})
	want := []string{
		"82.3 bits; 55.4 bits needed (file: 2,239 tokens; baseline: 51,850 tokens)",
		"+32.6 bits: the order of 127 tokens in 5 runs, less the cost of 4 gaps",
		"+48.1 bits: 40 of 48 name occurrences unchanged",
		"+9.8 bits: 3 names renamed consistently",
		"+10.0 bits: few names differ; unrelated code has names of its own",
		"+5.3 bits: 6 of 6 literals equal",
		"-12.5 bits: 5 name occurrences renamed inconsistently",
		"-30.0 bits: boundary penalty: partial lines or unpaired brackets",
		"= 63.3 bits in this region",
		"+19.0 bits: another region (197.0 bits) matches the same origin file; 30% of the smaller is added",
		"= 82.3 bits",
		"score 0.93: 26.9 bits above what is needed, 31% of the evidence is the order of the tokens, 83% of the name occurrences are unchanged, another region supports it",
		"rare names and literals that are unchanged: chunkLen",
		"1 package of the baseline contains the region (all versions of a package count once)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
