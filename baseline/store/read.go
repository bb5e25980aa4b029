package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/klauspost/compress/zstd"
)

// file is what blobs are read from.
type file interface {
	io.ReaderAt
	io.Closer
}

// Reader reads one document file. Safe for concurrent use. Hash, Unit, Locate
// and the sets that Names returns read the mapped file without a guard, as they
// are asked too often: their callers need one.
type Reader struct {
	path  string
	f     file
	parts disk.Parts // where all comes from, nil if it is here
	h     header
	size  uint64
	all   []byte // the file, mapped: tables and sets of names; the other blobs are read from f
	docs  []byte
	occs  []byte
	strs  []byte

	scattered *disk.Scattered // the first sets of names that are looked at, by document

	// of documents, of their names and of occurrences: a bit for each whose checksum was right
	docsChecked, namesChecked, occsChecked []atomic.Uint64

	hints     []atomic.Uint32 // by stretch of positions: a document there and 1; 0 if nobody asked yet
	hintShift uint

	metaOnce, packagesOnce sync.Once
	meta                   meta
	metaErr, packagesErr   error
	unread                 []byte // JSON of the package list until somebody asks for it
}

// Open maps a document file. The package list is decoded at its first use.
func Open(path string) (r *Reader, err error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open document file: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("open document file: %w", err)
	}
	r = &Reader{path: path, f: f, size: uint64(size)}
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	if r.all, err = f.Map(size); err != nil {
		return nil, fmt.Errorf("open document file: %w", err)
	}
	r.scattered = disk.Scatter(f, size)
	r.openTables()
	return r, nil
}

