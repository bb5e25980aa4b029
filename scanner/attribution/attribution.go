// Package attribution finds statements on the origin of code in a text. Its input is the bytes of a target, an origin or a notice
// file. Its output is statements with their lines, and the marks by which a person allowed a copy. Package verdict evaluates
// statements; this package knows neither findings nor licences.
//
// Texts are read line by line, in linear time. Comments are recognised by simple means: marks at the start of a line, blocks, and
// marks after code outside of quotes. An error adds or loses a statement; a verdict depends only on statements that name the
// origin that was found.
//
//	attribution.go  Scan: the statements of a text, line by line
//	comment.go      which lines are comments, and what they say
//	needles.go      quick look: lines without these strings have no statement
//	source.go       "copied from …" and its like
//	title.go        name and version at the head of a file
//	copyright.go    copyright lines
//	holders.go      holders of copyrights; which names are those of one holder
//	links.go        links, and the projects that they lead to
//	names.go        whether a statement names the package or the file of an origin
//	notice.go       notice files
//	allow.go        marks by which a person allowed a copy
package attribution

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is the form of a statement.
type Kind string

// Kinds of statements.
const (
	License    Kind = "spdx-license" // SPDX-License-Identifier or @license
	Snippet    Kind = "spdx-snippet" // a tag in an SPDX snippet
	Copyright  Kind = "copyright"
	CopiedFrom Kind = "copied-from" // copied, adapted, ported from; a link
	Title      Kind = "title"       // a name and a version at the head of a file
	NoticeFile Kind = "notice-file" // a line of a file that lists the origins of a repository's code
)

// Limits, in bytes: maxLine of one line, maxText of a quoted line. maxStatements limits the statements of a text. Minified files
// have licences at the start of lines of megabytes. A file of ten thousand statements is a list.
const (
	maxLine       = 1000
	maxStatements = 10000
	maxText       = 240
	// maxHead is the last line that can belong to a head. The longest licence in common use has about 200 lines, and few files
	// repeat it.
	maxHead = 250
)

// Statement is a line that states where code comes from or who owns it.
type Statement struct {
	Kind   Kind
	Line   int      // 1-based
	Text   string   // the line without comment marks, and the next line of the comment if the sentence continues there
	Holder string   // of the copyright, as written
	More   []string // further holders that the line, or those below, name
	SPDX   string   // the licence claimed, as written
	Source string   // the source that the code is said to be copied from; of a title the name
	Strong bool     // it says "copied", not only "based on" or a link
	Head   bool     // before any code; of a holder or a licence also after all code
	Banner bool     // of a title: its comment opens with /*!, as each part of a bundle has one
	From   int      // lines of the snippet, or of the comment
	To     int      // that contains the statement
}

// Scan returns the statements of a text in order. In prose every line is read, in code only comments are.
func Scan(text []byte, prose bool) []Statement {
	s := scan{lines: comments(text, prose), prose: prose}
	s.head, s.footer = head(s.lines), footer(s.lines)
	for i := range s.lines {
		if len(s.out) >= maxStatements {
			break
		}
		s.line(i)
	}
	s.closeSnippet(len(s.lines))
	return s.out
}

// scan is the state of reading one text.
type scan struct {
	lines   []line
	prose   bool
	head    int // number of lines before any code
	footer  int // first line after all code
	out     []Statement
	snippet int // line of the open snippet, 0 if there is none
	first   int // index of its first statement
}

func (s *scan) line(i int) {
	s.title(i)
	if speaks(s.lines[i].text) {
		s.all(i)
	}
}

// all searches a line for every form of statement.
func (s *scan) all(i int) {
	low := strings.ToLower(s.lines[i].text)
	switch {
	case strings.Contains(low, "spdx-snippetbegin"):
		s.closeSnippet(i)
		s.snippet, s.first = i+1, len(s.out)
	case strings.Contains(low, "spdx-snippetend"):
		s.closeSnippet(i + 1)
	case s.tag(i, low):
	case s.copyright(i, low):
	default:
		s.source(i, low)
	}
}

// add adds a statement of line i.
func (s *scan) add(i int, st Statement) {
	l := &s.lines[i]
	st.Line, st.Head = i+1, s.snippet == 0 && (i < s.head || i >= s.footer && (st.Kind == Copyright || st.Kind == License))
	st.From, st.To = l.from+1, l.to+1
	if st.Text == "" {
		st.Text = clip(l.text)
	}
	if s.snippet > 0 {
		st.Kind, st.From = Snippet, s.snippet
	}
	for _, v := range []*string{&st.Text, &st.Holder, &st.SPDX, &st.Source} {
		*v = strings.Clone(*v) // a substring would keep the whole text in memory
	}
	s.out = append(s.out, st)
}

