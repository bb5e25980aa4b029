package similar

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Part is an argument of the comparison: one unit, or one unit for each of its files.
type Part struct {
	Name    string
	Package *source.Package
	Each    bool // every file is a unit
	File    bool // it is one file, of this name
}

// called returns the name of a file of a part in the output.
func (p Part) called(file string) string {
	if p.File {
		return p.Name
	}
	return files.Below(p.Name, file)
}

// Options say how parts are compared.
type Options struct {
	Params        fingerprint.Params
	Scan          scanner.Options
	BaseCode      []string // files and directories of base code
	Filter        Filter
	Ledger        []finding.Entry // files that the caller left out
	Sources       int             // for how many pairs the source of the matches is kept, within pairSource and averageSource
	Query         bool            // compare only the first unit with the others
	Two           bool            // there are two units: compare their sets of k-grams too
	Parameterized bool            // compare their parameterized matches too
	Maximal       bool            // list every run that they share too
	Pairs         int             // with more than provedUpTo files, the number of pairs to prove: the best, and those that link groups; 0: all pairs
	Listed        int             // how many pairs are shown at most, the first ones; others may have neither bits nor matches. 0: all
	Totals        bool            // nobody asks for the matches of a pair, only for their tokens and bits
	Common        int             // list sets of units that all share at least that many tokens; 0: none
	Reading       func(part string, files int)
}

// Compare reads the parts, compares them with each other, and ranks the pairs. It writes texts and matches to dir, which need
// not exist. Close the result before dir is removed.
func Compare(ctx context.Context, dir string, parts []Part, o Options) (r *Result, err error) {
	if len(o.BaseCode) > 0 {
		if o.Scan.BaseCode, err = basecode.Read(ctx, o.BaseCode, o.Params); err != nil {
			return nil, err
		}
	}
	var ledger []finding.Entry
	set, err := read(ctx, dir, parts, o, &ledger)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	units, files := number(parts, set, o)
	set.Files = nil
	g := newGather(set, units, files, &o)
	if g.details, err = newDetails(dir); err != nil {
		return nil, err
	}
	g.ledger = slices.Concat(o.Ledger, ledger, g.ledger)
	if r, err = g.all(ctx); err != nil {
		return nil, errors.Join(err, g.details.Close())
	}
	return r, nil
}

// read reads the parts. It adds files that are left out to the ledger.
func read(ctx context.Context, dir string, parts []Part, o Options, ledger *[]finding.Entry) (*collection.Set, error) {
	var ps []collection.Part
	for _, p := range parts {
		ps = append(ps, collection.Part{Name: p.Name, Package: p.Package})
	}
	return collection.Read(ctx, dir, ps, collection.Options{Params: o.Params, MinTokens: o.Scan.MinTokens, Workers: o.Scan.Workers, BaseCode: o.Scan.BaseCode,
		Reading: o.Reading, Comparing: o.Scan.Progress,
		Skipped: func(part int, e finding.Entry) {
			e.Path = parts[part].called(e.Path)
			*ledger = append(*ledger, e)
		}})
}

// all compares and ranks, and adds what the options ask for.
func (g *gather) all(ctx context.Context) (*Result, error) {
	o := g.o
	if err := g.compare(ctx); err != nil {
		return nil, err
	}
	if err := g.weighEqual(ctx); err != nil {
		return nil, err
	}
	g.list()
	l := g.set.NewLoader()
	defer l.Close()
	var common []Common
	if o.Common > 0 {
		var err error
		if common, err = g.common(l, o.Common, o.Scan.MinTokens); err != nil {
			return nil, err
		}
	}
	r := g.result()
	r.Common = common
	if o.Filter.Sort == BySimilarity {
		if err := g.rank(ctx, r, l); err != nil {
			return nil, err
		}
	}
	r.Filter(o.Filter)
	if g.bare() {
		if err := g.judge(ctx, r.Pairs[:min(o.Listed, len(r.Pairs))]); err != nil {
			return nil, err
		}
	}
	r.Tool.Version = o.Scan.Version
	r.Parameters = Parameters{K: o.Params.K, W: o.Params.W, MinTokens: o.Scan.MinTokens, Sort: o.Filter.Sort}
	if o.Query && len(g.units) > 0 {
		r.Query = g.units[0]
	}
	if err := g.texts(r, l, o.Sources); err != nil {
		return nil, err
	}
	return r, g.two(ctx, r, l)
}

