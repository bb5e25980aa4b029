// Package report is the last stage of a scan: a [finding.Report] flows in, bytes
// for a person or another program flow out. The JSON form is the one every other
// format can be made from; [Read] takes it back in.
//
// Most texts in a report come from outside: paths, package URLs, identifiers,
// licences, author names. They leave the program through [Escape].
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// JSON writes a report in the shape docs/schema describes, indented, every list
// present even if empty. The same report gives the same bytes.
func JSON(w io.Writer, r *finding.Report) error { return writeJSON(w, filled(r)) }

// writeJSON writes a document, indented, so that no terminal that shows it obeys
// a text in it.
func writeJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(escaping{w})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// escaping escapes what an encoder of JSON writes, which is one whole document.
type escaping struct{ io.Writer }

func (e escaping) Write(js []byte) (int, error) {
	if _, err := e.Writer.Write(EscapeJSON(js)); err != nil {
		return 0, err
	}
	return len(js), nil
}

// filled returns a copy whose lists are not nil, so that they are written as [].
func filled(r *finding.Report) *finding.Report {
	c := *r
	c.Ledger = orEmpty(r.Ledger)
	c.Suppressions = orEmpty(r.Suppressions)
	c.Findings = orEmpty(slices.Clone(r.Findings))
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Runs, f.Renames, f.Origins = orEmpty(f.Runs), orEmpty(f.Renames), orEmpty(f.Origins)
		f.Attributions, f.Reasons, f.Licenses = orEmpty(f.Attributions), orEmpty(f.Reasons), orEmpty(f.Licenses)
	}
	return &c
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// EscapeJSON rewrites encoded JSON so that what Escape escapes stands in it as \u
// escapes, and no terminal that shows it obeys a text in it. JSON has
// characters above ASCII in strings only, where an escape means the same.
func EscapeJSON(js []byte) []byte {
	if !slices.ContainsFunc(js, func(c byte) bool { return c >= 0x7f }) {
		return js
	}
	out := make([]byte, 0, len(js))
	for len(js) > 0 {
		plain := 0
		for plain < len(js) && js[plain] < 0x7f {
			plain++
		}
		if out, js = append(out, js[:plain]...), js[plain:]; len(js) == 0 {
			break
		}
		r, n := utf8.DecodeRune(js)
		if printable(r) {
			out = append(out, js[:n]...)
		} else {
			out = appendUTF16(out, r)
		}
		js = js[n:]
	}
	return out
}

func appendUTF16(out []byte, r rune) []byte {
	if r < 0x10000 {
		return fmt.Appendf(out, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}

// SchemaError says that a document is a report of another version, or none.
type SchemaError struct{ Have, Want string }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("read report: its schema is %q, this program reads %q", e.Have, e.Want)
}

// Read reads a JSON report. Unknown fields are ignored: a later release of the
// same schema may have added them.
func Read(r io.Reader) (*finding.Report, error) {
	js, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(js, &head); err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	if head.Schema != finding.Schema {
		return nil, &SchemaError{head.Schema, finding.Schema}
	}
	rep := new(finding.Report)
	if err := json.Unmarshal(js, rep); err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	return rep, nil
}
