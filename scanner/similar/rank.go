package similar

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/collection"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/likeness"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// allPairs is the largest number of units of which every pair is ranked. In a larger collection a pair is ranked if it has a
// match or a rare run of structure in common.
const allPairs = 1000

// rank sets the similarity of the pairs of units. It adds pairs that are similar but have no match.
func (g *gather) rank(ctx context.Context, r *Result, l *collection.Loader) error {
	o := g.o
	programs, err := g.programs(ctx, l)
	if err != nil {
		return err
	}
	set := likeness.NewSet(programs)
	usual := make([]likeness.Usual, len(programs))
	err = pool.List(ctx, pool.Pool[comparer]{Workers: o.Scan.Workers, New: func() comparer { return comparer{set} }}, indices(usual),
		func(_ context.Context, c comparer, i int) (likeness.Usual, error) { return c.set.Usual(i), nil },
		func(i int, u likeness.Usual) error {
			usual[i] = u
			return nil
		})
	if err != nil {
		return err
	}
	set.Expect(usual)
	rows := make([][]int, len(g.units)) // for each unit the later units that it is compared with
	known := make(map[[2]int]UnitPair)
	for _, p := range r.Pairs {
		known[[2]int{p.a, p.b}] = p
		rows[p.a] = append(rows[p.a], p.b)
	}
	g.others(set, rows, o.Query)
	r.Pairs = []UnitPair{}
	return pool.List(ctx, pool.Pool[comparer]{Workers: o.Scan.Workers, New: func() comparer { return comparer{set} }}, indices(rows),
		func(_ context.Context, c comparer, i int) ([]float64, error) { return c.row(i, rows[i]), nil },
		func(i int, row []float64) error {
			for k, j := range rows[i] {
				p, ok := known[[2]int{i, j}]
				if !ok && row[k] < o.Filter.Share {
					continue
				}
				if !ok {
					p = UnitPair{A: g.units[i], B: g.units[j], Files: []Pair{}, a: i, b: j}
				}
				p.Similarity = finding.Round(row[k])
				r.Pairs = append(r.Pairs, p)
			}
			return nil
		})
}

// comparer is a worker.
type comparer struct{ set *likeness.Set }

func (comparer) Close() {}

func (c comparer) row(i int, js []int) (out []float64) {
	for _, j := range js {
		out = append(out, c.set.Compare(i, j).Whole)
	}
	return out
}

func indices[T any](of []T) []int {
	out := make([]int, len(of))
	for i := range out {
		out[i] = i
	}
	return out
}

// others adds units to rows that may be similar without a match; each row ascends.
func (g *gather) others(set *likeness.Set, rows [][]int, query bool) {
	add := func(i, j int) {
		if !query || i == 0 {
			rows[i] = append(rows[i], j)
		}
	}
	if n := len(g.units); n <= allPairs || query {
		for i := range n {
			for j := i + 1; j < n; j++ {
				add(i, j)
			}
		}
	} else {
		set.Candidates(add)
	}
	for i := range rows {
		slices.Sort(rows[i])
		rows[i] = slices.Compact(rows[i])
	}
}

// programs reads the tokens of all units, without base code.
func (g *gather) programs(ctx context.Context, l *collection.Loader) ([]likeness.Program, error) {
	of := make([][]collection.ID, len(g.units))
	for _, f := range g.files {
		if len(g.holders[f.doc]) > 0 { // else too many units have it
			of[f.unit] = append(of[f.unit], f.doc)
		}
	}
	out := make([]likeness.Program, len(g.units))
	for i, docs := range of {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var files []likeness.File
		for _, id := range docs {
			d, err := l.Load(id)
			if err != nil {
				return nil, err
			}
			files = append(files, likeness.File{Language: d.Language, Text: d.Text, Tokens: d.Tokens, Masked: d.Masked})
		}
		out[i] = likeness.NewProgram(files)
	}
	return out, nil
}
