package prove

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
)

// WithoutBoilerplate removes boilerplate from proofs, in place. It removes a span only if both sides contain it, so a function that only
// has a helper's name stays. An origin in which a minifier renamed a helper contains it too. It drops a proof that becomes too short.
// removed lists the spans that were removed, by their numbers, which may repeat.
func (pr *Prover) WithoutBoilerplate(ps []evidence.Proof) (out []evidence.Proof, removed []int, err error) {
	if len(ps) == 0 || !boilerplate.Supports(pr.text.Language) || len(pr.text.Boilerplate()) == 0 {
		return ps, nil, nil
	}
	out = ps[:0]
	for _, p := range ps {
		m := mask{pr: pr, proof: p, asked: -1}
		for _, r := range p.Runs {
			if err := m.addRun(r); err != nil {
				return nil, nil, err
			}
		}
		removed = append(removed, m.spans...)
		if m.tokens != nil {
			if p.Match = basecode.Unmasked(p.Match, m.tokens, pr.text.Rules.Matching.MinFit); p.Tokens() < pr.text.Rules.Least {
				continue
			}
			p.Set(p.Runs)
			p.Uneven = 0 // the removed tokens may have had all unpaired brackets
		}
		out = append(out, p)
	}
	return out, removed, nil
}

// mask marks the target tokens of a proof that are boilerplate on both sides.
type mask struct {
	pr       *Prover
	proof    evidence.Proof
	tokens   []bool // nil if none is marked
	spans    []int  // numbers of the target's spans with marked tokens
	asked    int    // the last span that was not found in the origin, or -1
	minified bool   // the origin has that span with short names
}

// addRun marks the boilerplate in a run.
func (m *mask) addRun(r match.Run) error {
	own := m.pr.text.Boilerplate()
	first, _ := slices.BinarySearchFunc(own, int(r.Target), func(s boilerplate.Span, token int) int { return cmp.Compare(s.To, token+1) })
	for at := first; at < len(own) && own[at].From < int(r.TargetEnd()); at++ {
		if err := m.addSpan(r, at); err != nil {
			return err
		}
	}
	return nil
}

// addSpan marks the tokens of a run that are in a span of the target and in boilerplate of the origin. A span that is fitted to the text
// stays where the run copies its names and literals.
func (m *mask) addSpan(r match.Run, at int) error {
	own := m.pr.text.Boilerplate()[at]
	if own.Fitted {
		if copied, err := m.pr.equalIn(m.proof, r, own); err != nil || copied {
			return err
		}
	}
	theirs, err := m.proof.Doc.Boilerplate()
	if err != nil {
		return err
	}
	for t := max(own.From, int(r.Target)); t < min(own.To, int(r.TargetEnd())); t++ {
		if !theirs.All && !contains(theirs.List, t-int(r.Target)+int(r.Origin)) {
			if minified, err := m.isMinified(at); err != nil {
				return err
			} else if !minified {
				continue
			}
		}
		m.mark(t, at)
	}
	return nil
}

// isMinified reports whether the origin has a span of the target with short names. It keeps the last answer.
func (m *mask) isMinified(at int) (_ bool, err error) {
	if at != m.asked {
		if m.minified, err = m.pr.minified(m.proof, m.pr.text.Boilerplate()[at]); err != nil {
			return false, err
		}
		m.asked = at
	}
	return m.minified, nil
}

// mark marks a token of a span.
func (m *mask) mark(token, span int) {
	if m.tokens == nil {
		m.tokens = make([]bool, len(m.pr.text.Tokens))
	}
	m.tokens[token] = true
	if n := len(m.spans); n == 0 || m.spans[n-1] != span {
		m.spans = append(m.spans, span)
	}
}

// Names that a minifier gives.
const (
	minifiedName   = 2 // longest, in bytes
	minifiedFewest = 8 // places of a match in which a name was shortened
)

// minified reports whether the origin has a helper under the names that a minifier gives: all names that differ are short there, and
// many do.
func (pr *Prover) minified(p evidence.Proof, h boilerplate.Span) (bool, error) {
	if _, err := p.Doc.Read(); err != nil {
		return false, err
	}
	n := 0
	for _, r := range match.Clip(p.Runs, match.Interval{From: h.From, To: h.To}) {
		for i := range r.Len {
			here, there := pr.text.TextAt(r.Target+i), p.Doc.TextAt(r.Origin+i)
			if pr.text.Tokens[r.Target+i].Class != lang.Identifier || bytes.Equal(here, there) {
				continue
			}
			if len(there) > minifiedName {
				return false, nil
			}
			if len(here) > minifiedName {
				n++
			}
		}
	}
	return n >= minifiedFewest, nil
}

// equalIn reports whether all names and literals of a run within a span are the same on both sides.
func (pr *Prover) equalIn(p evidence.Proof, r match.Run, h boilerplate.Span) (bool, error) {
	if _, err := p.Doc.Read(); err != nil {
		return false, err
	}
	for _, c := range match.Clip([]match.Run{r}, match.Interval{From: h.From, To: h.To}) {
		for i := range c.Len {
			if pr.text.Tokens[c.Target+i].Class != lang.Keyword && !bytes.Equal(pr.text.TextAt(c.Target+i), p.Doc.TextAt(c.Origin+i)) {
				return false, nil
			}
		}
	}
	return true, nil
}

// contains reports whether a token is in one of the spans.
func contains(in []boilerplate.Span, token int) bool {
	i, _ := slices.BinarySearchFunc(in, token, func(s boilerplate.Span, token int) int { return cmp.Compare(s.To, token+1) })
	return i < len(in) && in[i].From <= token
}

// NoteBoilerplate returns the entry of the ledger for the boilerplate that was removed from matches, given the numbers of its spans.
func (pr *Prover) NoteBoilerplate(removed []int) []finding.Entry {
	if len(removed) == 0 {
		return nil
	}
	var tools []string
	at := slices.Compact(slices.Sorted(slices.Values(removed)))
	for _, i := range at {
		if tool := pr.text.Boilerplate()[i].Tool; !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	slices.Sort(tools)
	first := uint32(pr.text.Boilerplate()[at[0]].From)
	return []finding.Entry{{Path: pr.text.Path, Reason: finding.ReasonToolWritten, Detail: fmt.Sprintf("%s that %s writes, not compared; the first at line %d",
		finding.Count(len(at), "helper"), strings.Join(tools, " or "), pr.text.Line(first))}}
}
