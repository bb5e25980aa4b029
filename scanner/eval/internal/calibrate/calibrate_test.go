package calibrate

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// tables are the labels that weights were fitted to.
var tables = []struct {
	name  string
	plain bool
	inUse *score.Likelihood
	below float64 // how much less than true a score may be: plain text has some 40 findings in a band
}{{"reliability.tsv", false, score.DefaultLikelihood(), 0.15}, {"reliability-plain.tsv", true, score.PlainLikelihood(), 0.2}}

// TestStanding: the weights in use are those that the labels give.
func TestStanding(t *testing.T) {
	for _, c := range tables {
		rs, err := readRows("../../../../docs/eval/"+c.name, c.plain)
		if err != nil {
			t.Fatal(err)
		}
		if got := fit(count(rs)); *got != *c.inUse {
			t.Errorf("the labels of %s give %+v, in use is %+v", c.name, *got, *c.inUse)
		}
	}
}

// TestHeldOut: on packages held out, findings are true about as often as their score says.
func TestHeldOut(t *testing.T) {
	for _, c := range tables {
		rs, err := readRows("../../../../docs/eval/"+c.name, c.plain)
		if err != nil {
			t.Fatal(err)
		}
		ls := count(rs)
		held := heldOut(ls)
		for i := range edges[1:] {
			var of tally
			for n, l := range ls {
				if edges[i] <= held[n] && held[n] < edges[i+1] {
					of.add(l, held[n])
				}
			}
			if said, true_ := of.claimed/of.weight, of.copied/of.weight; of.n >= 20 && (said-true_ > 0.12 || true_-said > c.below) {
				t.Errorf("%s: score %v to %v: %d findings, mean score %.2f, true %.2f", c.name, edges[i], edges[i+1], of.n, said, true_)
			}
		}
	}
}

// TestFit: the fit finds the weights that labels were drawn by, and leaves out one that would be negative.
func TestFit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	drawn := score.Likelihood{Constant: -3, Above: 1, Order: 3, Supported: 2}
	var rs []Row
	for n := range 4000 {
		r := Row{Traits: score.Traits{Above: 200 * rnd.Float64(), Order: rnd.Float64(), Unchanged: rnd.Float64(), Supported: rnd.IntN(3) == 0},
			Path: "go/" + string(rune('a'+n%26)) + string(rune('a'+n/26%26)) + "/x.go", Origin: string(rune('0' + n%7)), Label: "false"}
		p := drawn.Score(r.Traits)
		if p -= 0.1 * r.Unchanged; rnd.Float64() < p {
			r.Label = "true-copy"
		}
		rs = append(rs, r)
	}
	got := fit(count(rs))
	for i, d := range []float64{got.Constant - drawn.Constant, got.Above - drawn.Above, got.Order - drawn.Order, got.Supported - drawn.Supported} {
		if d < -0.6 || d > 0.6 {
			t.Errorf("weight %d is off by %.2f: %+v", i, d, *got)
		}
	}
	if got.Unchanged != 0 {
		t.Errorf("what lowers the share has the weight %v", got.Unchanged)
	}
}

// TestRows: rows are read as they were written, and findings get their labels from them.
func TestRows(t *testing.T) {
	f := finding.Finding{Path: "go/p/x.go", StartLine: 3, EndLine: 9, ScoredBy: finding.Traits{Above: 12.3, Order: 0.5, Unchanged: 0.25, Supported: true},
		Origins: []finding.Origin{{PURL: "pkg:generic/a@1", Path: "a.go", StartLine: 1, EndLine: 7}}}
	rs := rowsOf([]finding.Finding{f}, "known", nil, nil)
	if len(rs) != 1 || rs[0].Label != "unread" {
		t.Fatalf("%+v", rs)
	}
	rs[0].Label, rs[0].How, rs[0].Why = "false", "read", "a getter"
	name := filepath.Join(t.TempDir(), "table.tsv")
	var b bytes.Buffer
	if err := writeRows(&b, rs); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := readRows(name, false)
	if err != nil || !reflect.DeepEqual(got, rs) {
		t.Errorf("%+v, %v; want %+v", got, err, rs)
	}
	if again := rowsOf([]finding.Finding{f}, "known", got, nil); !reflect.DeepEqual(again, rs) {
		t.Errorf("labelled %+v", again)
	}
	var out strings.Builder
	if err := Calibrate(context.Background(), []string{"-table", name}, &out); err != nil || !strings.HasPrefix(out.String(), "1 findings, 1 of them labelled") {
		t.Errorf("%s %v", out.String(), err)
	}
	out.Reset()
	if err := Calibrate(context.Background(), []string{"-table", name, "-standing"}, &out); err != nil || !strings.Contains(out.String(), "log loss of the standing weights") || strings.Contains(out.String(), "fitted") {
		t.Errorf("%s %v", out.String(), err)
	}
}
