package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ownPath is a file of the project, as the documents name it.
var ownPath = regexp.MustCompile("`((?:action|baseline|cmd|docs|lang|scanner)/[\\w./-]+\\.(?:go|py|sh|tsv|txt|txtar))`")

// history lists documents that name files of their time, which may have moved since.
var history = []string{"CHANGELOG.md", "EVALUATION-HISTORY.md"}

// TestPaths checks that the files of the project that the documents name exist.
func TestPaths(t *testing.T) {
	documents, err := filepath.Glob("../*.md")
	if err != nil || len(documents) < 20 {
		t.Fatalf("%d documents: %v", len(documents), err)
	}
	named := 0
	for _, name := range append(documents, "../../README.md", "../../SECURITY.md") {
		if slices.Contains(history, filepath.Base(name)) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range ownPath.FindAllStringSubmatch(line, -1) {
				named++
				if _, err := os.Stat("../../" + m[1]); err != nil {
					t.Errorf("%s:%d names %s: there is no such file", filepath.Base(name), i+1, m[1])
				}
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d paths were found", named)
	}
}
