package similar

import (
	"context"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Sets holds Broder's measures of how the sets of k-grams of two units agree.
type Sets struct {
	A            int     `json:"a"` // k-grams of A, each counted once
	B            int     `json:"b"`
	Sampled      int     `json:"sampled"` // one in this many k-grams was counted; 1 means all
	Resemblance  float64 `json:"resemblance"`
	ContainmentA float64 `json:"containmentA"` // share of A's that B has
	ContainmentB float64 `json:"containmentB"` // share of B's that A has
	// Apart has the languages of A and those of B if none of A's is compared with one of B's. It is nil if one is.
	Apart [][]string `json:"apart,omitempty"`
}

// maxGrams bounds the k-grams that are kept of two units, 8 bytes each. If there are more, one in Sampled is kept,
// which estimates without bias.
const maxGrams = 32 << 20

// sets compares the sets of k-grams of the first two units.
func (g *gather) sets(ctx context.Context, l *collection.Loader) (*Sets, error) {
	total := 0
	for _, f := range g.files {
		total += g.set.Docs[f.doc].Tokens
	}
	s := &Sets{Sampled: 1 + total/maxGrams}
	var of [2][]uint64
	var read [2]map[string]string // languages → their families
	for i := range read {
		read[i] = make(map[string]string)
	}
	for _, f := range g.files {
		if f.unit > 1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := l.Load(f.doc)
		if err != nil {
			return nil, err
		}
		read[f.unit][d.Language.Name] = d.Language.Family
		grams := fingerprint.KGrams(nil, baseline.Values(nil, d.Language, d.Tokens), g.o.Params.K)
		grams = slices.DeleteFunc(grams, func(h uint64) bool {
			_, base := slices.BinarySearch(g.o.Scan.BaseCode, h)
			return base
		})
		of[f.unit] = sketch.Mod(of[f.unit], sketch.Public().Set(nil, grams), uint64(s.Sampled))
	}
	a, c := sketch.Union(of[0]), sketch.Union(of[1])
	s.A, s.B = len(a), len(c)
	s.Resemblance = finding.Round(sketch.Resemblance(a, c, len(a)+len(c)))
	s.ContainmentA, s.ContainmentB = finding.Round(sketch.Containment(a, c)), finding.Round(sketch.Containment(c, a))
	s.Apart = apart(read)
	return s, nil
}

// apart lists the languages of two units if no family of one is that of the other.
func apart(read [2]map[string]string) [][]string {
	for _, family := range read[0] {
		for _, other := range read[1] {
			if family == other {
				return nil
			}
		}
	}
	if len(read[0]) == 0 || len(read[1]) == 0 {
		return nil
	}
	return [][]string{slices.Sorted(maps.Keys(read[0])), slices.Sorted(maps.Keys(read[1]))}
}
