package license

import (
	"reflect"
	"strings"
	"testing"
)

const iscText = `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`

func TestGrants(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []Grant
	}{
		"one":          {"Copyright (c) 2013 async.js authors\n\n" + mitText, []Grant{{License: "MIT"}}},
		"twice":        {"Copyright A\n" + mitText + "\nCopyright B\n" + mitText, []Grant{{License: "MIT"}}},
		"side by side": {mitText + "\n--\n\n" + iscText, []Grant{{License: "MIT"}, {License: "ISC"}}},
		"choice":       {"This is dual-licensed, take the one you like.\n\n" + mitText + "\n----\n\n" + apacheNotice, []Grant{{License: "MIT OR Apache-2.0"}}},
		"a part":       {mitText + "\nPortions of this software are taken from foo:\n\n" + iscText, []Grant{{License: "MIT"}, {License: "ISC", Part: true}}},
		"pattern":      {mitText + "\n------\n\nFiles: gzhttp/*\n\n" + apacheNotice, []Grant{{License: "MIT"}, {License: "Apache-2.0", Files: []string{"gzhttp/*"}}}},
		"names": {"#### MIT License\n\nThe following files were ported from libyaml, and are still\ncovered by their original license:\n\n    apic.go emitterc.go\n    parserc.go\n\n" + mitText +
			"\n### Apache License\n\nAll the remaining project files are covered by the Apache license:\n\n" + apacheNotice,
			[]Grant{{License: "MIT", Files: []string{"apic.go", "emitterc.go", "parserc.go"}}, {License: "Apache-2.0"}}},
		"copyright before names": {"The following files were ported to Go, and\nare still covered by their original copyright and license:\n\n    apic.go\n\nCopyright (c) 2006 K\n\n" + mitText,
			[]Grant{{License: "MIT", Files: []string{"apic.go"}}}},
		"exacter":             {"It may be used, at your option, under either:\n* Apache License, version 2.0, OR\n* GNU General Public License, version 2.0 or later.\n\n" + mitText + apacheNotice, []Grant{{License: "Apache-2.0 OR GPL-2.0-or-later"}}},
		"located":             {mitText + "\n- Acorn, located at deps/acorn, is licensed as follows:\n\n" + iscText, []Grant{{License: "MIT"}, {License: "ISC", Files: []string{"deps/acorn"}}}},
		"tag":                 {"SPDX-License-Identifier: GPL-2.0-or-later\n\n" + mitText, []Grant{{License: "GPL-2.0-or-later"}}},
		"a tag":               {"SPDX-License-Identifier: MIT\n", []Grant{{License: "MIT"}}},
		"marks of comments":   {apacheNotice + "\nFor the a component, see the files:\n/*\n * derived from B */\n\n/* Copyright B */\n" + iscText, []Grant{{License: "Apache-2.0"}, {License: "ISC", Part: true}}},
		"parts behind a part": {apacheNotice + "\nPortions are taken from B:\n\n" + iscText + "\nThe hash:\n\n" + mitText, []Grant{{License: "Apache-2.0"}, {License: "ISC", Part: true}, {License: "MIT", Part: true}}},
		"most of it":          {"Most of A is licensed under the terms of the MIT license.\n\nA few files are not:\n- point.c is under a 3 clause BSD license\n- image.c is public domain.\n\n" + mitText + "\nThe other:\n\n" + iscText, []Grant{{License: "MIT"}, {License: "ISC", Part: true}}},
		"none":                {"You may use this on Sundays.", nil},
		"empty":               {"", nil},
	} {
		if got := grants([]byte(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func statement(t *testing.T, path, text string) Statement {
	t.Helper()
	s, ok := Read(File{path, []byte(text)})
	if !ok {
		t.Fatalf("%s says nothing", path)
	}
	return s
}

func TestOf(t *testing.T) {
	mit, isc := "Copyright A\n\n"+mitText, "Copyright B\n\n"+iscText
	files := func(pairs ...string) (out []Statement) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, statement(t, pairs[i], pairs[i+1]))
		}
		return out
	}
	const ownWords = "A is copyright 1989 by B. You may redistribute A in whole or in part provided you acknowledge its source.\n"
	custom := strings.Repeat("Nobody may look at these pictures but on Sundays. ", 8)
	pictures := "The code is under the usual terms.\n\n    img/   : Creative Commons Attribution-ShareAlike\n             http://creativecommons.org/licenses/by-sa/3.0/\n"
	for name, c := range map[string]struct {
		file     string
		head     Stated
		declared string
		files    []Statement
		want     string
		from     From
	}{
		"tag":                       {"a/b.go", Stated{"ISC", true, 3}, "MIT", files("LICENSE", mit), "ISC", From{"spdx-tag", "a/b.go", 3, ""}},
		"header":                    {"b.go", Stated{"ISC", false, 1}, "MIT", nil, "ISC", From{"header", "b.go", 1, ""}},
		"folder":                    {"a/b/c.go", Stated{}, "MIT", files("LICENSE", mit, "a/LICENSE", isc), "ISC", From{"file", "a/LICENSE", 0, ""}},
		"another folder":            {"ab/c.go", Stated{}, "MIT", files("LICENSE", mit, "a/LICENSE", isc), "MIT", From{"file", "LICENSE", 0, ""}},
		"declared alone":            {"c.js", Stated{}, "MIT", nil, "MIT", From{"package", "", 0, ""}},
		"declared is exacter":       {"c.js", Stated{}, "MIT OR GPL-2.0-only", files("LICENSE", mit), "MIT OR GPL-2.0-only", From{"package", "", 0, ""}},
		"declared is a mistake":     {"c.js", Stated{}, "ISC", files("LICENSE", mit), "MIT", From{"file", "LICENSE", 0, ""}},
		"font":                      {"c.js", Stated{}, "MIT AND OFL-1.1", nil, "MIT", From{"package", "", 0, ""}},
		"font and data":             {"c.js", Stated{}, "(CC-BY-4.0 AND OFL-1.1 AND MIT)", nil, "MIT", From{"package", "", 0, ""}},
		"only a font":               {"c.js", Stated{}, "OFL-1.1", nil, "OFL-1.1", From{"package", "", 0, ""}},
		"text of a package":         {"c.md", Stated{}, "MIT AND CC-BY-4.0", nil, NoAssertion, From{"unknown", "", 0, "MIT AND CC-BY-4.0"}},
		"and, where it is a choice": {"c.js", Stated{"MIT AND ISC", false, 1}, "ISC OR MIT", nil, "ISC OR MIT", From{"header", "c.js", 1, ""}},
		"a choice stays one":        {"c.js", Stated{"MIT OR ISC", false, 1}, "ISC AND MIT", nil, "MIT OR ISC", From{"header", "c.js", 1, ""}},
		"of one file only":          {"z/a.go", Stated{}, "MIT", files("LICENSE", mit, "z/LICENSE", "b.go\n"+isc), "MIT", From{"file", "LICENSE", 0, ""}},
		"that file":                 {"z/b.go", Stated{}, "MIT", files("LICENSE", mit, "z/LICENSE", "b.go\n"+isc), "ISC", From{"file", "z/LICENSE", 0, ""}},
		"BSD or GPL":                {"c.c", Stated{"LicenseRef-BSD-style OR GPL-2.0-only", false, 1}, "GPL-2.0-only AND BSD-3-Clause", nil, "BSD-3-Clause OR GPL-2.0-only", From{"header", "c.c", 1, ""}},
		"one of two":                {"c.go", Stated{}, "GPL-2.0-only AND MIT", nil, NoAssertion, From{"unknown", "", 0, "GPL-2.0-only AND MIT"}},
		"nothing":                   {"c.go", Stated{}, NoAssertion, nil, NoAssertion, From{"unknown", "", 0, ""}},
		"by custom a choice":        {"c.go", Stated{}, "Apache-2.0 AND MIT", files("LICENSE-APACHE", apacheNotice, "LICENSE-MIT", mit), "MIT OR Apache-2.0", From{"file", "LICENSE-APACHE", 0, ""}},
		"of the documents":          {"a.go", Stated{}, "ISC AND MIT", files("LICENSE.code", mit, "LICENSE.docs", isc), "MIT", From{"file", "LICENSE.code", 0, ""}},
		"a document":                {"a.md", Stated{}, "ISC AND MIT", files("LICENSE.code", mit, "LICENSE.docs", isc), "ISC", From{"file", "LICENSE.docs", 0, ""}},
		"named":                     {"gz/a.go", Stated{}, "ISC AND MIT", files("LICENSE", mit+"\nFiles: gz/*\n\n"+isc), "ISC", From{"file", "LICENSE", 0, ""}},
		"not named":                 {"s2/a.go", Stated{}, "ISC AND MIT", files("LICENSE", mit+"\nFiles: gz/*\n\n"+isc), "MIT", From{"file", "LICENSE", 0, ""}},
		"bundled":                   {"node_modules/x/i.js", Stated{}, "MIT", files("LICENSE", mit, "node_modules/x/package.json", `{"license":"ISC"}`), "ISC", From{"package", "node_modules/x/package.json", 0, ""}},
		"bundled, text":             {"node_modules/x/lib/i.js", Stated{}, "MIT", files("node_modules/x/LICENSE", isc, "node_modules/x/package.json", `{"license":"ISC"}`), "ISC", From{"file", "node_modules/x/LICENSE", 0, ""}},
		"somebody else's":           {"third_party/x/i.c", Stated{}, "MIT", files("LICENSE", mit), NoAssertion, From{"unknown", "", 0, "MIT"}},
		"no licence we know":        {"logo/i.js", Stated{}, "MIT", files("LICENSE", mit, "logo/LICENSE", custom), NoAssertion, From{"unknown", "logo/LICENSE", 0, ""}},
		"own terms or those":        {"c.c", Stated{}, "MIT", files("LICENSE", mit, "COPYRIGHT", ownWords), NoAssertion, From{"unknown", "COPYRIGHT", 0, "MIT"}},
		"own terms of a folder":     {"a/c.c", Stated{}, "MIT", files("LICENSE", mit, "a/COPYRIGHT", ownWords), NoAssertion, From{"unknown", "a/COPYRIGHT", 0, ""}},
		"beside that folder":        {"b/c.c", Stated{}, "MIT", files("LICENSE", mit, "a/COPYRIGHT", ownWords), "MIT", From{"file", "LICENSE", 0, ""}},
		"own terms alone":           {"c.js", Stated{}, "MIT", files("COPYING", ownWords), "MIT", From{"package", "", 0, ""}},
		"a file for each choice":    {"c.pl", Stated{}, "ISC AND MIT", files("COPYING", mit, "Artistic", isc), NoAssertion, From{"unknown", "COPYING", 0, "ISC AND MIT"}},
		"BSD of another":            {"i.go", Stated{bsdStyle, false, 2}, "MIT", files("LICENSE", mit), bsdStyle, From{"header", "i.go", 2, ""}},
		"BSD of the Go Authors":     {"i.go", Stated{goBSDStyle, false, 2}, "MIT", files("LICENSE", mit), "BSD-3-Clause", From{"header", "i.go", 2, ""}},
		"BSD of the package":        {"i.go", Stated{bsdStyle, false, 2}, "BSD-2-Clause", nil, "BSD-2-Clause", From{"package", "", 0, ""}},
		"GPL of the package":        {"i.c", Stated{"GPL-1.0-or-later", false, 1}, "GPL-2.0-or-later", nil, "GPL-2.0-or-later", From{"header", "i.c", 1, ""}},
		"GPL by a tag":              {"i.c", Stated{"GPL-1.0-or-later", true, 1}, "GPL-2.0-or-later", nil, "GPL-1.0-or-later", From{"spdx-tag", "i.c", 1, ""}},
		"GPL beside its text":       {"i.c", Stated{"GPL-1.0-or-later", false, 1}, "GPL-2.0-only", nil, "GPL-1.0-or-later", From{"header", "i.c", 1, ""}},
		"GPL beside the LGPL":       {"i.c", Stated{"GPL-1.0-or-later", false, 1}, "LGPL-2.1-or-later", nil, "GPL-1.0-or-later", From{"header", "i.c", 1, ""}},
		"licence of the pictures":   {"i.js", Stated{}, "MIT", files("LICENSE", pictures), "MIT", From{"package", "", 0, ""}},
		"beside the pictures":       {"i.md", Stated{}, "MIT", files("LICENSE", pictures), "CC-BY-SA-3.0", From{"file", "LICENSE", 0, ""}},
		"pictures alone":            {"i.js", Stated{}, NoAssertion, files("LICENSE", pictures), "CC-BY-SA-3.0", From{"file", "LICENSE", 0, ""}},
		"points to a file":          {"a/i.c", Stated{pointing + "LICENSE.isc", false, 2}, "MIT AND ISC", files("LICENSE", mit, "LICENSE.isc", isc), "ISC", From{"file", "LICENSE.isc", 0, ""}},
		"to one that is missing":    {"a/i.c", Stated{pointing + "LICENSE.isc", false, 2}, "MIT", files("LICENSE", mit), NoAssertion, From{"unknown", "a/i.c", 2, "MIT"}},
		"to that of the package":    {"a/i.c", Stated{pointing + "COPYING.txt", false, 2}, "MIT", files("COPYING", mit), "MIT", From{"file", "COPYING", 0, ""}},
		"BSD near by":               {"i.go", Stated{bsdStyle, false, 2}, "MIT AND BSD-2-Clause", nil, "BSD-2-Clause", From{"header", "i.go", 2, ""}},
	} {
		if got, from := Of(c.file, c.head, c.declared, c.files); got != c.want || from != c.from {
			t.Errorf("%s: %q %+v, want %q %+v", name, got, from, c.want, c.from)
		}
	}
	if _, ok := Read(File{"cmd/LICENSE", []byte("See the file LICENSE above.")}); ok {
		t.Error("a pointer says something")
	}
}

