package git

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// maxCommit bounds one commit object. Real ones are a few kilobytes; embedded signatures and merged tags add some more.
const maxCommit = 16 << 20

// maxName bounds a name kept of a commit.
const maxName = 1 << 10

// wholeCommit is up to which size a commit is kept as it is. Of a longer one the headers are: with two parents and common
// names they take 300 bytes. Signature and message, which are most of a commit, are of no use once they are checked.
const wholeCommit = 384

// commitData is a decoded commit: what walks need. Whom it is by is read when a Commit is asked for, since most commits of
// a walk are never shown.
type commitData struct {
	id      Hash
	tree    Hash
	parents []Hash // none at the boundary of a shallow clone
	time    int64  // of the committer, seconds
}

// commit reads what walks need of a commit.
func (r *Repo) commit(rd *reader, h Hash) (commitData, error) {
	raw, err := rd.commit(h)
	if err != nil {
		return commitData{}, err
	}
	c := commitData{id: h}
	for key, value := range commitHeaders(raw) {
		switch string(key) {
		case "tree":
			c.tree, err = parseHash(value)
		case "parent":
			var p Hash
			p, err = parseHash(value)
			c.parents = append(c.parents, p)
		case "committer":
			c.time = identityTime(value)
		}
		if err != nil {
			return commitData{}, &CorruptError{What: "commit " + h.String(), Offset: -1, Detail: err.Error()}
		}
	}
	if c.tree.IsZero() {
		return commitData{}, &CorruptError{What: "commit " + h.String(), Offset: -1, Detail: "no tree"}
	}
	if r.shallow[h] {
		c.parents = nil
	}
	return c, nil
}

// describe reads a commit for showing. At the boundary of a shallow clone Parents are the recorded ones, which are absent.
func (r *Repo) describe(rd *reader, h Hash) (Commit, error) {
	raw, err := rd.commit(h)
	if err != nil {
		return Commit{}, err
	}
	c := Commit{ID: h, Name: r.name(h)}
	for key, value := range commitHeaders(raw) {
		switch string(key) {
		case "parent":
			if p, err := parseHash(value); err == nil {
				c.Parents = append(c.Parents, p)
			}
		case "author":
			c.AuthorName, c.AuthorEmail = rd.author(value)
			c.AuthorTime = unixTime(identityTime(value))
		case "committer":
			c.CommitTime = unixTime(identityTime(value))
		}
	}
	return c, nil
}

// commit returns a commit in git's encoding, at least up to the line of the committer, which git writes behind those of
// the tree, the parents and the author.
func (r *reader) commit(h Hash) ([]byte, error) {
	if r.db.git == nil {
		var b []byte
		disk.Guard(func() error { // what it finds, typed finds as well
			if p, off, err := r.locate(h); err == nil && p != nil {
				b = r.packedCommit(p, h, off)
			}
			return nil
		})
		if b != nil {
			return b, nil
		}
	}
	b, err := r.typed(h, typeCommit, maxCommit)
	if err == nil {
		err = r.checkOnce(h, typeCommit, b)
	}
	return b, err
}

// packedCommit returns the head of a commit that lies whole in a pack, nil where that is not to be had: whoever reads the
// object then finds out what is wrong. Heads are kept by the offset of their end of the header, where no object begins.
func (r *reader) packedCommit(p *pack, h Hash, off int64) []byte {
	key := cacheKey{off: ^off, pack: p.number}
	if c, ok := r.cache.get(key); ok {
		return c.data
	}
	e, err := r.header(p, off)
	if err != nil || e.typ != typeCommit || e.size <= wholeCommit || e.size > maxCommit || e.checkInflated(p) != nil {
		return nil
	}
	r.message = slices.Grow(r.message[:0], int(e.size)+slack)[:e.size]
	if r.inflateInto(p, e, r.message, false) != nil || r.check(h, typeCommit, r.message) != nil {
		return nil
	}
	n := headersEnd(r.message)
	if n == 0 {
		return nil
	}
	b, at := r.cache.take(n)
	copy(b, r.message)
	r.cache.put(key, typeCommit, at)
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

// commitHeaders yields the header lines up to the empty line; continuation lines, as signatures have, are left out.
func commitHeaders(raw []byte) func(yield func(key, value []byte) bool) {
	return func(yield func(key, value []byte) bool) {
		for len(raw) > 0 && raw[0] != '\n' {
			l := raw
			if i := bytes.IndexByte(raw, '\n'); i >= 0 {
				l, raw = raw[:i], raw[i+1:]
			} else {
				raw = nil
			}
			if i := bytes.IndexByte(l, ' '); i > 0 && !yield(l[:i], l[i+1:]) {
				return
			}
		}
	}
}

// identity is whom a commit is by.
type identity struct{ name, email string }

// author is parseIdentity, once for each author.
func (r *reader) author(b []byte) (name, email string) {
	key := b[:bytes.LastIndexByte(b, '>')+1]
	who, ok := r.authors[string(key)]
	if !ok {
		who.name, who.email = parseIdentity(b)
		if len(key) > 0 && len(key) <= maxName && len(r.authors) < maxAuthors {
			r.authors[string(key)] = who
		}
	}
	return who.name, who.email
}

// maxAuthors bounds the authors a reader keeps, whose names are a few dozen bytes.
const maxAuthors = 1 << 16

// parseIdentity splits "Name <mail> seconds zone". Whatever is missing stays empty.
func parseIdentity(b []byte) (name, email string) {
	end := bytes.LastIndexByte(b, '>')
	start := bytes.IndexByte(b, '<')
	if start < 0 || end < start {
		return cleanText(b), ""
	}
	return cleanText(b[:start]), cleanText(b[start+1 : end])
}

// identityTime reads the seconds of an identity.
func identityTime(b []byte) int64 {
	end := bytes.LastIndexByte(b, '>')
	if start := bytes.IndexByte(b, '<'); start < 0 || end < start {
		return 0
	}
	when, _, _ := bytes.Cut(bytes.TrimLeft(b[end+1:], " "), []byte(" "))
	seconds, err := strconv.ParseInt(string(when), 10, 64)
	if err != nil {
		return 0
	}
	return seconds
}

// unixTime keeps to the years every format can write: 1970 to 9999.
func unixTime(seconds int64) time.Time {
	const year9999 = 253402300799
	return time.Unix(min(max(seconds, 0), year9999), 0).UTC()
}

// cleanText makes bytes of unknown encoding and intent fit to be shown: valid UTF-8 of bounded length.
func cleanText(b []byte) string {
	b = bytes.TrimSpace(b)
	if len(b) > maxName {
		end := maxName
		for end > 0 && !utf8.RuneStart(b[end]) { // do not cut a character in two
			end--
		}
		b = b[:end]
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// tagTarget reads what an annotated tag points at.
func tagTarget(raw []byte) (Hash, error) {
	for key, value := range commitHeaders(raw) {
		if string(key) == "object" {
			return parseHash(value)
		}
	}
	return Hash{}, &CorruptError{What: "tag", Offset: -1, Detail: "no object"}
}
