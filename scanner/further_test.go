package scanner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// scrambled renames every n-th occurrence of a name: the structure is the same, but no person renames like this.
func scrambled(t testing.TB, src string, every int) string {
	var b strings.Builder
	at, n := 0, 0
	for _, tok := range tokens(t, src) {
		if tok.Class != lang.Identifier {
			continue
		}
		if n++; n%every == 0 {
			fmt.Fprintf(&b, "%sq%d", src[at:tok.Start], n)
			at = int(tok.End)
		}
	}
	return b.String() + src[at:]
}

// firstPart returns the head of a function and some of its lines.
func firstPart(fn part, share float64) string {
	lines := strings.SplitAfter(fn.text, "\n")
	return strings.Join(lines[:int(share*float64(len(lines)))], "") + "}}}\n"
}

func names(os []finding.Origin) (out []string) {
	for _, o := range os {
		out = append(out, o.PURL)
	}
	return out
}

func partNames(ps []finding.PartOrigin) (out []string) {
	for _, p := range ps {
		out = append(out, p.PURL+" "+p.Why)
	}
	return out
}

// TestFurtherOrigins: each origin is a finding by itself and has most of the region. Other documents are listed separately and
// counted nowhere.
func TestFurtherOrigins(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	b := based(t,
		pack{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": head + fn.text}},
		pack{"pkg:generic/second@1.0", "BSD-3-Clause", "2016-01-01", files{"b.go": "package b\n\nvar b = 1\n\n" + fn.text}},
		pack{"pkg:generic/half@1.0", "GPL-3.0-only", "2001-01-01", files{"c.go": head + firstPart(fn, 0.6)}},
		pack{"pkg:generic/shape@1.0", "AGPL-3.0-only", "2002-01-01", files{"d.go": scrambled(t, head+fn.text, 1)}})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": head + fn.text}.dir(t)))
	if got := names(f.Origins); !slices.Equal(got, []string{"pkg:generic/first@1.0", "pkg:generic/second@1.0"}) {
		t.Errorf("origins %v", got)
	}
	if got := partNames(f.PartOrigins); !slices.Equal(got, []string{"pkg:generic/shape@1.0 weak", "pkg:generic/half@1.0 part"}) {
		t.Errorf("parts %v", got)
	}
	if f.OriginCount != 2 || f.PackageCount != 2 || f.PartOriginCount != 2 || f.UnjudgedCount != 0 || !slices.Equal(f.Licenses, []string{"BSD-3-Clause", "MIT"}) {
		t.Errorf("%d origins, %d packages, %d parts, licences %v", f.OriginCount, f.PackageCount, f.PartOriginCount, f.Licenses)
	}
	p := f.PartOrigins[1]
	if p.StartLine < f.StartLine || p.EndLine >= f.EndLine || p.OriginEndLine-p.OriginStartLine != p.EndLine-p.StartLine || p.Tokens >= f.Tokens {
		t.Errorf("%+v of %d-%d", p, f.StartLine, f.EndLine)
	}
}

// TestFurtherPattern: several copies in one package are one origin. A file made after the same pattern is not, although new
// names fit both alike.
func TestFurtherPattern(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	pattern, _ := renamed(t, head+fn.text)
	pasted := strings.ReplaceAll(pattern, "name", "other")
	b := based(t,
		pack{"pkg:generic/one@1.0", "MIT", "2015-01-01", files{"a.go": head + fn.text, "build/a.go": head + "\nvar built = true\n\n" + fn.text, "z.go": pattern}},
		pack{"pkg:generic/two@1.0", "MIT", "2016-01-01", files{"c.go": "package c\n" + fn.text}})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": pasted}.dir(t)))
	var paths []string
	for _, o := range f.Origins {
		paths = append(append(paths, o.Path), o.AlsoIn...)
	}
	if want := []string{"a.go", "build/a.go", "c.go"}; !slices.Equal(slices.Sorted(slices.Values(paths)), want) || f.OriginCount != 2 || f.PackageCount != 2 {
		t.Errorf("%d origins %q, want %q", f.OriginCount, paths, want)
	}
	if len(f.PartOrigins) != 1 || f.PartOrigins[0].Path != "z.go" || f.PartOrigins[0].Why != finding.PartWeak {
		t.Errorf("parts %+v", f.PartOrigins)
	}
}

// TestFurtherMoved: a file that had the region before another file of its package is an origin of its own.
func TestFurtherMoved(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	b := based(t,
		pack{"pkg:generic/one@1.0", "MIT", "2015-01-01", files{"src/a.go": "package a\n\nvar a = 1\n\n" + strings.Replace(fn.text, "i := 0", "i := 00", 1)}},
		pack{"pkg:generic/one@2.0", "MIT", "2016-01-01", files{"a.go": head + fn.text, "dist/a.go": "package b\n\nvar b = 2\n\n" + fn.text}})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": head + fn.text}.dir(t)))
	old := slices.ContainsFunc(f.Origins, func(o finding.Origin) bool { return o.PURL == "pkg:generic/one@1.0" })
	if !old || f.PackageCount != 1 {
		t.Errorf("%d packages, origins %v", f.PackageCount, names(f.Origins))
	}
}

// TestFurtherUnlikely: a finding that is more likely false than true names no further packages, and one that is not certain only those
// whose file names the same holder. The others are part origins.
func TestFurtherUnlikely(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(fn.text, "\n")
	for _, held := range []string{"", "// Copyright 2015 Ada Lovelace\n\n"} {
		b := based(t,
			pack{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": held + head + fn.text}},
			pack{"pkg:generic/second@1.0", "BSD-3-Clause", "2016-01-01", files{"b.go": held + "package b\n\nvar b = 1\n\n" + fn.text}})
		met := make(map[string]bool)
		for n := 4; n < len(lines); n++ {
			for _, f := range tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score.Enough - 0.001}}, b), files{"x.go": head + strings.Join(lines[:n], "") + "}}}\n"}.dir(t)).Findings {
				why := ""
				switch {
				case f.Score < 0.5:
					why = finding.PartUnlikely
				case f.Score < 0.9 && held == "":
					why = finding.PartUntied
				}
				met[why] = true
				if (why == "") != (f.OriginCount == 2) || why != "" && (f.PartOriginCount != 1 || f.PartOrigins[0].Why != why || len(f.Licenses) != 1) {
					t.Errorf("%d lines, score %.2f: %d origins, parts %v, licences %v", n, f.Score, f.OriginCount, partNames(f.PartOrigins), f.Licenses)
				}
			}
		}
		if !met[""] || !met[finding.PartUnlikely] || met[finding.PartUntied] != (held == "") {
			t.Errorf("held by %q: %v", held, met)
		}
	}
}

