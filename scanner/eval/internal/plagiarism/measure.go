package plagiarism

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Quality says how well a score separates copies from other pairs.
type Quality struct {
	AUC    float64 // the chance that a copy scores above another pair; equal scores count half
	Recall float64 // share of the copies that score above every other pair, except those spared
	Copies int
}

// Measure returns the quality of scores by level; index 0 has all levels together. A pair without a score counts as 0.
// spared is the share of the negative pairs that may score above the recalled copies.
func Measure(pairs []Pair, scores map[[2]string]float64, spared float64) map[int]Quality {
	by := make(map[int][]float64)
	for _, p := range pairs {
		x := scores[[2]string{min(p.A, p.B), max(p.A, p.B)}]
		by[p.Level] = append(by[p.Level], x)
		if p.Level > 0 {
			by[-1] = append(by[-1], x)
		}
	}
	none := by[0]
	slices.Sort(none)
	out := make(map[int]Quality)
	for level, copies := range by {
		if level != 0 {
			out[max(level, 0)] = quality(copies, none, spared)
		}
	}
	return out
}

func quality(copies, none []float64, spared float64) Quality {
	q, least := Quality{Copies: len(copies)}, len(none)-int(spared*float64(len(none)))
	for _, x := range copies {
		below := sort.SearchFloat64s(none, x)
		upTo := sort.Search(len(none), func(i int) bool { return none[i] > x })
		q.AUC += float64(below+upTo) / 2
		if below >= least {
			q.Recall++
		}
	}
	q.AUC /= float64(max(1, len(none)*len(copies)))
	q.Recall /= float64(max(1, len(copies)))
	return q
}

// ReadPairs reads the pairs of a set written by Write.
func ReadPairs(dir string) (out []Pair, err error) {
	err = rows(filepath.Join(dir, "pairs.tsv"), "\t", func(f []string) error {
		level, err := strconv.Atoi(f[2])
		out = append(out, Pair{f[0], f[1], level})
		return err
	})
	return out, err
}

// ReadScores reads lines of two units and a score, separated by tabs.
func ReadScores(file string) (map[[2]string]float64, error) {
	out := make(map[[2]string]float64)
	return out, rows(file, "\t", func(f []string) error {
		x, err := strconv.ParseFloat(f[2], 64)
		out[[2]string{min(f[0], f[1]), max(f[0], f[1])}] = x
		return err
	})
}

// rows reads lines of at least three fields.
func rows(file, sep string, take func([]string) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		f := strings.Split(strings.TrimRight(string(line), "\r\n"), sep)
		if len(f) < 3 {
			return fmt.Errorf("read %q: line %d has %d fields, not 3", file, n, len(f))
		}
		if err := take(f); err != nil {
			return fmt.Errorf("read %q: line %d: %w", file, n, err)
		}
	}
	return nil
}

// WriteTable writes the result of Measure as rows of Markdown.
func WriteTable(w io.Writer, set, tool string, by map[int]Quality) {
	fmt.Fprintf(w, "| %s | %s | %.3f / %.3f |", set, tool, by[0].AUC, by[0].Recall)
	for _, level := range slices.Sorted(maps.Keys(by)) {
		if level > 0 {
			fmt.Fprintf(w, " %.3f / %.2f |", by[level].AUC, by[level].Recall)
		}
	}
	fmt.Fprintln(w)
}
