package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// Doc returns the record of the i-th document.
func (r *Reader) Doc(i int) (d Document, err error) {
	err = disk.Guard(func() error {
		d, err = r.doc(i)
		return err
	})
	return d, err
}

func (r *Reader) doc(i int) (Document, error) {
	if err := r.checkDoc(i); err != nil {
		return Document{}, err
	}
	m, err := r.loadMeta()
	if err != nil {
		return Document{}, err
	}
	b := r.docs[i*docSize : (i+1)*docSize]
	d := Document{
		Hash: Hash(b[:32]), Base: binary.LittleEndian.Uint64(b[32:]),
		tokOff: binary.LittleEndian.Uint64(b[40:]), textOff: binary.LittleEndian.Uint64(b[48:]),
		tokLen: binary.LittleEndian.Uint32(b[56:]), textLen: binary.LittleEndian.Uint32(b[60:]),
		nameLen: binary.LittleEndian.Uint32(b[64:]),
		Tokens:  binary.LittleEndian.Uint32(b[68:]), Lines: binary.LittleEndian.Uint32(b[72:]), Size: binary.LittleEndian.Uint32(b[76:]),
		Unit:      binary.LittleEndian.Uint32(b[84:]),
		LicenseAt: LicenseAt{binary.LittleEndian.Uint32(b[88:]), b[92] == 1},
		Bare:      b[93] == 1,
	}
	l, c := int(binary.LittleEndian.Uint16(b[80:])), int(binary.LittleEndian.Uint16(b[82:]))
	if l >= len(m.Languages) || c >= len(m.Licenses) || d.Tokens > 2*d.Size || d.Size > MaxText || d.Bare && !r.h.bare {
		return Document{}, &CorruptError{r.path, fmt.Sprintf("document %d", i), errors.New("record out of range")}
	}
	d.Language, d.License, d.language = m.Languages[l], m.Licenses[c], l
	if l < len(m.Schemes) {
		d.Scheme = m.Schemes[l]
	}
	return d, nil
}

// Which reports for each document whether choose accepts its language and scheme. It returns nil if choose accepts no document.
func (r *Reader) Which(choose func(language, scheme string) bool) (chosen []bool, err error) {
	m, err := r.loadMeta()
	if err != nil {
		return nil, err
	}
	languages, some := make([]bool, len(m.Languages)), false
	for i, name := range m.Languages {
		scheme := ""
		if i < len(m.Schemes) {
			scheme = m.Schemes[i]
		}
		languages[i] = choose(name, scheme)
		some = some || languages[i]
	}
	if !some {
		return nil, nil
	}
	chosen = make([]bool, r.Docs())
	err = disk.Guard(func() error {
		for i := range chosen {
			if err := r.checkDoc(i); err != nil {
				return err
			}
			l := int(binary.LittleEndian.Uint16(r.docs[i*docSize+80:]))
			chosen[i] = l < len(languages) && languages[l]
		}
		return nil
	})
	return chosen, err
}

// checked reports whether bit i is set.
func checked(bits []atomic.Uint64, i int) bool { return bits[i>>6].Load()>>(i&63)&1 == 1 }

// checkDoc checks the CRC of a document's record when it is first used.
func (r *Reader) checkDoc(i int) error {
	if checked(r.docsChecked, i) {
		return nil
	}
	return r.checkRecord(r.docs[i*docSize:][:docSize], r.docsChecked, i, "document")
}

func (r *Reader) checkOcc(i int) error {
	if checked(r.occsChecked, i) {
		return nil
	}
	if err := r.need(disk.Range{Off: r.h.occOff + uint64(i)*occSize, Len: occSize}); err != nil {
		return err
	}
	return r.checkRecord(r.occs[i*occSize:][:occSize], r.occsChecked, i, "occurrence")
}

func (r *Reader) checkRecord(b []byte, bits []atomic.Uint64, i int, what string) error {
	end := len(b) - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return &CorruptError{r.path, fmt.Sprintf("%s %d", what, i), errChecksum}
	}
	bits[i>>6].Or(1 << (i & 63))
	return nil
}

// Languages lists the languages of the file and the schemes of their tokens. A language occurs once for each scheme.
func (r *Reader) Languages() (languages, schemes []string, err error) {
	m, err := r.loadMeta()
	if err != nil {
		return nil, nil, err
	}
	schemes = make([]string, len(m.Languages))
	copy(schemes, m.Schemes)
	return m.Languages, schemes, nil
}

