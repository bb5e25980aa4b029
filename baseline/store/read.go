package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// file is the source of the blobs.
type file interface {
	io.ReaderAt
	io.Closer
}

// Reader reads one document file. Safe for concurrent use. Hash, Unit, Locate and the sets from Names read the mapped
// file without a guard, since they are called very often. Their callers need a guard.
type Reader struct {
	path  string
	f     file
	parts disk.Parts // source of the file; nil if it is on this machine
	h     header
	size  uint64
	head  [sha256.Size]byte
	all   []byte // the file, mapped: tables and sets of names; the other blobs are read from f
	docs  []byte
	occs  []byte
	strs  []byte

	scattered *disk.Scattered // the first sets of names read, by document

	// for documents, their names and occurrences: a bit for each whose checksum was checked
	docsChecked, namesChecked, occsChecked []atomic.Uint64

	hints     []atomic.Uint32 // per stretch of positions: 1 + the document last found there; 0 if there was none yet
	hintShift uint
	searches  atomic.Uint32
	begins    atomic.Pointer[[]uint64] // see sampled

	metaOnce sync.Once
	meta     meta
	metaErr  error
	packages packageList
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

// OpenParts opens a file whose parts are fetched on demand. It fetches the table of documents and the package list at
// once. The reader closes f.
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

// need fetches a range of the file if it is missing. It takes a single range, since a list would be allocated even for
// a local file.
func (r *Reader) need(s disk.Range) error {
	if r.parts == nil {
		return nil
	}
	return r.parts.Need(s)
}

// FetchAll fetches the whole file before all of it is read. It does nothing for a local file, as FetchTables, FetchNames and
// FetchDocs.
func (r *Reader) FetchAll() error { return r.need(disk.Range{Len: r.h.end}) }

// GiveBack gives back the memory of what was read, for callers that go through all documents.
func (r *Reader) GiveBack() { disk.GiveBack(r.all) }

// FetchTables fetches all tables: everything except the blobs.
func (r *Reader) FetchTables() error {
	return r.need(disk.Range{Off: r.h.docOff, Len: r.h.end - r.h.docOff})
}

// whole is the number of bytes up to which a document's tokens are fetched in one piece.
const whole = 64 << 10

// FetchNames fetches the names of documents in one round.
func (r *Reader) FetchNames(ids []int) error {
	return r.fetch(ids, func(d Document) []disk.Range { return []disk.Range{namesOf(d)} })
}

// FetchDocs fetches the names and the tokens of documents in one round, of long documents the first part of the tokens.
func (r *Reader) FetchDocs(ids []int) error {
	return r.fetch(ids, func(d Document) []disk.Range {
		return []disk.Range{namesOf(d), {Off: d.tokOff, Len: uint64(min(d.tokLen, whole))}}
	})
}

// namesOf is where the names of a document are.
func namesOf(d Document) disk.Range {
	return disk.Range{Off: d.textOff + uint64(d.textLen), Len: uint64(d.nameLen)}
}

// fetch fetches parts of documents in one round.
func (r *Reader) fetch(ids []int, parts func(d Document) []disk.Range) error {
	if r.parts == nil {
		return nil
	}
	var rs []disk.Range
	for _, i := range ids {
		d, err := r.Doc(i)
		if err != nil {
			return err
		}
		rs = append(rs, parts(d)...)
	}
	return r.parts.Need(rs...)
}

// readHeader reads and checks the fixed start of the file.
func (r *Reader) readHeader() error {
	head := make([]byte, headerSize)
	if n, err := r.f.ReadAt(head, 0); err == io.EOF && r.size >= headerSize {
		return fmt.Errorf("open document file: %w", disk.Cut(r.path, int64(r.size)))
	} else if is := string(head[:min(n, 8)]); err == io.EOF && known(is) {
		return &CorruptError{r.path, "header", errors.New("the file ends within it")}
	} else if err == io.EOF {
		return &VersionError{r.path, is}
	} else if err != nil {
		return fmt.Errorf("open document file: %w", err)
	}
	if err := r.h.unmarshal(r.path, head); err != nil {
		return err
	}
	r.head = sha256.Sum256(head)
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
		return nil // it is closed already
	}
	var err error
	if r.parts == nil {
		err = disk.Unmap(r.all)
	}
	r.f.Close() // it was only read: nothing is lost if that fails
	r.all, r.docs, r.occs, r.strs = nil, nil, nil, nil
	return err
}

// Head identifies the file: it is the SHA-256 of the header, which has the checksums of all tables.
func (r *Reader) Head() [sha256.Size]byte { return r.head }

// Docs returns the number of documents in the file.
func (r *Reader) Docs() int { return int(r.h.docs) }

// Bare returns the number of bare documents. It reads no records if the header says that there are none.
func (r *Reader) Bare() (n int, err error) {
	err = disk.Guard(func() error {
		for i := 0; r.h.bare && i < r.Docs(); i++ {
			n += int(r.docs[i*docSize+93])
		}
		return nil
	})
	return n, err
}

// Tokens returns the number of tokens of all documents.
func (r *Reader) Tokens() uint64 { return r.h.tokens }

// Size returns the size of the file in bytes.
func (r *Reader) Size() uint64 { return r.size }

// damaged reports a section as corrupt. It does not do so if the system could not read the file, or if the file was cut
// after it was opened.
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
			r.packages.text, r.metaErr = r.meta.unmarshal(b)
		}
		if r.metaErr != nil {
			r.metaErr = &CorruptError{r.path, "meta", r.metaErr}
		}
	})
	return &r.meta, r.metaErr
}

// unmarshal reads the languages and licences that records refer to. It returns the package list, which comes last,
// undecoded: decoding that of a billion postings takes longer than 10,000 look-ups.
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
		case "shapes":
			if err = d.Decode(&m.Shapes); err == nil {
				err = m.readShapes()
			}
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

func (m *meta) readShapes() (err error) {
	m.shapes = make([][]lang.Shape, len(m.Shapes))
	for i, list := range m.Shapes {
		if m.shapes[i], err = decodeShapes(list); err != nil {
			return err
		}
	}
	return nil
}
