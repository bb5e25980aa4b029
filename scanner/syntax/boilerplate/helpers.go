// Package boilerplate finds boilerplate: stretches of code that a tool writes, a manual prints or a format fixes for everybody. Two
// files that share boilerplate need not share an origin, so it is no evidence. Files that a tool writes as a whole are found by
// lang/toolwritten.go.
//
//	helpers.go    Find: the order; what IDEs write: equals and hashCode in Java, Kotlin and C#; constructors of exceptions and methods
//	              that build a window in C#
//	names.go      names of the functions that Babel, TypeScript, SWC and bundlers add to their output
//	generated.go  which parser generator wrote a text; parsers.go: what it wrote around the user's grammar
//	java.go       frames that manuals of Java give; goheap.go: methods of a heap that Go's manual gives
//	gotests.go    the frame of a test in Go
//	scaffold.go   tests that Angular's command writes
//	charset.go    CharacterSets: tables that translate a character set
//	markup.go     InText, InMarkup: what formats and tools fix in pages and other text without a grammar
//
// The input is tokens, the output is stretches. The package does no I/O.
package boilerplate

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang"
)

// Span is boilerplate in a text.
type Span struct {
	From, To int    // tokens
	Tool     string // the tool that writes it, such as "Babel"
	Fitted   bool   // the tool fits names and literals to the user's text: if both sides have the same, it was copied
}

// Limits of a helper. The longest are Babel's for decorators and generators.
const (
	longest        = 4096    // tokens
	longestWrap    = 250     // of the frame around a module
	longestLoad    = 16      // of a statement that loads a module
	longestPass    = 40      // of a statement that exports what a module imports
	longestEqual   = 4096    // of equals and hashCode of a class with many fields
	longestLoop    = 250     // of the same with a loop, which people write
	longestForm    = 1 << 16 // of the method that builds a window
	longestDispose = 60      // of the method that disposes its components
	mostFailed     = 64      // helpers without an end, after which the search stops
)

// Supports reports whether tools write helpers in a language.
func Supports(l *lang.Language) bool {
	return l != nil && supported[l.Syntax()]
}

var supported = map[string]bool{"javascript": true, "jsx": true, "typescript": true, "tsx": true, "java": true, "kotlin": true, "csharp": true, "c": true, "cpp": true, "go": true}

// Find lists the helpers of a text in a language, ascending and disjoint.
func Find(language string, text []byte, toks []lang.Token) []Span {
	r := reader{text: text, toks: toks}
	switch language {
	case "c", "cpp":
		return generated(text, toks)
	case "go":
		return joined(joined(r.gotests(), r.heaps()), joined(r.machine(), r.goyacc()))
	}
	r.scaffolded, r.tests = hasScaffold(text), language == "java" && hasJUnit3(text)
	var out []Span
	for i := 0; i < len(toks) && r.failed < mostFailed; i++ {
		if s, ok := r.at(i); ok {
			out = append(out, s)
			i = s.To - 1
		}
	}
	switch language {
	case "javascript", "jsx":
		r.failed = 0
		return joined(joined(r.jison(), r.antlr()), out)
	case "typescript", "tsx":
		return joined(r.antlr(), out)
	}
	return out
}

// reader reads tokens by their text.
type reader struct {
	text       []byte
	toks       []lang.Token
	failed     int
	scaffolded bool // it may have lines that Angular's command wrote
	tests      bool // it imports JUnit 3
}

// word returns the text of a token, or nil.
func (r *reader) word(i int) []byte {
	if i < 0 || i >= len(r.toks) {
		return nil
	}
	return r.text[r.toks[i].Start:r.toks[i].End]
}

// is reports whether the tokens from i on have these texts.
func (r *reader) is(i int, words ...string) bool {
	for n, w := range words {
		if string(r.word(i+n)) != w {
			return false
		}
	}
	return true
}

