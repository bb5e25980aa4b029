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

// Stated is what the head of a file says of its licence.
type Stated struct {
	License string // SPDX expression; "" when the head states none
	Tag     bool   // by an SPDX-License-Identifier, not by a text, notice or sentence
	Line    int    // where that begins
}

// Header returns the licence a file's head states for the file, as an SPDX
// expression; "" when the head states none or points to one without naming it.
func Header(src []byte) string { return Head(src).Named() }

// Named returns the licence that is stated, "" if none is or only that it is like
// some other.
func (s Stated) Named() string {
	if hint(s.License) {
		return ""
	}
	return s.License
}

// Head reads what a file's head states of the licence of the file: its
// SPDX-License-Identifier tags, or else what the licence texts, notices and links
// in its comments say, or else what a comment names in a few words. Tags of an
// SPDX snippet are the snippet's, not the file's.
func Head(src []byte) Stated {
	head := headOf(src)
	if e, at := tagged(head); e != "" {
		return Stated{e, true, lineAt(head, at)}
	}
	if e, at := annotated(head); e != "" {
		return Stated{e, false, lineAt(head, at)}
	}
	if !mentionsLicence(head) && !bytes.Contains(head, []byte("ublic domain")) {
		return Stated{}
	}
	var exprs, short []string
	line, shortLine := 0, 0
	comments(head, func(block []byte, start int) {
		if !mentionsLicence(block) && !bytes.Contains(block, []byte("ublic domain")) {
			return
		}
		found, at := notices(block)
		if len(exprs) == 0 && len(found) > 0 {
			line = lineAt(head, start+at)
		}
		exprs = append(exprs, found...)
		if len(found) > 0 || len(short) > 0 {
			return
		}
		if e, at := named(block); e != "" {
			short, shortLine = []string{e}, lineAt(head, start+at)
		}
	})
	if len(exprs) == 0 {
		exprs, line = short, shortLine
	}
	if len(exprs) == 0 {
		return Stated{}
	}
	return Stated{And(exprs...), false, line}
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte{'\n'}) }

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
// expression, and where the first stands; "" when there are none.
func tagged(all []byte) (expr string, at int) {
	var exprs []string
	head := all
	for {
		before, rest, ok := bytes.Cut(head, tag)
		if !ok {
			break
		}
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		e := Expression(trimClosers(string(line)))
		if e != NoAssertion && !inCode(before) {
			if exprs == nil {
				at = len(all) - len(rest) - len(tag)
			}
			exprs = append(exprs, e)
		}
		head = after
	}
	if exprs == nil {
		return "", 0
	}
	return And(exprs...), at
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

// notices returns the licences of the texts, notices and links in a comment, and
// where the first begins.
func notices(block []byte) (exprs []string, at int) {
	for _, m := range scan(block, foundOrNoNotice(block)).Match {
		if id := fromScanner(m.ID); id != "" {
			if exprs == nil {
				at = m.Start
			}
			exprs = append(exprs, id)
		}
	}
	return exprs, at
}

// words betray comments about licences: "licence", "license", "copyright" and
// "redistribution" without what differs between their spellings, and what the zlib licence has.
var words = [][]byte{[]byte("icen"), []byte("ICEN"), []byte("opyright"), []byte("OPYRIGHT"), []byte("edistribution"), []byte("EDISTRIBUTION"), []byte("ermission is granted")}

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

// comments calls fn with each run of comment lines in head and where it begins. It knows no language:
// a line counts when it starts with a mark some language has, or lies in a block.
// That errs on the side of text, which the scanner can tell apart.
func comments(head []byte, fn func(block []byte, start int)) {
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
			fn(head[start:pos], start)
			start = -1
		}
		pos = end
	}
	if start >= 0 {
		fn(head[start:], start)
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
