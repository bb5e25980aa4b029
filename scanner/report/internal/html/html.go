// Package html writes a report, or pairs of files, as one page for a browser. Its input is a finding.Report (Write) or a
// similar.Result (Pairs). The files make the data of a template and a script, which are in the directory page:
//
//	html.go      Write: a report → a page
//	overview.go  the list of files and findings
//	evidence.go  everything about one finding; axis.go: its dates on one axis; source.go: both sides of its code
//	vendored.go  the vendored packages of the target
//	pairs.go     Pairs: pairs of files → a page
package html

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

//go:embed page/page.tmpl
var pageTemplate string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// parsedPage is parsed once. Parsing, with the template's escaping, takes as long as writing a page.
var parsedPage = sync.OnceValues(func() (*template.Template, error) { return template.New("page").Parse(pageTemplate) })

// Write writes a report as one page that needs no network and no other file. The page lists every finding. Evidence and
// source of each finding are in a block of JSON, which the page's script shows when the finding is opened. So thousands
// of findings cost no time to open.
//
// No text of the report is ever markup: the template escapes what it writes, the script writes text only, and the
// page's own policy forbids every other script and every address.
func Write(w io.Writer, r *finding.Report) error {
	t, err := parsedPage()
	if err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	p, err := newPage(r)
	if err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	return execute(w, t, p)
}

// execute writes a template.
func execute(w io.Writer, t *template.Template, data any) error {
	out := bufio.NewWriter(w)
	if err := t.Execute(out, data); err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// page is the data of the template. Its texts are escaped for a reader's eyes ([Escape]); the template escapes them for
// HTML.
type page struct {
	Policy     string
	Style      template.CSS
	Script     template.JS
	Head       string // the result, in one sentence
	Target     string
	Warnings   []string // what was not examined as a whole
	Meta       []fact
	Rows       []pageRow
	Facets     []facet
	Files      []pageFile
	Time       *chart
	Vendored   []pageVendored
	Ledger     []pageReason
	Allowances []string // suppressions and their effect
	Unseen     int      // number of entries in the ledger
	Digest     string
	Tool       string
	Promise    string // what the scan guarantees
}

// pageRow is a finding in the list.
type pageRow struct {
	N                  int
	ID, Path, Lines    string
	Dir, Base          string
	Mark, Level, Class string
	Quiet              bool
	Verdict            string
	Package, Licence   string
	Tokens, Score      string
	Keys               [4]string // numbers of the facet words that apply to it
	JSON               template.JS
}

// facet is a property to filter by.
type facet struct {
	Key, Label, All string
	Words           []facetWord
}

type facetWord struct {
	N     int
	Word  string
	Count int
}

func newPage(r *finding.Report) (*page, error) {
	groups := order.Grouped(order.Ranked(r.Findings))
	ranked, parts := slices.Concat(groups...), order.GroupOf(groups)
	p := &page{
		Policy: policy(), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Head: pageHead(ranked), Target: targetWords(r.Target), Meta: meta(r),
		Facets: facets(ranked), Files: pageFiles(ranked), Time: newChart(r.Findings), Unseen: len(r.Ledger),
		Digest: escape.Line(words.Shorten(r.Baseline.Digest)), Tool: escape.Line(r.Tool.Version), Promise: promise(&r.Parameters),
	}
	for i, f := range ranked {
		row, err := newRow(i+1, f, parts[f], r.Parameters.MinScore)
		if err != nil {
			return nil, err
		}
		for k := range p.Facets {
			row.Keys[k] = p.Facets[k].keys(f)
		}
		p.Rows = append(p.Rows, row)
	}
	for i := range r.Suppressions {
		p.Allowances = append(p.Allowances, words.Suppression(&r.Suppressions[i]))
	}
	for _, s := range r.Unseen {
		p.Warnings = append(p.Warnings, escape.Line(s))
	}
	p.Vendored = pageVendoredOf(r.Vendored)
	var err error
	p.Ledger, err = pageLedger(r.Ledger)
	return p, err
}

// policy allows only the page's own script and style.
func policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
		sourceHash(pageScript), sourceHash(pageStyle))
}

func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// block encodes data for a script element. No text in it can end the element, since encoding/json escapes <, > and &.
func block(v any) (template.JS, error) {
	js, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return template.JS(escape.JSON(js)), nil
}

func newRow(n int, f *finding.Finding, g []*finding.Finding, needed float64) (pageRow, error) {
	js, err := block(newEvidence(n, f, g, needed))
	o := order.FirstOrigin(f)
	rank := order.LevelRank(f.Level)
	dir, base := path.Split(f.Path)
	return pageRow{
		Dir: escape.Line(dir), Base: escape.Line(base),
		N: n, ID: escape.Line(f.ID), Path: escape.Line(f.Path), Lines: between(f.StartLine, f.EndLine),
		Mark: levelMarks[rank], Level: escape.Line(cmp.Or(f.Level, "warning")), Class: levelClasses[rank], Quiet: order.Quiet(f), Verdict: escape.Line(string(f.Verdict)),
		Package: escape.Line(o.PURL), Licence: escape.Line(o.License), Tokens: words.Plural(f.Tokens, "token"), Score: words.Score(f.Score), JSON: js,
	}, err
}

