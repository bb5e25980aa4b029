package functions

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Class is a type that a text declares together with its members.
type Class struct {
	Names    []int // tokens of its name, and of the names that its declaration gives after its body
	From, To int   // tokens, from its keyword to the end of its body
}

// types lists the words before the name of a class. An enum is none: in many languages code names its members alone.
var types = []string{"class", "struct", "interface", "record", "union"}

// Classes returns the classes of a text, in the order of their names. Like Find, it approximates.
func Classes(l *lang.Language, text []byte, tokens []lang.Token) (out []Class) {
	s := stream{l, text, tokens}
	if l.Family == "python" {
		for _, c := range s.indented(block{head: "class"}) {
			out = append(out, Class{[]int{c.Name}, c.From, c.To})
		}
		return out
	}
	bodies := make(map[int]int) // index in out, by the brace that opens the body
	var open []int              // index in out, or -1
	for i := range tokens {
		switch w := s.word(i); w {
		case "{", "${":
			at, ok := bodies[i]
			if !ok {
				at = -1
			}
			open = append(open, at)
		case "}":
			if n := len(open); n > 0 {
				if at := open[n-1]; at >= 0 {
					out[at].To = i + 1
					out[at].Names = append(out[at].Names, s.declarators(i)...)
				}
				open = open[:n-1]
			}
		default:
			if slices.Contains(types, w) {
				brace := s.bodyOf(i)
				if _, taken := bodies[brace]; brace >= 0 && !taken {
					bodies[brace] = len(out)
					out = append(out, Class{[]int{i + 1}, i, len(tokens)})
				}
			}
		}
	}
	return out
}

// uses lists words and signs before "class" and the like where these declare nothing.
var uses = []string{"<", ",", "(", ".", "enum", "friend"}

// bodyOf returns the brace that opens the body of the class whose keyword is at i, or -1.
func (s stream) bodyOf(i int) int {
	if i+1 >= len(s.tokens) || s.tokens[i+1].Class != lang.Identifier || i > 0 && slices.Contains(uses, s.word(i-1)) {
		return -1
	}
	depth, parents := 0, false
	for at := i + 2; at < len(s.tokens) && at < i+longestHead && !lang.Ends(s.text, s.tokens, at-1); at++ {
		switch w := s.word(at); {
		case w == "(":
			if depth == 0 && at > i+2 && !parents { // of a function that returns a struct
				return -1
			}
			depth++
		case w == ")":
			depth--
		case depth > 0:
		case w == "{":
			return at
		case w == ":":
			parents = true
		case w == "=" || w == "*" || w == "}" || w == "fun" || w == ";":
			return -1
		}
	}
	return -1
}

// declarators returns the names between the body of a struct of C, which ends at i, and the end of its statement.
func (s stream) declarators(i int) (out []int) {
	if s.language.Family != "c" {
		return nil
	}
	for at := i + 1; at < len(s.tokens) && at < i+longestResult && !lang.Ends(s.text, s.tokens, at-1) && s.word(at) != ";"; at++ {
		if s.tokens[at].Class == lang.Identifier {
			out = append(out, at)
		}
	}
	return out
}
