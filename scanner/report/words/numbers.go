package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

func spanOf(path string, line int) string { return fmt.Sprintf("%s:%d", escape.Line(path), line) }

// UpperFirst capitalises s, which starts with an ASCII letter.
func UpperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Score writes a score with two decimals.
func Score(s float64) string { return fmt.Sprintf("%.2f", s) }

// Range returns a range of lines without words.
func Range(start, end int) string { return fmt.Sprintf("%d-%d", start, end) }

// Span returns a range of lines of a file.
func Span(path string, start, end int) string {
	return fmt.Sprintf("%s:%d-%d", escape.Line(path), start, end)
}

// Date returns a day in UTC.
func Date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Shorten cuts a commit id or digest to twelve digits, the number that git shows in large repositories.
func Shorten(id string) string {
	_, hex, ok := strings.Cut(id, ":")
	if !ok {
		hex = id
	}
	if len(hex) > 12 {
		return hex[:12]
	}
	return hex
}

// Plural returns a number and a noun.
func Plural[N int | int64](n N, noun string) string {
	if n != 1 {
		noun = finding.Plural(noun)
	}
	return Number(n) + " " + noun
}

// Number writes a number with commas between groups of three digits.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Percent never rounds a part up to 100% or down to 0%.
func Percent(share float64) string {
	switch p := share * 100; {
	case p > 0 && p < 1:
		return "under 1%"
	case p > 99 && p < 100:
		return "over 99%"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	}
}

// Lines returns a range of lines in words.
func Lines(start, end int) string {
	if start == end {
		return fmt.Sprintf("line %d", start)
	}
	return fmt.Sprintf("lines %d-%d", start, end)
}
