// Package annotations recognises code to which only types were added, such as JavaScript that was ported to TypeScript. It takes
// the texts of tokens of both sides, and reports whether one is the other with type annotations. Text that it does not understand
// counts as no annotation.
//
//	annotations.go  Added: both sides are read together
//	types.go        where a type ends
package annotations

import "slices"

// operators are words in front of an expression.
var operators = []string{"return", "case", "typeof", "in", "of", "delete", "void", "await", "yield", "else", "throw", "instanceof"}

// Added reports whether the target's tokens are those of the origin with one or more type annotations added.
func Added(target, origin []string) bool {
	r := reader{target}
	i, j, found := 0, 0, false
	for i < len(target) {
		if j < len(origin) && target[i] == origin[j] {
			i, j = i+1, j+1
			continue
		}
		end := r.annotation(i)
		if end <= i {
			return false
		}
		i, found = end, true
	}
	return found && j == len(origin)
}

// annotation returns where the annotation that begins at token i ends, and -1 if none begins there. The tokens may end within it, since
// what follows a type is often equal on both sides.
func (r reader) annotation(i int) int {
	switch r.at(i) {
	case ":", "->", "as", "satisfies":
		return r.typeEnd(i + 1)
	case "?": // of an optional parameter
		if next := r.at(i + 1); next == ":" || next == "" {
			return i + 1
		}
	case "!": // that something is not null; in front of a condition it is a change
		if before := r.at(i - 1); before != ")" && before != "]" && (before == "" || !isWord(before) || slices.Contains(operators, before)) {
			return -1
		}
		return i + 1
	case "public", "private", "protected", "readonly", "override":
		return i + 1
	case "<":
		if end := r.close(i); end > i && r.tokens[end-1][0] == '>' { // else it may be a comparison
			return end
		}
	}
	return -1
}
