package inflate

import "math/bits"

const (
	maxLiterals  = 288
	maxDistances = 32
	maxCode      = 15
	// The number of bits of a table's first level, which holds the codes of frequent symbols.
	literalBits  = 10
	distanceBits = 8
	orderBits    = 7 // its codes are not longer
)

// A complete code of 288 symbols fills at most 1334 entries with a first level of 10 bits; one of 32 symbols fills 402 with
// 8 (computed by zlib's enough.c). The sizes are the next power of two, so that an index is masked instead of checked.
type (
	literalTable  [2048]codeEntry
	distanceTable [512]codeEntry
	orderTable    [1 << orderBits]codeEntry
)

// codeEntry describes a code. The lowest byte has the number of bits of the code and its extra bits together. The four bits
// above have the number of bits of the code itself. The upper half has the meaning: the literal, the base of a length or
// distance, or the start of the second level of the table. entryOdd marks every other entry. With entrySub it leads to the
// second level, indexed by as many bits as the four bits say. With entryEnd it ends the block. Otherwise the code must not
// occur.
type codeEntry uint32

const (
	entryLiteral codeEntry = 1 << 31
	entryOdd     codeEntry = 1 << 15
	entrySub     codeEntry = 1 << 14
	entryEnd     codeEntry = 1 << 13
)

// codeLength is a symbol; its lowest four bits are the length of the symbol's code.
type codeLength uint16

// code takes the next code and its extra bits, and checks that enough bits are there.
func (r *bitReader) code(table []codeEntry, first uint) (e codeEntry, value int, err error) {
	e = table[r.bits&(1<<first-1)]
	if e&entrySub != 0 {
		if r.n < first {
			return 0, 0, ErrTruncated
		}
		r.bits, r.n = r.bits>>first, r.n-first
		e = table[int(e>>16&0x7fff)+int(r.bits&(1<<(e>>8&15)-1))]
	}
	n := uint(e & 63)
	if e&(entryOdd|entryEnd) == entryOdd {
		return 0, 0, ErrMalformed
	}
	if n > r.n {
		return 0, 0, ErrTruncated
	}
	value = e.value(r.bits)
	r.bits, r.n = r.bits>>n, r.n-n
	return e, value, nil
}

// value returns the base plus the extra bits that follow the code at the start of b.
func (e codeEntry) value(b uint64) int {
	return int(e>>16&0x7fff) + int(b&(1<<(e&63)-1)>>(e>>8&15))
}

// makeTable makes the decoding table of a canonical Huffman code, given in the order of its symbols. first is the number of
// bits of the first level. A code may be incomplete only if it has a single word of one bit, or none. All entries that a
// code can reach are overwritten: each level of lengths is written once and then doubled.
func makeTable(t []codeEntry, first uint, list []codeLength, meaning []codeEntry) error {
	var count, next [maxCode + 1]uint16
	for _, c := range list {
		count[c&15]++
	}
	left := 1
	for n := 1; n <= maxCode; n++ {
		if left = left<<1 - int(count[n]); left < 0 {
			return ErrMalformed
		}
		if n < maxCode {
			next[n+1] = next[n] + count[n]
		}
	}
	if left > 0 {
		if len(list) > 1 || len(list) == 1 && count[1] != 1 {
			return ErrMalformed
		}
		for i := range t[:1<<first] {
			t[i] = entryOdd
		}
	}
	var sorted [maxLiterals]uint16 // symbols by code length, then by value
	for _, c := range list {
		sorted[next[c&15]] = uint16(c >> 4)
		next[c&15]++
	}
	f := tableFill{t: t, first: first, meaning: meaning, count: count}
	f.fill(sorted[:len(list)])
	return nil
}

// tableFill is the state of making a table. Codes come in the order of their values, with their first bit in the lowest
// place.
type tableFill struct {
	t       []codeEntry
	first   uint
	meaning []codeEntry
	count   [maxCode + 1]uint16
	code    uint
}

