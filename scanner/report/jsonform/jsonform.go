// Package jsonform writes and reads the JSON form of a report, from which every other format can be made. Write and Read are in
// jsonform.go. indent.go and lists.go write large reports piece by piece, with the bytes that encoding/json would write.
package jsonform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// Write writes a report in the form that docs/schema describes: indented, every list present even if empty. The same
// report gives the same bytes.
func Write(w io.Writer, r *finding.Report) error { return Encode(w, filled(r)) }

// Encode writes a document, indented and escaped: no terminal that shows it obeys a text in it.
func Encode(w io.Writer, doc any) error {
	enc := json.NewEncoder(indenting{w})
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// encodePart writes a part of a document at the given depth. It writes like Encode, without the last line end.
func encodePart(w io.Writer, part any, depth int) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(part); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	js := bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	if _, err := w.Write(escape.JSON(indentAt(make([]byte, 0, 2*len(js)), js, depth))); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// indenting indents and escapes the output of a JSON encoder, which is one whole document.
type indenting struct{ io.Writer }

func (w indenting) Write(js []byte) (int, error) {
	out := indent(make([]byte, 0, len(js)+len(js)/2), js)
	if _, err := w.Writer.Write(escape.JSON(out)); err != nil {
		return 0, err
	}
	return len(js), nil
}

// filled returns a copy without nil lists, so that empty lists are written as [].
func filled(r *finding.Report) *finding.Report {
	c := *r
	c.Ledger = OrEmpty(r.Ledger)
	c.Suppressions = OrEmpty(r.Suppressions)
	c.Findings = OrEmpty(slices.Clone(r.Findings))
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Runs, f.Renames, f.Origins = OrEmpty(f.Runs), OrEmpty(f.Renames), OrEmpty(f.Origins)
		f.Attributions, f.Reasons, f.Licenses = OrEmpty(f.Attributions), OrEmpty(f.Reasons), OrEmpty(f.Licenses)
	}
	return &c
}

// OrEmpty returns s, or an empty list that is written as [].
func OrEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// SchemaError says that a document is a report of another version, or not a report.
type SchemaError struct{ Have, Want string }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("its schema is %q, this program reads %q", e.Have, e.Want)
}

// SyntaxError says that a document is not JSON.
type SyntaxError struct{ Err error }

func (e *SyntaxError) Error() string {
	if errors.Is(e.Err, errEmpty) {
		return e.Err.Error()
	}
	return fmt.Sprintf("it is no JSON: %v", e.Err)
}

// Unwrap returns the error of the JSON decoder.
func (e *SyntaxError) Unwrap() error { return e.Err }

// errEmpty says that there is no document at all, as after a scan that failed.
var errEmpty = errors.New("it is empty")

// Read reads a JSON report. Unknown fields are ignored: a later release of the
// same schema may have added them. The caller names the file in its error.
func Read(r io.Reader) (*finding.Report, error) {
	js, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if len(bytes.TrimSpace(js)) == 0 {
		return nil, &SyntaxError{errEmpty}
	}
	if err := json.Unmarshal(js, &head); err != nil {
		return nil, &SyntaxError{err}
	}
	if head.Schema != finding.Schema {
		return nil, &SchemaError{head.Schema, finding.Schema}
	}
	rep := new(finding.Report)
	if err := json.Unmarshal(js, rep); err != nil {
		return nil, err
	}
	return rep, nil
}
