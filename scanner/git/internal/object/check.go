package object

import (
	"crypto/sha1"
	"hash"
)

// The name of an object is the hash of its type, size and content. git checks it when it receives objects, not when it
// reads them. Here names decide what a cache of results holds, and an index or a delta can lead to another object than
// the one asked for. So whatever decides a result is checked: trees and commits once for each Reader, contents when they
// are handed out.

// checks are the trees and commits whose content a Reader has compared with their names, by a part of their name.
type checks [1 << 12]Hash

func (c *checks) slot(h Hash) *Hash { return &c[(int(h[4])<<8|int(h[5]))%len(c)] }

// Check fails where the content of an object is not what its name says. What comes from elsewhere was checked there.
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

// CheckOnce is Check for what is read again and again.
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

// ErrName is the error of an object that is not what its name says.
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
