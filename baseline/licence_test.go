package baseline

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/internal/survey"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// TestLicenceOfFile: each file has its own licence and the place where it was found, before and after a compaction. A
// package with more licence statements than before is read again.
func TestLicenceOfFile(t *testing.T) {
	code := strings.Repeat("func f(a, b int) int { return a*b + 1 }\n", 20)
	files := map[string]string{
		"LICENSE":        mit,
		"a.go":           "package a\n" + code,
		"tagged.go":      "// Ours\n// SPDX-License-Identifier: ISC\npackage a\n" + code,
		"sub/LICENSE":    "SPDX-License-Identifier: 0BSD\n\n" + mit,
		"sub/deep/b.go":  "package b\n" + code,
		"third_party/c":  "#!/bin/sh\n" + strings.Repeat("echo a | tr b c\n", 30),
		"z/package.json": `{"name":"z","license":"Zlib"}`,
		"REUSE.toml":     "version = 1\n[[annotations]]\npath = \"listed/**\"\nSPDX-License-Identifier = \"Apache-2.0\"\n",
		"listed/d.go":    "package d\n" + code,
		"e.go":           "package e\n" + code,
		"e.go.license":   "SPDX-License-Identifier: EUPL-1.2\n",
		"z/index.js":     strings.Repeat("export const a = (b, c) => b * c + 1;\n", 20),
	}
	dir := build(t, nil)
	w := writer(t, dir)
	defer w.Close()
	add(t, w, pkg(t, "pkg:generic/x@1", files))
	check := func() {
		t.Helper()
		b := open1(t, dir)
		for name, want := range map[string]struct {
			expr string
			from license.From
		}{
			"a.go":          {"MIT", license.From{Kind: license.FromFile, Path: "LICENSE"}},
			"tagged.go":     {"ISC", license.From{Kind: license.FromTag, Path: "tagged.go", Line: 2}},
			"sub/deep/b.go": {"0BSD", license.From{Kind: license.FromFile, Path: "sub/LICENSE"}},
			"third_party/c": {license.NoAssertion, license.From{Kind: license.FromUnknown, Package: "MIT"}},
			"listed/d.go":   {"Apache-2.0", license.From{Kind: license.FromList, Path: "REUSE.toml"}},
			"e.go":          {"EUPL-1.2", license.From{Kind: license.FromList, Path: "e.go.license"}},
			"z/index.js":    {"Zlib", license.From{Kind: license.FromPackage, Path: "z/package.json"}},
		} {
			d, ok, err := b.Find(store.Sum([]byte(files[name])))
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", name, ok, err)
			}
			occs, err := b.Occurrences(d)
			if err != nil || len(occs) != 1 || occs[0].License != want.expr || occs[0].LicenseFrom != want.from {
				t.Errorf("%s: %+v, %v, want %+v", name, occs, err, want)
			}
		}
	}
	check()
	other := pkg(t, "pkg:generic/y@1", map[string]string{"LICENSE": mit, "y.go": "package y\n" + code + code})
	add(t, w, other)
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	check()
	p := pkg(t, "pkg:generic/y@1", map[string]string{"LICENSE": mit, "y/COPYING": mit, "y.go": "package y\n" + code + code})
	if s := add(t, w, p); s.Packages != 1 {
		t.Errorf("a new licence file changed nothing: %+v", s)
	}
	p.License, p.Asked = "EUPL-1.2", true
	add(t, w, p)
	b := open1(t, dir)
	d, _, _ := b.Find(store.Sum([]byte("package y\n" + code + code)))
	if occs, err := b.Occurrences(d); err != nil || len(occs) != 1 || occs[0].License != "EUPL-1.2" || occs[0].LicenseFrom.Kind != license.FromPackage {
		t.Errorf("what was asked for does not count: %+v, %v", occs, err)
	}
}

