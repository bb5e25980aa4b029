package describe

import (
	"iter"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// doubts tells which findings of a text are doubted: seldom a copy, and nothing makes them credible, neither a finding beside them nor a
// statement of the target that it copied this code.
type doubts struct {
	*Describer
	found   []Found
	splits  []origins.Split                // of the findings
	names   []string                       // the package of each finding
	of      map[string][]int               // the findings of each package
	resting map[int]bool                   // findings that rest on the names of others by themselves, as far as was asked
	theirs  map[lookup.Key]map[string]bool // by document: the names that are others', as far as was asked
}

func newDoubts(d *Describer, found []Found, splits []origins.Split) *doubts {
	out := &doubts{Describer: d, found: found, splits: splits, of: make(map[string][]int), resting: make(map[int]bool), theirs: make(map[lookup.Key]map[string]bool)}
	for i, f := range found {
		name := purl.Name(f.Origins[0].PURL)
		out.names, out.of[name] = append(out.names, name), append(out.of[name], i)
	}
	return out
}

// doubted reports whether the finding at i is doubted. Below the default of --min-score matches that are no findings are listed too.
func (d *doubts) doubted(i int) (bool, error) {
	f, c := d.found[i], d.splits[i].Candidate
	if d.MinScore < score.Enough || f.copied || min(f.Score, f.alone.score) >= score.Certain {
		return false, nil
	}
	if d.Plain() {
		return score.DoubtedPlain(f.Score), nil
	}
	if d.IsNumbers(c.Best.Runs) && score.DoubtedTable(f.FileShare) && !d.accompanied(i, companion) {
		return true, nil
	}
	if score.Doubted(f.Score, c.Evidence.Share()) && !d.accompanied(i, companion) {
		if _, namesake := d.regions.Namesake(c.FoundBy().Proof); !namesake {
			return true, nil
		}
	}
	if !d.accompanied(i, score.Credible) {
		return d.rests(i, grounds{f.Score, f.above})
	}
	for k := range d.beside(i, score.Credible) {
		if d.found[k].alone.score < companion {
			continue
		}
		if rests, err := d.restsAlone(k); err != nil || !rests {
			return false, err
		}
	}
	return d.restsAlone(i)
}

// restsAlone reports whether the finding at i rests on the names of others if the findings beside it say nothing. Calls of one library
// at two places of a file support each other, but are no better for it.
func (d *doubts) restsAlone(i int) (bool, error) {
	if rests, known := d.resting[i]; known {
		return rests, nil
	}
	rests, err := d.rests(i, d.found[i].alone)
	d.resting[i] = rests
	return rests, err
}

// rests reports whether the finding at i rests on the names of others.
func (d *doubts) rests(i int, by grounds) (bool, error) {
	if by.score >= score.Certain {
		return false, nil
	}
	best := d.splits[i].Candidate.FoundBy().Proof
	if name, namesake := d.regions.Namesake(best); namesake && len(best.Doc.Undeclares([]string{name})) == 0 {
		return false, nil // a function of its own
	}
	return d.borrowed(i, by)
}

// companion is the score of a finding that makes others of its package in the same text credible.
const companion = 0.5

// beside yields the findings beside the one at i that have code of the same package, and at least the given score. A text may have
// thousands of findings of one package, so callers end early.
func (d *doubts) beside(i int, least float64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, k := range d.of[d.names[i]] {
			if k != i && d.found[k].Score >= least && !yield(k) {
				return
			}
		}
	}
}

// accompanied reports whether beside yields a finding.
func (d *doubts) accompanied(i int, least float64) bool {
	for range d.beside(i, least) {
		return true
	}
	return false
}

// Two programs that call one library, or extend one host, write its names in the order in which it wants them. They declare
// none of them. A program that was copied has names of its own: functions, variables, fields. A function that is copied under its rare
// name, and is no override, is one of them.

// borrowed reports whether a finding has too few bits once some names count like those of a platform: names that the origin's package
// does not declare, and names that both sides import. The package is read only if the finding depends on it. The names that the target declares do not
// matter: if only the target declares them, the origin calls it, or both implement one interface.
func (d *doubts) borrowed(i int, by grounds) (bool, error) {
	best := d.splits[i].Candidate.FoundBy()
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
	theirs := d.namesOfOthers(best.Doc)
	brought, names := divide(r.Owned(d.Weights), func(name string) bool { return theirs[name] })
	above := func(names []string) float64 {
		return by.above - (bits - weigh(r.AsPlatform(slices.Concat(brought, names))))
	}
	switch {
	case score.DoubtedImports(by.score, above(nil)):
		return true, nil
	case by.score >= score.Credible:
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
	names, err = best.Doc.Undeclared(d.found[i].Origins[0].PURL, names, enoughWith)
	return err == nil && !enoughWith(names), err
}

// namesOfOthers returns the names that both sides import from one place, and those that belong to such a name on either side. It reads
// all of both texts, so it does that once for a document.
func (d *doubts) namesOfOthers(doc *library.Document) map[string]bool {
	theirs, known := d.theirs[doc.Key]
	if known {
		return theirs
	}
	if both := imports.Both(d.Language, d.Clauses(), doc.Clauses()); len(both) > 0 {
		theirs = imports.Theirs(d.Text, d.Tokens, both)
		maps.Copy(theirs, imports.Theirs(doc.Text(), doc.Stream.All(), both))
	}
	d.theirs[doc.Key] = theirs
	return theirs
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
