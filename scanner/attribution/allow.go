package attribution

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Mark begins what a comment says to the program itself.
const Mark = "git-provenance:allow"

// Allow is a mark by which somebody allowed a copy: "git-provenance:allow" with
// reason="…" and, if wanted, origin="pkg:…" and expires=YYYY-MM-DD, on a line of
// the region or in the comment above it, or the same with allow-begin, and
// allow-end where the stretch ends.
type Allow struct {
	Line    int // 1-based
	From    int // of its stretch; else of itself and the comments and empty
	To      int // lines below it, up to the next code
	Stretch bool
	Reason  string
	Origin  string // pattern of package URLs; "" is any
	Expires string
	Err     error // why it is not obeyed
}

// Errors of marks.
var (
	errNoReason = errors.New(`it gives no reason="…"`)
	errOpen     = errors.New("allow-begin without allow-end")
	errNoBegin  = errors.New("allow-end without allow-begin")
)

// HasAllow tells quickly whether a text has a mark at all.
func HasAllow(text []byte) bool { return bytes.Contains(text, []byte(Mark)) }

// Allows returns the marks in the comments of a text, in order. The line itself
// tells whether it looks like a comment. quoted, if it is not nil, tells of such a
// line whether its mark is only an example, in a string or the like.
func Allows(text []byte, prose bool, quoted func(line int) bool) []Allow {
	if !HasAllow(text) {
		return nil
	}
	var out []Allow
	open := -1
	lines := comments(text, prose)
	last := beforeCode(lines)
	for i, l := range lines {
		at := strings.Index(l.text, Mark)
		if at < 0 || len(out) >= maxStatements || !isMark(l.text, at) || quoted != nil && quoted(i+1) {
			continue
		}
		a := Allow{Line: i + 1, From: i + 1, To: last[i]}
		switch rest := l.text[at+len(Mark):]; {
		case strings.HasPrefix(rest, "-begin"):
			a.read(rest[len("-begin"):])
			a.Stretch, a.To = true, 0
			open = len(out)
			out = append(out, a)
		case strings.HasPrefix(rest, "-end"):
			if open < 0 {
				a.Err = errNoBegin
				out = append(out, a)
				continue
			}
			out[open].To, open = i+1, -1
		default:
			a.read(rest)
			out = append(out, a)
		}
	}
	for i := range out {
		if out[i].Stretch && out[i].To == 0 {
			out[i].To, out[i].Err = out[i].Line, errOpen
		}
	}
	return out
}

// beforeCode returns for each line the last, 1-based, of comments and empty lines
// from it on.
func beforeCode(lines []line) []int {
	last := make([]int, len(lines))
	for i := len(lines) - 1; i >= 0; i-- {
		last[i] = i + 1
		if i+1 < len(lines) && !lines[i].code && !lines[i+1].code {
			last[i] = last[i+1]
		}
	}
	return last
}

// isMark leaves out what is written about the mark: in quotes, or as a part of
// another word.
func isMark(text string, at int) bool {
	if at > 0 && (strings.ContainsRune("`\"'", rune(text[at-1])) || isWord(text[at-1])) {
		return false
	}
	rest := text[at+len(Mark):]
	for _, form := range []string{"-begin", "-end", ""} {
		if tail, ok := strings.CutPrefix(rest, form); ok && (tail == "" || tail[0] == ' ' || tail[0] == '\t') {
			return true
		}
	}
	return false
}

// read reads the key="value" pairs of a mark.
func (a *Allow) read(s string) {
	for s = strings.TrimSpace(s); s != "" && a.Err == nil; s = strings.TrimSpace(s) {
		key, rest, ok := strings.Cut(s, "=")
		if !ok {
			break // words after the pairs are the comment's own
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			value, rest, ok = strings.Cut(rest[1:], `"`)
			if !ok {
				a.Err = fmt.Errorf("the value of %s has no closing quote", clip(key))
				return
			}
		} else {
			value, rest, _ = strings.Cut(rest, " ")
		}
		a.set(key, value)
		s = rest
	}
	if a.Err == nil && strings.TrimSpace(a.Reason) == "" {
		a.Err = errNoReason
	}
}

func (a *Allow) set(key, value string) {
	switch key {
	case "reason":
		a.Reason = clip(value)
	case "origin":
		a.Origin = value
	case "expires":
		a.Expires = value
		if !isDay(value) {
			a.Err = fmt.Errorf("expires is no date such as 2027-01-31: %q", clip(value))
		}
	default:
		a.Err = fmt.Errorf("unknown key %q", clip(key))
	}
}

// isDay reports whether s has the form of a date.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// Covers reports whether a mark is about a region: its lines, from and to, and
// the line on which the function around it starts.
func (a *Allow) Covers(from, to, function int) bool {
	if a.Stretch {
		return a.From <= from && to <= a.To
	}
	return a.Line >= from && a.Line <= to || a.Line < from && (a.To+1 >= from || a.Line < function && a.To+1 >= function)
}

// above holds when a comment that ends on a line stands right above another,
// with an empty line between them at most.
func above(last, line int) bool { return last < line && line-last <= 2 }
