package scanner

import (
	"hash/fnv"
	"math"
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
	Sample  []uint64 // the smallest hashes of short runs of tokens, names and literals included; sorted
}

// sampleSize is how many runs of a region are kept to compare it with others: of
// most regions a quarter, of small ones all.
const sampleSize = 64

// sampleOf picks the smallest hashes of runs of movedGram tokens: those of two
// regions are samples of the same runs.
func sampleOf(each []uint64) []uint64 {
	var out []uint64
	eachGram(each, func(_ int, h uint64) { out = append(out, h*mix^h>>31) })
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.Clip(out[:min(len(out), sampleSize)])
}

// alike tells whether most of the runs of the smaller of two regions are the other's
// too, as far as their samples tell.
func (t *trace) alike(o *trace) bool {
	if len(t.Sample) == 0 || len(o.Sample) == 0 {
		return false
	}
	until := min(t.most(), o.most())
	a, b, both := 0, 0, 0
	for _, h := range t.Sample {
		if h <= until {
			a++
			if _, ok := slices.BinarySearch(o.Sample, h); ok {
				both++
			}
		}
	}
	for _, h := range o.Sample {
		if h <= until {
			b++
		}
	}
	return both > 0 && float64(both) >= mostOf*float64(min(a, b))
}

// most is the largest hash of which the sample tells: of all of them where the
// sample is everything.
func (t *trace) most() uint64 {
	if len(t.Sample) < sampleSize {
		return math.MaxUint64
	}
	return t.Sample[len(t.Sample)-1]
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
	tr.Sample = sampleOf(contents(nil, st.text, toks))
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
	ID         string // of the finding
	At         int    // among the findings of the file
	Start, End int    // lines
	Origins    []stretch
}

// stretch is the lines of a file of a package, its versions folded.
type stretch struct {
	File     uint64
	From, To int
}

func sightOf(f *traced, at int) sight {
	s := sight{trace: f.trace, ID: f.ID, At: at, Start: f.StartLine, End: f.EndLine}
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

// grown tells whether two sights are one region that grew or shrank: of one file of
// a package, most of the shorter stretch or most of the tokens in both.
func (s *sight) grown(o *sight) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool {
			return a.File == b.File && (float64(a.overlap(b)) >= mostOf*float64(min(a.To-a.From, b.To-b.From)+1) || s.alike(&o.trace))
		})
	})
}

// mostly tells whether another version of a region has most of it.
func (s *sight) mostly(o *sight) bool {
	return slices.ContainsFunc(s.Origins, func(a stretch) bool {
		return slices.ContainsFunc(o.Origins, func(b stretch) bool {
			return a.File == b.File && float64(a.overlap(b)) >= mostOf*float64(a.To-a.From+1)
		})
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
	if s.within(now) && !now.within(s) {
		return []string{"extended"}
	}
	return []string{"edited"}
}
