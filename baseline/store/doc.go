// Package store is the file of a segment with the targets of its postings: documents (text and token stream,
// compressed, once per distinct content), packages, and which package has which document under which path.
//
// Documents are added in the order of their content hash. A document's tokens, its text and its occurrences can be
// read. The fingerprints are in a file of package segment beside it.
//
//	doc.go          the records; write.go: the writer; merge.go: a document as it is copied to another file
//	read.go         the reader: documents.go, occurrences.go, packages.go read one table each; locate.go finds a document by a position
//	tokens.go       the tokens of a document, written; stream.go: read; their parts: tokenhead.go, spans.go
//	names.go        the set of names of a document
//	bare.go         documents without their text
//	verify.go       Verify
//
// # Format, versions 7 and 8
//
// All integers little endian; sections follow each other in this order.
//
//	header       4096 bytes  magic, counts, section offsets, CRC32C
//	blobs                    per document: tokens (see tokenhead.go), zstd(text), names
//	documents    104 bytes × documents, ascending by content hash
//	occurrences  56 bytes × occurrences, ascending by content hash, package, path
//	strings                  paths, referred to by offset and length
//	meta                     zstd(JSON): languages, shapes of their tokens, licences, packages
//
// A document's record has the global position of its first token. Postings are global token positions, so a binary
// search finds the document. A posting costs about 27 bits at 90 M tokens, instead of 32 for a pair.
//
// The names of a document are a set of bits, 12 for each distinct identifier and literal longer than two bytes. Each
// name sets four bits: bit h × bits / 2^32, where h is first model.NameHash, then each time h × 0x9e3779b1. The set
// shows without decompressing which names a document cannot have. The record says how many bits a name sets; before
// version 5 it was one, and the record did not say so. A document copied from an older file gets a new set.
//
// The compressed blobs have no checksum except zstd's (content checksum on). Each section after them has a CRC32C,
// which Verify checks. A scan reads only a small part of the tables, so each record also ends in two CRC32C: a
// document's cover its set of names and the record so far; an occurrence's cover its path and the record so far. They
// are checked when a record is first read.
//
// # Changelog
//
//	v1  first version; since 2026-11 eight bytes of a document's record that were
//	    zero say where its head states its licence, and packages have their
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
//	v7  spans are guessed from the text, and only wrong guesses are stored; shapes are
//	    numbers in a list of their language: a baseline of 67% of its source has 55%
//	v8  v7 with bare documents. A document that is copied from an older file gets tokens as
//	    this version has them. Since 2026-11-25 a record says whether its text was made of the
//	    content; before, Verify took the text of a notebook or of UTF-16 for damaged
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
	magicOld   = "GPDOCS03" // the oldest version that is read
	headerSize = 4096
	docSize    = 104
	occSize    = 56
	maxMeta    = 1 << 30 // bytes of a segment's decompressed JSON
	metaRatio  = 256     // for JSON above 1 MiB: package lists compress 10 to 50 times
	// MaxText is the largest document the format takes, in bytes.
	MaxText = 1 << 28
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Hash is the SHA-256 of a document's bytes: its identity in every baseline.
type Hash [sha256.Size]byte

// Sum returns the identity of a document with this text.
func Sum(text []byte) Hash { return sha256.Sum256(text) }

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Document is one distinct content, as in its record.
type Document struct {
	Hash     Hash
	Base     uint64 // global position of its first token within the segment
	Tokens   uint32
	Lines    uint32
	Size     uint32 // bytes of text
	Unit     uint32 // hash of the package and directory from which it was first read
	Language string
	Scheme   string // scheme of its tokens: lang.SchemeOf when they were made
	License  string // SPDX expression found in its own head; "" if none
	LicenseAt
	Bare      bool // it has only the part of its text that bare.go keeps
	Converted bool // its text was made of the content: see lang.Text; Hash is the content's

	tokOff, textOff uint64
	tokLen, textLen uint32
	nameLen         uint32
	language        int // index of the language in the file
}

// LicenseAt is where the head of a document states its licence.
type LicenseAt struct {
	LicenseLine uint32 // 0 if unknown
	LicenseTag  bool   // it is an SPDX-License-Identifier
}

// Occurrence says that a package has a document under a path. The document may be in another segment.
type Occurrence struct {
	Hash    Hash
	Package uint32 // index into Packages
	Path    string
}

// Package is one version of a package in the baseline.
type Package struct {
	PURL     string    `json:"purl"`
	License  string    `json:"license,omitempty"` // SPDX expression
	Released time.Time `json:"released,omitzero"` // UTC
	Packed   time.Time `json:"packed,omitzero"`   // day of the latest file in its archive, if long before Released
	From     string    `json:"from,omitempty"`    // where it was read from

	Repository string         `json:"repository,omitempty"` // https address of the repository that its manifest names
	Digest     string         `json:"digest"`               // SHA-256 over its sorted paths and content hashes
	Files      int            `json:"files"`                // number of its documents, under any path
	Skipped    map[string]int `json:"skipped,omitempty"`    // files left out, by reason
	Partial    int            `json:"partial,omitempty"`    // documents indexed as words because their parse was given up
	Licenses   []string       `json:"licenses,omitempty"`   // licence files read at its root

	Asked      bool                `json:"asked,omitempty"`      // License was given by the user
	Statements []license.Statement `json:"statements,omitempty"` // licence statements anywhere in the package, by path
}

type meta struct {
	Languages []string  `json:"languages"`
	Schemes   []string  `json:"schemes,omitempty"` // scheme of each language; a language can occur several times
	Shapes    [][]byte  `json:"shapes,omitempty"`  // per language: shapes of its tokens, see tokenhead.go
	Licenses  []string  `json:"licenses"`
	Packages  []Package `json:"packages"`

	shapes [][]lang.Shape // decoded Shapes
}

// CorruptError reports which part of a document file is damaged.
type CorruptError struct {
	Path, Section string
	Err           error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("read %q: corrupt %s: %v", e.Path, e.Section, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// VersionError reports that a file is not a document file of a version that this program reads.
type VersionError struct{ Path, Magic string }

// Newer reports whether the file has a later version.
func (e *VersionError) Newer() bool {
	return len(e.Magic) == len(magic) && strings.HasPrefix(e.Magic, magic[:6]) && e.Magic > magicBare
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("open %q: no document file of this version (magic %q, want %q)", e.Path, e.Magic, magic)
}

// known reports whether this program reads files that begin with a magic.
func known(is string) bool { return is >= magicOld && is <= magicBare }

// header is the fixed start of the file.
type header struct {
	docs, occs, tokens                     uint64
	docOff, occOff, strOff, metaOff, end   uint64
	docCRC, occCRC, strCRC, metaCRC, flags uint32

	bare    bool // some documents are bare
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
	if len(b) < headerSize || !known(is) {
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
