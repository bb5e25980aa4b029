package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// sluice is a function with one rare name, its own. Other names of it stand in many packages.
const sluice = `func (p *parser) sluiceGateTables(list []string, depth int) (string, error) {
	if len(list) == 0 || depth > 8 {
		return "", io.EOF
	}
	var buf strings.Builder
	for i, entry := range list {
		key, value, ok := strings.Cut(entry, "=")
		if !ok {
			return "", fmt.Errorf("entry %d", i)
		}
		buf.WriteString(p.escape(key))
		buf.WriteByte(':')
		buf.WriteString(p.quote(value))
	}
	return buf.String(), nil
}
`

// reworked is sluice with an edit every few tokens.
var reworked = strings.NewReplacer("depth int) (", "depth, most int) (", "len(list) == 0", "most < 1", "> 8", ">= p.depth", "var buf strings.Builder", "buf := new(strings.Builder)", "i, entry := range list", "i := range list",
	"Cut(entry", "Cut(list[i]", "!ok {", "!ok || key == \"\" {", "(\"entry %d\", i)", "(\"entry %d of %s\", i, p.name)", "p.escape(key)", "p.escape(key, depth)", "p.quote(value)", "p.quote(value, depth)").Replace(sluice)

// TestDerivedByFunctionName: a function's own rare name leads to its document if no other rare name is beside it.
func TestDerivedByFunctionName(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"sluice.go": "package sluice\n\n" + sluice}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	host := "package host\n\nvar listen = map[string]int{\"a\": 1}\n\n"
	found := func(text string) int {
		return len(tree(t, scan(t, scanner.Options{}, b), files{"host.go": host + text}.dir(t)).Findings)
	}
	if n := found(reworked); n != 1 {
		t.Errorf("%d findings, want 1", n)
	}
	if n := found(strings.ReplaceAll(reworked, "sluiceGateTables", "format")); n != 0 {
		t.Errorf("under another name there are %d findings: this test shows nothing", n)
	}
}

// TestDerivedBesideAlike: code of a similar form beside a copied function, with other names, does not hide it.
func TestDerivedBesideAlike(t *testing.T) {
	beside := func(kind, more string) string {
		var out strings.Builder
		fmt.Fprintf(&out, "\nfunc (p *parser) %sAll(list []string) error {\n", kind)
		for i := range 12 {
			fmt.Fprintf(&out, "\tif err := %[1]s.%[1]s%[2]c(%[1]sList, %[1]sMap[%[1]sDepth]%[3]s); err != nil {\n\t\treturn err\n\t}\n", kind, 'A'+i, more)
		}
		return out.String() + "\treturn nil\n}\n"
	}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"sluice.go": "package sluice\n\n" + sluice + beside("tide", "")}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"host.go": "package host\n\n" + strings.ReplaceAll(reworked, ", depth))", "))") + beside("harbour", ", p")}.dir(t)))
	if lines := 2 + strings.Count(reworked, "\n"); f.EndLine > lines {
		t.Errorf("the finding ends at line %d, the function at %d", f.EndLine, lines)
	}
}
