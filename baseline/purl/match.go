package purl

import "strings"

// Match reports whether a package URL fits a pattern. A pattern is a package URL in which * matches any text and ? one
// character. A pattern without version fits every version. For golang and swift purls, case is ignored.
func Match(pattern, s string) bool {
	if strings.Contains(pattern, "@") && !scopeOnly(pattern) {
		return glob(fold(pattern), fold(s))
	}
	return glob(fold(pattern), Key(s))
}

// scopeOnly reports whether the only @ of a pattern opens an npm scope.
func scopeOnly(pattern string) bool {
	i := strings.LastIndexByte(pattern, '@')
	return i > 0 && pattern[i-1] == '/'
}

// fold gives a pattern or package URL the spelling that Key gives to names.
func fold(s string) string {
	if _, ok := golangRest(s); ok || strings.HasPrefix(s, "pkg:golang") || strings.HasPrefix(s, swiftPrefix) {
		return strings.ToLower(s)
	}
	return strings.ReplaceAll(s, "/@", "/%40")
}

// glob matches with one point to backtrack to. Its time is at most the product of both lengths.
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