// perltidy holds the settings that a book on Perl recommends. Many projects have them, and none has them from another.
const perltidy = `-l=78   # Max line width is 78 cols
-i=4    # Indent level is 4 cols
-ci=4   # Continuation indent is 4 cols
-st     # Output to STDOUT
-se     # Errors to STDERR
-vt=2   # Maximal vertical tightness
-cti=0  # No extra indentation for closing brackets
-pt=1   # Medium parenthesis tightness
-bt=1   # Medium brace tightness
-sbt=1  # Medium square bracket tightness
-bbt=1  # Medium block brace tightness
-nsfs   # No space before semicolons
-nolq   # Don't outdent long quoted strings
-wbb="% + - * / x != == >= <= =~ !~ < > | & **= += *= &= <<= &&= -= /= |= >>= ||= .= %= ^= x="
        # Break before all operators
`

// TestFurtherText: a text without a grammar is in two packages, and the finding names both only if something ties them together: one
// publisher, or one holder. Tools and manuals give texts to everybody.
func TestFurtherText(t *testing.T) {
	const ada, eve = "# Copyright 2015 Ada Lovelace\n\n", "# Copyright 2016 Eve Moneypenny\n\n"
	for name, c := range map[string]struct {
		first, second string // package URLs
		marks         [2]string
		tied          bool
	}{
		"a book's settings":   {"pkg:npm/first@1.0.0", "pkg:npm/second@1.0.0", [2]string{}, false},
		"of a distribution":   {"pkg:deb/debian/first@1", "pkg:deb/debian/second@1", [2]string{}, false},
		"one publisher":       {"pkg:github/ada/first@1.0", "pkg:github/ada/second@1.0", [2]string{}, true},
		"one holder":          {"pkg:npm/first@1.0.0", "pkg:npm/second@1.0.0", [2]string{ada, ada}, true},
		"holders of each own": {"pkg:npm/first@1.0.0", "pkg:npm/second@1.0.0", [2]string{ada, eve}, false},
		"a holder of one":     {"pkg:npm/first@1.0.0", "pkg:npm/second@1.0.0", [2]string{ada, ""}, false},
	} {
		b := based(t,
			pack{c.first, "MIT", "2015-01-01", files{"perltidyrc": c.marks[0] + perltidy}},
			pack{c.second, "GPL-3.0-only", "2016-01-01", files{"etc/tidy.conf": c.marks[1] + perltidy}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{".perltidyrc": perltidy}.dir(t)))
		if c.tied != (f.OriginCount == 2 && f.PackageCount == 2 && len(f.Licenses) == 2 && len(f.PartOrigins) == 0) ||
			!c.tied && (f.OriginCount != 1 || len(f.PartOrigins) != 1 || f.PartOrigins[0].Why != finding.PartUntied || len(f.Licenses) != 1) {
			t.Errorf("%s: origins %v, parts %v, licences %v", name, names(f.Origins), partNames(f.PartOrigins), f.Licenses)
		}
	}
}

