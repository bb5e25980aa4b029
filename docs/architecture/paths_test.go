package architecture

import (
	"io/fs"
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

// Go files, and names in them, as the guides for contributors give them: `derived/named.go`, `Fold` in `region/join.go`.
var (
	goFile     = regexp.MustCompile("`([\\w-]+(?:/[\\w-]+)*\\.go)`")
	nameInFile = regexp.MustCompile("`([\\w.]+)`\\s+in\\s+`([\\w-]+(?:/[\\w-]+)*\\.go)`")
)

// TestNames checks that the guides for contributors name files that exist, and names that stand in their files.
func TestNames(t *testing.T) {
	var sources []string
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			sources = append(sources, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files, names := 0, 0
	for _, document := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "HOW-IT-WORKS.md", "SCORE.md"} {
		text, err := os.ReadFile("../" + document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goFile.FindAllStringSubmatch(string(text), -1) {
			if files++; !slices.ContainsFunc(sources, func(path string) bool { return strings.HasSuffix(path, "/"+m[1]) }) {
				t.Errorf("%s names %s: there is no such file", document, m[1])
			}
		}
		for _, m := range nameInFile.FindAllStringSubmatch(string(text), -1) {
			names++
			word := regexp.MustCompile(`\b` + m[1][strings.LastIndexByte(m[1], '.')+1:] + `\b`)
			if !slices.ContainsFunc(sources, func(path string) bool {
				if !strings.HasSuffix(path, "/"+m[2]) {
					return false
				}
				source, err := os.ReadFile(path)
				return err == nil && word.Match(source)
			}) {
				t.Errorf("%s names %s in %s: it is not there", document, m[1], m[2])
			}
		}
	}
	if files < 40 || names < 15 {
		t.Errorf("only %d files and %d names were found", files, names)
	}
}
