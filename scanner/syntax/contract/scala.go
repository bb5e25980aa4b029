package contract

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

// In Scala, a method that implements one of a trait may have the word override or not. A copy mostly keeps the word, or its
// absence. So a signature without the word is fixed beside one that has it, but not beside another one without it. The class must
// be the trait itself, or extend a type that its file does not declare: a type in the file could be copied with the class. In Scala
// 3 a body may be indented instead of in braces.

// scala reads the head of a class, a trait, an object, an enumeration, a given or an anonymous class, and the methods and values in it.
func (r *reader) scala(i int) {
	r.dedent(i)
	switch r.word(i) {
	case "class", "object", "trait", "given":
		r.headOfScala(i)
	case "enum":
		if r.name(i+1) != "" && r.word(i-1) != "." { // else a name of Scala 2
			r.headOfScala(i)
		}
	case "new":
		r.anonymousOfScala(i)
	case "override":
		r.overriding(i, i)
	case dependency[0], dependency[1], dependency[2]:
		r.coordinates(i)
	case "<", "</", "><", "></":
		r.element(i)
	case "def", "val":
		if in := r.in(); in.unmarked && (in.column == 0 || in.column == r.margin(i)) && !r.private(i) {
			r.add(i, r.declared(i), in)
		}
	}
}

// dependency lists the operators between the parts of a dependency's name.
var dependency = []string{"%", "%%", "%%%"}

// coordinates adds the name of a dependency of sbt ("org" %% "name" % "version"), whose first operator is at i. Its publisher fixes it.
func (r *reader) coordinates(i int) {
	if i == 0 || r.toks[i-1].Class != lang.String {
		return
	}
	end := i
	for end < min(i+longest, len(r.toks)-1) && slices.Contains(dependency, r.word(end)) {
		if end += 2; r.word(end) == "." {
			end += 2
		}
	}
	r.add(i-1, min(end, len(r.toks)), scope{name: -1, stub: true})
}

// element adds the tag of an element of XML (<scm>, </scm>) whose bracket is at i. A schema fixes its name, as Maven's does in builds of sbt.
func (r *reader) element(i int) {
	if r.name(i+1) == "" || !strings.HasPrefix(r.word(i+2), ">") {
		return
	}
	if r.toks[i].End == r.toks[i+1].Start && r.toks[i+1].End == r.toks[i+2].Start { // else a comparison
		r.add(i, i+3, scope{name: -1, stub: true})
	}
}

// modifiers are the words before a declaration.
var modifiers = []string{"override", "private", "protected", "final", "implicit", "lazy", "abstract", "inline", "case", "sealed", "@"}

// declared returns the end of the signature at i, which may have no body: then another declaration follows.
func (r *reader) declared(i int) int {
	end, depth, column := r.signature(i), 0, r.in().column
	if end == i && column > 0 && len(r.toks)-i < longest { // the last one of the text
		end = len(r.toks)
	}
	for at := i + 1; at < end; at++ {
		switch w := r.word(at); {
		case w == "(" || w == "[":
			depth++
		case w == ")" || w == "]":
			depth--
		case depth == 0 && (w == "val" || w == "var" || w == "type" || slices.Contains(behindHead, w) || slices.Contains(modifiers, w)) && r.word(at-1) != ".",
			depth == 0 && column > 0 && r.first(at) && r.margin(at) <= column:
			return at
		}
	}
	return end
}

// behindHead lists words that begin another declaration: the class before them has no body in braces.
var behindHead = []string{"def", "import", "package", "class", "object", "trait", "enum", "given"}

// headOfScala reads the head of a type at i, up to its body.
func (r *reader) headOfScala(i int) {
	var of []string
	given := r.word(i) == "given" // its type has no word before it
	s, depth, lists := scope{name: -1, unmarked: r.word(i) == "trait"}, 0, given
	if r.name(i+1) != "" && !given {
		s.name = i + 1
	}
	for at := i + 1; at < min(i+longest, len(r.toks)); at++ {
		w := r.word(at)
		depth += nesting(w)
		switch {
		case depth < 0 || w == ";" || w == "}" || slices.Contains(behindHead, w):
			return
		case depth == 0 && (w == "{" || w == "=" || r.indented(i, at, given)):
			s.unmarked = s.unmarked || r.foreign(of)
			r.body(i, at, s)
			return
		case depth == 0 && (w == "extends" || w == "with"):
			lists = true
		case depth == 0 && lists && r.name(at) != "" && r.word(at+1) != ".":
			of = append(of, r.name(at))
		}
	}
}

// indented reports whether the token at opens an indented body, given the head of the body.
func (r *reader) indented(head, at int, given bool) bool {
	w := r.word(at)
	return (w == ":" || given && w == "with") && r.first(at+1) && r.margin(at+1) > r.margin(head)
}

// body lets the token at open a body; an alias ("given A = b") has none.
func (r *reader) body(head, at int, s scope) {
	switch r.word(at) {
	case "=":
		return
	case "{":
	default:
		s.margin, s.column = r.margin(head), r.margin(at+1)
	}
	r.brace, r.next = at, s
}

// first reports whether a token is the first one of its line.
func (r *reader) first(i int) bool {
	return i > 0 && i < len(r.toks) && bytes.IndexByte(r.text[r.toks[i-1].End:r.toks[i].Start], '\n') >= 0
}

// margin returns by how much the line of a token is indented; 0 if the line is too long.
func (r *reader) margin(i int) int {
	start := int(r.toks[i].Start)
	line := r.text[max(0, start-longest):start]
	at := bytes.LastIndexByte(line, '\n')
	if at < 0 && len(line) == longest {
		return 0
	}
	line = line[at+1:]
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

// dedent ends the indented bodies that the line of a token no longer belongs to.
func (r *reader) dedent(i int) {
	for in := r.in(); in.column > 0 && r.first(i) && r.margin(i) <= in.margin; in = r.in() {
		r.open = r.open[:len(r.open)-1]
	}
}

// foreign reports whether types are extended, none of which the file declares.
func (r *reader) foreign(of []string) bool {
	if r.types == nil {
		r.types = map[string]bool{}
		for i := range r.toks {
			if w := r.word(i); w == "trait" || w == "class" {
				r.types[r.name(i+1)] = true
			}
		}
	}
	return len(of) > 0 && !slices.ContainsFunc(of, func(name string) bool { return r.types[name] })
}

// anonymousOfScala reads "new Type[…](…) with Other {" at i.
func (r *reader) anonymousOfScala(i int) {
	var of []string
	depth := 0
	for at := i + 1; at < min(i+longest, len(r.toks)); at++ {
		w := r.word(at)
		depth += nesting(w)
		switch {
		case depth == 0 && (w == "{" || r.indented(i, at, false)):
			r.body(i, at, scope{name: -1, unmarked: r.foreign(of)})
			return
		case depth > 0 || depth == 0 && (w == ")" || w == "]" || w == "." || w == "with"):
		case depth < 0 || r.name(at) == "" || at > i+1 && r.word(at-1) != "." && r.word(at-1) != "with":
			return
		case r.word(at+1) != ".":
			of = append(of, r.name(at))
		}
	}
}

// private reports whether the declaration at i is private, so that it implements nothing.
func (r *reader) private(i int) bool {
	for at := i - 1; at >= max(0, i-8); at-- {
		switch w := r.word(at); w {
		case "private":
			return true
		case "final", "lazy", "implicit", "inline", "[", "]", "this":
		default:
			if r.name(at) == "" || r.word(at-1) != "[" {
				return false
			}
		}
	}
	return false
}