// OpenParts is Open for a file of which the rest comes when it is needed: the table of
// documents and the package list at once. The reader closes it.
func OpenParts(f disk.Parts) (*Reader, error) {
	r := &Reader{path: f.Name(), f: f, parts: f, size: uint64(len(f.Data())), all: f.Data()}
	err := r.readHeader()
	if err == nil {
		err = f.Need(disk.Range{Off: r.h.docOff, Len: r.h.occOff - r.h.docOff}, disk.Range{Off: r.h.metaOff, Len: r.h.end - r.h.metaOff})
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	r.openTables()
	return r, nil
}

// need brings a stretch of the file here, if it is not. It takes one, as a list would be
// allocated even where all is here.
func (r *Reader) need(s disk.Range) error {
	if r.parts == nil {
		return nil
	}
	return r.parts.Need(s)
}

// BringAll fetches the whole file before all of it is read. Of one that is on this
// machine it does nothing, as the next two.
func (r *Reader) BringAll() error { return r.need(disk.Range{Len: r.h.end}) }

// BringTables fetches everything but what is there once for each document.
func (r *Reader) BringTables() error {
	return r.need(disk.Range{Off: r.h.docOff, Len: r.h.end - r.h.docOff})
}

// whole is the size up to which the tokens of a document come in one piece.
const whole = 64 << 10

// BringDocs fetches the names of documents in one round, and their tokens if they are to
// be read too, of long ones the beginning.
func (r *Reader) BringDocs(ids []int, tokens bool) error {
	if r.parts == nil {
		return nil
	}
	var rs []disk.Range
	for _, i := range ids {
		d, err := r.Doc(i)
		if err != nil {
			return err
		}
		rs = append(rs, disk.Range{Off: d.textOff + uint64(d.textLen), Len: uint64(d.nameLen)})
		if tokens {
			rs = append(rs, disk.Range{Off: d.tokOff, Len: uint64(min(d.tokLen, whole))})
		}
	}
	return r.parts.Need(rs...)
}

// readHeader reads and checks the fixed start of the file.
func (r *Reader) readHeader() error {
	head := make([]byte, headerSize)
	if n, err := r.f.ReadAt(head, 0); err == io.EOF && r.size >= headerSize {
		return fmt.Errorf("open document file: %w", disk.Cut(r.path, int64(r.size)))
	} else if err == io.EOF {
		return &VersionError{r.path, string(head[:min(n, 8)])}
	} else if err != nil {
		return fmt.Errorf("open document file: %w", err)
	}
	if err := r.h.unmarshal(r.path, head); err != nil {
		return err
	}
	return r.checkOffsets()
}

func (r *Reader) checkOffsets() error {
	h := &r.h
	ordered := h.docOff <= h.occOff && h.occOff <= h.strOff && h.strOff <= h.metaOff && h.metaOff <= h.end && h.end == r.size && h.docOff >= headerSize
	if !ordered || h.docs > r.size/docSize || h.occs > r.size/occSize || h.occOff-h.docOff != h.docs*docSize || h.strOff-h.occOff != h.occs*occSize {
		return &CorruptError{r.path, "header", errors.New("section offsets")}
	}
	return nil
}

// openTables finds the tables in the mapped file.
func (r *Reader) openTables() {
	h, all := &r.h, r.all
	r.makeHints()
	r.docsChecked, r.namesChecked = make([]atomic.Uint64, h.docs/64+1), make([]atomic.Uint64, h.docs/64+1)
	r.occsChecked = make([]atomic.Uint64, h.occs/64+1)
	r.docs, r.occs, r.strs = all[h.docOff:h.occOff], all[h.occOff:h.strOff], all[h.strOff:h.metaOff]
}

// Close releases the file.
func (r *Reader) Close() error {
	if r.all == nil {
		return nil // closed before
	}
	var err error
	if r.parts == nil {
		err = disk.Unmap(r.all)
	}
	r.f.Close() // it was only read: nothing is lost if that fails
	r.all, r.docs, r.occs, r.strs = nil, nil, nil, nil
	return err
}

// Docs returns how many documents the file holds.
func (r *Reader) Docs() int { return int(r.h.docs) }

// Bare returns how many documents are bare. A file without any is not read for that.
func (r *Reader) Bare() (n int, err error) {
	err = disk.Guard(func() error {
		for i := 0; r.h.bare && i < r.Docs(); i++ {
			n += int(r.docs[i*docSize+93])
		}
		return nil
	})
	return n, err
}

// Tokens returns the number of tokens of all its documents.
func (r *Reader) Tokens() uint64 { return r.h.tokens }

// Size returns the size of the file in bytes.
func (r *Reader) Size() uint64 { return r.size }

// Packages returns the package list; it is shared, do not change it.
func (r *Reader) Packages() ([]Package, error) {
	m, err := r.loadMeta()
	if err != nil {
		return nil, err
	}
	r.packagesOnce.Do(func() {
		if r.unread == nil {
			return
		}
		if err := json.NewDecoder(bytes.NewReader(r.unread)).Decode(&m.Packages); err != nil {
			r.packagesErr = &CorruptError{r.path, "meta", err}
		}
		r.unread = nil
	})
	return m.Packages, r.packagesErr
}

// damaged says of a section that it cannot be trusted, unless it is the system
// that could not read it, or the file was cut since it was opened.
func (r *Reader) damaged(section string, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", section, disk.Cut(r.path, int64(r.size)))
	}
	_, away := errors.AsType[*disk.UnreachableError](err)
	if _, system := errors.AsType[*fs.PathError](err); system || away {
		return fmt.Errorf("read %s: %w", section, err)
	}
	return &CorruptError{r.path, section, err}
}

func (r *Reader) loadMeta() (*meta, error) {
	r.metaOnce.Do(func() {
		b := make([]byte, r.h.end-r.h.metaOff)
		if _, err := r.f.ReadAt(b, int64(r.h.metaOff)); err != nil {
			r.metaErr = r.damaged("meta", err)
			return
		}
		if crc32.Checksum(b, castagnoli) != r.h.metaCRC {
			r.metaErr = &CorruptError{r.path, "meta", errChecksum}
			return
		}
		if b, r.metaErr = decompress(b, min(maxMeta, 1<<20+metaRatio*uint64(len(b))), nil); r.metaErr == nil {
			r.unread, r.metaErr = r.meta.unmarshal(b)
		}
		if r.metaErr != nil {
			r.metaErr = &CorruptError{r.path, "meta", r.metaErr}
		}
	})
	return &r.meta, r.metaErr
}

// unmarshal reads what each document's record refers to, and returns the package list,
// which stands last: that of a billion postings takes longer to decode than 10,000 look-ups.
func (m *meta) unmarshal(b []byte) (packages []byte, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch key {
		case "languages":
			err = d.Decode(&m.Languages)
		case "schemes":
			err = d.Decode(&m.Schemes)
		case "licenses":
			err = d.Decode(&m.Licenses)
		case "packages":
			_, packages, _ = bytes.Cut(b[d.InputOffset():], []byte(":"))
			return packages, nil
		default:
			return nil, fmt.Errorf("%q is not expected", key)
		}
		if err != nil {
			return nil, err
		}
	}
}

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
	d.Language, d.License = m.Languages[l], m.Licenses[c]
	if l < len(m.Schemes) {
		d.Scheme = m.Schemes[l]
	}
	return d, nil
}

