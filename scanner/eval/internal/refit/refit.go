// Package refit fits the weights of scanner/score. It writes the readings of every match of a set of packages. It
// searches weights on the training set, chooses on the validation set and judges once on the sealed set.
package refit

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// field is one weight by its name.
type field struct {
	name, unit string
	index      int
}

// standing are the scanner's weights.
var standing = score.DefaultWeights()

// fields returns the weights, in their order. It omits Trust and SameText, which do not affect the loss: Trust only moves
// the threshold, and SameText only selects further origins.
func fields() []field {
	t := reflect.TypeFor[score.Weights]()
	var out []field
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "Trust" && f.Name != "SameText" {
			out = append(out, field{f.Name, f.Tag.Get("unit"), i})
		}
	}
	return out
}

// searched returns the weights that the search moves. It omits those of short matches: the loss has no excerpts below 60 tokens, so
// it would only see what a shorter match costs.
func searched() []field {
	return slices.DeleteFunc(fields(), func(f field) bool { return strings.HasPrefix(f.name, "Brief") })
}

func (f field) of(w *score.Weights) float64 { return reflect.ValueOf(w).Elem().Field(f.index).Float() }

// with returns the weights with one of them changed.
func (f field) with(w *score.Weights, value float64) *score.Weights {
	out := *w
	reflect.ValueOf(&out).Elem().Field(f.index).SetFloat(value)
	return &out
}

// whole reports whether a weight is a count.
func (f field) whole() bool {
	return slices.Contains([]string{"places", "names", "tokens", "brackets"}, f.unit)
}

// moved returns a weight moved by a share of its standing value. A count moves by at least one.
func (f field) moved(w *score.Weights, share float64) float64 {
	scale := f.of(score.DefaultWeights())
	if scale == 0 { // a weight of a reading that was never fitted
		scale = newWeight
	}
	by := share * scale
	if f.whole() {
		by = math.Copysign(math.Max(1, math.Round(math.Abs(by))), by)
	}
	return math.Round(1e4*(f.of(w)+by)) / 1e4
}

// stepsOf are the shares of a weight's standing value by which the search moves it, large ones first.
var stepsOf = []float64{0.5, 0.2, 0.1}

// newWeight is how far the search moves a weight of 0: the bits of a rare name.
const newWeight = 10

// enough is the least gain for a step: less is chance.
const enough = 1e-5

// step is a state of the search.
type step struct {
	weights *score.Weights
	change  string
	train   measured
}

// search moves one weight after the other and keeps moves that reduce the loss, until none does. It returns all states
// on the way.
func search(ctx context.Context, from *score.Weights, rs []reading, passes int) ([]step, error) {
	path := []step{{from, "start", try(from, rs)}}
	for range passes {
		moved := false
		for _, f := range searched() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			here := path[len(path)-1]
			best := here
			for _, s := range stepsOf {
				for _, by := range []float64{-s, s} {
					to := f.moved(here.weights, by)
					if to < 0 {
						continue
					}
					w := f.with(here.weights, to)
					if m := try(w, rs); m.Loss < best.train.Loss-enough {
						best = step{w, fmt.Sprintf("%s %g → %g", f.name, f.of(here.weights), to), m}
					}
				}
			}
			if best.weights != here.weights {
				path, moved = append(path, best), true
				corpus.Say("%s: %v", best.change, best.train)
			}
		}
		if !moved {
			break
		}
	}
	return path, nil
}

// starts returns the start of a search: the standing weights, or the scoring of two generations ago, without lines,
// brackets and document frequency.
func starts(name string) (*score.Weights, error) {
	w := score.DefaultWeights()
	switch name {
	case "standing":
	case "plain":
		w.Edge, w.Bracket, w.Frequency, w.Verbatim, w.MapMost, w.MapGap = 0, 0, 0, 20, 1.25, 1
		w.Platform = w.RareName
	default:
		return readWeights(name)
	}
	return w, nil
}

func readWeights(name string) (*score.Weights, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	w := score.DefaultWeights()
	if err := json.Unmarshal(b, w); err != nil {
		return nil, fmt.Errorf("weights %q: %w", name, err)
	}
	return w, nil
}

