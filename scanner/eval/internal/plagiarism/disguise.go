package plagiarism

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// Levels is how many levels of disguise there are.
const Levels = 6

// editor disguises one program.
type editor struct {
	*rand.Rand
	python bool
	lang   string
	donor  []node // statements of another program
	made   int    // functions made so far
	out    []node // those functions
}

// disguise returns p as a plagiarist would hand it in, up to the given level. donor is a program of the same language.
func disguise(p, donor program, level int) []byte {
	h := fnv.New64a()
	fmt.Fprint(h, p.name, p.lang, level)
	e := editor{Rand: rand.New(rand.NewPCG(h.Sum64(), 1)), python: p.python, lang: p.lang, donor: simple(donor.nodes, nil)}
	q := p
	q.nodes = e.each(p.nodes, dropDocs)
	if level >= 2 {
		e.rename(q.nodes)
	}
	if level >= 3 {
		q.nodes = e.each(e.each(q.nodes, (*editor).reorder), (*editor).declarations)
	}
	if level >= 4 {
		q.nodes = e.each(e.each(q.nodes, (*editor).swap), (*editor).constants)
	}
	if level >= 5 {
		q.nodes = e.each(e.each(q.nodes, (*editor).rewrite), (*editor).extract)
		q.nodes = e.join(q.nodes)
	}
	if level >= 6 {
		q.nodes = e.each(q.nodes, (*editor).alter)
	}
	return q.render(style{indent: []string{"  ", "    ", "\t"}[e.IntN(3)], own: e.IntN(2) == 0, comments: 6 + e.IntN(8)})
}

// join adds the new functions, in Java to the last class.
func (e *editor) join(ns []node) []node {
	for i := len(ns) - 1; e.lang == "java" && i >= 0; i-- {
		if ns[i].function() {
			ns[i].body = append(ns[i].body, e.out...)
			return ns
		}
	}
	return append(ns, e.out...)
}

// each applies f to every list of nodes, the innermost first. Its argument stays unchanged.
func (e *editor) each(ns []node, f func(*editor, []node) []node) []node {
	out := slices.Clone(ns)
	for i := range out {
		out[i].words = slices.Clone(out[i].words)
		out[i].body = e.each(out[i].body, f)
	}
	return f(e, out)
}

// dropDocs removes docstrings.
func dropDocs(e *editor, ns []node) []node {
	return slices.DeleteFunc(ns, func(n node) bool { return len(n.words) == 1 && n.words[0].class == lang.String })
}

var typeWords = words(`int long short byte char float double boolean bool void auto String string size_t unsigned`)

var fixedWords = words(`main self cls this super args argv argc std cout cin endl System out String Object len range print printf
	__init__ __name__ __main__ True False None true false null nullptr toString equals hashCode compareTo size_t printf scanf`)

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// rename gives a new name to each name that the program declares.
func (e *editor) rename(ns []node) {
	to := make(map[string]string)
	walk(ns, func(n *node) {
		for i := range n.words {
			if e.declares(n.words, i) && !fixedWords[n.words[i].text] && to[n.words[i].text] == "" {
				to[n.words[i].text] = e.name(n.words[i].text, len(to))
			}
		}
	})
	walk(ns, func(n *node) {
		for i, w := range n.words {
			if w.class == lang.Identifier && to[w.text] != "" {
				n.words[i].text = to[w.text]
			}
		}
	})
}

// declares reports whether word i is a name in a declaration.
func (e *editor) declares(ws []word, i int) bool {
	if ws[i].class != lang.Identifier || i > 0 && ws[i-1].text == "." {
		return false
	}
	before, after := "", ""
	if i > 0 {
		before = ws[i-1].text
	}
	if i+1 < len(ws) {
		after = ws[i+1].text
	}
	if e.python {
		return before == "def" || before == "class" || after == "=" || before == "for" || ws[0].text == "def" && strings.Contains(",=:)", after) && after != ""
	}
	if words("class struct enum interface")[before] {
		return true
	}
	typed := i > 0 && (ws[i-1].class == lang.Identifier || typeWords[before] || strings.Contains("]>*&", before))
	return typed && (after == "" || strings.Contains("=;,)([:", after))
}

var nameParts = strings.Fields("alpha batch cell delta entry frame group holder item join kind limit mark node offset part query range slot total unit vector width zone")

func (e *editor) name(old string, n int) string {
	s := nameParts[e.IntN(len(nameParts))] + strconv.Itoa(n)
	if old[0] >= 'A' && old[0] <= 'Z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

func walk(ns []node, f func(*node)) {
	for i := range ns {
		f(&ns[i])
		walk(ns[i].body, f)
	}
}

// function reports whether a node is a function or a type, not a statement.
func (n node) function() bool {
	if !n.block || len(n.words) == 0 {
		return false
	}
	w := n.words[0].text
	return !words("if else for while do switch try catch finally elif except with case default synchronized")[w] && w != "}"
}

// reorder shuffles the functions of a list among their positions.
func (e *editor) reorder(ns []node) []node {
	var at []int
	for i, n := range ns {
		if n.function() {
			at = append(at, i)
		}
	}
	was := slices.Clone(ns)
	for i, j := range e.Perm(len(at)) {
		ns[at[i]] = was[at[j]]
	}
	return ns
}

var wider = map[string]string{"int": "long", "float": "double", "short": "int"}

// declarations separates declarations from their values and widens types.
func (e *editor) declarations(ns []node) (out []node) {
	for _, n := range ns {
		for i, w := range n.words {
			if wider[w.text] != "" && e.IntN(2) == 0 {
				n.words[i].text = wider[w.text]
			}
		}
		ws := n.words
		if !e.python && !n.block && len(ws) > 4 && typeWords[ws[0].text] && ws[0].text != "auto" && ws[2].text == "=" && ws[3].text != "{" && e.IntN(2) == 0 && !slices.ContainsFunc(ws, func(w word) bool { return w.text == "," }) {
			out = append(out, node{words: []word{ws[0], ws[1], {text: ";"}}}, node{words: ws[1:]})
			continue
		}
		out = append(out, n)
	}
	return out
}

// plain reports whether a statement may be moved: it has no jump and no block.
func (n node) plain() bool {
	return !n.block && len(n.words) > 1 && !words("return break continue goto throw raise import package using from case default typedef")[n.words[0].text] && !strings.HasPrefix(n.words[0].text, "#") && n.words[0].text != "@"
}

func share(a, b node) bool {
	for _, x := range a.words {
		if x.class == lang.Identifier && slices.ContainsFunc(b.words, func(y word) bool { return y.text == x.text }) {
			return true
		}
	}
	return false
}

// swap exchanges neighbouring statements.
func (e *editor) swap(ns []node) []node {
	for i := 0; i+1 < len(ns); i++ {
		if ns[i].plain() && ns[i+1].plain() && !share(ns[i], ns[i+1]) {
			ns[i], ns[i+1] = ns[i+1], ns[i]
			i++
		}
	}
	return ns
}

// constants changes half of the numbers and strings.
func (e *editor) constants(ns []node) []node {
	for _, n := range ns {
		for i, w := range n.words {
			if e.IntN(2) == 0 {
				continue
			}
			if v, err := strconv.Atoi(w.text); err == nil && v > 1 {
				n.words[i].text = strconv.Itoa(v + 1 + e.IntN(9))
			} else if w.class == lang.String && len(w.text) > 4 && !strings.HasPrefix(n.words[0].text, "#") && !strings.Contains(w.text, "\n") {
				n.words[i].text = w.text[:1] + "the " + w.text[1:]
			}
		}
	}
	return ns
}
