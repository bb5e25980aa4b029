package license

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestIsFile(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "license": true, "Licence.md": true, "COPYING.LESSER": true, "LICENSE-MIT": true, "LICENSE_APACHE.txt": true,
		"UNLICENSE": true, "LICENSES/MIT.txt": true, "MIT-LICENSE": true, "MIT-LICENSE.txt": true, "licenses.txt": true, "Foo-LICENSE": true,
		"Artistic": true, "GPL-2": true, "LGPL-2.1.txt": true, "BSD3": true, "GPL-notes": false, "MITM": false,
		"license.go": false, "licenses.json": false, "sub/LICENSE": false, "LICENSED": false, "NOTICE": false, "PATENTS": false, "main.go": false,
		"LICENSES/": false, "": false, "copying.py": false, "README": false,
	} {
		if got := IsFile(name); got != want {
			t.Errorf("IsFile(%q) = %v", name, got)
		}
	}
}

func TestExpression(t *testing.T) {
	for in, want := range map[string]string{
		"MIT":                                  "MIT",
		"mit":                                  "MIT",
		" (MIT OR Apache-2.0) ":                "MIT OR Apache-2.0",
		"mit or apache-2.0 and bsd-3-clause":   "MIT OR Apache-2.0 AND BSD-3-Clause",
		"(mit or apache-2.0) and isc":          "(MIT OR Apache-2.0) AND ISC",
		"((((MIT))))":                          "MIT",
		"MIT OR (ISC OR 0BSD)":                 "MIT OR ISC OR 0BSD",
		"MIT/Apache-2.0":                       "MIT OR Apache-2.0",
		"GPL-2.0":                              "GPL-2.0-only",
		"GPL-2.0+":                             "GPL-2.0-or-later",
		"gpl-2.0-or-later":                     "GPL-2.0-or-later",
		"GPL-2.0 WITH classpath-exception-2.0": "GPL-2.0-only WITH Classpath-exception-2.0",
		"GPL-2.0 WITH My_Exception":            "LicenseRef-GPL-2.0-only-WITH-My-Exception",
		"MPL-1.1+":                             "MPL-1.1+",
		"Apache 2.0":                           "Apache-2.0",
		"Apache License, Version 2.0":          "Apache-2.0",
		"MIT/X11":                              "MIT",
		"BSD":                                  "LicenseRef-BSD",
		"UNLICENSED":                           "LicenseRef-UNLICENSED",
		"LicenseRef-Foo-1.0":                   "LicenseRef-Foo-1.0",
		"DocumentRef-a:LicenseRef-b":           "DocumentRef-a:LicenseRef-b",
		"SEE LICENSE IN foo.txt":               NoAssertion,
		"":                                     NoAssertion,
		"NONE":                                 NoAssertion,
		"NOASSERTION":                          NoAssertion,
		"MIT AND":                              NoAssertion,
		"AND MIT":                              NoAssertion,
		"(MIT":                                 NoAssertion,
		"MIT)":                                 NoAssertion,
		"()":                                   NoAssertion,
		"MIT WITH":                             NoAssertion,
		"https://example.com/LICENSE":          NoAssertion,
		"!!!":                                  NoAssertion,
		strings.Repeat("(", 5000):              NoAssertion,
		strings.Repeat("(", 100) + "MIT" + strings.Repeat(")", 100): NoAssertion,
	} {
		if got := Expression(in); got != want {
			t.Errorf("Expression(%.60q) = %q, want %q", in, got, want)
		}
	}
}

