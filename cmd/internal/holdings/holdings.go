// Package holdings describes the content of a baseline, and how a directory differs from it: as tables for people, as JSON for programs.
package holdings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// Packages lists packages; their names are escaped.
func Packages(out io.Writer, pkgs []baseline.Package, format string) error {
	if format == "json" {
		return writeJSON(out, append([]baseline.Package{}, pkgs...))
	}
	if len(pkgs) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACKAGE\tLICENCE\tRELEASED\tFILES")
	for _, pkg := range pkgs {
		released := "unknown"
		if !pkg.Released.IsZero() {
			released = pkg.Released.Format(time.DateOnly)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", escape.Line(pkg.PURL), escape.Line(cmp.Or(pkg.License, license.NoAssertion)), released, pkg.Files)
	}
	return w.Flush()
}

// Info writes a summary of a baseline.
func Info(out io.Writer, in baseline.Info, format string) error {
	if format == "json" {
		return writeJSON(out, in)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"path", escape.Line(in.Path)},
		{"digest", in.Digest},
		{"scheme", escape.Line(in.Scheme)},
		{"key", cmp.Or(in.Key, "none")},
		{"k, w, t", fmt.Sprintf("%d, %d, %d", in.Params.K, in.Params.W, in.Params.T())},
		{"generation", in.Generation},
		{"segments", in.Segments},
		{"packages", in.Packages},
		{"documents", documentsOf(in)},
		{"tokens", in.Tokens},
		{"postings", in.Postings},
		{"bytes", fmt.Sprintf("%d, of them %d fingerprints", in.Bytes, in.IndexBytes)},
	} {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.value)
	}
	return w.Flush()
}

// documentsOf counts the documents of a baseline, and those without text.
func documentsOf(in baseline.Info) string {
	if in.Bare == 0 {
		return strconv.Itoa(in.Documents)
	}
	return fmt.Sprintf("%d, of them %d without text", in.Documents, in.Bare)
}

// Segments lists segments with their contents, and the sum.
func Segments(out io.Writer, segments []baseline.Segment, format string) error {
	if format == "json" {
		return writeJSON(out, segments)
	}
	all := baseline.Segment{Name: "all"}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SEGMENT\tPACKAGES\tREMOVED\tDOCUMENTS\tSOURCE\tTOKENS\tPOSTINGS\tBYTES\tROOM")
	row := func(s baseline.Segment, room any) {
		fmt.Fprintf(w, "%.8s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\n", s.Name, s.Packages, s.Removed, s.Documents, s.Source, s.Tokens, s.Postings, s.Bytes, room)
	}
	for _, s := range segments {
		row(s, s.Room)
		all.Packages, all.Removed, all.Documents = all.Packages+s.Packages, all.Removed+s.Removed, all.Documents+s.Documents
		all.Source, all.Tokens, all.Postings = all.Source+s.Source, all.Tokens+s.Tokens, all.Postings+s.Postings
		all.Bytes, all.IndexBytes = all.Bytes+s.Bytes, all.IndexBytes+s.IndexBytes
	}
	row(all, "-")
	if err := w.Flush(); err != nil || all.Postings == 0 {
		return err
	}
	_, err := fmt.Fprintf(out, "fingerprints: %.2f bytes a posting; everything: %.1f%% of the source\n",
		float64(all.IndexBytes)/float64(all.Postings), 100*float64(all.Bytes)/float64(all.Source))
	return err
}

// Documents counts outdated documents by language.
func Documents(all []baseline.Outdated) string {
	if len(all) == 0 {
		return "no document"
	}
	var words []string
	for _, o := range all {
		words = append(words, fmt.Sprintf("%d of %s", o.Documents, escape.Line(o.Language)))
	}
	return strings.Join(words, ", ")
}

// Outdated says which documents scans skip as outdated, and the remedy.
func Outdated(out io.Writer, b *baseline.Baseline) error {
	old, err := b.Outdated()
	if err != nil || len(old) == 0 {
		return err
	}
	bare := 0
	for _, o := range old {
		bare += o.Bare
	}
	if bare > 0 {
		fmt.Fprintf(out, "outdated documents without text: %d: add their packages again, or import a newer export\n", bare)
	}
	if old = slices.DeleteFunc(old, func(o baseline.Outdated) bool { return o.Documents == o.Bare }); len(old) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(out, "outdated documents: %s: \"git-provenance baseline refresh --baseline %s\" makes their tokens again\n", Documents(old), escape.Line(b.Path()))
	return err
}

// writeJSON writes a value as JSON. Reports have their own form.
func writeJSON(out io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	_, err = out.Write(append(escape.JSON(b), '\n'))
	return err
}
