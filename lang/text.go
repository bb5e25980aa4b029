package lang

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/notebook"
)

// binaryHead is how many bytes git searches for a NUL byte to call a file binary.
const binaryHead = 8000

// Text returns what a content says: the content itself, the text of UTF-16, LF for lines that end with CR, the code of a notebook. Its
// lines are those of the file, except in notebooks with several lines in one of the file's. Offsets may be others.
func Text(name string, content []byte) []byte {
	text, _ := read(name, content)
	return text
}

// IsNotebook reports whether a file of this name has code in a language that only its content tells.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// InFile returns where bytes of a text are in the content that it was made of. In a notebook they are the lines of the file, or the
// whole file if it has several lines in one.
func InFile(name string, content, text []byte, from, to int) (first, end int) {
	if len(content) == len(text) && (len(text) == 0 || &content[0] == &text[0]) {
		return from, to
	}
	if !IsNotebook(name) && !mayBeUTF16(content) {
		return from, to // only line ends are others
	}
	if !IsNotebook(name) {
		units := func(text []byte) (n int) {
			for _, r := range string(text) {
				n += utf16.RuneLen(r)
			}
			return 2 * n
		}
		mark := (len(content) - units(text)) &^ 1
		return mark + units(text[:from]), mark + units(text[:to])
	}
	n, err := notebook.Read(content)
	if err != nil || !n.Script("", false).Numbers {
		return 0, len(content)
	}
	at, line := Lines(text), Lines(content)
	first, end = int(line.starts[at.Line(uint32(from))-1]), len(content)
	if last := at.Line(uint32(to - 1)); last < len(line.starts) {
		end = int(line.starts[last])
	}
	return first, end
}

func mayBeUTF16(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), binaryHead)], 0) >= 0
}

// withLines returns a text whose lines end with CR alone, as those of old Macs, with LF in its place; any other text as it is. Most
// compilers take CR for the end of a line. Otherwise a line comment would hide all that follows.
func withLines(text []byte) []byte {
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	alone := bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
	if alone <= bytes.Count(text, []byte{'\n'}) {
		return text
	}
	out := bytes.Clone(text)
	for i, c := range out {
		if c == '\r' && (i+1 == len(out) || out[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return out
}

// script is what is known of a text that was made of a notebook.
type script struct {
	language *Language // nil: the content is no notebook that can be read
	empty    bool      // it has no code
	detail   string    // what is read and what is not
}

func read(name string, content []byte) ([]byte, script) {
	if mayBeUTF16(content) {
		content = fromUTF16(content)
	}
	if !IsNotebook(name) || len(content) == 0 {
		return withLines(content), script{}
	}
	n, err := notebook.Read(content)
	if err != nil {
		return content, script{detail: fmt.Sprintf("read as words, since it is no notebook: %v", err)}
	}
	l := languageOf(n)
	made := n.Script(l.commentMark(), l.Family == "python")
	s := script{language: l, empty: made.Empty, detail: fmt.Sprintf("only its code is read, as %s: %d of %d cells of code", l.Name, made.Code-made.Left, made.Code)}
	if !made.Numbers {
		s.detail += "; lines are counted in the code and text of the cells, since the file has several of them in a line"
	}
	return made.Text, s
}

// kernels are languages that notebooks name otherwise than we do.
var kernels = map[string]string{"": "python", "ipython": "python", "ipython3": "python", "python3": "python", "sage": "python", "c++": "cpp", "c++11": "cpp",
	"c++14": "cpp", "c++17": "cpp", "c++20": "cpp", "c#": "csharp", "golang": "go", "lgo": "go"}

func languageOf(n *notebook.Notebook) *Language {
	name := strings.ToLower(n.Language)
	if other, ok := kernels[name]; ok {
		name = other
	}
	if l := ByName(name); l != nil {
		return l
	}
	return words
}

// commentMark begins a comment up to the end of the line, "" if there is none.
func (l *Language) commentMark() string {
	switch l.Family {
	case "words", "php": // in PHP, a text before the first "<?php" has no comments
		return ""
	case "python", "ruby", "bash":
		return "#"
	case "lua":
		return "--"
	}
	return "//"
}

// fromUTF16 returns a text in UTF-8 that is stored as UTF-16, as editors on Windows do. Any other content is returned as it is. The
// result has at most half as many bytes again; its lines are those of the text, its offsets are not.
func fromUTF16(content []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if !isUTF16(content, order) {
		if order = binary.BigEndian; !isUTF16(content, order) {
			return content
		}
	}
	units := make([]uint16, 0, len(content)/2)
	for at := 0; at+1 < len(content); at += 2 {
		units = append(units, order.Uint16(content[at:]))
	}
	text := make([]byte, 0, len(content))
	for _, r := range utf16.Decode(units) {
		text = utf8.AppendRune(text, r)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff"))
}

// isUTF16 reports whether the start of a content is text of UTF-16 in a byte order. It has no control characters. Behind a byte order
// mark a twentieth of it is ASCII, such as spaces and the ends of lines; without a mark nearly all of it is.
func isUTF16(content []byte, order binary.ByteOrder) bool {
	const mark = 0xfeff
	start := content[:min(len(content), binaryHead)&^1]
	if len(start) < 4 {
		return false
	}
	ascii := 0
	for at := 0; at < len(start); at += 2 {
		switch u := order.Uint16(start[at:]); {
		case u == '\t' || u == '\n' || u == '\f' || u == '\r' || u >= ' ' && u < 0x7f:
			ascii++
		case u < 0x80 || u >= 0xfffe:
			return false
		}
	}
	least := len(start) / 2 * 9 / 10
	if order.Uint16(start) == mark {
		least = len(start)/2/20 + 1
	}
	return ascii >= least
}
