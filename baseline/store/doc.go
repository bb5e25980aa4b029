// Package store is the file of a segment that holds what its postings refer
// to: documents (text and token stream, compressed, once per distinct content),
// packages, and which package has which document under which path.
//
// Documents flow in, in the order of their content hash. A document's tokens, its
// text, and its occurrences flow out. The fingerprints lie beside it in a
// file of package segment.
//
// # Format, versions 7 and 8
//
// All integers little endian; sections follow each other in this order.
//
//	header       4096 bytes  magic, counts, section offsets, CRC32C
//	blobs                    per document: tokens (see tokens.go), zstd(text), names
//	documents    104 bytes × documents, ascending by content hash
//	occurrences  56 bytes × occurrences, ascending by content hash, package, path
//	strings                  paths, referred to by offset and length
//	meta                     zstd(JSON): languages, shapes of their tokens, licences, packages
//
// A document's record holds the global position of its first token: postings
// are global token positions, so a document is found by binary search and a
// posting costs about 27 bits at 90 M tokens instead of 32 for a pair.
//
// The names of a document are a set of bits, 12 for each distinct identifier and
// literal longer than two bytes. Four of them are set for each: bit h × bits / 2^32,
// h first model.NameHash, then each time h × 0x9e3779b1. The set tells without
// decompressing which names a document cannot have. The record says how many bits
// a name sets; before version 5 it was one, and the record says nothing. A document
// that is copied from an older file gets a set as this version has it.
//
// The compressed blobs have no checksum of their own beyond zstd's (content checksum on);
// the sections behind them are covered by a CRC32C each, which Verify checks. A scan
// reads little of the tables, so each record ends in the CRC32C of what it says: of a
// document its set of names, then the record so far; of an occurrence its path, then
// the record so far. They are checked when a record is first read.
//
// # Changelog
//
//	v1  first version; since 2026-11 eight bytes of a document's record that were
//	    zero tell where its head states its licence, and packages have their
//	    licence files in the JSON: files without them say nothing of it
//	v2  checksums of records, of names and of paths; before, a flipped bit in a
//	    table lost findings until somebody verified the file; since 2026-11-22 the
//	    JSON names beside each language the scheme of its tokens: files without it
//	    have tokens of unknown schemes
//	v3  tokens in blocks, kinds apart from spans, so that a short stretch of a long
//	    document is proved without decoding all of it
//	v4  some documents are bare (see bare.go), which their records say. A file without
//	    such documents is written as v3
//	v5  a name sets four of 12 bits, no longer one of 8: fewer documents are compared
//	    for names that they do not have
//	v6  v5 with bare documents
//	v7  spans are guessed by the text, and only what is guessed wrong is there; shapes are
//	    numbers in a list of their language: a baseline of 67% of its source has 55%
//	v8  v7 with bare documents. A document that is copied from an older file gets tokens as
//	    this version has them
package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
)

