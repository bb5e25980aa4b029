package similar

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/algorithms/parameterized"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/algorithms/suffix"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// two adds the comparisons that exist for two units only.
func (g *gather) two(ctx context.Context, r *Result, l *collection.Loader) (err error) {
	if g.o.Two {
		r.Sets, err = g.sets(ctx, l)
	}
	if g.o.Parameterized && err == nil {
		r.Parameterized, err = g.parameterized(l)
	}
	if g.o.Maximal && err == nil {
		r.Maximal, err = g.maximalRuns(l)
	}
	return err
}

// Sets holds Broder's measures of how the sets of k-grams of two units agree.
type Sets struct {
	A            int     `json:"a"` // k-grams of A, each counted once
	B            int     `json:"b"`
	Sampled      int     `json:"sampled"` // one in this many k-grams was counted; 1 means all
	Resemblance  float64 `json:"resemblance"`
	ContainmentA float64 `json:"containmentA"` // share of A's that B has
	ContainmentB float64 `json:"containmentB"` // share of B's that A has
	// Apart has the languages of A and those of B if none of A's is compared with one of B's. It is nil if one is.
	Apart [][]string `json:"apart,omitempty"`
}

// maxGrams bounds the k-grams that are kept of two units, 8 bytes each. If there are more, one in Sampled is kept,
// which estimates without bias.
const maxGrams = 32 << 20

// sets compares the sets of k-grams of the first two units.
func (g *gather) sets(ctx context.Context, l *collection.Loader) (*Sets, error) {
	total := 0
	for _, f := range g.files {
		total += g.set.Docs[f.doc].Tokens
	}
	s := &Sets{Sampled: 1 + total/maxGrams}
	var of [2][]uint64
	var read [2]map[string]string // languages → their families
	for i := range read {
		read[i] = make(map[string]string)
	}
	for _, f := range g.files {
		if f.unit > 1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := l.Load(f.doc)
		if err != nil {
			return nil, err
		}
		read[f.unit][d.Language.Name] = d.Language.Family
		grams := fingerprint.KGrams(nil, baseline.Values(nil, d.Language, d.Tokens), g.o.Params.K)
		grams = slices.DeleteFunc(grams, func(h uint64) bool {
			_, base := slices.BinarySearch(g.o.Scan.BaseCode, h)
			return base
		})
		of[f.unit] = sketch.Mod(of[f.unit], sketch.Public().Set(nil, grams), uint64(s.Sampled))
	}
	a, c := sketch.Union(of[0]), sketch.Union(of[1])
	s.A, s.B = len(a), len(c)
	s.Resemblance = finding.Round(sketch.Resemblance(a, c, len(a)+len(c)))
	s.ContainmentA, s.ContainmentB = finding.Round(sketch.Containment(a, c)), finding.Round(sketch.Containment(c, a))
	s.Apart = apart(read)
	return s, nil
}

// apart lists the languages of two units if no family of one is that of the other.
func apart(read [2]map[string]string) [][]string {
	for _, family := range read[0] {
		for _, other := range read[1] {
			if family == other {
				return nil
			}
		}
	}
	if len(read[0]) == 0 || len(read[1]) == 0 {
		return nil
	}
	return [][]string{slices.Sorted(maps.Keys(read[0])), slices.Sorted(maps.Keys(read[1]))}
}

// Renaming is a maximal parameterized match of two units: token for token equal, except for a one-to-one renaming of
// identifiers.
type Renaming struct {
	Shared
	Renamed int `json:"renamed"` // names that differ between the sides
}

// Stretch is whole lines of a file.
type Stretch struct {
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
}

// Parameterized holds the exact parameterized matches of two units.
type Parameterized struct {
	Matches []Renaming `json:"matches"`
	Whole   bool       `json:"whole"` // false: too repetitive, the comparison was cut short
}

// side holds the files of a unit as one text. Each file ends with a token that equals no other.
type side struct {
	parameterized.Text
	tokens []place
	files  []opened
}

// opened is a file of a side.
type opened struct {
	path string
	text []byte
}

// place returns the file and position of a token of a side.
type place struct {
	file       int
	start, end uint32
	line       uint32
}

// parameterized finds the p-matches of the first two units.
func (g *gather) parameterized(l *collection.Loader) (*Parameterized, error) {
	of, err := g.sides(l)
	if err != nil {
		return nil, err
	}
	ms, whole := parameterized.Matches(of[0].Text, of[1].Text, g.o.Scan.MinTokens)
	out := &Parameterized{Matches: []Renaming{}, Whole: whole}
	for _, m := range ms {
		out.Matches = append(out.Matches, Renaming{Shared{of[0].stretch(m.A, m.Len), of[1].stretch(m.B, m.Len), m.Len}, countRenamed(of[0], of[1], m)})
	}
	slices.SortStableFunc(out.Matches, func(x, y Renaming) int { return cmp.Compare(y.Tokens, x.Tokens) })
	return out, nil
}

