// Package match verifies seeds and extends them to maximal matches. It compares two token streams. It does no I/O and starts no
// goroutine.
//
// A seed is a pair of positions, in the target and in the origin, whose k-grams have the same hash. Runs verifies it on the tokens
// and extends it to the maximal run. Arrange makes matches of the runs with one origin: ordered runs with small gaps between them.
// Package score weighs matches. Grouper and Reach bound what seeds can become, before their document is loaded.
//
//	stretch.go    before the document: stretches of seeds, and groups that gaps can join
//	seeds.go      Runs: seeds become maximal runs
//	arrange.go    Arrange, with its steps in order:
//	route.go        the best alignment of all runs, without gaps that are too large
//	fit.go          equal tokens in the gaps, which are too short for a seed
//	chain.go        the runs that the alignment left, chained once more
//	taken.go        what the matches so far have taken of the target
//	runs.go       arithmetic of runs
//	intervals.go  arithmetic of intervals, and masks
//	buffers.go    memory that is used again
package match

import "github.com/git-provenance/git-provenance/lang"

// Side is one of the two compared streams. If Text is nil, names and literals cannot be compared. The origin may have Blocks
// instead of Tokens.
type Side struct {
	Text   []byte
	Tokens []lang.Token
	Blocks *lang.BlockStream
	Prose  bool // words, not code: lines and brackets mean nothing
	Quotes bool // a string is the same in single and in double quotes; read from the target only
	Scoped bool // the language has scopes for the functions of a class, so they need not bear its name; read from the target only
	// Omitted is how many tokens the language leaves out for each token of the stream, on average; read from the target only
	Omitted float64
}

// Len returns the number of tokens.
func (s *Side) Len() int {
	if s.Blocks != nil {
		return s.Blocks.Len()
	}
	return len(s.Tokens)
}

// Span returns the bytes of token i.
func (s *Side) Span(i uint32) (start, end uint32) {
	if s.Blocks != nil {
		span := s.Blocks.Span(i)
		return span.Start, span.End
	}
	t := &s.Tokens[i]
	return t.Start, t.End
}

// TextAt returns the text of token i.
func (s *Side) TextAt(i uint32) []byte {
	start, end := s.Span(i)
	return s.Text[start:end]
}

// Seed is a pair of positions, in the target and the origin, whose k-grams have equal hashes.
type Seed struct{ Target, Origin uint32 }

// Run is a pair of equal token sequences of length Len, from Target on and from Origin on.
type Run struct{ Target, Origin, Len uint32 }

// TargetEnd returns the token after the run in the target.
func (r Run) TargetEnd() uint32 { return r.Target + r.Len }

// OriginEnd returns the token after the run in the origin.
func (r Run) OriginEnd() uint32 { return r.Origin + r.Len }

// Match is a chain of runs, ascending and disjoint on both sides.
type Match struct{ Runs []Run }

// Target returns the half-open token interval covered in the target.
func (m Match) Target() (from, to uint32) { return m.Runs[0].Target, m.Runs[len(m.Runs)-1].TargetEnd() }

// Origin returns the half-open token interval covered in the origin.
func (m Match) Origin() (from, to uint32) { return m.Runs[0].Origin, m.Runs[len(m.Runs)-1].OriginEnd() }

// Tokens returns the number of matched tokens, without gaps.
func (m Match) Tokens() int {
	n := 0
	for _, r := range m.Runs {
		n += int(r.Len)
	}
	return n
}

// Edited reports whether the sides differ between the runs of a match. They are equal there if base code was taken out of a run.
func (m Match) Edited(target, origin Side) bool {
	for i := 1; i < len(m.Runs); i++ {
		before, r := m.Runs[i-1], m.Runs[i]
		gap := target.Tokens[before.TargetEnd():r.Target]
		if r.Origin-before.OriginEnd() != uint32(len(gap)) || origin.common(gap, before.OriginEnd()) < len(gap) {
			return true
		}
	}
	return false
}

// Params limits the search.
type Params struct {
	MinRun int // shortest run that is searched for, in tokens: k
	MaxGap int // longest gap bridged between runs, in tokens of either side
	MinFit int // shortest run accepted inside or next to a chain
	Least  int // minimum match length in tokens; shorter matches are dropped before overlaps are divided
}

// Defaults returns the parameters for a k. A gap of 60 tokens is about eight lines of inserted code, a fit of 10 tokens a line
// and a half of equal code.
func Defaults(k int) Params { return Params{MinRun: k, MaxGap: 60, MinFit: 10} }

// appendShapes appends the kinds and classes of the tokens [from, to).
func (s *Side) appendShapes(dst []lang.Shape, from, to uint32) []lang.Shape {
	if s.Blocks != nil {
		return s.Blocks.AppendShapes(dst, from, to)
	}
	for _, t := range s.Tokens[from:to] {
		dst = append(dst, lang.Shape{Kind: t.Kind, Class: t.Class})
	}
	return dst
}

// common counts the tokens at the beginning of t that equal those from i on. commonBefore counts the tokens at the end of t that
// equal those before i.
func (s *Side) common(t []lang.Token, i uint32) int {
	if s.Blocks != nil {
		return s.Blocks.Common(t, i)
	}
	n, o := 0, s.Tokens[i:]
	for n < min(len(t), len(o)) && same(&t[n], &o[n]) {
		n++
	}
	return n
}

func (s *Side) commonBefore(t []lang.Token, i uint32) int {
	if s.Blocks != nil {
		return s.Blocks.CommonBefore(t, i)
	}
	n, o := 0, s.Tokens[:i]
	for n < min(len(t), len(o)) && same(&t[len(t)-n-1], &o[len(o)-n-1]) {
		n++
	}
	return n
}

func same(a, b *lang.Token) bool { return a.Kind == b.Kind && a.Class == b.Class }