// Fit searches weights on the training set and chooses among the states of the
// search on the validation set.
func Fit(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("refit", flag.ContinueOnError)
	work := f.String("work", "", "read train.readings.gz and validate.readings.gz in directory `DIR`, and write weights.json there")
	from := f.String("from", "standing", "begin with standing, plain or the weights in `FILE`")
	passes := f.Int("passes", 4, "over all weights, at most")
	if err := f.Parse(args); err != nil {
		return err
	}
	train, err := load(out, *work, "train")
	if err != nil {
		return err
	}
	validate, err := load(out, *work, "validate")
	if err != nil {
		return err
	}
	start, err := starts(*from)
	if err != nil {
		return err
	}
	path, err := search(ctx, start, train, *passes)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "standing, train: %v\nstanding, validate: %v\n\n| step | train | validate |\n|---|--:|--:|\n", try(standing, train), try(standing, validate))
	chosen, best := path[0], measured{Loss: 2}
	for _, s := range path {
		m := try(s.weights, validate)
		fmt.Fprintf(out, "| %s | %.4f | %.4f |\n", s.change, s.train.Loss, m.Loss)
		if m.Loss < best.Loss {
			chosen, best = s, m
		}
	}
	fmt.Fprintf(out, "\nchosen after %q\ntrain: %v\nvalidate: %v\n", chosen.change, chosen.train, best)
	for _, f := range fields() {
		if a, b := f.of(standing), f.of(chosen.weights); a != b {
			fmt.Fprintf(out, "  %s %g, standing %g %s\n", f.name, b, a, f.unit)
		}
	}
	b, err := json.MarshalIndent(chosen.weights, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*work, "weights.json"), append(b, '\n'), 0o644)
}

// load reads the readings of a set and prints their digest. It warns if the standing weights give a match other bits than
// the scan gave, and of findings that nobody has reviewed.
func load(out io.Writer, work, set string) ([]reading, error) {
	rs, digest, err := loadReadings(filepath.Join(work, set+".readings.gz"))
	if err != nil {
		return nil, err
	}
	matches, off, unread := 0, 0, 0
	for _, r := range rs {
		strong := strengths(standing, r)
		for i, m := range r.Matches {
			matches++
			if m.Verdict == "unreviewed" && strong[i] >= threshold() {
				unread++
			}
			if math.Abs(m.evidence(standing).Bits-m.Bits) > 0.01 {
				off++
			}
		}
	}
	fmt.Fprintf(out, "%s: %d files, %d matches, sha256 %s\n", set, len(rs), matches, digest[:16])
	if off > 0 {
		fmt.Fprintf(out, "%s: the weights that stand give %d matches other bits than the scan gave: it was made by others\n", set, off)
	}
	if unread > 0 {
		fmt.Fprintf(out, "%s: %d findings that nobody has read count as false; read them and add them to reviewed.tsv\n", set, unread)
	}
	return rs, nil
}

// Effects prints the effect of moving each weight by a fifth.
func Effects(_ context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("effects", flag.ContinueOnError)
	work := f.String("work", "", "read the readings in directory `DIR`")
	set := f.String("set", "train", "train or validate")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *set == "sealed" {
		return fmt.Errorf("sealed readings are for judge, once")
	}
	rs, err := load(out, *work, *set)
	if err != nil {
		return err
	}
	w := score.DefaultWeights()
	now := try(w, rs)
	fmt.Fprintf(out, "standing: %v\n\n| weight | unit | value | at -20 %%: loss | false | found | true copies | at +20 %%: loss | false | found | true copies |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", now)
	for _, f := range append(fields(), field{"Trust", "bits a bit", reflect.TypeFor[score.Weights]().NumField() - 1}) {
		fmt.Fprintf(out, "| %s | %s | %g |", f.name, f.unit, f.of(w))
		for _, by := range []float64{-0.2, 0.2} {
			m := try(f.with(w, f.moved(w, by)), rs)
			fmt.Fprintf(out, " %+.4f | %+d | %+.4f | %+d |", m.Loss-now.Loss, m.False-now.False, m.Found-now.Found, m.TrueFound-now.TrueFound)
		}
		fmt.Fprintln(out)
	}
	return nil
}

// Judge measures weights on the sealed set, once. A line of the record says what was judged, and nothing is judged
// again.
func Judge(_ context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("judge", flag.ContinueOnError)
	work := f.String("work", "", "read sealed.readings.gz in directory `DIR`")
	from := f.String("weights", "standing", "standing, plain or the weights in `FILE`")
	record := f.String("record", "docs/eval/judged.tsv", "write down in `FILE` what was judged")
	if err := f.Parse(args); err != nil {
		return err
	}
	w, err := starts(*from)
	if err != nil {
		return err
	}
	rs, digest, err := loadReadings(filepath.Join(*work, "sealed.readings.gz"))
	if err != nil {
		return err
	}
	of, err := json.Marshal(w)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(of)
	key := digest[:16] + "\t" + hex.EncodeToString(sum[:8])
	if done, err := judged(*record, key); err != nil {
		return err
	} else if done != "" {
		return fmt.Errorf("these weights were judged on these readings before: %s", done)
	}
	m := try(w, rs)
	fmt.Fprintf(out, "%v\n", m)
	r, err := os.OpenFile(*record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r, "%s\t%.4f\t%d\t%.4f\t%d\t%s\n", key, m.Loss, m.False, m.Found, m.TrueFound, filepath.Base(*from))
	return cmp.Or(err, r.Close())
}

// judged returns the line of a record that begins with a key.
func judged(name, key string) (string, error) {
	b, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), key+"\t") {
			return lines.Text(), nil
		}
	}
	return "", lines.Err()
}
