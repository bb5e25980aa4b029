// Package baseline is the index of known external code. It is the stage between fingerprints and matches. Writer.Add
// takes packages of files in. Lookup returns the postings of fingerprints. A posting leads to its document, with
// tokens, text, and every package and path that has it.
//
// # On disk
//
// A baseline is a directory:
//
//	manifest-00000007.json  one immutable generation: its segments, what was removed
//	HASH.fps                a segment's fingerprints (package segment)
//	HASH.docs               the same segment's documents (package store)
//	HASH.model              how frequent n-grams and names are in the generation (package model)
//	lock                    held by the one writer
//	.tmp-new                until the first generation is committed
//
// The manifest is JSON; its last field is the SHA-256 of the others. A reader accepts only the exact bytes that a
// writer makes, so it notices each flipped bit when it opens the baseline. Otherwise a flipped bit in a segment's name
// or in the list of removed packages could lose findings or bring packages back.
//
// A change writes new files under temporary names, syncs and renames them, and writes the next manifest last. If it is
// killed at any moment, the directory opens at the previous generation. Readers pin the generation they opened. Adding
// makes a segment of the contents that are new. Removing marks packages as dead. Compacting merges all segments into
// one and drops the dead packages. Adding also merges the last segments once they have together outgrown the one
// before.
//
// # Changelog of the manifest's format
//
//	1: first version
//	2: a checksum; unknown keys are refused. Format 1 is no longer read, since
//	   nothing shows whether it is complete: its packages have to be indexed again
//	3: the scheme names k, w and the hash only. The scheme of a language's tokens
//	   is stored beside the language in a segment's documents, so a change to one
//	   language leaves the others usable. Format 2 is no longer read: its documents
//	   do not say by which rules their tokens were made
//	4: documents keep their tokens in blocks (package store). Format 3 is no longer
//	   read: its packages have to be indexed again. Since 2026-11-22 it records what the
//	   model of each family was learnt from; without that, the next change learns anew.
//	   Since the same date, a segment's fingerprints include pairs of rare names
//	   (package pairs); in documents without pairs less edited code is found
package baseline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

const (
	manifestPrefix = "manifest-"
	manifestSuffix = ".json"
	lockName       = "lock"
	newName        = tempPrefix + "new"
	tempPrefix     = ".tmp-"
	// MaxPostings is how many postings a fingerprint keeps. Its true count is stored beside them; the scan's ledger
	// lists fingerprints that were cut.
	MaxPostings = 64
)

// Defaults are the parameters of a new baseline. docs/ARCHITECTURE.md says how they were chosen.
var Defaults = fingerprint.Params{K: 20, W: 12}

// IndexID names the hash, k and w, which all fingerprints of a baseline share, whatever the language. A program reads
// baselines of one IndexID for each k and w.
func IndexID(p fingerprint.Params) string { return "gp2-" + p.String() }

// SchemeID names everything that decides which fingerprint this program gives a text: the hash, k and w, the normaliser
// and the version of each grammar.
func SchemeID(p fingerprint.Params) string {
	sum := sha256.Sum256([]byte(lang.SchemeID()))
	return fmt.Sprintf("gp1-k%d-w%d-%s", p.K, p.W, hex.EncodeToString(sum[:8]))
}

// NotBaselineError reports that a path is not a baseline.
type NotBaselineError struct{ Path string }

func (e *NotBaselineError) Error() string { return fmt.Sprintf("%q is no baseline", e.Path) }

// AddressError reports that the address of a baseline is of an unknown kind.
type AddressError struct{ Path string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("baseline %q: this kind of address is not known", e.Path)
}

// IsAddress reports whether dir is an address, such as postgres://host/name, and not a directory.
func IsAddress(dir string) bool { return shared.IsAddress(dir) }

// NameOf returns a directory unchanged, and an address without its secrets.
func NameOf(dir string) string { return shared.Name(dir) }

// FormatError reports that a baseline's manifest has a format that this program does not read.
type FormatError struct {
	Path       string
	Have, Want int
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("baseline %q has format %d, this program reads format %d", e.Path, e.Have, e.Want)
}

// LostManifestError reports that a directory has segments but no manifest that lists them.
type LostManifestError struct {
	Path  string
	Files int // files of segments and models
}

func (e *LostManifestError) Error() string {
	return fmt.Sprintf("baseline %q has lost its manifest: there are %d files of segments and none that lists them", e.Path, e.Files)
}

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

// SchemeError reports that a baseline's fingerprints differ from those of this program.
type SchemeError struct{ Path, Have, Want string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("baseline %q has scheme %s, this program makes %s", e.Path, e.Have, e.Want)
}

// CorruptError reports that a part of a baseline is damaged.
type CorruptError struct {
	Path string
	Err  error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("baseline %q is damaged: %v", e.Path, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// ReadError reports that a baseline could not be read. It may still be undamaged.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read baseline %q: %v", e.Path, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }

// NewerError reports that a file of a baseline has a version that a later release writes.
type NewerError struct {
	Path string
	Err  error
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("baseline %q was made by a later release: %v", e.Path, e.Err)
}
func (e *NewerError) Unwrap() error { return e.Err }

// blame classifies an error met in a file of a baseline: either the baseline is damaged, or the machine could not read
// it. A missing part counts as damage.
func blame(dir string, err error) error {
	_, corrupt := errors.AsType[*CorruptError](err)
	_, read := errors.AsType[*ReadError](err)
	if err == nil || corrupt || read || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	_, system := errors.AsType[syscall.Errno](err)
	_, cut := errors.AsType[*disk.FaultError](err)
	_, away := errors.AsType[*disk.UnreachableError](err)
	if cut || away || system && !errors.Is(err, fs.ErrNotExist) {
		return &ReadError{dir, err}
	}
	if v, ok := errors.AsType[*store.VersionError](err); ok && v.Newer() {
		return &NewerError{dir, err}
	}
	return &CorruptError{dir, err}
}

// writeFile replaces the content of a file in one step.
func writeFile(path string, b []byte) error { return disk.WriteFile(path, tempPrefix+"*", b) }

// Values appends the fingerprint value of each token.
func Values(dst []uint64, l *lang.Language, toks []lang.Token) []uint64 {
	salt := fingerprint.FamilySalt(l.Family)
	dst = slices.Grow(dst, len(toks))
	for _, t := range toks {
		dst = append(dst, fingerprint.Value(salt, t.Kind))
	}
	return dst
}
