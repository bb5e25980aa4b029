package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// moves maps token positions to their new places when documents move. A merge asks for each posting in random order. Here it reads
// 16 bytes of a document; in the file it would read two records of 104.
type moves struct {
	docs  []move   // and one after the last
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

// compressed returns the compressed blobs of a document, for merging.
func (r *Reader) compressed(d Document) (tok, text, names []byte, err error) {
	size := uint64(d.tokLen) + uint64(d.textLen) + uint64(d.nameLen)
	if d.tokOff < headerSize || d.textOff != d.tokOff+uint64(d.tokLen) || d.tokOff > r.h.docOff || size > r.h.docOff-d.tokOff {
		return nil, nil, nil, &CorruptError{r.path, "document " + d.Hash.String(), errTruncated}
	}
	b := make([]byte, size)
	if _, err := r.f.ReadAt(b, int64(d.tokOff)); err != nil {
		return nil, nil, nil, r.damaged("document "+d.Hash.String(), err)
	}
	tok, b = b[:d.tokLen], b[d.tokLen:]
	return tok, b[:d.textLen], b[d.textLen:], nil
}

// Entry returns a document as it would be added to another file.
func (r *Reader) Entry(i int) (*Entry, error) {
	d, err := r.Doc(i)
	if err != nil {
		return nil, err
	}
	tok, text, names, err := r.compressed(d)
	if err != nil {
		return nil, err
	}
	set, err := r.Names(i) // also checks the set, which would otherwise get a new checksum
	if err != nil {
		return nil, err
	}
	e := &Entry{Hash: d.Hash, Tokens: d.Tokens, Lines: d.Lines, Size: d.Size, Unit: d.Unit, Language: d.Language, Scheme: d.Scheme, License: d.License, LicenseAt: d.LicenseAt, Bare: d.Bare, Converted: d.Converted, TokBlob: tok, TxtBlob: text, Names: NameSet{names, set.Probes}}
	if r.h.columns {
		return e, r.renew(e, d)
	}
	if e.TokBlob, err = r.withShapes(tok, d); err != nil {
		return nil, r.damaged("tokens of "+d.Hash.String(), err)
	}
	return e, nil
}

// withShapes returns a blob of tokens that does not refer to the file's lists of shapes.
func (r *Reader) withShapes(tok []byte, d Document) ([]byte, error) {
	size, err := headSize(tok)
	if err != nil {
		return nil, err
	}
	h, err := r.decodeHead(tok[:size], d)
	if err != nil {
		return nil, err
	}
	return append(appendHead(make([]byte, 0, len(tok)+4*len(h.shapes)), &h, nil), tok[size:]...), nil
}

var encoders = sync.Pool{New: func() any {
	e, err := NewEncoder()
	if err != nil {
		return err
	}
	return e
}}

// renew makes the tokens and names of a document from an older file, in this version's form.
func (r *Reader) renew(e *Entry, d Document) error {
	toks, lines, err := r.Stream(d)
	if err != nil {
		return err
	}
	text, err := r.Text(d)
	if err != nil {
		return err
	}
	enc, ok := encoders.Get().(*Encoder)
	if !ok {
		return errors.New("start compression")
	}
	defer encoders.Put(enc)
	if d.Bare {
		e.TokBlob = enc.columns(toks, lines)
	} else {
		e.TokBlob = enc.tokens(text, toks, lang.Lines(text))
	}
	e.Names = enc.names(text, toks)
	return nil
}
