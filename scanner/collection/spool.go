package collection

import (
	"encoding/binary"
	"path/filepath"
	"sync/atomic"

	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// chunk is how much a worker writes to the spool at a time.
const chunk = 1 << 20

// spool is a file of texts, and of the tokens of those that take long to make.
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

// pen writes to a spool what one worker has for it.
type pen struct {
	s    *spool
	at   int64
	room int // bytes left of the chunk that begins at at
	buf  []byte
}

// write returns where b will be; it is there after the next flush.
func (p *pen) write(b []byte) (int64, error) {
	if len(b) > p.room {
		if err := p.flush(); err != nil {
			return 0, err
		}
		n := max(chunk, len(b))
		p.at, p.room = p.s.end.Add(int64(n))-int64(n), n
	}
	at := p.at + int64(len(p.buf))
	p.buf, p.room = append(p.buf, b...), p.room-len(b)
	return at, nil
}

func (p *pen) flush() error {
	_, err := p.s.WriteAt(p.buf, p.at)
	p.at, p.buf, p.room = p.at+int64(len(p.buf)), p.buf[:0], 0
	if cap(p.buf) > 4*chunk {
		p.buf = nil
	}
	return err
}

func (s *spool) read(at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	if n == 0 {
		return b, nil
	}
	_, err := s.ReadAt(b, at)
	return b, err
}

// tokenBytes is what a token takes in the spool.
const tokenBytes = 16

func packTokens(dst []byte, toks []lang.Token) []byte {
	for _, t := range toks {
		dst = binary.LittleEndian.AppendUint32(dst, t.Start)
		dst = binary.LittleEndian.AppendUint32(dst, t.End)
		dst = binary.LittleEndian.AppendUint32(dst, t.Kind)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(t.Class)|uint32(t.Flags)<<8)
	}
	return dst
}

func unpackTokens(b []byte) []lang.Token {
	out := make([]lang.Token, len(b)/tokenBytes)
	for i := range out {
		w := b[i*tokenBytes:]
		rest := binary.LittleEndian.Uint32(w[12:])
		out[i] = lang.Token{Start: binary.LittleEndian.Uint32(w), End: binary.LittleEndian.Uint32(w[4:]), Kind: binary.LittleEndian.Uint32(w[8:]), Class: lang.Class(rest), Flags: lang.Flags(rest >> 8)}
	}
	return out
}
