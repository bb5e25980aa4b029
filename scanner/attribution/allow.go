package attribution

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Mark is the beginning of a comment that is addressed to this program.
const Mark = "git-provenance:allow"

// Allow is a mark by which a person allowed a copy: "git-provenance:allow" with reason="…" and optionally origin="pkg:…" and
// expires=YYYY-MM-DD. It is on a line of the region or in the comment above it. A stretch is marked in the same way with
// allow-begin, and allow-end at its end.
type Allow struct {
	Line    int // 1-based
	From    int // first line of its stretch; without a stretch: Line
	To      int // last line of its stretch; without a stretch: of the comments and empty lines below the mark
	Stretch bool
	Reason  string
	Origin  string // pattern of package URLs; "" is any
	Expires string
	Err     error // why it is not obeyed; nil if it is
}

// Errors in marks.
var (
	errNoReason = errors.New(`it gives no reason="…"`)
	errOpen     = errors.New("allow-begin without allow-end")
	errNoBegin  = errors.New("allow-end without allow-begin")
)

// HasAllow reports quickly whether a text contains a mark.
func HasAllow(text []byte) bool { return bytes.Contains(text, []byte(Mark)) }

// Allows returns the marks in the comments of a text, in order. Whether a line is a comment is decided by the line itself. quoted
// reports whether the mark on a line is only an example, in a string for instance; it may be nil.
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

// beforeCode returns, for each line, the last of the comments and empty lines that begin with it, 1-based.
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

// isMark reports whether a mark is meant as one. In quotes, or as part of another word, it is only mentioned.
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
			break // the words after the pairs are ordinary comment
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

// isDay reports whether s is a date in the form YYYY-MM-DD.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// Covers reports whether a mark applies to a region, given its lines and the first line of the function around it.
func (a *Allow) Covers(from, to, function int) bool {
	if a.Stretch {
		return a.From <= from && to <= a.To
	}
	return a.Line >= from && a.Line <= to || a.Line < from && (a.To+1 >= from || a.Line < function && a.To+1 >= function)
}

// above reports whether a comment that ends on line last is right above line, with at most one empty line between them.
func above(last, line int) bool { return last < line && line-last <= 2 }
