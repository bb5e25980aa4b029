package scanner

import (
	"hash/fnv"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
)

// trace is what a region is known by from one version of a file to the next:
// hashes of its tokens, by what of them is looked at.
type trace struct {
	Content []uint64 // kinds, names and literals; the first of all of it, the others without some lines at its ends
	Literal uint64   // kinds and literals
	Shape   uint64   // kinds
	Layout  uint64   // the text, with blanks and comments
}

// looseLines is how many lines at either end can belong to a match by accident:
// they come and go with what stands next to the region.
const looseLines = 3

// mix is the multiplier of the polynomial hash of token hashes: odd, so that no
// bit of an earlier token is lost.
const mix = 0x9E3779B97F4A7C15

// traceOf hashes the tokens from up to to.
func traceOf(st stream, from, to uint32) trace {
	toks := st.tokens[from:to]
	sums, powers := make([]uint64, len(toks)+1), make([]uint64, len(toks)+1)
	powers[0] = 1
	var tr trace
	for i, t := range toks {
		text := st.text[t.Start:t.End]
		kind := bits.RotateLeft64(uint64(t.Kind)+1, 17) * mix
		literal, content := kind, kind
		if t.Class == lang.String || t.Class == lang.Number {
			literal ^= hashBytes(text)
			content = literal
		}
		if t.Class == lang.Identifier {
			content ^= hashBytes(text)
		}
		tr.Shape, tr.Literal = tr.Shape*mix+kind, tr.Literal*mix+literal
		sums[i+1], powers[i+1] = sums[i]*mix+content, powers[i]*mix
	}
	n := len(toks)
	for _, i := range st.lineStarts(from, to) {
		for _, j := range st.lineEnds(from, to) {
			if i < j && i <= edge && n-j <= edge {
				tr.Content = append(tr.Content, sums[j]-sums[i]*powers[j-i])
			}
		}
	}
	tr.Layout = hashBytes(st.text[toks[0].Start:toks[n-1].End])
	return tr
}

// lineStarts lists the offsets of the first tokens of the first lines.
func (s stream) lineStarts(from, to uint32) []int {
	at := []int{0}
	for i := from + 1; i < to && len(at) <= looseLines; i++ {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// lineEnds lists the offsets behind the last tokens of the last lines.
func (s stream) lineEnds(from, to uint32) []int {
	at := []int{int(to - from)}
	for i := to - 1; i > from && len(at) <= looseLines; i-- {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

func hashBytes(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// sight is a finding in one version of a file: as much of it as is needed to
// follow the region.
type sight struct {
	trace
	At         int // among the findings of the file
	Start, End int // lines
	Origins    []stretch
}

// stretch is the lines of a file of a package, its versions folded.
type stretch struct {
	File     uint64
	From, To int
}

func sightOf(f *Finding, at int) sight {
	s := sight{trace: f.trace, At: at, Start: f.StartLine, End: f.EndLine}
	for _, o := range f.Origins {
		n := stretch{hashBytes([]byte(purl.Name(o.PURL) + "\x00" + o.Path)), o.StartLine, o.EndLine}
		if !slices.Contains(s.Origins, n) {
			s.Origins = append(s.Origins, n)
		}
	}
	return s
}

// same tells whether two regions are equal token for token, names and literals
// included, but for loose lines.
func (s *sight) same(o *sight) bool {
	return slices.ContainsFunc(s.Content, func(c uint64) bool { return slices.Contains(o.Content, c) })
}

// within tells whether what s is of an origin is mostly part of what o is of it.
func (s *sight) within(o *sight) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool { return a.within(b) })
	})
}

func (s stretch) within(o stretch) bool {
	return s.File == o.File && float64(s.overlap(o)) >= sameRegion*float64(s.To-s.From+1)
}

func (s stretch) overlap(o stretch) int { return max(0, min(s.To, o.To)-max(s.From, o.From)+1) }

// becomes names what was done to a region between two versions; nil if nothing.
func (s *sight) becomes(now *sight) []string {
	switch {
	case s.Content[0] == now.Content[0] && s.Layout == now.Layout:
		return nil
	case s.Content[0] == now.Content[0]:
		return []string{"reformatted"}
	case s.same(now):
		return nil
	case s.Literal == now.Literal:
		return []string{"renamed"}
	}
	return []string{"edited"}
}
