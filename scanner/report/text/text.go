// Package text writes reports (Write, text.go), single findings (Explain, explain.go) and pairs of files (Pairs and Clusters, pairs.go)
// for a person at a terminal. Its input is the same as that of every format, and the width and colours of the terminal. The sentences
// are those of package words.
//
//	text.go        Write; ledger.go, vendored.go: parts after the findings
//	finding.go     one finding, a group of findings
//	explain.go     Explain: one finding with both sides; timeline.go: its commits
//	pairs.go       Pairs, Clusters
package text

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// Options say how a report is shown on a terminal.
type Options struct {
	Color   bool
	Width   int    // columns at which long lines are folded; 0 means never
	Verbose bool   // list all renames and origins, all regions of a long group and the whole ledger
	All     bool   // show each finding in full: notes too, and all regions of a group
	Lists   string // the flag or command that lists what is left out; "" means --verbose
	Part    bool   // r lacks some of the findings that its summary counts: no line counts those that it has
	Accept  string // how to accept a finding; "" means the sentence for a person
}

// Write writes a report for a person: for each finding its location, its source, what to do, and the evidence, the gravest
// first and notes in short; then what was not examined, then a summary.
func Write(w io.Writer, r *finding.Report, o Options) error {
	t := &printer{w: bufio.NewWriter(w), o: o, needed: r.Parameters.MinScore, history: r.Summary.Commits > 0}
	var shown, loud []*finding.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if !order.Quiet(f) {
			loud = append(loud, f)
		}
		if o.Verbose || !order.Quiet(f) {
			shown = append(shown, f)
		}
	}
	for _, s := range r.Unseen {
		fmt.Fprintln(t.w, t.paint(yellow, escape.Line(s))+"\n")
	}
	for _, g := range order.Grouped(shown) {
		t.group(g)
	}
	t.timeline(r.Findings)
	if len(loud) > 0 {
		t.howToGoOn(loud)
	}
	if slices.ContainsFunc(loud, t.inShort) {
		fmt.Fprintln(t.w, "notes are shown in short; "+t.verbose()+" shows them in full")
	}
	if s := words.WhatSettles(loud); s != "" {
		fmt.Fprintln(t.w, s)
	}
	t.suppressions(r)
	t.vendored(r.Vendored)
	t.ledger(r.Ledger)
	if s := words.RegionCount(loud); s != "" && !o.Part {
		fmt.Fprintln(t.w, s+": "+strings.Join(words.ByLevel(loud), ", "))
	}
	t.summary(r)
	return flush(t.w)
}

type printer struct {
	w       *bufio.Writer
	o       Options
	needed  float64 // the score that a finding has to reach; 0 if it is not known
	history bool    // a history was scanned
}

// The SGR codes in use.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

func (t *printer) paint(code, s string) string {
	if !t.o.Color || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// levelColors are the colours of levels, by rank.
var levelColors = [...]string{red, yellow, cyan, dim}

const (
	indent     = "    "
	labelWidth = 9
)

// detail writes a labelled list, wrapped between its parts.
func (t *printer) detail(label string, parts []string) {
	for i := range len(parts) - 1 {
		parts[i] += ","
	}
	t.labelled(label, parts)
}

// sentence writes a labelled line, wrapped between its words.
func (t *printer) sentence(label string, l words.Line) {
	t.labelled(label, strings.Fields(l.String()))
}

// labelled writes pieces after a label. A line that is too long continues below its first piece.
func (t *printer) labelled(label string, pieces []string) {
	if len(pieces) == 0 {
		return
	}
	const width = len(indent) + labelWidth
	t.w.WriteString(indent + t.paint(dim, label) + strings.Repeat(" ", labelWidth-len(label)))
	col := width
	for i, p := range pieces {
		n := utf8.RuneCountInString(p) + 1
		switch {
		case i == 0:
		case t.o.Width > 0 && col+n > t.o.Width:
			t.w.WriteString("\n" + strings.Repeat(" ", width))
			col = width
		default:
			t.w.WriteString(" ")
		}
		t.w.WriteString(p)
		col += n
	}
	t.w.WriteString("\n")
}
