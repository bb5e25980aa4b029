package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// A package has at most 15 files, tests apart, and a function at most 80 lines and five
// parameters; the median function has at most 11 lines. Two packages may be larger: each reads many kinds of
// one thing, with a file for each.
const (
	maxFiles  = 15
	maxLines  = 80
	maxMedian = 11
	maxParams = 5
)

var larger = []string{"scanner/git", "lang/internal/lex"}

func TestSizes(t *testing.T) {
	var lines []int
	for _, p := range load(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if n := len(p.GoFiles); n > maxFiles && !slices.Contains(larger, name) {
			t.Errorf("package %s has %d files, more than %d: what of it is a room of its own?", name, n, maxFiles)
		}
		for _, f := range append(p.GoFiles, p.IgnoredGoFiles...) {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			lines = append(lines, functions(t, p.Dir+"/"+f)...)
		}
	}
	slices.Sort(lines)
	if m := lines[len(lines)/2]; m > maxMedian {
		t.Errorf("the median of %d functions has %d lines, more than %d", len(lines), m, maxMedian)
	}
}

// functions returns how many lines each function of a file has.
func functions(t *testing.T, file string) (lines []int) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
		if n > maxLines {
			t.Errorf("%s: %s has %d lines, more than %d", set.Position(fn.Pos()), fn.Name.Name, n, maxLines)
		}
		if n := fn.Type.Params.NumFields(); n > maxParams {
			t.Errorf("%s: %s has %d parameters, more than %d: which of them belong together, and what are they?", set.Position(fn.Pos()), fn.Name.Name, n, maxParams)
		}
		lines = append(lines, n)
	}
	return lines
}