// Two trees have thousands of pairs of files. A page with the source of them all does not open in a browser.
const (
	pairSource    = 1 << 20  // bytes of source from which on no other pair of files of a pair has its source
	averageSource = 20 << 10 // the same, over all pairs: for each that was asked for
)

// texts stores the source of the matches of the first pairs, and the files of those that are similar without a match.
func (g *gather) texts(r *Result, l *collection.Loader, pairs int) error {
	left := min(pairs, math.MaxInt/averageSource) * averageSource
	for i := range r.Pairs[:min(pairs, len(r.Pairs))] {
		room := min(left, pairSource)
		left -= room
		if len(r.Pairs[i].Files) == 0 {
			n, err := g.beside(&r.Pairs[i], l, room)
			if err != nil {
				return err
			}
			room -= n
		}
		for j := range r.Pairs[i].Files {
			if room <= 0 {
				break
			}
			p := &r.Pairs[i].Files[j]
			if err := r.load(p); err != nil {
				return err
			}
			n, err := excerpts(p, l)
			if err != nil {
				return err
			}
			room -= n
		}
		left += room
	}
	return nil
}

// excerpts stores the source of the matches of two files. It returns the size of the source in bytes.
func excerpts(p *Pair, l *collection.Loader) (size int, err error) {
	if len(p.Matches) == 0 {
		return 0, nil
	}
	x, err := l.Load(p.docA)
	if err != nil {
		return 0, err
	}
	y, err := l.Load(p.docB)
	if err != nil {
		return 0, err
	}
	for k := range p.Matches {
		m := &p.Matches[k]
		first, last := m.Runs[0], m.Runs[len(m.Runs)-1]
		m.Text = &finding.Sides{Target: finding.NewExcerpt(x.Text, first.StartLine, last.EndLine), Origin: finding.NewExcerpt(y.Text, first.OriginStartLine, last.OriginEndLine)}
		size += sizeOf(m.Text.Target) + sizeOf(m.Text.Origin)
	}
	return size, nil
}

// number gives each file its unit. A file that was named twice is one unit. If two parts are compared, each part is a unit,
// even without files. If the query is one unit, it is the first part, and its files form no units of their own.
func number(parts []Part, set *collection.Set, o Options) (units []string, files []file) {
	seen := make(map[string]bool)
	rest := set.Files
	units, files = make([]string, 0, len(parts)), make([]file, 0, len(rest))
	if slices.ContainsFunc(parts, func(p Part) bool { return p.Each }) {
		units = make([]string, 0, len(parts)+len(rest))
	}
	for i, p := range parts {
		own := 0
		for own < len(rest) && int(rest[own].Part) == i {
			own++
		}
		whole := !p.Each || o.Two || o.Query && i == 0
		if whole {
			units, seen[p.Name] = append(units, p.Name), p.File
		}
		for _, f := range rest[:own] {
			f := file{path: f.Path, doc: f.Doc}
			if at := p.called(f.path); p.Each || p.File {
				f.path = at
			} else if o.Query && i == 0 {
				seen[at] = true
			}
			if !whole {
				if seen[f.path] {
					continue
				}
				seen[f.path] = true
				units = append(units, f.path)
			}
			f.unit = len(units) - 1
			files = append(files, f)
		}
		rest = rest[own:]
	}
	return units, files
}

// compare compares the contents of different units.
func (g *gather) compare(ctx context.Context) error {
	q := collection.Query{Docs: g.docs(), Want: g.inDifferentUnits, Keep: g.keeps, Bare: g.bare(), Bits: g.o.Totals}
	if g.o.Query {
		q.Docs, q.All = g.of(0), true
	}
	if g.bounded() {
		return g.best(ctx, q)
	}
	return g.set.Compare(ctx, q, g.take)
}

// of lists the contents of a unit that take part.
func (g *gather) of(unit int) (out []collection.ID) {
	for _, f := range g.files {
		if f.unit == unit && g.holders.any(f.doc) {
			out = append(out, f.doc)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
