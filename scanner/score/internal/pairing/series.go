package pairing

import (
	"bytes"
	"cmp"
	"slices"
)

// Series are the unchanged names of a match that have numbers. They count on: T12 follows T11, and MIGRATION_3_4 follows
// MIGRATION_2_3. Everybody writes out a series in the same way, so its further names are hardly evidence. The zero value is ready.
type Series struct {
	names  []numbered // ascending by stem and number, each once
	listed bool       // most names of the match count on: the match is a list
}

// Worth is how much a name counts if other names of its series were counted before.
type Worth int

// From the third name of a series on, each is worth a Little. In a match that lists a series, the eleventh and later ones are worth Nothing.
const (
	Full Worth = iota
	Little
	Nothing
)

// numbered is a name with numbers: a hash of the rest of the name, and its last number.
type numbered struct {
	stem, number uint64
	places       int
	met          bool
	before       int // of the first name of a stem: names of this stem that were asked for
}

const (
	ownCounted  = 2  // names of a series that count in full
	saidCounted = 10 // names of a series that count at all in a match that lists them
)

// Find reads the names of a match, before Worth is asked for the first of them.
func (s *Series) Find(origins, targets [][]byte, pairs []Pair) {
	s.names = s.names[:0]
	all := 0
	for _, p := range pairs {
		if all += p.Count; p.Count == 0 || !bytes.Equal(origins[p.Origin], targets[p.Target]) {
			continue
		}
		if stem, number := stemOf(origins[p.Origin]); stem != 0 {
			s.names = append(s.names, numbered{stem: stem, number: number, places: p.Count})
		}
	}
	slices.SortFunc(s.names, numbered.compare)
	last := 0
	for i := 1; i < len(s.names); i++ { // a1 and a01 have one number
		if s.names[last].compare(s.names[i]) == 0 {
			s.names[last].places += s.names[i].places
		} else {
			last++
			s.names[last] = s.names[i]
		}
	}
	s.names = s.names[:min(last+1, len(s.names))]
	on := 0
	for i, n := range s.names {
		if s.goesOn(i) || s.goesOn(i+1) {
			on += n.places
		}
	}
	s.listed = 2*on > all
}

func (n numbered) compare(o numbered) int {
	return cmp.Or(cmp.Compare(n.stem, o.stem), cmp.Compare(n.number, o.number))
}

// goesOn reports whether name i counts on from the one before it.
func (s *Series) goesOn(i int) bool {
	return i > 0 && i < len(s.names) && s.names[i].stem == s.names[i-1].stem && s.names[i].number == s.names[i-1].number+1
}

// Worth returns how much a name counts, given the names of the earlier calls.
func (s *Series) Worth(name []byte) Worth {
	var n numbered
	if n.stem, n.number = stemOf(name); n.stem == 0 {
		return Full
	}
	i, ok := slices.BinarySearchFunc(s.names, n, numbered.compare)
	if !ok {
		return Full
	}
	head, _ := slices.BinarySearchFunc(s.names, numbered{stem: n.stem}, numbered.compare)
	first, this := &s.names[head], &s.names[i]
	if !this.met {
		this.met = true
		first.before++
	}
	before := first.before - 1
	beside := s.goesOn(i) && (s.listed || s.names[i-1].met) || s.goesOn(i+1) && (s.listed || s.names[i+1].met)
	switch {
	case !beside || before < ownCounted:
		return Full
	case s.listed && before >= saidCounted:
		return Nothing
	}
	return Little
}

// stemOf returns the stem of a name and its last number; 0 and 0 if it has no number.
func stemOf(name []byte) (stem, number uint64) {
	if !slices.ContainsFunc(name, isDigit) {
		return 0, 0
	}
	stem = 14695981039346656037 // FNV-1a, a run of digits as one
	for i, c := range name {
		if isDigit(c) {
			if i > 0 && isDigit(name[i-1]) {
				number = 10*number + uint64(c-'0')
				continue
			}
			number, c = uint64(c-'0'), '0'
		}
		stem = (stem ^ uint64(c)) * 1099511628211
	}
	return stem, number
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
