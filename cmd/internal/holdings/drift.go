package holdings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/drift"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// fewFiles is how many files of a list are named without --verbose.
const fewFiles = 8

// Drift writes how a directory differs from its package.
func Drift(out io.Writer, dir string, d *drift.Drift, format string, verbose bool) error {
	if format == "json" {
		return writeJSON(out, struct {
			Path string `json:"path"`
			*drift.Drift
		}{finding.EscapeName(dir), escaped(d)})
	}
	fmt.Fprintf(out, "%s is %s (%s), %s\n", escape.Line(dir), escape.Line(d.PURL), escape.Line(cmp.Or(d.License, license.NoAssertion)), state(d))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  equal\t%s\n", finding.Count(d.Equal, "file"))
	for _, c := range d.Changed {
		fmt.Fprintf(w, "  changed\t%s\t%s\n", escape.Line(c.Path), changed(c))
	}
	var left []string
	for _, l := range d.Left {
		left = append(left, escape.Line(l.Path)+"\t"+escape.Line(l.Reason))
	}
	for _, l := range []struct {
		name  string
		files []string
	}{{"local", paths(d.Local)}, {"absent", paths(d.Absent)}, {"not compared", left}} {
		shown := len(l.files)
		if !verbose {
			shown = min(shown, fewFiles)
		}
		for _, file := range l.files[:shown] {
			fmt.Fprintf(w, "  %s\t%s\n", l.name, file)
		}
		if more := len(l.files) - shown; more > 0 {
			fmt.Fprintf(w, "  %s\t%d more; --verbose lists them\n", l.name, more)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if verbose {
		return lines(out, d)
	}
	return nil
}

// paths returns paths as they are shown.
func paths(list []string) []string {
	var out []string
	for _, path := range list {
		out = append(out, escape.Line(path))
	}
	return out
}

// escaped returns a copy with names in the form of reports.
func escaped(d *drift.Drift) *drift.Drift {
	e := *d
	e.Changed = slices.Clone(d.Changed)
	for i := range e.Changed {
		c := &e.Changed[i]
		c.Path, c.Origin = finding.EscapeName(c.Path), finding.EscapeName(c.Origin)
	}
	e.Left = slices.Clone(e.Left)
	for i := range e.Left {
		e.Left[i].Path = finding.EscapeName(e.Left[i].Path)
	}
	for _, list := range []*[]string{&e.Local, &e.Absent} {
		*list = slices.Clone(*list)
		for i, name := range *list {
			(*list)[i] = finding.EscapeName(name)
		}
	}
	return &e
}

// state tells in words how much was changed.
func state(d *drift.Drift) string {
	var parts []string
	hunks, unknown := 0, 0 // files
	for _, c := range d.Changed {
		switch {
		case c.Hunks > 0:
			hunks++
		case c.NoText:
			unknown++
		}
	}
	if hunks > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s", finding.Count(d.Hunks(), "hunk"), finding.Count(hunks, "file")))
	}
	if unknown > 0 {
		parts = append(parts, finding.Count(unknown, "file")+" whose lines cannot be compared")
	}
	if n := len(d.Local); n > 0 {
		parts = append(parts, finding.Count(n, "local file"))
	}
	switch {
	case len(parts) > 0:
		return "changed: " + strings.Join(parts, ", ")
	case len(d.Changed) > 0:
		return "unchanged but for line ends"
	}
	return "unchanged"
}

// changed tells in words how a file differs.
func changed(c drift.Change) string {
	var s string
	switch {
	case c.NoText:
		s = "the baseline has no text to compare with"
	case c.Hunks == 0:
		s = "line ends only"
	default:
		s = fmt.Sprintf("%s, +%d -%d lines", finding.Count(c.Hunks, "hunk"), c.Added, c.Gone)
	}
	if c.As != "" {
		s += "; as in " + escape.Line(c.As)
	}
	return s
}

// lines writes the differences of all files. Tabs stay tabs.
func lines(out io.Writer, d *drift.Drift) error {
	for _, c := range d.Changed {
		for line := range strings.Lines(c.Diff) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			for i := range cells {
				cells[i] = escape.Line(cells[i])
			}
			if _, err := fmt.Fprintln(out, strings.Join(cells, "\t")); err != nil {
				return err
			}
		}
	}
	return nil
}
