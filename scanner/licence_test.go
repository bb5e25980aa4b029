package scanner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

// TestLicenceOfOrigin: an origin has the licence of its file, not all licences of its package. It is compared with that of the
// target.
func TestLicenceOfOrigin(t *testing.T) {
	text := headless(std(t, "strings/replace.go"))
	mit := "Copyright Ada\n\n" + mitText
	for name, c := range map[string]struct {
		of     pack
		target files
		want   string
		kind   string
		answer license.Answer
		own    string
	}{
		"a font beside it": {pack{"pkg:npm/icons@1.0.0", "MIT AND OFL-1.1", "", files{"a.go": text}}, files{"x.go": text, "LICENSE": mit},
			"MIT", license.FromPackage, license.Fits, "LICENSE"},
		"one of two": {pack{"pkg:generic/two@1", "GPL-2.0-only AND MIT", "", files{"a.go": text}}, files{"x.go": text, "LICENSE": mit},
			license.NoAssertion, license.FromUnknown, "", ""},
		"a tag": {pack{"pkg:generic/two@1", "GPL-2.0-only AND MIT", "", files{"a.go": "// SPDX-License-Identifier: GPL-2.0-only\n\n" + text}}, files{"x.go": text, "LICENSE": mit},
			"GPL-2.0-only", license.FromTag, license.FitsNot, "LICENSE"},
		"its folder": {pack{"pkg:generic/one@1", "GPL-2.0-only", "", files{"sub/a.go": text, "sub/LICENSE": mit}}, files{"x.go": text, "package.json": `{"license": "GPL-3.0-only"}`},
			"MIT", license.FromFile, license.Fits, ""},
		"a header of the target": {pack{"pkg:generic/one@1", "MPL-2.0", "", files{"a.go": text}}, files{"x.go": "// SPDX-License-Identifier: GPL-3.0-only\n\n" + text, "LICENSE": mit},
			"MPL-2.0", license.FromPackage, license.Fits, "x.go"},
		"no licence of the target": {pack{"pkg:generic/one@1", "MIT", "", files{"a.go": text}}, files{"x.go": text},
			"MIT", license.FromPackage, "", ""},
	} {
		f := one(t, tree(t, scan(t, scanner.Options{}, based(t, c.of)), c.target.dir(t), "x.go"))
		o := f.Origins[0]
		if o.License != c.want || o.LicenseFrom.Kind != c.kind || strings.Join(f.Licenses, ",") != c.want {
			t.Errorf("%s: %s %+v of %v, want %s by its %s", name, o.License, o.LicenseFrom, f.Licenses, c.want, c.kind)
		}
		if got := f.Compatibility; (got == nil) != (c.answer == "") || got != nil && (got.Answer != c.answer || got.LicenseFrom.Path != c.own) {
			t.Errorf("%s: %+v, want %s with %q", name, got, c.answer, c.own)
		}
	}
}

// TestLicenceOfOddName: the name of a file that states a licence is escaped like all names, on both sides.
func TestLicenceOfOddName(t *testing.T) {
	text := headless(std(t, "strings/replace.go"))
	mit := "Copyright Ada\n\n" + mitText
	of := pack{"pkg:generic/one@1", "GPL-2.0-only", "", files{"s\xff\\/a.go": text, "s\xff\\/LICENSE": mit}}
	target := files{"x\xfe.go": "// SPDX-License-Identifier: GPL-3.0-only\n\n" + text}
	f := one(t, tree(t, scan(t, scanner.Options{}, based(t, of)), target.dir(t), "x\xfe.go"))
	if o := f.Origins[0]; o.Path != `s\xff\\/a.go` || o.LicenseFrom.Path != `s\xff\\/LICENSE` {
		t.Errorf("%q under a licence by %q", o.Path, o.LicenseFrom.Path)
	}
	if c := f.Compatibility; c == nil || c.LicenseFrom.Path != `x\xfe.go` {
		t.Errorf("%+v", c)
	}
}