// Which tells of each document whether choose says so of its language and scheme.
// It is nil if that is so of none.
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

// checked tells whether a bit is set.
func checked(bits []atomic.Uint64, i int) bool { return bits[i>>6].Load()>>(i&63)&1 == 1 }

// checkDoc checks the checksum of a document's record the first time.
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

// Languages lists the languages of the file with the schemes of their tokens, and Made
// says which of them the i-th document has. It reads the mapped file without a guard.
func (r *Reader) Languages() (languages, schemes []string, err error) {
	m, err := r.loadMeta()
	if err != nil {
		return nil, nil, err
	}
	schemes = make([]string, len(m.Languages))
	copy(schemes, m.Schemes)
	return m.Languages, schemes, nil
}

// Made is an index of Languages.
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

// Unit returns the unit of the i-th document.
func (r *Reader) Unit(i int) uint32 { return binary.LittleEndian.Uint32(r.docs[i*docSize+84:]) }

func (r *Reader) base(i int) uint64 { return binary.LittleEndian.Uint64(r.docs[i*docSize+32:]) }

// Locate returns the document that holds a global token position, and the
// token's index in it; false also when the records of the document and of the
// next are damaged, which tell where it begins and ends.
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

// search returns the last document that begins at a position or before; -1 if
// there is none. It guesses by the mean length, as documents come by hash and their
// lengths even out, and then looks around the guess: so it touches two or three pages of
// a table of any size.
func (r *Reader) search(pos uint64) int {
	n := r.Docs()
	if n == 0 {
		return -1
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

const (
	guesses = 5
	near    = 8 // documents: their records lie in one page or two
)

// makeHints divides the positions into stretches, so many that a document has
// about two. Who asks for a position asks for others near by, and the document
// last found there is theirs or next to it.
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

// Stream decodes a document's token stream; lines holds each token's first line.
func (r *Reader) Stream(d Document) (toks []lang.Token, lines []uint32, err error) {
	s, err := r.Blocks(d, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	err = disk.Guard(func() error {
		toks, lines = s.All()
		return nil
	})
	return toks, lines, err
}

// Blocks returns a document's token stream, the blocks of which are decoded when
// they are read: until Close, and within a disk.Guard, which returns what cannot be
// read as blame puts it. See lang.NewBlockStream for grown.
func (r *Reader) Blocks(d Document, grown func(bytes int), blame func(error) error) (*lang.BlockStream, error) {
	head, err := r.tokenHead(d)
	if err != nil {
		return nil, r.damaged("tokens of "+d.Hash.String(), err)
	}
	return lang.NewBlockStream(head.tokens, head.shapes, &blocks{r, d, head, blame}, grown), nil
}

// firstRead is how much of a blob of tokens is read before the length of its head is
// known: enough for most.
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
	return decodeHead(b[:size], int(d.Tokens), uint64(d.tokLen))
}

// blocks reads the blocks of a document's tokens.
type blocks struct {
	r     *Reader
	d     Document
	head  tokenHead
	blame func(error) error
}

// fail leaves for the disk.Guard around the reading.
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
	k, n := b.head.blocks[block], b.head.length(block)
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	columns, err := b.r.blob(b.d.tokOff+k.at+uint64(k.kinds), k.spans, 3*binary.MaxVarintLen64*uint64(n), s, s.out)
	s.out = columns[:0]
	var out []lang.Span
	if err == nil {
		out, err = decodeSpans(columns, n, k, b.d.Size, b.d.Lines)
	}
	if err != nil {
		b.fail(err)
	}
	return out
}

// Text returns a document's text, of a bare one what is left of it. The blob's own checksum
// guards it against damage; Verify compares it with the document's hash.
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

// Names returns the set of names of the i-th document, valid until Close.
func (r *Reader) Names(i int) (n NameSet, err error) {
	err = disk.Guard(func() error {
		n, err = r.names(i)
		return err
	})
	return n, err
}

func (r *Reader) names(i int) (NameSet, error) {
	if err := r.checkDoc(i); err != nil {
		return nil, err
	}
	b := r.docs[i*docSize : (i+1)*docSize]
	off := binary.LittleEndian.Uint64(b[48:]) + uint64(binary.LittleEndian.Uint32(b[60:]))
	n := uint64(binary.LittleEndian.Uint32(b[64:]))
	if off < headerSize || off > r.h.docOff || n > r.h.docOff-off {
		return nil, &CorruptError{r.path, "names of " + r.Hash(i).String(), errTruncated}
	}
	set := r.all[off : off+n]
	if err := r.need(disk.Range{Off: off, Len: n}); err != nil {
		return nil, err
	}
	if checked(r.namesChecked, i) {
		return NameSet(set), nil
	}
	crc := binary.LittleEndian.Uint32(b[docSize-8:])
	if read := r.readNames(i, off, n, crc); read != nil {
		return NameSet(read), nil
	}
	if crc32.Checksum(set, castagnoli) != crc {
		return nil, &CorruptError{r.path, "names of " + r.Hash(i).String(), errChecksum}
	}
	r.namesChecked[i>>6].Or(1 << (i & 63))
	return NameSet(set), nil
}

// readNames reads a set of names past the map, while they are few. It returns nil where
// the map is to be asked, which tells what is wrong with it too.
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

// room is memory for what is thrown away once it is read.
type room struct{ raw, out []byte }

var rooms = sync.Pool{New: func() any { return new(room) }}

// blob reads and decompresses a blob, into dst if there is room in it.
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
	if err == nil {
		_, err = r.Names(i) // checks them, or they would get a new checksum
	}
	if err != nil {
		return nil, err
	}
	return &Entry{Hash: d.Hash, Tokens: d.Tokens, Lines: d.Lines, Size: d.Size, Unit: d.Unit, Language: d.Language, Scheme: d.Scheme, License: d.License, LicenseAt: d.LicenseAt, Bare: d.Bare, TokBlob: tok, TxtBlob: text, Names: names}, nil
}