// Made returns the index, in Languages, of the language of the i-th document. It reads the mapped file without a guard.
func (r *Reader) Made(i int) (language int, err error) {
	if err := r.checkDoc(i); err != nil {
		return 0, err
	}
	m, err := r.loadMeta()
	if language = int(binary.LittleEndian.Uint16(r.docs[i*docSize+80:])); err == nil && language >= len(m.Languages) {
		err = &CorruptError{r.path, fmt.Sprintf("document %d", i), errors.New("record out of range")}
	}
	return language, err
}

// Hash returns the content hash of the i-th document.
func (r *Reader) Hash(i int) Hash { return Hash(r.docs[i*docSize:][:32]) }

// Unit returns the sampling unit of the i-th document.
func (r *Reader) Unit(i int) uint32 { return binary.LittleEndian.Uint32(r.docs[i*docSize+84:]) }

func (r *Reader) base(i int) uint64 { return binary.LittleEndian.Uint64(r.docs[i*docSize+32:]) }

// Locate returns the document that has a global token position, and the token's index in it. It also returns false if the record of
// the document or of the next one is damaged, since they say where the document begins and ends.
func (r *Reader) Locate(pos uint64) (doc int, token uint32, ok bool) {
	if pos >= r.h.tokens {
		return 0, 0, false
	}
	hint := &r.hints[pos>>r.hintShift]
	i := int(hint.Load()) - 1
	if i < 0 {
		i = r.search(pos)
		hint.Store(uint32(i + 1))
	}
	for i >= 0 && r.base(i) > pos {
		i--
	}
	for i >= 0 && i+1 < r.Docs() && r.base(i+1) <= pos {
		i++
	}
	if i < 0 || !checked(r.docsChecked, i) && r.checkDoc(i) != nil {
		return 0, 0, false
	}
	if next := i + 1; next < r.Docs() && !checked(r.docsChecked, next) && r.checkDoc(next) != nil {
		return 0, 0, false
	}
	return i, uint32(pos - r.base(i)), true
}

// search returns the last document that begins at pos or before; -1 if there is none. Documents are ordered by hash, so their
// lengths even out. search guesses the document by the mean length and then searches around the guess. So it touches two or three
// pages of a table of any size.
func (r *Reader) search(pos uint64) int {
	n := r.Docs()
	if n == 0 {
		return -1
	}
	if begins := r.sampled(); begins != nil {
		i := max(sort.Search(len(begins), func(i int) bool { return begins[i] > pos })-1, 0) * sampleStep
		return i - 1 + sort.Search(min(sampleStep, n-i), func(k int) bool { return r.base(i+k) > pos })
	}
	mean := float64(r.h.tokens) / float64(n)
	at := 0
	for range guesses {
		step := (float64(pos) - float64(r.base(at))) / mean
		if at = min(max(at+int(min(max(step, -float64(n)), float64(n))), 0), n-1); math.Abs(step) < near {
			break
		}
	}
	lo, hi := at, at+1
	for width := near; lo >= 0 && r.base(lo) > pos; width *= 2 {
		lo, hi = max(lo-width, -1), lo
	}
	for width := near; hi < n && r.base(hi) <= pos; width *= 2 {
		lo, hi = hi, min(hi+width, n)
	}
	return lo + sort.Search(hi-lo-1, func(i int) bool { return r.base(lo+1+i) > pos })
}

// sampled returns where every sampleStep-th document begins. It makes this list once a small table was searched often. The entries
// are close together, so a search waits for the memory three times and not ten. It returns nil if search must guess.
func (r *Reader) sampled() []uint64 {
	if s := r.begins.Load(); s != nil {
		return *s
	}
	if len(r.docs) > sampledTable || r.searches.Add(1) < sampledAfter {
		return nil
	}
	begins := make([]uint64, 0, r.Docs()/sampleStep+1)
	for i := 0; i < r.Docs(); i += sampleStep {
		begins = append(begins, r.base(i))
	}
	r.begins.Store(&begins)
	return begins
}

const (
	sampleStep   = 8
	sampledAfter = 256
	sampledTable = 32 << 20 // bytes, 300,000 documents; a larger table would have to be read completely
)

const (
	guesses = 5
	near    = 8 // documents: their records are in one or two pages
)

// makeHints divides the positions into stretches, about two per document. Positions are often looked up near the last one, so the
// document last found in a stretch is the right one or next to it.
func (r *Reader) makeHints() {
	for r.h.tokens>>r.hintShift > 2*r.h.docs {
		r.hintShift++
	}
	r.hints = make([]atomic.Uint32, r.h.tokens>>r.hintShift+1)
}

