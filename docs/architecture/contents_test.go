package architecture

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fewFiles is how many files a package may have without a list of them in its comment.
const fewFiles = 4

// bySteps are packages whose comments tell the steps of the work, not the files.
var bySteps = []string{"scanner/similar", "scanner/similar/collection", "scanner/similar/likeness"}

// TestContents: the comment of a package with many files says what is in each of them, and names no file that is gone.
func TestContents(t *testing.T) {
	for _, p := range load(t) {
		all := append(p.GoFiles, p.IgnoredGoFiles...)
		all = slices.DeleteFunc(append(all, p.CgoFiles...), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(all) <= fewFiles || slices.Contains(bySteps, strings.TrimPrefix(p.ImportPath, module)) {
			continue
		}
		comment, home := commentOf(t, p.Dir, all)
		listed := filesIn(comment)
		for _, f := range all {
			if f != home && !slices.Contains(listed, f) {
				t.Errorf("%s: the comment of the package does not say what is in %s", filepath.Join(p.Dir, home), f)
			}
		}
		for _, f := range listed {
			if !slices.Contains(all, f) {
				t.Errorf("%s: the comment of the package lists %s, which is not there", filepath.Join(p.Dir, home), f)
			}
		}
	}
}

// filesIn returns the names of Go files in the indented lines of a comment.
func filesIn(comment string) (out []string) {
	for line := range strings.SplitSeq(comment, "\n") {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;:()", r) }) {
			if strings.HasPrefix(line, "\t") && strings.HasSuffix(word, ".go") && !strings.Contains(word, "/") {
				out = append(out, word)
			}
		}
	}
	return out
}

// commentOf returns the comment of a package, and the file that has it.
func commentOf(t *testing.T, dir string, files []string) (comment, home string) {
	t.Helper()
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil && strings.HasPrefix(f.Doc.Text(), "Package ") {
			return f.Doc.Text(), name
		}
	}
	return "", files[0]
}
