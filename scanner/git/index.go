package git

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/binary"
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// maxIndex bounds the index file: a hundred bytes an entry makes a million files 100 MB.
const maxIndex = 1 << 30

// indexEntry is an entry of the index.
type indexEntry struct {
	path         string
	mode         uint32
	blob         Hash
	stage        uint8 // not zero: one side of a conflict
	intentToAdd  bool
	skipWorkTree bool
}

// Sizes and flags of the index format, versions 2 to 4.
const (
	indexHeader   = 12
	indexFixed    = 62 // up to and including the flags of an entry
	indexTrailer  = 20 // checksum; zero when index.skipHash is set
	flagExtended  = 0x4000
	flagNameMask  = 0x0fff
	extIntent     = 0x2000
	extSkipWork   = 0x4000
	entryModeAt   = 24
	entryHashAt   = 40
	entryFlagsAt  = 60
	extensionHead = 8
)

// maxNameGrowth bounds the names of a version 4 index, as a multiple of the file's size: an entry of 63 bytes can repeat a
// long name. Real indexes stay below a factor of two.
const maxNameGrowth = 16

// parseIndex decodes an index. It fails with *UnsupportedError for split and sparse indexes. Entries come in index order:
// by path, then stage.
func parseIndex(name string, b []byte) ([]indexEntry, error) {
	p := indexParser{name: name, whole: b}
	if len(b) < indexHeader+indexTrailer || string(b[:4]) != "DIRC" {
		return nil, p.corrupt(0, "no index header")
	}
	p.version = binary.BigEndian.Uint32(b[4:])
	if p.version < 2 || p.version > 4 {
		return nil, &UnsupportedError{What: fmt.Sprintf("version %d of the index", p.version),
			Remedy: "install git, or run `git update-index --index-version 4`"}
	}
	count := int64(binary.BigEndian.Uint32(b[8:]))
	p.end = len(b) - indexTrailer
	p.at = indexHeader
	if count > int64(p.end-p.at)/indexFixed {
		return nil, p.corrupt(8, "more entries than fit")
	}
	entries := make([]indexEntry, 0, count)
	previous := ""
	for range count {
		e, err := p.entry(previous)
		if err != nil {
			return nil, err
		}
		if e.path < previous || e.path == "" {
			p.odd = cmp.Or(p.odd, p.at)
		}
		entries, previous = append(entries, e), e.path
	}
	if err := p.extensions(); err != nil {
		return nil, err
	}
	if p.odd != 0 {
		return nil, p.corrupt(p.odd, "entries without name or out of order")
	}
	return entries, nil
}

// soundIndex compares an index with its checksum, if it has one.
func soundIndex(b []byte) bool {
	if len(b) < indexTrailer {
		return true // parseIndex reports the error in detail
	}
	sum := Hash(b[len(b)-indexTrailer:])
	return sum.IsZero() || sum == sha1.Sum(b[:len(b)-indexTrailer])
}

type indexParser struct {
	name    string
	whole   []byte
	version uint32
	at, end int
	names   int64
	odd     int // offset after the first entry without a name or out of order; split indexes have such entries
}

func (p *indexParser) corrupt(at int, detail string) error {
	return &CorruptError{What: fmt.Sprintf("index %q", p.name), Offset: int64(at), Detail: detail}
}

func (p *indexParser) entry(previous string) (indexEntry, error) {
	start := p.at
	if p.end-start < indexFixed {
		return indexEntry{}, p.corrupt(start, "truncated entry")
	}
	b := p.whole[start:p.end]
	e := indexEntry{mode: canonicalMode(binary.BigEndian.Uint32(b[entryModeAt:])), blob: Hash(b[entryHashAt:entryFlagsAt])}
	flags := binary.BigEndian.Uint16(b[entryFlagsAt:])
	e.stage = uint8(flags >> 12 & 3)
	p.at += indexFixed
	if flags&flagExtended != 0 {
		if p.version == 2 || len(b) < indexFixed+2 {
			return indexEntry{}, p.corrupt(start, "extended flags")
		}
		ext := binary.BigEndian.Uint16(b[indexFixed:])
		e.intentToAdd, e.skipWorkTree = ext&extIntent != 0, ext&extSkipWork != 0
		p.at += 2
	}
	if e.mode == ModeTree {
		return indexEntry{}, sparseIndex()
	}
	var err error
	if p.version == 4 {
		e.path, err = p.compressedName(previous)
	} else {
		e.path, err = p.paddedName(start)
	}
	return e, err
}

// paddedName reads a NUL-terminated name. One to eight NULs pad the entry to a multiple of eight bytes.
func (p *indexParser) paddedName(start int) (string, error) {
	n := bytes.IndexByte(p.whole[p.at:p.end], 0)
	if n < 0 {
		return "", p.corrupt(p.at, "name of an entry")
	}
	name := string(p.whole[p.at : p.at+n])
	p.at += n
	p.at += 8 - (p.at-start)%8
	if p.at > p.end {
		return "", p.corrupt(start, "truncated entry")
	}
	return name, nil
}

// compressedName reads how many bytes to drop from the end of the previous name, and the bytes to append.
func (p *indexParser) compressedName(previous string) (string, error) {
	drop, used := object.BackOffset(p.whole[p.at:p.end])
	if used == 0 || drop > int64(len(previous)) {
		return "", p.corrupt(p.at, "prefix of a name")
	}
	p.at += used
	n := bytes.IndexByte(p.whole[p.at:p.end], 0)
	if n < 0 {
		return "", p.corrupt(p.at, "name of an entry")
	}
	keep := len(previous) - int(drop)
	if p.names += int64(keep + n); p.names > maxNameGrowth*int64(len(p.whole)) {
		return "", p.corrupt(p.at, "names swell")
	}
	name := previous[:keep] + string(p.whole[p.at:p.at+n])
	p.at += n + 1
	return name, nil
}

// extensions refuses extensions without which the entries are not the whole index. Extensions with a capital first letter
// may be ignored.
func (p *indexParser) extensions() error {
	for p.end-p.at >= extensionHead {
		kind := string(p.whole[p.at : p.at+4])
		size := int64(binary.BigEndian.Uint32(p.whole[p.at+4:]))
		switch {
		case kind == "link":
			return &UnsupportedError{What: "a split index", Remedy: "install git, or run `git update-index --no-split-index`"}
		case kind == "sdir":
			return sparseIndex()
		case kind[0] < 'A' || kind[0] > 'Z':
			return &UnsupportedError{What: fmt.Sprintf("the index extension %q", kind),
				Remedy: "install git, or rebuild the index with `git read-tree HEAD`"}
		case size > int64(p.end-p.at-extensionHead):
			return p.corrupt(p.at, "truncated extension")
		}
		p.at += extensionHead + int(size)
	}
	return nil
}

func sparseIndex() error {
	return &UnsupportedError{What: "a sparse index", Remedy: "install git, or run `git sparse-checkout reapply --no-sparse-index`"}
}
