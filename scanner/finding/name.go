package finding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// NameInCode returns a name in code in the form of reports: valid UTF-8, and at most 80 bytes of the name.
func NameInCode(name []byte) string {
	const most = 80 // bytes
	return strings.ToValidUTF8(string(name[:min(len(name), most)]), string(utf8.RuneError))
}

// File names are bytes, but names in a report are text. A byte that is not UTF-8 becomes \x and two digits, and a backslash
// becomes two, so that different names stay different. Nearly all names stay as they are.

// EscapeName returns the name of a file in the form of reports.
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

// UnescapeName reverses EscapeName. Escapes that EscapeName does not produce stay as they are.
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

// escapeNames escapes the names of the target's files. Names in notices and origins are escaped already. Commits may be shared,
// so they are copied.
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

// EscapeFrom escapes the name of the file that states a licence.
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