// TestListsOfTarget: the statements of debian/copyright and .reuse/dep5 on a file of the target count, on disk, staged and in a
// commit.
func TestListsOfTarget(t *testing.T) {
	text := headless(std(t, "strings/replace.go"))
	list := "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: Ada\nLicense: MIT\n\n" +
		"Files: sub/*\nCopyright: Bo\nLicense: GPL-3.0-only\n"
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/one@1", "MPL-2.0", "", files{"a.go": text}}))
	for _, name := range []string{"debian/copyright", ".reuse/dep5"} {
		r := newRepository(t)
		r.commit(files{"README": "one"})
		r.put(files{name: list, "sub/x.go": text})
		r.git("add", "-A")
		staged := one(t, r.staged(s))
		r.git("commit", "-q", "-m", "two")
		for how, f := range map[string]finding.Finding{"staged": staged, "tree": one(t, r.tree(s)), "diff": one(t, r.diff(s, "HEAD~1...HEAD"))} {
			if c := f.Compatibility; c == nil || c.License != "GPL-3.0-only" || c.LicenseFrom.Path != name {
				t.Errorf("%s, %s: %+v", name, how, c)
			}
		}
	}
}

// bundled is a module as a bundler wraps it. Names and literals begin with a word, so that two modules share nothing.
func bundled(word string) string {
	return strings.ReplaceAll(`function NAMETablesOf(NAMESource, NAMEWidth) {
  var NAMECells = NAMESource.NAMECellsOf(NAMEWidth, 'NAME-cells'), NAMERows = [];
  for (var NAMEAt = 0; NAMEAt < NAMECells.length; NAMEAt += NAMEWidth) {
    var NAMERow = NAMECells.NAMECut(NAMEAt, NAMEAt + NAMEWidth).NAMEMapped(NAMEFold);
    if (NAMERow.NAMEWeight() > NAMESource.NAMEHeaviest) { NAMERows.NAMEInsertFirst(NAMERow); }
    else { NAMERows.NAMEInsertLast(NAMERow.NAMEReversed('NAME-row')); }
  }
  return NAMESource.NAMEJoined(NAMERows, 'NAME-rows', NAMEWidth * 3 + 1);
}
module.exports = NAMETablesOf;
`, "NAME", word)
}

// TestLicenceOfModule: a module of a bundle has the licence of its notice. Without one, the licence is that of the package only for the
// package's own modules.
func TestLicenceOfModule(t *testing.T) {
	bundle := "/******/ (function(modules) { function __webpack_require__(id) { return modules[id]; } })({\n" +
		"/***/ \"./src/own.js\":\n/***/ (function(module, exports) {\n" + bundled("amber") + "/***/ }),\n" +
		"/***/ \"./node_modules/plain/index.js\":\n/***/ (function(module, exports) {\n" + bundled("birch") + "/***/ }),\n" +
		"/***/ \"./node_modules/noted/index.js\":\n/***/ (function(module, exports) {\n/*! noted. ISC License. Ada <https://a.b> */\n" + bundled("cedar") + "/***/ })\n});\n"
	bundle = strings.Replace(bundle, "/***/ \"./src/own.js\"", "/***/ 17:\n/***/ (function(module, exports) {\n"+bundled("elder")+"/***/ }),\n/***/ \"./src/own.js\"", 1)
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:npm/all@1.0.0", "MPL-2.0", "", files{"dist/all.js": bundle, "lib/elder.js": "// elder\n" + bundled("elder")}}))
	for word, want := range map[string][2]string{"elder": {"MPL-2.0", license.FromPackage}, "amber": {"MPL-2.0", license.FromPackage}, "birch": {license.NoAssertion, license.FromBundle}, "cedar": {"ISC", license.FromModule}} {
		f := one(t, tree(t, s, files{"x.js": bundled(word)}.dir(t), "x.js"))
		if o := f.Origins[0]; o.License != want[0] || o.LicenseFrom.Kind != want[1] || strings.Join(f.Licenses, ",") != want[0] {
			t.Errorf("%s: %s %+v of %v, want %v", word, o.License, o.LicenseFrom, f.Licenses, want)
		}
	}
}

