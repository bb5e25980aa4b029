// Package report is the last stage of a scan. It turns a [finding.Report] into bytes for a person or another program.
// It is the table of formats; each format has a package of its own. All share the sentences of package words, the order
// of package order and the escaping of package escape. A new format is one entry of Formats (formats.go). The results of similar,
// compare and cluster have formats of their own (pairs.go, pairsjson.go).
package report

import (
	"io"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/internal/attestation"
	"github.com/git-provenance/git-provenance/scanner/report/internal/html"
	"github.com/git-provenance/git-provenance/scanner/report/internal/inventory"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
	"github.com/git-provenance/git-provenance/scanner/report/sarif"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/report/workflow"
)

// Options hold the further inputs of the formats. Each format uses its own.
type Options struct {
	Text     text.Options
	Markdown markdown.Options
	Created  time.Time // creation date that documents state; zero means the newest date in the report
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
		{"text", "for a terminal", "text/plain; charset=utf-8", ".txt", func(w io.Writer, r *finding.Report, o Options) error { return text.Write(w, r, o.Text) }},
		{"json", "the documented shape that all others are made from", "application/json", ".json", plain(jsonform.Write)},
		{"markdown", "for a pull request's comment or a job's summary", "text/markdown; charset=utf-8", ".md", func(w io.Writer, r *finding.Report, o Options) error { return markdown.Write(w, r, o.Markdown) }},
		{"sarif", "SARIF 2.1.0, for code scanning", "application/sarif+json", ".sarif", plain(sarif.Write)},
		{"spdx", "SPDX 2.3 in JSON, with a snippet for each finding", "application/spdx+json", ".spdx.json", func(w io.Writer, r *finding.Report, o Options) error { return inventory.SPDX(w, r, o.Created) }},
		{"cyclonedx", "CycloneDX 1.6 in JSON, with evidence", "application/vnd.cyclonedx+json", ".cdx.json", func(w io.Writer, r *finding.Report, o Options) error { return inventory.CycloneDX(w, r, o.Created) }},
		{"in-toto", "in-toto Statement v1: what was compared with what, for signing", "application/vnd.in-toto+json", ".intoto.json", plain(attestation.Write)},
		{"html", "one page to read in a browser, without network", "text/html; charset=utf-8", ".html", plain(html.Write)},
		{"github", "annotations by workflow commands", "text/plain; charset=utf-8", ".github.log", plain(workflow.Write)},
	}
}

// plain adapts a format that has no options.
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

// ByFile returns the format with the longest extension that a file's name ends in.
func ByFile(name string) (found Format, ok bool) {
	for _, f := range Formats() {
		if strings.HasSuffix(strings.ToLower(name), f.Extension) && len(f.Extension) > len(found.Extension) {
			found, ok = f, true
		}
	}
	return found, ok
}

// ByName returns the format with a name.
func ByName(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
