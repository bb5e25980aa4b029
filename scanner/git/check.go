package git

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
)

// The name of an object is the hash of its type, size and content. git checks it when it receives objects, not when it
// reads them. Here names decide what a cache of results holds, and an index or a delta can lead to another object than
// the one asked for. So whatever decides a result is checked: trees and commits once for each reader, contents when they
// are handed out.

// checks are the trees and commits whose content a reader has compared with their names, by a part of their name.
type checks [1 << 12]Hash

func (c *checks) slot(h Hash) *Hash { return &c[(int(h[4])<<8|int(h[5]))%len(c)] }

// check fails where the content of an object is not what its name says. What git reads is checked by the batch, which
// has the whole of longer names.
func (r *reader) check(h Hash, t objectType, b []byte) error {
	if r.db.git != nil {
		return nil
	}
	if r.sum == nil {
		r.sum = sha1.New()
	}
	if Hash(r.sumOf(r.sum, t, b)) != h {
		return errName(h.String())
	}
	return nil
}

// checkOnce is check for what is read again and again.
func (r *reader) checkOnce(h Hash, t objectType, b []byte) error {
	slot := r.checked.slot(h)
	if *slot == h {
		return nil
	}
	err := r.check(h, t, b)
	if err == nil {
		*slot = h
	}
	return err
}

func errName(name string) error {
	return &CorruptError{What: "object " + name, Offset: -1, Detail: "its content does not match its name"}
}

// sumOf hashes an object as git does.
func (r *reader) sumOf(sum hash.Hash, t objectType, b []byte) []byte {
	r.head = objectHead(r.head[:0], t, len(b))
	sum.Reset()
	sum.Write(r.head)
	sum.Write(b)
	r.digest = sum.Sum(r.digest[:0])
	return r.digest
}

// objectHead appends what an object's name covers before its content.
func objectHead(to []byte, t objectType, size int) []byte {
	to = append(append(to, t.String()...), ' ')
	return append(strconv.AppendInt(to, int64(size), 10), 0)
}

// String is the name git has for a type.
func (t objectType) String() string {
	switch t {
	case typeCommit:
		return "commit"
	case typeTree:
		return "tree"
	case typeBlob:
		return "blob"
	case typeTag:
		return "tag"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// check compares an object of a batch with its name.
func (n *longNames) check(h Hash, t objectType, b []byte) error {
	sum := sha1.New()
	if n.isLong() {
		sum = sha256.New()
	}
	sum.Write(objectHead(nil, t, len(b)))
	sum.Write(b)
	if name := n.full(h); hex.EncodeToString(sum.Sum(nil)) != name {
		return errName(name)
	}
	return nil
}
