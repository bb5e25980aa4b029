package trace

import (
	"encoding/binary"
	"math/bits"
)

// Most contents do not have the names of a region. One pass over the text shows that, in a tenth of the time that tokenising takes.

// leastName is the length in bytes of the shortest name that is searched for. Shorter names occur everywhere.
const leastName = 4

// Name returns the hash of the longest part of a name that consists of ASCII letters, digits and underscores; 0 if it is short.
// In a text, other characters surround such a part.
func Name(text []byte) uint64 {
	best, n := uint64(0), leastName-1
	eachWord(text, func(h uint64, length int) {
		if length > n {
			best, n = h, length
		}
	})
	return best
}

// eachWord calls f with the hash of each maximal sequence of such characters that is not short. It takes 64 bytes at a time, since a
// branch at each end of a word costs more than the rest: half of the branches are not predicted.
func eachWord(text []byte, f func(h uint64, length int)) {
	begun := -1 // where a word began that the last block ended with
	at := 0
	for ; len(text)-at >= 64; at += 64 {
		in := wordBytes(text[at : at+64])
		if begun >= 0 {
			n := bits.TrailingZeros64(^in)
			if n == 64 {
				continue
			}
			if length := at + n - begun; length >= leastName {
				f(hashWord(text[begun:at+n]), length)
			}
			in, begun = in>>n<<n, -1
		}
		if n := bits.LeadingZeros64(^in); n > 0 {
			begun = at + 64 - n
			in = in << n >> n
		}
		for long := in & (in >> 1) & (in >> 2) & (in >> 3); long != 0; {
			from := bits.TrailingZeros64(long)
			length := bits.TrailingZeros64(^(in >> from))
			f(hashWord(text[at+from:at+from+length]), length)
			long = long >> (from + length) << (from + length)
		}
	}
	if begun < 0 {
		begun = at
	}
	eachWordBytewise(text, begun, f)
}

// eachWordBytewise is eachWord for the end of a text.
func eachWordBytewise(text []byte, i int, f func(h uint64, length int)) {
	for ; i < len(text); i++ {
		if !inWord[text[i]] {
			continue
		}
		from := i
		for ; i < len(text) && inWord[text[i]]; i++ {
		}
		if i-from >= leastName {
			f(hashWord(text[from:i]), i-from)
		}
	}
}

// wordBytes returns which of 64 bytes can be part of a word; the first is the lowest bit.
func wordBytes(b []byte) (in uint64) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
		low  = high - ones
	)
	// The high bit of each byte says that the byte, of which the other bits count, is at least as large as a character.
	atLeast := func(x uint64, c uint64) uint64 { return x + (0x80-c)*ones }
	for i := range 8 {
		x := binary.LittleEndian.Uint64(b[8*i:])
		letters := x&low | lower
		is := atLeast(letters, 'a') &^ atLeast(letters, 'z'+1)
		is |= atLeast(x&low, '0') &^ atLeast(x&low, '9'+1)
		is |= ^((x&low ^ '_'*ones) + low)
		is &= high &^ x // no byte of another alphabet
		// the high bits of the eight bytes, next to each other
		in |= (is >> 7) * 0x0102040810204080 >> 56 << (8 * i)
	}
	return in
}

// lower sets the bit of each byte that tells lower case from upper case.
const lower = 0x2020202020202020

// hashWord returns a hash of the length, the beginning and the end of a word: of the whole word up to 16 bytes. Case does not
// count, as in comments.
func hashWord(w []byte) uint64 {
	var first, last uint64
	if n := len(w); n >= 8 {
		first, last = binary.LittleEndian.Uint64(w)|lower, binary.LittleEndian.Uint64(w[n-8:])|lower
	} else {
		first, last = uint64(binary.LittleEndian.Uint32(w))|lower, uint64(binary.LittleEndian.Uint32(w[n-4:]))|lower
	}
	return ((first*HashMultiplier^first>>32^last)*HashMultiplier + uint64(len(w))) | 1
}

var inWord = func() (in [256]bool) {
	for c := range in {
		in[c] = c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return in
}()

// words holds the names of signatures.
type words struct {
	index map[uint64]int32
	sieve [1 << 10]uint64 // bits by hash; most words of a text are rejected here
	met   []int           // the pass in which a name was found last
	sides [][]numbered    // per signature
}

// numbered holds the numbers of the names of a run of tokens; -1 for tokens that are not names.
type numbered struct {
	at    int32
	names []int32
}

func newWords(sigs []*Signature) words {
	w := words{index: map[uint64]int32{}, sides: make([][]numbered, len(sigs))}
	for i, s := range sigs {
		for _, side := range s.sides {
			n := numbered{side.at, make([]int32, len(side.names))}
			for j, h := range side.names {
				n.names[j] = w.number(h)
			}
			w.sides[i] = append(w.sides[i], n)
		}
	}
	w.met = make([]int, len(w.index))
	return w
}

func (w *words) number(h uint64) int32 {
	if h == 0 {
		return -1
	}
	n, ok := w.index[h]
	if !ok {
		n = int32(len(w.index))
		w.index[h] = n
		word, bit := w.place(h)
		w.sieve[word] |= bit
	}
	return n
}

func (w *words) place(h uint64) (word, bit uint64) {
	h ^= h >> 32
	return (h >> 7) & uint64(len(w.sieve)-1), 1 << (h >> 1 & 63)
}

// Possible reports whether a text can have the given share of one of the signatures, by its names alone.
func (k *Set) Possible(text []byte, share float64) bool {
	k.pass++
	w := &k.words
	eachWord(text, func(h uint64, _ int) {
		if word, bit := w.place(h); w.sieve[word]&bit != 0 {
			if n, ok := w.index[h]; ok {
				w.met[n] = k.pass
			}
		}
	})
	for i, sides := range w.sides {
		seen := k.seen[i]
		clear(seen)
		for _, side := range sides {
			side.mark(seen, w.met, k.pass)
		}
		if float64(count(seen)) >= share*float64(max(len(seen), 1)) {
			return true
		}
	}
	return false
}

// mark marks the tokens in runs of GramLength tokens whose names were all found.
func (n *numbered) mark(seen []bool, met []int, pass int) {
	run := 0
	for i, name := range n.names {
		if name >= 0 && met[name] != pass {
			run = 0
			continue
		}
		run++
		for j := i; run >= GramLength && j > i-GramLength && !seen[int(n.at)+j]; j-- {
			seen[int(n.at)+j] = true
		}
	}
}

func count(seen []bool) (n int) {
	for _, b := range seen {
		if b {
			n++
		}
	}
	return n
}
