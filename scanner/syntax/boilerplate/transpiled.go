package boilerplate

import (
	"bytes"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// longestPass limits a statement that exports what a module imports, in tokens.
const longestPass = 40

// helper returns the tool that writes the helper named by token i, or "".
func (r *reader) helper(i int) (tool string) {
	if i >= len(r.toks) || r.toks[i].Class != lang.Identifier || r.toks[i].End-r.toks[i].Start > 64 {
		return ""
	}
	return tools()[fold(string(r.word(i)))]
}

// function finds a declared helper, or the function that passes a module to any loader.
func (r *reader) function(i int) (Span, bool) {
	name := i + 1
	if r.is(name, "*") {
		name++
	}
	if r.is(name, "(") {
		if s, ok := r.classHead(i, name); ok {
			return s, true
		}
		return r.wrapper(i, name)
	}
	if len(r.word(name)) == 1 {
		return r.wrapper(i, name+1)
	}
	tool := r.helper(name)
	if tool == "" {
		return Span{}, false
	}
	return r.span(i, r.body(name+1, longest), tool)
}

// classHead finds the beginning of a class that extends another, as Babel writes it: function (_Base) { _inherits(Name, _Base).
func (r *reader) classHead(i, head int) (Span, bool) {
	base := string(r.word(head + 1))
	if !strings.HasPrefix(base, "_") || !r.is(head+2, ")", "{") || !r.is(head+5, "(") || !r.is(head+7, ",", base, ")") {
		return Span{}, false
	}
	switch strings.TrimLeft(fold(string(r.word(head+4))), "_") {
	case "inherits", "inheritsloose":
		return r.fitted(i, head+10, "Babel")
	}
	return Span{}, false
}

// superCall finds the call of a base class's constructor, as Babel writes it: _this = _Base.call(this, …) || this.
func (r *reader) superCall(i int) (Span, bool) {
	if !r.is(i+1, "=") || !r.begins(i+2, "_") || !r.is(i+3, ".", "call", "(", "this") {
		return Span{}, false
	}
	to := r.closed(i+5, longestWrap)
	if to == 0 || !r.is(to, "||", "this") {
		return Span{}, false
	}
	return r.fitted(i, to+2, "Babel")
}

// wrapper finds the frame of a module that checks define.amd, and Browserify's loader.
func (r *reader) wrapper(i, head int) (Span, bool) {
	to := r.body(head, longestWrap)
	for at := i; at < to; at++ {
		if r.is(at, "define", ".", "amd") {
			return r.span(i, to, "a bundler")
		}
		if bytes.Contains(r.word(at), []byte("Cannot find module '")) {
			return r.span(i, to, "Browserify")
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
		return r.span(i, r.statement(i, longest), tool)
	}
	if tool := r.helper(i + 3); tool != "" && r.is(i+4, "(") {
		if to := r.statement(i, longestLoad); to > 0 {
			return r.span(i, to, tool)
		}
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
	return r.span(i, r.statement(i, longest), tool)
}

// ofObject finds the statements that begin with Object: those with which a transpiler marks and passes on exports, and Java's loop over
// listeners.
func (r *reader) ofObject(i int) (Span, bool) {
	if r.is(i+1, "[", "]") {
		return r.listeners(i)
	}
	if !r.is(i+1, ".", "defineProperty", "(", "exports", ",") {
		return Span{}, false
	}
	if bytes.Contains(r.word(i+6), []byte("__esModule")) {
		return r.span(i, r.statement(i, longestLoad), "a transpiler")
	}
	if r.is(i+7, ",", "{", "enumerable", ":", "true", ",", "get", ":", "function") {
		return r.span(i, r.statement(i, longestPass), "a transpiler")
	}
	return Span{}, false
}

// exportMark finds exports.__esModule = true, which marks a module of ECMAScript.
func (r *reader) exportMark(i int) (Span, bool) {
	if !r.is(i+1, ".", "__esModule", "=") {
		return Span{}, false
	}
	return r.span(i, r.statement(i, longestLoad), "a transpiler")
}

// webpackMember finds an assignment to a member of webpack's loader.
func (r *reader) webpackMember(i int) (Span, bool) {
	if !r.is(i+1, ".") || !r.is(i+3, "=") {
		return Span{}, false
	}
	return r.span(i, r.statement(i, longest), "webpack")
}

// loop finds the loops that Babel writes.
func (r *reader) loop(i int) (Span, bool) {
	switch {
	case r.begins(i+3, "_iterator"):
		return r.iteration(i)
	case r.begins(i+2, "_iterator") && r.is(i+3, ".", "s", "(", ")"):
		return r.helped(i)
	}
	return r.rest(i)
}

// helped finds the loop that Babel writes for for…of since it has a helper, with the statement that takes the next element:
// for (_iterator.s(); !(_step = _iterator.n()).done;) { var a = _step.value;.
func (r *reader) helped(i int) (Span, bool) {
	to := r.closed(i+1, longestWrap)
	if to > 0 && r.is(to, "{") && r.is(to+3, "=") && r.begins(to+4, "_step") && r.is(to+5, ".", "value") {
		to += 7
	}
	return r.span(i, to, "Babel")
}

// helpedEnd finds what Babel writes after that loop: catch (err) { _iterator.e(err); } finally { _iterator.f(); }.
func (r *reader) helpedEnd(i int) (Span, bool) {
	if !r.begins(i+5, "_iterator") || !r.is(i+6, ".", "e", "(") {
		return Span{}, false
	}
	to := r.closed(i+4, longestWrap)
	if to > 0 && r.is(to, "finally") && r.begins(to+2, "_iterator") {
		to = r.closed(to+1, longestWrap)
	}
	return r.span(i, to, "Babel")
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
	return r.span(i, to, "Babel")
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
	return r.span(i, to, "Babel")
}
