package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
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
		Converted: b[95] == 1,
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

// LanguageIndex returns the index, in Languages, of the language of the i-th document. It reads the mapped file without a guard.
func (r *Reader) LanguageIndex(i int) (language int, err error) {
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

// Text returns a document's text; for a bare document, the part that is left. The blob's own checksum detects damage. Verify
// compares the text with the document's hash, unless it was made of the content.
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
	b := r.scattered.ReadKept(off, n)
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
