package lex

import "bytes"

// The longest delimiter of a raw string.
const rawDelimiter = 16

// rawEnd is the place behind the raw string whose quote is at i, 0 if it is none.
// One that is never closed ends with the source.
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
