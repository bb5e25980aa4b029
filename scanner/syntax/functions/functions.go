// Package functions finds the functions and classes of a text. It takes tokens, without a syntax tree, and returns ranges of tokens. A
// report names the functions, derived code is searched for up to their ends, and an alignment inside one needs fewer bits. None of this
// proves a copy, so an approximation is good enough.
package functions

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Function is a pair of braces after a parameter list, or an indented block after a word such as "def".
type Function struct {
	Name     int // token of its name
	From, To int // tokens, from the name or that word to the end
}

// block says how a language family writes functions as indented blocks.
type block struct {
	head    string   // the word before the name
	end     string   // the word on the line that ends the block, with the indentation of its first line; "" if there is none
	between []string // words that begin a line with that indentation inside the block
}

// blocks lists the families whose functions are indented blocks. Scala's may have braces or not.
var blocks = map[string]block{
	"python": {head: "def"},
	"ruby":   {head: "def", end: "end", between: []string{"rescue", "ensure", "else"}},
	"scala":  {head: "def", end: "}"},
	"lua":    {head: "function", end: "end"},
}

// Find returns the functions of a text, in the order of their names.
func Find(l *lang.Language, text []byte, tokens []lang.Token) []Function {
	s := stream{l, text, tokens}
	if b, ok := blocks[l.Family]; ok {
		return s.indented(b)
	}
	return s.braced()
}

