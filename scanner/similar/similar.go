// Package similar ranks pairs. Its input is the matches of the documents of a collection (package collection). Its result has
// the pairs of units that share most, the files and matches of each pair, and the groups that they form.
//
// A unit is a file, or all files of a submission. The share of a unit A in B is Broder's containment, counted on verified tokens
// instead of k-grams: the tokens of A in a match with B, divided by all tokens of A. Base code does not count.
//
//	collect.go   Compare: the order of the steps, from parts to a result
//	similar.go   matches of documents → what is kept of them
//	pairs.go     files of equal content, pairs of files → pairs of units
//	best.go      which pairs of a large collection are proved; shortlist.go: those that may be, in bounded memory
//	rank.go      the similarity of units (package likeness), which also finds pairs without a match
//	alone.go     how much of a pair no third unit has
//	filter.go    which pairs are kept, their order, the groups
//	common.go    sets of units that all have some code
//	two.go       two units: resemblance and containment, all runs, equal or renamed
//	result.go    the result; details.go: its matches on disk; rename.go: without names of units
//	cluster.go   ClusterOf: near-duplicates by sketches, without proof
package similar

import (
	"fmt"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// file is a file of a unit.
type file struct {
	unit int
	path string
	doc  collection.ID // its content; files of equal content have the same ID
}

// gather collects the comparisons of the documents of a collection.
type gather struct {
	set     *collection.Set
	o       *Options
	units   []string
	files   []file
	holders contentFiles              // the files of each content; none for a content that is left out
	copies  map[collection.ID][]int32 // further files of a content that its first file represents
	unit    []int32                   // by content: its unit, or several
	found   []found                   // of contents of which one has several files
	most    int                       // files of one content that are all paired
	pairs   []Pair
	single  bool                        // each unit is one file
	shared  map[inUnit][]match.Interval // nil if each unit is one file: then pairs has it
	ledger  []finding.Entry
	said    map[string]string // details of the ledger: a million files have the same few
	details *details
}

// contentFiles has the files of each content, in a list for all: lists of their own take five times the memory.
type contentFiles struct {
	files []int32 // by content
	from  []int32 // by content: the first of its files
	n     []int32 // by content: how many
}

func newContentFiles(docs int, files []file) contentFiles {
	h := contentFiles{make([]int32, len(files)), make([]int32, docs), make([]int32, docs)}
	for _, f := range files {
		h.n[f.doc]++
	}
	sum := int32(0)
	for d, n := range h.n {
		h.from[d], sum = sum, sum+n
		h.n[d] = 0
	}
	for i, f := range files {
		h.files[h.from[f.doc]+h.n[f.doc]] = int32(i)
		h.n[f.doc]++
	}
	return h
}

// of returns the files of a content, ascending.
func (h *contentFiles) of(d collection.ID) []int32 {
	end := h.from[d] + h.n[d]
	return h.files[h.from[d]:end:end]
}

// any reports whether a content has files.
func (h *contentFiles) any(d collection.ID) bool { return h.n[d] > 0 }

// cut keeps the first n files of a content.
func (h *contentFiles) cut(d collection.ID, n int32) { h.n[d] = n }

// represent lets the first file of a content represent the others.
func (g *gather) represent(d collection.ID, files []int32) {
	g.holders.cut(d, 1)
	g.copies[d] = files[1:]
}

// several replaces the unit of a content that more than one unit has.
const several = -1

// inUnit is the key of the part of a content that a unit has.
type inUnit struct {
	doc  collection.ID
	unit int
}

func newGather(set *collection.Set, units []string, files []file, o *Options) *gather {
	g := &gather{set: set, o: o, units: units, files: files, holders: newContentFiles(len(set.Docs), files), unit: make([]int32, len(set.Docs)), single: oneEach(units, files), copies: make(map[collection.ID][]int32), said: make(map[string]string)}
	if !g.single || o.Common > 0 {
		g.shared = make(map[inUnit][]match.Interval)
	}
	for d := range collection.ID(len(set.Docs)) {
		files := g.holders.of(d)
		us := g.unitsOf(files)
		switch {
		case len(us) == 1:
			g.unit[d] = int32(us[0])
		case len(us) > maxHolders && g.single && !g.ranksAll():
			g.ledger = append(g.ledger, finding.Entry{Path: g.show(files[0]), Reason: finding.ReasonCommon,
				Detail: fmt.Sprintf("%d files have the same content; what it shares with others is told of this one", len(us))})
			g.represent(d, files)
			g.unit[d] = int32(g.files[files[0]].unit)
		case len(us) > maxHolders && !g.single && !o.Query:
			g.ledger = append(g.ledger, finding.Entry{Path: g.show(files[0]), Reason: finding.ReasonCommon,
				Detail: fmt.Sprintf("%d units hold a file of the same content; it is left out", len(us))})
			g.holders.cut(d, 0)
		default:
			g.unit[d] = several
		}
	}
	return g
}

// oneEach reports whether each unit is one file. A unit without files may make up for one that has two.
func oneEach(units []string, files []file) bool {
	for i, f := range files {
		if f.unit != i {
			return false
		}
	}
	return len(units) == len(files)
}

// ranksAll reports whether all pairs of units are compared anyway, or only those of one unit.
func (g *gather) ranksAll() bool {
	return g.o.Query || g.o.Filter.Sort == BySimilarity && len(g.units) <= rankedUpTo
}

// docs lists the contents that are compared.
func (g *gather) docs() (out []collection.ID) {
	for d := range collection.ID(len(g.set.Docs)) {
		if g.holders.any(d) {
			out = append(out, d)
		}
	}
	return out
}

// unitsOf lists the units of files.
func (g *gather) unitsOf(files []int32) []int {
	var us []int
	for _, f := range files {
		us = append(us, g.files[f].unit)
	}
	slices.Sort(us)
	return slices.Compact(us)
}

// show returns the name of a file in the output.
func (g *gather) show(i int32) string { return shown(g.units[g.files[i].unit], g.files[i].path) }

func shown(unit, file string) string {
	if unit == file {
		return file
	}
	return path.Join(unit, file)
}

// inDifferentUnits reports whether two contents are in different units.
func (g *gather) inDifferentUnits(a, b collection.ID) bool {
	return g.holders.any(a) && g.holders.any(b) && (g.unit[a] != g.unit[b] || g.unit[a] == several)
}

// keeps reports whether a pair of contents is to be judged. If each unit is one file, everything that can leave a pair out is
// known.
func (g *gather) keeps(a collection.ID, p *collection.Pair) bool {
	f := g.o.Filter
	if !g.single || g.o.Common > 0 || f.Sort == BySimilarity {
		return true
	}
	return f.fits(g.set.Docs[a].Own, g.set.Docs[p.ID].Own) && g.shares(a, p) >= f.Share && max(match.Length(p.Target), match.Length(p.Origin)) >= f.tokens()
}

// shares returns the larger of the two shares of a pair of contents.
func (g *gather) shares(a collection.ID, p *collection.Pair) float64 {
	return max(share(match.Length(p.Target), g.set.Docs[a].Own), share(match.Length(p.Origin), g.set.Docs[p.ID].Own))
}

// take adds the code that a document shares with others.
func (g *gather) take(c collection.Compared) error {
	g.note(c.ID, c.Ledger...)
	g.equal(c.ID)
	return g.proved(c)
}

// maxSaid bounds the details that are kept to be used again.
const maxSaid = 1 << 16

// note adds parts of a content that were not compared to the ledger.
func (g *gather) note(id collection.ID, es ...finding.Entry) {
	for _, e := range es {
		e.Path = g.show(g.holders.of(id)[0])
		if have, ok := g.said[e.Detail]; ok {
			e.Detail = have
		} else if len(g.said) < maxSaid {
			g.said[e.Detail] = e.Detail
		}
		g.ledger = append(g.ledger, e)
	}
}

// proved adds the pairs of a document.
func (g *gather) proved(c collection.Compared) error {
	for _, p := range c.Pairs {
		out := Pair{A: Side{Tokens: g.set.Docs[c.ID].Own}, B: Side{Tokens: g.set.Docs[p.ID].Own}}
		for _, m := range p.Matches {
			out.Tokens += m.Tokens
		}
		out.distinct = p.Distinct
		out.A.Shared, out.B.Shared = match.Length(p.Target), match.Length(p.Origin)
		if !g.bare() {
			if err := g.weigh(&out, p.Matches); err != nil {
				return err
			}
		}
		if files, others := g.holders.of(c.ID), g.holders.of(p.ID); len(files) == 1 && len(others) == 1 {
			g.pair(files[0], others[0], out, p.Target, p.Origin)
			continue
		}
		g.found = append(g.found, found{c.ID, p.ID, out, p.Target, p.Origin})
	}
	return nil
}

// weigh adds up the bits of the matches of a pair, and keeps them.
func (g *gather) weigh(p *Pair, ms []collection.Match) (err error) {
	for _, m := range ms {
		p.Bits = finding.Round(p.Bits + m.Evidence.Bits)
	}
	if g.o.Totals {
		return nil
	}
	matches := make([]Match, 0, len(ms))
	for _, m := range ms {
		matches = append(matches, matchOf(m))
	}
	p.kept, err = g.details.keep(matches)
	return err
}
