package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/git-provenance/git-provenance/lang"
)

// Signature identifies a region in older contents. It holds the short runs of tokens that the region shares with its origin: once
// with the names of the region, once with those of the origin. So a copy whose names were changed later is found in its older form
// too.
type Signature struct {
	Comments bool // its tokens are words of comments
	Tokens   int  // number of tokens
	grams    []gram
	sides    []named
}

// named holds the names of a run of tokens on one side.
type named struct {
	at       int32 // index of its first token, among those of the signature
	names    []uint64
	contents []uint64
}

// gram is a run of GramLength tokens, names and literals included.
type gram struct {
	hash uint64
	at   int32 // index of its first token, among those of the signature
}

// Side is a run of tokens on one side.
type Side struct {
	Contents []uint64 // content hash of each token
	Names    []uint64 // hashes of names; 0 for tokens that are not names
}

// Side returns the side of a run of tokens. In a comment each word is a name.
func (s *Signature) Side(text []byte, toks []lang.Token) Side {
	side := Side{Contents: Contents(nil, text, toks), Names: make([]uint64, len(toks))}
	for i, t := range toks {
		if s.Comments || t.Class == lang.Identifier {
			side.Names[i] = Name(text[t.Start:t.End])
		}
	}
	return side
}

// Empty reports whether no run is long enough to be recognised.
func (s *Signature) Empty() bool { return len(s.grams) == 0 }

// Sum returns a hash of the signature.
func (s *Signature) Sum() [sha256.Size]byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.Tokens))
	if s.Comments {
		b = append(b, 1)
	}
	for _, g := range s.grams {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(b, uint32(g.at)), g.hash)
	}
	for _, side := range s.sides {
		b = binary.LittleEndian.AppendUint32(b, uint32(side.at))
		for i, content := range side.contents {
			b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, content), side.names[i])
		}
	}
	return sha256.Sum256(b)
}

// Add adds a run of tokens. All sides must have the same length.
func (s *Signature) Add(sides ...Side) {
	for _, side := range sides {
		eachGram(side.Contents, func(i int, h uint64) { s.grams = append(s.grams, gram{h, int32(s.Tokens + i)}) })
		s.sides = append(s.sides, named{int32(s.Tokens), side.Names, side.Contents})
	}
	s.Tokens += len(sides[0].Contents)
}

// Contents appends the content hash of each token: of its kind, and of its text if it is a name or literal. Quotes do not count, nor
// which word declares a variable.
func Contents(out []uint64, text []byte, toks []lang.Token) []uint64 {
	for _, t := range toks {
		out = append(out, Content(t, text[t.Start:t.End]))
	}
	return out
}

// declaration stands for the kinds of the words that declare a variable. Tools replace var by let and const in whole repositories, and
// the code is as old as it was.
const declaration = 1 << 32

// declares reports whether a keyword declares a variable.
func declares(text []byte) bool {
	return string(text) == "var" || string(text) == "let" || string(text) == "const"
}

// Content returns the content hash of a token with the given text.
func Content(t lang.Token, text []byte) uint64 {
	kind := uint64(t.Kind)
	if t.Class == lang.Keyword && declares(text) {
		kind = declaration
	}
	h := bits.RotateLeft64(kind+1, 17) * HashMultiplier
	if t.Class == lang.String { // formatters change quotes
		text = bytes.Trim(text, "'\"")
	}
	if t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number {
		for _, c := range text {
			h = (h ^ uint64(c)) * 0x100000001b3
		}
	}
	return h
}

// eachGram calls f with the hash of each run of GramLength tokens.
func eachGram(each []uint64, f func(i int, h uint64)) {
	h := uint64(0)
	for i, v := range each {
		if i >= GramLength {
			h -= each[i-GramLength] * power
		}
		if h = h*HashMultiplier + v; i+1 >= GramLength {
			f(i+1-GramLength, h)
		}
	}
}

// power is HashMultiplier to the power of GramLength - 1, the factor of the first token of a run.
const (
	square = HashMultiplier * HashMultiplier % (1 << 64)
	power  = square * square % (1 << 64) * square % (1 << 64) * HashMultiplier % (1 << 64)
)

