package similar

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// maxHolders is how many units may have one content for all their pairs to be listed, since the pairs grow with the square. If
// more single files have one content, the first represents the others, and each is listed as equal to it. If more submissions
// have a file, the file is left out. The ledger lists both cases.
const maxHolders = 64

// maxPairs is how many pairs of files there may be if equal files are all paired.
const maxPairs = 1 << 20

// equal notes the files of one content, if several have it.
func (g *gather) equal(doc collection.ID) {
	n := g.set.Docs[doc].Own
	if n == 0 || len(g.holders.of(doc))+len(g.copies[doc]) < 2 {
		return // base code, or one file
	}
	whole := []match.Interval{{From: 0, To: n}}
	g.found = append(g.found, found{doc, doc, Pair{Equal: true, Tokens: n, distinct: n, A: Side{Tokens: n, Shared: n}, B: Side{Tokens: n, Shared: n}}, whole, whole})
}

// found is the code that two contents share. Their files are paired once the number of all pairs is known.
type found struct {
	a, b collection.ID // the same content: its files are equal
	pair Pair
	x, y []match.Interval
}

// weighEqual computes the bits of contents that several files have, unless nobody asks for bits.
func (g *gather) weighEqual(ctx context.Context) error {
	if g.bare() {
		return nil
	}
	at := make(map[collection.ID]int)
	q := collection.Query{Whole: true, Want: func(_, _ collection.ID) bool { return false }}
	for i, f := range g.found {
		if f.a == f.b {
			at[f.a], q.Docs = i, append(q.Docs, f.a)
		}
	}
	slices.Sort(q.Docs)
	return g.set.Compare(ctx, q, func(c collection.Compared) error {
		g.found[at[c.ID]].pair.Bits = finding.Round(c.Bits)
		return nil
	})
}

// list pairs the files of contents that share code. Pairs grow with the square of equal files: if there were more than maxPairs,
// files of fewer equal ones are all paired, and one represents the others.
func (g *gather) list() {
	for g.most = math.MaxInt; g.most > 1 && len(g.pairs)+g.listed() > maxPairs; {
		g.most = min(g.most/2, maxHolders)
	}
	g.noteRepresented()
	g.pairs = slices.Grow(g.pairs, g.listed()) // a million that grow piece by piece take twice the memory
	for _, f := range g.found {
		xs, ys := g.paired(f)
		for _, x := range xs {
			for _, y := range ys {
				if _, met := slices.BinarySearch(xs, y); f.a != f.b || x < y || !met {
					g.pair(x, y, f.pair, f.x, f.y)
				}
			}
		}
	}
	g.found = nil
}

// listed returns how many pairs list adds at most.
func (g *gather) listed() (n int) {
	for _, f := range g.found {
		xs, ys := g.paired(f)
		if n += len(xs) * len(ys); f.a == f.b { // each two once, none with itself
			n -= len(xs) * (len(xs) + 1) / 2
		}
	}
	return n
}

// paired returns the files of two contents that are paired. Of equal files, those that represent others are paired with all.
func (g *gather) paired(f found) (xs, ys []int32) {
	xs, ys = g.few(g.asking(g.holders.of(f.a))), g.holders.of(f.b)
	switch {
	case f.a == f.b && len(g.copies[f.b]) > 0:
		ys = slices.Concat(ys, g.copies[f.b])
	case f.a != f.b && !g.o.Query:
		ys = g.few(ys)
	}
	return xs, ys
}

// few returns the files that represent many of equal content: the first, or the first of each submission.
func (g *gather) few(files []int32) []int32 {
	if len(files) <= g.most {
		return files
	}
	if g.single {
		return files[:1]
	}
	out := files[:1:1]
	for _, f := range files[1:] {
		if g.files[f].unit != g.files[out[len(out)-1]].unit {
			out = append(out, f)
		}
	}
	return out
}

// noteRepresented notes the files that others of their content represent.
func (g *gather) noteRepresented() {
	if g.most == math.MaxInt {
		return
	}
	for d := range collection.ID(len(g.set.Docs)) {
		files := g.holders.of(d)
		if len(files) <= g.most {
			continue
		}
		detail := "%d files have the same content; what it shares with others is told of this one"
		if !g.single {
			detail = "%d files have the same content; what it shares with others is told of the first in each unit"
		}
		g.note(d, finding.Entry{Reason: finding.ReasonCommon, Detail: fmt.Sprintf(detail, len(files))})
		if g.single && !g.o.Query {
			g.represent(d, files)
		}
	}
}

// asking returns the files of a content whose pairs are listed: all, or in a query the files of the queried unit, which come
// first.
func (g *gather) asking(files []int32) []int32 {
	if !g.o.Query {
		return files
	}
	n := 0
	for n < len(files) && g.files[files[n]].unit == 0 {
		n++
	}
	return files[:n]
}

