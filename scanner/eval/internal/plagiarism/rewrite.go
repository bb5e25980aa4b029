package plagiarism

import (
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// rewrite replaces loops, branches and assignments by equivalents.
func (e *editor) rewrite(ns []node) (out []node) {
	for i := 0; i < len(ns); i++ {
		n := ns[i]
		n.words = e.turned(e.expanded(n.words))
		switch {
		case n.block && n.first() == "for" && !e.python:
			out = append(out, loop(n)...)
		case i+1 < len(ns) && n.block && n.first() == "if" && len(ns[i+1].words) == 1 && ns[i+1].words[0].text == "else":
			other := ns[i+1]
			n.words, n.body, other.body = e.negated(n.words), other.body, n.body
			out = append(out, n, other)
			i++
		default:
			out = append(out, n)
		}
	}
	return out
}

func word1(text string, class lang.Class) word { return word{text: text, class: class, gap: true} }

func sign(text string) word { return word1(text, lang.Keyword) }

// expanded writes x++ and x += y as x = x + y, if x is a name.
func (e *editor) expanded(ws []word) []word {
	if len(ws) < 2 || ws[0].class != lang.Identifier {
		return ws
	}
	switch op := ws[1].text; op {
	case "++", "--":
		if len(ws) == 2 || len(ws) == 3 && ws[2].text == ";" {
			return append([]word{ws[0], sign("="), word1(ws[0].text, lang.Identifier), sign(op[:1]), word1("1", lang.Number)}, ws[2:]...)
		}
	case "+=", "-=", "*=":
		return append([]word{ws[0], sign("="), word1(ws[0].text, lang.Identifier), sign(op[:1])}, ws[2:]...)
	}
	return ws
}

var turns = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}

// turned swaps the sides of half of the comparisons of two single words.
func (e *editor) turned(ws []word) []word {
	if len(ws) == 0 || !words("if for while return elif")[ws[0].text] {
		return ws
	}
	for i := 2; i+2 < len(ws); i++ {
		single := ws[i-1].class != lang.Keyword && ws[i+1].class != lang.Keyword && ws[i-2].class == lang.Keyword && ws[i+2].class == lang.Keyword
		if turns[ws[i].text] != "" && single && ws[i-2].text != "." && ws[i+2].text != "." && ws[i+2].text != "(" && ws[i+2].text != "[" && e.IntN(2) == 0 {
			ws[i-1], ws[i+1], ws[i].text = ws[i+1], ws[i-1], turns[ws[i].text]
		}
	}
	return ws
}

// negated turns a condition into its opposite.
func (e *editor) negated(ws []word) []word {
	if e.python {
		return append([]word{ws[0], sign("not"), sign("("), {text: ws[1].text, class: ws[1].class}}, append(slices.Clone(ws[2:]), word{text: ")"})...)
	}
	return append([]word{ws[0], sign("("), {text: "!"}}, append(slices.Clone(ws[1:]), word{text: ")"})...)
}

// loop turns a for with three parts into a while.
func loop(n node) []node {
	var cut []int
	depth := 0
	for i, w := range n.words {
		switch w.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case ";":
			if depth == 1 {
				cut = append(cut, i)
			}
		}
	}
	last := len(n.words) - 1
	if len(cut) != 2 || cut[1]-cut[0] < 2 || n.words[last].text != ")" {
		return []node{n}
	}
	first := append(slices.Clone(n.words[2:cut[0]]), word{text: ";"})
	step := node{words: append(slices.Clone(n.words[cut[1]+1:last]), word{text: ";"})}
	head := append([]word{sign("while"), sign("(")}, append(slices.Clone(n.words[cut[0]+1:cut[1]]), word{text: ")"})...)
	out := []node{{words: head, block: true, body: append(slices.Clone(n.body), step)}}
	if len(first) > 1 {
		out = append([]node{{words: first}}, out...)
	}
	return out
}

// extract moves some runs of at least two plain statements into new functions.
func (e *editor) extract(ns []node) []node {
	if slices.ContainsFunc(ns, node.function) {
		return ns // declarations of a class or a file
	}
	for i := 0; i+2 < len(ns); i++ {
		n := i
		for n < len(ns) && ns[n].plain() && n < i+4 {
			n++
		}
		if n-i < 2 || e.IntN(3) > 0 {
			continue
		}
		name := fmt.Sprintf("step%d", e.made)
		e.made++
		e.out = append(e.out, e.newFunction(name, slices.Clone(ns[i:n])))
		call := node{words: []word{word1(name, lang.Identifier), {text: "("}, {text: ")"}}}
		if !e.python {
			call.words = append(call.words, word{text: ";"})
		}
		ns = slices.Replace(ns, i, n, call)
	}
	return ns
}

func (e *editor) newFunction(name string, body []node) node {
	head := []word{sign("void")}
	if e.lang == "java" {
		head = []word{sign("private"), sign("static"), sign("void")}
	}
	if e.python {
		head = []word{sign("def")}
	}
	return node{block: true, body: body, words: append(head, word1(name, lang.Identifier), word{text: "("}, word{text: ")"})}
}

var altered = map[string]string{"<": "<=", ">": ">=", "+": "-", "==": "!=", "&&": "||"}

// alter drops statements, inserts others, and changes operators.
func (e *editor) alter(ns []node) (out []node) {
	for _, n := range ns {
		for i, w := range n.words {
			if altered[w.text] != "" && e.IntN(6) == 0 && n.words[0].text != "#include" {
				n.words[i].text = altered[w.text]
			}
		}
		if n.plain() {
			switch e.IntN(8) {
			case 0:
				continue
			case 1:
				if len(e.donor) > 0 {
					out = append(out, e.donor[e.IntN(len(e.donor))])
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// simple lists the plain statements of a program that are in a block.
func simple(ns, out []node) []node {
	for _, n := range ns {
		for _, m := range n.body {
			if m.plain() {
				out = append(out, m)
			}
		}
		out = simple(n.body, out)
	}
	return out
}
