package license

import (
	"strings"
	"testing"
)

var debianCopyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: x

Files: *
Copyright: A
License: GPL-2+

# the library
Files: lib/* ./src/lib?.c
 doc/man-*.1
Copyright: B
License: LGPL-2.1+ or Artistic, and BSD-3-clause

Files: lib/own.c
License: weird
 Permission text follows.

Files: lib/expat.c
License: Expat

Files: lib/gpl.java
License: GPL-2 with Classpath exception

Files: debian/*
License: public-domain

License: weird
` + " " + strings1

var strings1 = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(iscText), "\n\n", "\n.\n"), "\n", "\n ")

const reuse = `version = 1

[[annotations]]
path = "**"
SPDX-FileCopyrightText = "2024 A"
SPDX-License-Identifier = "CC0-1.0"

[[annotations]]
path = ["src/*.c", 'odd\*name.c']
SPDX-License-Identifier = ["MIT", "ISC"]
`

// TestListed: lists name files. The last match counts, the nearest list comes before lists above it, and the file's own
// statement before most lists.
func TestListed(t *testing.T) {
	root := []Statement{statement(t, "LICENSE", "Copyright A\n\n"+mitText), statement(t, "debian/copyright", debianCopyright)}
	toml := []Statement{statement(t, "REUSE.toml", reuse)}
	over := []Statement{statement(t, "REUSE.toml", strings.ReplaceAll(reuse, `path = "**"`, "path = \"**\"\nprecedence = \"override\""))}
	beside := append([]Statement{statement(t, "a/x.c.license", "SPDX-FileCopyrightText: A\n\nSPDX-License-Identifier: 0BSD\n")}, toml...)
	dep5 := []Statement{statement(t, "sub/.reuse/dep5", debianCopyright), statement(t, "sub/lib/REUSE.toml", reuse)}
	for name, c := range map[string]struct {
		file  string
		head  Stated
		files []Statement
		want  string
		from  From
	}{
		"all files, beside a licence file": {"main.c", Stated{}, root, "GPL-2.0-or-later", From{Kind: FromList, Path: "debian/copyright"}},
		"head first":                       {"main.c", Stated{"ISC", false, 1}, root, "ISC", From{Kind: FromHeader, Path: "main.c", Line: 1}},
		"pattern":                          {"lib/a/b.c", Stated{}, root, "(LGPL-2.1-or-later OR Artistic-1.0) AND BSD-3-Clause", From{Kind: FromList, Path: "debian/copyright"}},
		"question mark":                    {"src/lib1.c", Stated{}, root, "(LGPL-2.1-or-later OR Artistic-1.0) AND BSD-3-Clause", From{Kind: FromList, Path: "debian/copyright"}},
		"continued":                        {"doc/man-x.1", Stated{}, root, "(LGPL-2.1-or-later OR Artistic-1.0) AND BSD-3-Clause", From{Kind: FromList, Path: "debian/copyright"}},
		"a name of nobody's":               {"lib/own.c", Stated{}, root, "ISC", From{Kind: FromList, Path: "debian/copyright"}},
		"Debian's name":                    {"lib/expat.c", Stated{}, root, "MIT", From{Kind: FromList, Path: "debian/copyright"}},
		"exception":                        {"lib/gpl.java", Stated{}, root, "GPL-2.0-only WITH Classpath-exception-2.0", From{Kind: FromList, Path: "debian/copyright"}},
		"public domain":                    {"debian/rules.c", Stated{}, root, "LicenseRef-public-domain", From{Kind: FromList, Path: "debian/copyright"}},
		"all files of REUSE":               {"x/y/z.c", Stated{}, toml, "CC0-1.0", From{Kind: FromList, Path: "REUSE.toml"}},
		"star stops at a slash":            {"src/a/b.c", Stated{}, toml, "CC0-1.0", From{Kind: FromList, Path: "REUSE.toml"}},
		"star":                             {"src/b.c", Stated{}, toml, "MIT AND ISC", From{Kind: FromList, Path: "REUSE.toml"}},
		"escaped":                          {"odd*name.c", Stated{}, toml, "MIT AND ISC", From{Kind: FromList, Path: "REUSE.toml"}},
		"escaped, another":                 {"oddAname.c", Stated{}, toml, "CC0-1.0", From{Kind: FromList, Path: "REUSE.toml"}},
		"override":                         {"x.c", Stated{"ISC", true, 1}, over, "CC0-1.0", From{Kind: FromList, Path: "REUSE.toml"}},
		"no override":                      {"x.c", Stated{"ISC", true, 1}, toml, "ISC", From{Kind: FromTag, Path: "x.c", Line: 1}},
		"beside":                           {"a/x.c", Stated{"ISC", true, 1}, beside, "0BSD", From{Kind: FromList, Path: "a/x.c.license"}},
		"beside another":                   {"a/y.c", Stated{}, beside, "CC0-1.0", From{Kind: FromList, Path: "REUSE.toml"}},
		"outside":                          {"other/x.c", Stated{}, dep5, NoAssertion, From{Kind: FromUnknown}},
		"dep5":                             {"sub/x.c", Stated{}, dep5, "GPL-2.0-or-later", From{Kind: FromList, Path: "sub/.reuse/dep5"}},
		"nearest":                          {"sub/lib/own.c", Stated{}, dep5, "CC0-1.0", From{Kind: FromList, Path: "sub/lib/REUSE.toml"}},
		"folder before all files":          {"sub/f/x.c", Stated{}, append([]Statement{statement(t, "sub/f/LICENSE", "B\n"+iscText)}, dep5...), "ISC", From{Kind: FromFile, Path: "sub/f/LICENSE"}},
		"other people's, but listed":       {"third_party/x.c", Stated{}, root, "GPL-2.0-or-later", From{Kind: FromList, Path: "debian/copyright"}},
	} {
		if got, from := Of(c.file, c.head, NoAssertion, c.files); got != c.want || from != c.from {
			t.Errorf("%s: %q %+v, want %q %+v", name, got, from, c.want, c.from)
		}
	}
	if s, _ := Read(File{"debian/copyright", []byte("This package was debianized by hand.\n\n" + mitText)}); s.List != "" {
		t.Errorf("a copyright file in prose is a list: %+v", s)
	}
	if Whole(root) != "GPL-2.0-or-later" || Whole(toml) != "CC0-1.0" || Whole(dep5) != "" {
		t.Errorf("%q %q %q", Whole(root), Whole(toml), Whole(dep5))
	}
}

func TestDebianExpression(t *testing.T) {
	for in, want := range map[string]string{
		"GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "LGPL-2.1+": "LGPL-2.1-or-later", "GPL": "GPL-1.0-or-later", "gpl-3.0+": "GPL-3.0-or-later", "AGPL-3": "AGPL-3.0-only",
		"GFDL-NIV-1.3+": "GFDL-1.3-no-invariants-or-later", "MIT or Apache-2.0": "MIT OR Apache-2.0", "GPL-1+ or Artistic": "GPL-1.0-or-later OR Artistic-1.0",
		"Expat and BSD-3-clause": "MIT AND BSD-3-Clause", "GPL-2+ and/or Expat": "GPL-2.0-or-later OR MIT", "A-licence": "LicenseRef-A-licence", "MIT, BSD": NoAssertion, "": NoAssertion,
		"GPL-2+ with OpenSSL exception": "GPL-2.0-or-later", "Perl": "Artistic-1.0-Perl OR GPL-1.0-or-later", "a or b and c": "LicenseRef-a OR LicenseRef-b AND LicenseRef-c",
	} {
		if got := debianExpression(in, nil); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"**", "a/b", true}, {"*", "a/b", false}, {"*", "a", true}, {"*", "", true}, {"a/**", "a/b/c", true}, {"a/**", "a", false}, {"**/b", "a/c/b", true},
		{"a*c*e", "abcde", true}, {"a*c*e", "abcd", false}, {"a?c", "abc", true}, {`a\*`, "a*", true}, {`a\*`, "ab", false}, {"", "", true}, {"", "a", false}, {"***", "a/b", true},
		{strings.Repeat("*a", 200), strings.Repeat("a", 300) + "b", false},
	} {
		if got := matchGlob(c.pattern, c.name); got != c.want {
			t.Errorf("%q matches %q: %t", c.pattern, c.name, got)
		}
	}
}

func FuzzLists(f *testing.F) {
	names := []string{"debian/copyright", "REUSE.toml", "x.c.license"}
	for i, text := range []string{debianCopyright, reuse, "SPDX-License-Identifier: MIT"} {
		f.Add(byte(i), []byte(text))
	}
	Read(File{"LICENSE", []byte(mitText)}) // compiles the patterns, which the fuzzer would report as a hanging input
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		if len(text) > 1000 { // longer inputs find no more faults and are slow
			return
		}
		s, ok := Read(File{names[int(which)%len(names)], text})
		if !ok {
			return
		}
		if e, _ := Of("lib/x.c", Stated{}, NoAssertion, []Statement{s}); e != NoAssertion && Expression(e) != e {
			t.Fatalf("%q is not an expression", e)
		}
	})
}
