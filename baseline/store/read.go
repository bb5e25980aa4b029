package store

import (
	"bytes"
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

// GiveBack gives the memory of what was read back, for those who go through all documents.
func (r *Reader) GiveBack() { disk.GiveBack(r.all) }

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
			r.packages.text, r.metaErr = r.meta.unmarshal(b)
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
