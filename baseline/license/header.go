package license

import (
	"bytes"
	"slices"
	"strings"
)

// headBytes is how much of a file is searched: the longest header in common use
// (a whole BSD or MIT text with a list of authors) is about 2.5 KB.
const headBytes = 4096

var (
	tag     = []byte("SPDX-License-Identifier:")
	snippet = []byte("SPDX-SnippetBegin")
)

// closers end a comment on the line of a tag; quotes end a tag in a string.
var closers = []string{"*/", "-->", "--%>", "%>", "#}", "*)", "-}", "]]", `"""`, "'''", `"`, "'", "#", "*"}

// Header returns the licence a file's head states for the file, as an SPDX
// expression: its SPDX-License-Identifier tags, or else what the licence texts,
// notices and links in its comments say. It is "" when the head states none.
// Tags of an SPDX snippet are the snippet's, not the file's.
func Header(src []byte) string {
	head := headOf(src)
	if e := tagged(head); e != "" {
		return e
	}
	if !mentionsLicence(head) {
		return ""
	}
	var exprs []string
	comments(head, func(block []byte) {
		if mentionsLicence(block) {
			exprs = append(exprs, notices(block)...)
		}
	})
	if len(exprs) == 0 {
		return ""
	}
	return And(exprs...)
}

func headOf(src []byte) []byte {
	head := src[:min(len(src), headBytes)]
	if i := bytes.Index(head, snippet); i >= 0 {
		head = head[:i]
	}
	return head
}

// Wording returns the lines of a file's head that speak of licences. It takes a
// hundredth of what Header takes, and files that have it in common have their
// licence from one another.
func Wording(src []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(headOf(src)) {
		if mentionsLicence(line) {
			b.Write(bytes.TrimSpace(line))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// tagged returns the conjunction of the tags in head that can be read as an
// expression, "" when there are none.
func tagged(head []byte) string {
	var exprs []string
	for {
		before, rest, ok := bytes.Cut(head, tag)
		if !ok {
			break
		}
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		e := Expression(trimClosers(string(line)))
		if e != NoAssertion && !inCode(before) {
			exprs = append(exprs, e)
		}
		head = after
	}
	if exprs == nil {
		return ""
	}
	return And(exprs...)
}

// inCode reports whether the line before a tag opens a string after something
// else: then a program writes or looks for tags, and this is not the file's own.
func inCode(before []byte) bool {
	line := bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	return bytes.IndexAny(line, "\"'`") > 0 && !bytes.HasPrefix(line, []byte(`"""`)) && !bytes.HasPrefix(line, []byte("'''"))
}

func trimClosers(s string) string {
	for {
		s = strings.TrimSpace(s)
		t := s
		for _, c := range closers {
			t = strings.TrimSuffix(t, c)
		}
		if t == s {
			return s
		}
		s = t
	}
}

func notices(block []byte) []string {
	var exprs []string
	for _, m := range scan(block, foundOrNoNotice(block)).Match {
		if id := fromScanner(m.ID); id != "" {
			exprs = append(exprs, id)
		}
	}
	return exprs
}

// words betray comments about licences: "licence", "license", "copyright" and
// "redistribution" without what differs between their spellings.
var words = [][]byte{[]byte("icen"), []byte("ICEN"), []byte("opyright"), []byte("OPYRIGHT"), []byte("edistribution"), []byte("EDISTRIBUTION")}

// mentionsLicence tells the texts worth the scanner's 15 ns a byte.
func mentionsLicence(b []byte) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(b, w) })
}

// blocks are the comments that span lines, by what opens and closes them.
var blocks = []struct{ open, close string }{
	{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}, {"(*", "*)"}, {"{-", "-}"}, {"--[[", "]]"},
	{"=begin", "=end"}, {"=pod", "=cut"}, {"#|", "|#"}, {"<%--", "--%>"}, {"{#", "#}"}, {"#=", "=#"},
}

// lineMarks open comments that end with their line, in any of the languages.
var lineMarks = []string{"//", "#", "--", ";", "%", "*", `"`, "'", "!", "REM ", "dnl "}

// firstBytes are those that blocks and line marks start with.
const firstBytes = "/<\"'({-=#*;%!Rd"

// comments calls fn with each run of comment lines in head. It knows no language:
// a line counts when it starts with a mark some language has, or lies in a block.
// That errs on the side of text, which the scanner can tell apart.
func comments(head []byte, fn func([]byte)) {
	start, closer := -1, ""
	for pos := 0; pos < len(head); {
		end := pos + lineLen(head[pos:])
		line := bytes.TrimSpace(head[pos:end])
		var in bool
		in, closer = commentLine(line, closer)
		if in && start < 0 {
			start = pos
		}
		if !in && len(line) > 0 && start >= 0 {
			fn(head[start:pos])
			start = -1
		}
		pos = end
	}
	if start >= 0 {
		fn(head[start:])
	}
}

func lineLen(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// commentLine reports whether a trimmed line is of a comment, and what closes
// the block the next line is in.
func commentLine(line []byte, closer string) (in bool, next string) {
	if closer != "" {
		if bytes.Contains(line, []byte(closer)) {
			return true, ""
		}
		return true, closer
	}
	if len(line) == 0 || strings.IndexByte(firstBytes, line[0]) < 0 {
		return false, ""
	}
	for _, b := range blocks {
		if !bytes.HasPrefix(line, []byte(b.open)) {
			continue
		}
		if bytes.Contains(line[len(b.open):], []byte(b.close)) {
			return true, ""
		}
		return true, b.close
	}
	for _, m := range lineMarks {
		if bytes.HasPrefix(line, []byte(m)) {
			return true, ""
		}
	}
	return false, ""
}
