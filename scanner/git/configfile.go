package git

import (
	"bytes"
	"strings"
)

// setting is one line of a git configuration file. section and key are in lower case.
type setting struct {
	section, subsection, key string
	value                    string
	bare                     bool // a key without a value, which means true
}

func (s setting) isTrue() bool {
	switch strings.ToLower(s.value) {
	case "true", "yes", "on", "1":
		return true
	}
	return s.bare
}

// parseConfig reads git's configuration format. Included files are not followed.
func parseConfig(name string, b []byte) ([]setting, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	p := configParser{name: name, text: strings.ReplaceAll(string(b), "\r\n", "\n")}
	var settings []setting
	var current setting
	for p.skipBlank() {
		var err error
		if p.peek() == '[' {
			current, err = p.header()
		} else {
			var s setting
			s, err = p.assignment(current)
			settings = append(settings, s)
		}
		if err != nil {
			return nil, err
		}
	}
	return settings, nil
}

type configParser struct {
	name, text string
	at         int
}

// peek returns the next byte. At the end of the file it returns a line end.
func (p *configParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return '\n'
}

func (p *configParser) corrupt(detail string) error {
	return &CorruptError{What: "configuration " + p.name, Offset: int64(p.at), Detail: detail}
}

// skipBlank skips white space and comments, and reports whether anything follows.
func (p *configParser) skipBlank() bool {
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

func (p *configParser) skipLine() {
	for p.peek() != '\n' {
		p.at++
	}
}

// word reads letters, digits, dashes and the characters in also, in lower case.
func (p *configParser) word(also string) string {
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

func (p *configParser) skipSpaces() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
}

// header reads [section], [section "subsection"] or the old [section.subsection].
func (p *configParser) header() (setting, error) {
	p.at++
	s := setting{section: p.word(".")}
	if s.section == "" {
		return s, p.corrupt("section without name")
	}
	s.section, s.subsection, _ = strings.Cut(s.section, ".")
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
		s.subsection = name.String()
	}
	if p.peek() != ']' {
		return s, p.corrupt("unfinished section header")
	}
	p.at++
	return s, nil
}

// assignment reads "key = value" or a key alone.
func (p *configParser) assignment(s setting) (setting, error) {
	if s.key = p.word(""); s.key == "" {
		return s, p.corrupt("neither section nor key")
	}
	p.skipSpaces()
	switch p.peek() {
	case '\n', '#', ';':
		s.bare = true
		return s, nil
	case '=':
		p.at++
		p.skipSpaces()
		var err error
		s.value, err = p.value()
		return s, err
	}
	return s, p.corrupt("key without value")
}

// value reads up to the end of the line or a comment. Quotes keep blanks; a backslash at the end continues the line.
func (p *configParser) value() (string, error) {
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
