package examine

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/imports"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// judge reads names and literals of both sides.
func (q *query) judge(p proof) (score.Evidence, error) {
	text, err := p.doc.Read()
	if err != nil {
		return score.Evidence{}, err
	}
	r := q.read(p, text)
	e, used := q.e.weights.Weigh(r), false
	if p.derived || q.e.weights.Reaches(e.Bits+q.e.prose.Most, q.neededByDefault()) {
		if used, err = q.withoutUse(&r, p); err != nil {
			return score.Evidence{}, err
		}
	}
	switch {
	case p.derived:
		e = q.e.derived.Weigh(q.e.weights, r)
	case used:
		e = q.e.weights.Weigh(r)
	}
	if q.ofGenerator(e, p) {
		e.Bits = 0
	}
	return q.beside(e, p), nil
}

// read counts what both sides of a match have. What is fixed is looked for only where there may be a finding at the default
// threshold, with the comments beside it: so it is the same at every threshold.
func (q *query) read(p proof, text []byte) score.Readings {
	origin := match.Side{Text: text, Blocks: p.doc.Stream}
	r := score.Read(q.side(), origin, p.Match, q.costsOf())
	if !contract.In(q.Language) { // nearly all: do not weigh twice
		return r
	}
	if !p.derived && !q.e.weights.Reaches(q.e.weights.Weigh(r).Bits+q.e.prose.Most, q.neededByDefault()) {
		return r
	}
	if fixed := q.fixed(p, text); fixed != nil {
		r = score.ReadBeside(q.side(), origin, p.Match, fixed, q.costsOf())
	}
	return r
}

// Output of generators is alike without having been copied, so bits say nothing of it. Between files of different owners (docs/SOURCES.md), copies of generated files kept
// 97 % of their names over half of a file, and stretches of a template did not. Templates
// that people wrote down have up to 600 tokens.
const (
	generatedTokens = 250
	generatedNames  = 0.96
	generatedShare  = 0.5
	templateTokens  = 1000
)

// ofGenerator tells whether a match may be what a generator writes for everybody.
func (q *query) ofGenerator(e score.Evidence, p proof) bool {
	n := p.Tokens()
	if p.doc.Generated() {
		share := float64(n) / float64(max(1, min(q.own, int(p.doc.Tokens))))
		return n < generatedTokens || e.Share() < generatedNames || share < generatedShare
	}
	return n < templateTokens && !q.e.o.Generated && q.generated()
}

// rarer takes off what a match tells less as many have its k-grams, if it can be a
// finding as it is.
func (q *query) rarer(ev score.Evidence, m match.Match, needed float64) score.Evidence {
	if ev.Frequency == 0 && q.e.weights.Reaches(ev.Bits, needed) {
		ev = q.e.weights.Rarer(ev, q.hits.Directories(m))
	}
	return ev
}

// A program that uses a package writes the names that the package exports, and its own tests write them too: two tables of
// messages agree in hardly anything else. So a name that the target has through an import of the origin's package is no
// evidence.

// withoutUse takes the bits of the names that the target has from the package of a document, and tells whether it imports it.
func (q *query) withoutUse(r *score.Readings, p proof) (used bool, err error) {
	if len(q.imports()) == 0 {
		return false, nil
	}
	occs, err := p.doc.Occurrences()
	if err != nil {
		return false, err
	}
	bound := map[string]bool{}
	for _, o := range occs {
		u, err := purl.Parse(o.PURL)
		if err != nil {
			continue
		}
		for _, c := range q.imports() {
			if c.Of(u) {
				for _, name := range c.Names {
					bound[name] = true
				}
			}
		}
	}
	used = len(bound) > 0
	var headers []string
	if p.derived {
		q.bindShared(bound, p.doc)
		headers = q.sharedHeaders(p.doc)
	}
	if len(bound)+len(headers) > 0 {
		r.Discount(q.reached(p, bound, headers))
	}
	return used, nil
}

// bindShared adds the names by which the target knows what the document imports too: that both use one package is all that
// these and what follows them tell. Other matches have more evidence than their names.
func (q *query) bindShared(bound map[string]bool, d *library.Document) {
	there := d.Imports()
	for _, c := range q.imports() {
		if c.Path != "" && !c.Relative() && slices.ContainsFunc(there, func(o imports.Import) bool { return o.Path == c.Path }) {
			for _, name := range c.Names {
				bound[name] = true
			}
		}
	}
}

// sharedHeaders lists the headers of libraries that the target uses and the document includes too, as another user or as a
// part of the library.
func (q *query) sharedHeaders(d *library.Document) (out []string) {
	there := d.Imports()
	for _, h := range imports.Headers(q.Language, q.imports()) {
		if imports.Includes(there, h) {
			out = append(out, h)
		}
	}
	return out
}

// reached lists the names of a match that are bound by imports, that follow such a name and a point, or that headers declare.
func (q *query) reached(p proof, bound map[string]bool, headers []string) map[string]bool {
	text := func(i uint32) string { return string(q.Text[q.Tokens[i].Start:q.Tokens[i].End]) }
	out := map[string]bool{}
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			if q.Tokens[i].Class != lang.Identifier {
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

// Two implementations of one trait, or two methods that override the same one, agree in their signatures without a copy.
// Only what stands in such signatures on both sides is left out, so that bodies are evidence as ever.

// fixed tells which matched tokens are fixed by what both sides implement; nil if none are.
func (q *query) fixed(p proof, text []byte) (fixed []bool) {
	if len(q.contracts()) == 0 {
		return nil
	}
	n := 0
	for _, r := range p.Runs {
		for i := range r.Len {
			if here := contract.At(q.contracts(), int(r.Target+i)); here != nil {
				there := contract.At(p.doc.Contracts(), int(r.Origin+i))
				if there != nil && contract.Fixes(here, there) && !q.sameType(here, there, p.doc, text) {
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

// telling is what the name of a type has to be worth: Error, Iter and the like are everybody's.
const telling = 3 // bits

// sameType tells whether one type of a rare name implements something on both sides: that is one implementation.
func (q *query) sameType(here, there *contract.Stretch, d *library.Document, text []byte) bool {
	if here.Type < 0 || there.Type < 0 {
		return false
	}
	a, b := q.Tokens[here.Type], d.Stream.At(uint32(there.Type))
	if !bytes.Equal(q.Text[a.Start:a.End], text[b.Start:b.End]) {
		return false
	}
	_, bits := q.costsOf().Name(here.Type)
	return bits >= telling
}