// Occurrences calls fn for each package that holds the content, in the table's order.
func (r *Reader) Occurrences(h Hash, fn func(Occurrence)) error {
	return disk.Guard(func() error { return r.occurrencesOf(h, fn) })
}

func (r *Reader) occurrencesOf(h Hash, fn func(Occurrence)) error {
	n := r.Occs()
	if err := r.needAround(h); err != nil {
		return err
	}
	var bad error
	i, _ := sort.Find(n, func(i int) int {
		bad = cmp.Or(bad, r.checkOcc(i))
		return bytes.Compare(h[:], r.occs[i*occSize:][:32])
	})
	if bad != nil {
		return bad
	}
	for ; i < n; i++ {
		o, err := r.Occurrence(i)
		if err != nil {
			return err
		}
		if o.Hash != h {
			return nil
		}
		fn(o)
	}
	return nil
}

// needAround fetches the stretch of the table where the occurrences of a content are to
// be expected, as hashes are spread evenly: a search alone would ask for it piece by piece.
func (r *Reader) needAround(h Hash) error {
	if r.parts == nil {
		return nil
	}
	n := r.h.occs
	at, _ := bits.Mul64(binary.BigEndian.Uint64(h[:]), n)
	slack := 2*uint64(math.Sqrt(float64(n))) + 8
	from, to := at-min(at, slack), min(n, at+slack)
	return r.need(disk.Range{Off: r.h.occOff + from*occSize, Len: (to - from) * occSize})
}

// AllOccurrences calls fn for each occurrence in the table's order.
func (r *Reader) AllOccurrences(fn func(Occurrence)) error {
	return disk.Guard(func() error { return r.allOccurrences(fn) })
}

func (r *Reader) allOccurrences(fn func(Occurrence)) error {
	if err := r.BringTables(); err != nil {
		return err
	}
	for i := range r.Occs() {
		o, err := r.Occurrence(i)
		if err != nil {
			return err
		}
		fn(o)
	}
	return nil
}

// Occs returns how many occurrences the file holds.
func (r *Reader) Occs() int { return int(r.h.occs) }

// Occurrence returns the i-th occurrence in the table's order. It reads a mapped file, so
// it is called within a disk.Guard, as the next two.
func (r *Reader) Occurrence(i int) (o Occurrence, err error) {
	if o.Hash, o.Package, err = r.Occurs(i); err != nil {
		return o, err
	}
	path, err := r.Path(i)
	o.Path = string(path)
	return o, err
}

