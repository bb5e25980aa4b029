package likeness

import "slices"

// Set is programs that are compared with each other.
type Set struct {
	whole   *weighed
	reached *weighed // nil if all code of all programs is reached
	usual   []Usual  // by program; nil: nothing is usual
}

// Likeness is how alike two programs are, from 0 to 1, and the readings behind it.
type Likeness struct {
	Structure float64 // weighted part of both structures that tiles cover
	Values    float64 // weighted part of the values that both have, alone and in runs
	Whole     float64 // the number that pairs are ranked by: both, less what is usual
}

// Usual is how alike a program is to most others of its set, in whole and where it is reached.
type Usual struct{ whole, reached float64 }

// Usual is told by the likeness that a quarter of the others do not exceed, so that a group of
// copies does not decide it. At most mostUsual is taken for usual: in a set that is copies for
// the most part, they stay alike. At most so many others are looked at.
const (
	usualPart   = 0.25
	mostUsual   = 0.5
	usualOthers = 128
)

// NewSet weighs programs.
func NewSet(programs []Program) *Set {
	s := new(Set)
	whole, reached, any := make([]*Outline, len(programs)), make([]*Outline, len(programs)), false
	for i, p := range programs {
		whole[i], reached[i] = p.Whole, p.Whole
		if p.Reached != nil {
			reached[i], any = p.Reached, true
		}
	}
	if s.whole = weigh(whole); any {
		s.reached = weigh(reached)
	}
	return s
}

// Usual tells how alike program i is to most others. It may be called from several goroutines.
func (s *Set) Usual(i int) Usual {
	n := len(s.whole.units)
	if n < minUnits {
		return Usual{}
	}
	var whole, reached []float64
	looked := min(n-1, usualOthers)
	for k := range looked {
		j := (i + 1 + k*(n-1)/looked) % n
		w, r := s.both(i, j)
		whole, reached = append(whole, w.Whole), append(reached, r.Whole)
	}
	return Usual{usually(whole), usually(reached)}
}

func usually(xs []float64) float64 {
	slices.Sort(xs)
	return min(mostUsual, xs[int(float64(len(xs)-1)*usualPart)])
}

// Expect takes what is usual, for each program; from then on it is no likeness.
func (s *Set) Expect(usual []Usual) { s.usual = usual }

// Compare tells how alike programs i and j are: in whole, or where they are reached, if they are
// more alike there. It may be called from several goroutines.
func (s *Set) Compare(i, j int) Likeness {
	w, r := s.both(i, j)
	if s.usual != nil {
		a, b := s.usual[i], s.usual[j]
		w.Whole, r.Whole = beyond(w.Whole, (a.whole+b.whole)/2), beyond(r.Whole, (a.reached+b.reached)/2)
	}
	if r.Whole > w.Whole {
		return r
	}
	return w
}

// both compares in whole and where programs are reached.
func (s *Set) both(i, j int) (whole, reached Likeness) {
	whole = s.whole.compare(i, j)
	if s.reached == nil {
		return whole, whole
	}
	return whole, s.reached.compare(i, j)
}

// beyond is what of a likeness is not usual.
func beyond(x, usual float64) float64 { return max(0, (x-usual)/(1-usual)) }

// Candidates names the programs that have a rare run of structure in common: of a large
// set a part that is worth comparing. f gets i < j, some pairs more than once.
func (s *Set) Candidates(f func(i, j int)) { s.whole.candidates(f) }
