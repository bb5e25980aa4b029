// Package match verifies seeds and extends them to maximal matches. It compares two token streams. It does no I/O, starts no
// goroutine and keeps no state between calls.
//
// A seed is a pair of positions, in the target and in the origin, whose k-grams have the same hash. Runs verifies it on the
// tokens and extends it to the maximal run. Arrange finds the best alignment of the runs with one origin, and joins runs with
// small gaps between them to a Match. Package score weighs matches.
package match

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Side is one of the two compared streams. If Text is nil, names and literals cannot be compared. The origin may have Blocks
// instead of Tokens.
type Side struct {
	Text   []byte
	Tokens []lang.Token
	Blocks *lang.BlockStream
	Prose  bool // words, not code: lines and brackets mean nothing
	Quotes bool // a string is the same in single and in double quotes; read from the target only
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

// TargetEnd returns the token behind the run in the target.
func (r Run) TargetEnd() uint32 { return r.Target + r.Len }

// OriginEnd returns the token behind the run in the origin.
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

// workPerToken limits the tokens compared while seeds are extended, per token of both sides. A file and its copy need one. Two
// constant strings have as many diagonals as tokens, and would need the product of their lengths.
const workPerToken = 64

// Runs verifies seeds on the tokens and extends each to its maximal run. It drops seeds whose k-grams differ in spite of equal
// hashes, and runs shorter than p.MinRun. Runs ascend by diagonal, then target. whole is false if the work limit stopped it.
func Runs(target, origin Side, seeds []Seed, p Params) (runs []Run, whole bool) {
	if !slices.IsSortedFunc(seeds, compareSeeds) { // they are if Stretches was called
		w := spaces.Get().(*space)
		w.keys = byDiagonal(seeds, w.keys)
		spaces.Put(w)
	}
	const some = 16 // runs; most documents have fewer
	runs = make([]Run, 0, min(some, len(seeds)))
	work := workPerToken * (len(target.Tokens) + origin.Len())
	covered, on := uint32(0), int64(0) // target tokens below covered on diagonal on are done
	for i, s := range seeds {
		if d := diagonal(s); i == 0 || d != on {
			on, covered = d, 0
		}
		if s.Target < covered || int(s.Target) >= len(target.Tokens) || int(s.Origin) >= origin.Len() {
			continue
		}
		if work < 0 {
			return runs, false
		}
		r := extend(target.Tokens, &origin, s)
		work -= int(r.Len)
		covered = max(r.TargetEnd(), s.Target+1)
		if int(r.Len) >= p.MinRun {
			runs = append(runs, r)
		}
	}
	return runs, true
}

// byDiagonal sorts seeds by diagonal, then target. It packs each seed into one number, which sorts three times as fast as a
// comparison. keys is its buffer.
func byDiagonal(seeds []Seed, keys []uint64) []uint64 {
	if len(seeds) >= manySeeds {
		if k, ok := dealt(seeds, keys); ok {
			return k
		}
	}
	keys = keys[:0]
	for _, s := range seeds {
		// positions have 31 bits; the shift makes the diagonal positive
		keys = append(keys, uint64(diagonal(s)+1<<31)<<32|uint64(s.Target))
	}
	slices.Sort(keys)
	for i, k := range keys {
		target := uint32(k)
		seeds[i] = Seed{target, uint32(int64(target) + int64(k>>32) - 1<<31)}
	}
	return keys
}

// manySeeds is the number of seeds from which on dealt is faster.
const manySeeds = 32

// dealt sorts like byDiagonal, by counting. It needs seeds that ascend by target and use few diagonals, as the seeds of two files
// do. For others ok is false.
func dealt(seeds []Seed, keys []uint64) (_ []uint64, ok bool) {
	low, high := diagonal(seeds[0]), diagonal(seeds[0])
	for i, s := range seeds {
		if i > 0 && s.Target < seeds[i-1].Target {
			return keys, false
		}
		low, high = min(low, diagonal(s)), max(high, diagonal(s))
	}
	if high-low >= int64(32*len(seeds)) {
		return keys, false
	}
	n := len(seeds)
	keys = zeroed(keys, n+int(high-low)+2)
	next, sorted := keys[n:], keys[:n]
	for _, s := range seeds {
		next[diagonal(s)-low+1]++
	}
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	for _, s := range seeds {
		at := &next[diagonal(s)-low]
		sorted[*at] = uint64(s.Target)<<32 | uint64(s.Origin)
		*at++
	}
	for i, k := range sorted {
		seeds[i] = Seed{uint32(k >> 32), uint32(k)}
	}
	return keys, true
}

func compareSeeds(a, b Seed) int {
	return cmp.Or(cmp.Compare(diagonal(a), diagonal(b)), cmp.Compare(a.Target, b.Target))
}

func diagonal(s Seed) int64 { return int64(s.Origin) - int64(s.Target) }

// extend returns the maximal run through a seed. Its length is 0 if the first tokens of the seed differ.
func extend(t []lang.Token, o *Side, s Seed) Run {
	n := uint32(o.common(t[s.Target:], s.Origin))
	if n == 0 {
		return Run{s.Target, s.Origin, 0}
	}
	before := uint32(o.commonBefore(t[:s.Target], s.Origin))
	return Run{s.Target - before, s.Origin - before, before + n}
}