// at returns the helper that begins with token i.
func (r *reader) at(i int) (Span, bool) {
	if r.scaffolded {
		if s, ok := r.scaffold(i); ok {
			return s, true
		}
	}
	switch string(r.word(i)) {
	case "function":
		return r.function(i)
	case "var", "let", "const":
		return r.variable(i)
	case "for":
		if r.begins(i+3, "_iterator") {
			return r.iteration(i)
		}
		return r.rest(i)
	case "public":
		if r.tests {
			return r.testFrame(i)
		}
	case "Object":
		if r.is(i+1, "[", "]") {
			return r.listeners(i)
		}
		if r.is(i+1, ".", "defineProperty", "(", "exports", ",") && bytes.Contains(r.word(i+6), []byte("__esModule")) {
			return r.stretch(i, r.statement(i, longestLoad), "a transpiler")
		}
		if r.is(i+1, ".", "defineProperty", "(", "exports", ",") && r.is(i+7, ",", "{", "enumerable", ":", "true", ",", "get", ":", "function") {
			return r.stretch(i, r.statement(i, longestPass), "a transpiler")
		}
	case "exports":
		if r.is(i+1, ".", "__esModule", "=") {
			return r.stretch(i, r.statement(i, longestLoad), "a transpiler")
		}
	case "equals", "hashCode", "Equals", "GetHashCode":
		return r.equality(i)
	case "InitializeComponent", "initComponents":
		return r.form(i)
	case "Dispose":
		return r.disposal(i)
	case "__webpack_require__":
		if r.is(i+1, ".") && r.is(i+3, "=") {
			return r.stretch(i, r.statement(i, longest), "webpack")
		}
	}
	if r.is(i+1, "(", "string") {
		return r.exception(i)
	}
	return r.method(i)
}

// equality finds equals and hashCode, by which the values of a class are compared.
func (r *reader) equality(i int) (Span, bool) {
	if ofObject := r.is(i, "equals", "(") || r.is(i, "Equals", "("); ofObject && !r.anyObject(i+1) || !ofObject && !r.is(i+1, "(", ")") {
		return Span{}, false
	}
	head := r.closed(i+1, longestLoad)
	if r.is(head, ":", "Int") || r.is(head, ":", "Boolean") {
		head += 2
	}
	if head == 0 || !r.is(head, "{") {
		return Span{}, false
	}
	to := r.closed(head, longestEqual)
	if to == 0 || to-i > longestLoop && (r.has(i, to, "for", "(") || r.has(i, to, "while", "(")) {
		return Span{}, false
	}
	return r.fitted(i, to, "an IDE")
}

// anyObject reports whether the only parameter of a method, in brackets from i on, has the type of all objects.
func (r *reader) anyObject(i int) bool {
	if r.is(i, "(", "final") {
		i++
	}
	return r.is(i+1, "Object") && r.is(i+3, ")") || // Java
		r.is(i+1, "object") && (r.is(i+3, ")") || r.is(i+2, "?") && r.is(i+4, ")")) || // C#
		r.is(i+2, ":", "Any") && (r.is(i+4, ")") || r.is(i+4, "?", ")")) // Kotlin
}

// form finds the method that a designer of windows writes: that of Visual Studio in C#, that of NetBeans in Java.
func (r *reader) form(i int) (Span, bool) {
	if !r.is(i+1, "(", ")", "{") {
		return Span{}, false
	}
	return r.fitted(i, r.closed(i+3, longestForm), "an IDE")
}

// disposal finds the method that Visual Studio writes beside a form, which disposes the components that the designer keeps.
func (r *reader) disposal(i int) (Span, bool) {
	if !r.is(i+1, "(", "bool", "disposing", ")", "{") {
		return Span{}, false
	}
	to := r.closed(i+5, longestDispose)
	for at := i; at < to; at++ {
		if r.is(at, "components", ".", "Dispose") {
			return r.stretch(i, to, "an IDE")
		}
	}
	return Span{}, false
}

// exception finds a constructor of a C# class that only passes a message to its base class.
func (r *reader) exception(i int) (Span, bool) {
	head := r.closed(i+1, longestLoad)
	if head == 0 || !r.is(head, ":", "base", "(") {
		return Span{}, false
	}
	if end := r.closed(head+2, longestLoad); end > 0 && r.is(end, "{", "}") {
		return r.stretch(i, end+2, "an IDE")
	}
	return Span{}, false
}

// method finds an assignment to a member of a helper: _AsyncGenerator.prototype.next = ….
func (r *reader) method(i int) (Span, bool) {
	if !r.is(i+1, ".", "prototype") {
		return Span{}, false
	}
	tool := r.helper(i)
	if tool == "" {
		return Span{}, false
	}
	return r.stretch(i, r.statement(i, longest), tool)
}

// function finds a declared helper, or the function that passes a module to any loader.
func (r *reader) function(i int) (Span, bool) {
	name := i + 1
	if r.is(name, "*") {
		name++
	}
	if r.is(name, "(") {
		return r.wrapper(i, name)
	}
	if len(r.word(name)) == 1 {
		return r.wrapper(i, name+1)
	}
	tool := r.helper(name)
	if tool == "" {
		return Span{}, false
	}
	return r.stretch(i, r.body(name+1, longest), tool)
}

// wrapper finds the frame of a module that checks define.amd, and Browserify's loader.
func (r *reader) wrapper(i, head int) (Span, bool) {
	to := r.body(head, longestWrap)
	for at := i; at < to; at++ {
		if r.is(at, "define", ".", "amd") {
			return r.stretch(i, to, "a bundler")
		}
		if bytes.Contains(r.word(at), []byte("Cannot find module '")) {
			return r.stretch(i, to, "Browserify")
		}
	}
	return Span{}, false
}

