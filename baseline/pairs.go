package baseline

import (
	"bytes"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Pairer makes fingerprints of names. Code that was edited throughout has no k-gram left, but still some of its own
// names next to each other. Each two neighbours among the rare names of a text make a pair, in either order. The index
// has the first place of each pair beside the k-grams; a baseline that was made before has none.
//
// The names that come with the program decide what is rare, so that it does not change as a baseline grows.
// Pairs only propose what is compared: they are no part of the guarantee. Not safe for concurrent use.
type Pairer struct {
	family string
	common model.Common
	known  [1 << 14]uint32 // names met so far, each at its lowest bits; in the place of the last bit whether it is rare

	imported hashSet  // names of import clauses
	clause   []uint32 // of the one at hand

	packed []uint64
	pairs  []fingerprint.Fingerprint
}

// Bounds of what makes a pair.
const (
	pairReach = 48 // tokens from one name to the next
	pairName  = 4  // bytes of a name; shorter ones are anybody's
)

// NamedText is a text whose pairs are made.
type NamedText struct {
	Language     *lang.Language
	Text         []byte
	Tokens       []lang.Token
	EitherQuotes bool     // a string makes pairs as it is in double and in single quotes, which the index has not
	Known        [][2]int // ascending ranges of tokens: who asks wants no pair that begins there
}

// Pairs appends the pairs of a text, each where it stands first, sorted by their hashes, which a key puts in its order.
func (p *Pairer) Pairs(dst []fingerprint.Fingerprint, key fingerprint.Key, named NamedText) []fingerprint.Fingerprint {
	text, toks, known := named.Text, named.Tokens, named.Known
	if named.Language == lang.Words() {
		return dst
	}
	p.begin(named.Language.Family)
	first := len(dst)
	salt := fingerprint.FamilySalt(named.Language.Family)
	last, at := uint32(0), 0
	for i, t := range toks {
		if t.Flags&lang.FlagImport != 0 {
			p.imports(t, text)
			continue
		}
		p.endClause()
		for len(known) > 0 && known[0][1] <= i {
			known = known[1:]
		}
		if len(known) > 0 && known[0][0]+pairReach < i { // too far in to be the second name of a pair that begins before
			last = 0
			continue
		}
		hash := p.nameOf(t, text)
		if hash == 0 || p.foreign(hash, toks[:i], text) {
			continue
		}
		if last != 0 && hash != last && i-at <= pairReach && (t.Class == lang.Identifier || toks[at].Class == lang.Identifier) {
			dst = append(dst, fingerprint.Fingerprint{Hash: fingerprint.Pair(salt, last, hash), Pos: uint32(at)})
			if named.EitherQuotes && (t.Class == lang.String || toks[at].Class == lang.String) {
				a, b := requoted(toks[at], text, last), requoted(t, text, hash)
				dst = append(dst, fingerprint.Fingerprint{Hash: fingerprint.Pair(salt, a, b), Pos: uint32(at)})
			}
		}
		last, at = hash, i
	}
	if !key.IsZero() {
		p.order(key, dst[first:])
	}
	return p.sort(dst, first)
}

// requoted is the hash of a string in the other quotes, of any other token the one that it has.
func requoted(t lang.Token, text []byte, hash uint32) uint32 {
	if t.Class != lang.String {
		return hash
	}
	double, single := model.Quoted(text[t.Start:t.End])
	if single == 0 || hash == single {
		return double
	}
	return single
}

// sort puts the pairs from first on in the order of their hashes, each where it stands first. Half of a hash, with its
// place among the pairs behind it, sorts three times as fast as by comparing.
func (p *Pairer) sort(pairs []fingerprint.Fingerprint, first int) []fingerprint.Fingerprint {
	const half = 32
	p.packed = p.packed[:0]
	for i, f := range pairs[first:] {
		p.packed = append(p.packed, f.Hash>>half<<half|uint64(i))
	}
	slices.Sort(p.packed)
	p.pairs = append(p.pairs[:0], pairs[first:]...)
	pairs = pairs[:first]
	for i, k := range p.packed {
		if i == 0 || k>>half != p.packed[i-1]>>half {
			pairs = append(pairs, p.pairs[k&(1<<half-1)])
		}
	}
	return pairs
}

// imports notes what an import clause names: a package, or what is taken from it. A path that begins with a point
// leads to a file of the same package.
func (p *Pairer) imports(t lang.Token, text []byte) {
	name := text[t.Start:t.End]
	switch t.Class {
	case lang.Identifier:
		p.clause = append(p.clause, model.NameHash(name))
	case lang.String:
		name = bytes.Trim(name, "\"'`<>")
		if bytes.HasPrefix(name, []byte(".")) {
			p.clause = p.clause[:0]
			return
		}
		p.clause = append(p.clause, model.NameHash(name[bytes.LastIndexByte(name, '/')+1:]))
	}
}

// endClause takes in what the import clause before has named.
func (p *Pairer) endClause() {
	for _, name := range p.clause {
		p.imported.add(name)
	}
	p.clause = p.clause[:0]
}

// foreign tells whether a name is imported, or belongs to what is: who uses the same library has it too.
func (p *Pairer) foreign(hash uint32, before []lang.Token, text []byte) bool {
	if p.imported.has(hash) {
		return true
	}
	if n := len(before); n >= 2 && text[before[n-1].Start] == '.' {
		owner := before[n-2]
		return p.imported.has(model.NameHash(text[owner.Start:owner.End]))
	}
	return false
}

// hashSet is a set of some ten hashes; one in a hundred others passes for one of them.
type hashSet [32]uint64

func (s *hashSet) add(h uint32)      { s[h>>27] |= 1 << (h >> 21 & 63) }
func (s *hashSet) has(h uint32) bool { return s[h>>27]>>(h>>21&63)&1 == 1 }

// order puts pairs in the order of a key.
func (p *Pairer) order(key fingerprint.Key, pairs []fingerprint.Fingerprint) {
	hashes := make([]uint64, len(pairs))
	for i, f := range pairs {
		hashes[i] = f.Hash
	}
	key.Order(hashes)
	for i, h := range hashes {
		pairs[i].Hash = h
	}
}

// begin forgets the text before.
func (p *Pairer) begin(family string) {
	p.imported, p.clause = hashSet{}, p.clause[:0]
	if p.family != family {
		p.family, p.common = family, anywhere(family)
		clear(p.known[:])
	}
}

// anywhere is what is common anywhere in the languages of a family. Only names are asked, which the second has in another
// form: joining both would cost more than asking both.
func anywhere(family string) model.Common {
	return model.Common{model.Prior().Of(family), model.API().Of(family)}
}

// nameOf returns the hash of a rare name, 0 for any other token.
func (p *Pairer) nameOf(t lang.Token, text []byte) uint32 {
	if t.End-t.Start < pairName || t.Class != lang.Identifier && t.Class != lang.String {
		return 0
	}
	hash := model.NameHash(text[t.Start:t.End])
	at := &p.known[hash%uint32(len(p.known))]
	if *at>>1 != hash>>1 {
		*at = hash &^ 1
		if math.IsInf(p.common.NameOf(hash), 1) && !p.common.Platform(hash) {
			*at |= 1
		}
	}
	if *at&1 == 0 {
		return 0
	}
	return hash
}
