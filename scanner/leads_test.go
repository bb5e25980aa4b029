package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestDerivedAmongNames: documents that only have the names of derived code do not displace the one that a fingerprint leads to.
func TestDerivedAmongNames(t *testing.T) {
	var text strings.Builder
	for i, line := range strings.SplitAfter(strings.TrimPrefix(canal, "package canal\n"), "\n") {
		text.WriteString(line)
		if strings.TrimSpace(line) != "" && line != "}\n" && (i < 8 || i > 10) { // some lines stay unchanged
			fmt.Fprintf(&text, "\tl.hoistPennant%c(l.signalMast%c)\n", 'A'+i, 'A'+i)
		}
	}
	pairs := neighbours(text.String())
	others := files{}
	for n := range 24 { // they have all names, in another order and in other code
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

// TestDerivedElsewhere: the index has the first place of each pair of names. If a document lists its names before the code that
// uses them, the code is found too.
func TestDerivedElsewhere(t *testing.T) {
	var text strings.Builder
	for i, line := range strings.SplitAfter(strings.TrimPrefix(canal, "package canal\n"), "\n") {
		text.WriteString(line)
		if strings.TrimSpace(line) != "" && line != "}\n" {
			fmt.Fprintf(&text, "\tl.hoistPennant%c(l.signalMast%c)\n", 'A'+i, 'A'+i)
		}
	}
	var head strings.Builder
	head.WriteString("package canal\n\n")
	pairs := neighbours(text.String())
	for i := range pairs {
		p := pairs[len(pairs)-1-i]
		fmt.Fprintf(&head, "type %s map[struct{ a%d int }]*%s\n", p[0], i, p[1])
	}
	for i := range 40 { // the code near the list differs from the code below
		fmt.Fprintf(&head, "var _ = [...]int{%d, %d, %d, %d, %d}\n", i, 2*i, 3*i, 5*i, 7*i)
	}
	known := files{"canal.go": head.String() + strings.TrimPrefix(canal, "package canal\n")}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", known},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n" + text.String()}.dir(t)))
	if !f.Derived || f.Origins[0].Path != "canal.go" || f.Origins[0].StartLine <= len(pairs)+40 {
		t.Errorf("%+v is not derived from the code in canal.go", f)
	}
}

// neighbours lists the neighbouring names of a text.
func neighbours(text string) (pairs [][2]string) {
	last := ""
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" .(){}:=+<*\t\n", c) }) {
		if len(w) > 5 && w != "return" {
			if last != "" {
				pairs = append(pairs, [2]string{last, w})
			}
			last = w
		}
	}
	return pairs
}

// TestDerivedAmongForeignNames: a short function is found by its few names, however many rare names stand around it.
func TestDerivedAmongForeignNames(t *testing.T) {
	const was = "func (w *Weir) openSluice(n int) error {\n\tfor i := 0; i < n; i++ {\n\t\tif err := w.liftGate(i); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\tw.rackPinion = n\n\treturn nil\n}\n"
	is := strings.NewReplacer("i := 0; i < n; i++", "i := range n", "w.liftGate(i); err != nil", "w.liftGate(i, 1); err != nil || i > 8", "w.rackPinion = n", "w.rackPinion = n + 1").Replace(was)
	host := func(kind string) string { // of names that nobody else has
		var out strings.Builder
		fmt.Fprintf(&out, "func host%s() {\n", kind)
		for i := range 12 {
			fmt.Fprintf(&out, "\t%sHarbour%c(%sLantern%c)\n", kind, 'A'+i, kind, 'A'+i)
		}
		return out.String() + "}\n\n"
	}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"weir.go": "package weir\n\n" + was}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"host.go": "package host\n\n" + host("north") + is + "\n" + host("south")}.dir(t)))
	if !f.Derived || f.Origins[0].Path != "weir.go" {
		t.Errorf("%+v is not derived from weir.go", f)
	}
}