func FuzzGrants(f *testing.F) {
	f.Add([]byte(mitText + "Files: a/*\n" + iscText))
	for _, text := range []string{mitText, strings.Replace(mitText, "including", "in", 1)} { // a known text, and one that is nearly known
		Read(File{"LICENSE", []byte(text)}) // compiles the patterns, which the fuzzer would report as a hanging input
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 2000 { // longer inputs find no more faults and are slow
			return
		}
		s, _ := Read(File{"LICENSE", text})
		if e, _ := Of("a/b.c", Head(text), "MIT AND ISC", []Statement{s}); e != NoAssertion && Expression(e) != e {
			t.Fatalf("%q is not an expression", e)
		}
	})
}

// The text has the exception that the name in the metadata lacks.
func TestExceptedText(t *testing.T) {
	root := []Statement{{Path: "LICENSE", Grants: []Grant{{License: "LGPL-2.1-only WITH OCaml-LGPL-linking-exception"}}}}
	if e, _ := Of("a.ml", Stated{}, "LGPL-2.1-only", root); e != root[0].Grants[0].License {
		t.Error(e)
	}
}

// A head with version 2 of the LGPL is not one without a version.
func TestStatedVersion(t *testing.T) {
	for _, c := range []struct{ head, declared, want string }{
		{"LGPL-2.0-or-later", "LGPL-2.1-or-later", "LGPL-2.0-or-later"},
		{"GPL-1.0-or-later", "GPL-2.0-or-later", "GPL-2.0-or-later"}, // "the GNU GPL"
	} {
		if e, _ := Of("a.c", Stated{License: c.head}, c.declared, nil); e != c.want {
			t.Errorf("%s: %s", c.head, e)
		}
	}
}
