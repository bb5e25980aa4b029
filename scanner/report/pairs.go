package report

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/similar"
)

// Pairs writes what files or units share, as text, json, csv or html.
func Pairs(w io.Writer, r *similar.Result, format string, o TextOptions) error {
	switch format {
	case "json":
		return writeJSON(w, r)
	case "csv":
		return pairsCSV(w, r)
	case "html":
		return pairsHTML(w, r)
	}
	return pairsText(w, r, o)
}

// pairsText writes pairs of units for a person.
func pairsText(w io.Writer, r *similar.Result, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	t.sets(r.Sets)
	for i := range r.Pairs {
		t.pair(&r.Pairs[i], r.Query)
	}
	t.parameterized(r.Parameterized)
	if r.Sets == nil {
		t.groups(r.Groups)
	}
	t.ledger(r.Ledger)
	fmt.Fprintf(t.w, "%s of %s; matches of %s and more\n", plural(len(r.Pairs), "pair"), plural(len(r.Units), "unit"), plural(r.Parameters.MinTokens, "token"))
	return flush(t.w)
}

func (t *text) groups(gs []similar.Group) {
	for i, g := range gs {
		fmt.Fprintf(t.w, "group %d: %s, each shares %s or more with another\n", i+1, plural(len(g.Units), "unit"), percent(g.Least))
		for _, u := range g.Units {
			fmt.Fprintln(t.w, "    "+Escape(u))
		}
	}
}

func flush(w *bufio.Writer) error {
	if err := w.Flush(); err != nil { // keeps the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (t *text) sets(s *similar.Sets) {
	if s == nil {
		return
	}
	fmt.Fprintf(t.w, "resemblance %s; %s of A is in B, %s of B is in A (%s and %s, each counted once", percent(s.Resemblance), percent(s.ContainmentA), percent(s.ContainmentB), plural(s.A, "k-gram"), plural(s.B, "k-gram"))
	if s.Sampled > 1 {
		fmt.Fprintf(t.w, ", one in %d counted", s.Sampled)
	}
	fmt.Fprintln(t.w, ")")
}

// maxFilePairs is how many pairs of files are shown of two units.
const maxFilePairs = 10

// pair writes one pair of units: of two files the matches, of more the files.
func (t *text) pair(p *similar.UnitPair, query string) {
	head := Escape(p.A) + "  and  " + Escape(p.B)
	if p.A == query {
		head = Escape(p.B)
	}
	fmt.Fprintln(t.w, t.paint(bold, head))
	if p.Equal {
		fmt.Fprintln(t.w, "    equal: same content")
		return
	}
	t.detail("share", []string{percent(p.ShareA) + " of the first", percent(p.ShareB) + " of the second", plural(p.SharedA, "token") + " shared"})
	if len(p.Files) == 1 {
		t.matches(p.Files[0].Matches)
		return
	}
	shown := p.Files
	if !t.o.Verbose {
		shown = shown[:min(len(shown), maxFilePairs)]
	}
	for _, f := range shown {
		t.files(f)
	}
	if n := len(p.Files) - len(shown); n > 0 {
		fmt.Fprintf(t.w, "    +%s; --verbose lists them\n", plural(n, "more pair")+" of files")
	}
}

// files writes what two of several files share.
func (t *text) files(f similar.Pair) {
	names := Escape(f.A.Path) + " and " + Escape(f.B.Path)
	if f.Equal {
		t.detail("equal", []string{names, plural(f.Tokens, "token")})
		return
	}
	t.detail("files", []string{names, plural(f.Tokens, "token"), partOf(f.A) + " and " + partOf(f.B) + " of the files"})
	if t.o.Verbose {
		t.matches(f.Matches)
	}
}

func partOf(s similar.Side) string { return percent(float64(s.Shared) / float64(max(s.Tokens, 1))) }

func (t *text) matches(ms []similar.Match) {
	for _, m := range ms {
		t.match(m)
	}
}

func (t *text) match(m similar.Match) { t.detail("lines", matchWords(m)) }

// matchWords says where a match lies and what was changed.
func matchWords(m similar.Match) []string {
	var parts []string
	if n := len(m.Runs); n > 0 { // a saved result may have been made by anybody
		first, last := m.Runs[0], m.Runs[n-1]
		parts = append(parts, fmt.Sprintf("%d-%d = %d-%d", first.StartLine, last.EndLine, first.OriginStartLine, last.OriginEndLine))
	}
	parts = append(parts, plural(m.Tokens, "token"), cloneType(m.CloneType))
	if m.Identifiers.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d names unchanged", m.Identifiers.Unchanged, m.Identifiers.Total))
	}
	return parts
}

func (t *text) parameterized(p *similar.Parameterized) {
	if p == nil {
		return
	}
	fmt.Fprintf(t.w, "%s\n", t.paint(bold, plural(len(p.Matches), "parameterized match")))
	for _, m := range p.Matches {
		fmt.Fprintf(t.w, "    %s = %s, %s, %s renamed\n", span(m.A.Path, m.A.StartLine, m.A.EndLine), span(m.B.Path, m.B.StartLine, m.B.EndLine), plural(m.Tokens, "token"), plural(m.Renamed, "name"))
	}
	if !p.Whole {
		fmt.Fprintln(t.w, "    the code is too repetitive to list all: there are more")
	}
}

// pairsCSV writes a line for each pair.
func pairsCSV(w io.Writer, r *similar.Result) error {
	rows := [][]string{{"a", "b", "shareA", "shareB", "sharedA", "sharedB", "bits", "equal", "files"}}
	for _, p := range r.Pairs {
		rows = append(rows, []string{cell(p.A), cell(p.B), number(p.ShareA), number(p.ShareB), strconv.Itoa(p.SharedA), strconv.Itoa(p.SharedB), number(p.Bits), strconv.FormatBool(p.Equal), strconv.Itoa(len(p.Files))})
	}
	return writeCSV(w, rows)
}

func writeCSV(w io.Writer, rows [][]string) error {
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// cell keeps a name from being taken for a formula by a spreadsheet.
func cell(s string) string {
	s = Escape(s)
	if s != "" && strings.Contains("=+-@", s[:1]) {
		return "'" + s
	}
	return s
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Clusters writes groups of near-duplicates, as text, json or csv.
func Clusters(w io.Writer, c *similar.Clusters, format string, o TextOptions) error {
	switch format {
	case "json":
		return writeJSON(w, c)
	case "csv":
		return clustersCSV(w, c)
	}
	return clustersText(w, c, o)
}

// clustersText writes groups of near-duplicates for a person.
func clustersText(w io.Writer, c *similar.Clusters, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	files := 0
	for _, k := range c.Clusters {
		files += len(k.Members)
		fmt.Fprintf(t.w, "%s  %s\n", t.paint(bold, Escape(k.Representative)), plural(len(k.Members), "file"))
		for _, m := range k.Members {
			if m.Path != k.Representative {
				fmt.Fprintf(t.w, "    %s %s\n", resembles(m), Escape(m.Path))
			}
		}
	}
	t.ledger(c.Ledger)
	fmt.Fprintf(t.w, "%s of %s, in %s of %s\n", plural(len(c.Clusters), "cluster"), plural(files, "file"), plural(c.Contents, "content"), plural(c.Files, "file"))
	return flush(t.w)
}

func resembles(m similar.Member) string {
	if m.Equal {
		return "equal"
	}
	return fmt.Sprintf("%4.0f%%", 100*m.Resemblance)
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
