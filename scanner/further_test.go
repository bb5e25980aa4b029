package scanner_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
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

// TestFurtherLikest: of the files of a further package that are all origins, the report names the one that agrees most.
func TestFurtherLikest(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	sibling := strings.ReplaceAll(fn.text, "keyNode", "rowNode")
	if sibling == fn.text {
		t.Fatal("the function has no such name")
	}
	b := based(t,
		pack{"pkg:generic/one@1.0", "MIT", "2015-01-01", files{"z.go": head + fn.text}},
		pack{"pkg:generic/two@1.0", "MIT", "2016-01-01", files{"a.go": "package a\n\nvar a = 1\n\n" + sibling, "b.go": "package b\n\nvar b = 1\n\n" + fn.text}})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": head + fn.text}.dir(t)))
	if len(f.Origins) != 2 || f.Origins[1].Path != "b.go" || !slices.Equal(f.Origins[1].AlsoIn, []string{"a.go"}) {
		t.Errorf("origins %+v", f.Origins)
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

// TestFurtherInPackage: a finding that is not certain names the other files of its package too, since no package is added.
func TestFurtherInPackage(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(fn.text, "\n")
	b := based(t, pack{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": head + fn.text, "old/b.go": "package b\n\nvar b = 1\n\n" + fn.text}})
	met := 0
	for n := 4; n < 16; n++ {
		target := head + strings.Join(lines[:n], "") + "}}}\n"
		for _, f := range tree(t, scan(t, scanner.Options{}, b), files{"x.go": target}.dir(t)).Findings {
			if f.Score < 0.5 || f.Score >= 0.9 {
				continue
			}
			if met++; len(f.PartOrigins) > 0 {
				t.Errorf("%d lines, score %.3f: parts %v", n, f.Score, partNames(f.PartOrigins))
			}
		}
	}
	if met == 0 {
		t.Error("no finding between 0.5 and 0.9")
	}
}

// TestFurtherUnlikely: a finding that is more likely false than true names no further packages. One that is not certain only names those
// whose file names the same holder, if the target names it too. The others are part origins.
func TestFurtherUnlikely(t *testing.T) {
	const ada = "// Copyright 2015 Ada Lovelace\n\n"
	fn := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(fn.text, "\n")
	for _, held := range []struct{ both, target string }{{"", ""}, {ada, ""}, {"", ada}, {ada, ada}} {
		b := based(t,
			pack{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": held.both + head + fn.text}},
			pack{"pkg:generic/second@1.0", "BSD-3-Clause", "2016-01-01", files{"b.go": held.both + "package b\n\nvar b = 1\n\n" + fn.text}})
		met, tied := make(map[string]bool), held.both == ada && held.target == ada
		for n := 4; n < len(lines); n++ {
			target := held.target + head + strings.Join(lines[:n], "") + "}}}\n"
			for _, f := range tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score.Enough - 0.001}}, b), files{"x.go": target}.dir(t)).Findings {
				why := ""
				switch {
				case f.Score < 0.5:
					why = finding.PartUnlikely
				case f.Score < 0.9 && !tied:
					why = finding.PartUntied
				}
				met[why] = true
				if (why == "") != (f.OriginCount == 2) || why != "" && (f.PartOriginCount != 1 || f.PartOrigins[0].Why != why || len(f.Licenses) != 1) {
					t.Errorf("%v, %d lines, score %.3f: %d origins, parts %v, licences %v", held, n, f.Score, f.OriginCount, partNames(f.PartOrigins), f.Licenses)
				}
			}
		}
		if !met[""] || !met[finding.PartUnlikely] || met[finding.PartUntied] == tied {
			t.Errorf("held by %v: %v", held, met)
		}
	}
}

// TestFurtherDoubted: a finding that is more likely false than true names no further package, even if that package has another region of
// the file too, which speaks for it alone.
func TestFurtherDoubted(t *testing.T) {
	const ada = "// Copyright 2015 Ada Lovelace\n\n"
	fn, other := function(t, std(t, copied[0].file), copied[0].head), function(t, std(t, copied[1].file), copied[1].head)
	lines := strings.SplitAfter(fn.text, "\n")
	short := strings.Join(lines[:4], "")
	b := based(t,
		pack{"pkg:generic/first@1.0", "MIT", "2015-01-01", files{"a.go": ada + head + fn.text}},
		pack{"pkg:generic/second@1.0", "BSD-3-Clause", "2016-01-01", files{"b.go": ada + "package b\n\n" + fn.text + "\nvar b = 1\n\n" + other.text}})
	r := tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: score.Enough - 0.001}}, b), files{"x.go": ada + head + short + "}}}\n\nvar d = 2\n\n" + other.text}.dir(t))
	if len(r.Findings) != 2 || r.Findings[1].Origins[0].PURL != "pkg:generic/second@1.0" {
		t.Fatalf("%d findings", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Score >= 0.5 || f.OriginCount != 1 || f.PartOriginCount != 1 || f.PartOrigins[0].Why != finding.PartUnlikely {
		t.Errorf("score %.3f, origins %v, parts %v", f.Score, names(f.Origins), partNames(f.PartOrigins))
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
// publisher, or one holder. Tools and manuals give texts to everybody. If a short text has a score below 0.9, the target must be of the publisher too.
func TestFurtherText(t *testing.T) {
	const ada, eve = "# Copyright 2015 Ada Lovelace\n\n", "# Copyright 2016 Eve Moneypenny\n\n"
	own := files{"package.json": `{"name": "@ada/app", "version": "1.0.0"}`}
	for name, c := range map[string]struct {
		first, second string // package URLs
		marks         [2]string
		text, mark    string // of the target
		target        files
		tied          bool
	}{
		"a book's settings":             {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", text: perltidy},
		"long":                          {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", text: longText(settingsLine)},
		"of a distribution":             {first: "pkg:deb/debian/first@1", second: "pkg:deb/debian/second@1", text: longText(settingsLine)},
		"one publisher":                 {first: "pkg:github/ada/first@1.0", second: "pkg:github/ada/second@1.0", text: longText(settingsLine), tied: true},
		"one publisher, short":          {first: "pkg:github/ada/first@1.0", second: "pkg:github/ada/second@1.0", text: perltidy},
		"the target's publisher, short": {first: "pkg:npm/%40ada/first@1.0.0", second: "pkg:npm/%40ada/second@1.0.0", text: perltidy, target: own, tied: true},
		"one holder":                    {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, ada}, text: longText(settingsLine), tied: true},
		"one holder, short":             {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, ada}, text: perltidy},
		"the target's holder, short":    {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, ada}, text: perltidy, mark: ada},
		"holders of each own":           {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, eve}, text: longText(settingsLine)},
		"a holder of one":               {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, ""}, text: longText(settingsLine)},
		"a document with its holder":    {first: "pkg:npm/first@1.0.0", second: "pkg:npm/second@1.0.0", marks: [2]string{ada, ada}, text: longText(proseLine), mark: ada},
		"a publisher's document":        {first: "pkg:github/ada/first@1.0", second: "pkg:github/ada/second@1.0", text: longText(proseLine), tied: true},
	} {
		b := based(t,
			pack{c.first, "MIT", "2015-01-01", files{"perltidyrc": c.marks[0] + c.text}},
			pack{c.second, "GPL-3.0-only", "2016-01-01", files{"etc/tidy.conf": c.marks[1] + c.text}})
		target := files{".perltidyrc": c.mark + c.text}
		maps.Copy(target, c.target)
		f := one(t, tree(t, scan(t, scanner.Options{}, b), target.dir(t)))
		if long := c.text != perltidy; long != (f.Score >= 0.9) {
			t.Errorf("%s: score %.3f", name, f.Score)
		}
		if c.tied != (f.OriginCount == 2 && f.PackageCount == 2 && len(f.Licenses) == 2 && len(f.PartOrigins) == 0) ||
			!c.tied && (f.OriginCount != 1 || len(f.PartOrigins) != 1 || f.PartOrigins[0].Why != finding.PartUntied || len(f.Licenses) != 1) {
			t.Errorf("%s: origins %v, parts %v, licences %v", name, names(f.Origins), partNames(f.PartOrigins), f.Licenses)
		}
	}
}

