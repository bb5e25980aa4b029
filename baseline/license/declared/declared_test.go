package declared

import "testing"

func TestRead(t *testing.T) {
	const perl = "Artistic-1.0-Perl OR GPL-1.0-or-later"
	for _, c := range []struct{ name, text, want string }{
		{"META.json", `{"license": ["perl_5"], "resources": {"license": ["http://dev.perl.org/licenses/"]}}`, perl},
		{"META.json", `{"license": ["unknown"]}`, ""},
		{"META.json", `{"license": ["mit", "perl_5"]}`, ""},
		{"META.json", `{`, ""},
		{"META.yml", "---\nlicense: perl\nresources:\n  license: http://dev.perl.org/licenses/\n", perl},
		{"META.yml", "license: gpl\n", ""}, // of an unknown version
		{"Makefile.PL", "WriteMakefile(\n  ($v >= 6.31 ? (LICENSE => 'perl') : ()),\n);\n", perl},
		{"Makefile.PL", "license 'perl';\n", perl},
		{"Makefile.PL", "# LICENSE => 'perl'\n", ""},
		{"Build.PL", "  license => 'perl',\n  meta_merge => { resources => { license => 'http://dev.perl.org/licenses/' } },\n", perl},
		{"dist.ini", "license = Perl_5\ncopyright_holder = A\n", perl},
		{"DESCRIPTION", "Package: a\nVersion: 1\nLicense: GPL (>= 2)\n", "GPL-2.0-or-later"},
		{"DESCRIPTION", "Package: a\nLicense: GPL-2 |\n    GPL-3\nEncoding: UTF-8\n", "GPL-2.0-only OR GPL-3.0-only"},
		{"DESCRIPTION", "Package: a\nLicense: MIT + file LICENSE\n", "MIT"},
		{"DESCRIPTION", "Package: a\nLicense: LGPL (>= 2.1)\n", "LGPL-2.1-or-later"},
		{"DESCRIPTION", "Package: a\nLicense: GPL\n", "GPL-1.0-or-later"},
		{"DESCRIPTION", "Package: a\nLicense: GPL-3 | file LICENSE\n", ""},
		{"DESCRIPTION", "Package: a\nLicense: file LICENSE\n", ""},
		{"DESCRIPTION", "A tool for licences.\nLicense: MIT\n", ""}, // of no R package
		{"a.cabal", "name: a\nlicense:        BSD3\nlicense-file:   LICENSE\n", "BSD-3-Clause"},
		{"a.cabal", "License: GPL-3.0-or-later\n", "GPL-3.0-or-later"},
		{"a.cabal", "license: GPL-3\n", ""},
		{"a.cabal", "license: OtherLicense\n", ""},
		{"a.gemspec", "  s.licenses          = ['Apache-2.0']\n", "Apache-2.0"},
		{"a.gemspec", "  spec.license = \"MIT\".freeze\n", "MIT"},
		{"a.gemspec", "  s.licenses = ['MIT', 'Ruby']\n", ""},
		{"a.gemspec", "  s.license = 'GPL-2.0'\n", ""}, // or later?
		{"Cargo.toml", "[package]\nname = \"a\"\nlicense = \"MIT OR Apache-2.0\"\n", "MIT OR Apache-2.0"},
		{"Cargo.toml", "[package]\nlicense-file = \"LICENSE\"\n", ""},
		{"PKG-INFO", "Metadata-Version: 1.1\nName: a\nLicense: MIT\n", "MIT"},
		{"PKG-INFO", "Metadata-Version: 1.1\nName: a\nLicense: BSD\n", ""}, // which of them?
		{"PKG-INFO", "Metadata-Version: 1.1\nName: a\nLicense: GPLv3\n", ""},
		{"composer.json", `{"name": "a/b", "license": "MIT"}`, "MIT"},
		{"composer.json", `{"name": "a/b", "license": ["MIT", "GPL-2.0-only"]}`, ""},
		{"sub/DESCRIPTION", "Package: a\nLicense: GPL-3\n", ""},
		{"README", "license: perl\n", ""},
	} {
		var r Reader
		r.Read(c.name, []byte(c.text))
		if got := r.License(); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestReadSeveral(t *testing.T) {
	var r Reader
	r.Read("META.yml", []byte("license: perl\n"))
	r.Read("META.json", []byte(`{"license": ["perl_5"]}`))
	if r.License() == "" {
		t.Error("two files that agree declare nothing")
	}
	r.Read("DESCRIPTION", []byte("Package: a\nLicense: MIT + file LICENSE\n"))
	if got := r.License(); got != "" {
		t.Errorf("two files disagree: %q", got)
	}
}
