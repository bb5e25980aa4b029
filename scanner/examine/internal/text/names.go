package text

import (
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// Name is a name near a token.
type Name struct {
	Hash   uint32
	Other  uint32 // hash of a string in single quotes; 0 for any other name
	Bits   float64
	Inside bool // it occurs in the function of the k-gram
}

// In reports whether a document may have the name.
func (n Name) In(set store.NameSet) bool { return set.Has(n.Hash) || n.Other != 0 && set.Has(n.Other) }

// nameReach is how many tokens before and after a k-gram are searched for names.
const nameReach = 48

// mostAround is more than the tokens that are searched for names: 2*nameReach and the longest k-gram.
const mostAround = 1 << 10

const _ = uint(mostAround - 1 - 2*nameReach - fingerprint.MaxK) // does not compile if it is not

// Around are the names around a k-gram.
type Around struct {
	Names  []Name  // distinct; valid until the next call of NamesAround
	Bits   float64 // of all
	Inside float64 // of those in the function of the k-gram's first token; 0 if it is in none
}

// NamesAround lists the names around the k-gram at a token.
func (t *Examined) NamesAround(at int) (a Around) {
	c := t.Costs()
	f := functions.Function{}
	if in := functions.Innermost(t.Functions(), at, at+1, 0); in != nil && in.To-in.From >= t.Rules.Params.T() {
		f = *in
	}
	a.Names = t.around[:0]
	from, to := max(0, at-nameReach), min(len(t.Tokens), at+t.Rules.Params.K+nameReach)
	hashes, values := c.Names(from, to)
	var met [mostAround]uint16 // by slot: 1 + the index of its name
	for i, bits := range values {
		if bits == 0 {
			continue
		}
		slot := hashes[i] * 0x9E3779B1 >> 22
		for met[slot] != 0 && a.Names[met[slot]-1].Hash != hashes[i] {
			slot = (slot + 1) % uint32(len(met))
		}
		if met[slot] == 0 {
			a.Names = append(a.Names, Name{Hash: hashes[i], Other: c.Other(from + i), Bits: float64(bits)})
			a.Bits += float64(bits)
			met[slot] = uint16(len(a.Names))
		}
		if n := &a.Names[met[slot]-1]; f.From <= from+i && from+i < f.To && !n.Inside {
			n.Inside = true
			a.Inside += float64(bits)
		}
	}
	t.around = a.Names
	return a
}

// Use tells where a text has a name.
type Use struct {
	First int // token
	Times int
}

// readUses reads the uses of every name.
func (s *Stream) readUses() map[string]Use {
	out := make(map[string]Use)
	for i, t := range s.Tokens {
		if t.Class != lang.Identifier {
			continue
		}
		name := string(s.TextAt(uint32(i)))
		use, met := out[name]
		if !met {
			use.First = i
		}
		use.Times++
		out[name] = use
	}
	return out
}