// closeSnippet sets the last line of the open snippet on its statements.
func (s *scan) closeSnippet(last int) {
	if s.snippet == 0 {
		return
	}
	for i := s.first; i < len(s.out); i++ {
		s.out[i].To = max(last, s.snippet)
	}
	s.snippet = 0
}

// tags lists the tags that state a licence, a holder or a source, in lower case.
var tags = []struct {
	name string
	set  func(*Statement, string)
}{
	{"spdx-license-identifier:", license},
	{"spdx-snippetlicenseconcluded:", license},
	{"licenseinfoinsnippet:", license},
	{"snippetlicenseconcluded:", license},
	{"spdx-filecopyrighttext:", copyrightText},
	{"spdx-snippetcopyrighttext:", copyrightText},
	{"snippetcopyrighttext:", copyrightText},
	{"spdx-snippetcomment:", source},
	{"snippetcomment:", source},
	{"spdx-snippetname:", source},
	{"snippetname:", source},
	{"snippetfromfilespdxid:", source},
	{"@license ", license},
	{"@licence ", license},
	{"@copyright ", copyrightText},
	{"@author ", author},
}

func license(st *Statement, v string)       { st.Kind, st.SPDX = License, v }
func copyrightText(st *Statement, v string) { st.Kind, st.Holder = Copyright, holder(v) }
func author(st *Statement, v string)        { st.Kind, st.Holder = Copyright, holder(v) }
func source(st *Statement, v string)        { st.Kind, st.Source, st.Strong = CopiedFrom, v, true }

// tag reads a line that contains one of the tags.
func (s *scan) tag(i int, low string) bool {
	text := s.lines[i].text
	for _, t := range tags {
		at := strings.Index(low, t.name)
		if at < 0 || strings.ContainsAny(text[:at], "\"'`") || len(low) != len(text) {
			continue // in a string: a program that writes or searches for tags
		}
		var st Statement
		t.set(&st, strings.TrimSpace(text[at+len(t.name):]))
		s.add(i, st)
		return true
	}
	return false
}

// clip shortens a text so that it can be quoted.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > 0 && s[end]&0xC0 == 0x80 { // not within a character
		end--
	}
	return s[:end] + "…"
}

// reach is how many lines above a region, or the function that contains it, a comment can end and still apply to it.
const reach = 15

// rest are words of a sentence on everything below it, in lower case.
var rest = []string{"below this line", "below this point", "below this comment", "everything below", "code below", "functions below", "methods below", "types below",
	"rest of this file", "rest of the file", "remainder of this file", "remainder of the file"}

// ofRest reports whether a statement says where everything below it comes from.
func (s Statement) ofRest() bool {
	low := strings.ToLower(s.Text)
	return s.Kind == CopiedFrom && slices.ContainsFunc(rest, func(words string) bool { return strings.Contains(low, words) })
}

// Near returns the statements that apply to a region, the nearest first: those within it, in a comment above it or its function,
// on everything below them, at the head of the file, or in a snippet that contains half of the region. The end of a comment counts,
// since a licence is long: in a bundle, its first line with the holder is far above the code.
func Near(ss []Statement, from, to, function int) []Statement {
	start := from
	if function > 0 {
		start = min(function, from)
	}
	type near struct {
		Statement
		far int
	}
	var ns []near
	for _, s := range ss {
		switch {
		case s.Kind == Snippet:
			if over := min(s.To, to) - max(s.From, from) + 1; 2*over >= to-from+1 {
				ns = append(ns, near{s, 0})
			}
		case s.Line >= from && s.Line <= to:
			ns = append(ns, near{s, 0})
		case s.Line < from && (min(s.To, from) >= start-reach || s.ofRest()):
			ns = append(ns, near{s, from - s.Line})
		case s.Head:
			ns = append(ns, near{s, max(reach+1, from-s.Line)})
		}
	}
	slices.SortStableFunc(ns, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	out := make([]Statement, len(ns))
	for i, n := range ns {
		out[i] = n.Statement
	}
	return out
}

// Direct reports whether a statement applies to this very region: it is in the region, in the comment right above it or its
// function, or in its snippet.
func (s Statement) Direct(from, to, function int) bool {
	if s.Kind == Snippet {
		return true // Near has checked it
	}
	return s.Line >= from && s.Line <= to || s.Line < from && (above(s.To, from) || above(s.To, function))
}
