package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

const cppKeywords = cKeywords + "virtual mutable constinit consteval class and_eq or_eq xor_eq not compl or and bitor xor " +
	"bitand not_eq decltype explicit typename template operator try delete friend public private protected noexcept throw " +
	"namespace using static_assert concept co_return co_yield catch co_await new requires this"

// CppWords are the reserved words of C++, in all its versions.
var CppWords = newWords(cppKeywords, cValues)

var cppDialect = dialect{words: CppWords, signs: newOperators(cSigns + "<=> .* ->*"), number: cppNumber, plus: true}

// Cpp is the lexer of C++.
func Cpp(dst []token.Token, src []byte) ([]token.Token, bool) { return cppDialect.lex(dst, src) }

// The longest delimiter of a raw string.
const rawDelimiter = 16

// rawEnd returns the index after the raw string whose quote is at i, 0 if it is not one. An unclosed string ends with
// the source.
func rawEnd(src []byte, i int) int {
	body := src[i+1:]
	open := bytes.IndexByte(body[:min(len(body), rawDelimiter+1)], '(')
	if open < 0 {
		return 0
	}
	for _, b := range body[:open] {
		if b == '\\' || chars[b]&blank != 0 {
			return 0
		}
	}
	var mark [rawDelimiter + 2]byte
	n := 1 + copy(mark[1:], body[:open])
	mark[0], mark[n] = ')', '"'
	end, _ := after(src, i+1+open, string(mark[:n+1]))
	return end
}

// ---- numbers

// cppNumber returns the end of the number at i. A user-defined suffix is a token of its own.
func cppNumber(src []byte, i int) int {
	end := digitsEnd(src, i, digit)
	if b := at(src, end); b != '.' && b != '\'' && chars[b]&(letter|digit) == 0 && (src[i] != '0' || end == i+1) {
		return end // the usual case
	}
	return max(cppInteger(src, i), cppFloat(src, i))
}

// digitsEnd returns the end of a run of digits with single quotes between them, or i if there is none.
func digitsEnd(src []byte, i int, set uint8) int {
	start := i
	for chars[at(src, i)]&set != 0 || i > start && at(src, i) == '\'' && chars[at(src, i+1)]&set != 0 {
		i++
	}
	return i
}

func cppInteger(src []byte, i int) int {
	end := i
	switch {
	case src[i] == '.':
		return 0
	case src[i] != '0':
		end = digitsEnd(src, i, digit)
	case at(src, i+1)|0x20 == 'x':
		end = digitsEnd(src, i+2, hex)
		if end == i+2 {
			return i + 1
		}
	case at(src, i+1)|0x20 == 'b':
		end = lowDigitsEnd(src, i+2, '1')
		if end == i+2 {
			return i + 1
		}
	default:
		end = lowDigitsEnd(src, i, '7')
	}
	return end + oneOf(src, end, integerSuffixes)
}

// lowDigitsEnd is digitsEnd for the digits up to top.
func lowDigitsEnd(src []byte, i int, top byte) int {
	start := i
	is := func(b byte) bool { return '0' <= b && b <= top }
	for is(at(src, i)) || i > start && at(src, i) == '\'' && is(at(src, i+1)) {
		i++
	}
	return i
}

// The suffixes, longer before shorter.
var (
	integerSuffixes = []string{"llu", "llU", "LLu", "LLU", "ull", "uLL", "Ull", "ULL", "ll", "LL", "ul", "uL", "Ul", "UL",
		"uz", "uZ", "Uz", "UZ", "lu", "lU", "Lu", "LU", "zu", "zU", "Zu", "ZU", "u", "U", "l", "L", "z", "Z"}
	floatSuffixes = []string{"f128", "F128", "bf16", "BF16", "f16", "F16", "f32", "F32", "f64", "F64", "f", "F", "l", "L"}
)

// oneOf returns the length of the first of the suffixes found at i, 0 if there is none.
func oneOf(src []byte, i int, suffixes []string) int {
	if chars[at(src, i)]&letter == 0 {
		return 0
	}
	for _, s := range suffixes {
		if has(src, i, s) {
			return len(s)
		}
	}
	return 0
}

func cppFloat(src []byte, i int) int {
	set, mark := uint8(digit), byte('e')
	start := i
	if src[i] == '0' && at(src, i+1)|0x20 == 'x' {
		set, mark = hex, 'p'
		start = i + 2
	}
	end := digitsEnd(src, start, set)
	point := at(src, end) == '.'
	if point {
		fraction := digitsEnd(src, end+1, set)
		if end == start && fraction == end+1 {
			return 0
		}
		end = fraction
	}
	scaled := cppExponentEnd(src, end, mark)
	if scaled == end && (!point || set == hex) {
		return 0
	}
	return scaled + oneOf(src, scaled, floatSuffixes)
}

// cppExponentEnd returns the end of the exponent at i, or i if there is none.
func cppExponentEnd(src []byte, i int, mark byte) int {
	if at(src, i)|0x20 != mark {
		return i
	}
	start := i + 1
	if b := at(src, start); b == '+' || b == '-' {
		start++
	}
	if end := digitsEnd(src, start, digit); end > start {
		return end
	}
	return i
}
