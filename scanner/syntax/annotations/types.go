package annotations

import "slices"

// reader reads types among tokens.
type reader struct{ tokens []string }

// at returns a token, "" before the first and after the last.
func (r reader) at(i int) string {
	if i >= 0 && i < len(r.tokens) {
		return r.tokens[i]
	}
	return ""
}

// prefixes stand in front of a type.
var prefixes = []string{"readonly", "keyof", "typeof", "unique", "asserts", "infer", "new", "abstract", "|", "&"}

// typeEnd returns where the type that begins at token i ends, -1 if none begins there.
func (r reader) typeEnd(i int) int {
	for {
		for slices.Contains(prefixes, r.at(i)) {
			i++
		}
		if i = r.primary(i); i < 0 {
			return -1
		}
		switch r.at(i) {
		case "|", "&", "=>", "is", "extends":
			i++
		default:
			return i
		}
	}
}

// primary reads a type without operators: a name, a literal or brackets, with its arguments, brackets and members.
func (r reader) primary(i int) int {
	switch first := r.at(i); {
	case first == "": // the type goes on after the tokens
		return i
	case opens[first] != "":
		if i = r.close(i); i < 0 {
			return -1
		}
	case isWord(first):
		i++
	default:
		return -1
	}
	for {
		switch next := r.at(i); {
		case next == ".":
			i = min(i+2, len(r.tokens))
		case next == "<" || next == "[":
			if i = r.close(i); i < 0 {
				return -1
			}
		default:
			return i
		}
	}
}

// opens maps brackets to those that close them.
var opens = map[string]string{"(": ")", "[": "]", "{": "}", "<": ">"}

// close returns the token after the bracket that closes the one at i, -1 if brackets do not match. Brackets that are open at the end of
// the tokens are closed after them.
func (r reader) close(i int) int {
	var open []string
	for ; i < len(r.tokens); i++ {
		t := r.tokens[i]
		switch {
		case opens[t] != "":
			open = append(open, opens[t])
		case t == ")" || t == "]" || t == "}" || t == ">" || t == ">>" || t == ">>>":
			part := t[:1] // >> closes two
			for range len(t) {
				if len(open) == 0 || open[len(open)-1] != part {
					return -1
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) == 0 {
			return i + 1
		}
	}
	return i
}

// isWord reports whether a token is a name or a literal.
func isWord(t string) bool {
	c := t[0]
	return c == '_' || c == '$' || c == '"' || c == '\'' || c == '`' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
