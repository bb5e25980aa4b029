package store

import (
	"encoding/binary"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// moves maps token positions to their new places when documents move. A merge asks for each posting in random order. Here it reads
// 16 bytes of a document; in the file it would read two records of 104.
type moves struct {
	docs  []move   // and one behind the last
	hints []uint32 // by stretch of 1<<shift positions: the document of its first position
	shift uint
}

type move struct{ from, to uint64 }

// gone is the new place of a document that is removed.
const gone = ^uint64(0)

// Moves returns a function that maps a global token position to its new one. The function to gives the new start of each document,
// or false if the document is removed. The returned function gives false for positions of removed documents and beyond the last.
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