// Find returns the index of the document with this content.
func (r *Reader) Find(h Hash) (i int, found bool, err error) {
	err = disk.Guard(func() error {
		var bad error
		i, found = sort.Find(r.Docs(), func(i int) int {
			bad = cmp.Or(bad, r.checkDoc(i))
			return bytes.Compare(h[:], r.docs[i*docSize:][:32])
		})
		return bad
	})
	return i, found, err
}

// Stream decodes a document's token stream; lines has each token's first line.
func (r *Reader) Stream(d Document) (toks []lang.Token, lines []uint32, err error) {
	s, err := r.Blocks(d, nil, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	err = disk.Guard(func() error {
		toks, lines = s.All()
		return nil
	})
	return toks, lines, err
}

// Blocks returns a document's token stream, which decodes its blocks when they are read. Read them before Close and within a
// disk.Guard. The guard returns read errors, after blame has wrapped them. Spans are made from the text, which text returns if the
// caller has it already; text may be nil. See lang.NewBlockStream for grown.
func (r *Reader) Blocks(d Document, text func() ([]byte, error), grown func(bytes int), blame func(error) error) (*lang.BlockStream, error) {
	head, err := r.tokenHead(d)
	if err != nil {
		return nil, r.damaged("tokens of "+d.Hash.String(), err)
	}
	if text == nil {
		text = sync.OnceValues(func() ([]byte, error) { return r.Text(d) })
	}
	return lang.NewBlockStream(head.tokens, head.shapes, &blocks{r, d, head, text, blame}, grown), nil
}

// firstRead is how many bytes of a blob of tokens are read before the length of its head is known. It covers most heads.
const firstRead = 2 << 10

func (r *Reader) tokenHead(d Document) (h tokenHead, err error) {
	if d.tokLen < 4 {
		return h, errTruncated
	}
	if err := r.need(disk.Range{Off: d.tokOff, Len: uint64(min(d.tokLen, whole))}); err != nil {
		return h, err
	}
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	b, err := r.raw(d.tokOff, min(d.tokLen, firstRead), s)
	if err != nil {
		return h, err
	}
	size := binary.LittleEndian.Uint32(b)
	if size < 8 || size > d.tokLen {
		return h, errTruncated
	}
	if int(size) > len(b) {
		if b, err = r.raw(d.tokOff, size, s); err != nil {
			return h, err
		}
	}
	return r.decodeHead(b[:size], d)
}

// decodeHead decodes a head by the rules of the file's version.
func (r *Reader) decodeHead(b []byte, d Document) (h tokenHead, err error) {
	if r.h.columns {
		return decodeOldHead(b, int(d.Tokens), uint64(d.tokLen))
	}
	m, err := r.loadMeta()
	if err != nil {
		return h, err
	}
	var listed []lang.Shape
	if d.language < len(m.shapes) {
		listed = m.shapes[d.language]
	}
	h, err = decodeHead(b, int(d.Tokens), uint64(d.tokLen), listed)
	h.columns = d.Bare
	return h, err
}

// blocks reads the blocks of a document's tokens.
type blocks struct {
	r     *Reader
	d     Document
	head  tokenHead
	text  func() ([]byte, error)
	blame func(error) error
}

// fail aborts the reading with a panic that the surrounding disk.Guard returns as an error.
func (b *blocks) fail(err error) {
	err = b.r.damaged("tokens of "+b.d.Hash.String(), err)
	if b.blame != nil {
		err = b.blame(err)
	}
	panic(disk.Failure{Err: err})
}

func (b *blocks) Kinds(block int) []byte {
	k := b.head.blocks[block]
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	out, err := b.r.blob(b.d.tokOff+k.at, k.kinds, uint64(4*b.head.length(block)), s, nil)
	if err == nil {
		err = b.head.checkKinds(out, block)
	}
	if err != nil {
		b.fail(err)
	}
	return out
}

func (b *blocks) Spans(block int) []lang.Span {
	out, err := b.readSpans(b.head.blocks[block], b.head.length(block))
	if err != nil {
		b.fail(err)
	}
	return out
}

func (b *blocks) readSpans(k tokenBlock, n int) ([]lang.Span, error) {
	var text []byte
	var err error
	if !b.head.columns {
		if text, err = b.text(); err != nil {
			return nil, err
		}
	}
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	var in []byte
	if at := b.d.tokOff + k.at + uint64(k.kinds); k.packed {
		in, err = b.r.blob(at, k.spans, 3*binary.MaxVarintLen64*uint64(n), s, s.out)
		s.out = in[:0]
	} else if k.spans > 0 {
		in, err = b.r.raw(at, k.spans, s)
		if err == nil {
			in, err = unsealed(in)
		}
	}
	if err != nil {
		return nil, err
	}
	if b.head.columns {
		return decodeSpans(in, n, k, b.d.Size, b.d.Lines)
	}
	return guessSpans(in, n, k, b.head.comments, text)
}

// unsealed checks the checksum at the end of b and removes it.
func unsealed(b []byte) ([]byte, error) {
	n := len(b) - 4
	if n < 0 {
		return nil, errTruncated
	}
	if crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, errChecksum
	}
	return b[:n], nil
}

