package pairing

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/model"
)

// Kindred collects renamed pairs by what changed in them. A constructor often names one thing three times alike: a type IClock, a
// parameter clock, a field _clock. And a GObject class has its name in all its functions: clock_init, clock_free. If one of them is
// renamed, all are, so they are evidence of one rename. So are a field, its getter and its setter.
type Kindred struct {
	Whole bool // all words of two names count as changed, but for the get or set of both: no class has its name in all its functions

	pairs numbers // of changed words, separated by a byte that no name contains
	room  []byte  // the changed words
	was   words
	is    words
}

// Reset removes all pairs.
func (k *Kindred) Reset() {
	k.pairs.reset()
	k.room = k.room[:0]
}

// Met adds a pair of names and reports whether a pair with the same changed words was added before.
func (k *Kindred) Met(origin, target []byte) bool {
	from, pairs := len(k.room), uint32(len(k.pairs.names))
	k.was.split(origin)
	k.is.split(target)
	if k.Whole {
		k.was.withoutPrefix(&k.is)
	} else {
		k.was.without(&k.is)
	}
	k.room = k.is.join(append(k.was.join(k.room), 0))
	key := k.room[from:]
	return k.pairs.number(key, model.NameHash(key)) < pairs
}

// maxWords is how many words of a name are told apart. The last has the rest.
const maxWords = 12

// words are the words of a name, in lower case, without the I of an interface.
type words struct {
	text   []byte
	ends   []int
	shared [maxWords]bool // with the other name of a pair
}

// split divides a name at underscores, and before the first of consecutive upper-case letters.
func (w *words) split(name []byte) {
	n := bytes.Trim(name, "_")
	if len(n) > 2 && n[0] == 'I' && isUpper(n[1]) && !isUpper(n[2]) {
		n = n[1:]
	}
	w.text, w.ends, w.shared = w.text[:0], w.ends[:0], [maxWords]bool{}
	for i, c := range n {
		if c >= utf8.RuneSelf {
			w.text = append(w.text, bytes.ToLower(n[i:])...)
			break
		}
		if i > 0 && len(w.ends) < maxWords-1 && (c == '_' || isUpper(c) && !isUpper(n[i-1])) && n[i-1] != '_' {
			w.ends = append(w.ends, len(w.text))
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		if c != '_' {
			w.text = append(w.text, c)
		}
	}
	w.ends = append(w.ends, len(w.text))
}

func (w *words) at(i int) []byte {
	from := 0
	if i > 0 {
		from = w.ends[i-1]
	}
	return w.text[from:w.ends[i]]
}

// without marks the words that both names have. If one of them has no others, nothing is marked.
func (w *words) without(o *words) {
	n := 0
	for i := range w.ends {
		for j := range o.ends {
			if !o.shared[j] && bytes.Equal(w.at(i), o.at(j)) {
				w.shared[i], o.shared[j] = true, true
				n++
				break
			}
		}
	}
	if n == len(o.ends) || n == len(w.ends) {
		w.shared, o.shared = [maxWords]bool{}, [maxWords]bool{}
	}
}

// accessors are the words that JavaBeans and its like put before the name of a field. The rest of the name follows from the field's.
var accessors = []string{"get", "set", "is"}

// withoutPrefix marks the first word of both names if it is the same accessor's, and if both have others.
func (w *words) withoutPrefix(o *words) {
	if len(w.ends) > 1 && len(o.ends) > 1 && bytes.Equal(w.at(0), o.at(0)) && slices.Contains(accessors, string(w.at(0))) {
		w.shared[0], o.shared[0] = true, true
	}
}

// join appends the words that only this name has.
func (w *words) join(dst []byte) []byte {
	for i := range w.ends {
		if !w.shared[i] {
			dst = append(dst, w.at(i)...)
		}
	}
	return dst
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