const (
	settingsLine = "-%x=%d  # %x\n"
	proseLine    = "The %x of %d is %x, and\n"
)

// longText returns a text of 120 lines, made from what a line has and from words that are nowhere else.
func longText(line string) string {
	var b strings.Builder
	for i := range 120 {
		sum := sha256.Sum256([]byte{byte(i)})
		fmt.Fprintf(&b, line, sum[:3], sum[4], sum[5:8])
	}
	return b.String()
}

// TestFurtherTable: a table of numbers is in two packages. As the first origin's score is at most 0.4, so is that of the second, which is none.
func TestFurtherTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("static const unsigned short table[] = {\n")
	for i := range 40 {
		sum := sha256.Sum256([]byte{byte(i)})
		for j := range 8 {
			fmt.Fprintf(&b, "0x%02x%02x, ", sum[j], sum[j+8])
		}
		b.WriteString("\n")
	}
	table := b.String() + "};\n"
	base := based(t,
		pack{"pkg:npm/first@1.0.0", "MIT", "2015-01-01", files{"crc.c": "int first;\n" + table}},
		pack{"pkg:npm/second@1.0.0", "MIT", "2016-01-01", files{"lib/crc.c": "int second(void);\n" + table}})
	f := one(t, tree(t, scan(t, scanner.Options{}, base), files{"sum.c": "int third;\n" + table}.dir(t)))
	if f.Score != 0.4 || f.OriginCount != 1 || len(f.PartOrigins) != 1 || f.PartOrigins[0].Why != finding.PartUnlikely {
		t.Errorf("score %.3f, origins %v, parts %v", f.Score, names(f.Origins), partNames(f.PartOrigins))
	}
}

