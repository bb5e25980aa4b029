package documents

import (
	"hash/maphash"
	"math/bits"
	"slices"

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

// spansAtOnce is how many spans are read together, a power of two.
const spansAtOnce = 1 << 8

var seed = maphash.MakeSeed() // no result depends on it

func newTextIndex(text []byte, stream *lang.BlockStream) *textIndex {
	n := stream.Len()
	x := &textIndex{first: make([]uint32, 1<<bits.Len(uint(n/2))), next: make([]uint32, n)}
	var room [spansAtOnce]lang.Span
	for end := uint32(n); end > 0; { // backwards, so that each token becomes the first of its list
		from := (end - 1) &^ (spansAtOnce - 1)
		for i, s := range slices.Backward(stream.AppendSpans(room[:0], from, end)) {
			if s.Start+fewestBytes > s.End {
				continue
			}
			first := &x.first[x.hash(text[s.Start:s.End])]
			x.next[from+uint32(i)], *first = *first, from+uint32(i)+1
		}
		end = from
	}
	return x
}

func (x *textIndex) hash(text []byte) int {
	return int(maphash.Bytes(seed, text) & uint64(len(x.first)-1)) // the length is a power of two
}

// bytes returns the memory of the index.
func (x *textIndex) bytes() int { return 4 * (len(x.first) + len(x.next)) }

const (
	// fewTokens is the size of documents that are scanned whenever they are searched.
	fewTokens = 1 << 13
	// scansFirst is how often a larger document is scanned before it gets an index. The index costs as much as three scans and half as
	// much memory as the document. Most documents are searched once or twice before they are dropped.
	scansFirst = 3
)

// Find returns for each of the given texts, all different, the positions of the tokens that have it, or
// nil if there are more than most. Texts below fewestBytes are not found. The document's text must have been read. The caller must not
// change the positions.
func (d *Document) Find(texts [][]byte, most int) [][]uint32 {
	if d.Stream.Len() <= fewTokens || d.Code != nil {
		return d.scan(texts, most)
	}
	return d.in.answers.find(d, texts, most)
}

// search is Find without the answers of earlier searches.
func (d *Document) search(texts [][]byte, most int) [][]uint32 {
	if d.searches.Add(1) <= scansFirst {
		return d.scan(texts, most)
	}
	x, _ := d.index.get(func() (*textIndex, error) {
		x := newTextIndex(d.Text(), d.Stream)
		d.in.grow(d, x.bytes())
		return x, nil
	})
	return find(x, d, texts, most)
}

// find is Find with an index.
func find(x *textIndex, d *Document, texts [][]byte, most int) [][]uint32 {
	out := make([][]uint32, len(texts))
	for i, text := range texts {
		for at := x.first[x.hash(text)]; at > 0 && len(out[i]) <= most; at = x.next[at-1] {
			if string(d.TextAt(at-1)) == string(text) {
				out[i] = append(out[i], at-1)
			}
		}
	}
	return dropLonger(out, most)
}

// scan is Find without an index.
func (d *Document) scan(texts [][]byte, most int) [][]uint32 {
	var first [64]int // by slot: 1 + the first text of the list, or 0
	slot := func(text []byte) int { return (int(text[0]) + 7*len(text)) % len(first) }
	next := make([]int, len(texts))
	for i, text := range texts {
		if len(text) >= fewestBytes {
			at := slot(text)
			first[at], next[i] = i+1, first[at]
		}
	}
	out := make([][]uint32, len(texts))
	var room [spansAtOnce]lang.Span
	for from, n := uint32(0), uint32(d.Stream.Len()); from < n; from += uint32(len(room)) {
		for i, s := range d.Stream.AppendSpans(room[:0], from, min(n, from+uint32(len(room)))) {
			if s.Start+fewestBytes > s.End {
				continue
			}
			token := d.Text()[s.Start:s.End]
			for w := first[slot(token)]; w > 0; w = next[w-1] {
				if len(out[w-1]) <= most && string(texts[w-1]) == string(token) {
					out[w-1] = append(out[w-1], from+uint32(i))
				}
			}
		}
	}
	return dropLonger(out, most)
}

// dropLonger drops the lists with more positions than most.
func dropLonger(lists [][]uint32, most int) [][]uint32 {
	for i, l := range lists {
		if len(l) > most {
			lists[i] = nil
		}
	}
	return lists
}
