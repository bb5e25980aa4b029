// Package shared opens baselines that lie in a store instead of a directory. A store
// has immutable objects, each named by its content, and a manifest that names those of
// the newest generation. Stores register a scheme of addresses. Files flow out: they are
// mapped at once and fetched piece by piece, when something is about to be read.
//
// An object is cut into chunks. A chunk that was fetched is kept below the user's cache
// directory, with a checksum, in a sparse file that has the object's size:
//
//	ADDRESS/NAME.SIZE       the chunks that are here, each at its place
//	ADDRESS/NAME.SIZE.have  of each chunk 8 bytes: 0, or its CRC-32C and 1 << 32
//
// ADDRESS is the hash of the address without its password. As an object never changes,
// nothing of it goes stale. A chunk is compared with its checksum when a program first
// touches it; one that differs is fetched again. So two programs may write a file at a
// time, and a machine may lose power while one does.
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

// Generation is a baseline at one time.
type Generation struct {
	Number   int
	Manifest []byte
	Objects  []Object // that it consists of
}

// Want is what is asked of one object.
type Want struct {
	Object Object
	Chunks []int // ascending
}

// Local is a file that is to become an object.
type Local struct {
	Object
	Path string
}

// Change makes a generation of the one before.
type Change struct {
	From     int // 0 is none
	Manifest []byte
	Keep     []string // names of all its objects
	Add      []Local  // those that the generation before did not have
}

// Store keeps the objects of one baseline. Its methods but Close are called one at a
// time.
type Store interface {
	// ChunkSize is how many bytes each chunk of an object has, the last one excepted.
	ChunkSize() int
	// Head returns the newest generation, or a *NoneError.
	Head(ctx context.Context) (*Generation, error)
	// Fetch calls got for each chunk that is wanted, in any order. The data is valid
	// during the call only. A chunk that is not there is a *GoneError.
	Fetch(ctx context.Context, wants []Want, got func(object string, chunk int, data []byte) error) error
	// Lock keeps other writers out until Close. It tells those who may not write.
	Lock(ctx context.Context) error
	// Commit publishes a generation, whole or not at all. It is a *ConflictError when the
	// newest is not that of the change any more.
	Commit(ctx context.Context, c Change) error
	Close() error
}

// NoneError says that nothing was put at an address yet.
type NoneError struct{ Address string }

func (e *NoneError) Error() string { return fmt.Sprintf("there is no baseline at %q", e.Address) }

// GoneError says that objects were removed while they were read: the baseline has changed
// twice since it was opened.
type GoneError struct{ Object string }

func (e *GoneError) Error() string {
	return fmt.Sprintf("%s is gone: the baseline was changed while it was read", e.Object)
}

// ConflictError says that another writer was first.
type ConflictError struct{ Address string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("baseline %q was changed by another writer meanwhile; nothing of this change is there", e.Address)
}

// BusyError says that another writer has held a baseline for long.
type BusyError struct{ Address, Holder string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("baseline %q is being changed by another writer: %s", e.Address, e.Holder)
}

// SchemeError says that no store has addresses of this kind.
type SchemeError struct{ Address string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("%q is no address of a baseline: it begins with none of %s", e.Address, strings.Join(Schemes(), ", "))
}

// StoreError says what a store answered and what helps.
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

// Register adds a scheme of addresses. name returns an address without what is secret.
func Register(scheme string, open Opener, name func(address string) string) {
	kindsMu.Lock()
	defer kindsMu.Unlock()
	kinds[scheme] = kind{open, name}
}

// Schemes lists how addresses begin.
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

// IsAddress tells an address, such as postgres://host/name, from a path.
func IsAddress(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, `/\`)
}

func kindOf(address string) (kind, bool) {
	scheme, _, _ := strings.Cut(address, "://")
	kindsMu.Lock()
	defer kindsMu.Unlock()
	k, ok := kinds[scheme]
	return k, ok
}

// Name returns a path as it is, and an address as it may be shown: of one of an unknown
// kind only how it begins.
func Name(s string) string {
	if !IsAddress(s) {
		return s
	}
	if k, ok := kindOf(s); ok {
		return k.name(s)
	}
	scheme, _, _ := strings.Cut(s, "://")
	return scheme + "://…"
}
