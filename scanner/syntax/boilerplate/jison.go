package boilerplate

import "bytes"

// Limits of what Jison writes, in tokens.
const (
	longestParser = 1 << 18 // of a parser's object
	longestLists  = 1 << 14 // between Jison's function for its lists and the parser
	farthestKey   = 64      // from the start of a parser's object to the key that identifies it
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

// jisonLists returns the function that fills lists, [from, to), and the lists after it.
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
