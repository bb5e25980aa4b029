package describe

import (
	"iter"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// A doubted match has the bits of a finding, but is seldom a copy, and is not reported. "Doubted matches" in docs/SCORE.md has the rules
// and their figures. Plain text is doubted by its score. Code is doubted for one of three reasons:
//
//	table            it is a table of numbers, and little of the file
//	littleOrder      its names agree and it scores low: both sides follow one interface or standard
//	namesOfOthers    it has too few bits without the names of others: both sides call one library, or extend one host
//
// Names of others are names that the origin's package does not declare, and names that both sides import or use. A copy has names of its own:
// functions, variables, fields. Code that is copied under a rare function name of its own needs no other names.

// doubts tells which findings of a text are doubted.
type doubts struct {
	text         *text.Examined
	judge        *evidence.Judge
	found        []Found
	divided      []origins.Divided              // of the findings
	packages     []string                       // of the findings
	ofPackage    map[string][]int               // the findings of each package
	unsupported  map[int]bool                   // the answers of needsNamesUnsupported
	importedBoth map[lookup.Key]map[string]bool // the answers of namesImportedByBoth
}

func newDoubts(t *text.Examined, j *evidence.Judge, found []Found, divided []origins.Divided) *doubts {
	out := &doubts{text: t, judge: j, found: found, divided: divided, ofPackage: make(map[string][]int), unsupported: make(map[int]bool), importedBoth: make(map[lookup.Key]map[string]bool)}
	for i, f := range found {
		name := purl.Name(f.Origins[0].PURL)
		out.packages, out.ofPackage[name] = append(out.packages, name), append(out.ofPackage[name], i)
	}
	return out
}

// doubted reports whether the finding at i is doubted. It is not if the target says that it copied the code, or if the score is
// certain without support from other findings. With a --min-score below the default nothing is doubted: the user asked for weak
// matches.
func (d *doubts) doubted(i int) (bool, error) {
	f := d.found[i]
	switch {
	case d.text.Rules.MinScore < score.Enough || f.copied || min(f.Score, f.unsupported.score) >= score.Certain:
		return false, nil
	case d.text.Plain():
		return score.DoubtedPlain(f.Score), nil
	case d.table(i) || d.littleOrder(i):
		return true, nil
	}
	return d.namesOfOthers(i)
}

// companion is the score of a finding that makes others of its package in the same text credible.
const companion = 0.5

// table reports whether the finding at i is a table of numbers that a standard may fix.
func (d *doubts) table(i int) bool {
	return d.text.IsTableInCode(d.divided[i].Candidate.Best.Runs) && score.DoubtedTable(d.found[i].FileShare) && !d.accompanied(i, companion)
}

// littleOrder reports whether the finding at i agrees in names, but hardly in order.
func (d *doubts) littleOrder(i int) bool {
	c := d.divided[i].Candidate
	if !score.Doubted(d.found[i].Score, c.Evidence.Share()) || d.accompanied(i, companion) {
		return false
	}
	_, namesake := d.judge.Namesake(c.FoundBy().Proof)
	return !namesake
}

// namesOfOthers reports whether the finding at i needs the names of others, and so does every other finding that could make it credible.
func (d *doubts) namesOfOthers(i int) (bool, error) {
	if !d.accompanied(i, score.Credible) {
		return d.needsNames(i, strength{d.found[i].Score, d.found[i].above})
	}
	for k := range d.beside(i, score.Credible) {
		if d.found[k].unsupported.score < companion {
			continue
		}
		if needs, err := d.needsNamesUnsupported(k); err != nil || !needs {
			return false, err
		}
	}
	return d.needsNamesUnsupported(i)
}

// needsNamesUnsupported reports whether the finding at i needs the names of others if no other finding supports it. Calls of one library
// at two places of a file support each other, but are no better for it.
func (d *doubts) needsNamesUnsupported(i int) (bool, error) {
	if needs, known := d.unsupported[i]; known {
		return needs, nil
	}
	needs, err := d.needsNames(i, d.found[i].unsupported)
	d.unsupported[i] = needs
	return needs, err
}

// needsNames reports whether the finding at i needs the names of others.
func (d *doubts) needsNames(i int, by strength) (bool, error) {
	if by.score >= score.Certain {
		return false, nil
	}
	best := d.divided[i].Candidate.FoundBy().Proof
	if name, namesake := d.judge.Namesake(best); namesake && len(best.Doc.Undeclares([]string{name})) == 0 {
		return false, nil // a function of its own
	}
	return d.tooFewWithoutNames(i, by)
}

// beside yields the other findings that have code of the same package as finding i, and at least the given score. A text may have
// thousands of findings of one package, so callers end early.
func (d *doubts) beside(i int, least float64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, k := range d.ofPackage[d.packages[i]] {
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

// tooFewWithoutNames reports whether a finding has too few bits if the names of others count like names of a platform. It finds
// these names in steps, the costly ones last: the package is read only if the decision depends on it. A name that only the target
// declares is a name of others too: then the origin calls the target, or both implement one interface.
func (d *doubts) tooFewWithoutNames(i int, by strength) (bool, error) {
	best := d.divided[i].Candidate.FoundBy()
	r, err := d.judge.Readings(best.Proof)
	if err != nil {
		return false, err
	}
	weigh := func(r score.Readings) float64 {
		if best.Evidence.Derived {
			return d.text.Rules.Derived.Weigh(d.text.Rules.Weights, r).Bits
		}
		return d.text.Rules.Weights.Weigh(r).Bits
	}
	bits := weigh(r)
	imported := d.namesImportedByBoth(best.Doc)
	others, rest := divide(r.Owned(d.text.Rules.Weights), func(name string) bool { return imported[name] })
	aboveWithout := func(names []string) float64 { // also without the names of others that are known so far
		return by.above - (bits - weigh(r.AsPlatform(slices.Concat(others, names))))
	}
	switch {
	case score.DoubtedImports(by.score, aboveWithout(nil)):
		return true, nil
	case by.score >= score.Credible:
		return false, nil
	}
	inUse, err := d.judge.InUse(best.Proof)
	if err != nil {
		return false, err
	}
	used, rest := divide(rest, func(name string) bool { return inUse[name] })
	others = append(others, used...)
	enoughWithout := func(names []string) bool { return aboveWithout(names) >= 0 }
	if rest = best.Doc.Undeclares(rest); enoughWithout(rest) {
		return false, nil
	}
	if !enoughWithout(nil) {
		return true, nil
	}
	rest, err = best.Doc.Undeclared(d.found[i].Origins[0].PURL, rest, enoughWithout)
	return err == nil && !enoughWithout(rest), err
}

// namesImportedByBoth returns the names that both sides import from one place, and the names of either side that belong to them,
// such as methods. It reads both texts as a whole, so the answer for a document is kept.
func (d *doubts) namesImportedByBoth(doc *documents.Document) map[string]bool {
	names, known := d.importedBoth[doc.Key]
	if known {
		return names
	}
	if both := imports.Both(d.text.Language, d.text.Clauses(), doc.Clauses()); len(both) > 0 {
		names = imports.Theirs(d.text.Text, d.text.Tokens, both)
		maps.Copy(names, imports.Theirs(doc.Text(), doc.Stream.All(), both))
	}
	d.importedBoth[doc.Key] = names
	return names
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