// TestFurtherProgram: code that says that a program wrote it is everybody's too, unless something ties both files together.
func TestFurtherProgram(t *testing.T) {
	const mark = "// Automatically created by Devel::PPPort running under perl 5.010001.\n//\n// Do NOT edit this file directly!\n\n"
	const ada = "// Copyright 2015 Ada Lovelace\n//\n"
	fn := function(t, std(t, copied[0].file), copied[0].head)
	for name, c := range map[string]struct {
		mark    string
		origins int
	}{
		"code":         {"", 2},
		"of a program": {mark, 1},
		"one holder":   {ada + mark, 2},
	} {
		b := based(t,
			pack{"pkg:npm/first@1.0.0", "MIT", "2015-01-01", files{"a.go": c.mark + head + fn.text}},
			pack{"pkg:npm/second@1.0.0", "GPL-3.0-only", "2016-01-01", files{"a.go": c.mark + head + "\nvar b = 1\n\n" + fn.text}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"a.go": head + fn.text}.dir(t)))
		if parts := 2 - c.origins; f.OriginCount != c.origins || len(f.Licenses) != c.origins || len(f.PartOrigins) != parts || parts > 0 && f.PartOrigins[0].Why != finding.PartUntied {
			t.Errorf("%s: origins %v, parts %v, licences %v", name, names(f.Origins), partNames(f.PartOrigins), f.Licenses)
		}
	}
}

// TestUntiedCommon: packages without a tie count as owners of common code all the same.
func TestUntiedCommon(t *testing.T) {
	var packs []pack
	for i := range 5 {
		packs = append(packs, pack{fmt.Sprintf("pkg:npm/p%d@1.0.0", i), "MIT", "2015-01-01", files{fmt.Sprintf("etc%d/perltidyrc", i): perltidy}})
	}
	for common, verdict := range map[int]finding.Verdict{5: finding.CommonCode, 6: finding.Undeclared} {
		f := one(t, tree(t, scan(t, scanner.Options{Options: examine.Options{Common: common}}, based(t, packs...)), files{".perltidyrc": perltidy}.dir(t)))
		if f.Verdict != verdict || f.OriginCount != 1 || f.PartOriginCount != 4 {
			t.Errorf("--common %d: %s, %d origins, %d parts", common, f.Verdict, f.OriginCount, f.PartOriginCount)
		}
	}
}

