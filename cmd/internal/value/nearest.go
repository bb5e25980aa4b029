package value

import "strings"

// Nearest returns the word that name most resembles, "" if it resembles none: a word begins with it, or at most two letters differ.
func Nearest(name string, words []string) string {
	best, found := 3, ""
	for _, w := range words {
		d := distance(name, w)
		if d >= len(name) { // too short to tell
			continue
		}
		if len(name) > 2 && strings.HasPrefix(w, name) {
			d = min(d, 2)
		}
		if d < best {
			best, found = d, w
		}
	}
	return found
}

// distance counts the letters to add, remove and replace until a is b. Names longer than a flag's are equal to none.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	row := make([]int, len(b)+1) // row[j]: from a[:i] to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
