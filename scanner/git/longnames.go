package git

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// restBytes is the number of bytes of a SHA-256 beyond a Hash.
const restBytes = 32 - len(Hash{})

// longNames holds the full names of a SHA-256 repository's objects. Everything else in this package uses their first 160
// bits. Two names that differ only after them cause an error, not a wrong result.
type longNames struct {
	mu   sync.Mutex
	rest map[Hash][restBytes]byte // nil in a repository of SHA-1
}

func (n *longNames) isLong() bool { return n.rest != nil }

// digits is the length of a name in hexadecimal.
func (n *longNames) digits() int {
	if n.isLong() {
		return 2 * (len(Hash{}) + restBytes)
	}
	return 2 * len(Hash{})
}

// cut reads a full name and remembers the bytes that do not fit in a Hash.
func (n *longNames) cut(name string) (Hash, error) {
	b, err := hex.DecodeString(name)
	if err != nil || len(name) != n.digits() {
		return Hash{}, fmt.Errorf("parse object name %q: not %d hexadecimal digits", name, n.digits())
	}
	return n.keep(b)
}

func (n *longNames) keep(b []byte) (Hash, error) {
	h := Hash(b[:len(Hash{})])
	if !n.isLong() {
		return h, nil
	}
	rest := [restBytes]byte(b[len(h):])
	n.mu.Lock()
	defer n.mu.Unlock()
	if known, ok := n.rest[h]; ok && known != rest {
		return Hash{}, &CorruptError{What: "object " + h.String(), Offset: -1, Detail: "two names have their first 160 bits in common"}
	}
	n.rest[h] = rest
	return h, nil
}

// full is the inverse of cut.
func (n *longNames) full(h Hash) string {
	if n == nil || !n.isLong() {
		return h.String()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	rest, ok := n.rest[h]
	if !ok {
		return h.String() // as useful as any abbreviation
	}
	return h.String() + hex.EncodeToString(rest[:])
}

func (n *longNames) emptyBlob() string {
	if n.isLong() {
		return "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
	}
	return "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
}

func (n *longNames) emptyTree() string {
	if n.isLong() {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return object.EmptyTree.String()
}

// shorten rewrites the names in an object to 20 bytes, so that no other code deals with longer ones.
func (n *longNames) shorten(h Hash, t object.Type, b []byte) ([]byte, error) {
	if !n.isLong() {
		return b, nil
	}
	var out []byte
	var err error
	switch t {
	case object.Tree:
		out, err = n.shortenTree(b)
	case object.Commit, object.Tag:
		out, err = n.shortenHeaders(b)
	default:
		return b, nil
	}
	if err != nil {
		return nil, &CorruptError{What: "object " + h.String(), Offset: -1, Detail: err.Error()}
	}
	return out, nil
}

func (n *longNames) shortenTree(b []byte) ([]byte, error) {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		at := bytes.IndexByte(b, 0) + 1
		if at == 0 || len(b) < at+len(Hash{})+restBytes {
			return nil, fmt.Errorf("entry of a tree is cut off")
		}
		h, err := n.keep(b[at : at+len(Hash{})+restBytes])
		if err != nil {
			return nil, err
		}
		out = append(append(out, b[:at]...), h[:]...)
		b = b[at+len(h)+restBytes:]
	}
	return out, nil
}

// shortenHeaders shortens the names in the lines of a commit or a tag: tree, parents, object.
func (n *longNames) shortenHeaders(b []byte) ([]byte, error) {
	out := make([]byte, 0, len(b))
	for len(b) > 0 && b[0] != '\n' {
		l := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			l = b[:i+1]
		}
		b = b[len(l):]
		key, value, _ := bytes.Cut(l, []byte(" "))
		switch string(key) {
		case "tree", "parent", "object":
			h, err := n.cut(line(value))
			if err != nil {
				return nil, err
			}
			l = fmt.Appendf(nil, "%s %s\n", key, h)
		}
		out = append(out, l...)
	}
	return append(out, b...), nil
}

// check compares an object of a batch with its name.
func (n *longNames) check(h Hash, t object.Type, b []byte) error {
	sum := sha1.New()
	if n.isLong() {
		sum = sha256.New()
	}
	sum.Write(object.Head(nil, t, len(b)))
	sum.Write(b)
	if name := n.full(h); hex.EncodeToString(sum.Sum(nil)) != name {
		return object.ErrName(name)
	}
	return nil
}
