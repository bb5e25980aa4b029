package text

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
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

// nameReach is how many tokens before and behind a k-gram are searched for names.
const nameReach = 48

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
	if in := functions.Innermost(t.Functions(), at, at+1, 0); in != nil && in.To-in.From >= t.Params.T() {
		f = *in
	}
	a.Names = t.around[:0]
	for i := max(0, at-nameReach); i < min(len(t.Tokens), at+t.Params.K+nameReach); i++ {
		hash, bits := c.Name(i)
		if hash == 0 {
			continue
		}
		inside := f.From <= i && i < f.To
		k := slices.IndexFunc(a.Names, func(n Name) bool { return n.Hash == hash })
		if k < 0 {
			k = len(a.Names)
			a.Names = append(a.Names, Name{Hash: hash, Other: c.Other(i), Bits: bits})
			a.Bits += bits
		}
		if n := &a.Names[k]; inside && !n.Inside {
			n.Inside = true
			a.Inside += bits
		}
	}
	t.around = a.Names
	return a
}