// TestFurtherScript: a script of the shell builds or tests a package, as many tools' scripts do. So it needs a tie like a text without a grammar.
func TestFurtherScript(t *testing.T) {
	const ada = "# Copyright 2015 Ada Lovelace\n"
	script := "#!/bin/sh\n" + strings.Repeat("\n", 3)
	for i := range 30 {
		sum := sha256.Sum256([]byte{byte(i)})
		script += fmt.Sprintf("if test -f \"$dir/w%x\"; then\n\tv%x=\"$(sed -n s/w%x//p \"$dir/w%x\")\" && export v%x\nfi\n", sum[:3], sum[3:6], sum[6:9], sum[:3], sum[3:6])
	}
	for name, c := range map[string]struct {
		mark, second string
		origins      int
	}{
		"a script":         {"", "configure", 1},
		"one holder":       {ada, "configure", 2},
		"in a vendor tree": {"", "third_party/first/configure", 2},
	} {
		b := based(t,
			pack{"pkg:npm/first@1.0.0", "MIT", "2015-01-01", files{"configure": "#!/bin/sh\n" + c.mark + script}},
			pack{"pkg:npm/second@1.0.0", "GPL-3.0-only", "2016-01-01", files{c.second: "#!/bin/sh\n" + c.mark + "b=1\n" + script}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"configure": script}.dir(t)))
		if parts := 2 - c.origins; f.Language != "bash" || f.Score < 0.9 || f.OriginCount != c.origins || len(f.PartOrigins) != parts || parts > 0 && f.PartOrigins[0].Why != finding.PartUntied {
			t.Errorf("%s: %s, score %.3f, origins %v, parts %v", name, f.Language, f.Score, names(f.Origins), partNames(f.PartOrigins))
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
		"of a parser":  {"//\n#line 1 \"wire.rl\"\n", 1},
		"a remark":     {"//\n# line 2 of the table is its sum\n", 2},
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

// TestFurtherCited: of the packages that have a region, the one is first that the target names as its source, whichever is older. A
// statement that came along with the code of another package tells nothing, nor does one within the region.
func TestFurtherCited(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	const cites = "// Modified from https://github.com/grace/second.\n\n"
	within := strings.Replace(fn.text, "{\n", "{\n\t// Copied from https://github.com/grace/second.\n", 1)
	for name, c := range map[string]struct{ older, target, first string }{
		"nothing said":         {head + fn.text, head + fn.text, "ada/first"},
		"the target names it":  {head + fn.text, cites + head + fn.text, "grace/second"},
		"copied with the code": {cites + head + fn.text, cites + head + fn.text, "ada/first"},
		"on a part":            {head + fn.text, head + within, "ada/first"},
	} {
		b := based(t,
			pack{"pkg:github/ada/first@1.0", "MIT", "2015-01-01", files{"a.go": c.older}},
			pack{"pkg:github/grace/second@1.0", "BSD-3-Clause", "2016-01-01", files{"b.go": "package b\n\nvar b = 1\n\n" + fn.text}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": c.target}.dir(t)))
		if f.OriginCount != 2 || f.Origins[0].PURL != "pkg:github/"+c.first+"@1.0" || f.Bits != f.Origins[0].Bits || len(f.Licenses) != 2 {
			t.Errorf("%s: origins %v, bits %v and %v", name, names(f.Origins), f.Bits, f.Origins[0].Bits)
		}
		if f.Text.Origin.StartLine != f.Origins[0].StartLine {
			t.Errorf("%s: the excerpt begins at line %d, want %d", name, f.Text.Origin.StartLine, f.Origins[0].StartLine)
		}
	}
}

// TestFurtherLicensed: of equal copies, the one becomes the first whose head states the licence of the target's head, if that of the
// oldest does not fit.
func TestFurtherLicensed(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	code := func(licence string) string {
		return "// Copyright 2015 Ada\n// SPDX-License-Identifier: " + licence + "\n\n" + head + fn.text
	}
	for _, c := range []struct{ oldest, target, first string }{
		{"GPL-3.0-only", "LGPL-2.1-only", "new"},
		{"GPL-3.0-only", "GPL-3.0-only", "old"},
		{"GPL-3.0-only", "MIT", "old"},          // no origin states it
		{"MIT", "LGPL-2.1-only", "old"},         // fits
		{"GPL-2.0-only", "GPL-3.0-only", "old"}, // no origin states it
		{"BUSL-1.1", "LGPL-2.1-only", "new"},
	} {
		b := based(t,
			pack{"pkg:generic/old@1", c.oldest, "2015-01-01", files{"a.go": code(c.oldest)}},
			pack{"pkg:generic/new@1", "GPL-3.0-only", "2016-01-01", files{"b.go": code("LGPL-2.1-only")}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"x.go": code(c.target)}.dir(t)))
		if got := f.Origins[0].PURL; f.OriginCount != 2 || got != "pkg:generic/"+c.first+"@1" {
			t.Errorf("%+v: first %s of %v", c, got, names(f.Origins))
		}
	}
}
