// Package configfile reads the format of git's configuration files. It opens no file, and knows no setting.
package configfile

import (
	"bytes"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// Setting is one line of a file. Section and Key are in lower case.
type Setting struct {
	Section, Subsection, Key string
	Value                    string
	Bare                     bool // a key without a value, which means true
}

// IsTrue reports whether the value means true.
func (s Setting) IsTrue() bool {
	switch strings.ToLower(s.Value) {
	case "true", "yes", "on", "1":
		return true
	}
	return s.Bare
}

// Parse reads the text of a file, which errors call name. Included files are not followed.
func Parse(name string, b []byte) ([]Setting, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	p := parser{name: name, text: strings.ReplaceAll(string(b), "\r\n", "\n")}
	var settings []Setting
	var current Setting
	for p.skipBlank() {
		var err error
		if p.peek() == '[' {
			current, err = p.header()
		} else {
			var s Setting
			s, err = p.assignment(current)
			settings = append(settings, s)
		}
		if err != nil {
			return nil, err
		}
	}
	return settings, nil
}

type parser struct {
	name, text string
	at         int
}

// peek returns the next byte. At the end of the file it returns a line end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return '\n'
}

func (p *parser) corrupt(detail string) error {
	return &object.CorruptError{What: "configuration " + p.name, Offset: int64(p.at), Detail: detail}
}

// skipBlank skips white space and comments, and reports whether anything follows.
func (p *parser) skipBlank() bool {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r', '\v', '\f':
			p.at++
		case '#', ';':
			p.skipLine()
		default:
			return true
		}
	}
	return false
}

func (p *parser) skipLine() {
	for p.peek() != '\n' {
		p.at++
	}
}

// word reads letters, digits, dashes and the characters in also, in lower case.
func (p *parser) word(also string) string {
	rest := p.text[p.at:]
	n := strings.IndexFunc(rest, func(c rune) bool {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		return !letter && !digit && c != '-' && !strings.ContainsRune(also, c)
	})
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return strings.ToLower(rest[:n])
}

func (p *parser) skipSpaces() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
}

// header reads [section], [section "subsection"] or the old [section.subsection].
func (p *parser) header() (Setting, error) {
	p.at++
	s := Setting{Section: p.word(".")}
	if s.Section == "" {
		return s, p.corrupt("section without name")
	}
	s.Section, s.Subsection, _ = strings.Cut(s.Section, ".")
	p.skipSpaces()
	if p.peek() == '"' {
		p.at++
		var name strings.Builder
		for p.peek() != '"' {
			if p.peek() == '\\' {
				p.at++
			}
			if p.peek() == '\n' {
				return s, p.corrupt("unfinished name of a subsection")
			}
			name.WriteByte(p.text[p.at])
			p.at++
		}
		p.at++
		s.Subsection = name.String()
	}
	if p.peek() != ']' {
		return s, p.corrupt("unfinished section header")
	}
	p.at++
	return s, nil
}

// assignment reads "key = value" or a key alone.
func (p *parser) assignment(s Setting) (Setting, error) {
	if s.Key = p.word(""); s.Key == "" {
		return s, p.corrupt("neither section nor key")
	}
	p.skipSpaces()
	switch p.peek() {
	case '\n', '#', ';':
		s.Bare = true
		return s, nil
	case '=':
		p.at++
		p.skipSpaces()
		var err error
		s.Value, err = p.value()
		return s, err
	}
	return s, p.corrupt("key without value")
}

// value reads up to the end of the line or a comment. Quotes keep blanks; a backslash at the end continues the line.
func (p *parser) value() (string, error) {
	var v strings.Builder
	quoted, end := false, 0 // end is where possibly trailing blanks begin
	for {
		c := p.peek()
		switch {
		case c == '\n' && quoted:
			return "", p.corrupt("unfinished quotes")
		case c == '\n':
			return v.String()[:end], nil
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			return v.String()[:end], nil
		case c == '"':
			quoted = !quoted
			end = v.Len()
		case c == '\\':
			p.at++
			at := strings.IndexByte("ntb\"\\\n", p.peek())
			if at < 0 {
				return "", p.corrupt("unknown escape")
			}
			if p.peek() != '\n' { // a line end continues the line
				v.WriteByte("\n\t\b\"\\"[at])
			}
			end = v.Len()
		default:
			v.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				end = v.Len()
			}
		}
		if p.at++; p.at > len(p.text) {
			return v.String()[:end], nil
		}
	}
}
