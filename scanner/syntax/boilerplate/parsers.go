package boilerplate

import (
	"bytes"
	"sort"

	"github.com/git-provenance/git-provenance/lang"
)

// Limits of what parser generators write.
const (
	longestHead  = 32 // of a class, before its body
	fewestStates = 8  // of a machine with gotos
)

// ofANTLR are members of the classes that ANTLR writes in JavaScript and TypeScript, and of their declarations. Its visitors and
// listeners have a member for each rule instead.
var ofANTLR = map[string]bool{"enterOuterAlt": true, "ruleIndex": true, "getRuleIndex": true, "channelNames": true, "exitRule": true, "_serializedATN": true, "_ATN": true}

// classOf is a class whose end is not read yet.
type classOf struct {
	Span
	depth int  // of its brackets
	made  bool // by ANTLR
}

// antlr lists ANTLR's parsers, lexers, contexts, visitors and listeners. Bundlers and compilers drop the heading of its files. A lexer
// has no names of the user's rules.
func (r *reader) antlr() (out []Span) {
	if !bytes.Contains(r.text, []byte("ParserRuleContext")) && !bytes.Contains(r.text, []byte("ParseTree")) && !bytes.Contains(r.text, []byte("channelNames")) {
		return nil
	}
	var open []classOf
	depth, head := 0, -1 // head is the word of a class whose body has not begun
	for i := range r.toks {
		w := r.word(i)
		if string(w) == "class" || string(w) == "interface" {
			head = i
		}
		change := r.depth(i)
		if depth += change; change > 0 && w[0] == '{' && head >= 0 {
			if i-head < longestHead {
				open = append(open, classOf{Span: Span{From: head, Tool: generator, Fitted: true}, depth: depth})
			}
			head = -1
		}
		if len(open) == 0 {
			continue
		}
		last := &open[len(open)-1]
		last.made = last.made || ofANTLR[string(w)] || r.ofRule(i)
		last.Fitted = last.Fitted && string(w) != "channelNames"
		if change < 0 && depth < last.depth {
			if last.To = i + 1; last.made {
				out = append(before(out, last.From), last.Span)
			}
			open = open[:len(open)-1]
		}
	}
	return out
}

// before returns the spans that begin before a token. It drops the spans of classes within the class that begins there.
func before(out []Span, from int) []Span {
	for len(out) > 0 && out[len(out)-1].From > from {
		out = out[:len(out)-1]
	}
	return out
}

// ofRule reports whether a token begins the declaration of a visitor's or listener's member for a rule.
func (r *reader) ofRule(i int) bool {
	w := r.word(i)
	return r.is(i+1, "?", ":", "(", "ctx", ":") && (bytes.HasPrefix(w, []byte("visit")) || bytes.HasPrefix(w, []byte("enter")) || bytes.HasPrefix(w, []byte("exit")))
}

// machine returns the part of Go that Ragel writes as gotos between states, with the user's actions in it. Projects often remove the
// line directives.
func (r *reader) machine() []Span {
	if !bytes.Contains(r.text, []byte("goto _test_eof")) && !bytes.Contains(r.text, []byte("goto _testEof")) {
		return nil
	}
	from, to, count := -1, 0, 0
	for i, t := range r.toks {
		if t.Class != lang.Identifier || !ofMachine(r.word(i)) {
			continue
		}
		if from < 0 {
			from = i
		}
		to = i + 1
		if r.is(i+1, ":") {
			count++
		}
	}
	if count < fewestStates {
		return nil
	}
	return []Span{{From: from, To: to, Tool: generator, Fitted: true}}
}

// yaccParser is the line directive above the parser that goyacc writes, and anyDirective the one above a user's action.
var yaccParser, anyDirective = []byte("//line yaccpar:1\n"), []byte("\n//line ")

// goyacc returns the parser that goyacc writes into each of its files, up to the first action of the grammar.
func (r *reader) goyacc() []Span {
	begin := bytes.Index(r.text, yaccParser)
	if begin < 0 {
		return nil
	}
	begin += len(yaccParser)
	end := len(r.text)
	if n := bytes.Index(r.text[begin:], anyDirective); n >= 0 {
		end = begin + n
	}
	at := func(pos int) int {
		return sort.Search(len(r.toks), func(i int) bool { return int(r.toks[i].Start) >= pos })
	}
	from, to := at(begin), at(end)
	if from == to {
		return nil
	}
	return []Span{{From: from, To: to, Tool: generator}}
}

// states are the words before the numbers of Ragel's labels, also as linters of Go want them.
var states = []string{"st_case_", "stCase", "_test_eof", "_testEof", "st", "tr"}

// ofMachine reports whether a label is one of Ragel's.
func ofMachine(label []byte) bool {
	for _, prefix := range states {
		if number, ok := bytes.CutPrefix(label, []byte(prefix)); ok {
			return len(number) > 0 && len(bytes.TrimLeft(number, "0123456789")) == 0
		}
	}
	return false
}
