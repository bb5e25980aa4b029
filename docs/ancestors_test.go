package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tables of the experiments that documents show are parts of the files that the
// experiments wrote, and every such file is shown or linked.
func TestTablesOfExperiments(t *testing.T) {
	linked, tables := "", 0
	for _, doc := range []string{"ANCESTORS.md", "KEYED.md"} {
		b, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		linked += string(b)
		lines := strings.Split(string(b), "\n")
		for i, l := range lines {
			if name, ok := strings.CutPrefix(l, "<!-- papers/"); ok {
				tables++
				holdTable(t, doc, i+2, lines[i+1:], "papers/"+strings.TrimSuffix(name, " -->"))
			}
		}
	}
	if tables < 6 {
		t.Errorf("only %d tables", tables)
	}
	files, err := filepath.Glob("papers/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.Contains(linked, f) {
			t.Errorf("%s is linked nowhere", f)
		}
	}
}

// holdTable compares a Markdown table with the columns of the same names of a file.
func holdTable(t *testing.T, doc string, line int, md []string, name string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for l := range strings.Lines(string(b)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(l, "\n"), "\t"))
	}
	var columns []int
	for _, h := range cells(md[0]) {
		columns = append(columns, slices.Index(rows[0], h))
	}
	if slices.Contains(columns, -1) {
		t.Fatalf("%s:%d: %s has no such columns: %s", doc, line, name, md[0])
	}
	for i, l := range md[2:] {
		if !strings.HasPrefix(l, "|") {
			return
		}
		want := cells(l)
		if !slices.ContainsFunc(rows[1:], func(r []string) bool {
			return len(want) == len(columns) && !slices.ContainsFunc(columns, func(c int) bool { return r[c] != want[slices.Index(columns, c)] })
		}) {
			t.Errorf("%s:%d: %s has no such row: %s", doc, line+i+2, name, l)
		}
	}
}

func cells(row string) (out []string) {
	for c := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}
