package store

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/klauspost/compress/zstd"
)

// Entry is a document ready to be written, with compressed blobs. The workers that make the tokens also compress them.
type Entry struct {
	Hash          Hash
	Tokens, Lines uint32
	Size, Unit    uint32
	Language      string
	Scheme        string
	License       string
	LicenseAt
	Bare             bool
	Converted        bool
	TokBlob, TxtBlob []byte
	Names            NameSet
}

// Encoder compresses the blobs of entries. Not safe for concurrent use.
type Encoder struct {
	z      *zstd.Encoder
	buf    []byte
	hashes []uint32

	ids        []uint32 // of the current tokens; head and body too
	head, body []byte
	text       []byte // compressed
}

// NewEncoder returns an encoder at zstd's fastest level. On source code its output is within a tenth of the default
// level's size, at twice the speed.
func NewEncoder() (*Encoder, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true)) // a single segment always states its size
	if err != nil {
		return nil, fmt.Errorf("start compression: %w", err)
	}
	return &Encoder{z: z}, nil
}

// Content is a text as it was read: the parts that a document is made of.
type Content struct {
	Hash              Hash   // of the file
	Language, License string // License is stated in its head
	Text              []byte
	Tokens            []lang.Token
	Lines             lang.LineIndex
}

// Entry makes the entry of one document.
func (e *Encoder) Entry(c Content) Entry {
	e.text = e.z.EncodeAll(c.Text, e.text[:0])
	return Entry{
		Hash: c.Hash, Language: c.Language, Scheme: lang.SchemeOf(c.Language), License: c.License,
		Tokens: uint32(len(c.Tokens)), Size: uint32(len(c.Text)), Lines: lineCount(c.Text),
		TokBlob: e.tokens(c.Text, c.Tokens, c.Lines), TxtBlob: bytes.Clone(e.text), // clipped to its length: thousands wait to be written
		Converted: Sum(c.Text) != c.Hash,
		Names:     e.names(c.Text, c.Tokens),
	}
}

func lineCount(text []byte) uint32 {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return uint32(n)
}

// Writer writes one document file. The first error sticks. No file has the final name before Close succeeds.
type Writer struct {
	path, tmp string
	f         *disk.File
	w         *bufio.Writer
	err       error
	h         header
	off       uint64
	last      Hash
	docs      []byte
	langs     names
	licenses  names
	shapes    []shapeList // by language
	tok       []byte      // head of the current document's tokens
}

// shapeList numbers the shapes of a language's tokens in the order of their first use.
type shapeList struct {
	bytes []byte
	index map[lang.Shape]int
}

// mostListed bounds the shapes in a language's list, so that their numbers fit in two bytes.
const mostListed = 1<<14 - shapesListed

func (l *shapeList) number(s lang.Shape) (int, bool) {
	n, ok := l.index[s]
	if !ok && len(l.index) < mostListed {
		if l.index == nil {
			l.index = make(map[lang.Shape]int)
		}
		n, ok = len(l.index), true
		l.index[s], l.bytes = n, appendShape(l.bytes, s)
	}
	return n, ok
}

// names numbers strings in the order of their first use.
type names struct {
	list  []string
	index map[string]uint16
}

func (n *names) id(s string) uint16 {
	if id, ok := n.index[s]; ok {
		return id
	}
	if n.index == nil {
		n.index = make(map[string]uint16)
	}
	if len(n.list) == 1<<16-1 {
		return n.index[n.list[0]] // unreachable with real licences; keeps the number within 16 bits
	}
	id := uint16(len(n.list))
	n.list, n.index[s] = append(n.list, s), id
	return id
}

// Create starts a document file.
func Create(path string) (*Writer, error) {
	tmp := path + ".tmp"
	f, err := disk.Create(tmp, os.O_TRUNC, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create document file: %w", err)
	}
	w := &Writer{path: path, tmp: tmp, f: f, w: bufio.NewWriterSize(f, 256<<10)}
	w.licenses.id("") // a licence field of 0 means none
	w.write(make([]byte, headerSize))
	return w, nil
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
	w.off += uint64(len(b))
}

// Base returns the global position of the next document's first token.
func (w *Writer) Base() uint64 { return w.h.tokens }

// Add appends a document; hashes must ascend.
func (w *Writer) Add(e *Entry) {
	if w.err == nil && w.h.docs > 0 && bytes.Compare(e.Hash[:], w.last[:]) <= 0 {
		w.err = fmt.Errorf("add document %s: out of order", e.Hash)
	}
	w.last = e.Hash
	language := w.langs.id(e.Language + " " + e.Scheme)
	head, body := w.head(e, int(language))
	b := append(w.docs, e.Hash[:]...)
	b = binary.LittleEndian.AppendUint64(b, w.h.tokens)
	b = binary.LittleEndian.AppendUint64(b, w.off)
	tokens := len(head) + len(body)
	b = binary.LittleEndian.AppendUint64(b, w.off+uint64(tokens))
	for _, v := range []uint32{uint32(tokens), uint32(len(e.TxtBlob)), uint32(len(e.Names.Bits)), e.Tokens, e.Lines, e.Size} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint16(b, language)
	b = binary.LittleEndian.AppendUint16(b, w.licenses.id(e.License))
	b = binary.LittleEndian.AppendUint32(b, e.Unit)
	b = binary.LittleEndian.AppendUint32(b, e.LicenseLine)
	b = append(b, bit(e.LicenseTag), bit(e.Bare), byte(e.Names.Probes), bit(e.Converted))
	w.h.bare = w.h.bare || e.Bare
	w.docs = sealed(b, docSize, e.Names.Bits)
	w.write(head)
	w.write(body)
	w.write(e.TxtBlob)
	w.write(e.Names.Bits)
	w.h.docs++
	w.h.tokens += uint64(e.Tokens)
}

