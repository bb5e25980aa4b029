package similar

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
	"github.com/git-provenance/git-provenance/scanner/similar/likeness"
)

// rankedUpTo is the largest number of units of which every pair is ranked. In a larger collection a pair is ranked if it has a
// match or a rare run of structure in common.
const rankedUpTo = 1000

// tenths is how many numbers a distribution has.
const tenths = 10

// rank sets the similarity of the pairs of units. It adds pairs that are similar but have no match.
func (g *gather) rank(ctx context.Context, r *Result, l *collection.Loader) error {
	o := g.o
	programs, err := g.programs(ctx, l)
	if err != nil {
		return err
	}
	set := likeness.NewSet(programs)
	c := comparer{set: set, rows: make([][]int, len(g.units)), both: make([][]likeness.Both, len(g.units))}
	known := make(map[[2]int]UnitPair)
	for _, p := range r.Pairs {
		known[[2]int{p.a, p.b}] = p
		c.rows[p.a] = append(c.rows[p.a], p.b)
	}
	g.others(set, c.rows, o.Query)
	if err := each(ctx, o.Scan.Workers, c, comparer.row, func(i int, row []likeness.Both) { c.both[i] = row }); err != nil {
		return err
	}
	usual := make([]likeness.Usual, len(programs))
	if err := each(ctx, o.Scan.Workers, c, comparer.usual, func(i int, u likeness.Usual) { usual[i] = u }); err != nil {
		return err
	}
	set.Expect(usual)
	r.Pairs, r.Distribution = []UnitPair{}, make([]int, tenths)
	for i, row := range c.both {
		for k, b := range row {
			j, like := c.rows[i][k], set.Beyond(i, c.rows[i][k], b)
			if r.Units[i].Tokens > 0 && r.Units[j].Tokens > 0 { // an empty submission is like no other, which tells nothing of the exercise
				r.Distribution[min(int(tenths*finding.Round(like)), tenths-1)]++
			}
			p, ok := known[[2]int{i, j}]
			if !ok && like < o.Filter.Share {
				continue
			}
			if !ok {
				p = UnitPair{A: g.units[i], B: g.units[j], Files: []Pair{}, a: i, b: j}
			}
			p.Similarity = finding.Round(like)
			r.Pairs = append(r.Pairs, p)
		}
	}
	return nil
}

// comparer is a worker. Rows has, for each unit, the later units that it is compared with, ascending; both has how alike they
// are, once it is known.
type comparer struct {
	set  *likeness.Set
	rows [][]int
	both [][]likeness.Both
}

func (comparer) Close() {}

// each calls do for each unit, in all workers. It calls take with the results, in the order of the units.
func each[T any](ctx context.Context, workers int, c comparer, do func(comparer, int) T, take func(int, T)) error {
	return pool.List(ctx, pool.Pool[comparer]{Workers: workers, New: func() comparer { return c }}, indices(c.rows),
		func(_ context.Context, c comparer, i int) (T, error) { return do(c, i), nil },
		func(i int, x T) error {
			take(i, x)
			return nil
		})
}

func (c comparer) row(i int) (out []likeness.Both) {
	for _, j := range c.rows[i] {
		out = append(out, c.set.Both(i, j))
	}
	return out
}

// usual returns the usual likeness of a unit. It uses the pairs that were compared, which are all pairs of up to rankedUpTo units.
func (c comparer) usual(i int) likeness.Usual {
	return c.set.Usual(i, func(i, j int) likeness.Both {
		i, j = min(i, j), max(i, j)
		if at, ok := slices.BinarySearch(c.rows[i], j); ok {
			return c.both[i][at]
		}
		return c.set.Both(i, j)
	})
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
	if n := len(g.units); n <= rankedUpTo || query {
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
		if g.holders.any(f.doc) { // else too many units have it
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
