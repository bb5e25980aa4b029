package scanner_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// table writes numbers as a Go table with each numbers a line.
func table(name string, each int, numbers []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nvar %sTable = [...]uint32{", name, name)
	for i, n := range numbers {
		if i%each == 0 {
			b.WriteString("\n\t")
		}
		b.WriteString(n + ", ")
	}
	b.WriteString("\n}\n")
	return b.String()
}

func numbers(n int, of func(i int) uint32) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%#08x", of(i)))
	}
	return out
}

// TestTables: a table of numbers is found by its values, with any name and layout. Tables that three owners have, that a standard
// fixes, that count or ascend, or that contain bytes belong to nobody.
func TestTables(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	own := numbers(64, func(int) uint32 { return r.Uint32N(1 << 24) })
	standard := numbers(256, func(i int) uint32 { return crc32.IEEETable[i] })
	counted := numbers(256, func(i int) uint32 { return uint32(4096 + i) })
	rising := numbers(256, func(i int) uint32 { return uint32(4096 + i*i) })
	bytes := numbers(256, func(int) uint32 { return r.Uint32N(256) })
	filler := files{} // makes the order of the tokens frequent
	for i := range 80 {
		filler[fmt.Sprintf("%d/table.go", i)] = table("filler", 3+i%8, numbers(64, func(int) uint32 { return r.Uint32() }))
	}
	packs := []pack{{"pkg:generic/filler/lib@1.0", "MIT", "2020-01-01", filler}}
	for i, owner := range []string{"a", "b", "c"} {
		f := files{}
		if i == 0 {
			for name, t := range map[string][]string{"own": own, "standard": standard, "counted": counted, "rising": rising, "bytes": bytes} {
				f[name+".go"] = table("origin"+name, 8, t)
			}
		}
		f["shared.go"] = table("shared"+owner, 8+i, numbers(64, func(i int) uint32 { return uint32(i*i*i*7919) % 999_983 }))
		packs = append(packs, pack{"pkg:generic/" + owner + "/lib@1.0", "MIT", "2020-01-01", f})
	}
	b := based(t, packs...)
	for name, target := range map[string][]string{"standard": standard, "counted": counted, "rising": rising, "bytes": bytes,
		"shared": numbers(64, func(i int) uint32 { return uint32(i*i*i*7919) % 999_983 })} {
		r := tree(t, scan(t, scanner.Options{}, b), files{"x.go": table("target", 5, target)}.dir(t))
		if len(r.Findings) > 0 {
			t.Errorf("%s: %s", name, list(r))
		}
	}
	for from := range 16 {
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": table("target", 5, own[from:from+40])}.dir(t)))
		if o := f.Origins[0]; o.Path != "own.go" || f.Literals.Equal < 40 || f.EndLine < 11 {
			t.Errorf("from %d: %d literals at lines %d-%d with %s", from, f.Literals.Equal, f.StartLine, f.EndLine, o.Path)
		}
	}
}

// TestTableOfPairs: pairs of numbers in brackets are a table too, also if the region ends amid a row. However many agree, the score
// says that a standard may have fixed them.
func TestTableOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 5))
	pairs := make([]string, 64)
	for i := range pairs {
		pairs[i] = fmt.Sprintf("{%#06x, %#06x}", 0x100+r.Uint32N(1<<15), 0x100+r.Uint32N(1<<15))
	}
	list := func(name string, pairs []string) string {
		return "package " + name + "\n\nvar codes = [][2]int{\n\t" + strings.Join(pairs, ",\n\t") + ",\n}\n"
	}
	b := based(t, pack{"pkg:generic/a/lib@1.0", "MIT", "2020-01-01", files{"own.go": list("origin", pairs)}})
	for from := range 8 {
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": list("target", pairs[from:from+48])}.dir(t)))
		if f.Score > 0.4 || f.ScoredBy.Above < 100 {
			t.Errorf("from %d: score %v at %v bits above what is needed", from, f.Score, f.ScoredBy.Above)
		}
		if !f.Table {
			t.Errorf("from %d: %d tokens with %d numbers are no table", from, f.Tokens, f.Literals.Total)
		}
	}
}

