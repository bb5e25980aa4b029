package license

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license/internal/comment"
)

// Modules holds what a text says about the licences of the modules in it. A bundle joins modules of many packages: neither its head
// nor its package speaks for each of them. Bundlers wrap modules, and minifiers keep the notices at their heads.
type Modules struct {
	text   []byte
	starts []module // ascending; fewer than two: the text is no bundle
	said   []said   // comments that state a licence, ascending
	head   int      // bytes before any code
	nested bool     // the name of a module says that it is of another package
}

// said is a comment that states a licence.
type said struct {
	Span
	expr string
}

// module is the beginning of a module, with the path that the bundler gives it, if any.
type module struct {
	at, end int // of the wrapper
	name    string
}

// InModule says how a part of a file relates to the licence of the file.
type InModule int

// Results of Modules.At.
const (
	OfFile   InModule = iota // it has the licence of the file
	OfNotice                 // a notice at the head of its module states another one
	Unstated                 // it is a module without a notice, in a bundle of modules of several packages
)

// wrapped lists the ways in which bundlers begin a module. A text without the sign is not searched. The first group is the name.
var wrapped = []struct {
	sign  string
	start func() *regexp.Regexp
}{
	{"_require__", compiled(`(?m)^/\*\*\*/ (?:"([^"\n]{1,300})"|\d+):|^/\*\*\*/ \(?function ?\(`)}, // webpack, ncc
	{"exports:{}", compiled(`[{,]\d+:(?:function\([\w$,]*\)|\([\w$,]*\)=>|[\w$]+=>)\s*\{`)},        // webpack, minified
	{"[function(", compiled(`[{,]\s*(?:\d+|"([^"\n]{1,300})"):\s*\[function\(`)},                   // browserify, parcel
	{"__commonJS(", compiled(`__commonJS\(\{\s*"([^"\n]{1,300})"`)},                                // esbuild
	{"// node_modules/", compiled(`(?m)^[ \t]*// ((?:[\w@.+-]+/)+[\w.-]+\.[cm]?[jt]sx?)$`)},        // esbuild
	{"define(", compiled(`(?m)^[ \t]*define\(\s*['"]([^'"\n]{1,300})['"]\s*,`)},                    // r.js
}

// ReadModules finds the modules of a bundle, and the notices in a text.
func ReadModules(text []byte) *Modules {
	m := &Modules{text: text}
	m.read()
	for _, start := range wrappersIn(text) {
		for _, at := range start.FindAllSubmatchIndex(text, -1) {
			s := module{at: at[0], end: at[1]}
			if len(at) > 2 && at[2] >= 0 {
				s.name = string(text[at[2]:at[3]])
			}
			m.nested = m.nested || strings.Contains(s.name, "node_modules/")
			m.starts = append(m.starts, s)
		}
	}
	slices.SortFunc(m.starts, func(a, b module) int { return a.at - b.at })
	m.merge()
	for i := range m.starts { // a notice right above a wrapper belongs to its module
		if above := m.before(m.starts[i].at); above >= 0 && len(bytes.TrimSpace(text[m.said[above].To:m.starts[i].at])) == 0 {
			m.starts[i].at = m.said[above].From
		}
	}
	return m
}

// wrappersIn lists the patterns of wrappers whose sign is in a text.
func wrappersIn(text []byte) (starts []*regexp.Regexp) {
	for _, w := range wrapped {
		if bytes.Contains(text, []byte(w.sign)) {
			starts = append(starts, w.start())
		}
	}
	return starts
}

// firstModule returns where the wrapper of the first module of a bundle begins; the length of the text if there is
// none.
func firstModule(text []byte) int {
	first := len(text)
	for _, start := range wrappersIn(text) {
		if at := start.FindIndex(text); at != nil {
			first = min(first, at[0])
		}
	}
	return first
}

