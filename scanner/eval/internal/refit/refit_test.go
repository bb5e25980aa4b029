package refit

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/examine"
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
			run.Tokens = append(run.Tokens, score.Token{Index: score.UnknownBits, Ngram: 0.1})
		}
		r.Runs = []score.Run{run}
		for range 10 {
			r.Names = append(r.Names, score.Name{Fate: fate, Count: 1, Told: 1, Rarity: score.Rarity{Bits: score.UnknownBits}})
		}
		if fate == score.Same {
			r.Unchanged = 10
		}
		out := matched{First: 1, Last: 9, Tokens: 100, Baseline: 1 << 20, Document: "d", To: 60, Readings: r}
		out.Bits = score.DefaultWeights().Weigh(r).Bits
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
	bad := score.DefaultWeights()
	bad.RareName, bad.Short, bad.Against, bad.Verbatim = 0, 0, 0, 0
	rs := unpacked(t, example())
	if got := try(bad, rs); got.Loss != 1 {
		t.Fatalf("%v by weights that see no names", got)
	}
	if got := try(score.DefaultWeights(), rs); got.Loss != 0 {
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
	if err != nil || *w != *score.DefaultWeights() {
		t.Errorf("%+v, %v: what has no loss is not to be moved\n%s", w, err, &out)
	}
}

// TestReadingsOnce: a dump gives back what was written, and the same bits.
func TestReadingsOnce(t *testing.T) {
	for _, r := range unpacked(t, example()) {
		for _, m := range r.Matches {
			if n := len(m.Readings.Runs[0].Tokens); n != 60 || math.Abs(score.DefaultWeights().Weigh(m.Readings).Bits-m.Bits) > 1e-9 {
				t.Fatalf("%d tokens, %v bits; want 60, %v", n, score.DefaultWeights().Weigh(m.Readings).Bits, m.Bits)
			}
		}
	}
}

// TestReadingsOfScan: what a scan weighs has the same bits after a dump was read, with the evidence that no name differs.
func TestReadingsOfScan(t *testing.T) {
	if lang.ByName("go") == nil {
		t.Skip("no grammars")
	}
	ctx, dir := context.Background(), t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	check(t, err)
	std := filepath.Join(strings.TrimSpace(string(root)), "src", "strings")
	pkgs, err := source.Open(ctx, std, source.Options{PURL: "pkg:generic/strings@1", Offline: true})
	check(t, err)
	b, err := corpus.IndexPackages(ctx, filepath.Join(dir, "base"), baseline.Defaults, pkgs)
	check(t, err)
	defer b.Close()
	text, err := os.ReadFile(filepath.Join(std, "replace.go"))
	check(t, err)
	targets := filepath.Join(dir, "targets")
	check(t, os.MkdirAll(targets, 0o755))
	check(t, os.WriteFile(filepath.Join(targets, "same.go"), text, 0o644))
	edited := regexp.MustCompile(`(?m)^\treturn (.*)$`).ReplaceAll(text, []byte("\tlog.Println(1)\n\treturn $1"))
	check(t, os.WriteFile(filepath.Join(targets, "edited.go"), edited, 0o644))
	by, err := weighedIn(ctx, b, targets)
	check(t, err)
	var rs []reading
	for _, path := range sortedPaths(by) {
		rs = append(rs, reading{Path: path, Unknown: true, Matches: matchesOf(by[path], nil)})
	}
	matches, aligned, verbatim := 0, 0, 0
	for _, r := range unpacked(t, rs) {
		for _, m := range r.Matches {
			matches++
			if m.Aligned {
				aligned++
			} else if standing.Weigh(m.Readings).Verbatim > 0 {
				verbatim++
			}
			if bits := m.evidence(standing).Bits; math.Abs(bits-m.Bits) > 0.01 {
				t.Errorf("%s:%d-%d has %v bits after it was read, %v in the scan", r.Path, m.First, m.Last, bits, m.Bits)
			}
		}
	}
	if verbatim == 0 {
		t.Errorf("%d matches, %d of them alignments, %d verbatim: the example proves little", matches, aligned, verbatim)
	}
}

func sortedPaths(by map[string][]examine.Weighed) (out []string) {
	for path := range by {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

// TestAlignmentsStand: an alignment counts as the scan judged it, whatever the weights are, and is no bar for others.
func TestAlignmentsStand(t *testing.T) {
	found := reading{Path: "p", Pasted: []pasted{{"1", "excerpt", 60, 1, 9}}, Matches: []matched{{First: 1, Last: 9, Tokens: 100, Baseline: 1 << 20, Document: "d", Bits: 90, Aligned: true}}}
	false_ := reading{Path: "u", Unknown: true, Matches: []matched{{First: 1, Last: 9, Tokens: 100, Baseline: 1 << 20, Document: "d", Bits: 30, Fewer: 30, Aligned: true}}}
	for _, w := range []*score.Weights{score.DefaultWeights(), {Trust: score.DefaultWeights().Trust}} {
		if got := try(w, []reading{found, false_}); got.Loss != 0 || got.Found != 1 || got.False != 1 {
			t.Errorf("%v; want one found, one false and no loss", got)
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
