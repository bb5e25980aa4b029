package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/segment"
)

// batchBytes is the approximate size of one element.
const batchBytes = 100 << 10

// part is a file of the build. The next step reads only files that were passed on. If a step was repeated, the file of
// the other attempt stays unread until all are removed.
type part struct {
	Kind   string // surveys, documents, lists and others
	Shard  int
	Keys   uint64 // number of lists
	Name   string
	Tokens uint64 // number of tokens in documents
}

// write writes a file of the build under a unique name.
func write(ctx context.Context, dir string, p part, fill func(io.Writer) error) (part, error) {
	p.Name = fmt.Sprintf("%s/%s-%05d-%s", strings.TrimSuffix(dir, "/"), p.Kind, p.Shard, rand.Text())
	fs, err := filesystem.New(ctx, p.Name)
	if err != nil {
		return p, err
	}
	defer fs.Close()
	f, err := fs.OpenWrite(ctx, p.Name)
	if err != nil {
		return p, fmt.Errorf("write part: %w", err)
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = fill(w); err == nil {
		err = w.Flush()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return p, fmt.Errorf("write part %q: %w", p.Name, err)
	}
	return p, nil
}

// stored is an open file of the build.
type stored struct {
	name string
	fs   filesystem.Interface
	f    io.ReadCloser
	r    *bufio.Reader
}

func open(ctx context.Context, name string) (*stored, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := fs.OpenRead(ctx, name)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read part: %w", err), fs.Close())
	}
	return &stored{name, fs, f, bufio.NewReaderSize(f, 64<<10)}, nil
}

func (s *stored) Close() error { return errors.Join(s.f.Close(), s.fs.Close()) }

// itemsOf reads files one after another, item by item. in returns a function that reads the items of one file; io.EOF
// ends it.
func itemsOf[T any](ctx context.Context, parts []part, in func(*bufio.Reader) func() (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, p := range parts {
			f, err := open(ctx, p.Name)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			more := allOf(f.name, in(f.r), yield)
			f.Close() // it was only read
			if !more {
				return
			}
		}
	}
}

// allOf yields the items of a file. It returns false if the reading must stop.
func allOf[T any](name string, next func() (T, error), yield func(T, error) bool) bool {
	for {
		item, err := next()
		switch {
		case err == io.EOF:
			return true
		case err != nil:
			yield(item, fmt.Errorf("read part %q: %w", name, err))
			return false
		case !yield(item, nil):
			return false
		}
	}
}

// load reads a file with a single value.
func load(ctx context.Context, name string, v any) error {
	s, err := open(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close() // it was only read
	if err := gob.NewDecoder(s.r).Decode(v); err != nil {
		return fmt.Errorf("read part %q: %w", name, err)
	}
	return nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }

var errCut = errors.New("it ends too soon")

// made is a piece on its way to the other pieces of its shard, without its blobs. Each fingerprint is stored as the top
// 48 bits of its hash, of which 44 are used, and its distance from the one before.
type made struct {
	baseline.Piece
	Prints []byte
}

const printShift = 16

func pack(p baseline.Piece) made {
	m, last := made{Piece: p}, int64(0)
	m.Fingerprints = nil
	if p.Entry != nil {
		bare := *p.Entry
		bare.TokBlob, bare.TxtBlob, bare.Names.Bits = nil, nil, nil
		m.Entry = &bare
	}
	m.Prints = make([]byte, 0, 8*len(p.Fingerprints))
	for _, f := range p.Fingerprints {
		m.Prints = binary.AppendVarint(appendPrint(m.Prints, f.Hash), int64(f.Pos)-last)
		last = int64(f.Pos)
	}
	return m
}

func (m made) unpack() (baseline.Piece, error) {
	p, last := m.Piece, int64(0)
	p.Fingerprints = make([]fingerprint.Fingerprint, 0, len(m.Prints)/7)
	for b := m.Prints; len(b) > 0; {
		if len(b) < 7 {
			return p, errCut
		}
		step, n := binary.Varint(b[6:])
		if n <= 0 {
			return p, errCut
		}
		last += step
		p.Fingerprints = append(p.Fingerprints, fingerprint.Fingerprint{Hash: printOf(b), Pos: uint32(last)})
		b = b[6+n:]
	}
	return p, nil
}

func appendPrint(b []byte, hash uint64) []byte {
	top := hash >> printShift
	return append(b, byte(top), byte(top>>8), byte(top>>16), byte(top>>24), byte(top>>32), byte(top>>40))
}

func printOf(b []byte) uint64 {
	return (uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32) << printShift
}

// size returns the approximate number of bytes of a piece.
func (m *made) size() int { return len(m.Path) + len(m.PURL) + len(m.Prints) + 150 }

// appendPosting appends a posting to a batch. A batch has the postings of one shard of documents: the number of the
// shard, then for each its fingerprint and its position within the shard.
func appendPosting(b []byte, p segment.Placed) []byte {
	return binary.AppendUvarint(appendPrint(b, p.Fingerprint), p.Position)
}

// postings appends the postings of a batch; first has the position at which each shard begins.
func postings(dst []segment.Placed, b []byte, first []uint64) ([]segment.Placed, error) {
	if len(b) < 4 || int(binary.LittleEndian.Uint32(b)) >= len(first) {
		return nil, errCut
	}
	base := first[binary.LittleEndian.Uint32(b)]
	for b = b[4:]; len(b) > 0; {
		if len(b) < 7 {
			return nil, errCut
		}
		pos, n := binary.Uvarint(b[6:])
		if n <= 0 {
			return nil, errCut
		}
		dst = append(dst, segment.Placed{Fingerprint: printOf(b), Position: base + pos})
		b = b[6+n:]
	}
	return dst, nil
}

// appendList appends a list; before is the fingerprint of the list before.
func appendList(b []byte, before uint64, l segment.List) []byte {
	b = binary.AppendUvarint(b, (l.Fingerprint-before)>>printShift)
	b = binary.AppendUvarint(b, l.Count)
	b = binary.AppendUvarint(b, uint64(len(l.Positions)))
	last := uint64(0)
	for _, p := range l.Positions {
		b = binary.AppendUvarint(b, p-last)
		last = p
	}
	return b
}

// listsIn returns a function that reads the next list of a file. The list is valid until the next call.
func listsIn(r *bufio.Reader) func() (segment.List, error) {
	var l segment.List
	return func() (segment.List, error) {
		err := readStored(r, &l)
		return l, err
	}
}

// readStored reads a list written by appendList. It returns io.EOF at the end.
func readStored(r *bufio.Reader, l *segment.List) error {
	step, err := binary.ReadUvarint(r)
	if err != nil {
		return err
	}
	l.Fingerprint += step << printShift
	var n uint64
	for _, to := range []*uint64{&l.Count, &n} {
		if *to, err = binary.ReadUvarint(r); err != nil {
			return errCut
		}
	}
	if n > baseline.MaxPostings {
		return fmt.Errorf("a list of %d postings", n)
	}
	l.Positions = l.Positions[:0]
	for last := uint64(0); n > 0; n-- {
		d, err := binary.ReadUvarint(r)
		if err != nil {
			return errCut
		}
		last += d
		l.Positions = append(l.Positions, last)
	}
	return nil
}
