package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// brewing is code with strings among its names.
const brewing = `def brew_batch(kettle, malt_bill):
    kettle.raise_mash('sparge arm', 'lauter tun')
    for grist in malt_bill.crushed('two row'):
        kettle.dough_in(grist, 'protein rest')
        kettle.hold(grist.minutes, 'saccharification')
    wort = kettle.run_off('first runnings')
    wort.boil('noble hops', 'whirlpool stand')
    return wort.chill('counterflow')
`

// TestOtherQuotes: formatters change the quotes of strings. The strings stay the same, and still lead to a document.
func TestOtherQuotes(t *testing.T) {
	js := strings.NewReplacer("def brew_batch(kettle, malt_bill):", "function brew_batch(kettle, malt_bill) {", "for grist in malt_bill.crushed('two row'):", "for (let grist of malt_bill.crushed('two row')) {",
		"    wort = ", "    }\n    let wort = ").Replace(brewing) + "}\n"
	for name, text := range map[string]string{"brew.py": brewing, "brew.js": js} {
		b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{name: text}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go")})
		literals, edited := 0, strings.Builder{}
		for line := range strings.Lines(text) { // no run of 20 tokens is left
			edited.WriteString(line)
			if strings.HasSuffix(line, ")\n") {
				edited.WriteString("    print(1)\n")
			}
		}
		for _, c := range []struct{ what, text string }{{"copied", text}, {"other quotes", strings.ReplaceAll(text, "'", "\"")}, {"edited", edited.String()}, {"edited, other quotes", strings.ReplaceAll(edited.String(), "'", "\"")}} {
			r := tree(t, scan(t, scanner.Options{}, b), files{name: c.text}.dir(t))
			if len(r.Findings) != 1 {
				t.Errorf("%s, %s: %d findings, want 1", name, c.what, len(r.Findings))
				continue
			}
			l := r.Findings[0].Literals
			if literals = max(literals, l.Equal); l.Equal != literals || l.Total-l.Equal > 0 {
				t.Errorf("%s, %s: %d of %d literals are equal, want %d", name, c.what, l.Equal, l.Total, literals)
			}
		}
	}
}
