package workflow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/workflow"
)

func TestGitHub(t *testing.T) {
	reporttest.Golden(t, "review.log", reporttest.Render(t, "github", reporttest.Review(), report.Options{}))
}

// annotation is what the runner makes of a line.
type annotation struct {
	level, message string
	properties     map[string]string
}

// runner reads a log as GitHub's does: the newer form of commands at the start
// of a line after white space, the older one anywhere; nothing while stopped.
func runner(t *testing.T, log string) []annotation {
	t.Helper()
	var out []annotation
	stop := ""
	for line := range strings.Lines(log) {
		l := strings.TrimSpace(strings.TrimSuffix(line, "\n"))
		body, newer := strings.CutPrefix(l, "::")
		head, message, ends := strings.Cut(body, "::")
		switch {
		case stop != "":
			if newer && ends && head == stop {
				stop = ""
			}
		case newer && ends:
			name, params, _ := strings.Cut(head, " ")
			switch name {
			case "stop-commands":
				stop = message
			case "error", "warning", "notice":
				out = append(out, annotation{name, unescape(message), properties(t, params)})
			case "group", "endgroup":
			default:
				t.Fatalf("command %q", l)
			}
		case strings.Contains(l, "##["):
			t.Fatalf("command of the older form: %q", l)
		}
	}
	if stop != "" {
		t.Fatalf("still stopped at the end")
	}
	return out
}

func unescape(s string) string {
	return strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",").Replace(s)
}

func properties(t *testing.T, s string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for p := range strings.SplitSeq(s, ",") {
		k, v, ok := strings.Cut(p, "=")
		if _, twice := out[k]; !ok || twice {
			t.Fatalf("property %q of %q", p, s)
		}
		out[k] = unescape(v)
	}
	return out
}

// TestGitHubLimits checks that no more annotations of a level are made than the
// runner shows, that the weightiest are, and that the log has the others.
func TestGitHubLimits(t *testing.T) {
	r := reporttest.Many(60)
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Level = []string{"note", "warning", "error"}[i%3]
		f.Reasons = []string{strings.Repeat("ü", 9000)}
	}
	log := reporttest.Render(t, "github", r, report.Options{})
	count := make(map[string]int)
	for _, a := range runner(t, log) {
		n := count[a.level]
		first := map[string]int{"notice": 0, "warning": 1, "error": 2}[a.level]
		if want := fmt.Sprintf("src/f%04d.go", first+3*n); a.properties["file"] != want {
			t.Errorf("%s %d is of %s, not %s", a.level, n, a.properties["file"], want)
		}
		if len(a.message) > 4096 || len(a.properties["title"]) > 255 {
			t.Errorf("too long: %d, %d", len(a.message), len(a.properties["title"]))
		}
		count[a.level]++
	}
	if count["notice"] != 10 || count["warning"] != 10 || count["error"] != 10 {
		t.Errorf("annotations: %v", count)
	}
	if !strings.Contains(log, "\n30 findings not annotated") || !strings.Contains(log, "src/f0059.go") {
		t.Errorf("log:\n%s", log)
	}
}

func TestGitHubPointsAtTheChange(t *testing.T) {
	r := reporttest.Review()
	r.Findings = r.Findings[:1]
	as := runner(t, reporttest.Render(t, "github", r, report.Options{}))
	if len(as) != 1 || as[0].properties["line"] != "60" || as[0].properties["endLine"] != "99" {
		t.Errorf("%v", as)
	}
	if !strings.Contains(as[0].message, "Lines 40-212: copied from pkg:generic/zlib@1.2.11") {
		t.Errorf("message %q", as[0].message)
	}
}

func TestGitHubOfASnippet(t *testing.T) {
	r := reporttest.Review()
	r.Findings[0].Path = "-"
	if as := runner(t, reporttest.Render(t, "github", r, report.Options{})); as[0].properties["file"] != "" || as[0].properties["line"] == "" {
		t.Errorf("%v", as[0])
	}
}

// TestGitHubObeysNothing checks that hostile texts neither make commands nor
// end the stretch in which there are none, and that only our words are levels.
func TestGitHubObeysNothing(t *testing.T) {
	for _, r := range reporttest.Infected(t, reporttest.Rounds()) {
		log := reporttest.Render(t, "github", r, report.Options{})
		for _, a := range runner(t, log) {
			for k := range a.properties {
				if k != "file" && k != "line" && k != "endLine" && k != "title" {
					t.Fatalf("property %q in\n%s", k, log)
				}
			}
			if strings.Contains(a.properties["title"]+a.properties["file"], "\n") {
				t.Fatalf("line break in %v", a)
			}
		}
		for line := range strings.Lines(log) {
			if l := strings.TrimSuffix(line, "\n"); escape.Line(l) != l {
				t.Fatalf("unescaped: %q", l)
			}
		}
	}
}

func FuzzGitHub(f *testing.F) {
	for _, h := range reporttest.Hostile {
		f.Add(h, h)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > reporttest.MaxFuzzed {
			return
		}
		r := reporttest.Review()
		r.Findings = r.Findings[:2]
		g := &r.Findings[0]
		g.Path, g.Reasons, g.Attributions[0].Text, g.Origins[0].PURL = a, []string{a, b}, b, b
		as := runner(t, reporttest.Render(t, "github", r, report.Options{}))
		if len(as) != 2 || len(as[0].message) > 4096 {
			t.Fatalf("%d annotations", len(as))
		}
		if p := as[0].properties["file"]; p != escape.Line(workflow.Path(a)) && p != "" {
			t.Fatalf("file %q of path %q", p, a)
		}
	})
}
