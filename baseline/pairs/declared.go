package pairs

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Limits of the head of a function, in tokens.
const (
	longestParameters = 128
	longestResult     = 16 // from the parameters to the brace
)

// Tokens before and after a name.
var (
	declaring = []string{"def", "func", "fun", "fn", "function", "sub"} // a declared name follows
	calling   = []string{".", "->", "?.", "new", "if", "elif", "for", "while", "until", "unless", "switch", "match", "when", "guard", "return", "else", "throw", "await", "yield",
		"case", "defer", "go", "in", "not", "and", "or", "(", "=", "==", "!=", "!", "&&", "||", "<", "<=", ">=", "+", "-"} // a called one follows
	ending = []string{";", ",", "}", "=", "==", "!=", "&&", "||", "<=", ">=", "+", "-", "if", "for", "while", "switch", "match", "select", "do", "try", "loop", "return",
		"class", "struct", "enum", "interface"} // no result type has them
)

// hooks is the family whose functions make no pairs of their own: programs that extend a framework declare the same rare names, and nothing
// marks these as overrides.
const hooks = "ruby"

// head reads the tokens around a name.
type head struct {
	toks []lang.Token
	text []byte
}

// declares reports whether the name at i is that of a function that the text declares there: after a word such as "func", or before
// parameters and a brace. Nothing depends on it but what is compared, so an approximation is good enough.
func (h head) declares(i int) bool {
	if h.toks[i].Class != lang.Identifier {
		return false
	}
	if i > 0 {
		switch before := h.word(i - 1); {
		case slices.Contains(declaring, before):
			return true
		case slices.Contains(calling, before):
			return false
		}
	}
	at := h.behindParentheses(i + 1)
	for end := min(len(h.toks), at+longestResult); at > 0 && at < end; {
		switch word := h.word(at); {
		case word == "{":
			return true
		case word == "(": // a list of results
			at = h.behindParentheses(at)
		case word == ")" || slices.Contains(ending, word):
			return false
		default:
			at++
		}
	}
	return false
}

// behindParentheses returns the token behind those that open at i, or 0 if none do, or if what they enclose is too long.
func (h head) behindParentheses(i int) int {
	depth := 0
	for at := i; at < min(len(h.toks), i+longestParameters); at++ {
		switch h.word(at) {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			if at == i {
				return 0
			}
			return at + 1
		}
	}
	return 0
}

func (h head) word(i int) string { return string(h.text[h.toks[i].Start:h.toks[i].End]) }
