package store

import (
	"encoding/binary"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// moves tells where positions go when documents move. A merge asks for each posting, at random: what
// it needs of a document lies in 16 bytes here, in 208 of two records of the file.
type moves struct {
	docs  []move   // and one behind the last
	hints []uint32 // by stretch of positions: the document that its first one lies in
	shift uint
}

type move struct{ from, to uint64 }

// gone is where a document moves that does not stay.
const gone = ^uint64(0)

// Moves returns the function that tells where a global token position goes, when each document moves to
// where to says; false if its document does not stay, and outside.
func (r *Reader) Moves(to func(doc int) (uint64, bool)) (func(pos uint64) (uint64, bool), error) {
	m := moves{docs: make([]move, r.Docs()+1)}
	if err := disk.Guard(func() error { return m.read(r, to) }); err != nil {
		return nil, err
	}
	for r.h.tokens>>m.shift > 2*r.h.docs {
		m.shift++
	}
	m.hints = make([]uint32, r.h.tokens>>m.shift+1)
	i := 0
	for n := range m.hints {
		for i+1 < r.Docs() && m.docs[i+1].from <= uint64(n)<<m.shift {
			i++
		}
		m.hints[n] = uint32(i)
	}
	return m.of, nil
}

func (m *moves) read(r *Reader, to func(doc int) (uint64, bool)) error {
	last := uint64(0)
	for i := range r.Docs() {
		if err := r.checkDoc(i); err != nil {
			return err
		}
		from := binary.LittleEndian.Uint64(r.docs[i*docSize+32:])
		if from < last || from > r.h.tokens || i == 0 && from > 0 {
			return &CorruptError{r.path, "documents", fmt.Errorf("document %d starts at token %d, the one before at %d", i, from, last)}
		}
		last, m.docs[i] = from, move{from, gone}
		if at, stays := to(i); stays {
			m.docs[i].to = at
		}
	}
	m.docs[r.Docs()] = move{r.h.tokens, gone}
	return nil
}

func (m *moves) of(pos uint64) (uint64, bool) {
	end := len(m.docs) - 1
	if pos >= m.docs[end].from {
		return 0, false
	}
	i := m.hints[pos>>m.shift]
	for m.docs[i+1].from <= pos {
		i++
	}
	d := &m.docs[i]
	return d.to + pos - d.from, d.to != gone
}
