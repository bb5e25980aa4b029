package similar

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Common is a set of units that all have some code: Manber's maximal interesting sets ("Finding similar files in a large file
// system", section 4). A group links A with C if both are like B, even if they share different parts of B. In this set all
// units have the same tokens. With any further unit the common tokens would be fewer than asked for.
type Common struct {
	Units  []string  `json:"units"`
	Tokens int       `json:"tokens"` // of the first unit; all others contain them
	Code   []Stretch `json:"code"`   // where in the first unit, largest first
}

const (
	leastUnits = 3 // two that share code are a pair
	// maxCovers bounds the sets that are tried for one unit. If all programs of a course begin alike but differ in small parts,
	// the sets are very many.
	maxCovers = 1024
	mostCode  = 3 // stretches named
)

// cover is code of one unit that the same other units contain.
type cover struct {
	units  []int // ascending, the unit itself among them
	tokens int
	pieces []stretchOf
}

// stretchOf is a range of tokens of a document.
type stretchOf struct {
	file int
	match.Interval
}

// common finds the maximal sets of units that share at least least tokens, in stretches of at least shortest tokens.
func (g *gather) common(l *collection.Loader, least, shortest int) ([]Common, error) {
	var found []cover
	for u, by := range g.covers() {
		closed, whole := closure(by)
		if !whole {
			g.ledger = append(g.ledger, finding.Entry{Path: g.units[u], Reason: finding.ReasonRepetitive, Detail: fmt.Sprintf("more than %d sets of units share code of it; larger ones were tried", maxCovers)})
		}
		for _, s := range closed {
			if c := supported(s, by, shortest); c.tokens >= least {
				found = append(found, c)
			}
		}
	}
	found = maximal(found)
	out := []Common{}
	for _, c := range found {
		k := Common{Tokens: c.tokens}
		for _, u := range c.units {
			k.Units = append(k.Units, g.units[u])
		}
		var err error
		if k.Code, err = g.places(l, c.pieces); err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

// covers divides the tokens of each unit by the set of later units that contain them. So each set is found in its first unit.
func (g *gather) covers() [][]cover {
	others := make(map[collection.ID][]inUnit)
	for k := range g.shared {
		others[k.doc] = append(others[k.doc], k)
	}
	out := make([][]cover, len(g.units))
	by := make([]map[string]*cover, len(g.units))
	for i, f := range g.files {
		if by[f.unit] == nil {
			by[f.unit] = make(map[string]*cover)
		}
		g.split(i, others[f.doc], by[f.unit])
	}
	for u, m := range by {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			out[u] = append(out[u], *m[key])
		}
		slices.SortStableFunc(out[u], func(a, b cover) int { return cmp.Compare(b.tokens, a.tokens) })
	}
	return out
}

// split cuts a file wherever the units that contain its tokens change.
func (g *gather) split(f int, others []inUnit, by map[string]*cover) {
	var cuts []int
	for _, k := range others {
		for _, v := range g.shared[k] {
			cuts = append(cuts, v.From, v.To)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	next := make([]int, len(others)) // for each unit its first interval that ends later
	for i := range max(len(cuts)-1, 0) {
		from, to := cuts[i], cuts[i+1]
		units := []int{g.files[f].unit}
		for j, k := range others {
			is := g.shared[k]
			for next[j] < len(is) && is[next[j]].To <= from {
				next[j]++
			}
			if next[j] < len(is) && is[next[j]].From <= from && k.unit > g.files[f].unit {
				units = append(units, k.unit)
			}
		}
		if len(units) < leastUnits {
			continue
		}
		slices.Sort(units)
		key := keyOf(units)
		if by[key] == nil {
			by[key] = &cover{units: units}
		}
		c := by[key]
		c.tokens += to - from
		c.pieces = append(c.pieces, stretchOf{f, match.Interval{From: from, To: to}})
	}
}

// closure lists the sets of units of covers and all their intersections.
func closure(covers []cover) (closed [][]int, whole bool) {
	seen := make(map[string]bool)
	add := func(s []int) {
		if key := keyOf(s); len(s) >= leastUnits && !seen[key] {
			seen[key] = true
			closed = append(closed, s)
		}
	}
	for _, c := range covers {
		for _, s := range closed[:len(closed):len(closed)] {
			if len(closed) >= maxCovers {
				return closed, false
			}
			add(intersection(s, c.units))
		}
		add(c.units)
	}
	return closed, true
}

// keyOf turns a list of units into a map key.
func keyOf(units []int) string {
	var b []byte
	for _, u := range units {
		b = binary.AppendUvarint(b, uint64(u))
	}
	return string(b)
}

// intersection returns the common elements of two ascending lists.
func intersection(a, b []int) (out []int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// within reports whether b contains all of a.
func within(a, b []int) bool { return len(a) <= len(b) && len(intersection(a, b)) == len(a) }

// supported collects the code that all units of a set contain, in stretches without a break. A stretch must have the shortest
// length: equal function heads alone are not common code.
func supported(units []int, covers []cover, shortest int) cover {
	out := cover{units: units}
	var pieces []stretchOf
	for _, c := range covers {
		if within(units, c.units) {
			pieces = append(pieces, c.pieces...)
		}
	}
	for _, p := range joined(pieces) {
		if n := p.To - p.From; n >= shortest {
			out.tokens += n
			out.pieces = append(out.pieces, p)
		}
	}
	return out
}

// joined sorts pieces and joins those that touch.
func joined(pieces []stretchOf) (out []stretchOf) {
	slices.SortFunc(pieces, func(x, y stretchOf) int { return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.From, y.From)) })
	for _, p := range pieces {
		if n := len(out); n > 0 && out[n-1].file == p.file && out[n-1].To == p.From {
			out[n-1].To = p.To
			continue
		}
		out = append(out, p)
	}
	return out
}

// maximal drops sets that are part of another set. It orders the others: most units first, then most tokens.
func maximal(found []cover) (out []cover) {
	slices.SortStableFunc(found, func(a, b cover) int {
		return cmp.Or(cmp.Compare(len(b.units), len(a.units)), cmp.Compare(b.tokens, a.tokens), slices.Compare(a.units, b.units))
	})
	of := make(map[int][]int) // by unit, indexes in out
	for _, c := range found {
		if !slices.ContainsFunc(of[c.units[0]], func(i int) bool { return within(c.units, out[i].units) }) {
			for _, u := range c.units {
				of[u] = append(of[u], len(out))
			}
			out = append(out, c)
		}
	}
	return out
}

// places names the largest pieces of code.
func (g *gather) places(l *collection.Loader, pieces []stretchOf) ([]Stretch, error) {
	slices.SortStableFunc(pieces, func(x, y stretchOf) int { return cmp.Compare(y.To-y.From, x.To-x.From) })
	var out []Stretch
	for _, p := range pieces[:min(mostCode, len(pieces))] {
		f := g.files[p.file]
		d, err := l.Load(f.doc)
		if err != nil {
			return nil, err
		}
		out = append(out, Stretch{f.path, d.Lines().Line(d.Tokens[p.From].Start), lastLine(d, p.To-1)})
	}
	return out, nil
}

// lastLine returns the line on which a token ends.
func lastLine(d *collection.Loaded, i int) int {
	t := d.Tokens[i]
	return d.Lines().Line(t.Start) + bytes.Count(d.Text[t.Start:t.End], []byte{'\n'})
}
