// Package ignore matches paths with patterns of .gitignore's syntax, as git does. Its input is the text of an ignore file (Parse) or
// single patterns (Lines). Patterns.Match tells whether a path is ignored. glob.go has the matching of one pattern, in linear time.
package ignore

import (
	"bytes"
	"path"
	"strings"
)

// Patterns are the patterns of one file, in their order.
type Patterns []pattern

// Lines parses patterns that are given as separate strings.
func Lines(patterns []string) Patterns { return Parse([]byte(strings.Join(patterns, "\n")), false) }

// Invalid returns the first of some patterns that can match no path, or "". An empty pattern and a comment are none.
func Invalid(patterns []string) string {
	for _, s := range patterns {
		if s = trimBlanks(s); s == "" || s[0] == '#' {
			continue
		}
		if _, ok := parsePattern(s); !ok {
			return s
		}
	}
	return ""
}

// Decide returns what the last matching pattern says of a path; decided is false if none matches. The path is relative
// to the directory of the patterns.
func (ps Patterns) Decide(rel string, isDir bool) (ignored, decided bool) {
	for i := len(ps) - 1; i >= 0; i-- {
		if p := &ps[i]; p.match(rel, isDir) {
			return !p.negated, true
		}
	}
	return false, false
}

// Match reports whether a file is ignored, either itself or through a directory above it.
func (ps Patterns) Match(file string) bool {
	for i := range file {
		if file[i] == '/' {
			if ignored, _ := ps.Decide(file[:i], true); ignored {
				return true // git does not look below it
			}
		}
	}
	ignored, _ := ps.Decide(file, false)
	return ignored
}

// pattern is a compiled line of a .gitignore.
type pattern struct {
	negated  bool
	dirOnly  bool
	nameOnly bool // a pattern without a slash matches names in any directory below
	literal  string
	glob     glob // nil if literal is the whole pattern
}

// Parse reads a file of patterns, one a line. With foldCase it lower-cases them; paths must then be lower-cased too.
func Parse(b []byte, foldCase bool) Patterns {
	var patterns Patterns
	for l := range bytes.Lines(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))) {
		text := strings.TrimSuffix(strings.TrimSuffix(string(l), "\n"), "\r")
		if text == "" || text[0] == '#' {
			continue
		}
		if foldCase {
			text = strings.ToLower(text)
		}
		if p, ok := parsePattern(trimBlanks(text)); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// trimBlanks drops blanks at the end, except a blank quoted with a backslash.
func trimBlanks(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			end = i + 1
		case s[i] != ' ':
			end = i + 1
		}
	}
	return s[:end]
}

func parsePattern(s string) (pattern, bool) {
	var p pattern
	if rest, ok := strings.CutPrefix(s, "!"); ok {
		p.negated, s = true, rest
	}
	if rest, ok := strings.CutSuffix(s, "/"); ok {
		p.dirOnly, s = true, rest
	}
	p.nameOnly = !strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return p, false
	}
	if !strings.ContainsAny(s, wildcards) {
		p.literal = s
		return p, true
	}
	var ok bool
	p.glob, ok = compileGlob(s)
	return p, ok
}

func (p *pattern) match(rel string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.nameOnly {
		rel = path.Base(rel)
	}
	if p.glob == nil {
		return rel == p.literal
	}
	return p.glob.match(rel)
}
