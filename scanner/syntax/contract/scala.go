package contract

import "slices"

// In Scala, a method that implements one of a trait may have the word override or not. A copy mostly leaves the word as it is, so the
// signature of a method without it is fixed beside one that has it, but not beside another one without it. The class has to extend
// something that its file does not declare, which could be copied with it, or it is the trait itself.

// scala reads the head of a class, a trait, an object, a given or an anonymous class, and the methods and values in it.
func (r *reader) scala(i int) {
	switch r.word(i) {
	case "class", "object", "trait", "given":
		r.headOfScala(i)
	case "new":
		r.anonymousOfScala(i)
	case "override":
		r.overriding(i, i)
	case "def", "val":
		if in := r.in(); in.unmarked && !r.private(i) {
			r.add(i, r.declared(i), in)
		}
	}
}

// modifiers are the words before a declaration.
var modifiers = []string{"override", "private", "protected", "final", "implicit", "lazy", "abstract", "inline", "case", "sealed", "@"}

// declared returns the end of the signature at i, which may have no body: then another declaration follows.
func (r *reader) declared(i int) int {
	end, depth := r.signature(i), 0
	for at := i + 1; at < end; at++ {
		switch w := r.word(at); {
		case w == "(" || w == "[":
			depth++
		case w == ")" || w == "]":
			depth--
		case depth == 0 && (w == "val" || w == "var" || w == "type" || slices.Contains(behindHead, w) || slices.Contains(modifiers, w)) && r.word(at-1) != ".":
			return at
		}
	}
	return end
}

// behindHead lists words that begin another declaration: the class before them has no body in braces.
var behindHead = []string{"def", "import", "package", "class", "object", "trait", "given"}

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
		case depth == 0 && w == "{":
			s.unmarked = s.unmarked || r.foreign(of)
			r.brace, r.next = at, s
			return
		case depth == 0 && (w == "extends" || w == "with"):
			lists = true
		case depth == 0 && lists && r.name(at) != "" && r.word(at+1) != ".":
			of = append(of, r.name(at))
		}
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
		case depth == 0 && w == "{":
			r.brace, r.next = at, scope{name: -1, unmarked: r.foreign(of)}
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
