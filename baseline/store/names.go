package store

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Parameters of a set of names: its bits per name, and how many bits a name sets. One in 150 absent names passes for a
// present one.
const (
	bitsPerName = 12
	probes      = 4
	mostProbes  = 8 // most probes that a file may ask for
)

// Parameters before version 5: a name set one of 8 bits. One absent name in eight passed.
const (
	oldBitsPerName = 8
	oldProbes      = 1
)

// HasName reports whether a token's text belongs in the set of names.
func HasName(t lang.Token) bool {
	return t.End-t.Start > 2 && (t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number)
}

// NameSet is the set of names in one document, a Bloom filter (Bloom 1970).
type NameSet struct {
	Bits   []byte
	Probes int // number of bits that a name sets
}

// Has reports whether the document may have a name; false is certain.
func (s NameSet) Has(hash uint32) bool {
	if len(s.Bits) == 0 {
		return false
	}
	for range s.Probes {
		i := s.bit(hash)
		if s.Bits[i>>3]>>(i&7)&1 == 0 {
			return false
		}
		hash = next(hash)
	}
	return true
}

func (s NameSet) add(hash uint32) {
	for range s.Probes {
		i := s.bit(hash)
		s.Bits[i>>3] |= 1 << (i & 7)
		hash = next(hash)
	}
}

func (s NameSet) bit(hash uint32) int { return int(uint64(hash) * uint64(8*len(s.Bits)) >> 32) }

// next returns the hash for a name's next bit. The factor is 2^32 divided by the golden ratio (Knuth).
func next(hash uint32) uint32 { return hash * 0x9e3779b1 }

// names makes a set in the form of this version. sameAs makes one in the form of s.
func (e *Encoder) names(text []byte, toks []lang.Token) NameSet {
	return e.namesIn(text, toks, bitsPerName, probes)
}

func (e *Encoder) sameAs(s NameSet, text []byte, toks []lang.Token) NameSet {
	if s.Probes == oldProbes {
		return e.namesIn(text, toks, oldBitsPerName, oldProbes)
	}
	return e.names(text, toks)
}

func (e *Encoder) namesIn(text []byte, toks []lang.Token, bits, probes int) NameSet {
	e.hashes = e.hashes[:0]
	for _, t := range toks {
		if HasName(t) {
			e.hashes = append(e.hashes, model.NameHash(text[t.Start:t.End]))
		}
	}
	slices.Sort(e.hashes)
	e.hashes = slices.Compact(e.hashes)
	set := NameSet{make([]byte, (bits*len(e.hashes)+7)/8), probes}
	for _, h := range e.hashes {
		set.add(h)
	}
	return set
}
