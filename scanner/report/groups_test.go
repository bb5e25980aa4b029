package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/text"
)

// TestGroups: regions of one file from one origin file stand together under one
// heading, prose behind code, and both are counted.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		format string
		want   []string // in this order
	}{
		{"text", []string{"a.go  2 regions copied from pkg:generic/zlib@1.2.11 x.go, 2,408 tokens\n", "a.go:10-30", "a.go:500-520", "b.go:10-30", "a.go:900-920", "conf.caddyfile:1-21", "CONTRIBUTING.md:1-21", "6 regions in 4 files copied from 1 package: 6 warnings\n"}},
		{"markdown", []string{"6 regions in 4 files copied from 1 package", "### `a.go`, 2 regions copied from `x.go` of `pkg:generic/zlib@1.2.11` (Zlib)", "#### 1. `a.go` lines 10-30", "#### 2. `a.go` lines 500-520", "\n### 3. `b.go`", "\n### 4. `a.go` lines 900-920", "\n### 5. `conf", "\n### 6. `CONTRIBUTING.md`"}},
		{"html", []string{"6 regions in 4 files copied from 1 package", "one of 2 regions of this file copied from the same file, 2,408 tokens in all"}},
	} {
		f, _ := report.ByName(c.format)
		var b strings.Builder
		if err := f.Render(&b, reporttest.Grouping(), report.Options{}); err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, w := range c.want {
			i := strings.Index(b.String()[at:], w)
			if i < 0 {
				t.Errorf("%s has no %q where it should come:\n%s", c.format, w, b.String())
				break
			}
			at += i
		}
	}
}

// TestBundle: the findings that a file shares with many files of one package are one group. The
// text shows its first members.
func TestBundle(t *testing.T) {
	r := reporttest.Grouping()
	base := r.Findings[0]
	r.Findings = nil
	for i := range 9 {
		f := base
		f.ID, f.StartLine, f.EndLine = fmt.Sprint("c", i), 10*i+1, 10*i+5
		f.Origins = []finding.Origin{base.Origins[0]}
		f.Origins[0].Path = fmt.Sprintf("%d.go", i)
		r.Findings = append(r.Findings, f)
	}
	for format, want := range map[string][]string{
		"text":     {"a.go  9 regions copied from 9 files of pkg:generic/zlib@1.2.11, ", "a.go:21-25", "6 more regions of this package in a.go (6 warnings); --verbose shows them\n", "9 regions in 1 file copied from 1 package: 9 warnings\n"},
		"markdown": {"### `a.go`, 9 regions copied from 9 files of `pkg:generic/zlib@1.2.11` (Zlib)", "#### 9. `a.go` lines 81-85"},
		"html":     {"one of 9 regions of this file copied from 9 files of the same package, "},
	} {
		got := reporttest.Render(t, format, r, report.Options{})
		at := 0
		for _, w := range want {
			i := strings.Index(got[at:], w)
			if i < 0 {
				t.Fatalf("%s has no %q where it should come:\n%s", format, w, got)
			}
			at += i
		}
		if format == "text" && strings.Contains(got, "a.go:31-35") {
			t.Error("the fourth region is shown")
		}
	}
	if got := reporttest.Render(t, "text", r, report.Options{Text: text.Options{Verbose: true}}); !strings.Contains(got, "a.go:81-85") || strings.Contains(got, "more regions") {
		t.Errorf("not all with --verbose:\n%s", got)
	}
	r.Findings = r.Findings[:7]
	if got := reporttest.Render(t, "text", r, report.Options{}); strings.Contains(got, "a.go  7 regions") {
		t.Errorf("seven files are a bundle:\n%s", got)
	}
}

