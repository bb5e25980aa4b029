// Package shared opens baselines in a store instead of a directory. A store has immutable objects, each named by its
// content, and a manifest that names those of the newest generation. Stores register a scheme of addresses. A file is
// mapped at once, and its parts are fetched when they are about to be read.
//
//	doc.go         Store, which postgres and s3 implement, and its errors
//	remote.go      Remote: a store and its cache; fetches chunks in batches
//	file.go        an object as a disk.Parts; cache.go: where chunks are kept
//	stall.go       servers that send nothing
//	size_unix.go, size_other.go  the size of a sparse file
//
// An object is cut into chunks. A fetched chunk is kept below the user's cache directory, with a checksum, in a sparse
// file of the object's size:
//
//	ADDRESS/NAME.SIZE       the chunks that are here, each at its place
//	ADDRESS/NAME.SIZE.have  of each chunk 8 bytes: 0, or its CRC-32C and 1 << 32
//
// ADDRESS is the hash of the address without its password. An object never changes, so its chunks never become stale. A
// chunk is compared with its checksum when a program first uses it. If it differs, it is fetched again. So two programs
// may write a file at the same time, and the machine may lose power meanwhile. Damage that the store sent stays here,
// until Afresh forgets it.
//
// Neither a store nor a disk is trusted: the readers of the formats check all bytes.
package shared

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Object is an immutable file.
type Object struct {
	Name string
	Size int64
}

// Generation is one state of a baseline.
type Generation struct {
	Number   int
	Manifest []byte
	Objects  []Object // objects that it consists of
}

// Want is a request for chunks of one object.
type Want struct {
	Object Object
	Chunks []int // ascending
}

// Local is a local file that will become an object.
type Local struct {
	Object
	Path string
}

// Change describes a new generation, made from the one before.
type Change struct {
	From     int // number of the generation before; 0 means none
	Manifest []byte
	Keep     []string // names of all its objects
	Add      []Local  // those that the generation before does not have
}

// Store keeps the objects of one baseline. Except for Close, its methods are called one at a time.
type Store interface {
	// ChunkSize returns the bytes of each chunk, except the last one of an object.
	ChunkSize() int
	// Head returns the newest generation, or a *NoneError.
	Head(ctx context.Context) (*Generation, error)
	// Fetch calls got for each wanted chunk, in any order. The data is valid only during the call. If a chunk is
	// missing, Fetch returns a *GoneError.
	Fetch(ctx context.Context, wants []Want, got func(object string, chunk int, data []byte) error) error
	// Lock keeps other writers out until Close. It fails for users who may not write.
	Lock(ctx context.Context) error
	// Commit publishes a generation, completely or not at all. It returns a *ConflictError if c.From is no longer the
	// newest generation.
	Commit(ctx context.Context, c Change) error
	Close() error
}

// NoneError reports that there is no baseline at an address yet.
type NoneError struct{ Address string }

func (e *NoneError) Error() string { return fmt.Sprintf("there is no baseline at %q", e.Address) }

// GoneError reports that an object was removed while it was read: the baseline has changed twice since it was opened.
type GoneError struct{ Object string }

func (e *GoneError) Error() string {
	return fmt.Sprintf("%s is gone: the baseline was changed while it was read", e.Object)
}

// LostError reports that an object is not in the store although the newest generation names it.
type LostError struct{ Object string }

func (e *LostError) Error() string {
	return fmt.Sprintf("%s is missing in the store, and the baseline still names it", e.Object)
}

// ConflictError reports that another writer was faster.
type ConflictError struct{ Address string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("baseline %q was changed by another writer meanwhile; nothing of this change is there", e.Address)
}

// BusyError reports that another writer has held the lock of a baseline for too long.
type BusyError struct{ Address, Holder string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("baseline %q is being changed by another writer: %s", e.Address, e.Holder)
}

// SchemeError reports that no store has addresses of this kind.
type SchemeError struct{ Address string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("%q is no address of a baseline: it begins with none of %s", e.Address, strings.Join(Schemes(), ", "))
}

// StoreError reports the answer of a store and a hint that helps.
type StoreError struct {
	Address, Hint string
	Err           error
}

func (e *StoreError) Error() string { return fmt.Sprintf("baseline %q: %v", e.Address, e.Err) }
func (e *StoreError) Unwrap() error { return e.Err }

// Opener connects to the store at an address.
type Opener func(ctx context.Context, address string) (Store, error)

// kind is a scheme of addresses.
type kind struct {
	open Opener
	name func(address string) string
}

var (
	kindsMu sync.Mutex
	kinds   = map[string]kind{}
)

// Register adds a scheme of addresses. name must return an address without its secrets.
func Register(scheme string, open Opener, name func(address string) string) {
	kindsMu.Lock()
	defer kindsMu.Unlock()
	kinds[scheme] = kind{open, name}
}

// Schemes lists the beginnings of addresses.
func Schemes() []string {
	kindsMu.Lock()
	defer kindsMu.Unlock()
	var out []string
	for s := range kinds {
		out = append(out, s+"://")
	}
	slices.Sort(out)
	return out
}

// IsAddress reports whether s is an address, such as postgres://host/name, and not a path. Text that begins like
// an address, such as s3:bucket, counts too: hardly anybody means a directory of that name.
func IsAddress(s string) bool {
	if scheme, _, ok := strings.Cut(s, "://"); ok && scheme != "" && !strings.ContainsAny(scheme, `/\`) {
		return true
	}
	return begun(s) != ""
}

// begun returns the scheme of an address of a known kind that lacks its slashes, or "".
func begun(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	if _, known := kindOf(scheme + "://"); ok && known && !strings.HasPrefix(rest, "//") {
		return scheme
	}
	return ""
}

func kindOf(address string) (kind, bool) {
	scheme, _, _ := strings.Cut(address, "://")
	kindsMu.Lock()
	defer kindsMu.Unlock()
	k, ok := kinds[scheme]
	return k, ok
}

// Name returns a path unchanged, and an address without its secrets. For an address of an unknown kind, it returns only
// the scheme.
func Name(s string) string {
	if !IsAddress(s) {
		return s
	}
	if k, ok := kindOf(s); ok {
		return k.name(s)
	}
	if scheme := begun(s); scheme != "" {
		return scheme + ":…"
	}
	scheme, _, _ := strings.Cut(s, "://")
	return scheme + "://…"
}
