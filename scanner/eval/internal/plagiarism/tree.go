package plagiarism

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// word is a token as text.
type word struct {
	text  string
	class lang.Class
	gap   bool // white space precedes it
}

// node is a statement or declaration: its words and, if it has one, its block. A branch that belongs to it, such as
// else, follows it in its list.
type node struct {
	words []word
	body  []node
	block bool
}

// first returns the text of the first word; a bare block has none.
func (n node) first() string {
	if len(n.words) == 0 {
		return ""
	}
	return n.words[0].text
}

// program is a file as a tree.
type program struct {
	name   string // of the file
	lang   string
	nodes  []node
	python bool
}

// Languages are the languages in which programs can be disguised.
var Languages = map[string]string{"java": "java", "c": "c", "cpp": "cpp", "python": "python"}

// parse reads a program. It returns false if the language is not supported or the program cannot be read.
func parse(tz *lang.Tokenizer, name string, src []byte) (program, bool) {
	d := lang.Detect(name, src)
	if d.Skip != "" || d.Language == nil || Languages[d.Language.Name] == "" {
		return program{}, false
	}
	s, err := tz.Tokenize(d.Language, src)
	if err != nil || s.Errors > 0 || len(s.Tokens) == 0 {
		return program{}, false
	}
	p := program{name: path.Base(name), lang: d.Language.Name, python: d.Language.Name == "python"}
	r := reader{lines: lang.Lines(src)}
	last := uint32(0)
	for _, t := range s.Tokens {
		at := r.lines.Line(t.Start)
		text := string(src[t.Start:t.End])
		if strings.Contains(text, "\n") && !p.python {
			return program{}, false // a string over several lines has no layout of its own
		}
		between := src[last:t.Start]
		r.words = append(r.words, word{text: text, class: t.Class, gap: len(between) > 0})
		r.line = append(r.line, at)
		r.column = append(r.column, int(t.Start)-bytes.LastIndexByte(src[:t.Start], '\n')-1)
		last = t.End
	}
	if p.python {
		p.nodes = r.indented(r.column[0])
	} else {
		p.nodes = r.braced()
	}
	return p, r.at == len(r.words)
}

// reader makes a tree of words.
type reader struct {
	lines        lang.LineIndex
	words        []word
	line, column []int
	at           int
}

// braced reads nodes up to the brace that closes their block.
func (r *reader) braced() (out []node) {
	for r.at < len(r.words) && r.words[r.at].text != "}" {
		out = append(out, r.statement())
	}
	return out
}

func (r *reader) statement() (n node) {
	depth, first := 0, r.at
	for r.at < len(r.words) {
		w := r.words[r.at]
		switch {
		case depth == 0 && w.text == "{" && !r.initialises():
			r.at++
			n.block, n.body = true, r.braced()
			r.at++ // the closing brace; past the end if it is missing
			return n
		case depth == 0 && w.text == "}":
			return n
		case w.text == "(" || w.text == "[" || w.text == "{":
			depth++
		case w.text == ")" || w.text == "]" || w.text == "}":
			depth--
		}
		n.words = append(n.words, w)
		r.at++
		directive := strings.HasPrefix(r.words[first].text, "#")
		if w.text == ";" && depth == 0 || directive && (r.at == len(r.words) || r.line[r.at] != r.line[first]) {
			return n
		}
	}
	return n
}

// initialises reports whether the current brace begins a value.
func (r *reader) initialises() bool {
	return r.at > 0 && slices.Contains([]string{"=", "]", ",", "return", "{"}, r.words[r.at-1].text) && (r.at < 2 || r.words[r.at-1].text != "{")
}

// indented reads the lines of one indentation, and the lines below them.
func (r *reader) indented(column int) (out []node) {
	for r.at < len(r.words) && r.column[r.at] == column {
		n, depth := node{}, 0
		for first := r.at; r.at < len(r.words) && (r.line[r.at] == r.line[first] || depth > 0); r.at++ {
			switch w := r.words[r.at]; w.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			n.words = append(n.words, r.words[r.at])
		}
		if last := len(n.words) - 1; n.words[last].text == ":" {
			n.block, n.words = true, n.words[:last]
			if r.at < len(r.words) && r.column[r.at] > column {
				n.body = r.indented(r.column[r.at])
			}
		}
		out = append(out, n)
	}
	return out
}
