package finding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// NameInCode writes a name that stands in code as reports have it: not too long, and text.
func NameInCode(name []byte) string {
	const most = 80 // bytes
	return strings.ToValidUTF8(string(name[:min(len(name), most)]), string(utf8.RuneError))
}

// Names of files are bytes, those in a report are text. A byte that is no UTF-8
// becomes \x and two digits, a backslash two of them, so that different names
// stay different. Nearly all names stand as they are.

// EscapeName writes the name of a file as reports have it.
func EscapeName(name string) string {
	if !strings.Contains(name, `\`) && utf8.ValidString(name) {
		return name
	}
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + string([]byte{digits[name[i]>>4], digits[name[i]&15]}))
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// UnescapeName is the inverse of EscapeName. What EscapeName does not write stays
// as it is.
func UnescapeName(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch high, low := digitAt(rest, 2), digitAt(rest, 3); {
		case strings.HasPrefix(rest, `\\`):
			i++
			b = append(b, '\\')
		case strings.HasPrefix(rest, `\x`) && high >= 0 && low >= 0:
			i += 3
			b = append(b, byte(high<<4|low))
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func digitAt(s string, i int) int {
	if i >= len(s) {
		return -1
	}
	return strings.IndexByte("0123456789abcdef", s[i])
}

// escapeNames gives the names of the target's files the form of reports. Those of
// notices and origins have it from the start. Commits may be shared.
func (r *Report) escapeNames() {
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Path = EscapeName(f.Path)
		f.Introduced, f.Left = f.Introduced.escaped(), f.Left.escaped()
		f.Edits, f.Tip = slices.Clone(f.Edits), slices.Clone(f.Tip)
		for j := range f.Edits {
			f.Edits[j].Path = EscapeName(f.Edits[j].Path)
		}
		for j := range f.Tip {
			f.Tip[j].Path = EscapeName(f.Tip[j].Path)
		}
	}
	for i := range r.Ledger {
		r.Ledger[i].Path = EscapeName(r.Ledger[i].Path)
	}
	for i := range r.Suppressions {
		r.Suppressions[i].Path = EscapeName(r.Suppressions[i].Path)
	}
	for i := range r.Inline {
		r.Inline[i].Path = EscapeName(r.Inline[i].Path)
	}
}

// EscapeFrom does so to the file that told a licence.
func EscapeFrom(f license.From) license.From {
	f.Path = EscapeName(f.Path)
	return f
}

func (c *Commit) escaped() *Commit {
	if c == nil || EscapeName(c.Path) == c.Path {
		return c
	}
	out := *c
	out.Path = EscapeName(c.Path)
	return &out
}
