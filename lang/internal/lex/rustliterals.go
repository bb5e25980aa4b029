package lex

import (
	"unicode/utf8"
)

// rustPrefixed returns the end of the string or character whose prefix is the word from i to q, or q if the word is not
// a prefix.
func rustPrefixed(src []byte, i, q int) int {
	raw := false
	switch string(src[i:q]) {
	case "b", "c":
	case "r", "br", "cr":
		raw = true
	default:
		return q
	}
	switch c := at(src, q); {
	case raw && (c == '"' || c == '#'):
		return rustRaw(src, q)
	case !raw && c == '"':
		return longQuoteEnd(src, q)
	case src[i] == 'b' && !raw && c == '\'':
		return rustChar(src, q)
	}
	return q
}

// rustRaw returns the end of the raw string whose hashes or quote start at q, or q if there is none.
func rustRaw(src []byte, q int) int {
	i := q
	for at(src, i) == '#' {
		i++
	}
	hashes := i - q
	if at(src, i) != '"' {
		return q
	}
	for i++; i < len(src); {
		end, ok := after(src, i, `"`)
		if !ok {
			break
		}
		n := 0
		for n < hashes && at(src, end+n) == '#' {
			n++
		}
		if n == hashes {
			return end + n
		}
		i = end + n
	}
	return len(src)
}

// rustChar returns the end of the character whose quote is at i, or i if there is none.
func rustChar(src []byte, i int) int {
	to := i + 1
	switch c := at(src, to); {
	case c == '\'':
		return to + 1
	case c == '\\' && at(src, to+1) == 'u' && at(src, to+2) == '{':
		for to += 3; chars[at(src, to)]&hex != 0; to++ {
		}
		to++
	case c == '\\' && at(src, to+1) == 'u':
		to += 6
	case c == '\\' && at(src, to+1) == 'x':
		to += 4
	case c == '\\':
		_, n := utf8.DecodeRune(src[min(to+1, len(src)):])
		to += 1 + n
	default:
		_, n := utf8.DecodeRune(src[min(to, len(src)):])
		to += n
	}
	if at(src, to) == '\'' {
		return to + 1
	}
	return i
}

// rustNumber returns the end of the number at i, which starts with a digit. Behind the point of a field it contains no
// point.
func rustNumber(src []byte, i int, float bool) int {
	if float {
		if end := rustFloat(src, i); end > i {
			return end
		}
	}
	end := 0
	switch {
	case has(src, i, "0x"):
		end = numberPart(src, i+2, hex)
	case has(src, i, "0b"), has(src, i, "0o"):
		end = numberPart(src, i+2, digit)
	}
	if end <= i+2 {
		end = numberPart(src, i, digit)
	}
	for _, suffix := range []string{"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "isize", "usize", "f32", "f64"} {
		if has(src, end, suffix) {
			return end + len(suffix)
		}
	}
	return end
}

// rustFloat returns the end of the number with a point or exponent at i, or i if it has neither.
func rustFloat(src []byte, i int) int {
	end := numberPart(src, i, digit)
	point := at(src, end) == '.'
	if point {
		if c := at(src, end+1); c == '.' || chars[c]&letter != 0 && c != '_' || c >= 0x80 {
			return i
		}
		end = numberPart(src, end+1, digit)
	}
	if at(src, end)|0x20 == 'e' {
		to := end + 1
		if c := at(src, to); c == '+' || c == '-' {
			to++
		}
		exponent := numberPart(src, to, digit)
		if exponent == to {
			return end
		}
		end = exponent
	} else if !point {
		return i
	}
	if c := at(src, end); (c == 'u' || c == 'i' || c == 'f') && chars[at(src, end+1)]&digit != 0 {
		for end++; chars[at(src, end)]&digit != 0; end++ {
		}
	}
	return end
}