func TestAnd(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{nil, NoAssertion},
		{[]string{"", NoAssertion}, NoAssertion},
		{[]string{"MIT", "", "MIT"}, "MIT"},
		{[]string{"MIT OR ISC", "0BSD"}, "(MIT OR ISC) AND 0BSD"},
		{[]string{"MIT AND ISC", "0BSD"}, "MIT AND ISC AND 0BSD"},
		{[]string{"MIT AND ISC", "ISC AND 0BSD"}, "MIT AND ISC AND 0BSD"},
	} {
		if got := And(c.in...); got != c.want {
			t.Errorf("And(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// TestRenamed: two terms that become the same one are one term.
func TestRenamed(t *testing.T) {
	for in, want := range map[string]string{
		"GPL-2.0-only AND LGPL-2.1-only AND LGPL-3.0-only": "GPL-2.0-only AND LGPL-2.1-only",
		"LGPL-2.1-only AND LGPL-3.0-only":                  "LGPL-2.1-only",
		"(LGPL-2.1-only OR LGPL-3.0-only) AND MIT":         "LGPL-2.1-only AND MIT",
	} {
		if got := parse(in).renamed("LGPL-3.0-only", "LGPL-2.1-only").String(); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// Any input gives a valid result: reading the result again changes nothing.
func FuzzExpression(f *testing.F) {
	f.Add("MIT OR (Apache-2.0 WITH LLVM-exception AND bsd)")
	f.Add("LicenseRef-x/GPL-2.0+")
	f.Fuzz(func(t *testing.T, in string) {
		once := Expression(in)
		if once == NoAssertion || len(once) > maxExpression {
			return
		}
		if twice := Expression(once); twice != once {
			t.Fatalf("%q became %q, then %q", in, once, twice)
		}
	})
}

// Texts as found in projects.
const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

const apacheNotice = `Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
`

func prefixed(mark, text string) string {
	return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
}

func TestHeader(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"tag":              {"// SPDX-License-Identifier: MIT\npackage a\n", "MIT"},
		"tag, expression":  {"/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */\nint a;", "GPL-2.0-only WITH Linux-syscall-note OR MIT"},
		"tag, html":        {"<!-- SPDX-License-Identifier: CC-BY-4.0 -->", "CC-BY-4.0"},
		"tag, box":         {"/****\n * SPDX-License-Identifier: ISC   *\n ****/", "ISC"},
		"tag, docstring":   {`"""SPDX-License-Identifier: ISC"""`, "ISC"},
		"tag, crlf":        {"# SPDX-License-Identifier: ISC\r\n", "ISC"},
		"tags":             {"// SPDX-License-Identifier: MIT\n// SPDX-License-Identifier: MIT OR ISC\n", "MIT AND (MIT OR ISC)"},
		"tag beats text":   {"// SPDX-License-Identifier: ISC\n" + prefixed("// ", apacheNotice), "ISC"},
		"tag, unknown":     {"// SPDX-License-Identifier: Acme\n", "LicenseRef-Acme"},
		"tag, unreadable":  {"// SPDX-License-Identifier: see the LICENSE file\n", ""},
		"tag in code":      {"package a\nvar x = \"SPDX-License-Identifier: MIT\"\n", ""},
		"tag of a snippet": {"// SPDX-SnippetBegin\n// SPDX-License-Identifier: MIT\n", ""},
		"tag too late":     {strings.Repeat("\n", headBytes) + "// SPDX-License-Identifier: MIT\n", ""},
		"mit, c":           {"/*\n" + prefixed(" * ", "Copyright (c) 2020 A\n\n"+mitText) + " */\nint a;", "MIT"},
		"mit, c plain":     {"/*\nCopyright (c) 2020 A\n\n" + mitText + "*/\nint a;", "MIT"},
		"mit, lua":         {"local x = 1\n\n--[==[\n\nA module\n\nCopyright (C) 2020 A\n\n" + mitText + "\n--]==]\n", "MIT"},
		"mit, hash":        {"#!/bin/sh\n" + prefixed("# ", "Copyright 2020 A\n"+mitText), "MIT"},
		"apache, go":       {"//go:build x\n\n" + prefixed("// ", "Copyright 2020 A\n"+apacheNotice) + "\npackage a", "Apache-2.0"},
		"apache, php":      {"<?php\n/**\n" + prefixed(" * ", apacheNotice) + " */", "Apache-2.0"},
		"apache, lisp":     {prefixed(";; ", apacheNotice), "Apache-2.0"},
		"link":             {"// Copyright 2020 A.\n// License: https://www.apache.org/licenses/LICENSE-2.0\n", "Apache-2.0"},
		"pointer":          {"// Copyright 2009 The Go Authors. All rights reserved.\n// Use of this source code is governed by a BSD-style\n// license that can be found in the LICENSE file.\n\npackage fmt\n", ""},
		"literals":         {"const char *about =\n" + prefixed("\t\"", strings.ReplaceAll(strings.TrimSpace(gnuOf+"General Public License"+fsf+"3"+orMore), "\n", "\\n\"\n")+"\\n\";"), ""},
		"text as data":     {"package a\n\nconst l = `\n" + mitText + "`\n", ""},
		"none":             {"package a\n", ""},
		"empty":            {"", ""},
	} {
		if got := Header([]byte(c.src)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzHeader(f *testing.F) {
	f.Add([]byte("/* SPDX-License-Identifier: MIT */"))
	f.Add([]byte(prefixed("# ", apacheNotice)))
	f.Add([]byte("\"\"\"\ncopyright\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 700 {
			return // a notice is never longer, and each word takes time
		}
		e := Header(src)
		if again := Header(src); again != e {
			t.Fatalf("%q, then %q", e, again)
		}
		if e != "" && e != NoAssertion && Expression(e) != e {
			t.Fatalf("%q is not an expression", e)
		}
	})
}

func TestDetectAndPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every licence of the list")
	}
	mit := File{"LICENSE-MIT", []byte("Copyright (c) 2020 A\n\n" + mitText)}
	apache := File{"LICENSE-APACHE", []byte(apacheNotice)}
	got := Detect(mit.Data)
	if len(got) != 1 || got[0].ID != "MIT" || got[0].URL || got[0].Percent < 90 {
		t.Errorf("Detect(MIT) = %v", got)
	}
	for name, c := range map[string]struct {
		files []File
		want  string
	}{
		"none":      {nil, NoAssertion},
		"unknown":   {[]File{{"LICENSE", []byte("You may use this on Sundays.")}}, NoAssertion},
		"empty":     {[]File{{"LICENSE", nil}}, NoAssertion},
		"one":       {[]File{mit}, "MIT"},
		"both":      {[]File{mit, apache}, "Apache-2.0 AND MIT"},
		"order":     {[]File{apache, mit}, "Apache-2.0 AND MIT"},
		"reuse":     {[]File{{"LICENSES/GPL-3.0-or-later.txt", nil}, {"LICENSES/CC0-1.0.txt", nil}, {"LICENSES/Classpath-exception-2.0.txt", []byte(mitText)}}, "CC0-1.0 AND GPL-3.0-or-later"},
		"reuse ref": {[]File{{"LICENSES/LicenseRef-x.txt", mit.Data}}, "MIT"},
		"lgpl":      {[]File{{"LICENSES/GPL-3.0-only.txt", nil}, {"LICENSES/LGPL-3.0-only.txt", nil}}, "LGPL-3.0-only"},
	} {
		if got := Package(c.files); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// The licence of the installed Go distribution is recognised.
func TestPackageGo(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(goroot(t), "LICENSE"))
	if err != nil {
		t.Skip("this Go distribution keeps its licence elsewhere")
	}
	if got := Package([]File{{"LICENSE", data}}); got != "BSD-3-Clause" {
		t.Errorf("got %q", got)
	}
}

// Every identifier the scanner can report must be a valid expression.
func TestScannerIdentifiers(t *testing.T) {
	for _, id := range scannerIDs() {
		e := fromScanner(id)
		if e == NoAssertion || e != "" && Expression(e) != e {
			t.Errorf("%s became %q", id, e)
		}
	}
	for id, want := range map[string]string{"Anti996": "LicenseRef-Anti996", "MIT-NoAd": "LicenseRef-MIT-NoAd", "GPL-2.0": "GPL-2.0-only", "GooglePatentsFile": ""} {
		if got := fromScanner(id); got != want {
			t.Errorf("%s became %q, want %q", id, got, want)
		}
	}
}

func goroot(tb testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skipf("no go command: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func goSources(tb testing.TB) [][]byte {
	var files [][]byte
	for _, pattern := range []string{"src/*/*.go", "src/net/*/*.go", "src/crypto/*/*.go"} {
		names, _ := filepath.Glob(filepath.Join(goroot(tb), pattern))
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil {
				files = append(files, data)
			}
		}
	}
	if len(files) == 0 {
		tb.Skip("no Go sources here")
	}
	return files
}

func BenchmarkHeader(b *testing.B) {
	files := goSources(b)
	total := int64(0)
	for _, f := range files {
		total += int64(len(f))
	}
	Detect([]byte("build the scanner"))
	b.SetBytes(total / int64(len(files)))
	for i := 0; b.Loop(); i++ {
		Header(files[i%len(files)])
	}
}

// TestByteOrderMark: a mark before the first comment of a file changes nothing. This comment is longer than what is read of other heads.
func TestByteOrderMark(t *testing.T) {
	head := "/*\n" + strings.Repeat("A list of authors.\n", headBytes/16) + "\n" + mitText + "*/\nint a;"
	for _, src := range []string{head, "\uFEFF" + head} {
		if got := Header([]byte(src)); got != "MIT" {
			t.Errorf("%q: got %q, want MIT", src[:8], got)
		}
	}
}

// TestHeadNotice: the first comment is a notice if it names a holder or a licence; other comments are not.
func TestHeadNotice(t *testing.T) {
	for text, want := range map[string]string{
		"/*!\n * A 1.2\n * Copyright 2024 B\n */\na { color: red }":    "/*!\n * A 1.2\n * Copyright 2024 B\n */",
		"@charset \"UTF-8\";\n/* License: MIT */ a {}":                 "/* License: MIT */",
		"\n<!-- Licensed under MIT -->\n<p>A</p>":                      "<!-- Licensed under MIT -->",
		"/* The colours. */\na {}\n/* Copyright B */":                  "",
		"a {}\n/* Copyright B */":                                      "",
		"/* Copyright B\n" + strings.Repeat(" * more\n", 1000) + " */": "",
		"/* Copyright B without an end":                                "",
	} {
		got := ""
		for _, s := range HeadNotice([]byte(text)) {
			got = text[s.From:s.To]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