// Set is a set of signatures that one pass over a content searches for. Not safe for concurrent use.
type Set struct {
	sigs  []*Signature
	grams map[uint64]*knownGrams
	sieve []uint64       // bits by gram hashes; most grams of a content are rejected here
	known [1 << 8]uint64 // bits by the contents of the tokens of signatures; most tokens of a content are rejected here
	seen  [][]bool       // per signature and token
	words words          // of all signatures
	pass  int

	code, prose bool // there are signatures of tokens, of words of comments
	contents    []uint64
	comments    lang.Comments
}

// knownGrams lists the positions of a gram.
type knownGrams struct {
	at   []knownGram
	pass int // the pass in which it was found last: once is enough
}

type knownGram struct{ sig, at int32 }

// NewSet returns the set of signatures.
func NewSet(sigs []*Signature) *Set {
	k := &Set{sigs: sigs, words: newWords(sigs), seen: make([][]bool, len(sigs))}
	for i, s := range sigs {
		k.seen[i] = make([]bool, s.Tokens)
		k.code, k.prose = k.code || !s.Comments, k.prose || s.Comments
	}
	return k
}

// index prepares the search for runs. Many sets never need it, since their words rule out every content.
func (k *Set) index() {
	k.grams = map[uint64]*knownGrams{}
	for i, s := range k.sigs {
		for _, g := range s.grams {
			all := k.grams[g.hash]
			if all == nil {
				all = &knownGrams{}
				k.grams[g.hash] = all
			}
			all.at = append(all.at, knownGram{int32(i), g.at})
		}
		for _, side := range s.sides {
			for _, v := range side.contents {
				word, bit := place(v, len(k.known))
				k.known[word] |= bit
			}
		}
	}
	size := 1 << max(bits.Len(uint(len(k.grams)))-2, 0) // at least 16 bits for each gram
	k.sieve = make([]uint64, size)
	for h := range k.grams {
		word, bit := place(h, len(k.sieve))
		k.sieve[word] |= bit
	}
}

// place returns the word and the bit of a hash in a sieve. words is the number of words of the sieve, a power of two.
func place(h uint64, words int) (word, bit uint64) {
	h ^= h >> 32
	return (h >> 6) & uint64(words-1), 1 << (h & 63)
}

// Shares returns the share of each signature that a text has, in its tokens or in its comments.
func (k *Set) Shares(text []byte, toks []lang.Token) []float64 {
	if k.pass++; k.grams == nil {
		k.index()
	}
	for _, s := range k.seen {
		clear(s)
	}
	if k.code {
		k.mark(text, toks)
	}
	if k.prose {
		k.comments.Read(text, 0, toks, GramLength)
		k.mark(text, k.comments.Words)
	}
	out := make([]float64, len(k.sigs))
	for i, s := range k.seen {
		out[i] = float64(count(s)) / float64(max(len(s), 1))
	}
	return out
}

// mark marks the tokens of signatures that are in runs of some tokens. A token that no signature has ends a run, so most runs are too
// short to be looked up.
func (k *Set) mark(text []byte, toks []lang.Token) {
	k.contents = k.contents[:0]
	for _, t := range toks {
		v := Content(t, text[t.Start:t.End])
		if word, bit := place(v, len(k.known)); k.known[word]&bit != 0 {
			k.contents = append(k.contents, v)
			continue
		}
		k.markRun()
	}
	k.markRun()
}

// markRun marks the tokens of signatures that are in the run k.contents, and begins the next one.
func (k *Set) markRun() {
	if len(k.contents) >= GramLength {
		eachGram(k.contents, k.markGram)
	}
	k.contents = k.contents[:0]
}

func (k *Set) markGram(_ int, h uint64) {
	if word, bit := place(h, len(k.sieve)); k.sieve[word]&bit == 0 {
		return
	}
	all := k.grams[h]
	if all == nil || all.pass == k.pass {
		return
	}
	all.pass = k.pass
	for _, g := range all.at {
		for j := range int32(GramLength) {
			k.seen[g.sig][g.at+j] = true
		}
	}
}
