// Package object reads the objects of a repository, loose or in packs. It knows names, types and bytes, not the content
// of commits and trees. Open takes the object directories of a repository, once. Each worker has a Reader, which takes names and
// returns bytes:
//
//	db.go, reader.go       what all readers share; one reader
//	packindex.go           a name → pack and offset
//	entry.go, delta.go     an offset → an object, through its chain of deltas
//	loose.go, regular.go   objects in files of their own; which files are opened
//	cache.go, resident.go  inflated objects, and pages of packs, that stay in memory; map_unix.go, map_other.go: the system's part
//	check.go, errors.go    an object against its name; missing, damaged and large objects
//	commit.go              commits, of which only the headers are kept if they are long
package object

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
)

// Hash is the SHA-1 name of an object, or the first 160 bits of its SHA-256 name. The zero Hash names no object.
type Hash [20]byte

// String returns the 40 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h is the zero Hash.
func (h Hash) IsZero() bool { return h == Hash{} }

// Compare orders names.
func Compare(a, b Hash) int { return bytes.Compare(a[:], b[:]) }

// ParseHash reads 40 hexadecimal digits.
func ParseHash[T string | []byte](digits T) (Hash, error) {
	var h Hash
	b := []byte(digits)
	if len(b) != 2*len(h) {
		return Hash{}, fmt.Errorf("parse object name %q: not %d hexadecimal digits", b, 2*len(h))
	}
	if _, err := hex.Decode(h[:], b); err != nil {
		return Hash{}, fmt.Errorf("parse object name %q: %w", b, err)
	}
	return h, nil
}

// EmptyTree is the name of the tree without entries, which git knows without storing it.
var EmptyTree = Hash{0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60,
	0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88, 0xfb, 0xee, 0x49, 0x04}

// Type is the type of an object.
type Type uint8

// The types of objects, with the numbers that packs use.
const (
	Commit   Type = 1
	Tree     Type = 2
	Blob     Type = 3
	Tag      Type = 4
	ofsDelta Type = 6
	refDelta Type = 7
)

// String returns git's name of a type.
func (t Type) String() string {
	switch t {
	case Commit:
		return "commit"
	case Tree:
		return "tree"
	case Blob:
		return "blob"
	case Tag:
		return "tag"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// TypeNamed is the inverse of String; it returns 0 for an unknown name.
func TypeNamed(name string) Type {
	for _, t := range []Type{Commit, Tree, Blob, Tag} {
		if t.String() == name {
			return t
		}
	}
	return 0
}

// Head appends the bytes that an object's name covers before its content.
func Head(to []byte, t Type, size int) []byte {
	to = append(append(to, t.String()...), ' ')
	return append(strconv.AppendInt(to, int64(size), 10), 0)
}
