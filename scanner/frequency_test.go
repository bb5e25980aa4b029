package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestDocumentFrequency: code in many directories of the baseline, under any names, has fewer bits than code in one, and the
// finding says so. Versions of one package do not count as many.
func TestDocumentFrequency(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	origin := pack{"pkg:generic/first@1.0", "MIT", "2001-01-01", files{"trie.go": head + fn.text}}
	others := func(purl string) (ps []pack) {
		for i := range 8 {
			anew, _ := renamed(t, head+fn.text)
			anew = strings.ReplaceAll(anew, "name", fmt.Sprintf("name%d", i))
			ps = append(ps, pack{fmt.Sprintf(purl, i), "MIT", "2002-01-01", files{"other.go": anew}})
		}
		return ps
	}
	dir := files{"copy.go": head + fn.text}.dir(t)
	bits := func(ps ...pack) (float64, string) {
		f := one(t, tree(t, scan(t, scanner.Options{}, based(t, append([]pack{origin}, ps...)...)), dir))
		if f.Origins[0].PURL != "pkg:generic/first@1.0" {
			t.Errorf("the first origin is %s", f.Origins[0].PURL)
		}
		return f.Bits, strings.Join(f.Reasons, "\n")
	}
	alone, said := bits()
	if strings.Contains(said, "document frequency") {
		t.Errorf("said of one origin: %s", said)
	}
	many, said := bits(others("pkg:generic/other%d@1.0")...)
	if many > alone-20 || !strings.Contains(said, "on average 9.0 dir") && !strings.Contains(said, "on average 8.0 dir") {
		t.Errorf("%.0f bits alone, %.0f with eight others: %s", alone, many, said)
	}
	if versions, _ := bits(others("pkg:generic/other@1.%d")...); versions < many+5 {
		t.Errorf("%.0f bits with eight versions of one other, %.0f with eight others", versions, many)
	}
}
