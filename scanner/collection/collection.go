// Package collection compares files with each other. Parts flow in (Read); their verified
// matches with one another flow out, pair by pair (Set.Compare).
//
// A file is read once: it becomes a Document, one for each content, with its winnowed
// fingerprints. The texts and tokens go to a file and are read again when a match is to be
// proved. The fingerprints of all documents are
// sorted by hash. A fingerprint of one document alone is dropped. The others propose
// pairs, which package match proves on the tokens.
//
// Import clauses count as base code does: no match is made of them, and they are no part
// of what a document is measured by.
//
// It is the road of `similar` and `compare`, where all code is read for one comparison.
// Package baseline is the road of code that is read once and asked for often.
package collection

import (
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Widespread returns in how many documents of a set of so many a fingerprint may be to
// propose pairs: 64, and in small sets 250,000/documents. Pairs would be the square of it.
// Of documents that share another, such a fingerprint counts as any does.
func Widespread(documents int) int { return max(64, 250_000/max(documents, 1)) }

// maxRepeats is how many places of one fingerprint in one document are followed.
const maxRepeats = 256

// Part is a directory, archive or revision whose files are read.
type Part struct {
	Name    string
	Package *source.Package
}

// Options say how parts are read and compared.
type Options struct {
	Params    fingerprint.Params
	MinTokens int // of the shortest match
	Workers   int
	Limits    lang.Limits
	Source    source.Limits
	Base      basecode.Set                    // masked
	Reading   func(part string, files int)    // may be nil
	Comparing func(done, total int)           // may be nil
	Skipped   func(part int, e finding.Entry) // what is not, or not wholly, read, in the order of reading; may be nil
}

// ID is the place of a document in its set.
type ID int32

// Document is a distinct content.
type Document struct {
	Hash     store.Hash
	Language *lang.Language
	Size     int // bytes
	Tokens   int
	Own      int // tokens that are neither base code nor import clauses
	Base     int // tokens of base code

	asks   uint32 // fingerprints that it asks for
	found  uint32 // fingerprints that it is found by
	dir    uint32 // hash of the directory it was first met in
	text   int64  // where in the spool
	stored int64  // where its tokens are in the spool
	packed uint32 // how many bytes they take there
}

// File is a file of a part.
type File struct {
	Part int
	Path string
	Doc  ID
}

// Set is the documents of a collection. Safe for concurrent use once it is read.
type Set struct {
	Docs  []Document
	Files []File // by part and path

	o     Options
	spool *spool
	cache *cache
	index index
}

// Close lets go of the texts.
func (s *Set) Close() error { return s.spool.Close() }
