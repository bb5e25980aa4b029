package model

import (
	"bytes"
)

func ngramHash(kinds []uint32) uint32 {
	h := uint64(len(kinds))
	for _, k := range kinds {
		h = (h ^ uint64(k)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

// NameHash returns the hash of an identifier's or literal's text. It is used here and in the sets of names of documents
// (package store).
func NameHash(name []byte) uint32 {
	h := uint64(0xCBF29CE484222325)
	for _, b := range name {
		h = (h ^ uint64(b)) * 0x100000001B3
	}
	h *= 0x9E3779B97F4A7C15
	return uint32(h >> 32)
}

// Quoted returns the hashes of a string in double and in single quotes. If text has neither quotes, single is 0. Tools that
// format code change all strings of a text to the same quotes.
func Quoted(text []byte) (double, single uint32) {
	n := len(text)
	if n < 3 || text[0] != '"' && text[0] != '\'' || text[n-1] != text[0] {
		return NameHash(text), 0
	}
	var room [maxFixed]byte
	other := append(room[:0], text...)
	other[0] ^= '"' ^ '\''
	other[n-1] = other[0]
	if text[0] == '"' {
		return NameHash(text), NameHash(other)
	}
	return NameHash(other), NameHash(text)
}

// SameString reports whether two strings are equal apart from their quotes.
func SameString(a, b []byte) bool {
	n := len(a)
	return n == len(b) && n > 1 && isQuote(a[0]) && isQuote(b[0]) && a[n-1] == a[0] && b[n-1] == b[0] && bytes.Equal(a[1:n-1], b[1:n-1])
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }
