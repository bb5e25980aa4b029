package examine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/helpers"
)

// withoutHelpers takes out of the proofs from at on what a tool writes into everybody's output, where both sides have a
// helper: a copy that is only named like one stays. What is too short then is no proof any more.
func (q *query) withoutHelpers(ps []proof, at int) ([]proof, error) {
	if len(ps) == at || !helpers.In(q.Language) || len(q.helpers()) == 0 {
		return ps, nil
	}
	out := ps[:at]
	for _, p := range ps[at:] {
		masked, err := q.inHelpers(p)
		if err != nil {
			return nil, err
		}
		if masked != nil {
			if p.Match = basecode.Unmasked(p.Match, masked, q.e.match.MinFit); p.Tokens() < q.e.least {
				continue
			}
			p.from, p.to = p.Target()
		}
		out = append(out, p)
	}
	return out, nil
}

// inHelpers tells which target tokens of a match lie in a helper that the document has there too; nil if none do.
func (q *query) inHelpers(p proof) (masked []bool, err error) {
	own := q.helpers()
	for _, r := range p.Runs {
		for i := range r.Len {
			at := stretchAt(own, int(r.Target+i))
			if at < 0 {
				continue
			}
			theirs, err := q.e.helpers(p.doc)
			if err != nil {
				return nil, err
			}
			if !theirs.all && stretchAt(theirs.list, int(r.Origin+i)) < 0 {
				continue
			}
			q.written[at] = true
			if masked == nil {
				masked = make([]bool, len(q.Tokens))
			}
			masked[r.Target+i] = true
		}
	}
	return masked, nil
}

// docHelpers are the helpers of a document; all tells that the document is one, as a package has them alone.
type docHelpers struct {
	list []helpers.Stretch
	all  bool
}

// helpers returns the helpers of a document, looked for at the first match with some of the target's.
func (s *Examiner) helpers(d *doc) (docHelpers, error) {
	d.searched.Do(func() { d.helpers, d.noHelpers = s.findHelpers(d) })
	return d.helpers, d.noHelpers
}

func (s *Examiner) findHelpers(d *doc) (out docHelpers, err error) {
	occs, err := s.occurrences(d)
	if err != nil {
		return out, err
	}
	if slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return helpers.Published(purl.Name(o.PURL)) }) {
		return docHelpers{all: true}, nil
	}
	text, err := s.fullText(d)
	if err != nil {
		return out, err
	}
	toks, _ := d.tokens.All()
	out.list = helpers.Find(text, toks)
	const each = 32 // bytes
	s.docs.grow(d, each*len(out.list))
	return out, nil
}

// stretchAt returns which helper has a token, -1 if none has.
func stretchAt(in []helpers.Stretch, token int) int {
	i, _ := slices.BinarySearchFunc(in, token, func(s helpers.Stretch, token int) int { return cmp.Compare(s.To, token+1) })
	if i < len(in) && in[i].From <= token {
		return i
	}
	return -1
}

// noteHelpers tells of the helpers that were taken out of matches.
func (q *query) noteHelpers() []finding.Entry {
	if len(q.written) == 0 {
		return nil
	}
	var tools []string
	at := slices.Sorted(maps.Keys(q.written))
	for _, i := range at {
		if tool := q.helpers()[i].Tool; !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	slices.Sort(tools)
	first := q.Tokens[q.helpers()[at[0]].From]
	return []finding.Entry{{Path: q.Path, Reason: finding.ReasonToolWritten, Detail: fmt.Sprintf("%s that %s writes, not compared; the first at line %d",
		finding.Count(len(at), "helper"), strings.Join(tools, " or "), q.Lines.Line(first.Start))}}
}
