package likeness

import "slices"

// Set is a set of programs that are compared with each other.
type Set struct {
	*weighed
	usual []Usual // by program; nil before Expect
}

// likeness is how alike two programs are, from 0 to 1, and the readings behind it.
type likeness struct {
	Structure float64 // weighted part of both structures that tiles cover
	Values    float64 // weighted part of the values that both have, single and in runs
	Whole     float64 // both together; Beyond subtracts what is usual
}

// Usual is the likeness of a program to most others of its set: of all code, of the code that is reached, and word for word.
type Usual struct{ whole, reached, verbatim float64 }

// The usual likeness of a program is the likeness that half of the others do not exceed. In a set of fewer than twice mostCopies
// programs the part is smaller, down to a quarter. So a group of copies does not decide it, but code that everybody was given does.
// It is at most mostUsual: copies stay alike even if most of the set is copies. Word for word, it is the likeness that a quarter do
// not exceed. At most usualOthers programs are compared for it; in a set of more than manyUnits, fewOthers, since there each of
// these comparisons is an additional one.
const (
	usualPart   = 0.5
	usualFew    = 0.25
	mostCopies  = 20 // of one program
	mostUsual   = 0.7
	usualOthers = 128
	manyUnits   = 1000
	fewOthers   = 8
)

// belowUsual is the part that is left of a likeness below the usual one: hardly anything, but in the same order.
const belowUsual = 0.05

// Both is how alike two programs are: all of their code, the code that is reached, and that code word for word (verbatim.near). The usual
// likeness is still in it.
type Both struct{ whole, reached, verbatim float64 }

// NewSet weighs programs.
func NewSet(programs []Program) *Set { return &Set{weighed: weigh(programs)} }

// Usual returns the usual likeness of program i. both is Set.Both, or gives what it returned before. Several goroutines may call
// it.
func (s *Set) Usual(i int, both func(i, j int) Both) Usual {
	n := len(s.units)
	if n < minUnits {
		return Usual{}
	}
	looked := min(n-1, usualOthers)
	if n > manyUnits {
		looked = fewOthers
	}
	var whole, reached, verbatim []float64
	for k := range looked {
		b := both(i, (i+1+k*(n-1)/looked)%n)
		whole, reached, verbatim = append(whole, b.whole), append(reached, b.reached), append(verbatim, b.verbatim)
	}
	part := max(usualFew, min(usualPart, 1-mostCopies/float64(n-1)))
	// Without a bound: if most programs are word for word alike, everybody was given that code.
	return Usual{min(mostUsual, usually(whole, part)), min(mostUsual, usually(reached, part)), usually(verbatim, usualFew)}
}

// usually returns the likeness that a part of the others do not exceed.
func usually(xs []float64, part float64) float64 {
	slices.Sort(xs)
	return xs[int(float64(len(xs)-1)*part)]
}

// Expect sets the usual likeness of each program. Beyond subtracts it from then on.
func (s *Set) Expect(usual []Usual) { s.usual = usual }

// Beyond returns the similarity that pairs are ranked by: the likeness beyond the usual one. If all code is more
// alike than the code that is reached, the difference counts by the square of the part of the code that is reached, in the program
// that reaches more. Code that neither of them reaches is a template that both carry along. Code that one of them reaches may have
// been cut off in the other. At last, the gap to 1 shrinks as far as the two are equal word for word beyond the usual.
func (s *Set) Beyond(i, j int, b Both) float64 {
	if s.usual != nil {
		x, y := s.usual[i], s.usual[j]
		b.whole, b.reached = beyond(b.whole, (x.whole+y.whole)/2, belowUsual), beyond(b.reached, (x.reached+y.reached)/2, belowUsual)
		b.verbatim = beyond(b.verbatim, max(x.verbatim, y.verbatim), 0)
	}
	q := max(s.reachedPart(i), s.reachedPart(j))
	like := b.reached + q*q*max(0, b.whole-b.reached)
	return like + (1-like)*b.verbatim
}

// reachedPart returns the part of the tokens of a program that is reached.
func (s *Set) reachedPart(i int) float64 {
	return float64(s.reached[i].tokens) / float64(max(1, s.units[i].tokens))
}

// Both compares two programs. The order of i and j does not matter. Several goroutines may call it.
func (s *Set) Both(i, j int) Both {
	w, r := s.both(min(i, j), max(i, j))
	return Both{w.Whole, r.Whole, s.reached[i].verbatim.near(s.reached[j].verbatim)}
}

// both compares all code of two programs, and the code that is reached.
func (s *Set) both(i, j int) (whole, reached likeness) {
	a, b := s.reached[i], s.reached[j]
	whole = s.compare(&s.units[i], &s.units[j])
	if a == &s.units[i] && b == &s.units[j] {
		return whole, whole
	}
	return whole, s.compare(a, b)
}

// beyond returns the part of a likeness above the usual one, from 0 to 1. At least the part kept of the likeness is left.
func beyond(x, usual, kept float64) float64 {
	if usual >= 1 {
		return 0
	}
	return max(kept*x, (x-usual)/(1-usual))
}

// Candidates calls f for the pairs i < j that share a rare run of structure. In a large set only these are worth comparing. Some
// pairs are passed more than once.
func (s *Set) Candidates(f func(i, j int)) { s.candidates(f) }