// TestGroupDirection: a heading says what the direction of its regions says, and
// accuses nobody where they differ or none is known.
func TestGroupDirection(t *testing.T) {
	for _, c := range []struct {
		directions [2]string
		want       string
	}{
		{[2]string{"from", "from"}, "copied from"}, {[2]string{"to", "to"}, "also in"}, {[2]string{"unknown", "unknown"}, "shared with"},
		{[2]string{"from", "unknown"}, "shared with"}, {[2]string{"to", "from"}, "shared with"}, {[2]string{"", ""}, "shared with"},
	} {
		r := reporttest.Grouping()
		r.Findings = []finding.Finding{r.Findings[0], r.Findings[2]}
		for i := range r.Findings {
			r.Findings[i].Direction = c.directions[i]
		}
		for format, want := range map[string][]string{
			"text":     {"a.go  2 regions " + c.want + " pkg:generic/zlib@1.2.11 x.go", "2 regions in 1 file " + c.want + " 1 package"},
			"markdown": {"### `a.go`, 2 regions " + c.want + " `x.go` of", "2 regions in 1 file " + c.want + " 1 package"},
			"html":     {"one of 2 regions of this file " + c.want + " the same file", "2 regions in 1 file " + c.want + " 1 package"},
		} {
			f, _ := report.ByName(format)
			var b strings.Builder
			if err := f.Render(&b, r, report.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, w := range want {
				if !strings.Contains(b.String(), w) {
					t.Errorf("%v: %s has no %q", c.directions, format, w)
				}
			}
		}
	}
}

// TestStoryOfFiles: one region in several files is one story, and so are the files of a directory that a package has under the
// same names; a bundle stays apart.
func TestStoryOfFiles(t *testing.T) {
	base := reporttest.Grouping().Findings[0]
	story := func(places ...[2]string) *finding.Report {
		r := reporttest.Grouping()
		r.Findings = nil
		for i, p := range places {
			f := base
			f.ID, f.Path = fmt.Sprint("c", i), p[0]
			f.Origins = []finding.Origin{base.Origins[0]}
			f.Origins[0].Path = p[1]
			r.Findings = append(r.Findings, f)
		}
		return r
	}
	same := [][2]string{{"test/a/out.js", "x.js"}, {"test/b/out.js", "x.js"}, {"lib/y.js", "x.js"}}
	named := [][2]string{{"lib/router/index.js", "index.js"}, {"lib/router/layer.js", "lib/Layer.js"}, {"lib/router/other.js", "third.js"}, {"index.js", "four/index.js"}}
	apart := [][2]string{{"index.js", "lib/router/index.js"}, {"lib/layer.js", "lib/router/layer.js"}}
	var many [][2]string
	for i := range 9 {
		many = append(many, [2]string{fmt.Sprintf("src/%d/out.js", i), "x.js"})
	}
	var bundle [][2]string
	for i := range 9 {
		bundle = append(bundle, [2]string{"dist/all.js", fmt.Sprintf("%d.js", i)})
	}
	for _, c := range []struct {
		name   string
		places [][2]string
		format string
		want   []string
	}{
		{"same region", same[:2], "text", []string{"test  2 regions in 2 files copied from pkg:generic/zlib@1.2.11 x.js, ", "test/a/out.js:", "test/b/out.js:"}},
		{"same region, no common directory", same, "text", []string{"\n3 regions in 3 files copied from pkg:generic/zlib@1.2.11 x.js, "}},
		{"same region", same[:2], "markdown", []string{"### `test`, 2 regions in 2 files copied from `x.js` of `pkg:generic/zlib@1.2.11`", "#### 1. ", "#### 2. "}},
		{"same region", same[:2], "html", []string{"one of 2 regions in 2 files copied from the same file, ", "test/b/out.js:"}},
		{"same names", named, "text", []string{"lib/router  2 regions in 2 files copied from 2 files of pkg:generic/zlib@1.2.11, ", "lib/router/layer.js:", "\n\nWARNING  lib/router/other.js:", "\n\nWARNING  index.js:"}},
		{"same names, one directory there", apart, "text", []string{"\n2 regions in 2 files copied from 2 files of pkg:generic/zlib@1.2.11, "}},
		{"many files", many, "text", []string{"src  9 regions in 9 files", "src/2/out.js:", "    score ", "src/3/out.js:10-30 copied from pkg:generic/zlib@1.2.11, 1,204 tokens, score 0.98, finding c3\n", "src/8/out.js:", "6 more regions (6 warnings) in short; --verbose shows all of them\n"}},
		{"bundle", append(bundle, [2]string{"src/one.js", "0.js"}), "text", []string{"dist/all.js  9 regions copied from 9 files of pkg:generic/zlib@1.2.11, ", "6 more regions of this package in dist/all.js (6 warnings)", "WARNING  src/one.js:", "    source "}},
	} {
		got := "\n" + reporttest.Render(t, c.format, story(c.places...), report.Options{})
		at := 0
		for _, w := range c.want {
			i := strings.Index(got[at:], w)
			if i < 0 {
				t.Errorf("%s, %s: no %q where it should come:\n%s", c.name, c.format, w, got)
				break
			}
			at += i
		}
	}
}
