package collection

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"sync/atomic"

	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// spool is a file of texts and their tokens.
type spool struct {
	*disk.File
	end atomic.Int64
}

func newSpool(dir string) (*spool, error) {
	if err := disk.MakeDirs(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := disk.Create(filepath.Join(dir, "texts"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &spool{File: f}, nil
}

// write stores b and returns its position. Workers may write concurrently.
func (s *spool) write(b []byte) (int64, error) {
	at := s.end.Add(int64(len(b))) - int64(len(b))
	_, err := s.WriteAt(b, at)
	return at, err
}

// spoolWriter packs documents for the spool. It reuses its buffers.
type spoolWriter struct {
	spool  *spool
	packer packer
	stored []byte
}

// write stores the text and the tokens of a document, and notes where.
func (w *spoolWriter) write(doc *Document, text []byte, toks []lang.Token) (err error) {
	w.stored = w.packer.pack(append(w.stored[:0], text...), toks)
	doc.packed = uint32(len(w.stored) - len(text))
	doc.stored, err = w.spool.write(w.stored)
	return err
}

// read fills b.
func (s *spool) read(at int64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := s.ReadAt(b, at)
	return err
}

// A packed token stream is
//
//	uvarint  number of shapes
//	         each: u32 kind, u8 class, u8 flags
//	         for each token:
//	uvarint  number of its shape
//	varint   gap to the end of the token before
//	uvarint  length
//
// Most tokens take three bytes. Unpacking takes a tenth of the time of a lexer.
type packer struct {
	slots  [1 << 10]uint32 // 1 + number of a shape, by its kind
	index  map[lang.Shape]uint32
	shapes []lang.Shape
	body   []byte
}

// pack appends packed tokens.
func (p *packer) pack(dst []byte, toks []lang.Token) []byte {
	clear(p.slots[:])
	clear(p.index)
	p.shapes, p.body = p.shapes[:0], p.body[:0]
	end := uint32(0)
	for i := range toks {
		t := &toks[i]
		n, gap, size := p.number(t), int64(t.Start)-int64(end), t.End-t.Start
		if n < 1<<7 && size < 1<<7 && 0 <= gap && gap < 1<<6 { // almost all
			p.body = append(p.body, byte(n), byte(gap<<1), byte(size))
		} else {
			p.body = binary.AppendUvarint(p.body, uint64(n))
			p.body = binary.AppendVarint(p.body, gap)
			p.body = binary.AppendUvarint(p.body, uint64(size))
		}
		end = t.End
	}
	dst = binary.AppendUvarint(dst, uint64(len(p.shapes)))
	for _, s := range p.shapes {
		dst = binary.LittleEndian.AppendUint32(dst, s.Kind)
		dst = append(dst, byte(s.Class), byte(s.Flags))
	}
	return append(dst, p.body...)
}

// number numbers shapes in the order of their first tokens.
func (p *packer) number(t *lang.Token) uint32 {
	s := lang.Shape{Kind: t.Kind, Class: t.Class, Flags: t.Flags}
	slot := &p.slots[(t.Kind^t.Kind>>16)%uint32(len(p.slots))]
	if n := *slot; n > 0 && p.shapes[n-1] == s {
		return n - 1
	}
	n, ok := p.index[s]
	if !ok {
		if p.index == nil {
			p.index = make(map[lang.Shape]uint32)
		}
		n = uint32(len(p.shapes))
		p.shapes, p.index[s] = append(p.shapes, s), n
	}
	*slot = n + 1
	return n
}

// shapeBytes is the size of a shape.
const shapeBytes = 6

var errSpool = errors.New("the temporary file of tokens was changed")

// unpack fills toks.
func unpack(b []byte, toks []lang.Token) error {
	count, size := binary.Uvarint(b)
	if size <= 0 || count > uint64(len(b)/shapeBytes) {
		return errSpool
	}
	shapes, b := b[size:], b[size:]
	b = b[shapeBytes*count:]
	table := make([]lang.Token, count)
	for i := range table {
		s := shapes[shapeBytes*i:]
		table[i] = lang.Token{Kind: binary.LittleEndian.Uint32(s), Class: lang.Class(s[4]), Flags: lang.Flags(s[5])}
	}
	end := uint32(0)
	for i := range toks {
		var n, length uint64
		var gap int64
		if len(b) >= 3 && b[0]|b[1]|b[2] < 1<<7 {
			n, gap, length, b = uint64(b[0]), int64(b[1]>>1)^-int64(b[1]&1), uint64(b[2]), b[3:]
		} else {
			x, y := 0, 0
			n, size = binary.Uvarint(b)
			gap, x = binary.Varint(b[max(size, 0):])
			length, y = binary.Uvarint(b[max(size, 0)+max(x, 0):])
			if size <= 0 || x <= 0 || y <= 0 {
				return errSpool
			}
			b = b[size+x+y:]
		}
		if n >= count {
			return errSpool
		}
		t := table[n]
		t.Start = uint32(int64(end) + gap)
		end = t.Start + uint32(length)
		t.End = end
		toks[i] = t
	}
	return nil
}
