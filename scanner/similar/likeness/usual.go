package likeness

import (
	"cmp"
	"slices"
)

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

// Usual is how alike a program is to others of its set: all code, the code that is reached, and word for word.
type Usual struct {
	whole, reached row
	verbatim       float64
}

// row is how alike a program is to the marks of its set (Set.mark), 1 to itself. order is the other marks by that, ascending.
type row struct {
	like  []float64
	order []int32
}

// The usual likeness of a program is the likeness that usualPart of the others do not exceed. It is asked for a pair. An other counts
// by the part that it does not have in common with the second program of the pair: so a group of copies to which both belong does
// not decide it, but code that everybody was given does. In a set of fewer than four times mostCopies programs the part is smaller,
// down to usualFew. Word for word, it is the likeness that usualFew do not exceed.
const (
	usualPart  = 0.75
	usualFew   = 0.25
	mostCopies = 10 // of one program
)

// At most usualMarks programs are the others of all; in a set of more than manyUnits, fewMarks, since there each of these comparisons is an
// additional one.
const (
	usualMarks = 128
	manyUnits  = 1000
	fewMarks   = 8
)

// belowUsual is the part that is left of a likeness below the usual one: hardly anything, but in the same order.
const belowUsual = 0.05

// Both is how alike two programs are: all of their code, the code that is reached, and that code word for word (verbatim.near). The usual
// likeness is still in it.
type Both struct{ whole, reached, verbatim float64 }

// NewSet weighs programs.
func NewSet(programs []Program) *Set { return &Set{weighed: weigh(programs)} }

// marks returns how many programs of the set are marks.
func (s *Set) marks() int {
	n := len(s.units)
	if n > manyUnits {
		return fewMarks
	}
	return min(n, usualMarks)
}

// mark returns the program that is mark k. Marks are spread over the set.
func (s *Set) mark(k int) int { return k * len(s.units) / s.marks() }

// Usual compares program i with the marks. both is Set.Both, or gives what it returned before. Several goroutines may call it.
func (s *Set) Usual(i int, both func(i, j int) Both) Usual {
	if len(s.units) < minUnits {
		return Usual{}
	}
	marks := s.marks()
	whole, reached := row{like: make([]float64, marks)}, row{like: make([]float64, marks)}
	var verbatim []float64
	for k := range marks {
		j := s.mark(k)
		if j == i {
			whole.like[k], reached.like[k] = 1, 1
			continue
		}
		b := both(i, j)
		whole.like[k], reached.like[k], verbatim = b.whole, b.reached, append(verbatim, b.verbatim)
		whole.order, reached.order = append(whole.order, int32(k)), append(reached.order, int32(k))
	}
	whole.sort()
	reached.sort()
	slices.Sort(verbatim)
	// Without a bound: if most programs are word for word alike, everybody was given that code.
	return Usual{whole, reached, verbatim[int(float64(len(verbatim)-1)*usualFew)]}
}

func (r row) sort() {
	slices.SortStableFunc(r.order, func(a, b int32) int { return cmp.Compare(r.like[a], r.like[b]) })
}

// against returns the usual likeness of the program of a row, if it is compared with the program of another row. Neither of the two
// counts: the second program has all in common with itself.
func (r *row) against(o *row, part float64) float64 {
	need := 0.
	for _, k := range r.order {
		need += part * (1 - o.like[k])
	}
	for _, k := range r.order {
		weight := 1 - o.like[k]
		if need -= weight; need <= 0 && weight > 0 {
			return r.like[k]
		}
	}
	return 0 // all others are equal to the second program
}

// Expect sets the usual likeness of each program. Beyond subtracts it from then on.
func (s *Set) Expect(usual []Usual) { s.usual = usual }

// Beyond returns the similarity that pairs are ranked by: the likeness beyond the usual one. If all code is more
// alike than the code that is reached, the difference counts by the part of the code that is reached, in the program
// that reaches more, to the power of eight. Code that neither of them reaches is a template that both carry along. Code that one of them reaches may have
// been cut off in the other. At last, the gap to 1 shrinks as far as the two are equal word for word beyond the usual.
func (s *Set) Beyond(i, j int, b Both) float64 {
	if s.usual != nil {
		x, y := &s.usual[i], &s.usual[j]
		b.whole = beyond(b.whole, s.expected(&x.whole, &y.whole), belowUsual)
		b.reached = beyond(b.reached, s.expected(&x.reached, &y.reached), belowUsual)
		b.verbatim = beyond(b.verbatim, max(x.verbatim, y.verbatim), 0)
	}
	q := max(s.reachedPart(i), s.reachedPart(j))
	q *= q
	q *= q
	like := b.reached + q*q*max(0, b.whole-b.reached)
	return like + (1-like)*b.verbatim
}

// expected returns the usual likeness of two programs, the mean of both.
func (s *Set) expected(x, y *row) float64 {
	if len(x.like) == 0 {
		return 0
	}
	part := max(usualFew, min(usualPart, 1-mostCopies/float64(len(s.units)-1)))
	return (x.against(y, part) + y.against(x, part)) / 2
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