// Outermost returns the functions that are in no other function, by position.
func Outermost(fs []Function) (out []Function) {
	all := slices.Clone(fs)
	slices.SortFunc(all, func(a, b Function) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	end := 0
	for _, f := range all {
		if f.From >= end {
			out, end = append(out, f), f.To
		}
	}
	return out
}

// Innermost returns the smallest function that contains the tokens [from, to), or nil. The tokens may exceed the function by
// slack at either end.
func Innermost(fs []Function, from, to, slack int) *Function {
	var best *Function
	for i := range fs {
		f := &fs[i]
		if f.From <= from+slack && to <= f.To+slack && (best == nil || f.From > best.From) {
			best = f
		}
	}
	return best
}

// stream is a text with its tokens.
type stream struct {
	language *lang.Language
	text     []byte
	tokens   []lang.Token
}

// heads lists words before a parenthesis that begin a statement, not a function.
var heads = []string{"if", "for", "while", "switch", "catch", "with", "foreach", "using", "lock", "synchronized", "match", "when", "elseif", "elif"}

// braced finds NAME ( … ) … { … }. Only names and operators of a result type may be between the parameters and the brace.
func (s stream) braced() []Function {
	var out []Function
	var open []int // index in out, or -1
	for i := range s.tokens {
		switch string(s.bytes(i)) {
		case "{":
			open = append(open, -1)
			name := s.headOf(i)
			if name < 0 {
				name = s.method(i)
			}
			if name >= 0 {
				open[len(open)-1] = len(out)
				out = append(out, Function{Name: name, From: name})
			}
		case "${": // code in a string
			open = append(open, -1)
		case "}":
			if n := len(open); n > 0 {
				if at := open[n-1]; at >= 0 {
					out[at].To = i + 1
				}
				open = open[:n-1]
			}
		}
	}
	for i := range out {
		if out[i].To == 0 {
			out[i].To = len(s.tokens)
		}
	}
	return out
}

// Limits of a head in tokens, since every brace is checked. A result type, an initialiser list or thrown types may be between
// parameters and body.
const (
	longestResult = 24
	longestHead   = 512
	longestTypes  = 64
)

// headOf returns the name whose parameters precede the brace at i, or -1.
func (s stream) headOf(i int) int {
	if i > 2 && s.tokens[i-2].Class == lang.Identifier { // NAME = a => {
		if to := s.assigned(i-2, i); to >= 0 {
			return to
		}
	}
	depth, end := 0, i
	for at := i - 1; at > 0 && at >= i-longestHead && (depth > 0 || at >= i-longestResult); at-- {
		if depth == 0 && lang.Ends(s.text, s.tokens, at) {
			return -1
		}
		switch string(s.bytes(at)) {
		case ")":
			if depth++; depth == 1 {
				end = at + 1
			}
		case "(":
			if depth--; depth == 0 && s.afterHead(end) {
				name := s.nameAt(at - 1)
				if s.declares(name) {
					return name
				}
				if to := s.assigned(at, i); to >= 0 {
					return to
				}
				if slices.Contains(heads, s.word(at-1)) || s.tokens[name].Class == lang.Identifier {
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

// messaging lists the languages with methods as in Objective-C.
var messaging = []string{"objc", "objcpp"}

// method returns the first name of a method of Objective-C whose body the brace at i opens, or -1: - (TYPE)NAME:(TYPE)PARAMETER {
func (s stream) method(i int) int {
	if !slices.Contains(messaging, s.language.Name) {
		return -1
	}
	for at := i - 1; at >= 0 && at >= i-longestHead; at-- {
		switch s.word(at) {
		case ";", "{", "}":
			return -1
		case "-", "+":
			if s.begins(at) && s.word(at+1) == "(" {
				return s.behindType(at+1, i)
			}
		}
	}
	return -1
}

// behindType returns the name after the type in parentheses at i, or -1 if there is none before the token at end.
func (s stream) behindType(i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch s.word(i) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 && s.tokens[i+1].Class == lang.Identifier {
				return i + 1
			}
		}
	}
	return -1
}

// afterHead reports whether token i can follow the parameters of a function. If line ends end statements, a parenthesis before a
// brace may belong to a call in the previous statement.
func (s stream) afterHead(i int) bool {
	return !slices.Contains(nameless, s.language.Family) || slices.Contains([]string{"{", ":", "=>"}, s.word(i))
}

// nameAt returns the name that ends at i: the name before a list of type parameters, or the name in [NAME].
func (s stream) nameAt(i int) int {
	if i >= 2 && s.word(i) == "]" && s.word(i-2) == "[" && slices.Contains(nameless, s.language.Family) {
		return i - 1
	}
	depth := 0
	for at := i; at > 0 && at > i-longestTypes; at-- {
		switch s.word(at) {
		case ">", "]":
			depth++
		case "<", "[":
			depth--
		case ";", "{", "}", "(", ")":
			return i
		}
		if depth == 0 {
			if at == i {
				return i
			}
			return at - 1
		}
	}
	return i
}

// assigned returns the name of a function that is assigned to it: NAME = function (…) { and NAME: (…) => {. The parameters are at
// i, the body is at brace. It returns -1 if there is none.
func (s stream) assigned(i, brace int) int {
	if !slices.Contains(nameless, s.language.Family) {
		return -1
	}
	at := i - 1
	if s.word(at) == "*" && at > 0 {
		at--
	}
	switch {
	case s.word(at) == "function":
		at--
	case s.word(brace-1) != "=>" || at < i-1:
		return -1
	}
	if at > 0 && s.word(at) == "async" {
		at--
	}
	if at < 1 {
		return -1
	}
	sign := s.word(at)
	if sign != "=" && sign != ":" || s.tokens[at-1].Class != lang.Identifier {
		return -1
	}
	if sign == "=" && at > 2 && s.word(at-2) == ":" && s.tokens[at-3].Class == lang.Identifier { // NAME: TYPE =
		return at - 3
	}
	return at - 1
}

// nameless lists the language families whose functions often get their name by assignment.
var nameless = []string{"js"}

// calls lists tokens before a name that is called, not declared.
var calls = []string{".", "!", "=", ":=", "==", "!=", "<", "<=", ">=", "&&", "||", "+", "-", "/", "%", "(", ",", "?", "return", "range", "in", "await", "new", "not", "and", "or"}

// declares reports whether the name at i declares a function.
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

// bytes returns the text of a token.
func (s stream) bytes(i int) []byte { return s.text[s.tokens[i].Start:s.tokens[i].End] }

// word returns the text of a token if it is short enough for a keyword or operator, else "".
func (s stream) word(i int) string {
	if t := s.tokens[i]; t.End-t.Start <= 12 {
		return string(s.text[t.Start:t.End])
	}
	return ""
}

// indented finds "def NAME" and the block that is indented further below it.
func (s stream) indented(b block) []Function {
	var out []Function
	for i := 0; i+1 < len(s.tokens); i++ {
		if s.word(i) != b.head {
			continue
		}
		name := s.qualified(i + 1)
		if name < 0 {
			continue
		}
		depth, to := s.indent(i), i+1
		for to < len(s.tokens) && (!s.begins(to) || s.indent(to) > depth || !s.parted(i, to) || s.inside(to, b)) {
			to++
		}
		if to < len(s.tokens) && b.end != "" && s.word(to) == b.end && s.indent(to) == depth {
			to++
		}
		out = append(out, Function{name, i, to})
	}
	return out
}

// qualified returns the last part of the name that begins at i: put of self.put. It returns -1 if there is no name.
func (s stream) qualified(i int) int {
	for i+2 < len(s.tokens) && (s.word(i+1) == "." || s.word(i+1) == ":") && s.tokens[i+2].Class == lang.Identifier && !s.parted(i, i+2) {
		i += 2
	}
	if s.word(i) == "(" {
		return -1
	}
	return i
}

// inside reports whether a line belongs to the block although it is not indented further than the head: it closes the list of
// parameters, or begins with a word for a part of the block, such as "else".
func (s stream) inside(i int, b block) bool {
	w := s.word(i)
	return (w == ")" || w == "]" || w == "}") && w != b.end || slices.Contains(b.between, w)
}

// indent returns the indentation of the line of token i, in bytes.
func (s stream) indent(i int) int {
	start := bytes.LastIndexByte(s.text[:s.tokens[i].Start], '\n') + 1
	return len(s.text[start:]) - len(bytes.TrimLeft(s.text[start:], " \t"))
}

// begins reports whether token i is the first on its line.
func (s stream) begins(i int) bool { return i == 0 || s.parted(i-1, i) }

// parted reports whether a line ends between two tokens, or in the first.
func (s stream) parted(a, b int) bool {
	return bytes.IndexByte(s.text[s.tokens[a].Start:s.tokens[b].Start], '\n') >= 0
}
