package lang

import (
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// wordAt returns the token that starts at i, an empty one if there is none, and where to continue.
func wordAt(src []byte, i int) (Token, int) {
	r, n := runeAt(src, i)
	if !isWordRune(r) {
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError && n == 1 {
			return Token{}, i + n
		}
		return Token{Start: uint32(i), End: uint32(i + n), Kind: token.Kind(src[i : i+n])}, i + n
	}
	first := r
	end := i + n
	for end < len(src) {
		r, n := runeAt(src, end)
		if !isWordRune(r) {
			break
		}
		end += n
	}
	if unicode.IsDigit(first) {
		return Token{Start: uint32(i), End: uint32(end), Kind: numberKind, Class: Number}, end
	}
	return Token{Start: uint32(i), End: uint32(end), Kind: token.Kind(src[i:end]), Class: Word}, end
}

func runeAt(src []byte, i int) (rune, int) {
	if c := src[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRune(src[i:])
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

var numberKind = Number.Kind()
