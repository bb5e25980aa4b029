// Package baseline is the index of known external code. It is the stage between fingerprints and matches. Writer.Add
// takes packages of files in. Lookup returns the postings of fingerprints. A posting leads to its document, with
// tokens, text, and every package and path that has it.
//
// # On disk
//
// A baseline is a directory:
//
//	manifest-00000007.json  one immutable generation: its segments, what was removed (package generation)
//	HASH.fps                a segment's fingerprints (package segment)
//	HASH.docs               the same segment's documents (package store)
//	HASH.model              how frequent n-grams and names are in the generation (package model)
//	lock                    held by the one writer
//	.tmp-new                until the first generation is committed
//
// A change writes new files under temporary names, syncs and renames them, and writes the next manifest last. If it is
// killed at any moment, the directory opens at the previous generation. Readers pin the generation they opened. Adding
// makes a segment of the contents that are new. Removing marks packages as dead. Compacting merges all segments into
// one and drops the dead packages. Adding also merges the last segments once they have together outgrown the one
// before.
//
// # Files
//
//	open.go, home.go        a generation, opened; where its files are: a directory, or the objects of a shared place
//	lookup.go, read.go      the questions of a scan: postings, documents, packages
//	census.go               all documents in the order of their hashes, each with its first place
//	write.go, add.go        a change; packages become contents, contents become documents
//	segments.go             the segment of a change, and the next manifest
//	merge.go, compact.go    several segments become one; when that is due
//	learn.go                the model of a generation, from all documents or from what an add adds
//	pieces.go, mergepieces.go  Add and Compact in pieces, for a cluster
//	transfer.go             export and import
package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/internal/survey"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

// MaxPostings is how many postings a fingerprint keeps. Its true count is stored beside them; the scan's ledger lists
// fingerprints that were cut.
const MaxPostings = 64

// Defaults are the parameters of a new baseline. docs/EVALUATION.md says how they were chosen ("Over k and w").
var Defaults = fingerprint.Params{K: 20, W: 12}

// IndexID names the hash, k and w, which all fingerprints of a baseline share, whatever the language. A program reads
// baselines of one IndexID for each k and w.
func IndexID(p fingerprint.Params) string { return generation.IndexID(p) }

// SchemeID names everything that decides which fingerprint this program gives a text: the hash, k and w, the normaliser
// and the version of each grammar.
func SchemeID(p fingerprint.Params) string {
	sum := sha256.Sum256([]byte(lang.SchemeID()))
	return fmt.Sprintf("gp1-k%d-w%d-%s", p.K, p.W, hex.EncodeToString(sum[:8]))
}

// Errors that say why a baseline cannot be read.
type (
	// NotBaselineError reports that a path is not a baseline.
	NotBaselineError = generation.NotBaselineError
	// FormatError reports that a baseline's manifest has a format that this program does not read.
	FormatError = generation.FormatError
	// LostManifestError reports that a directory has segments but no manifest that lists them.
	LostManifestError = generation.LostManifestError
	// SchemeError reports that a baseline's fingerprints differ from those of this program.
	SchemeError = generation.SchemeError
	// KeyError reports that a baseline was built with a key that was not given.
	KeyError = generation.KeyError
	// CorruptError reports that a part of a baseline is damaged.
	CorruptError = blame.CorruptError
	// ReadError reports that a baseline could not be read. It may still be undamaged.
	ReadError = blame.ReadError
	// NewerError reports that a file of a baseline has a version that a later release writes.
	NewerError = blame.NewerError
)

// AddressError reports that the address of a baseline is of an unknown kind.
type AddressError struct{ Path string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("baseline %q: this kind of address is not known", e.Path)
}

// Reasons that Add itself gives for leaving something out.
const (
	ReasonTooShort              = maker.TooShort         // fewer tokens than a k-gram has
	ReasonDuplicate lang.Reason = "duplicate-package"    // listed twice in one call
	ReasonBroken    lang.Reason = "broken-archive"       // nothing of the package is indexed
	ReasonLicences              = survey.TooManyLicences // files that state a licence, beyond the limit for a package
)

// Skip is a file that is not in the baseline, or only in part.
type Skip struct {
	PURL, Path string
	Reason     lang.Reason
	Detail     string
}

// IsAddress reports whether dir is an address, such as postgres://host/name, and not a directory.
func IsAddress(dir string) bool { return shared.IsAddress(dir) }

// NameOf returns a directory unchanged, and an address without its secrets.
func NameOf(dir string) string { return shared.Name(dir) }

// CompactError reports that a baseline was changed as asked, but the compaction afterwards failed.
type CompactError struct {
	Path string
	Err  error
}

func (e *CompactError) Error() string {
	cause := strings.ReplaceAll(e.Err.Error(), "\n", "; ") // if cleaning up failed too
	return fmt.Sprintf("baseline %q has changed as asked; compacting it failed: %s", e.Path, cause)
}
func (e *CompactError) Unwrap() error { return e.Err }

// writeFile replaces the content of a file in one step.
func writeFile(path string, b []byte) error {
	return disk.WriteFile(path, generation.TempPrefix+"*", b)
}

// Values appends the fingerprint value of each token.
func Values(dst []uint64, l *lang.Language, toks []lang.Token) []uint64 {
	return maker.Values(dst, l, toks)
}

// Tokenize reads a content for an index of k-grams, and returns the text that its tokens are of. It falls back to words if the parse
// is given up. If it returns no language, the content is left out for the reason given. If it returns a language and a reason, the
// content was not read by the rules of its language, or not all of it.
func Tokenize(tz *lang.Tokenizer, name string, content []byte, k int) (s lang.Stream, text []byte, l *lang.Language, reason lang.Reason, detail string) {
	return maker.Tokenize(tz, name, content, k)
}

// CompareEntries orders documents by hash. For equal contents, a language with a grammar comes first.
func CompareEntries(x, y *store.Entry) int { return maker.Compare(x, y) }
