package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// drawing calls an API in the order that its types require; the code between the calls is the author's own.
func drawing(own, path string, shift int) string {
	names := strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes Trimspan Underrow Mergecol Tallhead Thinline Softedge")
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\nimport (\n\t\"io\"\n\n\t\"%s\"\n)\n\nfunc %sAll(w io.Writer) {\n", own, path, own)
	for i, name := range names {
		other := names[(i+shift)%len(names)]
		fmt.Fprintf(&out, "\tw = tabby.New%s(w, tabby.%sDefaults{Narrow: tabby.%sOff, Tabular: tabby.%sOn})\n", name, name, other, other)
		for j := range shift {
			fmt.Fprintf(&out, "\t%s%d(w, %q)\n", own, i+j, name)
		}
	}
	return out.String() + "}\n"
}

// TestSharedUse: if two files use one package, that is no evidence that derived code of one comes from the other.
func TestSharedUse(t *testing.T) {
	const path = "example.com/tabby"
	b := based(t, pack{"pkg:golang/example.com/user@v1.2.0", "MIT", "2020-01-01", files{"extra.go": drawing("extra", path, 1)}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	for _, f := range tree(t, s, files{"report.go": drawing("report", path, 3)}.dir(t)).Findings {
		t.Errorf("both use one package: %d-%d %q", f.StartLine, f.EndLine, f.Reasons)
	}
	if f := one(t, tree(t, s, files{"report.go": drawing("report", "example.com/fork/tabby", 3)}.dir(t))); !f.Derived {
		t.Error("a copy that uses another package is not told to be edited")
	}
}

// TestUse: the names of a package that the target imports are no evidence that derived code comes from that package.
func TestUse(t *testing.T) {
	const path = "example.com/tabby"
	b := based(t, pack{"pkg:golang/example.com/tabby@v1.2.0", "MIT", "2020-01-01", files{"extra_test.go": drawing("extra", path, 1)}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	found := func(text string) (derived bool) {
		for _, f := range tree(t, scan(t, scanner.Options{}, b), files{"report.go": text}.dir(t)).Findings {
			derived = derived || f.Derived
			t.Logf("%d-%d %v %q", f.StartLine, f.EndLine, f.Derived, f.Reasons)
		}
		return derived
	}
	if found(drawing("report", path, 3)) {
		t.Error("who uses a package is told to have copied from it")
	}
	if !found(drawing("report", "example.com/fork/tabby", 3)) {
		t.Error("a copy that uses another package is not found")
	}
}

var setters = strings.Fields("SetBlueprint SetRendition SetFoldable SetGlyphset SetWrapcell SetPadrunes SetTrimspan SetUnderrow")

// settings calls methods of one value in the order that reads best; shift lines between the calls are the author's own.
func settings(own, path string, shift int, setters ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "package %[1]s\n\nimport (\n\t\"io\"\n\n\t\"%[2]s\"\n)\n\nfunc %[1]sAll(w io.Writer, %[1]sRows [][]string) {\n\ttable := tabby.NewWriter(w)\n", own, path)
	for i, name := range setters {
		fmt.Fprintf(&out, "\ttable.%s(true)\n", name)
		for j := range shift {
			fmt.Fprintf(&out, "\t%s%d(w, %q)\n", own, i+j, own+name)
		}
	}
	return out.String() + "\ttable.AppendBulk(" + own + "Rows)\n}\n"
}

// TestUseOfMethods: methods of the library's values are no evidence against its user if the origin is a test of the library. Its code is.
func TestUseOfMethods(t *testing.T) {
	const path = "example.com/tabby"
	declared := "package tabby\n\ntype Table struct{}\n"
	for i := range setters { // in another order than that of the calls
		declared += "\nfunc (t *Table) " + setters[i*3%len(setters)] + "(on bool) {}\n"
	}
	found := func(at, imported string, others ...pack) bool {
		packs := append(others, pack{"pkg:golang/example.com/tabby@v1.2.0", "MIT", "2020-01-01", files{at: settings("extra", path, 1, setters...), "table.go": declared}},
			pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
		b := based(t, packs...)
		return len(tree(t, scan(t, scanner.Options{}, b), files{"report.go": settings("report", imported, 5, setters...)}.dir(t)).Findings) > 0
	}
	for _, at := range []string{"extra_test.go", "_examples/extra.go"} {
		if found(at, path) {
			t.Errorf("who uses a package is told to have copied %q", at)
		}
	}
	if !found("extra_test.go", "example.com/fork/tabby") || !found("extra.go", path) {
		t.Error("a copy is not found")
	}
	if !found("spec/extra.go", path) {
		t.Error("a copy of a package in a directory with the name of tests is not found")
	}
	if !found("extra.go", path, pack{"pkg:golang/example.com/user@v1.0.0", "MIT", "2021-01-01", files{"examples/extra.go": settings("extra", path, 1, setters...)}}) {
		t.Error("a copy of code that others have among their examples is not found")
	}
}

// settingsInC calls functions of a library in C, by way of a header; shift lines between the calls are the author's own.
func settingsInC(own, header string, shift int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "#include \"%[1]s.h\"\n#include %[2]s\n\nvoid %[1]s_all(FILE *w)\n{\n\tTabbyWriter *t = tabby_writer_new(w);\n", own, header)
	for i, name := range setters {
		fmt.Fprintf(&out, "\ttabby_writer_%s(t, true);\n", name)
		for j := range shift {
			fmt.Fprintf(&out, "\t%s%d(w, %q);\n", own, i+j, own+name)
		}
	}
	return out.String() + "}\n"
}

// TestUseInC: functions of a library are no evidence against its user if the origin is a test or an example of it. Its code is, and so is
// a test against another test, or against code that shows no other use of the library.
func TestUseInC(t *testing.T) {
	const (
		own      = "\"report_own.h\""
		library  = "\"writer.h\""
		source   = "\"../src/writer.h\""
		member   = "\nstruct report {\n\tTabbyWriter *out;\n};\n"
		other    = "\nstatic void report_end(struct report *r)\n{\n\ttabby_flush(r);\n}\n"
		platform = "\nsize_t report_size(FILE *f)\n{\n\treturn ftell(f);\n}\n"
	)
	declared := "#include <stdbool.h>\n"
	for i := range setters { // in another order than that of the calls
		declared += "\nvoid tabby_writer_" + setters[i*3%len(setters)] + "(struct tabby *writer, bool on)\n{\n}\n"
	}
	for _, x := range []struct {
		at, theirs, target, header, rest string
		found                            bool
	}{
		{"tests/extra.c", source, "report.c", library, "", false},
		{"docs/examples/extra.c", source, "report.c", library, "", false},
		{"test_extra.c", source, "report.c", library, "", false},
		{"tests/extra.c", source, "report.c", own, member, false},
		{"tests/extra.c", "<tabby.h>", "report.c", own, other, false},
		{"tests/extra.c", source, "report.c", own, other, true},
		{"tests/extra.c", source, "report.c", own, "", true},
		{"tests/extra.c", source, "report.c", "<stdio.h>", platform, true},
		{"extra.c", source, "report.c", library, member, true},
		{"tests/extra.c", source, "tests/report.c", library, member, true},
	} {
		b := based(t, pack{"pkg:generic/tabby@1", "MIT", "2020-01-01", files{x.at: settingsInC("extra", x.theirs+"\n#include <stdio.h>", 1), "table.c": declared}},
			pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
		target := files{x.target: settingsInC("report", x.header, 5) + x.rest}
		if found := len(tree(t, scan(t, scanner.Options{}, b), target.dir(t)).Findings) > 0; found != x.found {
			t.Errorf("%s with %s and %q against %s with %s: found is %v", x.target, x.header, x.rest, x.at, x.theirs, found)
		}
	}
}

// requests sets the fields of a library's types; the variables have the names of the types, or names of the author's own.
func requests(own string, shift int, named bool) string {
	kinds := strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes Trimspan Underrow")
	var out strings.Builder
	fmt.Fprintf(&out, "#include \"%[1]s.h\"\n\nvoid %[1]s_all(FILE *w)\n{\n", own)
	for i, kind := range kinds {
		name := strings.ToLower(kind) + "Request"
		if !named {
			name = "wanted" + kind
		}
		fmt.Fprintf(&out, "\tTabby%sRequest %s = {0};\n\tsubmit(w, &%s);\n", kind, name, name)
		for j := range shift {
			fmt.Fprintf(&out, "\t%s%d(w, %q);\n", own, i+j, own+kind)
		}
	}
	return out.String() + "}\n"
}

// TestVariablesOfTypes: variables that have the names of a library's types are no evidence of derived code in C. Other names are.
func TestVariablesOfTypes(t *testing.T) {
	found := func(named bool) bool {
		b := based(t, pack{"pkg:generic/user@1", "MIT", "2020-01-01", files{"extra.c": requests("extra", 1, named)}},
			pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
		fs := tree(t, scan(t, scanner.Options{}, b), files{"report.c": requests("report", 5, named)}.dir(t)).Findings
		for _, f := range fs {
			t.Logf("%d-%d %.2f %q", f.StartLine, f.EndLine, f.Score, f.Reasons)
		}
		return len(fs) > 0
	}
	if found(true) {
		t.Error("who uses the types of a library is told to have copied from another user")
	}
	if !found(false) {
		t.Error("a copy with names of its own is not found")
	}
}

// TestUseAtTwoPlaces: calls of one library at two places of a file support each other, but names of others are no better for it.
func TestUseAtTwoPlaces(t *testing.T) {
	const path = "example.com/tabby"
	twice := func(own string, shift int) string {
		text := settings(own, path, shift, append(setters, "SetMergecol")...)
		again := strings.NewReplacer(own, own+"Again", "Set", "Make").Replace(text[strings.Index(text, "func"):])
		return text + "\n// " + own + "Again does the same for another kind of table.\n" + again
	}
	b := based(t, pack{"pkg:golang/example.com/user@v1.2.0", "MIT", "2020-01-01", files{"extra.go": twice("extra", 1)}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	for _, f := range tree(t, scan(t, scanner.Options{}, b), files{"report.go": twice("report", 8)}.dir(t)).Findings {
		t.Errorf("%d-%d %v %q", f.StartLine, f.EndLine, f.Score, f.Reasons)
	}
}

// messageTable is a table of messages as people write it in tests: the types are the package's, the words the file's.
func messageTable(own, path, word string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\nimport \"%s\"\n\nvar %sCases = []tabby.Message{\n", own, path, own)
	for _, name := range strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes") {
		fmt.Fprintf(&out, "\t{Type: tabby.TypeOf%[1]s, Code: tabby.CodeOf%[1]s, Data: %[2]q},\n", name, word+name)
	}
	return out.String() + "}\n"
}

// TestUseTogether: the same for code that was not edited.
func TestUseTogether(t *testing.T) {
	const path = "example.com/tabby"
	b := based(t, pack{"pkg:golang/example.com/tabby@v1.2.0", "MIT", "2020-01-01", files{"extra_test.go": messageTable("extra", path, "ERROR")}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	for _, f := range tree(t, s, files{"report.go": messageTable("report", path, "a packet")}.dir(t)).Findings {
		t.Errorf("%d-%d %q", f.StartLine, f.EndLine, f.Reasons)
	}
	one(t, tree(t, s, files{"report.go": messageTable("report", "example.com/fork/tabby", "a packet")}.dir(t)))
}

// rule is a check as a framework asks for one, which has the types and the interface; the file has its words and its condition.
func rule(own, path, head, condition, result, data string) string {
	return fmt.Sprintf(`package %[1]s

import "%[2]s"

type %[1]sRule struct{}

func init() { // %[1]s
	tabby.RegisterBlueprint(&tabby.Blueprint{
		RenditionData: tabby.RenditionData{
			Wrapcell: "%[3]s",
			Glyphset: %[6]s,
			Trimspan: tabby.Since2020,
		},
		Foldable: %[1]sRule{},
	})
}

func (r *%[1]sRule) FoldApplies(page *tabby.Page) bool {
	return %[4]s
}

func (r *%[1]sRule) FoldUnderrow(page *tabby.Page) *tabby.FoldResult {
	return %[5]s
}
`, own, path, head, condition, result, data)
}

// TestUseOfInterface: the fields that a package's types have, and the methods that its interfaces ask for, are no evidence either.
func TestUseOfInterface(t *testing.T) {
	const path = "example.com/tabby"
	b := based(t, pack{"pkg:golang/example.com/tabby@v1.2.0", "MIT", "2020-01-01", files{"rules/empty.go": rule("Empty", path, "an empty line", "page.Lines == 0", "tabby.Pass(page)", "tabby.SourceOf(\"pages\", 1)")}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	for _, f := range tree(t, s, files{"wide.go": rule("Wide", path, "a wide margin", "len(page.Margin()) > 4", "r.found[page.Number]", "all.Glyphs")}.dir(t)).Findings {
		t.Errorf("%d-%d %q", f.StartLine, f.EndLine, f.Reasons)
	}
	one(t, tree(t, s, files{"wide.go": rule("Wide", "example.com/fork/tabby", "a wide margin", "len(page.Margin()) > 4", "r.found[page.Number]", "all.Glyphs")}.dir(t)))
}

var plotted = strings.Fields("blueprint rendition foldable glyphset wrapcell padrunes trimspan underrow mergecol tallhead thinline softedge")

// plotting calls a C library in the order that it requires; the code between the calls is the author's own.
func plotting(own, header string, shift int) string {
	names := plotted
	var out strings.Builder
	fmt.Fprintf(&out, "#include %s\n\nint %s_all(struct %s *s) {\n", header, own, own)
	for i, name := range names {
		other := names[(i+shift)%len(names)]
		fmt.Fprintf(&out, "\ttabby_%s_start(tabby_ptr, TABBY_%s_OFF, &tabby_%s_narrow, tabby_%s_tabular);\n", name, strings.ToUpper(other), name, other)
		for j := range shift {
			fmt.Fprintf(&out, "\t%s%d(s, %d);\n", own, i+j, i*j+shift)
		}
	}
	return out.String() + "\treturn 0;\n}\n"
}

// plots declares what plotting calls.
func plots() string {
	var out strings.Builder
	for _, name := range plotted {
		fmt.Fprintf(&out, "#define TABBY_%s_OFF %d\nint tabby_%s_start(TABBY, int, void *, void *);\nextern TABBY tabby_%s_narrow, tabby_%s_tabular;\n", strings.ToUpper(name), len(name), name, name, name)
	}
	return out.String()
}

// TestHeaderUse: the names of a C library that the target includes are no evidence that derived code comes from an example of that
// library, or from another user of it. A part of the library itself is a copy.
func TestHeaderUse(t *testing.T) {
	b := based(t, pack{"pkg:deb/debian/tabby@1.2.0", "MIT", "2020-01-01", files{"example.c": plotting("extra", "\"tabby.h\"", 1), "include/tabby.h": plots()}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	for _, f := range tree(t, s, files{"report.c": plotting("report", "<tabby.h>", 3)}.dir(t)).Findings {
		t.Errorf("both use one library: %d-%d %q", f.StartLine, f.EndLine, f.Reasons)
	}
	if f := one(t, tree(t, s, files{"report.c": plotting("report", "\"tabby.h\"", 3)}.dir(t))); !f.Derived {
		t.Error("edited code of the library is not told to be derived")
	}
}

// codes is a table of language codes, with the longer or the shorter of two codes.
func codes(head string, longer bool) string {
	var out strings.Builder
	out.WriteString(head + " = {\n")
	for i := range 150 {
		short := string([]byte{'a' + byte(i/7), 'a' + byte(i*11%26)})
		long := short + string('a'+byte(i*5%26))
		if !longer {
			fmt.Fprintf(&out, "    '%s': '%s',\n", short, long)
		} else if i%9 != 4 {
			fmt.Fprintf(&out, "\t'%s': '%s',\n", long, short)
		}
	}
	return out.String() + "}\n"
}

// TestTableOfValues: two tables of names from one standard agree in the names, but in no order of their own.
func TestTableOfValues(t *testing.T) {
	b := based(t, pack{"pkg:generic/shaper@1", "MIT", "2020-01-01", files{"gen_tags.py": codes("LANGUAGES", true)}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	none(t, tree(t, scan(t, scanner.Options{}, b), files{"utils.py": "import re\n\n" + codes("_lang_map", false)}.dir(t)))
}

// deviceWalk calls members of an imported library's values as its tests do. The library's package is com.tabby.
func deviceWalk(pkg, imports, class, first, last string) string {
	var calls strings.Builder
	for _, name := range strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes") {
		fmt.Fprintf(&calls, "\t\tif (it.probe%[1]s(it.ask%[1]sHandle()) == null) it.release%[1]s();\n", name)
	}
	return "package " + pkg + ";\n\n" + imports + "\nclass " + class + " {\n\tvoid " + first + "() {\n" + calls.String() + "\t\t" + last + "\n\t}\n}\n"
}

// TestUseOfMembers: in languages whose import paths are names, no name that neither side declares is evidence, if the target imports the
// origin's own library. A target that imports another library, is a part of this one, or declares the names may be a copy.
func TestUseOfMembers(t *testing.T) {
	const imported = "import com.tabby.device.Walker;\n"
	library, own := "package com.tabby.device;\n\npublic class Walker {\n", ""
	for _, name := range strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes") {
		library += fmt.Sprintf("\tpublic Object probe%[1]s(Object of) {\n\t\treturn of;\n\t}\n\n\tpublic Object ask%[1]sHandle() {\n\t\treturn this;\n\t}\n\n\tpublic void release%[1]s() {\n\t}\n\n", name)
		own += fmt.Sprintf("Object probe%[1]s; Object ask%[1]sHandle; Object release%[1]s; ", name)
	}
	b := based(t, pack{"pkg:generic/tabby@1", "MIT", "2020-01-01", files{
		"src/com/tabby/device/Walker.java":      library + "}\n",
		"test/com/tabby/device/WalkerTest.java": deviceWalk("com.tabby.device", "", "WalkerTest", "testWalk", "assertEquals(3, it.count());"),
	}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	none(t, tree(t, s, files{"Report.java": deviceWalk("org.own", imported, "Report", "fill", "print(it);")}.dir(t)))
	for _, c := range []string{
		deviceWalk("org.own", "import com.fork.device.Walker;\n", "Report", "fill", "print(it);"),
		deviceWalk("com.tabby.device.report", imported, "Report", "fill", "print(it);"),
		deviceWalk("org.own", imported, "Report", "fill", own),
	} {
		one(t, tree(t, s, files{"Report.java": c}.dir(t)))
	}
}

// screen draws with a library of Rust that is called crate; the texts are the file's own.
func screen(crate, module, first string) string {
	var calls strings.Builder
	for _, name := range strings.Fields("Blueprint Rendition Foldable Glyphset Wrapcell Padrunes") {
		fmt.Fprintf(&calls, "    %[1]s.push(Tabular::default().with%[2]s(Narrow::%[2]s).splitBy%[2]s(%[1]s.len()).fold%[2]s());\n", first, name)
	}
	return "use " + crate + "::{" + module + "::{Narrow, Tabular}, other::Thing};\n\nfn " + first + "() {\n    let mut " + first + " = Vec::new();\n" + calls.String() + "}\n"
}

// splitElsewhere edits each call of a screen.
func splitElsewhere(text string) string {
	return strings.ReplaceAll(text, ".len()).fold", ".iter().count()).fold")
}

// TestSharedChains: names of a library that both sides import, and of what its members return, are no evidence of derived code. The
// library may have another name there. The same names from another place may be a copy.
func TestSharedChains(t *testing.T) {
	b := based(t, pack{"pkg:github/ada/drawer@v1", "MIT", "2020-01-01", files{"examples/extra.rs": screen("tabby", "paper", "extra")}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	none(t, tree(t, s, files{"report.rs": splitElsewhere(screen("tabby", "paper", "report"))}.dir(t)))
	none(t, tree(t, s, files{"report.rs": splitElsewhere(screen("fork_of_tabby", "paper", "report"))}.dir(t)))
	one(t, tree(t, s, files{"report.rs": splitElsewhere(screen("tabby", "pages", "report"))}.dir(t)))
}

// TestOwnCrate: tests of a crate import it by its name. They are no users of a library, so a copy in a fork is found.
func TestOwnCrate(t *testing.T) {
	b := based(t, pack{"pkg:github/ada/tabby-rs@v1", "MIT", "2020-01-01", files{"tests/extra.rs": screen("tabby", "paper", "extra")}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	s := scan(t, scanner.Options{}, b)
	none(t, tree(t, s, files{"tests/report.rs": splitElsewhere(screen("tabby", "pages", "report"))}.dir(t)))
	one(t, tree(t, s, files{"crates/tabby/tests/report.rs": splitElsewhere(screen("tabby", "pages", "report"))}.dir(t)))
}