// merge joins wrappers of which one begins where the other ends: webpack writes the name, then the function.
func (m *Modules) merge() {
	out := m.starts[:0]
	for _, s := range m.starts {
		if n := len(out); n > 0 && (s.at < out[n-1].end || len(bytes.TrimSpace(m.text[out[n-1].end:s.at])) == 0) {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	m.starts = out
}

// Bundle reports whether the text joins several modules.
func (m *Modules) Bundle() bool { return len(m.starts) > 1 }

// Bytes estimates the memory of m, besides the text.
func (m *Modules) Bytes() int {
	const each = 64
	return each * (len(m.starts) + len(m.said) + 1)
}

// before returns the index of the last notice that ends before a byte, -1 if there is none.
func (m *Modules) before(at int) int {
	return sort.Search(len(m.said), func(i int) bool { return m.said[i].To > at }) - 1
}

// noticeReach is how many bytes after a notice its code begins, in a text that is no bundle. The end of that code is unknown.
const noticeReach = 600

// At returns the licence of the bytes [from, to). own is the licence of the file. For OfNotice, Stated is the notice; for Unstated,
// it has the line on which the module begins.
func (m *Modules) At(from, to int, own string) (Stated, InModule) {
	bundle, start := m.Bundle(), module{}
	if bundle {
		i := sort.Search(len(m.starts), func(i int) bool { return m.starts[i].at > from })
		if i == 0 {
			return Stated{}, OfFile // what the bundler wrote itself
		}
		start = m.starts[i-1]
	}
	var exprs []string
	line := 0
	for i := max(0, m.before(from)); i < len(m.said); i++ {
		s := m.said[i]
		behind := s.To > from
		switch {
		case s.From >= to || !bundle && (behind || s.To <= m.head || from-s.To > noticeReach):
			i = len(m.said)
		case s.From >= start.at:
			if exprs = append(exprs, s.expr); line == 0 {
				line = lineAt(m.text, s.From)
			}
		}
	}
	switch {
	case len(exprs) > 0:
		return Stated{License: And(exprs...), Line: line}, OfNotice
	case bundle && !ownPath(start.name) && (m.nested || m.others(own)):
		return Stated{Line: lineAt(m.text, start.at)}, Unstated
	}
	return Stated{}, OfFile
}

// ownPath reports whether the name of a module is a path in the package itself.
func ownPath(name string) bool {
	return (strings.HasPrefix(name, "./") || strings.HasPrefix(name, "src/") || strings.HasPrefix(name, "lib/")) && !strings.Contains(name, "node_modules/")
}

// others reports whether a notice in a module states a licence that is not the file's.
func (m *Modules) others(own string) bool {
	have := Terms(own)
	return slices.ContainsFunc(m.said, func(s said) bool {
		return s.From >= m.starts[0].at && !slices.ContainsFunc(Terms(s.expr), func(t string) bool { return slices.Contains(have, t) })
	})
}

// read finds the comments of a script that state licences, and where its code begins.
func (m *Modules) read() {
	var heads Heads
	code := false
	ends := bytes.LastIndex(m.text, []byte("*/")) // of the last block: none is searched after it
	for at := 0; at < len(m.text); {
		c, ok := commentAt(m.text, at, ends)
		if ok {
			if e := heads.Read(m.text[c.From:c.To]).Named(); e != "" {
				m.said = append(m.said, said{c, e})
			}
			if at = c.To; !code {
				m.head = c.To
			}
			continue
		}
		next := bytes.IndexByte(m.text[at+1:], '/')
		if next < 0 {
			return
		}
		code = code || len(bytes.TrimSpace(m.text[at:at+1+next])) > 0
		at += 1 + next
	}
}

// commentAt returns the comment at a byte: a block, or all lines that begin with two slashes. A slash after a quote, a name or a
// star is part of a pattern of paths.
func commentAt(text []byte, at, ends int) (Span, bool) {
	if at+1 >= len(text) || text[at] != '/' {
		return Span{}, false
	}
	switch text[at+1] {
	case '*':
		if at > 0 && (inWord(text[at-1]) || bytes.IndexByte([]byte("'\"`*\\./"), text[at-1]) >= 0) {
			return Span{}, false
		}
		if at+2 > ends {
			return Span{}, false
		}
		end := bytes.Index(text[at+2:], []byte("*/"))
		return Span{at, at + 2 + end + 2}, true
	case '/':
		before := at
		for before > 0 && (text[before-1] == ' ' || text[before-1] == '\t') {
			before--
		}
		if before > 0 && text[before-1] != '\n' {
			return Span{}, false
		}
		end := at
		for end < len(text) {
			next := end + comment.LineLen(text[end:])
			if !bytes.HasPrefix(bytes.TrimSpace(text[end:next]), []byte("//")) {
				break
			}
			end = next
		}
		return Span{at, end}, true
	}
	return Span{}, false
}

func inWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
