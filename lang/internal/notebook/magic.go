package notebook

import (
	"strings"
)

// kindOfLine says what a line of a cell of code is.
type kindOfLine byte

const (
	code      kindOfLine = iota
	lineMagic            // a command of the notebook: %matplotlib inline, !ls
	cellMagic            // a line of a cell whose text the notebook gives to something else: %%html
)

// bodies are the cell magics whose cell is code of the kernel.
var bodies = map[string]bool{"%%": true, "%%time": true, "%%timeit": true, "%%capture": true, "%%prun": true, "%%lprun": true, "%%memit": true, "%%mprun": true, "%%scalene": true, "%%snakeviz": true}

// commands tells for each line of a cell what it is, nil if all is code. No language begins a line with a per cent sign, except in a
// string or, in Python, where an expression goes on.
func (c *Cell) commands(python bool) []kindOfLine {
	var out []kindOfLine
	note := func(i int, k kindOfLine) {
		if out == nil {
			out = make([]kindOfLine, len(c.Lines))
		}
		out[i] = k
	}
	var open continued
	first := true
	for i, l := range c.Lines {
		text := strings.TrimSpace(l.Text)
		if name, _, _ := strings.Cut(text, " "); first && strings.HasPrefix(text, "%%") && !bodies[name] {
			for i := range c.Lines {
				note(i, cellMagic)
			}
			return out
		}
		first = first && text == ""
		if !open.any() && isCommand(text, l.Text, python) {
			note(i, lineMagic)
			continue
		}
		if python {
			open.read(l.Text)
		}
	}
	return out
}

// isCommand reports whether a line that begins a statement is a command of the notebook. text is the line without the blanks around it.
func isCommand(text, line string, python bool) bool {
	switch {
	case text == "":
		return false
	case !python:
		return line[0] == '%' || strings.HasPrefix(line, "!*")
	case text[0] == '%', text[0] == '!', text[0] == '?':
		return true
	}
	return strings.HasSuffix(text, "?") && !strings.ContainsAny(text, "#\"'")
}

// continued tells whether a statement of Python goes on in the next line: in a string, in brackets, or after a backslash.
type continued struct {
	quotes   string // three quotes that are open
	brackets int
	slash    bool
}

func (o *continued) any() bool { return o.quotes != "" || o.brackets > 0 || o.slash }

func (o *continued) read(line string) {
	o.slash = false
	for i := 0; i < len(line); i++ {
		c := line[i]
		if o.quotes != "" {
			switch {
			case c == '\\':
				i++
			case strings.HasPrefix(line[i:], o.quotes):
				i += 2
				o.quotes = ""
			}
			continue
		}
		switch c {
		case '#':
			return
		case '(', '[', '{':
			o.brackets++
		case ')', ']', '}':
			o.brackets = max(0, o.brackets-1)
		case '\\':
			o.slash = i == len(line)-1
		case '\'', '"':
			if three := strings.Repeat(string(c), 3); strings.HasPrefix(line[i:], three) {
				o.quotes = three
				i += 2
				continue
			}
			i = endOfString(line, i)
		}
	}
}

// endOfString returns the place of the quote that closes the one at from, or the end of the line.
func endOfString(line string, from int) int {
	for i := from + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[from]:
			return i
		}
	}
	return len(line)
}
