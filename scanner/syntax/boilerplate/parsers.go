package boilerplate

import (
	"bytes"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/lang"
)

// Limits of what parser generators write.
const (
	longestParser = 1 << 18 // tokens of a parser's object
	longestLists  = 1 << 14 // between Jison's function for its lists and the parser
	longestHead   = 32      // of a class, before its body
	farthestKey   = 64      // from the start of a parser's object to the key that identifies it
	fewestStates  = 8       // of a machine with gotos
)

// The keys of Jison's objects that hold what the user's grammar says. All others hold Jison's own functions.
var (
	ofGrammar = map[string]bool{"symbols_": true, "terminals_": true, "productions_": true, "performAction": true, "table": true, "defaultActions": true}
	ofRules   = map[string]bool{"performAction": true, "rules": true, "conditions": true, "options": true}
)

// jison lists what Jison writes in JavaScript: the object of a parser, the lists before it, the object of a lexer, and the functions
// around the user's actions. A minifier keeps the keys by which they are recognised.
func (r *reader) jison() (out []Span) {
	if !bytes.Contains(r.text, []byte("symbols_")) && !bytes.Contains(r.text, []byte("upcomingInput")) {
		return nil
	}
	for i := 0; i < len(r.toks) && r.failed < mostFailed; i++ {
		var found []Span
		switch string(r.word(i)) {
		case "symbols_":
			found = r.object(i, ofGrammar)
		case "EOF":
			found = r.lexer(i)
		case "function":
			found = r.jisonFunction(i)
		case "if":
			found = r.jisonModule(i)
		}
		for _, s := range found {
			if len(out) == 0 || s.From >= out[len(out)-1].To {
				out = append(out, s)
				i = s.To - 1
			}
		}
	}
	return out
}

// lexer finds the object of a lexer, whose first key is EOF.
func (r *reader) lexer(i int) []Span {
	if !r.is(i-1, "{") || !r.is(i+1, ":", "1", ",") {
		return nil
	}
	end := r.closed(i-1, longestParser)
	for at := i; at < end; at++ {
		if r.is(at, "upcomingInput", ":") {
			return r.object(i, ofRules)
		}
	}
	r.failed++
	return nil
}

// object lists the members of the object literal with a key: those of the user's text as fitted.
func (r *reader) object(key int, users map[string]bool) (out []Span) {
	from := r.opening(key)
	if !r.is(key+1, ":") || from < 0 {
		return nil
	}
	to := r.closed(from, longestParser)
	if to == 0 {
		r.failed++
	}
	depth := 0
	for i := from; i < to; i++ {
		if depth += r.depth(i); depth != 1 || !r.is(i+2, ":") || !r.is(i, "{") && !r.is(i, ",") {
			continue
		}
		fitted := users[string(r.word(i+1))]
		if at := r.choice(i + 1); at > 0 {
			out = r.member(out, i+1, to, false)
			out = r.member(out, at, to, fitted)
			continue
		}
		out = r.member(out, i+1, to, fitted)
	}
	return out
}

// member begins a stretch with a member of an object that ends at to, unless the last one is of the same kind.
func (r *reader) member(out []Span, from, to int, fitted bool) []Span {
	if n := len(out); n > 0 && out[n-1].Fitted == fitted {
		return out
	}
	if n := len(out); n > 0 {
		out[n-1].To = from
	}
	return append(out, Span{From: from, To: to, Tool: generator, Fitted: fitted})
}

// choice returns the body of the switch with which the member performAction chooses the user's action, or 0.
func (r *reader) choice(member int) int {
	if !r.is(member, "performAction") {
		return 0
	}
	depth := 0
	for i := member; i < min(member+farthestKey, len(r.toks)) && depth >= 0; i++ {
		if depth += r.depth(i); r.is(i, "switch") {
			return i + 4
		} else if depth == 0 && r.is(i, ",") {
			return 0
		}
	}
	return 0
}

// opening returns the bracket that opens the object of a key near its start, or -1.
func (r *reader) opening(key int) int {
	depth := 0
	for i := key - 1; i >= max(0, key-farthestKey); i-- {
		if depth += r.depth(i); depth > 0 {
			return i
		}
	}
	return -1
}

// jisonFunction finds the functions that Jison writes outside of its objects: the one that fills lists, with the lists up to the
// parser; those with the user's actions; the constructor.
func (r *reader) jisonFunction(i int) []Span {
	open := i + 1
	if !r.is(open, "(") {
		open++
	}
	head := r.closed(open, longestLoad)
	switch {
	case head == 0:
	case r.is(open-1, "Parser", "(", ")", "{", "this", ".", "yy"):
		for end := r.body(open, longestWrap); 0 < end && end < min(head+longestHead, len(r.toks)); end++ {
			if r.is(end, "new", "Parser") {
				return []Span{{From: i, To: end + 2, Tool: generator}}
			}
		}
	case r.is(open, "(", "k", ",", "v", ",", "o", ",", "l", ")"):
		return r.jisonLists(i, r.body(open, longestWrap))
	case r.has(open, head, "yystate") || r.has(open, head, "YY_START"):
		if to := r.body(open, longestParser); to > 0 {
			return []Span{{From: i, To: to, Tool: generator, Fitted: true}}
		}
		r.failed++
	}
	return nil
}

// jisonLists returns the function that fills lists, [from, to), and the lists behind it.
func (r *reader) jisonLists(from, to int) []Span {
	if to == 0 {
		return nil
	}
	out := []Span{{From: from, To: to, Tool: generator}}
	for at := to; at < min(to+longestLists, len(r.toks)); at++ {
		if r.is(at, "symbols_", ":") {
			if end := r.opening(at); end > to {
				return append(out, Span{From: to, To: end, Tool: generator, Fitted: true})
			}
			break
		}
	}
	r.failed++
	return out
}

// has reports whether words stand among the tokens [from, to), one behind the other.
func (r *reader) has(from, to int, words ...string) bool {
	for i := from; i < to; i++ {
		if r.is(i, words...) {
			return true
		}
	}
	return false
}

// jisonModule finds the exports of a parser, with the program that parses a file.
func (r *reader) jisonModule(i int) []Span {
	if !r.is(i+1, "(", "typeof", "require") {
		return nil
	}
	open := r.closed(i+1, longestHead)
	to := r.closed(open, longestWrap)
	if !r.is(open, "{") || !r.has(open, to, "commonjsMain") {
		return nil
	}
	return []Span{{From: i, To: to, Tool: generator}}
}

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
	depth, head := 0, -1
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
				for len(out) > 0 && out[len(out)-1].From > last.From { // a class in it
					out = out[:len(out)-1]
				}
				out = append(out, last.Span)
			}
			open = open[:len(open)-1]
		}
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

// joined returns all stretches, ascending and disjoint, given two such lists. Where two overlap, it keeps the one of first.
func joined(first, second []Span) []Span {
	if len(first) == 0 {
		return second
	}
	out := slices.Clone(first)
	at := 0
	for _, s := range second {
		for at < len(first) && first[at].To <= s.From {
			at++
		}
		if at == len(first) || first[at].From >= s.To {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Span) int { return a.From - b.From })
	return out
}
