package git

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxCommit bounds one commit object. Real ones are a few kilobytes; embedded signatures and merged tags add some more.
const maxCommit = 16 << 20

// maxSubject bounds the subject line kept of a commit.
const maxSubject = 1 << 10

// commitData is a decoded commit: what walks need. The texts stay in raw until a Commit is asked for, since most
// commits of a walk are never shown.
type commitData struct {
	id      Hash
	tree    Hash
	parents []Hash // none at the boundary of a shallow clone
	time    int64  // of the committer, seconds
}

// commit reads what walks need of a commit.
func (r *Repo) commit(rd *reader, h Hash) (commitData, error) {
	raw, err := rd.typed(h, typeCommit, maxCommit)
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
	raw, err := rd.typed(h, typeCommit, maxCommit)
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
			var at int64
			c.AuthorName, c.AuthorEmail, at = parseIdentity(value)
			c.AuthorTime = unixTime(at)
		case "committer":
			c.CommitTime = unixTime(identityTime(value))
		}
	}
	c.Subject = subject(raw)
	return c, nil
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

// parseIdentity splits "Name <mail> seconds zone". Whatever is missing stays empty.
func parseIdentity(b []byte) (name, email string, seconds int64) {
	end := bytes.LastIndexByte(b, '>')
	start := bytes.IndexByte(b, '<')
	if start < 0 || end < start {
		return cleanText(b), "", 0
	}
	return cleanText(b[:start]), cleanText(b[start+1 : end]), identityTime(b)
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

// subject is the first paragraph of the message on one line, as git shows it.
func subject(raw []byte) string {
	_, message, _ := bytes.Cut(raw, []byte("\n\n"))
	message = bytes.TrimLeft(message, "\n")
	paragraph, _, _ := bytes.Cut(message, []byte("\n\n"))
	return cleanText(bytes.ReplaceAll(paragraph, []byte("\n"), []byte(" ")))
}

// cleanText makes bytes of unknown encoding and intent fit to be shown: valid UTF-8 of bounded length.
func cleanText(b []byte) string {
	b = bytes.TrimSpace(b)
	if len(b) > maxSubject {
		end := maxSubject
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