// sides reads the first two units.
func (g *gather) sides(l *collection.Loader) (of [2]*side, err error) {
	for u := range of {
		if of[u], err = g.side(l, u); err != nil {
			return of, err
		}
	}
	return of, nil
}

func (g *gather) side(l *collection.Loader, unit int) (*side, error) {
	s := new(side)
	for _, f := range g.files {
		if f.unit != unit {
			continue
		}
		d, err := l.Load(f.doc)
		if err != nil {
			return nil, err
		}
		from := len(s.Fixed)
		s.add(f.path, d, uint64(unit))
		s.hide(from, d.Masked, uint64(unit))
	}
	return s, nil
}

// add appends a file. Its names are numbered separately from those of other files.
func (s *side) add(path string, d *collection.Loaded, unit uint64) {
	numbers := make(map[string]int32)
	first, n := int32(len(s.Names)), len(s.files)
	s.Fixed = append(s.Fixed, baseline.Values(nil, d.Language, d.Tokens)...)
	line := 1
	for _, t := range d.Tokens {
		line = d.Lines().From(line, t.Start)
		s.tokens = append(s.tokens, place{n, t.Start, t.End, uint32(line)})
		name := int32(parameterized.None)
		if t.Class == lang.Identifier {
			word := string(d.Text[t.Start:t.End])
			if _, ok := numbers[word]; !ok {
				numbers[word] = first + int32(len(numbers))
			}
			name = numbers[word]
		}
		s.Names = append(s.Names, name)
	}
	s.Fixed, s.Names = append(s.Fixed, unlike(len(s.Fixed), unit)), append(s.Names, parameterized.None)
	s.tokens = append(s.tokens, place{file: n})
	s.files = append(s.files, opened{path, d.Text})
}

// unlike returns the symbol of token i if no other token may equal it.
func unlike(i int, unit uint64) uint64 { return uint64(i)<<1 | unit }

// hide masks the base code of the file whose tokens begin at from: no match crosses it.
func (s *side) hide(from int, masked []bool, unit uint64) {
	for i, m := range masked {
		if m {
			s.Fixed[from+i], s.Names[from+i] = unlike(from+i, unit), parameterized.None
		}
	}
}

func (s *side) stretch(from, n int) Stretch {
	a, z := s.tokens[from], s.tokens[from+n-1]
	f := s.files[a.file]
	return Stretch{f.path, int(a.line), int(z.line) + bytes.Count(f.text[z.start:z.end], []byte{'\n'})}
}

func (s *side) word(i int) []byte {
	p := s.tokens[i]
	return s.files[p.file].text[p.start:p.end]
}

// countRenamed counts the names of a match that differ between the sides.
func countRenamed(a, b *side, m parameterized.Match) int {
	seen := make(map[int32]bool)
	for i := range m.Len {
		if n := a.Names[m.A+i]; n != parameterized.None && !bytes.Equal(a.word(m.A+i), b.word(m.B+i)) {
			seen[n] = true
		}
	}
	return len(seen)
}

// Maximal holds all runs of equal tokens that two units share and that no token on
// either side extends, however frequent they are. Names count as equal; a run ends where base
// code begins.
type Maximal struct {
	Matches []Shared `json:"matches"` // longest first
	SharedA int      `json:"sharedA"` // tokens of A in a run
	SharedB int      `json:"sharedB"`
	Whole   bool     `json:"whole"` // false: too repetitive, shorter runs are left out
}

// Shared is one maximal run.
type Shared struct {
	A      Stretch `json:"a"`
	B      Stretch `json:"b"`
	Tokens int     `json:"tokens"`
}

// maximalRuns finds the maximal runs of the first two units.
func (g *gather) maximalRuns(l *collection.Loader) (*Maximal, error) {
	of, err := g.sides(l)
	if err != nil {
		return nil, err
	}
	ms, whole := suffix.Matches(of[0].Fixed, of[1].Fixed, g.o.Scan.MinTokens)
	out := &Maximal{Matches: []Shared{}, Whole: whole}
	var on [2][]match.Interval
	for _, m := range ms {
		out.Matches = append(out.Matches, Shared{of[0].stretch(m.A, m.Len), of[1].stretch(m.B, m.Len), m.Len})
		on[0] = append(on[0], match.Interval{From: m.A, To: m.A + m.Len})
		on[1] = append(on[1], match.Interval{From: m.B, To: m.B + m.Len})
	}
	slices.SortStableFunc(out.Matches, func(x, y Shared) int { return cmp.Compare(y.Tokens, x.Tokens) })
	out.SharedA, out.SharedB = match.Length(match.Union(on[0])), match.Length(match.Union(on[1]))
	return out, nil
}