// TestPackageLicence: REUSE keeps texts in a folder. A list's licence for all files is the package's if there is no
// licence file; a licence of a single file is not.
func TestPackageLicence(t *testing.T) {
	if testing.Short() {
		t.Skip("builds dozens of baselines")
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"texts of REUSE":     {map[string]string{"LICENSES/MIT.txt": mit, "REUSE.toml": "[[annotations]]\npath = \"**\"\nSPDX-License-Identifier = \"CC0-1.0\"\n"}, "MIT"},
		"a list":             {map[string]string{"debian/copyright": "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nCopyright: A\nLicense: GPL-2+\n"}, "GPL-2.0-or-later"},
		"declared":           {map[string]string{"META.json": `{"license": ["perl_5"]}`}, "Artistic-1.0-Perl OR GPL-1.0-or-later"},
		"declared, a text":   {map[string]string{"LICENSE": mit, "a.cabal": "license: BSD3\n"}, "MIT"},
		"declared, a README": {map[string]string{"DESCRIPTION": "Package: a\nLicense: MIT + file LICENSE\n", "README.md": "# A\n\n## License\n\nReleased under the ISC license.\n"}, license.NoAssertion},
		"declared, terms":    {map[string]string{"DESCRIPTION": "Package: a\nLicense: MIT + file LICENSE\n", "LICENSE": strings.Repeat("You may use it on Mondays. ", 20)}, license.NoAssertion},
		"declared, a holder": {map[string]string{"DESCRIPTION": "Package: a\nLicense: MIT + file LICENSE\n", "LICENSE": "YEAR: 2020\nCOPYRIGHT HOLDER: A\n"}, "MIT"},
		"declared, others":   {map[string]string{"a.cabal": "license: BSD3\n", "COPYING": "This can be used under the GPL v2, as in ./GPL-2, or the 3-clause BSD, as in ./BSD3.\n"}, license.NoAssertion},
		"another Artistic":   {map[string]string{"META.yml": "license: perl\n", "LICENSE": "This is under the Artistic License 2.0.\n"}, license.NoAssertion},
		"a README alone":     {map[string]string{"README.md": "# A\n\n## License\n\nReleased under the ISC license.\n"}, "ISC"},
		"declared choice":    {map[string]string{"LICENSE": artistic, "META.yml": "license: perl\n"}, "Artistic-1.0-Perl OR GPL-1.0-or-later"},
		"of one file":        {map[string]string{"a.go.license": "SPDX-License-Identifier: ISC\n"}, license.NoAssertion},
		"of one file beside": {map[string]string{"LICENSE": mit, "a.go.license": "SPDX-License-Identifier: ISC\n"}, "MIT"},
	} {
		c.files["a.go"] = "package a\n" + strings.Repeat("func f(a, b int) int { return a*b + 1 }\n", 20)
		dir := build(t, nil)
		w := writer(t, dir)
		add(t, w, pkg(t, "pkg:generic/x@1", c.files))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		ps, err := open1(t, dir).Packages()
		if err != nil || len(ps) != 1 || ps[0].License != c.want {
			t.Errorf("%s: %+v, %v, want %s", name, ps, err, c.want)
		}
	}
}

// artistic is a file with a link to one of the two licences of Perl.
const artistic = "This program is under the Artistic License:\nhttps://opensource.org/licenses/Artistic-Perl-1.0\n"

// TestManyLicences: licence files beyond the limit are reported.
func TestManyLicences(t *testing.T) {
	for n, want := range map[int]string{survey.MaxStatements: "", survey.MaxStatements + 2: "2 files beyond the first 4096 that state a licence are not read for it"} {
		files := make(map[string]string)
		for i := range n {
			files[fmt.Sprintf("%05d/package.json", i)] = `{"name":"z","license":"Zlib"}`
		}
		w := writer(t, build(t, nil))
		got := ""
		_, err := w.Add(t.Context(), []*source.Package{pkg(t, "pkg:generic/x@1", files)}, AddOptions{Skipped: func(s Skip) {
			if s.Reason == ReasonLicences {
				got += s.Detail
			}
		}})
		w.Close()
		if err != nil || got != want {
			t.Errorf("%d: %q, %v", n, got, err)
		}
	}
}

// TestPackagesOf: packages are found by how their package URLs begin, and the result is what Packages has, for names that JSON
// escapes too. Every package has its series as a prefix.
func TestPackagesOf(t *testing.T) {
	names := []string{"pkg:golang/github.com/A/B/v2@v2.0.1", "pkg:golang/github.com/a/b@v1.0.0", "pkg:golang/gopkg.in/yaml.v3@v3.0.1",
		"pkg:npm/%40a/b@1.0.0", "pkg:npm/b@1.0.0", "pkg:generic/a%26b@1?x=1&y=2"}
	dir := build(t, nil)
	w := writer(t, dir)
	defer w.Close()
	for i, name := range names {
		add(t, w, pkg(t, name, map[string]string{"a.go": "package a\n" + strings.Repeat(fmt.Sprintf("func f(a, b int) int { return a*b + %d }\n", i), 20)}))
	}
	if err := w.Remove(t.Context(), []string{"pkg:npm/b@1.0.0"}); err != nil {
		t.Fatal(err)
	}
	b := open1(t, dir)
	all, err := b.Packages()
	if err != nil || len(all) != len(names)-1 {
		t.Fatalf("%d packages, %v", len(all), err)
	}
	listed, err := b.PURLs()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range all {
		if listed[i] != p.PURL {
			t.Errorf("%q is listed as %q", p.PURL, listed[i])
		}
		key := purl.Series(p.PURL)
		var want []string
		for _, o := range all {
			if purl.Series(o.PURL) == key {
				want = append(want, o.PURL)
			}
		}
		found, err := b.PackagesOf(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found {
			if purl.Series(o.PURL) == key && len(want) > 0 && o.PURL == want[0] && o.Digest != "" {
				want = want[1:]
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: %v are not found", key, want)
		}
	}
}
