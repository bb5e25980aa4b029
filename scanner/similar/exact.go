package similar

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/algorithms/parameterized"
	"github.com/git-provenance/git-provenance/scanner/algorithms/suffix"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

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

// maximal finds the maximal runs of the first two units.
func (g *gather) maximal(l *collection.Loader) (*Maximal, error) {
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