// TestDoubtedTable: a table amid other code is no finding, since a standard may have fixed it. It is one if it is most of its file, if code
// beside it was copied too, if the target says that it copied it, or on request.
func TestDoubtedTable(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 5))
	own := numbers(64, func(int) uint32 { return r.Uint32N(1 << 24) })
	beside := "\n" + function(t, std(t, copied[1].file), copied[1].head).text + "\n"
	b := based(t, pack{"pkg:github/ann/lib@1.0", "MIT", "2020-01-01", files{"own.go": table("origin", 8, own) + beside}})
	mine := std(t, "sort/sort.go")
	mine = mine[strings.Index(mine, "\nfunc "):]
	for name, c := range map[string]struct {
		text  string
		least float64
		found bool
	}{
		"amid code":         {table("target", 5, own) + mine, 0.05, false},
		"on request":        {table("target", 5, own) + mine, 0.04, true},
		"most of its file":  {table("target", 5, own) + "\nfunc f() {}\n", 0.05, true},
		"beside a copy":     {table("target", 5, own) + mine + beside, 0.05, true},
		"with a statement":  {strings.Replace(table("target", 5, own), "var", "// Copied from https://github.com/ann/lib.\nvar", 1) + mine, 0.05, true},
		"beside other code": {table("target", 5, own) + mine + "\n" + function(t, std(t, copied[3].file), copied[3].head).text + "\n", 0.05, false},
	} {
		rep := tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: c.least}}, b), files{"x.go": c.text}.dir(t))
		if found := slices.ContainsFunc(rep.Findings, func(f finding.Finding) bool { return f.Table }); found != c.found {
			t.Errorf("%s: %s", name, list(rep))
		}
	}
}

// TestCrowdedTables: the ledger lists a table that occurs in more documents than are compared, for each of the limits.
func TestCrowdedTables(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	own := numbers(640, func(int) uint32 { return r.Uint32N(1 << 24) })
	same, parts := files{}, files{}
	for i := range 40 {
		rest := numbers(30, func(int) uint32 { return r.Uint32N(1 << 24) })
		same[fmt.Sprintf("%d/table.go", i)] = table("all", 8, append(rest, own[:32]...))
		parts[fmt.Sprintf("%d/table.go", i)] = table("part", 8, append(rest, own[16*i:min(16*i+32, 640)]...))
	}
	for name, of := range map[string]files{"one table": same, "parts": parts, "few": {"table.go": same["0/table.go"]}} {
		b := based(t, pack{"pkg:generic/a/lib@1.0", "MIT", "2020-01-01", of})
		rep := tree(t, scan(t, scanner.Options{}, b), files{"x.go": table("target", 5, own)}.dir(t))
		if got := reason(rep, "x.go"); slices.Contains(got, finding.ReasonCrowded) != (name != "few") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTableBetweenVersions: only 256 places of a long table are followed, so most of a copy is without seeds. A version that has all of it is
// still compared, though a version that has nearly all of it is known already: the wrong one would tell another date.
func TestTableBetweenVersions(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 11))
	text := strings.Replace(table("noise", 8, numbers(900, func(int) uint32 { return r.Uint32() })), "\nvar ", "\nfunc Ridge(x, y, gain float64) (sum float64)\nfunc Turbulence(x, y, gain float64) (sum float64)\n%s\nvar ", 1)
	before, after := fmt.Sprintf(text, ""), fmt.Sprintf(text, "func NoiseWrap(x, y float64, wrapX, wrapY int) float64\n")
	base := based(t,
		pack{"pkg:generic/noise@1.0", "MIT", "2019-02-01", files{"noise.go": before}},
		pack{"pkg:generic/noise@2.0", "MIT", "2026-04-01", files{"noise.go": after}})
	for want, target := range map[string]string{"pkg:generic/noise@1.0": before, "pkg:generic/noise@2.0": after} {
		f := one(t, tree(t, scan(t, scanner.Options{}, base), files{"x.go": target}.dir(t)))
		if o := f.Origins[0]; o.PURL != want || len(f.Runs) != 1 {
			t.Errorf("%s in %d runs, want %s in one", o.PURL, len(f.Runs), want)
		}
	}
}
