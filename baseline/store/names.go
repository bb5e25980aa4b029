package store

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// bitsPerName makes one name in eight that a document does not have pass for
// one it has, at a byte a name.
const bitsPerName = 8

// HasName tells whether a token's text belongs into the set of names.
func HasName(t lang.Token) bool {
	return t.End-t.Start > 2 && (t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number)
}

// NameSet is the set of names of one document.
type NameSet []byte

// Has tells whether the document may have a name; false is certain.
func (s NameSet) Has(hash uint32) bool {
	if len(s) == 0 {
		return false
	}
	i := int(uint64(hash) * uint64(8*len(s)) >> 32)
	return s[i>>3]>>(i&7)&1 == 1
}

func (e *Encoder) names(text []byte, toks []lang.Token) NameSet {
	e.hashes = e.hashes[:0]
	for _, t := range toks {
		if HasName(t) {
			e.hashes = append(e.hashes, model.NameHash(text[t.Start:t.End]))
		}
	}
	slices.Sort(e.hashes)
	e.hashes = slices.Compact(e.hashes)
	set := make(NameSet, (bitsPerName*len(e.hashes)+7)/8)
	for _, h := range e.hashes {
		i := int(uint64(h) * uint64(8*len(set)) >> 32)
		set[i>>3] |= 1 << (i & 7)
	}
	return set
}