// Marks and classes of levels, by rank. Each level has a shape of its own, since some readers cannot distinguish
// colours.
var (
	levelMarks   = [...]string{"■", "▲", "●", "○"}
	levelClasses = [...]string{"error", "warning", "note", "ignore"}
)

// between returns a range of lines with a typographic dash.
func between(start, end int) string {
	if start == end {
		return words.Number(start)
	}
	return words.Number(start) + "–" + words.Number(end)
}

func pageHead(ranked []*finding.Finding) string {
	loud, quiet := order.Split(ranked)
	if len(ranked) == 0 {
		return "Nothing copied was found."
	}
	parts := words.ByLevel(loud)
	if len(quiet) > 0 {
		parts = append(parts, words.Number(len(quiet))+" allowed or ignored")
	}
	if n := words.RegionCount(ranked); n != "" {
		parts = append(parts, n)
	}
	return words.Plural(len(ranked), "finding") + ": " + strings.Join(parts, ", ") + "."
}

func targetWords(t finding.Target) string {
	switch t.Kind {
	case "diff":
		return "What changed between commits " + escape.Line(t.Base) + " and " + escape.Line(t.Head)
	case "history":
		if t.Base != "" {
			return "The history from commit " + escape.Line(t.Base) + " to " + escape.Line(t.Head)
		}
		return "The history up to commit " + escape.Line(t.Head)
	case "staged":
		return "What is staged for the next commit"
	case "snippet":
		return "A snippet of code"
	case "tree":
		return "A tree of files"
	}
	return escape.Line(t.Kind)
}

func promise(p *finding.Parameters) string {
	return fmt.Sprintf("Every run of at least %s that the examined code shares with the baseline was compared, token for token. What was not examined is listed as such.", words.Plural(p.T, "token"))
}

// meta says what was examined, against what, and with which parameters.
func meta(r *finding.Report) []fact {
	s, b, p := &r.Summary, &r.Baseline, &r.Parameters
	in := words.Plural(s.Files, "file")
	if s.Commits > 0 {
		in += " of " + words.Plural(s.Commits, "commit")
	}
	return []fact{
		{"Target", []value{{say(targetWords(r.Target))}}},
		{"Examined", []value{{say(fmt.Sprintf("%s: %s, %s", in, words.Plural(s.Tokens, "token"), words.Plural(s.Bytes, "byte")))}}},
		{"Baseline", []value{{code(b.Digest)}, {say(words.Plural(b.Packages, "package") + ", " + words.Plural(b.Documents, "document"))}}},
		{"Parameters", []value{{say(fmt.Sprintf("k = %d, w = %d: runs of t = %d tokens are always found; reported from %s and score %s", p.K, p.W, p.T, words.Plural(p.MinTokens, "token"), words.Score(p.MinScore)))}, {code(p.Scheme)}}},
		{"Tool", []value{{say("git-provenance " + escape.Line(r.Tool.Version))}}},
	}
}

// facets counts the words to filter by. A finding has the licences and packages of all its origins, since it is unknown
// which of them it came from.
func facets(fs []*finding.Finding) []facet {
	out := []facet{{Key: "level", Label: "Level", All: "every level"}, {Key: "verdict", Label: "Verdict", All: "every verdict"},
		{Key: "licence", Label: "Licence", All: "every licence"}, {Key: "package", Label: "Package", All: "every package"}}
	for k := range out {
		out[k].count(fs)
	}
	return out
}

func (c *facet) count(fs []*finding.Finding) {
	at := make(map[string]int)
	for _, f := range fs {
		for _, w := range c.words(f) {
			at[w]++
		}
	}
	for w, n := range at {
		c.Words = append(c.Words, facetWord{Word: w, Count: n})
	}
	slices.SortFunc(c.Words, func(a, b facetWord) int {
		if c.Key == "level" {
			return cmp.Or(order.LevelRank(a.Word)-order.LevelRank(b.Word), cmp.Compare(a.Word, b.Word))
		}
		return cmp.Compare(a.Word, b.Word)
	})
	for i := range c.Words {
		c.Words[i].N = i
	}
}

// words returns the words of one finding.
func (c *facet) words(f *finding.Finding) []string {
	switch c.Key {
	case "level":
		return []string{escape.Line(cmp.Or(f.Level, "warning"))}
	case "verdict":
		return []string{escape.Line(cmp.Or(string(f.Verdict), "none"))}
	}
	var out []string
	add := func(w string) {
		if w = escape.Line(w); !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for i := range f.Origins {
		if c.Key == "package" {
			add(words.PackageName(f.Origins[i].PURL))
		} else {
			add(cmp.Or(f.Origins[i].License, license.NoAssertion))
		}
	}
	if c.Key == "licence" {
		for _, l := range f.Licenses {
			add(cmp.Or(l, license.NoAssertion))
		}
	}
	return out
}

// keys returns the numbers of a finding's words.
func (c *facet) keys(f *finding.Finding) string {
	var out []string
	for _, w := range c.words(f) {
		if i := slices.IndexFunc(c.Words, func(x facetWord) bool { return x.Word == w }); i >= 0 {
			out = append(out, fmt.Sprint(i))
		}
	}
	return strings.Join(out, " ")
}
