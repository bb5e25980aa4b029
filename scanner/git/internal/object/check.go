package object

import (
	"crypto/sha1"
	"hash"
)

// The name of an object is the hash of its type, size and content. git checks it when it receives objects, not when it
// reads them. Here names decide the content of a result cache, and an index or a delta can lead to another object than
// the one asked for. So every object that decides a result is checked: trees and commits once for each Reader, contents
// when they are handed out.

// checks holds the trees and commits whose content a Reader has compared with their names, indexed by a part of the
// name.
type checks [1 << 12]Hash

func (c *checks) slot(h Hash) *Hash { return &c[(int(h[4])<<8|int(h[5]))%len(c)] }

// Check fails if the content of an object does not match its name. Objects read from elsewhere were checked there.
func (r *Reader) Check(h Hash, t Type, b []byte) error {
	if r.db.elsewhere != nil {
		return nil
	}
	if r.sum == nil {
		r.sum = sha1.New()
	}
	if Hash(r.sumOf(r.sum, t, b)) != h {
		return ErrName(h.String())
	}
	return nil
}

// CheckOnce is Check for objects that are read again and again.
func (r *Reader) CheckOnce(h Hash, t Type, b []byte) error {
	slot := r.checked.slot(h)
	if *slot == h {
		return nil
	}
	err := r.Check(h, t, b)
	if err == nil {
		*slot = h
	}
	return err
}

// ErrName returns the error for an object that does not match its name.
func ErrName(name string) error {
	return &CorruptError{What: "object " + name, Offset: -1, Detail: "its content does not match its name"}
}

// sumOf hashes an object as git does.
func (r *Reader) sumOf(sum hash.Hash, t Type, b []byte) []byte {
	r.head = Head(r.head[:0], t, len(b))
	sum.Reset()
	sum.Write(r.head)
	sum.Write(b)
	r.digest = sum.Sum(r.digest[:0])
	return r.digest
}
