package markdown_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
)

func TestMarkdown(t *testing.T) {
	got := reporttest.Render(t, "markdown", reporttest.Review(), report.Options{Markdown: markdown.Options{Blob: "https://github.com/o/r/blob/" + strings.Repeat("b", 40)}})
	reporttest.Golden(t, "review.md", got)
}

// TestMarkdownAlike: of many regions of one pair of files that say the same, a comment shows three in full, and a line for each other one.
func TestMarkdownAlike(t *testing.T) {
	r := reporttest.Alike()
	last := "- `a.css` lines 51-55, copied from [`pkg:generic/zlib@1.2.11`](<https://example.org/inflate.go>) (Zlib): **undeclared**, score 0.98; finding `f`\n\n"
	got := reporttest.Render(t, "markdown", r, report.Options{})
	if n := strings.Count(got, "\n#### "); n != 3 || strings.Count(got, last) != 1 {
		t.Errorf("%d in full:\n%s", n, got)
	}
	r.Findings[4].Verdict = finding.LicenceStripped
	if n := strings.Count(reporttest.Render(t, "markdown", r, report.Options{}), "\n#### "); n != 6 {
		t.Errorf("%d in full beside another verdict", n)
	}
}

func TestMarkdownWithoutFindings(t *testing.T) {
	got := reporttest.Render(t, "markdown", &finding.Report{}, report.Options{})
	for _, want := range []string{"nothing copied was found", "Everything was examined.", "0 files"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// TestMarkdownFits checks that no limit is exceeded, that everything up to some
// finding is there and nothing after it, and that what is left out is counted.
func TestMarkdownFits(t *testing.T) {
	counts := []int{1, 3, 40, 400, 5000}
	if testing.Short() {
		counts = counts[:4]
	}
	for _, limit := range []int{markdown.MinLimit, 10_000, markdown.CommentLimit, markdown.SummaryLimit} {
		for _, n := range counts {
			got := reporttest.Render(t, "markdown", reporttest.Many(n), report.Options{Markdown: markdown.Options{Limit: limit}})
			if len(got) > limit {
				t.Errorf("%d findings: %d bytes, %d allowed", n, len(got), limit)
			}
			ids := regexp.MustCompile(`src/f(\d{4})\.go`+"`"+` lines`).FindAllStringSubmatch(got, -1)
			for i, m := range ids {
				if m[1] != fmt.Sprintf("%04d", i) {
					t.Fatalf("%d findings, limit %d: place %d has finding %s", n, limit, i, m[1])
				}
			}
			cut := strings.Contains(got, "not shown**: the report would be too long")
			if cut != (len(ids) < n) || cut && !strings.Contains(got, strings.ReplaceAll(comma(n-len(ids)), "\n", "")+" more finding") {
				t.Errorf("%d findings, limit %d: %d shown\n%s", n, limit, len(ids), got[max(0, len(got)-900):])
			}
			if !strings.Contains(got, "Baseline `0123456789ab`") {
				t.Errorf("%d findings, limit %d: no foot", n, limit)
			}
		}
	}
}

func comma(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

func TestMarkdownRefusesTinyLimits(t *testing.T) {
	if err := markdown.Write(&bytes.Buffer{}, reporttest.Review(), markdown.Options{Limit: 100}); err == nil {
		t.Error("no error")
	}
}

// TestMarkdownFence checks that source cannot end the block it stands in.
func TestMarkdownFence(t *testing.T) {
	r := reporttest.Review()
	r.Findings = r.Findings[:1]
	evil := []string{"````", "~~~", "</details>", "@all #1 ![x](http://x)"}
	r.Findings[0].Text = &finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: evil}, Origin: finding.Excerpt{StartLine: 1, Lines: evil}}
	got := reporttest.Render(t, "markdown", r, report.Options{})
	if n := strings.Count(got, "\n`````"); n != 4 {
		t.Errorf("%d fences of five\n%s", n, got)
	}
	if active := strip(got); strings.Contains(active, "@all") {
		t.Errorf("outside of code:\n%s", active)
	}
}

var (
	linkDest = regexp.MustCompile(`\]\(<https?://[A-Za-z0-9%:/?#\[\]@!$&*+,;=._~-]*>\)`)
)

// strip takes out of a document what GitHub and Markdown read nothing in: fenced
// blocks, code spans, destinations of links, of which it checks the form. It is
// written from the CommonMark specification, not from the code under test.
func strip(doc string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(doc) {
		l := strings.TrimSuffix(line, "\n")
		run := len(l) - len(strings.TrimLeft(l, "`"))
		switch {
		case fence != "" && run >= len(fence) && strings.TrimRight(l[run:], " ") == "":
			fence = ""
		case fence != "":
		case run >= 3 && !strings.Contains(l[run:], "`"):
			fence = l[:run]
		default:
			out.WriteString(linkDest.ReplaceAllString(spans(l), "]()") + "\n")
		}
	}
	if fence != "" {
		return doc // everything to the end is code: never meant
	}
	return out.String()
}

// spans takes code spans out of a line: from a run of backticks to the next one
// of equal length.
func spans(l string) string {
	var out strings.Builder
	for len(l) > 0 {
		i := strings.IndexByte(l, '`')
		if i < 0 {
			break
		}
		out.WriteString(l[:i])
		l = l[i:]
		n := len(l) - len(strings.TrimLeft(l, "`"))
		end := closing(l[n:], n)
		if end < 0 {
			out.WriteString("UNCLOSED")
			l = l[n:]
			continue
		}
		out.WriteString("CODE")
		l = l[n+end+n:]
	}
	return out.String() + l
}

func closing(s string, n int) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i
		}
		i += run - 1
	}
	return -1
}

