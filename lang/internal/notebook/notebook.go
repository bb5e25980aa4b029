// Package notebook reads Jupyter notebooks of the formats 3 and 4: JSON with cells of code and of text. It returns the lines of the
// cells with the lines of the file that they are in, and makes one script of them.
package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Notebook is what a file says without its outputs.
type Notebook struct {
	Language string // of the kernel as the file names it, "" if it does not
	Cells    []Cell // of code and of text, in their order
}

// Cell is a cell of code or of text.
type Cell struct {
	Code  bool
	Lines []Line
}

// Line is a line of a cell.
type Line struct {
	Text string // without its end
	At   int    // the line of the file that it begins on, from 1
}

var errNone = errors.New("no cells of the formats 3 and 4")

// Read reads a notebook. Its work and memory grow with the length of the content only, however deep values are nested.
func Read(content []byte) (*Notebook, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	r := &reader{dec: json.NewDecoder(bytes.NewReader(content)), content: content, line: 1}
	if err := r.object(r.top); err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more behind the notebook")
	}
	if !r.cells {
		return nil, errNone
	}
	return &r.out, nil
}

// reader is one run of Read. Each of its functions reads one value.
type reader struct {
	dec     *json.Decoder
	content []byte
	at      int // bytes read
	line    int // the line of that byte
	lines   int // of all cells
	cells   bool
	out     Notebook
}

func (r *reader) next() (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	end := int(r.dec.InputOffset())
	r.line += bytes.Count(r.content[r.at:end], []byte{'\n'})
	r.at = end
	return t, nil
}

// skip passes over a value.
func (r *reader) skip() error {
	t, err := r.next()
	if err != nil {
		return err
	}
	return r.leave(t)
}

// leave passes over the rest of a value that begins with a token.
func (r *reader) leave(t json.Token) (err error) {
	for depth := 0; ; {
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
		if t, err = r.next(); err != nil {
			return err
		}
	}
}

// object calls value for each key of an object. Any other value is passed over.
func (r *reader) object(value func(key string) error) error {
	return r.each('{', func() error {
		key, err := r.next()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		return value(name)
	})
}

// list calls value for each value of an array. Any other value is passed over.
func (r *reader) list(value func() error) error { return r.each('[', value) }

func (r *reader) each(open json.Delim, member func() error) error {
	t, err := r.next()
	if err != nil {
		return err
	}
	if t != open {
		return r.leave(t)
	}
	for r.dec.More() {
		if err := member(); err != nil {
			return err
		}
	}
	_, err = r.next()
	return err
}

func (r *reader) top(key string) error {
	switch key {
	case "cells":
		return r.list(r.cell)
	case "worksheets":
		return r.list(func() error { return r.object(r.sheet) })
	case "metadata":
		return r.object(r.metadata)
	}
	return r.skip()
}

func (r *reader) sheet(key string) error {
	if key == "cells" {
		return r.list(r.cell)
	}
	return r.skip()
}

func (r *reader) metadata(key string) error {
	switch key {
	case "kernelspec":
		return r.object(func(key string) error { return r.language(key == "language") })
	case "language_info":
		return r.object(func(key string) error { return r.language(key == "name") })
	}
	return r.language(key == "language")
}

// language reads the name of the language if the value is one and none was read before.
func (r *reader) language(is bool) error {
	t, err := r.next()
	if err != nil {
		return err
	}
	if name, ok := t.(string); ok && is && r.out.Language == "" {
		r.out.Language = name
	}
	return r.leave(t)
}

func (r *reader) cell() error {
	r.cells = true
	var kind string
	var c Cell
	err := r.object(func(key string) error {
		switch key {
		case "cell_type":
			t, err := r.next()
			if err != nil {
				return err
			}
			kind, _ = t.(string)
			return r.leave(t)
		case "source", "input": // format 3 calls the source of code its input
			return r.source(&c)
		}
		return r.skip()
	})
	if c.Code = kind == "code"; err == nil && (c.Code || kind == "markdown" || kind == "heading") {
		r.out.Cells = append(r.out.Cells, c)
	}
	return err
}

// maxLines bounds the lines of a notebook: a line takes 24 bytes of memory and may take two of the file.
const maxLines = 1 << 20

// source reads the text of a cell: a string, or a list of strings that are nearly always lines.
func (r *reader) source(c *Cell) error {
	var line []byte
	at := 0 // the line of the file that line begins on, 0 if it has not begun
	end := func() {
		c.Lines = append(c.Lines, Line{string(bytes.TrimSuffix(line, []byte{'\r'})), at})
		line, at = line[:0], 0
		r.lines++
	}
	add := func(s string) {
		for s != "" && r.lines <= maxLines {
			text, rest, whole := strings.Cut(s, "\n")
			if line = append(line, text...); at == 0 {
				at = r.line
			}
			if s = rest; whole {
				end()
			}
		}
	}
	t, err := r.next()
	if err != nil {
		return err
	}
	if s, ok := t.(string); ok {
		add(s)
	} else if err := r.strings(t, add); err != nil {
		return err
	}
	if at > 0 {
		end()
	}
	if r.lines > maxLines {
		return fmt.Errorf("more than %d lines", maxLines)
	}
	return nil
}

// strings calls add for each string of the array that begins with t. Any other value is passed over.
func (r *reader) strings(t json.Token, add func(string)) (err error) {
	if t != json.Delim('[') {
		return r.leave(t)
	}
	for r.dec.More() {
		if t, err = r.next(); err != nil {
			return err
		}
		if s, ok := t.(string); ok {
			add(s)
		}
		if err := r.leave(t); err != nil {
			return err
		}
	}
	_, err = r.next()
	return err
}

// Script is the code of a notebook as one text. Text and commands of the notebook are comments in it.
type Script struct {
	Text    []byte
	Numbers bool // each line has the number that it has in the file
	Code    int  // cells of code
	Left    int  // of these, cells that are no code of the kernel
	Empty   bool // there is no line of code
}

// Script makes the script. Its comments begin with mark; without a mark it has none. python tells that the code is Python.
func (n *Notebook) Script(mark string, python bool) Script {
	s := Script{Numbers: true, Empty: true}
	at := 0
	for _, c := range n.Cells {
		for _, l := range c.Lines {
			s.Numbers = s.Numbers && l.At > at
			at = l.At
		}
	}
	var b bytes.Buffer
	line := 1
	for _, c := range n.Cells {
		if c.Code {
			s.Code++
		}
		out := c.commands(python)
		if c.Code && len(out) > 0 && out[0] == cellMagic {
			s.Left++
		}
		for i, l := range c.Lines {
			for ; s.Numbers && line < l.At; line++ {
				b.WriteByte('\n')
			}
			switch {
			case c.Code && (out == nil || out[i] == code):
				b.WriteString(l.Text)
				s.Empty = s.Empty && strings.TrimSpace(l.Text) == ""
			case mark != "":
				fmt.Fprintf(&b, "%s %s", mark, l.Text)
			}
			if !s.Numbers {
				b.WriteByte('\n')
			}
		}
		if len(c.Lines) > 0 {
			b.WriteByte('\n') // ends the last line, or the cell
			line++
		}
	}
	s.Text = b.Bytes()
	return s
}
