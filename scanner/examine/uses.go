package examine

import (
	"bytes"
	"path"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// A program that uses a package writes the names that the package exports, and its own tests write them too. Edited code
// has hardly any other evidence than its names. So a name that the target has through an import of the origin's package is
// none there.

// clause is an import of the target.
type clause struct {
	path  string
	names []string // by which the file knows what it imports
}

// clauses lists the imports of a text whose paths are strings, as in Go and JavaScript, and those of Python.
func clauses(st Stream) (out []clause) {
	if st.Language != nil && st.Language.Name == "python" {
		return modules(st)
	}
	var names []string
	for _, t := range st.Tokens {
		text := string(st.Text[t.Start:t.End])
		switch {
		case t.Flags&lang.FlagImport == 0:
			names = nil
		case t.Class == lang.Identifier:
			names = append(names, text)
		case t.Class == lang.String:
			at := strings.Trim(text, "\"'`")
			out = append(out, clause{at, append(names, packageNames(at)...)})
			names = nil
		}
	}
	return out
}

// packageNames are the names that a Go package at a path has by custom.
func packageNames(at string) []string {
	if prefix, _, ok := module.SplitPathVersion(at); ok {
		at = prefix
	}
	base := path.Base(at)
	return []string{base, strings.TrimPrefix(base, "go-"), strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go")}
}

// modules lists the imports of Python.
func modules(st Stream) (out []clause) {
	var from, imports bool // of the clause at hand
	for _, t := range st.Tokens {
		if t.Flags&lang.FlagImport == 0 {
			from, imports = false, false
			continue
		}
		text := string(st.Text[t.Start:t.End])
		switch {
		case text == "from", text == "import" && (imports || !from):
			out = append(out, clause{})
			from, imports = text == "from", text == "import"
		case text == "import":
			imports = true
		case t.Class == lang.Identifier && len(out) > 0:
			c := &out[len(out)-1]
			if c.path == "" {
				c.path = text
			}
			c.names = append(c.names, text)
		}
	}
	return out
}

// of tells whether a clause imports a package, or a part of it.
func (c *clause) of(u purl.PURL) bool {
	if c.path == "" {
		return false
	}
	name := purl.FullName(u)
	switch u.Type {
	case "golang", "npm":
		return c.path == name || strings.HasPrefix(c.path, name+"/")
	case "pypi":
		return strings.EqualFold(c.path, strings.ReplaceAll(name, "-", "_"))
	}
	return false
}

// withoutUse takes the bits of the names that the target has from the package of a document.
func (q *query) withoutUse(r *score.Readings, p proof) error {
	if q.imports == nil {
		q.imports = append([]clause{}, clauses(q.Stream)...)
	}
	occs, err := q.e.occurrences(p.doc)
	if err != nil {
		return err
	}
	bound := map[string]bool{}
	for _, o := range occs {
		u, err := purl.Parse(o.PURL)
		if err != nil {
			continue
		}
		for _, c := range q.imports {
			if c.of(u) {
				for _, name := range c.names {
					bound[name] = true
				}
			}
		}
	}
	if len(bound) > 0 {
		r.Discount(q.reached(p, bound))
	}
	return nil
}

// reached lists the names of a match that are bound by imports, or that follow such a name and a point.
func (q *query) reached(p proof, bound map[string]bool) map[string]bool {
	text := func(i uint32) string { return string(q.Text[q.Tokens[i].Start:q.Tokens[i].End]) }
	out := map[string]bool{}
	for _, r := range p.Runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			if q.Tokens[i].Class != lang.Identifier {
				continue
			}
			if name := text(i); bound[name] || i >= 2 && text(i-1) == "." && bound[text(i-2)] {
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
				there := contract.At(q.e.contracts(p.doc, text), int(r.Origin+i))
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
func (q *query) sameType(here, there *contract.Stretch, d *doc, text []byte) bool {
	if here.Type < 0 || there.Type < 0 {
		return false
	}
	a, b := q.Tokens[here.Type], d.tokens.At(uint32(there.Type))
	if !bytes.Equal(q.Text[a.Start:a.End], text[b.Start:b.End]) {
		return false
	}
	_, bits := q.costsOf().Name(here.Type)
	return bits >= telling
}

// contracts returns what is fixed in a document, looked for at the first match with some of the target's.
func (s *Examiner) contracts(d *doc, text []byte) []contract.Stretch {
	d.implements.Do(func() {
		toks, _ := d.tokens.All()
		d.contracts = contract.Find(lang.ByName(d.Language), text, toks)
		const each = 80 // bytes
		s.docs.grow(d, each*len(d.contracts))
	})
	return d.contracts
}
