package similar

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Part is something that was named to be compared: one unit, or as many as it has files.
type Part struct {
	Name    string
	Package *source.Package
	Each    bool // every file is a unit
}

// Options say how parts are compared.
type Options struct {
	Params  fingerprint.Params
	Scan    scanner.Options
	Source  source.Limits
	Base    []string // files and directories of base code
	Filter  Filter
	Ledger  []finding.Entry // what the caller left out
	Sources int             // of so many pairs the source of the matches is kept
	Query   bool            // only what the first unit shares with others is asked for
	Two     bool            // there are two units: work out their sets of k-grams, too
	Exactly bool            // and their parameterized matches
	Maximal bool            // and every run they share
	Common  int             // tokens from which on units that all have some code are listed; 0: not at all
	Reading func(part string, files int)
}

// Compare indexes the parts in an empty directory, compares them with each other, and
// ranks the pairs.
func Compare(ctx context.Context, dir string, parts []Part, o Options) (r *Result, err error) {
	w, err := baseline.OpenWriter(ctx, dir, o.Params)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := w.Close(); err == nil {
			err = cerr
		}
	}()
	ledger, err := index(ctx, w, parts, o)
	if err != nil {
		return nil, err
	}
	g, err := collect(w.Baseline(), parts)
	if err != nil {
		return nil, err
	}
	g.ledger = slices.Concat(o.Ledger, ledger, g.ledger)
	if err := g.compare(ctx, w.Baseline(), &o); err != nil {
		return nil, err
	}
	var common []Common
	if o.Common > 0 {
		if common, err = g.common(w.Baseline(), o.Common, o.Scan.MinTokens); err != nil {
			return nil, err
		}
	}
	r = g.result()
	r.Common = common
	if o.Filter.Sort == BySimilarity {
		if err := g.rank(ctx, r, w.Baseline(), o); err != nil {
			return nil, err
		}
	}
	r.Filter(o.Filter)
	r.Tool.Version = o.Scan.Version
	r.Parameters = Parameters{K: o.Params.K, W: o.Params.W, MinTokens: o.Scan.MinTokens, Sort: o.Filter.Sort}
	if o.Query && len(g.units) > 0 {
		r.Query = g.units[0]
	}
	if err := g.texts(r, w.Baseline(), o.Sources); err != nil {
		return nil, err
	}
	return r, g.two(ctx, r, w.Baseline(), o)
}

// texts keeps the source of the matches of the first pairs.
func (g *gather) texts(r *Result, b *baseline.Baseline, pairs int) error {
	for i := range r.Pairs[:min(pairs, len(r.Pairs))] {
		for j := range r.Pairs[i].Files {
			p := &r.Pairs[i].Files[j]
			x, err := text(b, p.docA)
			if err != nil {
				return err
			}
			y, err := text(b, p.docB)
			if err != nil {
				return err
			}
			for k := range p.Matches {
				m := &p.Matches[k]
				first, last := m.Runs[0], m.Runs[len(m.Runs)-1]
				m.Text = &finding.Sides{Target: examine.NewExcerpt(x, first.StartLine, last.EndLine), Origin: examine.NewExcerpt(y, first.OriginStartLine, last.OriginEndLine)}
			}
		}
	}
	return nil
}

func text(b *baseline.Baseline, id baseline.DocID) ([]byte, error) {
	d, err := b.Doc(id)
	if err != nil {
		return nil, err
	}
	return b.Text(d)
}

// two adds what is told of two units only.
func (g *gather) two(ctx context.Context, r *Result, b *baseline.Baseline, o Options) (err error) {
	if o.Two {
		r.Sets, err = g.sets(ctx, b, o)
	}
	if o.Exactly && err == nil {
		r.Parameterized, err = g.parameterized(b, o)
	}
	if o.Maximal && err == nil {
		r.Maximal, err = g.maximal(b, o)
	}
	return err
}

// index adds the parts as packages of names that keep their order.
func index(ctx context.Context, w *baseline.Writer, parts []Part, o Options) (ledger []finding.Entry, err error) {
	names := make(map[string]string)
	var pkgs []*source.Package
	for i, p := range parts {
		p.Package.PURL = partPURL(i)
		names[p.Package.PURL] = p.Name
		pkgs = append(pkgs, p.Package)
	}
	add := baseline.AddOptions{Workers: max(o.Scan.Workers, 1), Limits: o.Scan.Limits, Source: o.Source}
	add.Skipped = func(s baseline.Skip) {
		ledger = append(ledger, finding.Entry{Path: path.Join(names[s.PURL], s.Path), Reason: s.Reason, Detail: s.Detail})
	}
	if o.Reading != nil {
		add.Progress = func(purl string, files int, _ int64) { o.Reading(names[purl], files) }
	}
	_, err = w.Add(ctx, pkgs, add)
	return ledger, err
}

func partPURL(i int) string { return fmt.Sprintf("pkg:generic/part-%06d", i) }

// collect lists units and files in the order of the parts.
func collect(b *baseline.Baseline, parts []Part) (*gather, error) {
	in, err := b.Info()
	if err != nil {
		return nil, err
	}
	at := make(map[string]int)
	for i := range parts {
		at[partPURL(i)] = i
	}
	each := make([][]file, len(parts))
	for id := range baseline.DocID(in.Documents) {
		d, err := b.Doc(id)
		if err != nil {
			return nil, err
		}
		occs, err := b.Occurrences(d)
		if err != nil {
			return nil, err
		}
		for _, o := range occs {
			i := at[o.PURL]
			each[i] = append(each[i], file{path: o.Path, doc: id})
		}
	}
	units, files := number(parts, each)
	return newGather(units, files), nil
}

// number gives each file its unit. A file that was named twice is one unit.
func number(parts []Part, each [][]file) (units []string, files []file) {
	seen := make(map[string]bool)
	for i, p := range parts {
		sortFiles(each[i])
		if !p.Each {
			units = append(units, p.Name)
		}
		for _, f := range each[i] {
			if p.Each {
				f.path = path.Join(p.Name, f.path)
				if seen[f.path] {
					continue
				}
				seen[f.path] = true
				units = append(units, f.path)
			}
			f.unit = len(units) - 1
			files = append(files, f)
		}
	}
	return units, files
}

// compare asks the scanner for the pairs. It reads the base code.
func (g *gather) compare(ctx context.Context, b *baseline.Baseline, o *Options) (err error) {
	if len(o.Base) > 0 {
		if o.Scan.Sanctioned, err = examine.ReadSanctioned(ctx, o.Base, o.Params); err != nil {
			return err
		}
	}
	s, err := scanner.New([]*baseline.Baseline{b}, o.Scan)
	if err != nil {
		return err
	}
	docs, want := g.docs(), func(x, y baseline.DocID) bool { return x < y && g.apart(x, y) }
	if o.Query {
		docs, want = g.of(0), g.apart
	}
	return s.Pairs(ctx, docs, want, g.take)
}

// of lists the contents of a unit.
func (g *gather) of(unit int) (out []baseline.DocID) {
	for _, d := range g.docs() {
		for _, f := range g.holders[d] {
			if g.files[f].unit == unit {
				out = append(out, d)
				break
			}
		}
	}
	return out
}
