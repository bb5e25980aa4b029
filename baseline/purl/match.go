package purl

import "strings"

// Match reports whether a package URL fits a pattern: a package URL in which *
// stands for anything and ? for one character. A pattern without version fits
// every version. Capital letters of golang and swift purls do not count.
func Match(pattern, s string) bool {
	if strings.Contains(pattern, "@") && !scopeOnly(pattern) {
		return glob(fold(pattern), fold(s))
	}
	return glob(fold(pattern), Key(s))
}

// scopeOnly holds for a pattern whose only @ opens an npm scope.
func scopeOnly(pattern string) bool {
	i := strings.LastIndexByte(pattern, '@')
	return i > 0 && pattern[i-1] == '/'
}

// fold gives a pattern or package URL the spelling Key gives names.
func fold(s string) string {
	if _, ok := golangRest(s); ok || strings.HasPrefix(s, "pkg:golang") || strings.HasPrefix(s, swiftPrefix) {
		return strings.ToLower(s)
	}
	return strings.ReplaceAll(s, "/@", "/%40")
}

// glob matches with one point to come back to, which takes at most the product
// of both lengths.
func glob(pattern, s string) bool {
	p, i, star, from := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			from++
			p, i = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
