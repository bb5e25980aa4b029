// Package attribution reads what a text says about where its code comes from.
// The bytes of a target, an origin or a notice file flow in; statements with
// their lines, and the marks by which somebody allowed a copy, flow out. Package
// verdict decides what a statement is worth: nothing here knows findings or licences.
//
// Reading is by line and linear in the text. Comments are told from code by what
// is cheap: marks at the start of a line, blocks, and marks behind code outside
// of quotes. Where that errs, a statement more or less is listed; no verdict
// hangs on a statement that does not name the very origin that was found.
package attribution

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is the form a statement has.
type Kind string

// The kinds of statements.
const (
	License    Kind = "spdx-license" // SPDX-License-Identifier or @license
	Snippet    Kind = "spdx-snippet" // a tag in an SPDX snippet
	Copyright  Kind = "copyright"
	CopiedFrom Kind = "copied-from" // copied, adapted, ported from; a link
	Title      Kind = "title"       // a name and a version at the head of a file
	NoticeFile Kind = "notice-file" // a line of a file that lists what a repository has from others
)

// Bounds: of what is read of one line, of a text's statements and of one quoted.
// Licences of minified files stand at the start of lines of megabytes; a file of
// ten thousand statements is a list of them.
const (
	maxLine       = 1000
	maxStatements = 10000
	maxText       = 240
	// maxHead is the last line that can be of a head: the longest licence in
	// common use has about 200 lines, few repeat it in a file.
	maxHead = 250
)

// Statement is one line that says where code comes from or whose it is.
type Statement struct {
	Kind   Kind
	Line   int    // 1-based
	Text   string // the line without comment marks; more of the comment follows where the line ends in mid-sentence
	Holder string // of the copyright, as it is written
	SPDX   string // the licence claimed, as it is written
	Source string // what is said to be copied; of a title the name
	Strong bool   // says "copied", not only "based on" or a link
	Head   bool   // stands before any code
	From   int    // in a snippet: the snippet's lines; else the lines of the
	To     int    // comment it stands in
}

// Scan returns the statements of a text in order. In prose every line speaks; in
// code only comments do.
func Scan(text []byte, prose bool) []Statement {
	s := scan{lines: comments(text, prose), prose: prose}
	s.head = head(s.lines)
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
	head    int // lines before any code
	out     []Statement
	snippet int // line of the open snippet, 0 when there is none
	first   int // its first statement
}

func (s *scan) line(i int) {
	s.title(i)
	if speaks(s.lines[i].text) {
		s.all(i)
	}
}

// all reads a line for every form of statement.
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

// add appends a statement of line i.
func (s *scan) add(i int, st Statement) {
	l := &s.lines[i]
	st.Line, st.Head = i+1, i < s.head && s.snippet == 0
	st.From, st.To = l.from+1, l.to+1
	if st.Text == "" {
		st.Text = clip(l.text)
	}
	if s.snippet > 0 {
		st.Kind, st.From = Snippet, s.snippet
	}
	for _, v := range []*string{&st.Text, &st.Holder, &st.SPDX, &st.Source} {
		*v = strings.Clone(*v) // or a line would keep the whole text in memory
	}
	s.out = append(s.out, st)
}

// closeSnippet gives the statements of the open snippet its last line.
func (s *scan) closeSnippet(last int) {
	if s.snippet == 0 {
		return
	}
	for i := s.first; i < len(s.out); i++ {
		s.out[i].To = max(last, s.snippet)
	}
	s.snippet = 0
}

// tags are those that state a licence, a holder or a source, lower-cased.
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

// tag reads a line that has one of the tags.
func (s *scan) tag(i int, low string) bool {
	text := s.lines[i].text
	for _, t := range tags {
		at := strings.Index(low, t.name)
		if at < 0 || strings.ContainsAny(text[:at], "\"'`") || len(low) != len(text) {
			continue // in a string: a program that writes or looks for tags
		}
		var st Statement
		t.set(&st, strings.TrimSpace(text[at+len(t.name):]))
		s.add(i, st)
		return true
	}
	return false
}

// clip keeps a text short enough to be quoted.
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

// reach is how far above a region, or the function it lies in, the comment of a statement can
// end that is about it.
const reach = 15

// Near returns the statements that are about a region: within it, in a comment above it or
// its function, at the head of the file, or in a snippet of which the region is
// a part. The nearest come first. A licence is long: in a bundle its first line, with
// the holder, stands far above the code that it is about.
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
		case s.Line < from && min(s.To, from) >= start-reach:
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

// Direct reports whether a statement is about this very region: it stands in it,
// in the comment right above it or its function, or in its snippet.
func (s Statement) Direct(from, to, function int) bool {
	if s.Kind == Snippet {
		return true // Near has seen to it
	}
	return s.Line >= from && s.Line <= to || s.Line < from && (above(s.To, from) || above(s.To, function))
}
