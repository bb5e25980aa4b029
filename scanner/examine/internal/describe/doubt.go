package describe

import (
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// doubted reports whether the finding at i is seldom a copy, and nothing makes it credible: neither a finding beside it nor a statement of
// the target that it copied this code. Below the default of --min-score matches that are no findings are listed too.
func (d *Describer) doubted(all []Found, i int, c region.Candidate) (bool, error) {
	f, best := all[i], c.FoundBy().Proof
	if d.MinScore < score.Enough || f.Score >= score.Certain || f.copied {
		return false, nil
	}
	if d.Plain() {
		return score.DoubtedPlain(f.Score), nil
	}
	name, namesake := d.regions.Namesake(best)
	switch {
	case score.Doubted(f.Score, c.Evidence.Share()) && !accompanied(all, i, companion) && !namesake:
		return true, nil
	case accompanied(all, i, score.Credible):
		return false, nil
	case namesake && len(best.Doc.Undeclares([]string{name})) == 0:
		return false, nil // a function of its own
	}
	return d.borrowed(f, c)
}

// companion is the score of a finding that makes others of its package in the same text credible.
const companion = 0.5

// accompanied reports whether a finding beside the one at i has code of the same package, and at least the given score.
func accompanied(all []Found, i int, least float64) bool {
	name := purl.Name(all[i].Origins[0].PURL)
	for k, o := range all {
		if k != i && o.Score >= least && purl.Name(o.Origins[0].PURL) == name {
			return true
		}
	}
	return false
}

// Two programs that call one library, or extend one host, write its names in the order in which it wants them. They declare
// none of them. A program that was copied has names of its own: functions, variables, fields. A function that is copied under its rare
// name, and is no override, is one of them.

// borrowed reports whether a finding has too few bits once some names count like those of a platform: names that the origin's package
// does not declare, and names that both sides import. The package is read only if the finding depends on it. The names that the target declares do not
// matter: if only the target declares them, the origin calls it, or both implement one interface.
func (d *Describer) borrowed(f Found, c region.Candidate) (bool, error) {
	best := c.FoundBy()
	r, err := d.regions.Readings(best.Proof)
	if err != nil {
		return false, err
	}
	weigh := func(r score.Readings) float64 {
		if best.Evidence.Derived {
			return d.Derived.Weigh(d.Weights, r).Bits
		}
		return d.Weights.Weigh(r).Bits
	}
	bits := weigh(r)
	brought, names := d.brought(best.Proof, r.Owned(d.Weights))
	above := func(names []string) float64 {
		return f.above - (bits - weigh(r.AsPlatform(slices.Concat(brought, names))))
	}
	switch {
	case score.DoubtedImports(f.Score, above(nil)):
		return true, nil
	case f.Score >= score.Credible:
		return false, nil
	}
	inUse, err := d.regions.InUse(best.Proof)
	if err != nil {
		return false, err
	}
	used, names := divide(names, func(name string) bool { return inUse[name] })
	brought = append(brought, used...)
	enoughWith := func(names []string) bool { return above(names) >= 0 }
	if names = best.Doc.Undeclares(names); enoughWith(names) {
		return false, nil
	}
	if !enoughWith(nil) {
		return true, nil
	}
	names, err = best.Doc.Undeclared(f.Origins[0].PURL, names, enoughWith)
	return err == nil && !enoughWith(names), err
}

// brought divides names into those that both sides import from one place, or that belong to such a name on either side, and all others.
func (d *Describer) brought(p evidence.Proof, names []string) (out, rest []string) {
	both := imports.Both(d.Language, d.Clauses(), p.Doc.Clauses())
	if len(both) == 0 {
		return nil, names
	}
	toks := p.Doc.Stream.All()
	theirs := imports.Theirs(d.Text, d.Tokens, both)
	maps.Copy(theirs, imports.Theirs(p.Doc.Text(), toks, both))
	return divide(names, func(name string) bool { return theirs[name] })
}

// divide divides names into those that are of a kind and all others.
func divide(names []string, of func(name string) bool) (in, out []string) {
	for _, name := range names {
		if of(name) {
			in = append(in, name)
		} else {
			out = append(out, name)
		}
	}
	return in, out
}