// head returns the head of a document's tokens, with shape numbers of this file, and the rest of the blob.
func (w *Writer) head(e *Entry, language int) (head, body []byte) {
	for len(w.shapes) <= language {
		w.shapes = append(w.shapes, shapeList{})
	}
	size, err := headSize(e.TokBlob)
	var h tokenHead
	if err == nil {
		h, err = decodeHead(e.TokBlob[:size], int(e.Tokens), uint64(len(e.TokBlob)), nil)
	}
	if err != nil {
		if w.err == nil {
			w.err = fmt.Errorf("add document %s: %w", e.Hash, err)
		}
		return nil, nil
	}
	w.tok = appendHead(w.tok[:0], &h, w.shapes[language].number)
	return w.tok, e.TokBlob[size:]
}

func bit(set bool) byte {
	if set {
		return 1
	}
	return 0
}

// sealed completes the record at the end of a table: it appends the checksum of the data that the record refers to, and
// its own.
func sealed[T []byte | string](table []byte, size int, refers T) []byte {
	rest := len(table) % size
	if rest > size-8 {
		panic("record too long")
	}
	table = append(table, make([]byte, size-8-rest)...)
	table = binary.LittleEndian.AppendUint32(table, crc32.Checksum([]byte(refers), castagnoli))
	record := table[len(table)-(size-4):]
	return binary.LittleEndian.AppendUint32(table, crc32.Checksum(record, castagnoli))
}

// Close writes the tables, syncs and gives the file its name.
func (w *Writer) Close(packages []Package, occs []Occurrence) (err error) {
	defer func() {
		if err != nil {
			w.Abort()
			err = fmt.Errorf("write document file %q: %w", w.path, err)
		}
	}()
	w.section(&w.h.docOff, &w.h.docCRC, w.docs)
	occTable, paths := encodeOccurrences(occs)
	w.h.occs = uint64(len(occs))
	w.section(&w.h.occOff, &w.h.occCRC, occTable)
	w.section(&w.h.strOff, &w.h.strCRC, paths)
	m, err := encodeMeta(w.meta(packages))
	if err != nil {
		return err
	}
	w.section(&w.h.metaOff, &w.h.metaCRC, m)
	w.h.end = w.off
	if w.err != nil {
		return w.err
	}
	if err := w.w.Flush(); err != nil {
		return err
	}
	if _, err := w.f.WriteAt(w.h.marshal(), 0); err != nil {
		return err
	}
	return w.publish()
}

func (w *Writer) section(off *uint64, crc *uint32, b []byte) {
	*off, *crc = w.off, crc32.Checksum(b, castagnoli)
	w.write(b)
}

func (w *Writer) publish() error {
	if err := w.f.Sync(); err != nil {
		return err
	}
	if err := w.f.Close(); err != nil {
		return err
	}
	if err := disk.Rename(w.tmp, w.path); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(w.path))
}

// Abort removes the file. It is harmless after Close.
func (w *Writer) Abort() {
	w.f.Close()
	disk.Remove(w.tmp)
}

func (w *Writer) meta(packages []Package) meta {
	m := meta{Licenses: w.licenses.list, Packages: packages}
	for _, l := range w.langs.list {
		language, scheme, _ := strings.Cut(l, " ")
		m.Languages, m.Schemes = append(m.Languages, language), append(m.Schemes, scheme)
	}
	for _, l := range w.shapes {
		m.Shapes = append(m.Shapes, l.bytes)
	}
	return m
}

func encodeMeta(m meta) ([]byte, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	z, err := metaEncoder()
	if err != nil {
		return nil, err
	}
	return z.EncodeAll(b, nil), nil
}

// metaEncoder is shared: an encoder takes megabytes, and longer to make than a small file takes to write.
var metaEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
})

// CompareOccurrences compares occurrences in the order of their table.
func CompareOccurrences(a, b Occurrence) int {
	return cmp.Or(bytes.Compare(a.Hash[:], b.Hash[:]), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Path, b.Path))
}

func encodeOccurrences(occs []Occurrence) (table, paths []byte) {
	slices.SortFunc(occs, CompareOccurrences)
	seen := make(map[string]uint64) // versions share their paths
	table = make([]byte, 0, len(occs)*occSize)
	for _, o := range occs {
		off, ok := seen[o.Path]
		if !ok {
			off = uint64(len(paths))
			seen[o.Path] = off
			paths = append(paths, o.Path...)
		}
		table = append(table, o.Hash[:]...)
		table = binary.LittleEndian.AppendUint32(table, o.Package)
		table = binary.LittleEndian.AppendUint64(table, off)
		table = binary.LittleEndian.AppendUint32(table, uint32(len(o.Path)))
		table = sealed(table, occSize, o.Path)
	}
	return table, paths
}