func (f *tableFill) fill(sorted []uint16) {
	for n := uint(1); n <= f.first; n++ {
		entry := codeEntry(n * 0x101)
		for _, symbol := range sorted[:f.count[n]] {
			f.t[f.code] = f.meaning[symbol] + entry
			f.step(n)
		}
		sorted = sorted[f.count[n]:]
		if n < f.first {
			copy(f.t[1<<n:2<<n], f.t[:1<<n])
		}
	}
	f.second(sorted)
}

// step goes to the next code of n bits. After the last code the result is meaningless.
func (f *tableFill) step(n uint) {
	zero := bits.Len(^f.code & (1<<n - 1)) // the lowest bit of the value is the highest here
	if zero > 0 {
		bit := uint(1) << (zero - 1)
		f.code = f.code&(bit-1) | bit
	}
}

// second appends the tables of the codes that are longer than the first level.
func (f *tableFill) second(sorted []uint16) {
	begin, end, root := 0, 1<<f.first, ^uint(0)
	for n := f.first + 1; n <= maxCode && len(sorted) > 0; n++ {
		entry := codeEntry((n - f.first) * 0x101)
		for left := f.count[n]; left > 0; left-- {
			if at := f.code & (1<<f.first - 1); at != root {
				width := f.width(n, left)
				root, begin, end = at, end, end+1<<width
				f.t[root] = codeEntry(begin)<<16 | entryOdd | entrySub | codeEntry(width)<<8 | codeEntry(f.first)
			}
			for i := begin + int(f.code>>f.first); i < end; i += 1 << (n - f.first) {
				f.t[i] = f.meaning[sorted[0]] + entry
			}
			sorted = sorted[1:]
			f.step(n)
		}
	}
}

// width returns the number of bits of a second-level table: for codes that share the first-level bits of a code of n bits.
// left codes are still to come.
func (f *tableFill) width(n uint, left uint16) uint {
	width := n - f.first
	for used := int(left); used < 1<<width && f.first+width < maxCode; {
		width++
		used = used<<1 + int(f.count[f.first+width])
	}
	return width
}

// fixedLengths returns the codes of blocks without tables of their own: 288 of literals, then 32 of distances.
func fixedLengths() (list [maxLiterals + maxDistances]codeLength) {
	for i := range list {
		n := 5
		switch {
		case i < 144:
			n = 8
		case i < 256:
			n = 9
		case i < 280:
			n = 7
		case i < maxLiterals:
			n = 8
		}
		list[i] = codeLength(i%maxLiterals<<4 | n)
	}
	return list
}

// useFixed sets the tables for blocks without tables of their own.
func (f *Inflater) useFixed() {
	if !f.fixed {
		list := fixedLengths()
		makeTable(f.fixedLiterals[:], literalBits, list[:maxLiterals], literalMeaning[:]) // both are complete
		makeTable(f.fixedDistances[:], distanceBits, list[maxLiterals:], distanceMeaning[:])
		f.fixed = true
	}
	f.literals, f.distances = &f.fixedLiterals, &f.fixedDistances
}

// lengthOrder is the order in which a block lists the lengths of the code of code lengths.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block.
func (f *Inflater) dynamic(r *bitReader) error {
	head, err := r.take(14)
	if err != nil {
		return err
	}
	literals, distances, codes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 || distances > 30 {
		return ErrMalformed
	}
	if err := f.readOrder(r, codes); err != nil {
		return err
	}
	split, all, err := f.readLengths(r, literals, literals+distances)
	if err != nil {
		return err
	}
	if err = makeTable(f.ownLiterals[:], literalBits, f.list[:split], literalMeaning[:]); err != nil {
		return err
	}
	if err = makeTable(f.ownDistances[:], distanceBits, f.list[split:all], distanceMeaning[:]); err != nil {
		return err
	}
	f.literals, f.distances = &f.ownLiterals, &f.ownDistances
	return nil
}

// readOrder reads the code of code lengths.
func (f *Inflater) readOrder(r *bitReader, codes int) error {
	var lengths [19]uint8
	for i := range codes {
		n, err := r.take(3)
		if err != nil {
			return err
		}
		lengths[lengthOrder[i]] = uint8(n)
	}
	var list [19]codeLength
	used := 0
	for symbol, n := range lengths {
		if n > 0 {
			list[used] = codeLength(symbol<<4) | codeLength(n)
			used++
		}
	}
	return makeTable(f.order[:], orderBits, list[:used], orderMeaning[:])
}

