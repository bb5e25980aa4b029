package html_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/html"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	dom "golang.org/x/net/html"
)

// htmlPage is what a page consists of.
type htmlPage struct {
	elements map[string]int
	attrs    map[string]bool
	ids      map[string]int
	hashes   map[string]string // of what stands in script and style
	policy   string
	data     []string // blocks of JSON
	findings []string // ids of the findings listed
	text     string   // what a reader sees
	links    []string
}

// parsePage reads a page as a browser does, and fails if that had to repair it.
func parsePage(t *testing.T, doc string) *htmlPage {
	t.Helper()
	root, err := dom.Parse(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	p := &htmlPage{elements: map[string]int{}, attrs: map[string]bool{}, ids: map[string]int{}, hashes: map[string]string{}}
	for n := range root.Descendants() {
		switch n.Type {
		case dom.ElementNode:
			p.element(n)
		case dom.TextNode:
			if n.Parent.Data != "script" && n.Parent.Data != "style" {
				p.text += n.Data
			}
		case dom.CommentNode:
			t.Errorf("comment %q", n.Data)
		}
	}
	balanced(t, doc)
	return p
}

func (p *htmlPage) element(n *dom.Node) {
	p.elements[n.Data]++
	kind, content := "", ""
	if n.FirstChild != nil {
		content = n.FirstChild.Data
	}
	for _, a := range n.Attr {
		p.attrs[a.Key] = true
		switch {
		case a.Key == "id":
			p.ids[a.Val]++
		case a.Key == "type":
			kind = a.Val
		case a.Key == "href":
			p.links = append(p.links, a.Val)
		case a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
			p.policy = a.Val
		case a.Key == "data-id":
			p.findings = append(p.findings, a.Val)
		}
	}
	switch {
	case n.Data == "script" && kind == "application/json":
		p.data = append(p.data, content)
	case n.Data == "script" || n.Data == "style":
		sum := sha256.Sum256([]byte(content))
		p.hashes[n.Data] = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
}

// balanced checks that every element that is opened is closed, in order.
func balanced(t *testing.T, doc string) {
	t.Helper()
	var open []string
	z := dom.NewTokenizer(strings.NewReader(doc))
	for z.Next() != dom.ErrorToken {
		tok := z.Token()
		switch tok.Type {
		case dom.StartTagToken:
			if !slices.Contains([]string{"meta", "input"}, tok.Data) {
				open = append(open, tok.Data)
			}
		case dom.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Fatalf("</%s> within %v", tok.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Fatalf("not closed: %v", open)
	}
}

// The elements and attributes that the template writes; a report adds none.
var (
	pageElements = strings.Fields("html head meta title style body a header div h1 p span button kbd details summary dl dt dd code strong nav ul li main noscript " +
		"section h2 h3 h4 form label input select option ol bdi b article table thead tbody tr th td svg rect line text g circle time footer dialog script")
	pageAttrs = strings.Fields("lang charset http-equiv content name class href rel id type hidden aria-label aria-labelledby aria-haspopup aria-hidden data-view for value " +
		"placeholder autocomplete spellcheck role tabindex data-n data-id data-path data-level data-verdict data-licence data-package data-file scope " +
		"viewbox viewBox preserveaspectratio preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r text-anchor checked")
)

func checkPage(t *testing.T, doc string, r *finding.Report) *htmlPage {
	t.Helper()
	p := parsePage(t, doc)
	for e := range p.elements {
		if !slices.Contains(pageElements, e) {
			t.Errorf("element %q", e)
		}
	}
	for a := range p.attrs {
		if !slices.Contains(pageAttrs, a) {
			t.Errorf("attribute %q", a)
		}
	}
	if n := p.elements["script"] - len(p.data); n != 1 {
		t.Errorf("%d scripts", n)
	}
	for what, hash := range p.hashes {
		if !strings.Contains(p.policy, what+"-src "+hash) {
			t.Errorf("the policy %q does not know the %s %s", p.policy, what, hash)
		}
	}
	for id, n := range p.ids {
		if n > 1 {
			t.Errorf("id %q %d times", id, n)
		}
	}
	for _, l := range p.links {
		if !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "http://") && !strings.HasPrefix(l, "https://") {
			t.Errorf("link to %q", l)
		}
	}
	if len(p.findings) != len(r.Findings) || len(p.data) < len(r.Findings) {
		t.Errorf("%d findings listed, %d blocks, of %d", len(p.findings), len(p.data), len(r.Findings))
	}
	for i, d := range p.data {
		if !json.Valid([]byte(d)) {
			t.Fatalf("block %d: %.300s", i, d)
		}
	}
	onlyPlain(t, doc)
	return p
}

func TestHTML(t *testing.T) {
	r := reporttest.Review()
	p := checkPage(t, reporttest.Render(t, "html", r, report.Options{}), r)
	all := strings.Join(p.data, "\n") + p.text
	for _, f := range r.Findings {
		if !slices.Contains(p.findings, f.ID) || !strings.Contains(all, `"id":"`+f.ID+`"`) {
			t.Errorf("no finding %s", f.ID)
		}
	}
	o := r.Findings[0].Origins[0]
	for _, want := range []string{o.PURL, o.License, o.Path, o.SHA256, r.Baseline.Digest, r.Parameters.Scheme, "k = 20, w = 12", r.Tool.Version,
		"most findings like it were true copies", `"o":"buf","t":"b","c":"14"`, "https://example.org/inflate.go", "Older side", r.Ledger[1].Path, r.Ledger[1].Detail, "generated"} {
		if !strings.Contains(all, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestHTMLTellsTheHistory checks the timeline, and that a region that was allowed
// says why.
func TestHTMLTellsTheHistory(t *testing.T) {
	r := reporttest.Review()
	r.Findings = r.Findings[:1]
	f, alive := &r.Findings[0], false
	f.Alive = &alive
	f.Allowed = &finding.Allowance{By: "configuration", Reason: "agreed <b>with</b> them", Expires: "2030-01-31"}
	f.Edits = []finding.Commit{{Commit: "dddddddddddddddd", Author: "B <b@example.org>", Time: f.Introduced.Time.AddDate(1, 0, 0), Changes: []string{"moved"}, Path: "new.go"}}
	f.Left = &finding.Commit{Commit: "eeeeeeeeeeeeeeee", Author: "C", Time: f.Introduced.Time.AddDate(2, 1, 0)}
	r.Suppressions = []finding.Suppression{{By: "configuration", Path: ".git-provenance.yml", Line: 3, State: finding.Used, Reason: "</ul>", Findings: 1}}
	p := checkPage(t, reporttest.Render(t, "html", r, report.Options{}), r)
	all := strings.Join(p.data, "\n") + p.text
	for _, want := range []string{"1 region entered and 1 region left between 2020-01-15 and 2022-02-15", "2021", "entered src/inflate.go", "moved new.go", "left new.go",
		`agreed \u003cb\u003ewith\u003c/b\u003e them"`, `" (until "},{"t":"2030-01-31"}`, `.git-provenance.yml:3: used allowance: 1 finding ("</ul>")`} {
		if !strings.Contains(all, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if p.elements["circle"] != 1 { // the move; what entered and left are bars
		t.Errorf("%d dots on the timeline", p.elements["circle"])
	}
}

func TestHTMLWithoutFindings(t *testing.T) {
	for _, r := range []*finding.Report{{}, {Schema: finding.Schema, Target: finding.Target{Kind: "staged"}}} {
		p := checkPage(t, reporttest.Render(t, "html", r, report.Options{}), r)
		if !strings.Contains(p.text, "Nothing copied was found.") || !strings.Contains(p.text, "Everything was examined.") {
			t.Errorf("%s", p.text)
		}
	}
}

// TestHTMLIsInert renders reports in which every text tries to be more than text.
func TestHTMLIsInert(t *testing.T) {
	for _, r := range reporttest.Infected(t, reporttest.Rounds()/3) {
		checkPage(t, reporttest.Render(t, "html", r, report.Options{}), r)
	}
}

// FuzzHTMLPart renders one of the parts that hold texts of a report.
func FuzzHTMLPart(f *testing.F) {
	parts := []string{"fact", "row", "evidence", "file", "moment", "reason"}
	for i, h := range append(reporttest.Hostile, "</script><script>x", "<!--<script>", "\u2028\u2029", "{{.}}", "]]>", "\x00") {
		f.Add(byte(i), h, h)
	}
	alive := true
	f.Fuzz(func(t *testing.T, part byte, a, b string) {
		if len(a)+len(b) > reporttest.MaxFuzzed {
			return
		}
		commit := &finding.Commit{Commit: a, Author: b, Path: b, Changes: []string{a}}
		r := &finding.Report{Target: finding.Target{Kind: "diff", Base: a, Head: b}, Ledger: []finding.Entry{{Path: a, Reason: lang.Reason(a), Detail: b}}, Findings: []finding.Finding{{
			ID: a, Path: b, StartLine: 1, EndLine: 3, Level: a, Verdict: finding.Verdict(b), Reasons: []string{a, b}, Introduced: commit, Alive: &alive, Edits: []finding.Commit{*commit},
			Renames: []finding.Rename{reporttest.Rename(a, b, 1)}, Attributions: []finding.Notice{{Text: b, Path: a}}, Origins: []finding.Origin{{PURL: a, URL: b, Path: a, License: b}},
			Text: &finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: strings.Split(a, "\n")}, Origin: finding.Excerpt{Lines: strings.Split(b, "\n")}},
		}}}
		var out strings.Builder
		if err := html.WritePart(&out, parts[int(part)%len(parts)], r); err != nil {
			t.Fatal(err)
		}
		checkPart(t, out.String())
	})
}

// checkPart holds a part of the page against what a page consists of.
func checkPart(t *testing.T, doc string) {
	z := dom.NewTokenizer(strings.NewReader(doc))
	count := 0
	for z.Next() != dom.ErrorToken {
		tok := z.Token()
		count++
		switch {
		case tok.Type == dom.CommentToken || tok.Type == dom.StartTagToken && !slices.Contains(pageElements, tok.Data):
			t.Fatalf("%s in %s", tok, doc)
		case tok.Type == dom.TextToken && strings.HasPrefix(doc, "<script") && !json.Valid([]byte(tok.Data)):
			t.Fatalf("%s", tok.Data)
		}
		for _, a := range tok.Attr {
			known := slices.Contains(pageAttrs, a.Key)
			if address := a.Key == "href" && !strings.HasPrefix(a.Val, "#"); !known || address && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "https://") {
				t.Fatalf("attribute %s=%q in %s", a.Key, a.Val, doc)
			}
		}
	}
	if count < 3 {
		t.Fatalf("only %s", doc)
	}
	balanced(t, doc)
	onlyPlain(t, doc)
}

// onlyPlain checks that what a reader would not see, or see wrongly, is escaped.
func onlyPlain(t *testing.T, doc string) {
	for _, c := range doc {
		if plain := ' ' <= c && c <= '~' || c == '\n'; !plain && escape.Line(string(c)) != string(c) {
			t.Fatalf("%U is written as it is", c)
		}
	}
}

// TestHTMLMarksTheMatchedCharacters checks marks, renames and escapes of source
// lines to the character.
func TestHTMLMarksTheMatchedCharacters(t *testing.T) {
	r := reporttest.Review()
	r.Findings = r.Findings[:1]
	f := &r.Findings[0]
	f.Renames = []finding.Rename{reporttest.Rename("buf", "b", 2), reporttest.Rename("len", "n", 1)}
	f.Runs = []finding.Run{{StartLine: 7, StartColumn: 3, EndLine: 9, EndColumn: 4, OriginStartLine: 3, OriginStartColumn: 1, OriginEndLine: 5, OriginEndColumn: 2}}
	f.Text = &finding.Sides{
		Target: finding.Excerpt{StartLine: 6, Lines: []string{"b := 1", "é b(n)", "\tb \u202e ", "} b }"}},
		Origin: finding.Excerpt{StartLine: 3, Lines: []string{"buf(len)", "  buf", "}}"}},
	}
	p := checkPage(t, reporttest.Render(t, "html", r, report.Options{}), r)
	var d struct {
		Source struct {
			Rows []struct {
				A, B *struct {
					N int
					P []struct {
						T    string
						M, E bool
						R    int
					}
				}
			}
		}
	}
	for _, block := range p.data {
		if strings.Contains(block, `"source"`) {
			if err := json.Unmarshal([]byte(block), &d); err != nil {
				t.Fatal(err)
			}
		}
	}
	var here, there []string
	for _, row := range d.Source.Rows {
		for _, s := range []struct {
			out *[]string
			on  bool
		}{{&here, true}, {&there, false}} {
			side := row.A
			if !s.on {
				side = row.B
			}
			if side == nil {
				continue
			}
			line := fmt.Sprint(side.N, ":")
			for _, c := range side.P {
				look := ""
				if c.M {
					look += "m"
				}
				if c.E {
					look += "e"
				}
				if c.R > 0 {
					look += fmt.Sprint(c.R)
				}
				line += fmt.Sprintf("%s<%s>", c.T, look)
			}
			*s.out = append(*s.out, line)
		}
	}
	wantHere := []string{"6:b := 1<>", "7:é <>b<m1>(<m>n<m2>)<m>", "8:\t<>b<m1> <m>\\u202e<me> <>", "9:} <m>b<m1> }<>"}
	wantThere := []string{"3:buf<m1>(<m>len<m2>)<m>", "4:  <>buf<m1>", "5:}<m>}<>"}
	if !slices.Equal(here, wantHere) || !slices.Equal(there, wantThere) {
		t.Errorf("%q, want %q\n%q, want %q", here, wantHere, there, wantThere)
	}
}

// TestBarScale expects a bar as long as the file, and of reports that do not say
// how long that is one that ends with the last region.
func TestBarScale(t *testing.T) {
	for lines, want := range map[int]string{
		400: `viewBox="0 0 400 10" preserveAspectRatio="none" role="img" aria-label="Regions at lines 40–212 of a file of 400 lines"`,
		0:   `viewBox="0 0 212 10" preserveAspectRatio="none" role="img" aria-label="Regions at lines 40–212 of a file of at least 212 lines"`,
	} {
		r := reporttest.Example()
		r.Findings = r.Findings[:1]
		r.Findings[0].FileLines = lines
		if page := reporttest.Render(t, "html", r, report.Options{}); !strings.Contains(page, want) {
			t.Errorf("file of %d lines: no bar %s", lines, want)
		}
	}
}
