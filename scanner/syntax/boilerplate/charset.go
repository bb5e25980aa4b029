package boilerplate

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// entry is a pair of characters in a table that translates a character set, written as escapes of bytes: "\x80" => "\xC2\x80".
var entry = sync.OnceValue(func() *regexp.Regexp {
	const bytes = `["']((?:\\x[0-9A-Fa-f]{2}){1,4})["']`
	return regexp.MustCompile(`^` + bytes + `\s{0,8}(?:=>|:)\s{0,8}` + bytes)
})

const (
	leastEntries = 16 // that make a table common: it belongs to nobody
	longestEntry = 64 // bytes, at least as many as entry matches
	longestGap   = 64 // between two entries, in bytes: a comma, an indentation
)

// CharacterSets lists the tables that translate a character set: all have the same entries, in the order of the characters. One side of
// the entries is single bytes that ascend.
func CharacterSets(text []byte) (out []ByteSpan) {
	if !bytes.Contains(text, []byte(`\x`)) {
		return nil
	}
	var table ByteSpan
	n, last := 0, [2]string{}
	end := func() {
		if n >= leastEntries {
			out = append(out, table)
		}
		n = 0
	}
	for at := nextEntry(text, 0); at != nil; at = nextEntry(text, at[1]) {
		now := [2]string{strings.ToLower(string(text[at[2]:at[3]])), strings.ToLower(string(text[at[4]:at[5]]))}
		if n > 0 && (at[0]-table.To > longestGap || len(bytes.Trim(text[table.To:at[0]], ", \t\r\n")) > 0 || !ascends(last[0], now[0]) && !ascends(last[1], now[1])) {
			end()
		}
		if n == 0 {
			table.From = at[0]
		}
		n, last, table.To = n+1, now, at[1]
	}
	end()
	return out
}

// nextEntry returns the submatches of the first entry at or after from, or nil. The expression is tried only where a quote stands before
// an escape: data that a program wrote into code has megabytes of escapes.
func nextEntry(text []byte, from int) []int {
	for i := from; i+2 < len(text); i++ {
		if text[i+1] != '\\' || text[i+2] != 'x' || text[i] != '"' && text[i] != '\'' {
			continue
		}
		if at := entry().FindSubmatchIndex(text[i:min(i+longestEntry, len(text))]); at != nil {
			for k := range at {
				at[k] += i
			}
			return at
		}
	}
	return nil
}

// ascends reports whether two single bytes ascend.
func ascends(a, b string) bool { return len(a) == len(`\x80`) && len(b) == len(a) && a < b }
