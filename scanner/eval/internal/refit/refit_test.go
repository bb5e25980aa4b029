package refit

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/score"
)

// example is a set in which names tell copies from accidents, and the order of the
// tokens does not.
func example() []reading {
	var rs []reading
	m := func(fate score.Fate) matched {
		r := score.Readings{Compared: true, Identifiers: 10}
		var run score.Run
		for range 60 {
			run.Tokens = append(run.Tokens, score.Token{Index: score.Unknown, Ngram: 0.1})
		}
		r.Runs = []score.Run{run}
		for range 10 {
			r.Names = append(r.Names, score.Name{Fate: fate, Count: 1, Told: 1, Bits: score.Unknown})
		}
		if fate == score.Same {
			r.Unchanged = 10
		}
		out := matched{First: 1, Last: 9, Tokens: 100, Baseline: 1 << 20, Document: "d", To: 60, Readings: r}
		out.Bits = score.Standing().Weigh(r).Bits
		out.pack()
		return out
	}
	for i := range 40 {
		name := strings.Repeat("x", i+1)
		rs = append(rs, reading{Path: "p" + name, Pasted: []pasted{{"1", "excerpt", 60, 1, 9}}, Matches: []matched{m(score.Same)}},
			reading{Path: "u" + name, Unknown: true, Matches: []matched{m(score.Against)}})
	}
	return rs
}

// unpacked is a set as it is after a dump was read.
func unpacked(t *testing.T, rs []reading) []reading {
	t.Helper()
	name := filepath.Join(t.TempDir(), "train.readings.gz")
	if _, err := writeReadings(name, rs); err != nil {
		t.Fatal(err)
	}
	out, _, err := loadReadings(name)
	check(t, err)
	return out
}

// TestRefit: from weights by which nothing can be told apart the search finds such
// that tell it; the state is chosen on the validation set and written down.
func TestRefit(t *testing.T) {
	dir := t.TempDir()
	for _, set := range []string{"train", "validate"} {
		_, err := writeReadings(filepath.Join(dir, set+".readings.gz"), example())
		check(t, err)
	}
	bad := score.Standing()
	bad.RareName, bad.Short, bad.Against, bad.Verbatim = 0, 0, 0, 0
	rs := unpacked(t, example())
	if got := try(bad, rs); got.Loss != 1 {
		t.Fatalf("%v by weights that see no names", got)
	}
	if got := try(score.Standing(), rs); got.Loss != 0 {
		t.Fatalf("%v by the weights that stand", got)
	}
	path, err := search(context.Background(), bad, rs, 2)
	check(t, err)
	if last := path[len(path)-1]; last.train.Loss != 0 || len(path) < 2 {
		t.Errorf("found %v in %d steps", last.train, len(path)-1)
	}
	var out bytes.Buffer
	check(t, Fit(context.Background(), []string{"-work", dir, "-passes", "1"}, &out))
	w, err := readWeights(filepath.Join(dir, "weights.json"))
	if err != nil || *w != *score.Standing() {
		t.Errorf("%+v, %v: what has no loss is not to be moved\n%s", w, err, &out)
	}
}

// TestReadingsOnce: a dump gives back what was written, and the same bits.
func TestReadingsOnce(t *testing.T) {
	for _, r := range unpacked(t, example()) {
		for _, m := range r.Matches {
			if n := len(m.Readings.Runs[0].Tokens); n != 60 || math.Abs(score.Standing().Weigh(m.Readings).Bits-m.Bits) > 1e-9 {
				t.Fatalf("%d tokens, %v bits; want 60, %v", n, score.Standing().Weigh(m.Readings).Bits, m.Bits)
			}
		}
	}
}

// TestSealedOnce: the same weights are judged on the same sealed readings once.
func TestSealedOnce(t *testing.T) {
	dir := t.TempDir()
	_, err := writeReadings(filepath.Join(dir, "sealed.readings.gz"), example())
	check(t, err)
	args := []string{"-work", dir, "-record", filepath.Join(dir, "judged.tsv")}
	var out bytes.Buffer
	check(t, Judge(context.Background(), args, &out))
	if !strings.HasPrefix(out.String(), "loss 0.0000;") {
		t.Errorf("%s", &out)
	}
	if err := Judge(context.Background(), args, &out); err == nil || !strings.Contains(err.Error(), "judged on these readings before") {
		t.Errorf("judged again: %v", err)
	}
	if err := Effects(context.Background(), []string{"-work", dir, "-set", "sealed"}, &out); err == nil {
		t.Error("the sealed set shows the effect of a weight")
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
