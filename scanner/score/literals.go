package score

import (
	"bytes"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// literals reads the equal values. Numbers that continue or double the one before are left out, and strings that count on, since
// independent authors count in the same way. So are the words of a language in a list of them.
func (r *Readings) literals(target, origin match.Side, m match.Match, c model.Frequencies) {
	seen := make(map[string]bool)
	last, before := uint64(0), []byte(nil)
	listed := listsWords(target, origin, m)
	add := func(_ int, o, t []byte) {
		r.Literals++
		if !bytes.Equal(o, t) && !(target.Quotes && model.SameString(o, t)) {
			return
		}
		r.Equal++
		skip := false
		if n, err := strconv.ParseUint(string(o), 0, 64); err == nil {
			skip = n == last+1 || n == 2*last
			last = n
		} else {
			skip = continuesList(before, o) || listed && model.Reserved(o)
			before = o
		}
		if !skip && !seen[string(o)] {
			seen[string(o)] = true
			v := valueOf(c, o, &target)
			if !r.mute {
				v.text = string(o)
			}
			r.Values = append(r.Values, v)
		}
	}
	each(target, origin, m, lang.String, add)
	each(target, origin, m, lang.Number, add)
}

// leastListed is how many different reserved words make a match a list of them. A parser may compare its input with fewer.
const leastListed = 12

// listsWords reports whether the equal strings of a match list the words that a language reserves.
func listsWords(target, origin match.Side, m match.Match) bool {
	seen := make(map[string]bool)
	each(target, origin, m, lang.String, func(_ int, o, t []byte) {
		if len(seen) < leastListed && bytes.Equal(o, t) && model.Reserved(o) {
			seen[string(o)] = true
		}
	})
	return len(seen) == leastListed
}

// continuesList reports whether a string follows another one in a list of characters or numbers: 'b' follows 'a', "\x0a" follows
// "\x09", "%10" follows "%0f".
func continuesList(before, text []byte) bool {
	before, text = bytes.Trim(before, quotes), bytes.Trim(text, quotes)
	if len(before) == 1 && len(text) == 1 {
		return text[0] == before[0]+1
	}
	a, b := numberAt(before), numberAt(text)
	if len(before)-a > mostDigits || len(text)-b > mostDigits || !bytes.Equal(before[:a], text[:b]) {
		return false
	}
	for _, base := range []int{8, 10, 16} {
		last, err := strconv.ParseUint(string(before[a:]), base, 64)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseUint(string(text[b:]), base, 64); err == nil && n == last+1 {
			return true
		}
	}
	return false
}

const (
	quotes     = "\"'`"
	mostDigits = 8 // of a number at the end of a string
)

// numberAt returns the index of the first of the hexadecimal digits at the end of a text.
func numberAt(text []byte) int { return len(bytes.TrimRight(text, "0123456789abcdefABCDEF")) }

// valueOf reads a literal of a side. Its length is counted without quotes and what stands before them, as in L'a'.
func valueOf(c model.Frequencies, text []byte, of *match.Side) Value {
	v := Value{Digits: -1}
	if model.FixedValue(text) { // such values carry no bits
		return v
	}
	inner := bytes.Trim(unprefixed(text), quotes)
	if v.Rarity = rarity(c, text, len(inner)); of.Quotes {
		if double, single := model.Quoted(text); single != 0 {
			v.Bits, v.Platform = min(v.Bits, c.NameOf(double), c.NameOf(single)), v.Platform || c.Platform(double) || c.Platform(single)
		}
	}
	if isNumber(text) {
		v.Digits = digits(text)
	} else if code, ok := escape(inner); ok {
		v.Digits = digits(code)
	}
	return v
}

// unprefixed returns a literal from its first quote on, if at most two characters stand before it.
func unprefixed(literal []byte) []byte {
	if at := bytes.IndexAny(literal[:min(len(literal), 3)], quotes); at > 0 {
		return literal[at:]
	}
	return literal
}

// escape returns the number of a text that is a single escape, \x1b, \033 or \u001b, as a hexadecimal one.
func escape(text []byte) (code []byte, ok bool) {
	if len(text) < 2 || text[0] != '\\' {
		return nil, false
	}
	code = text[1:]
	if kind := code[0] | 0x20; kind == 'x' || kind == 'u' {
		code = code[1:]
	} else if !isDigit(code[0]) {
		return nil, false
	}
	return append([]byte("0x"), code...), len(code) <= mostDigits && numberAt(code) == 0
}

func isNumber(text []byte) bool { return len(text) > 0 && (isDigit(text[0]) || text[0] == '.') }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits counts the digits of a number without leading and trailing zeros. A thousand or the bit of a flag has few.
func digits(number []byte) int {
	rest := bytes.TrimLeft(number, "0.")
	hex := len(rest) < len(number) && len(rest) > 0 && rest[0]|0x20 == 'x'
	n := 0
	for _, c := range bytes.TrimRight(bytes.TrimLeft(rest, "xX0"), "0") {
		if isDigit(c) || hex && 'a' <= c|0x20 && c|0x20 <= 'f' {
			n++
		}
	}
	return n
}
