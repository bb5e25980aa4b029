package declarations

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// bracket keeps track of open brackets: of an enumeration or a class, and in Rust of a block whose names are declared elsewhere.
func (s *stream) bracket(i int) {
	w := s.word(i)
	if s.syntax == "rust" {
		s.inRust(i, w)
	}
	switch w {
	case "{":
		s.depth++
		if s.word(i-1) == "enum" || s.word(i-2) == "enum" || s.word(i-3) == "enum" {
			s.enum = s.depth
		} else if s.style == colon && s.ownClass(i) {
			s.class = s.depth
		}
	case "${": // code in a string
		s.depth++
	case "}":
		for _, block := range []*int{&s.enum, &s.class, &s.theirs} {
			if *block == s.depth {
				*block = -1
			}
		}
		s.depth--
	case ")":
		if s.messages {
			s.selector(i)
		}
	}
}

// inRust notes how the names in a bracket of Rust are declared.
func (s *stream) inRust(i int, w string) {
	switch w {
	case "(":
		s.open = append(s.open, true)
	case "[":
		s.open = append(s.open, false)
	case "{":
		head, foreign := s.head(i)
		s.open = append(s.open, head == "struct" || head == "union" || head == "!" || s.enum == s.depth)
		if foreign {
			s.theirs = s.depth + 1
		}
	case ")", "]", "}":
		if len(s.open) > 0 {
			s.open = s.open[:len(s.open)-1]
		}
	}
}

// longestImpl bounds the head of an implementation, in tokens: its types have parameters, and these have bounds.
const longestImpl = 64

// head returns the keyword of the item of Rust whose body the brace at i opens, "!" for the call of a macro, and "" for an expression.
// foreign reports whether the functions in the body are declared elsewhere: by a trait, or by another library.
func (s *stream) head(i int) (keyword string, foreign bool) {
	if s.word(i-1) == "!" || s.word(i-2) == "!" && s.classOf(i-1) == lang.Identifier {
		return "!", false
	}
	if s.word(i-1) == "extern" || s.word(i-2) == "extern" {
		return "extern", true
	}
	for at := i - 1; at >= 0 && at > i-longestImpl; at-- {
		switch w := s.word(at); w {
		case ";", "{", "}":
			return "", false
		case "for":
			foreign = foreign || s.word(at+1) != "<"
		case "impl":
			if begins := s.word(at - 1); begins == "" || slices.Contains([]string{"}", "{", ";", "]", "unsafe", "default"}, begins) {
				return w, foreign
			}
		case "fn", "struct", "union", "trait", "mod":
			return w, false
		}
	}
	return "", false
}

// asked reports whether a trait or another library prescribes the name at i: it is the name of a function, an associated type or a
// constant, directly in a block whose functions are declared elsewhere.
func (s *stream) asked(i int) bool {
	return slices.Contains([]string{"fn", "type", "const"}, s.word(i-1))
}

// parameters returns the last token of the parameters of the function whose name is at i, or i if it has none. They are declared where
// the function is.
func (s *stream) parameters(i int) int {
	if s.word(i-1) != "fn" {
		return i
	}
	at := i + 1
	for depth := 0; at < len(s.tokens) && at < i+longestList; at++ {
		switch w := s.word(at); {
		case w == "<":
			depth++
		case w == ">" || w == ">>":
			depth -= len(w)
		case w == "(" && depth <= 0:
			if end := s.closing(at); s.word(end) == ")" {
				return end
			}
			return i
		case w == "{" || w == ";":
			return i
		}
	}
	return i
}

// selector declares a part of the name of a method of Objective-C: - (TYPE)NAME, and NAME: after the parenthesis and the parameter before.
func (s *stream) selector(i int) {
	if s.word(i) != ")" || s.classOf(i+1) != lang.Identifier {
		return
	}
	if sign := s.word(s.opening(i) - 1); sign != "-" && sign != "+" || !s.beginsLine(s.opening(i)-1) {
		return
	}
	s.declare(i + 1)
	for at := i + 2; at < i+longestList && s.word(at) != "{" && s.word(at) != ";"; at++ {
		if s.word(at) == ")" && s.classOf(at+1) == lang.Identifier { // a parameter, and the next part
			s.declare(at + 1)
			if s.classOf(at+2) == lang.Identifier {
				s.declare(at + 2)
			}
		}
	}
}
