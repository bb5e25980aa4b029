// Package pairs makes fingerprints of names. Heavily edited code has no equal k-gram left, but some of its own names are
// still next to each other. Every two neighbours among the rare names of a text make a pair, in either order. A function with
// a rare name has a pair of that name with itself, where it is declared (declared.go): a short function may have no other rare
// name. The index stores the first position of each pair beside the k-grams. Older baselines have no pairs, or none of the
// second kind.
//
// A name is rare by the names that come with the program, so that this does not change as a baseline grows. Pairs only
// propose documents for comparison: they are not part of the guarantee.
package pairs

import (
	"bytes"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Reader makes the pairs of texts. Not safe for concurrent use.
type Reader struct {
	family      string
	frequencies model.Frequencies
	known       [1 << 14]uint32 // cache of names, indexed by their lowest bits; the last bit says whether the name is rare

	imported hashSet  // names of import clauses
	clause   []uint32 // names of the current import clause

	packed []uint64
	prints []fingerprint.Fingerprint
}

// Limits of a pair.
const (
	reach     = 48 // most tokens from one name to the next
	leastName = 4  // least bytes of a name; shorter ones are common
)

// Text is a text to make pairs of.
type Text struct {
	Language     *lang.Language
	Content      []byte
	Tokens       []lang.Token
	EitherQuotes bool     // a string makes pairs with double and with single quotes, since the index may have either
	Known        [][2]int // ascending ranges of tokens in which no pair shall begin
}

// Prints appends the pairs of a text, each at its first position, sorted by their hashes. A key changes the hashes to its
// order.
func (r *Reader) Prints(dst []fingerprint.Fingerprint, key fingerprint.Key, of Text) []fingerprint.Fingerprint {
	text, toks, known := of.Content, of.Tokens, of.Known
	if of.Language == lang.Words() {
		return dst
	}
	r.begin(of.Language.Family)
	first := len(dst)
	salt := fingerprint.FamilySalt(of.Language.Family)
	last, at := uint32(0), 0
	for i, t := range toks {
		if t.Flags&lang.FlagImport != 0 {
			r.imports(t, text)
			continue
		}
		r.endClause()
		for len(known) > 0 && known[0][1] <= i {
			known = known[1:]
		}
		if len(known) > 0 && known[0][0]+reach < i { // too far inside to be the second name of a pair that begins before the range
			last = 0
			continue
		}
		hash := r.nameOf(t, text)
		if hash == 0 || r.foreign(hash, toks[:i], text) {
			continue
		}
		if of.Language.Family != hooks && (head{toks, text}).declares(i) {
			dst = append(dst, fingerprint.Fingerprint{Hash: fingerprint.Pair(salt, hash, hash), Pos: uint32(i)})
		}
		if last != 0 && hash != last && i-at <= reach && (t.Class == lang.Identifier || toks[at].Class == lang.Identifier) {
			dst = append(dst, fingerprint.Fingerprint{Hash: fingerprint.Pair(salt, last, hash), Pos: uint32(at)})
			if of.EitherQuotes && (t.Class == lang.String || toks[at].Class == lang.String) {
				a, b := requoted(toks[at], text, last), requoted(t, text, hash)
				dst = append(dst, fingerprint.Fingerprint{Hash: fingerprint.Pair(salt, a, b), Pos: uint32(at)})
			}
		}
		last, at = hash, i
	}
	if !key.IsZero() {
		r.order(key, dst[first:])
	}
	return r.sort(dst, first)
}

// requoted returns the hash of a string in the other quotes. It returns the given hash for any other token.
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

// sort orders the pairs from first on by their hashes and keeps the first position of each. It sorts numbers of half a
// hash and the pair's index, which is three times as fast as comparing pairs.
func (r *Reader) sort(pairs []fingerprint.Fingerprint, first int) []fingerprint.Fingerprint {
	const half = 32
	r.packed = r.packed[:0]
	for i, f := range pairs[first:] {
		r.packed = append(r.packed, f.Hash>>half<<half|uint64(i))
	}
	slices.Sort(r.packed)
	r.prints = append(r.prints[:0], pairs[first:]...)
	pairs = pairs[:first]
	for i, k := range r.packed {
		if i == 0 || k>>half != r.packed[i-1]>>half {
			pairs = append(pairs, r.prints[k&(1<<half-1)])
		}
	}
	return pairs
}

// imports records the names in an import clause: a package, or what is imported from it. A path that begins with a point
// leads to a file of the same package, so it is ignored.
func (r *Reader) imports(t lang.Token, text []byte) {
	name := text[t.Start:t.End]
	switch t.Class {
	case lang.Identifier:
		r.clause = append(r.clause, model.NameHash(name))
	case lang.String:
		name = bytes.Trim(name, "\"'`<>")
		if bytes.HasPrefix(name, []byte(".")) {
			r.clause = r.clause[:0]
			return
		}
		r.clause = append(r.clause, model.NameHash(name[bytes.LastIndexByte(name, '/')+1:]))
	}
}

// endClause marks the names of the last import clause as imported.
func (r *Reader) endClause() {
	for _, name := range r.clause {
		r.imported.add(name)
	}
	r.clause = r.clause[:0]
}

// foreign reports whether a name is imported, or belongs to an imported name. Other users of the same library have such
// names too.
func (r *Reader) foreign(hash uint32, before []lang.Token, text []byte) bool {
	if r.imported.has(hash) {
		return true
	}
	if n := len(before); n >= 2 && text[before[n-1].Start] == '.' {
		owner := before[n-2]
		return r.imported.has(model.NameHash(text[owner.Start:owner.End]))
	}
	return false
}

// hashSet is a set of about ten hashes; one in a hundred other hashes is taken for one of them.
type hashSet [32]uint64

func (s *hashSet) add(h uint32)      { s[h>>27] |= 1 << (h >> 21 & 63) }
func (s *hashSet) has(h uint32) bool { return s[h>>27]>>(h>>21&63)&1 == 1 }

// order changes the hashes of pairs to the order of a key.
func (r *Reader) order(key fingerprint.Key, pairs []fingerprint.Fingerprint) {
	hashes := make([]uint64, len(pairs))
	for i, f := range pairs {
		hashes[i] = f.Hash
	}
	key.Order(hashes)
	for i, h := range hashes {
		pairs[i].Hash = h
	}
}

// begin resets the state for a new text.
func (r *Reader) begin(family string) {
	r.imported, r.clause = hashSet{}, r.clause[:0]
	if r.family != family {
		r.family, r.frequencies = family, anywhere(family)
		clear(r.known[:])
	}
}

// anywhere returns the frequency models that come with the program, for the languages of a family. Only names are looked
// up. The second model has another form: joining both would cost more than asking both.
func anywhere(family string) model.Frequencies {
	return model.Frequencies{model.Prior().Of(family), model.API().Of(family)}
}

// nameOf returns the hash of a rare name, 0 for any other token.
func (r *Reader) nameOf(t lang.Token, text []byte) uint32 {
	if t.End-t.Start < leastName || t.Class != lang.Identifier && t.Class != lang.String {
		return 0
	}
	hash := model.NameHash(text[t.Start:t.End])
	at := &r.known[hash%uint32(len(r.known))]
	if *at>>1 != hash>>1 {
		*at = hash &^ 1
		if math.IsInf(r.frequencies.NameOf(hash), 1) && !r.frequencies.Platform(hash) {
			*at |= 1
		}
	}
	if *at&1 == 0 {
		return 0
	}
	return hash
}
