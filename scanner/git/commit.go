package git

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// maxName bounds each name that is kept from a commit, in bytes.
const maxName = 1 << 10

// commitData is a decoded commit with the fields that walks need. The author is read only when a Commit is asked for,
// since most commits of a walk are never shown.
type commitData struct {
	id      Hash
	tree    Hash
	parents []Hash // none at the boundary of a shallow clone
	time    int64  // of the committer, seconds
}

// commit reads the fields of a commit that walks need.
func (r *Repo) commit(rd *reader, h Hash) (commitData, error) {
	raw, err := rd.Commit(h)
	if err != nil {
		return commitData{}, err
	}
	c := commitData{id: h}
	for key, value := range commitHeaders(raw) {
		switch string(key) {
		case "tree":
			c.tree, err = object.ParseHash(value)
		case "parent":
			var p Hash
			p, err = object.ParseHash(value)
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

// describe reads a commit for display. At the boundary of a shallow clone Parents lists the recorded parents, which are
// absent.
func (r *Repo) describe(rd *reader, h Hash) (Commit, error) {
	raw, err := rd.Commit(h)
	if err != nil {
		return Commit{}, err
	}
	c := Commit{ID: h, Name: r.name(h)}
	for key, value := range commitHeaders(raw) {
		switch string(key) {
		case "parent":
			if p, err := object.ParseHash(value); err == nil {
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

// commitHeaders yields the header lines up to the empty line. It omits continuation lines, which signatures have.
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

// identity is a person's name and address.
type identity struct{ name, email string }

// author is parseIdentity with a cache by author.
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

// maxAuthors bounds the authors that a reader keeps. A name takes a few dozen bytes.
const maxAuthors = 1 << 16

// parseIdentity splits "Name <mail> seconds zone". Missing parts stay empty.
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

// unixTime clamps to the years that every format can write: 1970 to 9999.
func unixTime(seconds int64) time.Time {
	const year9999 = 253402300799
	return time.Unix(min(max(seconds, 0), year9999), 0).UTC()
}

// cleanText makes untrusted bytes of unknown encoding fit for display: valid UTF-8 of bounded length.
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

// tagTarget returns the object that an annotated tag names.
func tagTarget(raw []byte) (Hash, error) {
	for key, value := range commitHeaders(raw) {
		if string(key) == "object" {
			return object.ParseHash(value)
		}
	}
	return Hash{}, &CorruptError{What: "tag", Offset: -1, Detail: "no object"}
}

// commitOf reads the commit that a revision names.
func (r *Repo) commitOf(rd *reader, rev string) (commitData, error) {
	h, err := r.resolveCommit(rd, rev)
	if err != nil {
		return commitData{}, err
	}
	return r.commit(rd, h)
}
