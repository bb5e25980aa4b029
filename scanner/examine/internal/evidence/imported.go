package evidence

import (
	"maps"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// Programs that use a package write the names that it exports, and so do the package's own tests. Two tables of messages may agree
// in little else. So a name is no evidence if the target gets it by importing the origin's package. The same holds for a name that
// the package fixes: a field of its types, an option, a method of its interfaces. Two implementations of one interface agree in
// these names.

// withoutImportedNames sets the bits of names to 0 that the target imports from the package of a document. It reports whether the
// target imports that package.
func (j *Judge) withoutImportedNames(r *score.Readings, p Proof) (used bool, err error) {
	if len(j.text.Imports())+len(j.text.Clauses().Paths) == 0 {
		return false, nil
	}
	occs, err := p.Doc.Occurrences()
	if err != nil {
		return false, err
	}
	if called, used := j.calledNames(p, occs); used {
		r.Discount(called)
		return true, nil
	}
	bound := j.boundBy(occs)
	used = len(bound) > 0
	asked := j.asked(bound)
	if fixed := within(asked, p); fixed != nil {
		*r = score.ReadBeside(j.text.CountedSide(), match.Side{Text: p.Doc.Text(), Blocks: p.Doc.Stream}, p.Match, fixed, j.text.Costs())
	}
	var headers []string
	var shared map[string]bool
	if p.Derived {
		j.bindShared(bound, p.Doc)
		headers = j.sharedHeaders(p.Doc)
		shared = j.sharedNames(p, occs)
	}
	if len(bound)+len(headers)+len(shared) > 0 {
		names := j.boundNames(p, bound, headers)
		maps.Copy(names, shared)
		for _, m := range asked {
			names[string(j.text.TextAt(uint32(m.Name)))] = true
		}
		r.Discount(names)
	}
	return used, nil
}

// boundBy returns the names that the target's imports of some packages bind.
func (j *Judge) boundBy(occs []baseline.Occurrence) map[string]bool {
	bound := map[string]bool{}
	for _, o := range occs {
		u, err := purl.Parse(o.PURL)
		if err != nil {
			continue
		}
		for _, c := range j.text.Imports() {
			if !c.Of(u) {
				continue
			}
			for _, name := range c.Names {
				bound[name] = true
			}
		}
	}
	return bound
}

// asked lists the methods of the target that an imported interface or base class may require.
func (j *Judge) asked(bound map[string]bool) (out []imports.Method) {
	if len(bound) == 0 {
		return nil
	}
	known := make(map[*string]bool) // methods of one type or class share a list
	for _, m := range j.text.FixedNames().Methods {
		is, met := known[&m.Of[0]]
		if !met {
			is = slices.ContainsFunc(m.Of, func(name string) bool { return bound[name] })
			known[&m.Of[0]] = is
		}
		if is {
			out = append(out, m)
		}
	}
	return out
}

// within marks the matched tokens that are in the signatures of methods, which ascend. It returns nil if none is.
func within(ms []imports.Method, p Proof) (in []bool) {
	n := 0
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			at := sort.Search(len(ms), func(k int) bool { return int(i) < ms[k].To })
			if at < len(ms) && ms[at].From <= int(i) {
				if in == nil {
					in = make([]bool, p.Tokens())
				}
				in[n] = true
			}
			n++
		}
	}
	return in
}

// bindShared adds the names under which the target imports packages that the document imports too. These names, and the names after
// them and a dot, only show that both sides use one package. It is called for alignments only: other matches have other evidence.
func (j *Judge) bindShared(bound map[string]bool, d *documents.Document) {
	there := d.Imports()
	for _, c := range j.text.Imports() {
		if c.Path != "" && !c.Relative() && slices.ContainsFunc(there, func(o imports.Import) bool { return o.Path == c.Path }) {
			for _, name := range c.Names {
				bound[name] = true
			}
		}
	}
}

// sharedNames lists the names of a match that belong to what both sides import, or to what the target imports and the document
// declares, in languages whose import paths are names. A name that the target declares is its own.
func (j *Judge) sharedNames(p Proof, occs []baseline.Occurrence) map[string]bool {
	clauses := j.text.Clauses()
	if len(clauses.Paths) == 0 {
		return nil
	}
	imported, there := imports.SharedNames(j.text.Language, clauses, p.Doc.Clauses()), p.Doc.Declared()
	for _, c := range clauses.Paths {
		for _, name := range c.Names {
			if there[name] && slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return imports.Within(j.text.Language, c, o.Path) }) {
				imported[name] = true
			}
		}
	}
	if len(imported) == 0 {
		return nil
	}
	const before = 256 // tokens in front of a match that a chain may begin in
	names, here := imports.Members(j.text.Text, j.text.Tokens[p.From-min(p.From, before):p.To], imported), j.text.Declared()
	for name := range names {
		if !imported[name] && here[name] {
			delete(names, name)
		}
	}
	return names
}

// sharedHeaders lists the library headers that both the target and the document include. The document may be another user of
// the library or a part of it.
func (j *Judge) sharedHeaders(d *documents.Document) (out []string) {
	there := d.Imports()
	for _, h := range imports.Headers(j.text.Language, j.text.Imports()) {
		if imports.Includes(there, h) {
			out = append(out, h)
		}
	}
	return out
}

// boundNames lists the names of a match that belong to an import: an import binds them, they follow such a name and a dot, an
// imported name fixes them, or a header declares them.
func (j *Judge) boundNames(p Proof, bound map[string]bool, headers []string) map[string]bool {
	text := func(i uint32) string { return string(j.text.TextAt(i)) }
	out := map[string]bool{}
	for owner := range bound {
		for _, name := range j.text.FixedNames().Keys[owner] {
			out[name] = true
		}
	}
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			if j.text.Tokens[i].Class != lang.Identifier {
				continue
			}
			name := text(i)
			if bound[name] || i >= 2 && text(i-1) == "." && bound[text(i-2)] || slices.ContainsFunc(headers, func(h string) bool { return imports.Declares(h, name) }) {
				out[name] = true
			}
		}
	}
	return out
}
