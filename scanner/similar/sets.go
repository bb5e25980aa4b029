package similar

import (
	"context"
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
	return s, nil
}
