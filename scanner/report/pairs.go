package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/html"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/report/words"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// Pairs writes the code that files or units share, as text, json, csv or html.
func Pairs(w io.Writer, r *similar.Result, format string, o text.Options) error {
	switch format {
	case "json":
		return pairsJSON(w, r)
	case "csv":
		return pairsCSV(w, r)
	case "html":
		return html.Pairs(w, r)
	}
	return text.Pairs(w, r, o)
}

// pairsCSV writes a line for each pair.
func pairsCSV(w io.Writer, r *similar.Result) error {
	rows := [][]string{{"a", "b", "similarity", "shareA", "shareB", "sharedA", "sharedB", "bits", "equal", "files", "alone"}}
	for _, p := range r.Pairs {
		similarity := ""
		if r.Parameters.Sort == similar.BySimilarity {
			similarity = number(p.Similarity)
		}
		alone := ""
		if p.Alone != nil {
			alone = strconv.Itoa(*p.Alone)
		}
		rows = append(rows, []string{cell(p.A), cell(p.B), similarity, number(p.ShareA), number(p.ShareB), strconv.Itoa(p.SharedA), strconv.Itoa(p.SharedB), number(p.Bits), strconv.FormatBool(p.Equal), strconv.Itoa(len(p.Files)), alone})
	}
	if err := writeCSV(w, rows); err != nil {
		return err
	}
	return exactCSV(w, r)
}

// exactCSV writes the other requested lists, each as a table of its own after an empty line.
func exactCSV(w io.Writer, r *similar.Result) error {
	var tables [][][]string
	if len(r.Common) > 0 {
		rows := [][]string{{"set", "units", "tokens", "unit", "code in the first"}}
		for i, c := range r.Common {
			code := make([]string, 0, len(c.Code))
			for _, s := range c.Code {
				code = append(code, words.Span(s.Path, s.StartLine, s.EndLine))
			}
			for _, u := range c.Units {
				rows = append(rows, []string{strconv.Itoa(i + 1), strconv.Itoa(len(c.Units)), strconv.Itoa(c.Tokens), cell(u), cell(strings.Join(code, " "))})
			}
		}
		tables = append(tables, rows)
	}
	stretch := func(s similar.Stretch) []string {
		return []string{cell(s.Path), strconv.Itoa(s.StartLine), strconv.Itoa(s.EndLine)}
	}
	exact := func(i int, s similar.Shared) []string {
		return slices.Concat([]string{strconv.Itoa(i + 1), strconv.Itoa(s.Tokens)}, stretch(s.A), stretch(s.B))
	}
	head := []string{"tokens", "a", "aStartLine", "aEndLine", "b", "bStartLine", "bEndLine"}
	if m := r.Maximal; m != nil {
		rows := [][]string{slices.Concat([]string{"maximal run"}, head)}
		for i, s := range m.Matches {
			rows = append(rows, exact(i, s))
		}
		tables = append(tables, rows)
	}
	if p := r.Parameterized; p != nil {
		rows := [][]string{slices.Concat([]string{"parameterized match"}, head, []string{"renamed"})}
		for i, s := range p.Matches {
			rows = append(rows, append(exact(i, s.Shared), strconv.Itoa(s.Renamed)))
		}
		tables = append(tables, rows)
	}
	for _, rows := range tables {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
		if err := writeCSV(w, rows); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, rows [][]string) error {
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// cell prevents a spreadsheet from reading a name as a formula.
func cell(s string) string {
	s = escape.Line(s)
	if s != "" && strings.Contains("=+-@", s[:1]) {
		return "'" + s
	}
	return s
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Clusters writes groups of near-duplicates, as text, json or csv.
func Clusters(w io.Writer, c *similar.Clusters, format string, o text.Options) error {
	switch format {
	case "json":
		return clustersJSON(w, c)
	case "csv":
		return clustersCSV(w, c)
	}
	return text.Clusters(w, c, o)
}

func clustersCSV(w io.Writer, c *similar.Clusters) error {
	rows := [][]string{{"cluster", "path", "resemblance", "equal"}}
	for i, k := range c.Clusters {
		for _, m := range k.Members {
			rows = append(rows, []string{strconv.Itoa(i + 1), cell(m.Path), number(m.Resemblance), strconv.FormatBool(m.Equal)})
		}
	}
	return writeCSV(w, rows)
}
