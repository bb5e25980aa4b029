package model

import "unicode"

// Characters reports whether numbers are the code points of a character set, so that Unicode fixes them: a table of ISO 8859-2 or
// Big5 has the same numbers in independent code. Numbers below 128 tell nothing and are ignored. A table of other numbers of 16 bits
// has a few that are no letters, or letters of many scripts: half of all such numbers belong to one of the groups.
func Characters(numbers []uint64) bool {
	var groups [len(sets)]int
	all := 0
	for _, n := range numbers {
		if n < 0x80 {
			continue
		}
		all++
		for g, in := range sets {
			if n <= unicode.MaxRune && in(rune(n)) {
				groups[g]++
			}
		}
	}
	for _, n := range groups {
		if all >= leastCharacters && strangeCharacters*(all-n) <= all {
			return true
		}
	}
	return false
}

const (
	// leastCharacters is the fewest numbers from which a character set is recognised.
	leastCharacters = 12
	// strangeCharacters is how many numbers there have to be for one that is no character of the set.
	strangeCharacters = 12
)

// sets tell the characters of sets for alphabets, for Chinese and Japanese, and for Korean.
var sets = [...]func(rune) bool{
	func(r rune) bool {
		return 0xA0 <= r && r < 0xC0 || 0x02C6 <= r && r <= 0x02DD || 0x2010 <= r && r < 0x2670 || 0xFB00 <= r && r <= 0xFB06 ||
			unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic, unicode.Thai, unicode.Armenian, unicode.Georgian)
	},
	func(r rune) bool {
		return 0x3000 <= r && r < 0x3400 || 0xFE30 <= r && r < 0xFFE7 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo)
	},
	func(r rune) bool { return unicode.Is(unicode.Hangul, r) },
}
