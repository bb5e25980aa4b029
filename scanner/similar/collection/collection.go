// Package collection compares files with each other. Read reads the parts. Set.Compare returns their verified matches
// with one another, pair by pair.
//
// A file is read once. It becomes a Document, one for each content, with its winnowed fingerprints. The texts and
// tokens of a small collection stay in memory; those of a larger one go to a file and are read again when a match is
// proved. The fingerprints of all documents are sorted by hash. Fingerprints that only one document has are dropped. The
// others propose pairs, which package match proves on the tokens.
//
// Import clauses are treated like base code: they form no match and do not count in the size of a document.
//
// Commands `similar` and `compare` use it: they read all code for one comparison. Package baseline is for code that is
// read once and looked up often.
package collection

import (
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Widespread returns the limit of documents for a fingerprint to propose pairs, in a set of that many documents: 64,
// and in small sets 250,000/documents. The pairs would grow with the square. Between documents that share another
// fingerprint, a widespread one counts like any other.
func Widespread(documents int) int { return max(64, 250_000/max(documents, 1)) }

// maxRepeats is how many positions of one fingerprint in one document are followed.
const maxRepeats = 256

// Part is a directory, archive or revision whose files are read.
type Part struct {
	Name    string
	Package *source.Package
}

// Options say how parts are read and compared.
type Options struct {
	Params    fingerprint.Params
	MinTokens int // least tokens of a match
	Workers   int
	BaseCode  basecode.Set                    // masked
	Reading   func(part string, files int)    // may be nil
	Comparing func(done, total int)           // may be nil
	Skipped   func(part int, e finding.Entry) // files that are not read, or only in part, in the order of reading; may be nil
}

// ID is the index of a document in its set.
type ID int32

// Document is a distinct content.
type Document struct {
	Language *lang.Language
	Size     int // bytes
	Tokens   int
	Own      int // tokens that are neither base code nor import clauses
	BaseCode int // tokens of base code

	asks   uint32  // number of fingerprints that it asks for
	found  uint32  // number of fingerprints that it is found by
	dir    uint32  // hash of the directory of its first file
	packed uint32  // size of its tokens in the spool, in bytes
	stored int64   // position of its text in the spool; its tokens follow
	held   *Loaded // in a small collection; then it is not in the spool
}

// File is a file of a part.
type File struct {
	Path string
	Part int32
	Doc  ID
}

// Set has the documents of a collection. It is safe for concurrent use after it was read.
type Set struct {
	Docs  []Document
	Files []File // by part and path

	o     Options
	spool *spool
	cache *cache
	index index
	room  int64        // for documents in memory, in bytes
	held  atomic.Int64 // size of all documents so far, until it exceeds room
}

// Close releases the texts.
func (s *Set) Close() error { return s.spool.Close() }
