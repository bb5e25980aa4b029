package contract

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// A body that forwards is short. Longer ones, and those of more calls than Pin::new(self.a.lock()).poll(b), are their author's.
const (
	longestForward = 32 // tokens
	mostCalls      = 3
)

// rust reads the head of an implementation or of a trait, and the signatures in it.
func (r *reader) rust(i int) {
	switch r.word(i) {
	case "impl":
		r.implementation(i)
	case "trait":
		if n := r.name(i + 1); n != "" {
			r.opens(i, scope{of: []string{n}, name: i + 1, declares: true})
		}
	case "struct", "enum":
		if r.name(i+1) != "" {
			r.opens(i, scope{name: i + 1})
		}
	case "#":
		if r.word(i+1) == "[" {
			r.attribute(i)
		}
	case "fn":
		if in := r.in(); len(in.of) > 0 {
			r.method(i, in)
		}
	case "type", "const":
		if in := r.in(); len(in.of) > 0 {
			r.add(i, r.before(i, "=", ";", "}"), in)
		}
	case "!": // a macro instead of methods
		if in := r.in(); len(in.of) > 0 && !in.declares && r.word(i+1) == "{" {
			r.add(i-1, r.closed(i+1), in)
		}
	}
}

// implementation reads "impl<…> Trait for Type where … {". Everything except the type is fixed.
func (r *reader) implementation(i int) {
	trait, where, depth := "", 0, 0
	head, typ := i, -1
	for at := i + 1; at < min(i+longest, len(r.toks)) && depth >= 0; at++ {
		w := r.word(at)
		depth += brackets(w)
		switch w {
		case "for":
			if head == i && where == 0 && depth == 0 && r.word(at+1) != "<" { // not the for of a lifetime
				head = at
			}
		case "where":
			where = at
		case ";", "}", "=":
			if depth == 0 { // an impl type, not the head of an implementation
				return
			}
		case "{":
			if head > i && trait != "" {
				r.brace, r.next = at, scope{of: []string{trait}, name: typ}
				r.add(i, head, r.next)
				r.add(cmp.Or(where, at), at, r.next)
			}
			return
		default:
			switch n := r.name(at); {
			case n == "" || depth > 0 || where > 0:
			case head == i:
				trait = n
			default:
				typ = at
			}
		}
	}
}

// method reads a method of a trait. The trait leaves no choice to a body that only forwards to a method of the same name. So it is fixed
// too, and so are two of one name if their traits have different names (AsyncWrite and Write).
func (r *reader) method(i int, in scope) {
	name, body := r.name(i+1), r.before(i, "{", ";", "}")
	end := r.forwards(name, body)
	if end > body && !in.declares {
		in.of = append(slices.Clip(in.of), "fn "+name)
	}
	r.add(i, body, in)
	r.add(body, end, in)
}

// forwards returns the end of a body that is one chain of at most three calls, the last one of a method of the given name, else its
// beginning.
func (r *reader) forwards(name string, body int) int {
	if name == "" {
		return body
	}
	last, calls := "", 0
	for at := body + 1; at < min(body+longestForward, len(r.toks)); at++ {
		switch r.word(at) {
		case "}":
			if last == name {
				return at + 1
			}
			return body
		case "(":
			if r.name(at-1) != "" {
				calls++
			}
			if calls > mostCalls {
				return body
			}
			if r.word(at-2) == "." {
				last = r.name(at - 1)
			}
		case ")", ".", ",", "&", "*", "::", "self", "mut":
		default:
			if r.name(at) == "" && r.word(at-1) != "." { // self.0 is a field
				return body
			}
		}
	}
	return body
}

// builtin lists attributes that Rust itself reads. Their author chooses what they say: a condition, a lint, a path.
var builtin = []string{"allow", "cfg", "cfg_attr", "deny", "deprecated", "derive", "doc", "expect", "feature", "forbid", "inline", "macro_use", "must_use", "path", "repr", "test", "warn"}

// attribute adds the attribute at i, if a macro reads it, without its values. The macro fixes its names, so they are no evidence beside
// another one. The item below is its type.
func (r *reader) attribute(i int) {
	if slices.Contains(builtin, r.word(i+2)) {
		return
	}
	end := r.bracketed(i + 1)
	if end == i+1 { // it does not end, or too late
		return
	}
	typ := r.in().name
	for at := end; typ < 0 && at < min(end+longest, len(r.toks)); at++ {
		switch r.word(at) {
		case "#":
			at = max(at, r.bracketed(at+1)-1)
		case "struct", "enum", "fn", "mod", "trait", "type":
			if r.name(at+1) != "" {
				typ = at + 1
			}
		case ";", "{", "}", "=":
			at = len(r.toks)
		}
	}
	from := i
	for at := i; at < end; at++ {
		if c := r.toks[at].Class; c == lang.String || c == lang.Number {
			r.add(from, at, scope{name: typ, stub: true})
			from = at + 1
		}
	}
	r.add(from, end, scope{name: typ, stub: true})
}

// bracketed returns the token after the bracket that closes the one at i, or i.
func (r *reader) bracketed(i int) int {
	depth := 0
	for at := i; at < min(i+longest, len(r.toks)); at++ {
		if depth += nesting(r.word(at)); depth == 0 {
			return at + 1
		}
	}
	return i
}
