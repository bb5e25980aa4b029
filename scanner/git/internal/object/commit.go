package object

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// MaxCommit bounds one commit object. Real ones are a few kilobytes; embedded signatures and merged tags add some more.
const MaxCommit = 16 << 20

// wholeCommit is up to which size a commit is kept as it is. Of a longer one the headers are: with two parents and common
// names they take 300 bytes. Signature and message, which are most of a commit, are of no use once they are checked.
const wholeCommit = 384

// Commit returns a commit in git's encoding, at least up to the line of the committer, which git writes behind those of
// the tree, the parents and the author.
func (r *Reader) Commit(h Hash) ([]byte, error) {
	if r.db.elsewhere == nil {
		var b []byte
		disk.Guard(func() error { // what it finds, Typed finds as well
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

// packedCommit returns the head of a commit that lies whole in a pack, nil where that is not to be had: whoever reads the
// object then finds out what is wrong. Heads are kept by the offset of their end of the header, where no object begins.
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

// headersEnd returns where the line of the committer ends, 0 if it does not.
func headersEnd(raw []byte) int {
	_, line, ok := bytes.Cut(raw, []byte("\ncommitter "))
	if !ok || bytes.IndexByte(line, '\n') < 0 {
		return 0
	}
	return len(raw) - len(line) + bytes.IndexByte(line, '\n') + 1
}
