package library

import (
	"hash/maphash"
	"math/bits"

	"github.com/git-provenance/git-provenance/lang"
)

// textIndex finds the tokens of a document that have a text. Tokens whose texts have the same hash form a list. A bundle of 200,000
// tokens is searched for the names of many texts.
type textIndex struct {
	first []uint32 // by hash: 1 + the first token of the list, or 0
	next  []uint32 // by token: 1 + the next token of its list, or 0
}

// fewestBytes is the length of the shortest texts in the index. Shorter ones are mostly signs, which nobody searches for.
const fewestBytes = 3

var seed = maphash.MakeSeed() // no result depends on it

func newTextIndex(text []byte, stream *lang.BlockStream) *textIndex {
	n := stream.Len()
	x := &textIndex{first: make([]uint32, 1<<bits.Len(uint(n/2))), next: make([]uint32, n)}
	last := make([]uint32, len(x.first)) // by hash: 1 + the last token of the list
	for i := 0; i < n; {
		for _, s := range stream.Spans(uint32(i)) {
			if s.Start+fewestBytes <= s.End {
				hash := x.hash(text[s.Start:s.End])
				if before := last[hash]; before > 0 {
					x.next[before-1] = uint32(i) + 1
				} else {
					x.first[hash] = uint32(i) + 1
				}
				last[hash] = uint32(i) + 1
			}
			i++
		}
	}
	return x
}

func (x *textIndex) hash(text []byte) int {
	return int(maphash.Bytes(seed, text) % uint64(len(x.first)))
}

// bytes returns the memory of the index.
func (x *textIndex) bytes() int { return 4 * (len(x.first) + len(x.next)) }

// Find returns the positions of tokens with the given text of at least fewestBytes, or nil if there are more than most. The document's
// text must have been read.
func (d *Document) Find(token []byte, most int) (out []uint32) {
	x, _ := d.index.get(func() (*textIndex, error) {
		x := newTextIndex(d.Text(), d.Stream)
		d.in.grow(d, x.bytes())
		return x, nil
	})
	for at := x.first[x.hash(token)]; at > 0; at = x.next[at-1] {
		if string(d.TextAt(at-1)) != string(token) {
			continue
		}
		if len(out) == most {
			return nil
		}
		out = append(out, at-1)
	}
	return out
}
