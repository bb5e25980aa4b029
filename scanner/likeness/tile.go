package likeness

import (
	"cmp"
	"slices"
)

// maxPlaces bounds the positions of a run of words on either side, for each to be tried with each. With more, which
// repetitive code has, the first is tried with the first, the second with the second, and so on.
const maxPlaces = 64

// match is a run of equal words.
type match struct{ a, b, n int32 }

// earlier orders matches by their positions.
func earlier(x, y match) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) }

// tile covers two sequences with tiles: equal runs, the longest first, of equally long ones the earliest, without
// overlap. It returns the covered words of each.
func tile(a, b *sequence) (inA, inB []bool) {
	inA, inB = make([]bool, len(a.words)), make([]bool, len(b.words))
	ofLength := make([][]match, min(len(inA), len(inB))+1)
	for _, m := range common(a, b) {
		ofLength[m.n] = append(ofLength[m.n], m)
	}
	for n := len(ofLength) - 1; n >= tileWords; n-- {
		slices.SortFunc(ofLength[n], earlier)
		for _, m := range ofLength[n] {
			for _, part := range free(m, inA, inB) {
				if part != m { // shorter: handled with that length
					ofLength[part.n] = append(ofLength[part.n], part)
					continue
				}
				for i := range m.n {
					inA[m.a+i], inB[m.b+i] = true, true
				}
			}
		}
	}
	return inA, inB
}

// free returns the parts of a match that no tile covers and that are long enough for a tile.
func free(m match, inA, inB []bool) (out []match) {
	for at := int32(0); at < m.n; {
		for at < m.n && (inA[m.a+at] || inB[m.b+at]) {
			at++
		}
		end := at
		for end < m.n && !inA[m.a+end] && !inB[m.b+end] {
			end++
		}
		if end-at >= tileWords {
			out = append(out, match{m.a + at, m.b + at, end - at})
		}
		at = end
	}
	return out
}

// common lists the longest equal runs of two sequences.
func common(a, b *sequence) (out []match) {
	x, y := a.grams, b.grams
	for len(x) > 0 && len(y) > 0 {
		if x[0].hash != y[0].hash {
			if x[0].hash < y[0].hash {
				x = x[1:]
			} else {
				y = y[1:]
			}
			continue
		}
		n, m := sameHash(x), sameHash(y)
		if n > maxPlaces || m > maxPlaces {
			for k := range min(n, m, maxPlaces) {
				out = appendRun(out, a, b, x[k].at, y[k].at)
			}
		} else {
			for _, p := range x[:n] {
				for _, q := range y[:m] {
					if !extendsBack(a, b, p.at, q.at) { // otherwise an earlier position lists it
						out = appendRun(out, a, b, p.at, q.at)
					}
				}
			}
		}
		x, y = x[n:], y[m:]
	}
	return out
}

// extendsBack reports whether an equal run that begins at two positions also has the words before them.
func extendsBack(a, b *sequence, i, j int32) bool {
	return i > 0 && j > 0 && a.words[i-1] == b.words[j-1]
}

// appendRun appends the longest equal run that begins at two positions.
func appendRun(out []match, a, b *sequence, i, j int32) []match {
	if n := equal(a.words[i:], b.words[j:]); n >= tileWords {
		out = append(out, match{i, j, n})
	}
	return out
}

func sameHash(gs []gram) int {
	n := 1
	for n < len(gs) && gs[n].hash == gs[0].hash {
		n++
	}
	return n
}

func equal(a, b []uint32) int32 {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return int32(n)
}
