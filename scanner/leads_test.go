package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestDerivedAmongNames: documents that have the names of edited code take no place from the one that a fingerprint leads to.
func TestDerivedAmongNames(t *testing.T) {
	words := strings.Fields(strings.NewReplacer(".", " ", "(", " ", ")", " ", "{", " ", "}", " ", ":=", " ", "=", " ", "+", " ", "<", " ", "*", " ", "\n", " ").Replace(strings.TrimPrefix(canal, "package canal\n")))
	var pairs []string // of names next to each other, in the order of the code
	for i := 1; i < len(words); i++ {
		if len(words[i-1]) > 5 && len(words[i]) > 5 {
			pairs = append(pairs, words[i-1]+"\n"+words[i])
		}
	}
	others := files{}
	for n := range 24 { // the pairs in another order, in code of another kind
		var out strings.Builder
		out.WriteString("package names\n\n")
		for i := range pairs {
			a, b, _ := strings.Cut(pairs[(len(pairs)-1-i+n)%len(pairs)], "\n")
			fmt.Fprintf(&out, "var x%d%d = map[string]any{%q: &%s{%s: nil}}\n", n, i, fmt.Sprint("k", n*i), a, b)
		}
		others[fmt.Sprintf("names%d.go", n)] = out.String()
	}
	var text strings.Builder
	for i, line := range strings.SplitAfter(strings.TrimPrefix(canal, "package canal\n"), "\n") {
		text.WriteString(line)
		if strings.TrimSpace(line) != "" && line != "}\n" && (i < 8 || i > 12) { // some lines are left as they were
			text.WriteString("\tlog.Trace(\"step\", 1)\n")
		}
	}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"canal.go": canal}}, pack{"pkg:generic/names@1", "MIT", "2020-01-01", others},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n" + text.String()}.dir(t)))
	if !f.Derived || f.Origins[0].Path != "canal.go" {
		t.Errorf("%+v is not derived from canal.go", f)
	}
}
