// Package tables finds tables of numbers and makes fingerprints of their values. The order of a table's tokens is hardly
// distinctive, and a copy may have another name. So the numbers have to be compared.
//
// A Reader takes a text with its tokens and returns its tables and their fingerprints. Numbers that come from counting or a
// standard, numbers in ascending order, small numbers and bytes are left out: unrelated code has them too.
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

// Bounds of a table.
const (
	gram     = 8   // numbers that make a fingerprint
	window   = 8   // consecutive grams of which one fingerprint is kept
	distinct = 4   // least different numbers of a gram that are distinctive
	turns    = 2   // least steps of a gram that go up, and least that go down
	reach    = 6   // most tokens from one number of a table to the next
	small    = 256 // smaller numbers are not distinctive
)

// Numbers is how many consecutive numbers two texts must share for the index to find them. Each run of eight of them must
// have four distinctive ones.
const Numbers = gram + window - 1

// Table is a run of numbers: [From, To) in a Reader's Numbers.
type Table struct{ From, To int }

// Number is a number of a table.
type Number struct {
	At     int    // index of its token
	Digest uint64 // of its value, however it is written
	own    bool
}

// Reader finds tables. Their fingerprints are in the index beside those of tokens, with a separate salt. The position of
// each is the token of its first number. Older baselines have no such fingerprints. Not safe for concurrent use.
type Reader struct {
	Numbers []Number
	List    []Table

	values, grams []uint64
	prints        []fingerprint.Fingerprint
}

// Read finds the tables of a text. Only signs, brackets and commas may be between their numbers.
func (r *Reader) Read(l *lang.Language, text []byte, toks []lang.Token) {
	r.Numbers, r.List = r.Numbers[:0], r.List[:0]
	if l == lang.Words() {
		return
	}
	n, first, last := 0, 0, 0 // of the current run: number of numbers, first and last token
	for i := range toks {
		t := &toks[i]
		if t.Class != lang.Number {
			if n == 0 || t.Class == lang.Keyword && i-last <= reach && !isWord(text, t) {
				continue // nearly all tokens
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

// isWord reports whether a token begins with a letter, so that it is not a sign, bracket or comma.
func isWord(text []byte, t *lang.Token) bool {
	return t.End > t.Start && text[t.Start]|0x20 >= 'a' && text[t.Start]|0x20 <= 'z'
}

// take records the table in the tokens [first, last].
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

// valueOf reads a number. The number is distinctive unless it is small, follows from the one before, or a standard fixes it.
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

// significant counts the digits of a decimal fraction, without zeros at its ends.
func significant(s string) (n int) {
	mantissa, _, _ := bytes.Cut([]byte(s), []byte("e"))
	for _, c := range bytes.Trim(mantissa, "0.f") {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// Prints appends the fingerprints of the tables, for the index.
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

// Queries appends the fingerprints of the tables, for look-ups in the index.
func (r *Reader) Queries(dst []fingerprint.Fingerprint, key fingerprint.Key, family string) []fingerprint.Fingerprint {
	for _, t := range r.List {
		dst = r.printsOf(dst, t, key, family, fingerprint.WinnowTies)
	}
	return dst
}

type winnow func(dst []fingerprint.Fingerprint, grams []uint64, w int) []fingerprint.Fingerprint

// printsOf appends the fingerprints of a table, without those that are not distinctive.
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

// tells reports whether a gram is distinctive: it has enough distinctive numbers. Numbers in ascending or descending order are not
// enough, because they list facts: primes, ranges of a standard, bounds.
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
	return own >= distinct && up >= turns && down >= turns
}
