package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestDerivedAmongNames: documents that have the names of edited code take no place from the one that a fingerprint leads to.
func TestDerivedAmongNames(t *testing.T) {
	var text strings.Builder
	for i, line := range strings.SplitAfter(strings.TrimPrefix(canal, "package canal\n"), "\n") {
		text.WriteString(line)
		if strings.TrimSpace(line) != "" && line != "}\n" && (i < 8 || i > 10) { // some lines are left as they were
			fmt.Fprintf(&text, "\tl.hoistPennant%c(l.signalMast%c)\n", 'A'+i, 'A'+i)
		}
	}
	words := strings.FieldsFunc(text.String(), func(c rune) bool { return strings.ContainsRune(" .(){}:=+<*\t\n", c) })
	var pairs [][2]string // of names next to each other
	last := ""
	for _, w := range words {
		if len(w) > 5 && w != "return" {
			if last != "" {
				pairs = append(pairs, [2]string{last, w})
			}
			last = w
		}
	}
	others := files{}
	for n := range 24 { // they have all names, in another order and in code of another kind
		var out strings.Builder
		out.WriteString("package names\n\n")
		for i := range pairs {
			p := pairs[len(pairs)-1-i]
			fmt.Fprintf(&out, "type %s map[struct{ a%d int }]*%s\n", p[0], n, p[1])
		}
		others[fmt.Sprintf("names%d.go", n)] = out.String()
	}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"canal.go": canal}}, pack{"pkg:generic/names@1", "MIT", "2020-01-01", others},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n" + text.String()}.dir(t)))
	if !f.Derived || f.Origins[0].Path != "canal.go" {
		t.Errorf("%+v is not derived from canal.go", f)
	}
}
