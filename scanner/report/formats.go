package report

import (
	"io"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Options hold what the formats need beside the report. Each takes its own.
type Options struct {
	Text     TextOptions
	Markdown MarkdownOptions
	Created  time.Time // that documents say they were made; zero means the newest date in the report
}

// Format is one way to render a report.
type Format struct {
	Name      string
	Summary   string // for help
	MediaType string
	Extension string // of files, with its dot
	Render    func(w io.Writer, r *finding.Report, o Options) error
}

// Formats lists every format, in the order help shows them.
func Formats() []Format {
	return []Format{
		{"text", "for a terminal", "text/plain; charset=utf-8", ".txt", func(w io.Writer, r *finding.Report, o Options) error { return Text(w, r, o.Text) }},
		{"json", "the documented shape that all others are made from", "application/json", ".json", plain(JSON)},
		{"markdown", "for a pull request's comment or a job's summary", "text/markdown; charset=utf-8", ".md", func(w io.Writer, r *finding.Report, o Options) error { return Markdown(w, r, o.Markdown) }},
		{"sarif", "SARIF 2.1.0, for code scanning", "application/sarif+json", ".sarif", plain(SARIF)},
		{"spdx", "SPDX 2.3 in JSON, with a snippet for each finding", "application/spdx+json", ".spdx.json", func(w io.Writer, r *finding.Report, o Options) error { return SPDX(w, r, o.Created) }},
		{"cyclonedx", "CycloneDX 1.6 in JSON, with evidence", "application/vnd.cyclonedx+json", ".cdx.json", func(w io.Writer, r *finding.Report, o Options) error { return CycloneDX(w, r, o.Created) }},
		{"html", "one page to read in a browser, without network", "text/html; charset=utf-8", ".html", plain(HTML)},
		{"github", "annotations by workflow commands", "text/plain; charset=utf-8", ".log", plain(GitHub)},
	}
}

// plain adapts a format without options.
func plain(render func(io.Writer, *finding.Report) error) func(io.Writer, *finding.Report, Options) error {
	return func(w io.Writer, r *finding.Report, _ Options) error { return render(w, r) }
}

// FormatNames lists the names of all formats.
func FormatNames() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// ByName returns a format.
func ByName(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