// Text returns a document's text; for a bare document, the part that is left. The blob's own checksum detects damage. Verify
// compares the text with the document's hash.
func (r *Reader) Text(d Document) ([]byte, error) {
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	var b []byte
	var err error
	if d.Bare {
		b, err = r.bareText(d, s)
	} else if b, err = r.blob(d.textOff, d.textLen, uint64(d.Size), s, nil); err == nil && len(b) != int(d.Size) {
		err = errTruncated
	}
	if err != nil {
		return nil, r.damaged("text of "+d.Hash.String(), err)
	}
	return b, nil
}

// Names returns the set of names in the i-th document, valid until Close.
func (r *Reader) Names(i int) (n NameSet, err error) {
	err = disk.Guard(func() error {
		n, err = r.names(i)
		return err
	})
	return n, err
}

func (r *Reader) names(i int) (NameSet, error) {
	if err := r.checkDoc(i); err != nil {
		return NameSet{}, err
	}
	b := r.docs[i*docSize : (i+1)*docSize]
	off := binary.LittleEndian.Uint64(b[48:]) + uint64(binary.LittleEndian.Uint32(b[60:]))
	n := uint64(binary.LittleEndian.Uint32(b[64:]))
	if off < headerSize || off > r.h.docOff || n > r.h.docOff-off {
		return NameSet{}, &CorruptError{r.path, "names of " + r.Hash(i).String(), errTruncated}
	}
	set := r.all[off : off+n]
	if err := r.need(disk.Range{Off: off, Len: n}); err != nil {
		return NameSet{}, err
	}
	probes := max(oldProbes, int(b[94])) // older files have 0 there
	if probes > mostProbes {
		return NameSet{}, &CorruptError{r.path, "names of " + r.Hash(i).String(), errors.New("record out of range")}
	}
	if checked(r.namesChecked, i) {
		return NameSet{set, probes}, nil
	}
	crc := binary.LittleEndian.Uint32(b[docSize-8:])
	if read := r.readNames(i, off, n, crc); read != nil {
		return NameSet{read, probes}, nil
	}
	if crc32.Checksum(set, castagnoli) != crc {
		return NameSet{}, &CorruptError{r.path, "names of " + r.Hash(i).String(), errChecksum}
	}
	r.namesChecked[i>>6].Or(1 << (i & 63))
	return NameSet{set, probes}, nil
}

// readNames reads a set of names without the map, while such reads are few. If it returns nil, the map must be used, which also
// reports damage.
func (r *Reader) readNames(i int, off, n uint64, crc uint32) []byte {
	id := uint64(i)
	if b := r.scattered.Get(id); b != nil {
		return b
	}
	b := r.scattered.Read(off, n)
	if b == nil || crc32.Checksum(b, castagnoli) != crc {
		return nil
	}
	r.scattered.Keep(id, b)
	return b
}

// room is reusable memory for data that is dropped after reading.
type room struct{ raw, out []byte }

var rooms = sync.Pool{New: func() any { return new(room) }}

// blob reads and decompresses a blob, into dst if it is large enough.
func (r *Reader) blob(off uint64, n uint32, limit uint64, s *room, dst []byte) ([]byte, error) {
	b, err := r.raw(off, n, s)
	if err != nil {
		return nil, err
	}
	return decompress(b, limit, dst)
}

// raw reads a part of the blobs.
func (r *Reader) raw(off uint64, n uint32, s *room) ([]byte, error) {
	if off < headerSize || off > r.h.docOff || uint64(n) > r.h.docOff-off {
		return nil, errTruncated
	}
	s.raw = slices.Grow(s.raw[:0], int(n))[:n]
	if _, err := r.f.ReadAt(s.raw, int64(off)); err != nil {
		return nil, err
	}
	return s.raw, nil
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
	e := &Entry{Hash: d.Hash, Tokens: d.Tokens, Lines: d.Lines, Size: d.Size, Unit: d.Unit, Language: d.Language, Scheme: d.Scheme, License: d.License, LicenseAt: d.LicenseAt, Bare: d.Bare, TokBlob: tok, TxtBlob: text, Names: NameSet{names, set.Probes}}
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
