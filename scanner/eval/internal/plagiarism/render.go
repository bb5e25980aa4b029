package plagiarism

import (
	"fmt"
	"strings"
)

// style is the layout of a program.
type style struct {
	indent   string
	own      bool // an opening brace is on a line of its own
	comments int  // a comment before one in this many statements; 0 for none
}

// render writes a program.
func (p program) render(s style) []byte {
	w := writer{style: s, python: p.python}
	w.nodes(p.nodes, 0)
	return []byte(w.String())
}

type writer struct {
	strings.Builder
	style
	python bool
	seen   int
}

func (w *writer) nodes(ns []node, depth int) {
	for _, n := range ns {
		w.comment(depth)
		w.line(depth, text(n.words))
		switch {
		case !n.block:
		case w.python:
			w.WriteString(":")
			if len(n.body) == 0 {
				w.line(depth+1, "pass")
			}
			w.nodes(n.body, depth+1)
		default:
			if w.own {
				w.line(depth, "{")
			} else {
				w.WriteString(" {")
			}
			w.nodes(n.body, depth+1)
			w.line(depth, "}")
		}
	}
}

func (w *writer) line(depth int, s string) {
	if w.Len() > 0 {
		w.WriteString("\n")
	}
	w.WriteString(strings.Repeat(w.indent, depth) + s)
}

// comment writes a comment before some statements.
func (w *writer) comment(depth int) {
	w.seen++
	if w.comments == 0 || w.seen%w.comments != 0 {
		return
	}
	mark := "// "
	if w.python {
		mark = "# "
	}
	w.line(depth, fmt.Sprintf("%spart %d", mark, w.seen/w.comments))
}

func text(ws []word) string {
	var b strings.Builder
	for i, w := range ws {
		if i > 0 && w.gap {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}
