package scanner

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Which function a region lies in is read off the tokens: the streams have no
// tree. It serves people as a landmark and is no evidence, so what looks like
// one is good enough.

// body is a pair of braces that a parameter list precedes, or an indented block.
type body struct {
	name     uint32 // token
	from, to int    // tokens, from the name to the end
}

// function returns the innermost function that holds a region, nil if none is
// seen, with the share of its tokens that the runs have.
func function(st stream, r region, runs []match.Run) *Function {
	b := innermost(st.bodies(), r)
	if b == nil {
		return nil
	}
	n := 0
	for _, hit := range covered(len(st.tokens), runs)[b.from:b.to] {
		if hit {
			n++
		}
	}
	name := st.tokens[b.name]
	return &Function{
		Name:      string(bytes.ToValidUTF8(st.text[name.Start:min(name.End, name.Start+80)], []byte("�"))),
		StartLine: st.lines.Line(st.tokens[b.from].Start), EndLine: st.lines.Line(st.tokens[b.to-1].End - 1),
		Share: round(float64(n) / float64(b.to-b.from)),
	}
}

func innermost(bodies []body, r region) *body {
	slack := min(edge, int(r.to-r.from)/4) // edges of a match can be an accident of what stands next to it
	var best *body
	for i := range bodies {
		b := &bodies[i]
		if b.from <= int(r.from)+slack && int(r.to) <= b.to+slack && (best == nil || b.from > best.from) {
			best = b
		}
	}
	return best
}

func (s stream) findBodies() []body {
	if s.language.Family == "python" {
		return indentedBodies(s)
	}
	return bracedBodies(s)
}

// heads are the words before a parenthesis that make a statement of it, not a
// function.
var heads = []string{"if", "for", "while", "switch", "catch", "with", "foreach", "using", "lock", "synchronized", "match", "when", "elseif", "elif"}

// bracedBodies finds NAME ( … ) … { … }: nothing but names and operators of a
// result type may stand between.
func bracedBodies(st stream) []body {
	var out []body
	var open []int // index in out, or -1
	for i := range st.tokens {
		switch st.word(i) {
		case "{":
			open = append(open, -1)
			if name := st.headOf(i); name >= 0 {
				open[len(open)-1] = len(out)
				out = append(out, body{name: uint32(name), from: name})
			}
		case "}":
			if n := len(open); n > 0 {
				if at := open[n-1]; at >= 0 {
					out[at].to = i + 1
				}
				open = open[:n-1]
			}
		}
	}
	for i := range out {
		if out[i].to == 0 {
			out[i].to = len(st.tokens)
		}
	}
	return out
}

// Between parameters and body may stand a result type, an initialiser list or
// thrown types; the lists themselves are bounded, as every brace looks for one.
const (
	longestResult = 24
	longestHead   = 512
)

// headOf returns the name whose parameters precede the brace at i, or -1.
func (s stream) headOf(i int) int {
	depth := 0
	for at := i - 1; at > 0 && at >= i-longestHead && (depth > 0 || at >= i-longestResult); at-- {
		switch s.word(at) {
		case ")":
			depth++
		case "(":
			if depth--; depth == 0 {
				if s.declares(at - 1) {
					return at - 1
				}
				if slices.Contains(heads, s.word(at-1)) || s.tokens[at-1].Class == lang.Identifier {
					return -1
				}
			}
		case ";", "{", "}", "=":
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// calls are the words before a name that is called there, not declared.
var calls = []string{".", "!", "=", ":=", "==", "!=", "<", "<=", ">=", "&&", "||", "+", "-", "/", "%", "(", ",", "?", "return", "range", "in", "await", "new", "not", "and", "or"}

// declares tells whether a function is declared by the name at i.
func (s stream) declares(i int) bool {
	if s.tokens[i].Class != lang.Identifier || slices.Contains(heads, s.word(i)) {
		return false
	}
	before := ""
	if i > 0 {
		before = s.word(i - 1)
	}
	if s.language.Family == "go" {
		return before == "func" || before == ")"
	}
	return !slices.Contains(calls, before) && !slices.Contains(heads, before)
}

// word is the text of a token if it is short enough for a keyword or operator.
func (s stream) word(i int) string {
	if t := s.tokens[i]; t.End-t.Start <= 12 {
		return string(s.text[t.Start:t.End])
	}
	return ""
}

// indentedBodies finds "def NAME" and what is indented further below it.
func indentedBodies(st stream) []body {
	var out []body
	indent := func(i int) int {
		start := bytes.LastIndexByte(st.text[:st.tokens[i].Start], '\n') + 1
		return len(st.text[start:]) - len(bytes.TrimLeft(st.text[start:], " \t"))
	}
	for i := 0; i+1 < len(st.tokens); i++ {
		if st.word(i) != "def" {
			continue
		}
		depth, to := indent(i), i+1
		first := st.lines.Line(st.tokens[i].Start)
		for to < len(st.tokens) && (!st.begins(uint32(to)) || indent(to) > depth || st.lines.Line(st.tokens[to].Start) == first || closes(st, to)) {
			to++
		}
		out = append(out, body{uint32(i + 1), i, to})
	}
	return out
}

// closes tells whether a line only ends the list of parameters before it.
func closes(st stream, i int) bool {
	w := st.word(i)
	return w == ")" || w == "]" || w == "}"
}
