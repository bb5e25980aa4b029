// Package parameterized finds the maximal parameterized matches of two token sequences. It returns pairs of stretches
// that are equal except for a one-to-one renaming of their identifiers.
//
// Definition and name are Baker's ("Parameterized pattern matching: algorithms and applications", 1996; "A program for
// identifying duplicated code", 1992). A stretch of one text p-matches one of the other if a bijection of names turns
// one into the other; all other tokens have to be equal. Baker encodes each name by the distance to its previous
// occurrence, 0 at the first. Two stretches p-match if and only if the encodings are equal, where a distance that leads
// out of the stretch counts as 0.
//
// Baker finds the matches with a suffix tree of that encoding. This package uses the hash of each window of least
// tokens instead. The encoding of the next window differs from that of the last in three places at most: the token that
// leaves, the one that enters, and the next occurrence of the name that leaves. So the hash rolls in constant time.
// Windows of equal hash are seeds. Every seed is verified and extended along its diagonal by two ends that only move
// forward. The time is that of sorting the windows and of walking the diagonals that have a seed.
package parameterized

import (
	"cmp"
	"slices"
)

// Text is a token sequence. Names[i] is the number of the name at i. It is None if the token is not a name; Fixed[i]
// then identifies the token. The numbers of names belong to this text alone and are below its length.
type Text struct {
	Fixed []uint64
	Names []int32
}

// None is the entry of Text.Names for a token that is not a name.
const None = -1

// Match says that Len tokens from A on p-match Len tokens from B on, and that no longer stretch around them on the same
// diagonal does.
type Match struct{ A, B, Len int }

// workPerToken bounds the work: steps along diagonals for each token of both texts. A text of one repeated line has as
// many diagonals as tokens.
const workPerToken = 64

// Matches returns all maximal p-matches of at least least tokens, ascending by A, then B. whole is false if the work
// bound stopped it; the matches returned are then still correct. It panics if least is below 1.
func Matches(a, b Text, least int) (ms []Match, whole bool) {
	if least < 1 {
		panic("parameterized: matches of less than one token")
	}
	work := workPerToken * (len(a.Names) + len(b.Names))
	seeds, whole := seedsOf(a.windows(least), b.windows(least), work)
	slices.SortFunc(seeds, func(x, y seed) int {
		return cmp.Or(cmp.Compare(x.b-x.a, y.b-y.a), cmp.Compare(x.a, y.a))
	})
	s := newSweep(a, b, least)
	on, done := 0, 0 // below done, the current diagonal has been walked
	for i, x := range seeds {
		if d := x.b - x.a; i == 0 || d != on {
			on, done = d, 0
		}
		if x.a < done {
			continue
		}
		done = s.walk(x.a, x.b)
		if work -= done - x.a; work < 0 {
			whole = false
			break
		}
	}
	slices.SortFunc(s.out, func(x, y Match) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return s.out, whole
}

// seed is a pair of windows of equal hash.
type seed struct{ a, b int }

// seedsOf pairs the windows of equal hash, up to the work bound.
func seedsOf(a, b []window, work int) (out []seed, whole bool) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].hash < b[0].hash:
			a = a[1:]
		case a[0].hash > b[0].hash:
			b = b[1:]
		default:
			n, m := alike(a), alike(b)
			if work -= n * m; work < 0 {
				return out, false
			}
			for _, x := range a[:n] {
				for _, y := range b[:m] {
					out = append(out, seed{x.at, y.at})
				}
			}
			a, b = a[n:], b[m:]
		}
	}
	return out, true
}

// alike counts the leading windows with the same hash.
func alike(ws []window) int {
	n := 1
	for n < len(ws) && ws[n].hash == ws[0].hash {
		n++
	}
	return n
}

// sweep walks diagonals and keeps the bijection of names of the current stretch.
type sweep struct {
	a, b     Text
	least    int
	ab, ba   []int32 // the partner of a name; None if it has none
	uses     []int32 // how often a name of a occurs in the stretch
	out      []Match
	from, to int // the stretch, in a
	shift    int // from a to b
}

func newSweep(a, b Text, least int) *sweep {
	return &sweep{a: a, b: b, least: least, ab: free(len(a.Names)), ba: free(len(b.Names)), uses: make([]int32, len(a.Names))}
}

func free(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = None
	}
	return out
}

// walk reports the maximal p-matches of a diagonal from a seed on, up to the first pair of tokens that no renaming
// makes equal. It returns the position of that pair in a.
func (s *sweep) walk(a, b int) int {
	s.from, s.to, s.shift = a, a, b-a
	for s.comparable(s.to) {
		if !s.agrees(s.to) {
			s.report()
			for !s.agrees(s.to) {
				s.drop()
			}
		}
		s.take()
	}
	s.report()
	for s.from < s.to {
		s.drop()
	}
	return s.to
}

// comparable reports whether the tokens at i are both names or equal.
func (s *sweep) comparable(i int) bool {
	if i >= len(s.a.Names) || i+s.shift >= len(s.b.Names) {
		return false
	}
	x, y := s.a.Names[i], s.b.Names[i+s.shift]
	if x == None || y == None {
		return x == y && s.a.Fixed[i] == s.b.Fixed[i+s.shift]
	}
	return true
}

// agrees reports whether the tokens at i keep the renaming one to one.
func (s *sweep) agrees(i int) bool {
	x, y := s.a.Names[i], s.b.Names[i+s.shift]
	if x == None {
		return true
	}
	return s.ab[x] == y && s.ba[y] == x || s.ab[x] == None && s.ba[y] == None
}

// take adds the next pair of tokens to the stretch.
func (s *sweep) take() {
	if x := s.a.Names[s.to]; x != None {
		y := s.b.Names[s.to+s.shift]
		s.ab[x], s.ba[y] = y, x
		s.uses[x]++
	}
	s.to++
}

// drop removes the first pair of tokens from the stretch.
func (s *sweep) drop() {
	if x := s.a.Names[s.from]; x != None {
		if s.uses[x]--; s.uses[x] == 0 {
			s.ba[s.ab[x]], s.ab[x] = None, None
		}
	}
	s.from++
}

func (s *sweep) report() {
	if s.to-s.from >= s.least {
		s.out = append(s.out, Match{s.from, s.from + s.shift, s.to - s.from})
	}
}