// variable finds a helper that is assigned, and a module that is loaded by a helper.
func (r *reader) variable(i int) (Span, bool) {
	if !r.is(i+2, "=") {
		return Span{}, false
	}
	if tool := r.helper(i + 1); tool != "" {
		return r.stretch(i, r.statement(i, longest), tool)
	}
	if tool := r.helper(i + 3); tool != "" && r.is(i+4, "(") {
		if to := r.statement(i, longestLoad); to > 0 {
			return r.stretch(i, to, tool)
		}
	}
	return Span{}, false
}

// rest finds the loop that Babel writes for rest parameters: for (var _len = arguments.length, …) ….
func (r *reader) rest(i int) (Span, bool) {
	if !r.is(i+1, "(") || !r.begins(i+3, "_len") || !r.is(i+4, "=", "arguments") {
		return Span{}, false
	}
	head := r.closed(i+1, longestWrap)
	if head == 0 {
		return Span{}, false
	}
	to := r.statement(head, longestLoad)
	if r.is(head, "{") {
		to = r.closed(head, longestLoad)
	}
	return r.stretch(i, to, "Babel")
}

// iteration finds the head of the loop that Babel writes for for…of, with the statements that take the next element:
// for (var _iterator = …, _isArray = Array.isArray(_iterator), …) { var _ref; if (_isArray) … else … .
func (r *reader) iteration(i int) (Span, bool) {
	to := r.closed(i+1, longestWrap)
	ofBabel := false
	for at := i; at < to; at++ {
		ofBabel = ofBabel || r.begins(at, "_isArray") || r.begins(at, "_step")
	}
	if !ofBabel || !r.is(i+1, "(", "var") {
		return Span{}, false
	}
	if r.is(to, "{", "var") && r.begins(to+2, "_ref") {
		choice := to + 3
		if r.is(choice, ";") {
			choice++
		}
		if head := r.closed(choice+1, longestWrap); head > 0 && r.is(choice, "if", "(") {
			if yes := r.closed(head, longestWrap); yes > 0 && r.is(yes, "else", "{") {
				to = r.closed(yes+1, longestWrap)
			}
		}
	}
	return r.stretch(i, to, "Babel")
}

func (r *reader) begins(i int, start string) bool { return bytes.HasPrefix(r.word(i), []byte(start)) }

// helper returns the tool that writes the helper named by token i, or "".
func (r *reader) helper(i int) (tool string) {
	if i >= len(r.toks) || r.toks[i].Class != lang.Identifier || r.toks[i].End-r.toks[i].Start > 64 {
		return ""
	}
	return tools()[fold(string(r.word(i)))]
}

// stretch returns the helper of the tokens [from, to). It returns false if to is 0, since no end was found.
func (r *reader) stretch(from, to int, tool string) (Span, bool) {
	if to == 0 {
		r.failed++
		return Span{}, false
	}
	return Span{From: from, To: to, Tool: tool}, true
}

// fitted is stretch of a helper that has the user's names and literals.
func (r *reader) fitted(from, to int, tool string) (Span, bool) {
	s, ok := r.stretch(from, to, tool)
	s.Fitted = true
	return s, ok
}

// body returns the end of the function whose parameters open at i, or 0 if it is more than most tokens away.
func (r *reader) body(i, most int) int {
	head := r.closed(i, most)
	for n := head; head > 0 && n < min(head+longestLoad, len(r.toks)); n++ { // a result type
		if r.is(n, "{") {
			return r.closed(n, most)
		}
	}
	return 0
}

// closed returns the token behind the bracket that closes the one at i, or 0 if it is more than most tokens away.
func (r *reader) closed(i, most int) int {
	depth := 0
	for n := i; n < min(i+most, len(r.toks)); n++ {
		if depth += r.depth(n); depth == 0 {
			return n + 1
		}
	}
	return 0
}

// statement returns the token behind the semicolon of a statement, or 0 if there is none within most tokens.
func (r *reader) statement(i, most int) int {
	depth := 0
	for n := i; n < min(i+most, len(r.toks)) && depth >= 0; n++ {
		if depth += r.depth(n); depth == 0 && (r.is(n, ";") || lang.Ends(r.text, r.toks, n)) {
			return n + 1
		}
	}
	return 0
}

// depth returns 1 for an opening bracket, -1 for a closing one, else 0.
func (r *reader) depth(i int) int {
	t := r.toks[i]
	if t.Class != lang.Keyword || t.End == t.Start {
		return 0
	}
	switch r.text[t.End-1] {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}