// Occurs returns the content of the i-th occurrence and the package that has it.
func (r *Reader) Occurs(i int) (h Hash, pkg uint32, err error) {
	if err := r.checkOcc(i); err != nil {
		return h, 0, err
	}
	pkgs, err := r.Packages()
	if err != nil {
		return h, 0, err
	}
	b := r.occs[i*occSize:][:occSize]
	if pkg = binary.LittleEndian.Uint32(b[32:]); int(pkg) >= len(pkgs) {
		return h, 0, &CorruptError{r.path, "occurrences", errTruncated}
	}
	return Hash(b[:32]), pkg, nil
}

// Path returns the path of the i-th occurrence, valid until Close.
func (r *Reader) Path(i int) ([]byte, error) {
	if err := r.checkOcc(i); err != nil {
		return nil, err
	}
	b := r.occs[i*occSize:][:occSize]
	off, n := binary.LittleEndian.Uint64(b[36:]), uint64(binary.LittleEndian.Uint32(b[44:]))
	if off > uint64(len(r.strs)) || n > uint64(len(r.strs))-off {
		return nil, &CorruptError{r.path, "occurrences", errTruncated}
	}
	path := r.strs[off : off+n]
	if err := r.need(disk.Range{Off: r.h.strOff + off, Len: n}); err != nil {
		return nil, err
	}
	if crc32.Checksum(path, castagnoli) != binary.LittleEndian.Uint32(b[occSize-8:]) {
		return nil, &CorruptError{r.path, fmt.Sprintf("path of occurrence %d", i), errChecksum}
	}
	return path, nil
}

// Verify reads everything: checksums of the tables, every token stream, every text. Of a
// bare document nothing but checksums tells whether it is what its hash says.
func (r *Reader) Verify() error { return disk.Guard(r.verify) }

func (r *Reader) verify() error {
	if err := r.BringAll(); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		b    []byte
		crc  uint32
	}{{"documents", r.docs, r.h.docCRC}, {"occurrences", r.occs, r.h.occCRC}, {"strings", r.strs, r.h.strCRC}} {
		if crc32.Checksum(s.b, castagnoli) != s.crc {
			return &CorruptError{r.path, s.name, errChecksum}
		}
	}
	if _, err := r.Packages(); err != nil {
		return err
	}
	if err := r.AllOccurrences(func(Occurrence) {}); err != nil {
		return err
	}
	var e Encoder
	base := uint64(0)
	for i := range r.Docs() {
		d, err := r.Doc(i)
		if err != nil {
			return err
		}
		if d.Base != base {
			return &CorruptError{r.path, "documents", fmt.Errorf("document %d starts at token %d, want %d", i, d.Base, base)}
		}
		if i > 0 && bytes.Compare(r.docs[(i-1)*docSize:][:32], d.Hash[:]) >= 0 {
			return &CorruptError{r.path, "documents", fmt.Errorf("document %d is out of order", i)}
		}
		base += uint64(d.Tokens)
		toks, _, err := r.Stream(d)
		if err != nil {
			return err
		}
		text, err := r.Text(d)
		if err != nil {
			return err
		}
		if !d.Bare && Sum(text) != d.Hash {
			return &CorruptError{r.path, "text of " + d.Hash.String(), errChecksum}
		}
		if names, err := r.Names(i); err != nil {
			return err
		} else if !bytes.Equal(names, e.names(text, toks)) {
			return &CorruptError{r.path, "names of " + d.Hash.String(), errChecksum}
		}
	}
	if base != r.h.tokens {
		return &CorruptError{r.path, "documents", fmt.Errorf("%d tokens, want %d", base, r.h.tokens)}
	}
	return nil
}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMeta))
	if err != nil {
		return err
	}
	return d
}}

// maxRatio is what no frame decompresses by: a block of at most 128 KiB takes
// three bytes of header and one of content. It holds claimed sizes to the size
// of what makes the claim.
const maxRatio = 128 << 10 / 4

func decompress(b []byte, limit uint64, dst []byte) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return nil, err
	}
	limit = min(limit, uint64(len(b))*maxRatio)
	if !h.HasFCS || h.FrameContentSize > limit {
		return nil, fmt.Errorf("decompresses to %d bytes, limit %d", h.FrameContentSize, limit)
	}
	d, ok := decoders.Get().(*zstd.Decoder)
	if !ok {
		return nil, errors.New("start decompression")
	}
	defer decoders.Put(d)
	out, err := d.DecodeAll(b, slices.Grow(dst[:0], int(min(h.FrameContentSize, limit))))
	if err == nil && uint64(len(out)) > limit {
		err = fmt.Errorf("decompresses to %d bytes, limit %d", len(out), limit)
	}
	return out, err
}
