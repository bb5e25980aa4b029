package object

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// MaxCommit bounds one commit object. Real ones have a few kilobytes; embedded signatures and merged tags add some more.
const MaxCommit = 16 << 20

// wholeCommit is the size up to which a whole commit is kept. Of a longer one only the headers are kept: with two parents and
// common names they take 300 bytes. The rest, a signature and the message, is not needed once the commit is checked.
const wholeCommit = 384

// Commit returns a commit in git's encoding, at least up to the committer line. git writes that line after those of the
// tree, the parents and the author.
func (r *Reader) Commit(h Hash) ([]byte, error) {
	if r.db.elsewhere == nil {
		var b []byte
		disk.Guard(func() error { // Typed meets the same error again
			if p, off, err := r.locate(h); err == nil && p != nil {
				b = r.packedCommit(p, h, off)
			}
			return nil
		})
		if b != nil {
			return b, nil
		}
	}
	b, err := r.Typed(h, Commit, MaxCommit)
	if err == nil {
		err = r.CheckOnce(h, Commit, b)
	}
	return b, err
}

// packedCommit returns the head of a commit that is stored whole in a pack. It returns nil if it cannot; the caller then
// reads the object and finds the error. Heads are cached by the offset of the end of the entry's header, where no object
// begins.
func (r *Reader) packedCommit(p *pack, h Hash, off int64) []byte {
	key := cacheKey{off: ^off, pack: p.number}
	if c, ok := r.cache.get(key); ok {
		r.handOut(c)
		return c.data
	}
	e, err := r.header(p, off)
	if err != nil || e.typ != Commit || e.size <= wholeCommit || e.size > MaxCommit || e.checkInflated(p) != nil {
		return nil
	}
	r.message = slices.Grow(r.message[:0], int(e.size)+inflate.Slack)[:e.size]
	if r.inflateInto(p, e, r.message, false) != nil || r.Check(h, Commit, r.message) != nil {
		return nil
	}
	n := headersEnd(r.message)
	if n == 0 {
		return nil
	}
	b, at := r.cache.take(n)
	copy(b, r.message)
	r.cache.put(key, Commit, at)
	r.handOut(cached{Commit, b, at.slab})
	return b
}

// headersEnd returns the end of the committer line, 0 if that line is not complete.
func headersEnd(raw []byte) int {
	_, line, ok := bytes.Cut(raw, []byte("\ncommitter "))
	if !ok || bytes.IndexByte(line, '\n') < 0 {
		return 0
	}
	return len(raw) - len(line) + bytes.IndexByte(line, '\n') + 1
}
