package similar

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/sketch"
)

// Sets tells how the sets of k-grams of two units agree, as Broder defines it.
type Sets struct {
	A            int     `json:"a"` // k-grams of A, each counted once
	B            int     `json:"b"`
	Sampled      int     `json:"sampled"` // one in so many was counted; 1 means all
	Resemblance  float64 `json:"resemblance"`
	ContainmentA float64 `json:"containmentA"` // of A in B
	ContainmentB float64 `json:"containmentB"` // of B in A
}

// maxGrams bounds the k-grams kept of two units: 8 bytes each. Of more, one in
// Sampled is kept, which estimates the same without bias.
const maxGrams = 32 << 20

// sets works out the sets of the first two units.
func (g *gather) sets(ctx context.Context, b *baseline.Baseline, o Options) (*Sets, error) {
	total := 0
	for _, f := range g.files {
		d, err := b.Doc(f.doc)
		if err != nil {
			return nil, err
		}
		total += int(d.Tokens)
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
		grams, err := gramsOf(b, f.doc)
		if err != nil {
			return nil, err
		}
		grams = slices.DeleteFunc(grams, func(h uint64) bool {
			_, base := slices.BinarySearch(o.Scan.Sanctioned, h)
			return base
		})
		of[f.unit] = sketch.Mod(of[f.unit], sketch.Public().Set(nil, grams), uint64(s.Sampled))
	}
	a, c := sketch.Union(of[0]), sketch.Union(of[1])
	s.A, s.B = len(a), len(c)
	s.Resemblance = round(sketch.Resemblance(a, c, len(a)+len(c)))
	s.ContainmentA, s.ContainmentB = round(sketch.Containment(a, c)), round(sketch.Containment(c, a))
	return s, nil
}

// gramsOf returns the hashes of all k-grams of a document.
func gramsOf(b *baseline.Baseline, id baseline.DocID) ([]uint64, error) {
	d, err := b.Doc(id)
	if err != nil {
		return nil, err
	}
	toks, _, err := b.Tokens(d)
	if err != nil {
		return nil, err
	}
	return fingerprint.KGrams(nil, baseline.Values(nil, languageOf(d), toks), b.Params().K), nil
}

func languageOf(d baseline.Document) *lang.Language {
	if l := lang.ByName(d.Language); l != nil {
		return l
	}
	return lang.Words()
}
