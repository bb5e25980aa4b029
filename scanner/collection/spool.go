package collection

import (
	"encoding/binary"
	"path/filepath"
	"sync/atomic"

	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

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

// write returns where b is. Workers write at once.
func (s *spool) write(b []byte) (int64, error) {
	at := s.end.Add(int64(len(b))) - int64(len(b))
	_, err := s.WriteAt(b, at)
	return at, err
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
