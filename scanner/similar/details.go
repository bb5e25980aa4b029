package similar

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// details is a file of matches, since those of a large collection do not fit into memory.
type details struct {
	*disk.File
	w   *bufio.Writer
	end int64
	buf []byte
}

// kept is the position of the matches of a pair of files.
type kept struct {
	at      int64
	size    int32
	swapped bool // they were stored with the sides exchanged
}

func newDetails(dir string) (*details, error) {
	f, err := disk.Create(filepath.Join(dir, "matches"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &details{File: f, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

// keep writes matches.
func (d *details) keep(ms []Match) (kept, error) {
	if len(ms) == 0 {
		return kept{}, nil
	}
	d.buf = d.buf[:0]
	for _, m := range ms {
		d.buf = appendMatch(d.buf, m)
	}
	if len(d.buf) > math.MaxInt32 {
		return kept{}, errors.New("keep matches: two files share too many")
	}
	k := kept{at: d.end, size: int32(len(d.buf))}
	d.end += int64(len(d.buf))
	_, err := d.w.Write(d.buf)
	return k, err
}

// load reads matches that were kept.
func (d *details) load(k kept) (ms []Match, err error) {
	if err := d.w.Flush(); err != nil {
		return nil, err
	}
	b := make([]byte, k.size)
	if _, err := d.ReadAt(b, k.at); err != nil {
		return nil, err
	}
	r := &unpacker{b: b}
	for len(r.b) > 0 {
		m := r.match()
		if k.swapped {
			m = m.swapped()
		}
		ms = append(ms, m)
	}
	return ms, nil
}

func appendInts(b []byte, ns ...int) []byte {
	for _, n := range ns {
		b = binary.AppendVarint(b, int64(n))
	}
	return b
}

func appendText(b []byte, s string) []byte { return append(appendInts(b, len(s)), s...) }

func appendMatch(b []byte, m Match) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.Bits))
	b = appendInts(b, m.Tokens, m.CloneType, m.Identifiers.Total, m.Identifiers.Unchanged, m.Identifiers.Renamed, m.Identifiers.Inconsistent, m.Literals.Total, m.Literals.Equal)
	b = appendInts(b, len(m.Renames))
	for _, r := range m.Renames {
		b = appendInts(appendText(appendText(b, r.Origin), r.Target), r.Count)
	}
	b = appendInts(b, len(m.Runs))
	for _, r := range m.Runs {
		b = appendInts(b, r.StartLine, r.StartColumn, r.EndLine, r.EndColumn, r.OriginStartLine, r.OriginStartColumn, r.OriginEndLine, r.OriginEndColumn, r.Tokens)
	}
	return b
}

// unpacker reads the output of appendMatch.
type unpacker struct{ b []byte }

func (u *unpacker) int() int {
	n, size := binary.Varint(u.b)
	u.b = u.b[size:]
	return int(n)
}

func (u *unpacker) text() string {
	n := u.int()
	s := string(u.b[:n])
	u.b = u.b[n:]
	return s
}

func (u *unpacker) match() Match {
	m := Match{Bits: math.Float64frombits(binary.LittleEndian.Uint64(u.b))}
	u.b = u.b[8:]
	m.Tokens, m.CloneType = u.int(), u.int()
	m.Identifiers = finding.Names{Total: u.int(), Unchanged: u.int(), Renamed: u.int(), Inconsistent: u.int()}
	m.Literals = finding.Literals{Total: u.int(), Equal: u.int()}
	for range u.int() {
		m.Renames = append(m.Renames, finding.Rename{Origin: u.text(), Target: u.text(), Count: u.int()})
	}
	for range u.int() {
		m.Runs = append(m.Runs, finding.Run{StartLine: u.int(), StartColumn: u.int(), EndLine: u.int(), EndColumn: u.int(),
			OriginStartLine: u.int(), OriginStartColumn: u.int(), OriginEndLine: u.int(), OriginEndColumn: u.int(), Tokens: u.int()})
	}
	return m
}
