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

// WithoutBoilerplate removes helpers, which tools write into everybody's output, from proofs, in place. A helper is removed only if
// both sides contain it, so a function that only has a helper's name stays. An origin in which a minifier renamed the helper contains it
// too. A proof that becomes too short is dropped. written lists the helpers that were removed, by their numbers, which may repeat.
func (pr *Prover) WithoutBoilerplate(ps []evidence.Proof) (out []evidence.Proof, written []int, err error) {
	if len(ps) == 0 || !boilerplate.Supports(pr.Language) || len(pr.Boilerplate()) == 0 {
		return ps, nil, nil
	}
	out = ps[:0]
	for _, p := range ps {
		masked, in, err := pr.inHelpers(p)
		if err != nil {
			return nil, nil, err
		}
		written = append(written, in...)
		if masked != nil {
			if p.Match = basecode.Unmasked(p.Match, masked, pr.Matching.MinFit); p.Tokens() < pr.Least {
				continue
			}
			p.Set(p.Runs)
			p.Uneven = 0 // it may have had all of them
		}
		out = append(out, p)
	}
	return out, written, nil
}

// inHelpers marks the target tokens of a match that are in a helper on both sides, and lists these helpers. It returns nil if there
// are none.
func (pr *Prover) inHelpers(p evidence.Proof) (masked []bool, in []int, err error) {
	own := pr.Boilerplate()
	asked, minified := -1, false // the last helper that only the target names, and whether the origin has it minified
	for _, r := range p.Runs {
		fitted, equal := -1, false // the last helper that is fitted to the text, and whether the run copies its part
		for i := range r.Len {
			at := stretchAt(own, int(r.Target+i))
			if at < 0 {
				continue
			}
			if own[at].Fitted {
				if at != fitted {
					if equal, err = pr.equalIn(p, r, own[at]); err != nil {
						return nil, nil, err
					}
					fitted = at
				}
				if equal {
					continue
				}
			}
			theirs, err := p.Doc.Boilerplate()
			if err != nil {
				return nil, nil, err
			}
			if !theirs.All && stretchAt(theirs.List, int(r.Origin+i)) < 0 {
				if at != asked {
					if minified, err = pr.minified(p, own[at]); err != nil {
						return nil, nil, err
					}
					asked = at
				}
				if !minified {
					continue
				}
			}
			if len(in) == 0 || in[len(in)-1] != at {
				in = append(in, at)
			}
			if masked == nil {
				masked = make([]bool, len(pr.Tokens))
			}
			masked[r.Target+i] = true
		}
	}
	return masked, in, nil
}

// Names that a minifier gives.
const (
	minifiedName   = 2 // longest, in bytes
	minifiedFewest = 8 // places of a match in which a name was shortened
)

// minified reports whether the origin has a helper under the names that a minifier gives: all names that differ are short there, and many
// do.
func (pr *Prover) minified(p evidence.Proof, h boilerplate.Span) (bool, error) {
	text, err := p.Doc.Read()
	if err != nil {
		return false, err
	}
	n := 0
	for _, r := range match.Clip(p.Runs, match.Interval{From: h.From, To: h.To}) {
		for i := range r.Len {
			a, b := pr.Tokens[r.Target+i], p.Doc.Stream.At(r.Origin+i)
			if a.Class != lang.Identifier || bytes.Equal(pr.Text[a.Start:a.End], text[b.Start:b.End]) {
				continue
			}
			if b.End-b.Start > minifiedName {
				return false, nil
			}
			if a.End-a.Start > minifiedName {
				n++
			}
		}
	}
	return n >= minifiedFewest, nil
}

// equalIn reports whether all names and literals of a run within a helper are the same on both sides.
func (pr *Prover) equalIn(p evidence.Proof, r match.Run, h boilerplate.Span) (bool, error) {
	text, err := p.Doc.Read()
	if err != nil {
		return false, err
	}
	for i := range r.Len {
		a := pr.Tokens[r.Target+i]
		if at := int(r.Target + i); at < h.From || at >= h.To || a.Class == lang.Keyword {
			continue
		}
		b := p.Doc.Stream.At(r.Origin + i)
		if !bytes.Equal(pr.Text[a.Start:a.End], text[b.Start:b.End]) {
			return false, nil
		}
	}
	return true, nil
}

// stretchAt returns the index of the helper that contains a token, or -1.
func stretchAt(in []boilerplate.Span, token int) int {
	i, _ := slices.BinarySearchFunc(in, token, func(s boilerplate.Span, token int) int { return cmp.Compare(s.To, token+1) })
	if i < len(in) && in[i].From <= token {
		return i
	}
	return -1
}

// NoteBoilerplate returns the entry of the ledger for the helpers that were removed from matches, given their numbers.
func (pr *Prover) NoteBoilerplate(written []int) []finding.Entry {
	if len(written) == 0 {
		return nil
	}
	var tools []string
	at := slices.Compact(slices.Sorted(slices.Values(written)))
	for _, i := range at {
		if tool := pr.Boilerplate()[i].Tool; !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	slices.Sort(tools)
	first := uint32(pr.Boilerplate()[at[0]].From)
	return []finding.Entry{{Path: pr.Path, Reason: finding.ReasonToolWritten, Detail: fmt.Sprintf("%s that %s writes, not compared; the first at line %d",
		finding.Count(len(at), "helper"), strings.Join(tools, " or "), pr.Line(first))}}
}
