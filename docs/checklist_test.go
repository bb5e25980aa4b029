package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/report"
)

// checklist returns the rows of a list in ARCHITECTURE.md: in [1] the files, in [2] the text that they have.
func checklist(t *testing.T, heading string) [][]string {
	_, list, ok := strings.Cut(text(t, "ARCHITECTURE.md"), heading+"\n")
	list, _, _ = strings.Cut(list, "\n#")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| (?:`([^`]+)` )?\\|$").FindAllStringSubmatch(list, -1)
	if !ok || len(rows) < 6 {
		t.Fatalf("ARCHITECTURE.md lists %d files below %q", len(rows), heading)
	}
	return rows
}

// TestEcosystemChecklist follows the list for every ecosystem with a registry. Debian and GitHub have no lock files.
func TestEcosystemChecklist(t *testing.T) {
	for _, typ := range remote.Types {
		if typ == "deb" || typ == "github" {
			continue
		}
		for _, row := range checklist(t, "### Adding an ecosystem") {
			paths, err := filepath.Glob("../" + row[1])
			want := strings.ReplaceAll(row[2], "TYPE", typ)
			if err != nil || !slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(text(t, p), want) }) {
				t.Errorf("none of the %d files %s has %s", len(paths), row[1], want)
			}
		}
	}
}

// TestLanguageChecklist follows the list of ARCHITECTURE.md for every language that
// is there: so whoever follows it for a new one misses no file.
func TestLanguageChecklist(t *testing.T) {
	rows := checklist(t, "### Adding a language")
	table := text(t, "../lang/table.go")
	languages := lang.Languages()
	_, without, _ := strings.Cut(text(t, "../README.md"), "A build without a C compiler")
	without, _, _ = strings.Cut(without, "\n\n")
	for _, l := range languages {
		if !strings.Contains(text(t, "../README.md"), shown(l.Name)) {
			t.Errorf("README.md does not name %s", shown(l.Name))
		}
		if !l.Lexed() && !strings.Contains(without, shown(l.Name)) {
			t.Errorf("README.md does not say that %s needs a C compiler", shown(l.Name))
		}
		if l.Syntax() != l.Name { // it has no grammar of its own
			continue
		}
		entry := regexp.MustCompile(`name: "` + l.Name + `".* grammar: "(\w+)"`).FindStringSubmatch(table)
		if entry == nil {
			t.Errorf("%s has no entry in lang/table.go", l.Name)
			continue
		}
		put := strings.NewReplacer("NAME", l.Name, "GRAMMAR", entry[1])
		for _, row := range rows {
			paths, err := filepath.Glob("../" + put.Replace(row[1]))
			if err != nil || len(paths) != 1 {
				t.Errorf("%s: %d files are %s", l.Name, len(paths), put.Replace(row[1]))
				continue
			}
			if want := put.Replace(row[2]); !strings.Contains(text(t, paths[0]), want) {
				t.Errorf("%s: %s has no %s", l.Name, row[1], want)
			}
		}
	}
}

// shown is the name people give a language.
func shown(name string) string {
	switch name {
	case "cpp":
		return "C++"
	case "csharp":
		return "C#"
	case "objc":
		return "Objective-C"
	case "objcpp":
		return "Objective-C++"
	case "javascript", "typescript":
		return strings.ToUpper(name[:1]) + name[1:4] + "Script"
	case "html", "jsx", "tsx", "php":
		return strings.ToUpper(name)
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestExamples expects an example, which the tests run, of every package that others
// may import. Packages that only serve tests need none.
func TestExamples(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{if and .GoFiles (ne .Name "main")}}{{.Dir}}{{end}}`, "../...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dirs := strings.Fields(string(out))
	if len(dirs) < 20 {
		t.Fatalf("go list found %d packages", len(dirs))
	}
	for _, dir := range dirs {
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(tests, func(path string) bool { return strings.Contains(text(t, path), "\nfunc Example") })
		if !has && !strings.Contains(dir, "/internal/") && !strings.Contains(dir, "/baselinetest/") {
			t.Errorf("package %s has no example", dir)
		}
	}
}

// TestDependenciesExplained expects a reason beside every module that is required
// directly.
func TestDependenciesExplained(t *testing.T) {
	direct, _, _ := strings.Cut(text(t, "../go.mod"), "\n)")
	lines := regexp.MustCompile(`(?m)^\t\S+ v\S+(.*)$`).FindAllStringSubmatch(direct, -1)
	if len(lines) < 20 {
		t.Fatalf("go.mod requires %d modules", len(lines))
	}
	for _, l := range lines {
		if !strings.HasPrefix(l[1], " // ") {
			t.Errorf("go.mod does not say what a module is for: %s", l[0])
		}
	}
}

// TestEvaluationIsShort keeps the latest figures readable; earlier ones belong into
// EVALUATION-HISTORY.md. It counts words, since lines can be long.
func TestEvaluationIsShort(t *testing.T) {
	if n := len(strings.Fields(text(t, "EVALUATION.md"))); n > 4000 {
		t.Errorf("EVALUATION.md has %d words, more than 4,000", n)
	}
}

// TestLinks expects every relative link of a document to lead to a file, and one to a
// heading to lead to a heading.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s:]*)\)`)
	fences := regexp.MustCompile("(?ms)^```.*?^```")
	documents, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, from := range append(documents, "../README.md", "../SECURITY.md") {
		for _, m := range link.FindAllStringSubmatch(fences.ReplaceAllString(text(t, from), ""), -1) {
			links++
			path, heading, _ := strings.Cut(m[1], "#")
			to := filepath.Join(filepath.Dir(from), path)
			if path == "" {
				to = from
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", from, m[1])
			} else if heading != "" && !slices.Contains(headings(text(t, to)), heading) {
				t.Errorf("%s links to %s, which has no such heading", from, m[1])
			}
		}
	}
	if links < 40 {
		t.Errorf("found %d links", links)
	}
}

// headings returns the names by which links reach the headings of a document.
func headings(document string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(document, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		out = append(out, strings.ReplaceAll(name, " ", "-"))
	}
	return out
}

// TestFormatsAreListed: REPORTS.md lists every format, with the ending by which --output chooses it, and its media type.
func TestFormatsAreListed(t *testing.T) {
	page := text(t, "REPORTS.md")
	for _, f := range report.Formats() {
		media, _, _ := strings.Cut(f.MediaType, ";")
		row := regexp.MustCompile("(?m)^\\| `" + f.Name + "` \\| [^|]+ \\| `" + regexp.QuoteMeta(f.Extension) + "` \\| `" + regexp.QuoteMeta(media) + "` \\|$")
		if !row.MatchString(page) {
			t.Errorf("REPORTS.md has no line %s", row)
		}
	}
}

// TestTables: every run of lines that begin with a bar is a table, with a line of dashes below its head. An empty line between two rows ends
// a table, and the rows behind it would be shown as text.
func TestTables(t *testing.T) {
	documents, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	dashes := regexp.MustCompile(`^\|[ :|-]+\|$`)
	for _, path := range append(documents, "../README.md", "../SECURITY.md") {
		fenced, rows := false, 0
		for i, line := range strings.Split(text(t, path), "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			row := !fenced && strings.HasPrefix(line, "|")
			if rows == 1 && !(row && dashes.MatchString(line)) {
				t.Errorf("%s:%d: a table without a line of dashes below its head", path, i)
			}
			if rows++; !row {
				rows = 0
			}
		}
	}
}
