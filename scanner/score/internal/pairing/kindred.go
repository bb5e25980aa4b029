package pairing

import (
	"bytes"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/model"
)

// Kindred collects renamed pairs by their stems. A constructor often names one thing three times alike: a type IClock, a
// parameter clock, a field _clock. If one of them is renamed, all are, so the three are evidence of one rename.
type Kindred struct {
	pairs numbers // of stems, separated by a byte that no name contains
	room  []byte  // the stems
}

// Reset removes all pairs.
func (k *Kindred) Reset() {
	k.pairs.reset()
	k.room = k.room[:0]
}

// Met adds a pair of names and reports whether a pair with the same stems was added before.
func (k *Kindred) Met(origin, target []byte) bool {
	from, pairs := len(k.room), uint32(len(k.pairs.names))
	k.room = stem(append(stem(k.room, origin), 0), target)
	key := k.room[from:]
	return k.pairs.number(key, model.NameHash(key)) < pairs
}

// stem appends a name in lower case, without underscores around it and the I of an interface.
func stem(dst, name []byte) []byte {
	n := bytes.Trim(name, "_")
	if len(n) > 2 && n[0] == 'I' && isUpper(n[1]) && !isUpper(n[2]) {
		n = n[1:]
	}
	for i, c := range n {
		if c >= utf8.RuneSelf {
			return append(dst, bytes.ToLower(n[i:])...)
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
