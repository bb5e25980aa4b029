package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
)

// render renders a report in a format of the table.
func render(t testing.TB, format string, r *finding.Report, o report.Options) string {
	t.Helper()
	f, ok := report.ByName(format)
	if !ok {
		t.Fatalf("no format %q", format)
	}
	var b bytes.Buffer
	if err := f.Render(&b, r, o); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// review returns a report such as a pull request gives: example's finding, no
// longer allowed, and others of each level.
func review() *finding.Report {
	r := example()
	r.Target.Kind = "diff"
	f := &r.Findings[0]
	f.Allowed, f.Level = nil, "error"
	f.Changed = []finding.Lines{{StartLine: 44, EndLine: 47}, {StartLine: 60, EndLine: 99}}
	for i, level := range []string{"note", "warning", "ignore"} {
		g := *f
		g.ID, g.Path, g.Level, g.Changed, g.Text = fmt.Sprintf("f%d", i+2), fmt.Sprintf("src/%s.go", level), level, nil, nil
		r.Findings = append(r.Findings, g)
	}
	return r
}

// many returns a report with n findings whose bits fall from the first on.
func many(n int) *finding.Report {
	r := review()
	one := r.Findings[0]
	r.Findings = nil
	for i := range n {
		f := one
		f.ID, f.Path, f.Bits = fmt.Sprintf("id%04d", i), fmt.Sprintf("src/f%04d.go", i), float64(10000-i)
		f.Text = &finding.Sides{Target: lines(i%90 + 1), Origin: lines(i%90 + 1)}
		r.Findings = append(r.Findings, f)
	}
	r.Summary.Findings = n
	return r
}

func lines(n int) finding.Excerpt {
	e := finding.Excerpt{StartLine: 40}
	for i := range n {
		e.Lines = append(e.Lines, fmt.Sprintf("\tx[%d] = y[%d] // ```", i, i))
	}
	return e
}

func TestMarkdown(t *testing.T) {
	got := render(t, "markdown", review(), report.Options{Markdown: report.MarkdownOptions{Blob: "https://github.com/o/r/blob/" + strings.Repeat("b", 40)}})
	golden(t, "review.md", got)
}

func TestMarkdownWithoutFindings(t *testing.T) {
	got := render(t, "markdown", &finding.Report{}, report.Options{})
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
	for _, limit := range []int{report.MinMarkdown, 10_000, report.CommentLimit, report.SummaryLimit} {
		for _, n := range counts {
			got := render(t, "markdown", many(n), report.Options{Markdown: report.MarkdownOptions{Limit: limit}})
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
	if err := report.Markdown(&bytes.Buffer{}, review(), report.MarkdownOptions{Limit: 100}); err == nil {
		t.Error("no error")
	}
}

// TestMarkdownFence checks that source cannot end the block it stands in.
func TestMarkdownFence(t *testing.T) {
	r := review()
	r.Findings = r.Findings[:1]
	evil := []string{"````", "~~~", "</details>", "@all #1 ![x](http://x)"}
	r.Findings[0].Text = &finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: evil}, Origin: finding.Excerpt{StartLine: 1, Lines: evil}}
	got := render(t, "markdown", r, report.Options{})
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
	if flat := blanks.Replace(doc); report.Escape(flat) != flat {
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

// hostile are texts that try to leave each place they can be written to.
var hostile = []string{
	"`", "``", "` @all `", " ``` ", "a`b``c```d", "@org/team", "#1", "org/repo#1", "GH-1", "deadbeefdeadbeef", "www.evil.example", "http://evil.example",
	"a@b.example", "<img src=x onerror=alert(1)>", "</details>", "<!--", "](http://evil)", "![x](y)", "*a*", "_b_", "~~c~~", "|", "\\", "\\`", ":smile:", "$x$",
	"a\nb", "\r\n\r\n# h", "::error::x", "##[error]x", "%0A::error::", "a,b:c", "\x1b[2J", "\u202eabc", "\xff\xfe", "", " ", "- x", "1. x", "&lt;", "&#64;all",
	"javascript:alert(1)", "https://ok.example/)> @all <b>", "https://user:pw@evil.example/", "\t", strings.Repeat("`", 300), strings.Repeat("@a ", 300), "NOASSERTION",
	"../../etc/passwd", "/abs", "C:\\x", "a b.go", "ü/日本.go", "a%2Fb", "a#b?c",
}

// infect puts hostile texts, different from place to place, into all texts of a
// report.
func infect(rnd *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile[rnd.IntN(len(hostile))])
	case reflect.Pointer:
		if !v.IsNil() {
			infect(rnd, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			infect(rnd, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				infect(rnd, v.Field(i))
			}
		}
	}
}

// rounds is how many infected reports a format is tried with.
func rounds() int {
	if testing.Short() {
		return 30
	}
	return 300
}

// infected returns reports that share no memory with one another, full of
// hostile texts.
func infected(t *testing.T, n int) []*finding.Report {
	rnd := rand.New(rand.NewPCG(3, 4))
	var out []*finding.Report
	for range n {
		r, err := report.Read(bytes.NewReader(encode(t, review())))
		if err != nil {
			t.Fatal(err)
		}
		infect(rnd, reflect.ValueOf(r).Elem())
		out = append(out, r)
	}
	return out
}

func TestMarkdownIsInert(t *testing.T) {
	for _, r := range infected(t, rounds()) {
		checkMarkdown(t, render(t, "markdown", r, report.Options{Markdown: report.MarkdownOptions{Blob: "https://github.com/o/r/blob/c"}}))
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, h := range hostile {
		f.Add(h, h)
	}
	tame := review()
	tame.Findings = tame.Findings[:1]
	known := make(map[string]bool)
	for line := range strings.Lines(strip(render(f, "markdown", tame, report.Options{}))) {
		known[line] = true
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > fuzzed {
			return
		}
		r := review()
		r.Findings = r.Findings[:1]
		g := &r.Findings[0]
		g.Path, g.Origins[0].URL, g.Reasons, g.Attributions[0].Text = a, b, []string{a, b}, b
		g.Text = &finding.Sides{Target: finding.Excerpt{Lines: strings.Split(a, "\n")}, Origin: finding.Excerpt{Lines: strings.Split(b, "\n")}}
		checkMarkdownBut(t, render(t, "markdown", r, report.Options{}), known)
	})
}

// fuzzed is the longest text that is tried: what is longer finds nothing more and is slow.
const fuzzed = 1000

func TestMarkdownTellsTheHistory(t *testing.T) {
	r := review()
	f := &r.Findings[0]
	f.Left, f.Tip = nil, []finding.Location{{Path: "a.go", StartLine: 3, EndLine: 9}, {Path: "b`c.go", StartLine: 7, EndLine: 7}}
	got := render(t, "markdown", r, report.Options{})
	if want := "): moved, renamed; at the tip in `a.go` lines 3-9, ``b`c.go`` line 7\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}