// Repetitions in the code of code lengths; smaller values are lengths.
const (
	repeatLast  = 1 << 8
	repeatZero  = 1 << 9
	repeatTimes = 1<<8 - 1
)

// readLengths reads the code lengths of the given number of literals and, up to total, of distances. It lists the codes in
// use; those before split are of literals.
func (f *Inflater) readLengths(r *bitReader, literals, total int) (split, used int, err error) {
	last := 0
	for i := 0; i < total; {
		if r.n < orderBits+7 {
			r.fill()
		}
		e := f.order[r.bits%(1<<orderBits)] // as in bitReader.code, which is too large to be inlined
		n := uint(e & 63)
		if e&entryOdd != 0 {
			return 0, 0, ErrMalformed
		}
		if n > r.n {
			return 0, 0, ErrTruncated
		}
		v, times := e.value(r.bits), 1
		r.bits, r.n = r.bits>>n, r.n-n
		switch {
		case v&repeatZero != 0:
			last, times = 0, v&repeatTimes
		case v&repeatLast == 0:
			last = v
		case i == 0:
			return 0, 0, ErrMalformed // nothing to repeat
		default:
			times = v & repeatTimes
		}
		if i+times > total {
			return 0, 0, ErrMalformed
		}
		if last > 0 {
			for j := range times {
				f.list[used+j] = codeLength((i+j)<<4 | last)
			}
			used += times
		}
		i += times
	}
	if split = f.splitLengths(used, literals); !f.hasEnd(split) {
		return 0, 0, ErrMalformed
	}
	return split, used, nil
}

// splitLengths returns the index in the list at which distances begin, and numbers the distances from zero.
func (f *Inflater) splitLengths(used, literals int) int {
	for used > 0 && int(f.list[used-1]>>4) >= literals {
		used--
		f.list[used] -= codeLength(literals << 4)
	}
	return used
}

// hasEnd reports whether one of the first split codes of the list ends the block.
func (f *Inflater) hasEnd(split int) bool {
	for split > 0 && f.list[split-1]>>4 > endSymbol {
		split--
	}
	return split > 0 && f.list[split-1]>>4 == endSymbol
}

const endSymbol = 256

// literalEntry returns the meaning of a symbol of the first alphabet: a byte, the end of the block or a length.
func literalEntry(symbol int) codeEntry {
	s := codeEntry(symbol)
	switch {
	case symbol < endSymbol:
		return entryLiteral | s<<16
	case symbol == endSymbol:
		return entryOdd | entryEnd
	case symbol < 265:
		return (s - 254) << 16
	case symbol < 285:
		extra := (s - 261) / 4
		return ((s-261)%4+4)<<extra<<16 + 3<<16 | extra
	case symbol == 285:
		return 258 << 16
	}
	return entryOdd
}

// distanceEntry returns the meaning of a symbol of the second alphabet.
func distanceEntry(symbol int) codeEntry {
	s := codeEntry(symbol)
	switch {
	case symbol < 4:
		return (s + 1) << 16
	case symbol < 30:
		extra := s/2 - 1
		return (s%2+2)<<extra<<16 + 1<<16 | extra
	}
	return entryOdd
}

// orderEntry returns the meaning of a symbol of the code of code lengths: a length, or a repetition.
func orderEntry(symbol int) codeEntry {
	switch symbol {
	case 16:
		return (repeatLast+3)<<16 | 2
	case 17:
		return (repeatZero+3)<<16 | 3
	case 18:
		return (repeatZero+11)<<16 | 7
	}
	return codeEntry(symbol) << 16
}

// The entries of symbols, without the length of their code.
var (
	literalMeaning  = meanings[[maxLiterals]codeEntry](literalEntry)
	distanceMeaning = meanings[[maxDistances]codeEntry](distanceEntry)
	orderMeaning    = meanings[[19]codeEntry](orderEntry)
)

func meanings[A [maxLiterals]codeEntry | [maxDistances]codeEntry | [19]codeEntry](entry func(symbol int) codeEntry) (a A) {
	for i := range len(a) {
		a[i] = entry(i)
	}
	return a
}
