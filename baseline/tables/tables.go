// Package tables finds tables of numbers and makes fingerprints of their values. A table has hardly any order of tokens of
// its own, and whoever copies it may give it another name: what was copied are its numbers.
//
// A text flows in with its tokens, out flow its tables and their fingerprints. What counting or a standard leads to, numbers
// in ascending order, small numbers and bytes are left out: everybody has them.
package tables

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Bounds of what is a table.
const (
	gram    = 8   // numbers that make a fingerprint
	window  = 8   // such runs of which one is kept
	telling = 4   // numbers of a gram that are somebody's own, at least, each another
	turns   = 2   // of a gram's steps that go up, and as many that go down, at least
	reach   = 6   // tokens from one number of a table to the next
	small   = 256 // below it a number is anybody's
)

// Numbers is how many numbers one after the other two texts have to share for the index to tell, if each run of eight of
// them has four that tell something.
const Numbers = gram + window - 1

// Table is a run of numbers, [From, To) of a Reader's.
type Table struct{ From, To int }

// Number is a number of a table.
type Number struct {
	At     int    // its token
	Digest uint64 // of its value, however it is written
	own    bool
}

// Reader finds tables. Their fingerprints stand in the index beside those of tokens, under a salt of their own: the place of
// each is the token of its first number. A baseline that was made before has none. Not safe for concurrent use.
type Reader struct {
	Numbers []Number
	List    []Table

	values, grams []uint64
	prints        []fingerprint.Fingerprint
}

// Read takes in the tables of a text. Only signs, brackets and commas stand between their numbers.
func (r *Reader) Read(l *lang.Language, text []byte, toks []lang.Token) {
	r.Numbers, r.List = r.Numbers[:0], r.List[:0]
	if l == lang.Words() {
		return
	}
	n, first, last := 0, 0, 0 // of the run at hand: its numbers, the tokens of the first and the last
	for i := range toks {
		t := &toks[i]
		if t.Class != lang.Number {
			if n == 0 || t.Class == lang.Keyword && i-last <= reach && !isWord(text, t) {
				continue // nearly all
			}
			if n >= Numbers {
				r.take(text, toks, first, last)
			}
			n = 0
			continue
		}
		if n == 0 {
			first = i
		}
		n, last = n+1, i
	}
	if n >= Numbers {
		r.take(text, toks, first, last)
	}
}

// isWord tells whether a token begins with a letter: such a one is no sign, bracket or comma.
func isWord(text []byte, t *lang.Token) bool {
	return t.End > t.Start && text[t.Start]|0x20 >= 'a' && text[t.Start]|0x20 <= 'z'
}

// take notes the table of the tokens [first, last].
func (r *Reader) take(text []byte, toks []lang.Token, first, last int) {
	from := len(r.Numbers)
	before := uint64(0)
	for i := first; i <= last; i++ {
		if t := toks[i]; t.Class == lang.Number {
			digest, own := valueOf(text[t.Start:t.End], &before)
			r.Numbers = append(r.Numbers, Number{At: i, Digest: digest, own: own})
		}
	}
	r.List = append(r.List, Table{from, len(r.Numbers)})
}

// valueOf reads a number. It is somebody's own unless it is small, follows from the one before, or a standard fixes it.
func valueOf(text []byte, before *uint64) (digest uint64, own bool) {
	s := string(bytes.TrimRight(bytes.ToLower(text), "ul"))
	if n, err := strconv.ParseUint(s, 0, 64); err == nil {
		last := *before
		*before = n
		return n, n >= small && n != last+1 && n != 2*last && n&(n+1) != 0 && n&(n-1) != 0 && !model.FixedValue(text)
	}
	if x, err := strconv.ParseFloat(string(bytes.TrimRight([]byte(s), "fd")), 64); err == nil {
		return math.Float64bits(x), significant(s) >= 4
	}
	return uint64(model.NameHash([]byte(s))), false
}

// significant counts the digits of a decimal fraction, zeros at its ends left out.
func significant(s string) (n int) {
	mantissa, _, _ := bytes.Cut([]byte(s), []byte("e"))
	for _, c := range bytes.Trim(mantissa, "0.f") {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// Prints appends the fingerprints of the tables that were read, for the index.
func (r *Reader) Prints(dst []fingerprint.Fingerprint, key fingerprint.Key, family string) []fingerprint.Fingerprint {
	first := len(dst)
	for _, t := range r.List {
		dst = r.printsOf(dst, t, key, family, fingerprint.WinnowRobust)
	}
	slices.SortFunc(dst[first:], func(a, b fingerprint.Fingerprint) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Pos, b.Pos))
	})
	return append(dst[:first], slices.CompactFunc(dst[first:], func(a, b fingerprint.Fingerprint) bool { return a.Hash == b.Hash })...)
}

// Queries appends what the index is asked for the tables that were read.
func (r *Reader) Queries(dst []fingerprint.Fingerprint, key fingerprint.Key, family string) []fingerprint.Fingerprint {
	for _, t := range r.List {
		dst = r.printsOf(dst, t, key, family, fingerprint.WinnowTies)
	}
	return dst
}

type winnow func(dst []fingerprint.Fingerprint, grams []uint64, w int) []fingerprint.Fingerprint

// printsOf appends the fingerprints of a table but for those that tell nothing.
func (r *Reader) printsOf(dst []fingerprint.Fingerprint, t Table, key fingerprint.Key, family string, choose winnow) []fingerprint.Fingerprint {
	salt := fingerprint.TableSalt(family)
	r.values = r.values[:0]
	for _, n := range r.Numbers[t.From:t.To] {
		r.values = append(r.values, fingerprint.Number(salt, n.Digest))
	}
	r.grams = fingerprint.KGrams(r.grams[:0], r.values, gram)
	key.Order(r.grams)
	r.prints = choose(r.prints[:0], r.grams, window)
	for _, f := range r.prints {
		if at := t.From + int(f.Pos); r.tells(at) {
			f.Pos = uint32(r.Numbers[at].At)
			dst = append(dst, f)
		}
	}
	return dst
}

// tells tells whether enough numbers of a gram are somebody's own. Numbers in ascending or descending order list what there
// is: primes, ranges of a standard, bounds.
func (r *Reader) tells(at int) bool {
	of := r.Numbers[at : at+gram]
	own, up, down := 0, 0, 0
	for i, x := range of {
		if x.own && !slices.ContainsFunc(of[:i], func(y Number) bool { return y.Digest == x.Digest }) {
			own++
		}
		if i > 0 && x.Digest > of[i-1].Digest {
			up++
		} else if i > 0 && x.Digest < of[i-1].Digest {
			down++
		}
	}
	return own >= telling && up >= turns && down >= turns
}
