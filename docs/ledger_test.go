package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

func TestLedger(t *testing.T) { consoles(t, "LEDGER.md") }

// LEDGER.md has every reason that the source has, and no other; where a report explains a
// reason, the page uses the same words.
func TestLedgerIsWhole(t *testing.T) {
	page, err := os.ReadFile("LEDGER.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, m := range regexp.MustCompile("`([a-z0-9]+(?:-[a-z0-9]+)*)`").FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = true
	}
	known := reasons(t)
	for r, where := range known {
		if !listed[r] {
			t.Errorf("%s: LEDGER.md does not tell of %q", where, r)
		}
		if ofScans(where) && words.ReasonMeaning(lang.Reason(r)) == "" {
			t.Errorf("%s: scanner/report/words/ledger.go does not say what %q means", where, r)
		}
	}
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 || !strings.HasPrefix(line, "| `") {
			continue
		}
		names := strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")
		for _, n := range names {
			r := strings.Trim(n, "`")
			if known[r] == "" {
				t.Errorf("LEDGER.md tells of %q, which no source has", r)
			}
			if m := words.ReasonMeaning(lang.Reason(r)); len(names) == 1 && !inBaselines[r] && m != "" && !strings.HasPrefix(cells[1], m) {
				t.Errorf("%s: LEDGER.md says %q, reports %q", r, cells[1], m)
			}
		}
	}
}

// ofScans reports whether a reason at a place in the source is one of a scan, which the HTML report explains.
func ofScans(where string) bool {
	return strings.HasPrefix(where, "../lang/") || strings.HasPrefix(where, "../scanner/finding/") || strings.HasPrefix(where, "../scanner/git/")
}

// inBaselines are reasons that mean something else where a baseline is made.
var inBaselines = map[string]bool{"vendored": true, "symlink": true, "missing": true}

// reasons are the constants of the module that are reasons, with their places.
func reasons(t *testing.T) map[string]string {
	t.Helper()
	out := make(map[string]string)
	set := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && isReason(v) {
				s, _ := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				out[s] = set.Position(v.Pos()).String()
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func isReason(v *ast.ValueSpec) bool {
	if len(v.Values) != 1 {
		return false
	}
	if lit, ok := v.Values[0].(*ast.BasicLit); !ok || lit.Kind != token.STRING {
		return false
	}
	switch typ := v.Type.(type) {
	case *ast.Ident:
		return typ.Name == "Reason"
	case *ast.SelectorExpr:
		return typ.Sel.Name == "Reason"
	}
	return strings.HasPrefix(strings.ToLower(v.Names[0].Name), "reason")
}
