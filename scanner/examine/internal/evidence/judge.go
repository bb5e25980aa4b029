package evidence

import (
	"bytes"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

// Judge computes the evidence of the matches of a text.
type Judge struct{ *text.Target }

// Weigh computes the evidence of a match: from names and literals of both sides, and from the comments beside it.
func (j *Judge) Weigh(p Proof) (score.Evidence, error) {
	origin, err := p.Doc.Read()
	if err != nil {
		return score.Evidence{}, err
	}
	_, e, err := j.weigh(p, origin)
	return j.beside(e, p), err
}

// Readings returns the readings that a match is weighed by.
func (j *Judge) Readings(p Proof) (score.Readings, error) {
	origin, err := p.Doc.Read()
	if err != nil {
		return score.Readings{}, err
	}
	r, _, err := j.weigh(p, origin)
	return r, err
}

// weigh computes the evidence of a match without the comments beside it, and its readings.
func (j *Judge) weigh(p Proof, origin []byte) (r score.Readings, e score.Evidence, err error) {
	r = j.Read(p, origin)
	e, used := j.Weights.Weigh(r), false
	if p.Derived || j.Weights.Reaches(e.Bits+j.Prose.Most, j.ByDefault()) {
		if used, err = j.withoutUse(&r, p); err != nil {
			return r, e, err
		}
	}
	switch {
	case p.Derived:
		e = j.Derived.Weigh(j.Weights, r)
		e.Whole = j.ofFunction(p)
	case used:
		e = j.Weights.Weigh(r)
	}
	if j.ofGenerator(e, p) || j.ofLicence(e, p) {
		e.Bits = 0
	}
	return r, e, nil
}

// ofFunction reports whether most of a match is in one function on both sides, and is half of it.
func (j *Judge) ofFunction(p Proof) bool {
	_, _, ok := j.function(p)
	return ok
}

// function returns the function on either side that most of a match is in, if it is half of both.
func (j *Judge) function(p Proof) (here, there functions.Function, ok bool) {
	for _, f := range j.Functions() {
		if f.To <= int(p.From) || int(p.To) <= f.From {
			continue
		}
		here := match.Match{Runs: match.Clip(p.Runs, match.Interval{From: f.From, To: f.To})}
		if 2*here.Tokens() < max(f.To-f.From, p.Tokens()) {
			continue
		}
		for _, g := range p.Doc.Functions() {
			n := 0
			for _, r := range here.Runs {
				n += max(0, min(g.To, int(r.OriginEnd()))-max(g.From, int(r.Origin)))
			}
			if 2*n >= max(f.To-f.From, g.To-g.From, p.Tokens()) {
				return f, g, true
			}
		}
	}
	return here, there, false
}

// Namesake reports whether most of a match is half of one function on both sides that has the same name there, and hardly anybody
// else has a function of that name.
func (j *Judge) Namesake(p Proof) bool {
	f, g, ok := j.function(p)
	if !ok || j.NameAt(f.Name) != p.Doc.NameAt(g.Name) {
		return false
	}
	_, bits := j.Costs().Name(f.Name)
	return bits >= rareName
}

// rareName is the bits of a name from which on hardly anybody has it.
const rareName = 9

// Read counts the tokens, names and literals of both sides of a match. It looks for fixed tokens only if the match and its
// comments may reach the default threshold. So the result does not depend on the threshold.
func (j *Judge) Read(p Proof, origin []byte) score.Readings {
	there := match.Side{Text: origin, Blocks: p.Doc.Stream}
	r := score.Read(j.CountedSide(), there, p.Match, j.Costs())
	if !contract.In(j.Language) { // most languages have none, so one weighing is enough
		return r
	}
	if !p.Derived && !j.Weights.Reaches(j.Weights.Weigh(r).Bits+j.Prose.Most, j.ByDefault()) {
		return r
	}
	if fixed := j.fixed(p, origin); fixed != nil {
		r = score.ReadBeside(j.CountedSide(), there, p.Match, fixed, j.Costs())
	}
	return r
}

// Two outputs of one generator are alike although nobody copied, so bits do not separate them from copies. In a sample of
// files of different owners (docs/SOURCES.md), copies of generated files kept 97 % of their names over half of a file. Shared
// parts of a template did not. Templates in source files have up to 600 tokens.
const (
	generatedTokens = 250
	generatedNames  = 0.96
	generatedShare  = 0.5
	templateTokens  = 1000
)

// ofGenerator reports whether a match may be text that a generator writes for all its users.
func (j *Judge) ofGenerator(e score.Evidence, p Proof) bool {
	n := p.Tokens()
	if p.Doc.Generated() {
		share := float64(n) / float64(max(1, min(j.Unmasked, int(p.Doc.Tokens))))
		return n < generatedTokens || e.Share() < generatedNames || share < generatedShare
	}
	return n < templateTokens && !j.ScanGenerated && j.Generated()
}

// licenceShare is the least share of the matched words in the wording of a licence, for both sides to share only that licence.
const licenceShare = 0.8

// ofLicence reports whether a match of words only shows the text of a licence. The target may contain the text in a form that is not
// recognised, such as one with commands of RTF between the sentences.
func (j *Judge) ofLicence(e score.Evidence, p Proof) bool {
	if j.Language != lang.Words() || !j.Weights.Reaches(e.Bits, j.ByDefault()) {
		return false
	}
	spans, n := p.Doc.Licences(), 0
	for _, r := range p.Runs {
		for i := range r.Len {
			at := int(p.Doc.Stream.Span(r.Origin + i).Start)
			if k := sort.Search(len(spans), func(k int) bool { return spans[k].To > at }); k < len(spans) && spans[k].From <= at {
				n++
			}
		}
	}
	return float64(n) >= licenceShare*float64(p.Tokens())
}

// Programs that use a package write the names that it exports, and so do the package's own tests. Two tables of messages may
// agree in little else. So a name that the target gets by importing the origin's package is no evidence. Neither is one that
// stands where the package fixes it: a field of its types, an option, a method of its interfaces. Two implementations of one
// interface agree in these.

// withoutUse sets the bits of names to 0 that the target imports from the package of a document. It reports whether the
// target imports that package.
func (j *Judge) withoutUse(r *score.Readings, p Proof) (used bool, err error) {
	if len(j.Imports()) == 0 {
		return false, nil
	}
	occs, err := p.Doc.Occurrences()
	if err != nil {
		return false, err
	}
	bound := map[string]bool{}
	for _, o := range occs {
		u, err := purl.Parse(o.PURL)
		if err != nil {
			continue
		}
		for _, c := range j.Imports() {
			if c.Of(u) {
				for _, name := range c.Names {
					bound[name] = true
				}
			}
		}
	}
	used = len(bound) > 0
	asked := j.asked(bound)
	if fixed := within(asked, p); fixed != nil {
		*r = score.ReadBeside(j.CountedSide(), match.Side{Text: p.Doc.Text(), Blocks: p.Doc.Stream}, p.Match, fixed, j.Costs())
	}
	var headers []string
	if p.Derived {
		j.bindShared(bound, p.Doc)
		headers = j.sharedHeaders(p.Doc)
	}
	if len(bound)+len(headers) > 0 {
		names := j.reached(p, bound, headers)
		for _, m := range asked {
			t := j.Tokens[m.Name]
			names[string(j.Text[t.Start:t.End])] = true
		}
		r.Discount(names)
	}
	return used, nil
}

// asked lists the methods of the target that what is imported may ask for.
func (j *Judge) asked(bound map[string]bool) (out []imports.Method) {
	if len(bound) == 0 {
		return nil
	}
	known := make(map[*string]bool) // methods of one type or class share a list
	for _, m := range j.Given().Methods {
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

// bindShared adds the names under which the target imports packages that the document imports too. These names, and the
// names behind them and a point, show only that both use one package. Matches that are no alignment have other evidence.
func (j *Judge) bindShared(bound map[string]bool, d *library.Document) {
	there := d.Imports()
	for _, c := range j.Imports() {
		if c.Path != "" && !c.Relative() && slices.ContainsFunc(there, func(o imports.Import) bool { return o.Path == c.Path }) {
			for _, name := range c.Names {
				bound[name] = true
			}
		}
	}
}

// sharedHeaders lists the library headers that both the target and the document include. The document may be another user of
// the library or a part of it.
func (j *Judge) sharedHeaders(d *library.Document) (out []string) {
	there := d.Imports()
	for _, h := range imports.Headers(j.Language, j.Imports()) {
		if imports.Includes(there, h) {
			out = append(out, h)
		}
	}
	return out
}

// reached lists the names of a match that an import binds, that follow such a name and a point, that stand where what is
// imported fixes them, or that a header declares.
func (j *Judge) reached(p Proof, bound map[string]bool, headers []string) map[string]bool {
	text := func(i uint32) string { return string(j.Text[j.Tokens[i].Start:j.Tokens[i].End]) }
	out := map[string]bool{}
	for owner := range bound {
		for _, name := range j.Given().Keys[owner] {
			out[name] = true
		}
	}
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			if j.Tokens[i].Class != lang.Identifier {
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

// Two implementations of one trait have equal signatures although nobody copied. So have two methods that override the same
// one. Only tokens that are in such signatures on both sides are left out. The bodies still count as evidence.

// fixed marks the matched tokens that are fixed by a trait or an interface that both sides implement. It returns nil if there are
// none.
func (j *Judge) fixed(p Proof, text []byte) (fixed []bool) {
	if len(j.Contracts()) == 0 {
		return nil
	}
	n := 0
	for _, r := range p.Runs {
		for i := range r.Len {
			if here := contract.At(j.Contracts(), int(r.Target+i)); here != nil {
				there := contract.At(p.Doc.Contracts(), int(r.Origin+i))
				if there != nil && contract.Fixes(here, there) && !j.sameType(here, there, p.Doc, text) {
					if fixed == nil {
						fixed = make([]bool, p.Tokens())
					}
					fixed[n] = true
				}
			}
			n++
		}
	}
	return fixed
}

// rareType is the information that the name of a type needs. Common names such as Error or Iter have less.
const rareType = 3 // bits

// sameType reports whether a type with the same rare name implements the trait on both sides. Then it is one implementation.
func (j *Judge) sameType(here, there *contract.Stretch, d *library.Document, text []byte) bool {
	if here.Type < 0 || there.Type < 0 {
		return false
	}
	a, b := j.Tokens[here.Type], d.Stream.At(uint32(there.Type))
	if !bytes.Equal(j.Text[a.Start:a.End], text[b.Start:b.End]) {
		return false
	}
	_, bits := j.Costs().Name(here.Type)
	return bits >= rareType
}