// TestLicenceOfPart: a licence file at the root that gives a licence to some files does not give it to the repository.
func TestLicenceOfPart(t *testing.T) {
	text := headless(std(t, "strings/replace.go"))
	mit, gpl := "Copyright Ada\n\n"+mitText, "This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, version 3 of the License.\n"
	const tag = "// SPDX-License-Identifier: GPL-3.0-only\n\n"
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/one@1", "GPL-3.0-only", "", files{"a.go": text}}))
	p := policy.New(nil, nil, "", nil, time.Time{})
	for name, c := range map[string]struct {
		target files
		kind   string
		level  string
	}{
		"of all":                 {files{"lib/x.go": text, "LICENSE": gpl}, license.FromFile, "warning copyleft-fits"},
		"of a folder":            {files{"lib/x.go": text, "LICENSE": mit + "\n------\n\nFiles: lib/*\n\n" + gpl}, license.FromList, "warning copyleft-doubtful"},
		"that the head names":    {files{"lib/x.go": "// See LICENSE-GPL for the license.\n\n" + text, "LICENSE": mit, "LICENSE-GPL": gpl}, license.FromHeader, "warning copyleft-doubtful"},
		"of the head and of all": {files{"lib/x.go": tag + text, "LICENSE": gpl}, license.FromTag, "warning copyleft-fits"},
		"of the head":            {files{"lib/x.go": tag + text, "LICENSE": mit}, license.FromTag, "warning copyleft-doubtful"},
		"of all, the head says":  {files{"lib/x.go": "// See LICENSE for the license.\n\n" + text, "LICENSE": gpl}, license.FromFile, "warning copyleft-fits"},
		"of all but of a folder": {files{"lib/x.go": text, "LICENSE": gpl + "\n------\n\nFiles: font/*\n\n" + mit}, license.FromFile, "warning copyleft-fits"},
	} {
		f := one(t, tree(t, s, c.target.dir(t), "lib/x.go"))
		p.SetLevel(&f)
		if got := string(f.Level) + " " + f.Rule; f.Compatibility == nil || f.Compatibility.License != "GPL-3.0-only" || f.Compatibility.LicenseFrom.Kind != c.kind || got != c.level {
			t.Errorf("%s: %s, %+v", name, got, f.Compatibility)
		}
	}
}

// TestTermsOfHolder: the head of the target's file has the terms of the holder whom the origin's file names without a licence. So the licence
// of the origin's package does not bind it, unless the head states copyleft, or the terms may be somebody else's, or the licence the holder's.
func TestTermsOfHolder(t *testing.T) {
	text := headless(std(t, "strings/replace.go"))
	const ada, gpl, fits, warned = "// Copyright 2020 Ada Lovelace\n", "GPL-3.0-only", "note attributed-fits", "warning copyleft-attributed"
	terms := func(text string) string { return ada + "//\n// " + strings.ReplaceAll(text, "\n", "\n// ") + "\n\n" }
	own := func(words string) string {
		return terms(strings.Replace(mitText, "free of charge, ", "free of charge, "+words+", ", 1))
	}
	p := policy.New(nil, nil, "", nil, time.Time{})
	for name, c := range map[string]struct{ of, origin, head, license, level string }{
		"a known licence":         {"one", ada + "\n", terms(mitText), "MIT", fits},
		"other terms":             {"one", ada + "\n", own("but on Sundays"), license.NoAssertion, fits},
		"terms of a whole work":   {"one", ada + "\n", own("if the whole work has these terms"), "", warned},
		"copyleft":                {"one", ada + "\n", ada + "// SPDX-License-Identifier: GPL-2.0-only\n\n", "GPL-2.0-only", warned},
		"none":                    {"one", ada + "\n", ada + "\n", "ISC", warned},
		"the origin's states one": {"one", ada + "// SPDX-License-Identifier: GPL-3.0-only\n\n", terms(mitText), "MIT", warned},
		"the origin's refers":     {"one", ada + "// This file is part of One, see the file COPYING.\n\n", terms(mitText), "MIT", warned},
		"a second holder":         {"one", ada + "\n", "// Copyright 2024 Grace Hopper\n" + terms(mitText), "MIT", warned},
		"the package's owner":     {"lovelace/one", ada + "\n", terms(mitText), "MIT", warned},
	} {
		s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/" + c.of + "@1", gpl, "", files{"a.go": c.origin + text}}))
		f := one(t, tree(t, s, files{"lib/x.go": c.head + text, "package.json": `{"license": "ISC"}`}.dir(t), "lib/x.go"))
		p.SetLevel(&f)
		if f.Compatibility == nil {
			f.Compatibility = &finding.Compatibility{}
		}
		if got := string(f.Level) + " " + f.Rule; f.Compatibility.License != c.license || got != c.level {
			t.Errorf("%s: %s, %+v, %+v", name, got, f.Compatibility, f.Attributions)
		}
	}
}