// TestFurtherVersions: the versions of a file are judged by one of them and counted once.
func TestFurtherVersions(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	packs := []pack{{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": head + fn.text}}}
	for i := range 5 {
		packs = append(packs, pack{fmt.Sprintf("pkg:generic/fork@1.%d", i), "MIT", fmt.Sprintf("2016-01-0%d", i+1), files{"b.go": fmt.Sprintf("package b\n\nvar b%d = 1\n\n%s", i, fn.text)}})
	}
	packs = append(packs, pack{"pkg:generic/fork@0.9", "GPL-3.0-only", "2014-01-01", files{"b.go": head + firstPart(fn, 0.6)}})
	f := one(t, tree(t, scan(t, scanner.Options{}, based(t, packs...)), files{"x.go": head + fn.text}.dir(t)))
	if f.OriginCount != 2 || f.PartOriginCount != 0 || !slices.Equal(f.Licenses, []string{"MIT"}) {
		t.Fatalf("%d origins, %d parts, licences %v", f.OriginCount, f.PartOriginCount, f.Licenses)
	}
	if v := f.Origins[1].Versions; v == nil || *v != (finding.Versions{First: "1.0", Last: "1.4", Count: 5}) {
		t.Errorf("%+v", v) // 0.9 has only a part of it
	}
}

// TestUnjudgedOrigins: if too many files have a region, the remaining files are counted but are no origins. An original older
// than all others is judged.
func TestUnjudgedOrigins(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	packs := []pack{{"pkg:generic/zz-original@1.0", "MIT", "2001-01-01", files{"a.go": head + fn.text}}}
	for i := range 80 {
		packs = append(packs, pack{fmt.Sprintf("pkg:generic/fork%02d@1.0", i), "MIT", "2016-01-01", files{"b.go": fmt.Sprintf("package b\n\nvar b%d = 1\n\n%s", i, fn.text)}})
	}
	a, b := based(t, packs[:41]...), based(t, packs[41:]...) // each baseline keeps up to 64 positions of a fingerprint
	f := one(t, tree(t, scan(t, scanner.Options{Options: examine.Options{Common: 1000}}, a, b), files{"x.go": head + fn.text}.dir(t)))
	if f.OriginCount != 81 || f.UnjudgedCount != 0 {
		t.Errorf("judged up to --common: %d origins, %d not judged", f.OriginCount, f.UnjudgedCount)
	}
	f = one(t, tree(t, scan(t, scanner.Options{}, b, a), files{"x.go": head + fn.text}.dir(t)))
	if f.OriginCount != 65 || f.UnjudgedCount != 16 || f.PartOriginCount != 16 || f.Origins[0].PURL != "pkg:generic/zz-original@1.0" {
		t.Errorf("%d origins, %d parts, %d not judged, first %s", f.OriginCount, f.PartOriginCount, f.UnjudgedCount, f.Origins[0].PURL)
	}
	if f.Verdict != finding.CommonCode {
		t.Errorf("verdict %s", f.Verdict)
	}
}

// TestNamedPart: a notice that names a package with part of the code is not wrong.
func TestNamedPart(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	b := based(t,
		pack{"pkg:golang/github.com/ada/first@v1.0.0", "MIT", "2015-01-01", files{"a.go": head + fn.text}},
		pack{"pkg:golang/github.com/ada/half@v1.0.0", "MIT", "2001-01-01", files{"c.go": head + firstPart(fn, 0.6)}},
		pack{"pkg:golang/github.com/ada/unrelated@v1.0.0", "MIT", "2001-01-01", files{"c.go": std(t, "sort/sort.go")}})
	for name, want := range map[string]finding.Verdict{"half": finding.AttributedElsewhere, "unrelated": finding.AttributionWrong, "first": finding.Attributed} {
		text := "package x\n\n// Copied from github.com/ada/" + name + ".\n" + fn.text
		if f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": text}.dir(t))); f.Verdict != want {
			t.Errorf("%s: %s, not %s", name, f.Verdict, want)
		}
	}
}

// TestPattern: a file made after the same pattern, with names of its own, would be a finding by itself. It is no origin beside
// the file that has the names.
func TestPattern(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	pattern := pack{"pkg:generic/a@1.0", "MIT", "2001-01-01", files{"pattern.go": scrambled(t, head+fn.text, 6)}}
	dir := files{"x.go": head + fn.text}.dir(t)
	one(t, tree(t, scan(t, scanner.Options{}, based(t, pattern)), dir))
	pattern.files["b.go"] = "package b\n\nvar b = 1\n\n" + fn.text
	f := one(t, tree(t, scan(t, scanner.Options{}, based(t, pattern)), dir))
	if f.OriginCount != 1 || f.Origins[0].Path != "b.go" || len(f.PartOrigins) != 1 || f.PartOrigins[0].Why != finding.PartWeak || f.PartOrigins[0].Bits < f.Bits/4 {
		t.Errorf("%+v, %+v", f.Origins, f.PartOrigins)
	}
}