// active matches what would do something outside of code.
var active = regexp.MustCompile(`[@<>\x00-\x08\x0b-\x1f\x7f_~\\|$]|\w#|#\w|!\[|:\w+:|://|(?:^|[^\pL\pN])(?i:www\.|gh-\d)|UNCLOSED|[0-9a-f]{7}`)

// allowed is the HTML of our own.
var ownHTML = regexp.MustCompile(`</?details>|</?summary>`)

var blanks = strings.NewReplacer("\n", "", "\t", "")

func checkMarkdown(t *testing.T, doc string) {
	t.Helper()
	checkMarkdownBut(t, doc, nil)
}

// checkMarkdownBut leaves out lines that are known to be harmless.
func checkMarkdownBut(t *testing.T, doc string, known map[string]bool) {
	t.Helper()
	if flat := blanks.Replace(doc); escape.Line(flat) != flat {
		t.Fatalf("unescaped characters in %q", doc)
	}
	for line := range strings.Lines(strip(doc)) {
		if known[line] {
			continue
		}
		line = ownHTML.ReplaceAllString(line, "")
		l := strings.TrimLeft(strings.TrimSuffix(line, "\n"), "# ")
		if m := active.FindString(l); m != "" {
			t.Fatalf("%q is active in %q", m, line)
		}
	}
}

func TestMarkdownIsInert(t *testing.T) {
	for _, r := range reporttest.Infected(t, reporttest.Rounds()) {
		checkMarkdown(t, reporttest.Render(t, "markdown", r, report.Options{Markdown: markdown.Options{Blob: "https://github.com/o/r/blob/c"}}))
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, h := range reporttest.Hostile {
		f.Add(h, h)
	}
	tame := reporttest.Review()
	tame.Findings = tame.Findings[:1]
	known := make(map[string]bool)
	for line := range strings.Lines(strip(reporttest.Render(f, "markdown", tame, report.Options{}))) {
		known[line] = true
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > reporttest.MaxFuzzed {
			return
		}
		r := reporttest.Review()
		r.Findings = r.Findings[:1]
		g := &r.Findings[0]
		g.Path, g.Origins[0].URL, g.Reasons, g.Attributions[0].Text = a, b, []string{a, b}, b
		g.Text = &finding.Sides{Target: finding.Excerpt{Lines: strings.Split(a, "\n")}, Origin: finding.Excerpt{Lines: strings.Split(b, "\n")}}
		checkMarkdownBut(t, reporttest.Render(t, "markdown", r, report.Options{}), known)
	})
}

func TestMarkdownTellsTheHistory(t *testing.T) {
	r := reporttest.Review()
	f := &r.Findings[0]
	f.Left, f.Tip = nil, []finding.Location{{Path: "a.go", StartLine: 3, EndLine: 9}, {Path: "b`c.go", StartLine: 7, EndLine: 7}}
	got := reporttest.Render(t, "markdown", r, report.Options{})
	if want := "): moved, renamed; at the tip in `a.go` lines 3-9, ``b`c.go`` line 7\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}
