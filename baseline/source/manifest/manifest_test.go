package manifest

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNPM(t *testing.T) {
	for in, want := range map[string]Meta{
		`{"name":"a","version":"1","license":"MIT"}`:                                           {PURL: "pkg:npm/a@1", License: "MIT"},
		`{"name":"@s/a","version":"1","license":{"type":"ISC","url":"x"}}`:                     {PURL: "pkg:npm/%40s/a@1", License: "ISC"},
		`{"name":"a","licenses":[{"type":"MIT"},{"type":"Apache-2.0"}]}`:                       {PURL: "pkg:npm/a", License: "(MIT OR Apache-2.0)"},
		`{"name":"a","licenses":["MIT"]}`:                                                      {PURL: "pkg:npm/a", License: "MIT"},
		`{"name":"a","repository":"github:o/n"}`:                                               {PURL: "pkg:npm/a", Repository: "https://github.com/o/n"},
		`{"name":"a","repository":{"url":"git+ssh://git@github.com/o/n.git","directory":"p"}}`: {PURL: "pkg:npm/a", Repository: "https://github.com/o/n.git"},
		`{"name":"a","repository":{"url":"https://u:p@github.com/o/n"}}`:                       {PURL: "pkg:npm/a"},
		`{"name":"a","repository":{"url":["x"]}}`:                                              {PURL: "pkg:npm/a"},
		`{"name":"a","license":null,"licenses":"MIT"}`:                                         {PURL: "pkg:npm/a", License: "MIT"},
		`{"name":"a","license":[[["MIT"]]]}`:                                                   {PURL: "pkg:npm/a"},
		`{"name":"a","license":17}`:                                                            {PURL: "pkg:npm/a"},
		`{"name":"JSONStream","version":"1"}`:                                                  {PURL: "pkg:npm/JSONStream@1"},
		`{"name":"../a"}`:                                                                      {},
		`{"name":"@a"}`:                                                                        {},
		`{"name":"@a/b/c"}`:                                                                    {},
		`{"name":""}`:                                                                          {},
		`{"name":17}`:                                                                          {},
		``:                                                                                     {},
		strings.Repeat("[", 100000):                                                            {},
		`{"name":"a","license":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`: {PURL: "pkg:npm/a"},
	} {
		if got := NPM([]byte(in)); got != want {
			t.Errorf("%.60s: got %v, want %v", in, got, want)
		}
	}
}

func TestOthers(t *testing.T) {
	day := time.Date(2023, 10, 18, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		read func([]byte) Meta
		in   string
		want Meta
	}{
		{POM, `<project xmlns="http://maven.apache.org/POM/4.0.0"><parent><groupId>a.b</groupId><artifactId>p</artifactId><version>3</version></parent><artifactId>c</artifactId><licenses><license><name> MIT License </name></license></licenses></project>`, Meta{PURL: "pkg:maven/a.b/c@3", License: "MIT License"}},
		{POM, `<project><groupId>${g}</groupId><artifactId>c</artifactId><version>1</version></project>`, Meta{}},
		{POM, `{}`, Meta{}},
		{Nuspec, `<?xml version="1.0" encoding="windows-1252"?><package><metadata><id>A.B</id><version>1.0</version><license type="expression">MIT</license></metadata></package>`, Meta{PURL: "pkg:nuget/A.B@1.0", License: "MIT"}},
		{Nuspec, `<package><metadata><id>A</id><version>1</version><license type="file">L.txt</license></metadata></package>`, Meta{PURL: "pkg:nuget/A@1"}},
		{Gemspec, "Gem::Specification.new do |s|\n  s.name = \"rack\".freeze\n  s.version = \"3.0.8\"\n  s.date = \"2023-10-18\"\n  s.licenses = [\"MIT\".freeze, \"Ruby\".freeze]\nend\n", Meta{PURL: "pkg:gem/rack@3.0.8", License: "MIT OR Ruby", Released: day}},
		{Gemspec, "", Meta{}},
		{Cargo, "[package]\nname = \"a\"\nversion = \"1.0.0\"\nrepository = \"https://github.com/o/n\"\n", Meta{PURL: "pkg:cargo/a@1.0.0", Repository: "https://github.com/o/n"}},
		{Cargo, "[package]\nname = \"a\"\nversion = \"1.0.0\"\nrepository = \"https://github.com/o/n/tree/main/crates/a\"\n", Meta{PURL: "pkg:cargo/a@1.0.0", Repository: "https://github.com/o/n"}},
		{Python, "Name: a\nVersion: 1\nProject-URL: Sponsor, https://github.com/sponsors/o\nProject-URL: Bug Tracker, https://github.com/o/bugs/issues\nProject-URL: source_code,https://github.com/o/n\n", Meta{PURL: "pkg:pypi/a@1", Repository: "https://github.com/o/n"}},
		{Python, "Name: a\nVersion: 1\nHome-page: https://a.readthedocs.io/en/latest\nProject-URL: Source, https://github.com/o/n/tree/main\n", Meta{PURL: "pkg:pypi/a@1", Repository: "https://github.com/o/n"}},
	} {
		if got := c.read([]byte(c.in)); got != c.want {
			t.Errorf("%.60s: got %v, want %v", c.in, got, c.want)
		}
	}
}

func TestRecord(t *testing.T) {
	record := "requests/api.py,sha256=x,1\n\"requests/a,b.py\",,\n../bin/x,sha256=y,2\nrequests/RECORD,,\n"
	got := Record([]byte(record))
	want := []string{"requests/api.py", "requests/a,b.py", "../bin/x", "requests/RECORD"}
	if !slices.Equal(got, want) {
		t.Errorf("files of RECORD: %q, want %q", got, want)
	}
	if got := Record([]byte("a.py,,\n\"b")); len(got) == 0 || got[0] != "a.py" {
		t.Errorf("files of a RECORD that is cut short: %q", got)
	}
}

// TestNeedsNone: a manifest that names no package needs no lock file. Text that cannot be read may name some.
func TestNeedsNone(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"package.json", `{"name":"x","scripts":{"test":"node --test"}}`, true},
		{"package.json", `{"name":"x","dependencies":{},"workspaces":[]}`, true},
		{"package.json", `{"name":"x","devDependencies":{"mocha":"^10"}}`, false},
		{"package.json", `{"name":"x","workspaces":["packages/*"]}`, false},
		{"package.json", `{"name":"x"`, false},
		{"package.json", `[]`, false},
		{"composer.json", `{"require":{"php":">=8.1","ext-json":"*","composer-plugin-api":"^2"},"require-dev":[]}`, true},
		{"composer.json", `{"require":{"php":">=8.1","psr/log":"^3"}}`, false},
		{"composer.json", `{"require":"php"}`, false},
		{"Cargo.toml", "[package]\nname = \"x\"\n", true},
		{"Cargo.toml", "[package]\nname = \"x\"\n[dev-dependencies]\n", false},
		{"Cargo.toml", "[workspace]\nmembers = []\n[package]\n", false},
		{"Cargo.toml", "", false},
		{"Gemfile", "", false},
	} {
		if got := NeedsNone(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}