// pair records the code that two files share, unless they are in one unit.
func (g *gather) pair(x, y int32, p Pair, a, b []match.Interval) {
	u, v := g.files[x].unit, g.files[y].unit
	if u == v {
		return
	}
	p.A.Path, p.B.Path, p.a, p.b = g.files[x].path, g.files[y].path, u, v
	p.docA, p.docB = g.files[x].doc, g.files[y].doc
	if u > v {
		p = p.swapped()
	}
	g.pairs = append(g.pairs, p)
	if g.shared == nil {
		return
	}
	g.cover(inUnit{g.files[x].doc, v}, a)
	g.cover(inUnit{g.files[y].doc, u}, b)
}

// cover records the tokens that a content shares with a unit.
func (g *gather) cover(k inUnit, is []match.Interval) {
	g.shared[k] = match.Union(append(slices.Clone(g.shared[k]), is...))
}

// result adds up the comparisons.
func (g *gather) result() *Result {
	r := &Result{Schema: Schema, Units: make([]Unit, len(g.units)), Ledger: append([]finding.Entry{}, g.ledger...), details: g.details}
	for i, u := range g.units {
		r.Units[i].Name = u
	}
	for _, f := range g.files {
		r.Units[f.unit].Files++
		r.Units[f.unit].Tokens += g.set.Docs[f.doc].Own
	}
	r.Pairs = g.unitPairs(r.Units)
	return r
}

// unitPairs adds the pairs of files up to pairs of units.
func (g *gather) unitPairs(units []Unit) (out []UnitPair) {
	var alone map[[2]int]int
	if !g.single && len(units) > 2 {
		alone = g.tellOthers()
	}
	slices.SortStableFunc(g.pairs, func(x, y Pair) int {
		if c := cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(y.Tokens*(1+x.Others), x.Tokens*(1+y.Others)), cmp.Compare(y.Tokens, x.Tokens)); c != 0 {
			return c // because cmp.Or below would compare the paths of each two for nothing
		}
		return cmp.Or(finding.CompareTrue(x.Equal, y.Equal), cmp.Compare(y.alike(), x.alike()), cmp.Compare(x.A.Path, y.A.Path), cmp.Compare(x.B.Path, y.B.Path))
	})
	shared := g.sharedTokens()
	count := 0
	for i, p := range g.pairs {
		if i == 0 || p.a != g.pairs[i-1].a || p.b != g.pairs[i-1].b {
			count++
		}
	}
	out = make([]UnitPair, 0, count) // a million are more than half of the memory
	for rest := g.pairs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].a == rest[0].a && rest[n].b == rest[0].b {
			n++
		}
		a, b := rest[0].a, rest[0].b
		u := UnitPair{A: units[a].Name, B: units[b].Name, Files: rest[:n:n], Equal: rest[0].Equal, a: a, b: b}
		u.SharedA, u.SharedB = rest[0].A.Shared, rest[0].B.Shared // of one file each
		if !g.single {
			u.SharedA, u.SharedB = shared[[2]int{a, b}], shared[[2]int{b, a}]
		}
		if alone != nil {
			n := alone[[2]int{a, b}]
			u.Alone = &n
		}
		u.ShareA, u.ShareB = share(u.SharedA, units[a].Tokens), share(u.SharedB, units[b].Tokens)
		for _, p := range u.Files {
			u.Bits = finding.Round(u.Bits + p.Bits)
			u.Distinct += p.distinct
			u.Equal = u.Equal && p.Equal
		}
		u.Equal = u.Equal && u.ShareA == 1 && u.ShareB == 1
		out, rest = append(out, u), rest[n:]
	}
	return out
}

// alike says how alike the paths of both sides are: by how many of their last elements agree, most if all do. Of files that match
// equally well, the one of the same path comes first, and then one of the same name.
func (p Pair) alike() int {
	a, b := p.A.Path, p.B.Path
	if a == b {
		return math.MaxInt
	}
	n := 0
	for path.Base(a) == path.Base(b) && a != "" {
		n, a, b = n+1, parentDir(a), parentDir(b)
	}
	return n
}

// parentDir returns the directory of a path, "" if there is none.
func parentDir(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// sharedTokens counts the tokens of one unit that another one has.
func (g *gather) sharedTokens() map[[2]int]int {
	out := make(map[[2]int]int)
	for k, is := range g.shared {
		for _, f := range g.holders.of(k.doc) {
			if u := g.files[f].unit; u != k.unit {
				out[[2]int{u, k.unit}] += match.Length(is)
			}
		}
	}
	return out
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return finding.Round(min(1, float64(part)/float64(whole)))
}
