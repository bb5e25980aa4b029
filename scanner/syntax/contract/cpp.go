package contract

import "slices"

const longestTypedef = 8 // tokens of "typedef unsigned long long int uint64_t;"

// C++ marks a method that overrides another after its parameters. The base class, where such methods are virtual, fixes its name, its
// parameters and its type. As in C#, two signatures that override are no evidence. A method that is empty or
// returns a constant is fixed as a whole beside another such one, as in Java. So is an operator that compares and only returns: the
// language fixes its name and its parameters, and one operator calls another or compares members.

// cpp reads the head of a class, the methods in it that override others, and operators that compare.
func (r *reader) cpp(i int) {
	switch r.word(i) {
	case "typedef":
		r.c(i)
	case "class", "struct":
		if r.name(i+1) != "" && r.word(i-1) != "enum" {
			r.opens(i, scope{name: i + 1})
		}
	case "virtual":
		if end := r.signature(i); r.word(end-1) == ")" || r.word(end-2) == ")" && r.word(end-1) != "override" && r.word(end-1) != "final" {
			r.add(i+1, end, scope{name: r.in().name, declares: true})
		}
	case "operator":
		if from, end := r.comparison(i); from < end {
			r.add(from, end, scope{name: r.in().name, stub: true})
		}
	case "override":
		if from := r.methodOfCpp(i); from >= 0 {
			r.overriding(from, i)
		}
	}
}

// integers lists types that <stdint.h> declares. Code that does not have it declares them itself, in the same way.
var integers = []string{"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t"}

// c reads declarations of such types.
func (r *reader) c(i int) {
	if r.word(i) != "typedef" {
		return
	}
	for at := i + 1; at < i+longestTypedef; at++ {
		if r.word(at) == ";" {
			if slices.Contains(integers, r.word(at-1)) {
				r.add(i, at+1, scope{name: -1, stub: true})
			}
			return
		}
	}
}

// overriding adds a method that overrides another one. Its signature begins at from, and the word override is at i. The signature
// is fixed, and the body too if it has no code of its own.
func (r *reader) overriding(from, i int) {
	s := scope{name: r.in().name}
	end := r.signature(i)
	if r.word(end) == "{" {
		if all := r.idle(end); all > 0 {
			s.stub, end = true, all
		}
	}
	r.add(from, end, s)
}

// methodOfCpp returns the first token of the method whose parameters end before the word override at i, or -1.
func (r *reader) methodOfCpp(i int) int {
	at := i - 1
	for ; at > i-8 && at >= 0 && r.word(at) != ")"; at-- { // const, noexcept, &
		if w := r.word(at); w == ";" || w == "{" || w == "}" {
			return -1
		}
	}
	return r.statement(at, i)
}

// statement returns the first token of the declaration that has the tokens from at to i, or -1 if it is too long.
func (r *reader) statement(at, i int) int {
	for depth := 0; at >= max(0, i-longest); at-- {
		switch r.word(at) {
		case ")":
			depth++
		case "(":
			depth--
		case ";", "{", "}", ":":
			if depth == 0 {
				return at + 1
			}
		}
		if depth < 0 {
			return -1
		}
	}
	return -1
}

// idle returns the end of a body that does nothing, or only returns a constant; 0 if the body at i is another one.
func (r *reader) idle(i int) int {
	at := i + 1
	if r.word(at) == "return" {
		at = r.returned(at)
	}
	if r.word(at) != "}" {
		return 0
	}
	return at + 1
}

// compares lists the operators that compare two values.
var compares = []string{"==", "!=", "<", ">", "<=", ">="}

// comparison returns the span of an operator at i that compares and whose body is one return; nothing if there is none.
func (r *reader) comparison(i int) (from, end int) {
	if !slices.Contains(compares, r.word(i+1)) || r.word(i+2) != "(" {
		return 0, 0
	}
	body := r.signature(i + 2)
	if r.word(body) != "{" || r.word(body+1) != "return" {
		return 0, 0
	}
	for end = body + 2; r.word(end) != ";"; end++ {
		if w := r.word(end); w == "{" || w == "}" || end > body+longest || end >= len(r.toks) {
			return 0, 0
		}
	}
	if from = r.statement(i-1, i); r.word(end+1) != "}" || from < 0 {
		return 0, 0
	}
	return from, end + 2
}