const (
	magic      = "GPDOCS07"
	magicBare  = "GPDOCS08"
	magicOld   = "GPDOCS03" // the oldest that is read
	headerSize = 4096
	docSize    = 104
	occSize    = 56
	maxMeta    = 1 << 30 // decompressed JSON of a segment
	metaRatio  = 256     // above 1 MiB: package lists compress 10 to 50 times
	// MaxText is the largest document the format takes, in bytes.
	MaxText = 1 << 28
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Hash is the SHA-256 of a document's bytes: its identity in every baseline.
type Hash [sha256.Size]byte

// Sum returns the identity of a document with this text.
func Sum(text []byte) Hash { return sha256.Sum256(text) }

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Document is one distinct content, as its record tells it.
type Document struct {
	Hash     Hash
	Base     uint64 // global position of its first token within the segment
	Tokens   uint32
	Lines    uint32
	Size     uint32 // bytes of text
	Unit     uint32 // hash of the package and directory it was first read from
	Language string
	Scheme   string // of its tokens, as lang.SchemeOf named it when they were made
	License  string // SPDX expression found in its own head; "" if none
	LicenseAt
	Bare bool // its text is not here but for what bare.go says

	tokOff, textOff uint64
	tokLen, textLen uint32
	nameLen         uint32
	language        int // its number in the file
}

// LicenseAt is where the head of a document states its licence.
type LicenseAt struct {
	LicenseLine uint32 // 0 when it is not known
	LicenseTag  bool   // it is an SPDX-License-Identifier
}

// Occurrence says that a package holds a document under a path. The document
// may lie in another segment.
type Occurrence struct {
	Hash    Hash
	Package uint32 // index into Packages
	Path    string
}

// Package is one version of something that was read into the baseline.
type Package struct {
	PURL     string    `json:"purl"`
	License  string    `json:"license,omitempty"` // SPDX expression
	Released time.Time `json:"released,omitzero"` // UTC
	Packed   time.Time `json:"packed,omitzero"`   // day of the latest file in its archive, if that is long before Released
	From     string    `json:"from,omitempty"`    // where it was read from

	Repository string         `json:"repository,omitempty"` // https address of the repository that its manifest names
	Digest     string         `json:"digest"`               // SHA-256 over its sorted paths and content hashes
	Files      int            `json:"files"`                // documents it holds, under any path
	Skipped    map[string]int `json:"skipped,omitempty"`    // files left out, by reason
	Partial    int            `json:"partial,omitempty"`    // documents indexed as words because their parse was given up
	Licenses   []string       `json:"licenses,omitempty"`   // licence files read at its root

	Asked      bool                `json:"asked,omitempty"`      // License is what the user gave
	Statements []license.Statement `json:"statements,omitempty"` // what it says of licences, anywhere in it, by path
}

type meta struct {
	Languages []string  `json:"languages"`
	Schemes   []string  `json:"schemes,omitempty"` // of each language, which can be there several times
	Shapes    [][]byte  `json:"shapes,omitempty"`  // of each language: shapes of its tokens, see tokens.go
	Licenses  []string  `json:"licenses"`
	Packages  []Package `json:"packages"`

	shapes [][]lang.Shape // what Shapes says
}

// CorruptError says which part of a document file cannot be trusted.
type CorruptError struct {
	Path, Section string
	Err           error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("read %q: corrupt %s: %v", e.Path, e.Section, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// VersionError says that a file is no document file of a version we read.
type VersionError struct{ Path, Magic string }

// Newer tells whether it is one of a later version.
func (e *VersionError) Newer() bool {
	return len(e.Magic) == len(magic) && strings.HasPrefix(e.Magic, magic[:6]) && e.Magic > magicBare
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("open %q: no document file of this version (magic %q, want %q)", e.Path, e.Magic, magic)
}

// header is the fixed start of the file.
type header struct {
	docs, occs, tokens                     uint64
	docOff, occOff, strOff, metaOff, end   uint64
	docCRC, occCRC, strCRC, metaCRC, flags uint32

	bare    bool // some documents are
	columns bool // spans of tokens are columns, as before version 7
}

func (h *header) fields() ([]*uint64, []*uint32) {
	return []*uint64{&h.docs, &h.occs, &h.tokens, &h.docOff, &h.occOff, &h.strOff, &h.metaOff, &h.end},
		[]*uint32{&h.docCRC, &h.occCRC, &h.strCRC, &h.metaCRC, &h.flags}
}

func (h *header) magic() string {
	if h.bare {
		return magicBare
	}
	return magic
}

func (h *header) marshal() []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, h.magic()...)
	u64, u32 := h.fields()
	for _, p := range u64 {
		b = binary.LittleEndian.AppendUint64(b, *p)
	}
	for _, p := range u32 {
		b = binary.LittleEndian.AppendUint32(b, *p)
	}
	b = b[:headerSize]
	binary.LittleEndian.PutUint32(b[headerSize-4:], crc32.Checksum(b[:headerSize-4], castagnoli))
	return b
}

func (h *header) unmarshal(path string, b []byte) error {
	is := string(b[:min(8, len(b))])
	if len(b) < headerSize || is < magicOld || is > magicBare {
		return &VersionError{path, is}
	}
	h.bare, h.columns = is[7]%2 == 0, is < magic
	if crc32.Checksum(b[:headerSize-4], castagnoli) != binary.LittleEndian.Uint32(b[headerSize-4:]) {
		return &CorruptError{path, "header", errChecksum}
	}
	p := b[8:]
	u64, u32 := h.fields()
	for _, v := range u64 {
		*v, p = binary.LittleEndian.Uint64(p), p[8:]
	}
	for _, v := range u32 {
		*v, p = binary.LittleEndian.Uint32(p), p[4:]
	}
	return nil
}
