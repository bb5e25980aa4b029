package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
)

var (
	errChecksum  = errors.New("checksum differs")
	errTruncated = errors.New("truncated")
)

// EncodeTokens appends the columns of a token stream:
//
//	uvarint  number of tokens
//	uvarint  number of distinct (kind, class, flags)
//	         each: u32 kind, u8 class, u8 flags
//	column   per token: uvarint index of its (kind, class, flags)
//	column   per token: uvarint gap to the end of the token before
//	column   per token: uvarint length
//	column   per token: uvarint line minus line of the token before (the first: minus 1)
//
// Columns compress better than records. A gap can be negative in principle (a
// string that encloses its embedded code), so gaps are zigzag coded.
func EncodeTokens(dst []byte, toks []lang.Token, lines lang.LineIndex) []byte {
	ids := make([]uint32, len(toks))
	shapes := number(toks, ids)
	dst = binary.AppendUvarint(dst, uint64(len(toks)))
	dst = binary.AppendUvarint(dst, uint64(len(shapes)))
	for _, s := range shapes {
		dst = binary.LittleEndian.AppendUint32(dst, s.kind)
		dst = append(dst, byte(s.class), byte(s.flags))
	}
	for _, id := range ids {
		dst = binary.AppendUvarint(dst, uint64(id))
	}
	end := uint32(0)
	for _, t := range toks {
		dst = binary.AppendVarint(dst, int64(t.Start)-int64(end))
		end = t.End
	}
	for _, t := range toks {
		dst = binary.AppendUvarint(dst, uint64(t.End-t.Start))
	}
	line := 1
	for _, t := range toks {
		l := lines.From(line, t.Start)
		dst = binary.AppendUvarint(dst, uint64(l-line))
		line = l
	}
	return dst
}

// shape is what is the same of many tokens.
type shape struct {
	kind  uint32
	class lang.Class
	flags lang.Flags
}

// number gives each token the number of its shape, in the order of their first
// occurrence. Tokens come by the million and shapes by the hundred: a small
// table that remembers where a hash led last spares nearly every map access.
func number(toks []lang.Token, ids []uint32) []shape {
	const slots = 1 << 10
	var cache [slots]uint32 // id + 1
	index := make(map[shape]uint32, 128)
	var shapes []shape
	for i, t := range toks {
		s := shape{t.Kind, t.Class, t.Flags}
		slot := &cache[(t.Kind^t.Kind>>10^uint32(t.Flags)<<3)%slots]
		if *slot != 0 && shapes[*slot-1] == s {
			ids[i] = *slot - 1
			continue
		}
		id, ok := index[s]
		if !ok {
			id = uint32(len(shapes))
			index[s] = id
			shapes = append(shapes, s)
		}
		ids[i], *slot = id, id+1
	}
	return shapes
}

// DecodeTokens reads what EncodeTokens wrote. It allocates at most what want,
// the token count of the document's record, asks for.
func DecodeTokens(b []byte, want int) (toks []lang.Token, lines []uint32, err error) {
	r := reader{b: b}
	n, shapes := r.uvarint(), r.uvarint()
	if n != uint64(want) || shapes > n {
		return nil, nil, fmt.Errorf("token count %d, want %d", n, want)
	}
	table := r.take(shapes * 6)
	if r.err != nil {
		return nil, nil, r.err
	}
	if n > uint64(len(r.b))/4 { // a byte of each column at least
		return nil, nil, errTruncated
	}
	for i := range shapes {
		if c := lang.Class(table[i*6+4]); c > lang.Word {
			return nil, nil, fmt.Errorf("token class %d", c)
		}
	}
	toks, lines = make([]lang.Token, n), make([]uint32, n)
	for i := range toks {
		id := r.uvarint()
		if id >= shapes {
			return nil, nil, errTruncated
		}
		s := table[id*6:]
		toks[i].Kind = binary.LittleEndian.Uint32(s)
		toks[i].Class, toks[i].Flags = lang.Class(s[4]), lang.Flags(s[5])
	}
	for i := range toks {
		toks[i].Start = uint32(r.varint())
	}
	end := uint32(0)
	for i := range toks {
		toks[i].Start += end
		end = toks[i].Start + uint32(r.uvarint())
		toks[i].End = end
	}
	line := uint32(1)
	for i := range lines {
		line += uint32(r.uvarint())
		lines[i] = line
	}
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.b))
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	return toks, lines, nil
}

// reader takes numbers off a byte slice; its first failure sticks.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errTruncated
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.err = nil, errTruncated
		return nil
	}
	t := r.b[:n]
	r.b = r.b[n:]
	return t
}
