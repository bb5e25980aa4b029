package self

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// held returns which of the packages count as the target's own.
func held(s *Packages, packages ...string) []string {
	var out []string
	for _, p := range packages {
		if s.Declaration(p, "") != "" {
			out = append(out, p)
		}
	}
	return out
}

func fakeRoot(files map[string]string) Files {
	return Files{
		names: func() []string {
			var names []string
			for _, n := range sortedFiles(files) {
				if !strings.Contains(n, "/") {
					names = append(names, n)
				}
			}
			return names
		},
		read: func(name string) []byte {
			if text, ok := files[name]; ok {
				return []byte(text)
			}
			return nil
		},
		below: func(name string) []string {
			return bounded(slices.DeleteFunc(sortedFiles(files), func(n string) bool { return path.Base(n) != name }))
		},
	}
}

func sortedFiles(files map[string]string) []string {
	var names []string
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func TestManifests(t *testing.T) {
	pom := func(body string) string {
		return `<?xml version="1.0" encoding="ISO-8859-1"?><project xmlns="http://maven.apache.org/POM/4.0.0">` + body + `</project>`
	}
	tests := map[string]struct {
		files    map[string]string
		own, not []string
	}{
		"go.mod": {map[string]string{"go.mod": "module example.com/Mod/v3 // the third\n\ngo 1.26\n"},
			[]string{"pkg:golang/example.com/Mod@v1.2.3", "pkg:golang/example.com/mod/v2@v2.0.0", "pkg:golang/example.com/mod/v3"},
			[]string{"pkg:golang/example.com/mod/sub", "pkg:golang/example.com/module", "pkg:golang/example.com/mod/v", "pkg:golang/example.com", "pkg:npm/mod"}},
		"gopkg.in": {map[string]string{"go.mod": "module gopkg.in/yaml.v3\n"},
			[]string{"pkg:golang/gopkg.in/yaml.v2@v2.4.0", "pkg:golang/gopkg.in/yaml.v3"}, []string{"pkg:golang/gopkg.in/yaml.v3/x", "pkg:golang/gopkg.in/yaml2"}},
		"package.json": {map[string]string{"package.json": `{"name": "@scope/name", "version": "1.0.0"}`},
			[]string{"pkg:npm/%40scope/name@3.0.0"}, []string{"pkg:npm/name", "pkg:npm/%40scope/name2"}},
		"package.json without a name, or none that is one": {map[string]string{"package.json": `{"name": "a b"}`}, nil, []string{"pkg:npm/a"}},
		"composer.json": {map[string]string{"composer.json": `{"name": "Monolog/Monolog"}`}, []string{"pkg:composer/monolog/monolog@3.0.0"}, nil},
		"Cargo.toml": {map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"a\"]\n\n[ package ] # here\nedition = \"2021\"\nname = 'serde_json'\n\n[dependencies]\nname = \"itoa\"\n"},
			[]string{"pkg:cargo/serde_json@1.0.0"}, []string{"pkg:cargo/itoa"}},
		"Cargo.toml with a dotted key": {map[string]string{"Cargo.toml": "package.name = \"x\"\n"}, []string{"pkg:cargo/x"}, nil},
		"pyproject.toml": {map[string]string{"pyproject.toml": "[build-system]\nrequires = [\"x\"]\r\n[project]\r\nname = \"Foo.Bar_baz\"\r\n[tool.other]\nname=\"other\"\n"},
			[]string{"pkg:pypi/foo-bar-baz@1.0", "pkg:pypi/Foo.Bar_baz"}, []string{"pkg:pypi/other", "pkg:pypi/foo"}},
		"poetry":    {map[string]string{"pyproject.toml": "[tool.poetry]\nname = \"poem\"\n"}, []string{"pkg:pypi/poem"}, nil},
		"setup.cfg": {map[string]string{"setup.cfg": "[metadata]\nname = attrs\nversion = 1\n[options]\nname = other\n"}, []string{"pkg:pypi/attrs"}, []string{"pkg:pypi/other"}},
		"gemspec": {map[string]string{"rack.gemspec": "# s.name = \"no\"\nGem::Specification.new do |s|\n  s.name        = \"rack\"\n  s.version = v\nend\n"},
			[]string{"pkg:gem/rack@3.0"}, []string{"pkg:gem/no"}},
		"cmake":            {map[string]string{"CMakeLists.txt": "# project(no)\ncmake_minimum_required(VERSION 3.5)\nPROJECT( cJSON\n  VERSION 1.7 LANGUAGES C)\nproject(other)\n"}, []string{"pkg:deb/debian/cjson@1.7.15-1"}, []string{"pkg:deb/debian/other", "pkg:deb/debian/no", "pkg:npm/cjson"}},
		"computed":         {map[string]string{"CMakeLists.txt": "project(${NAME})\n", "meson.build": "project(name)\n", "configure.ac": "AC_INIT(m4_esyscmd([x]), [1])\n"}, nil, []string{"pkg:deb/debian/name", "pkg:deb/debian/m4_esyscmd"}},
		"meson":            {map[string]string{"meson.build": "project('dav1d', ['c'],\n  version: '1.0')\n"}, []string{"pkg:deb/debian/dav1d@1.0"}, nil},
		"autoconf":         {map[string]string{"configure.ac": "AC_PREREQ([2.71])\nAC_INIT([iperf],[3.20],[https://github.com/esnet/iperf])\n"}, []string{"pkg:deb/debian/iperf@3.20"}, nil},
		"computed gemspec": {map[string]string{"x.gemspec": "s.name = \"a#{b}\"\n"}, nil, []string{"pkg:gem/a"}},
		"pom.xml": {map[string]string{
			"pom.xml":              pom(`<parent><groupId>org.parent</groupId><artifactId>p</artifactId></parent><artifactId>lib-parent</artifactId><modules><module>core</module><module>../up</module><module>foreign</module><module>gone</module></modules><dependencies><dependency><groupId>org.parent</groupId><artifactId>dep</artifactId></dependency></dependencies>`),
			"core/pom.xml":         pom(`<parent><groupId>org.parent</groupId></parent><artifactId>lib-core</artifactId><modules><module>deep</module><module>../core</module></modules>`),
			"core/deep/pom.xml":    pom(`<groupId> org.parent </groupId><artifactId>lib-deep</artifactId>`),
			"foreign/pom.xml":      pom(`<groupId>com.foreign</groupId><artifactId>copied</artifactId>`),
			"../up/pom.xml":        pom(`<groupId>org.parent</groupId><artifactId>up</artifactId>`),
			"unmentioned/pom.xml":  pom(`<groupId>org.parent</groupId><artifactId>unmentioned</artifactId>`),
			"third_party/go.mod":   "module example.com/third\n",
			"vendor/x/x.gemspec":   "s.name = 'x'\n",
			"sub/package.json":     `{"name": "sub"}`,
			"docs/composer.json":   `{"name": "docs/docs"}`,
			"examples/Cargo.toml":  "[package]\nname = \"examples\"\n",
			"examples/setup.cfg":   "[metadata]\nname = examples\n",
			"examples/other.toml":  "[package]\nname = \"examples\"\n",
			"examples/go/x/go.mod": "module example.com/x\n",
		}, []string{"pkg:maven/org.parent/lib-parent@1", "pkg:maven/org.parent/lib-core", "pkg:maven/org.parent/lib-deep"},
			[]string{"pkg:maven/com.foreign/copied", "pkg:maven/org.parent/up", "pkg:maven/org.parent/dep", "pkg:maven/org.parent/unmentioned", "pkg:golang/example.com/third",
				"pkg:gem/x", "pkg:npm/sub", "pkg:cargo/examples", "pkg:pypi/examples", "pkg:composer/docs/docs"}},
		"pom.xml with properties": {map[string]string{"pom.xml": pom(`<groupId>${g}</groupId><artifactId>a</artifactId>`)}, nil, []string{"pkg:maven/g/a"}},
		"nonsense": {map[string]string{"go.mod": "\x00", "package.json": "[", "Cargo.toml": "[[[", "pom.xml": "<a><b></a>", "x.gemspec": ".name = ", "setup.cfg": "=",
			"pyproject.toml": "name", "composer.json": "null"}, nil, []string{"pkg:npm/a"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := Of(fakeRoot(test.files), nil)
			if got := held(s, test.own...); !slices.Equal(got, test.own) {
				t.Errorf("own: %q, want %q", got, test.own)
			}
			if got := held(s, test.not...); got != nil {
				t.Errorf("taken for own: %q", got)
			}
			for _, o := range s.list {
				if _, ok := test.files[o.Known]; !ok {
					t.Errorf("%q is said by %q", o.Key, o.Known)
				}
			}
		})
	}
}

func TestPublished(t *testing.T) {
	github := []string{"pkg:github/owner/name@v1", "pkg:golang/github.com/Owner/Name@v1.0.0", "pkg:golang/github.com/owner/name/v2", "pkg:golang/github.com/owner/name/sub/module@v0.1.0"}
	foreign := []string{"pkg:github/owner/name2", "pkg:github/owner", "pkg:golang/github.com/owner", "pkg:golang/github.com/owner/name2", "pkg:golang/gitlab.com/owner/name", "pkg:npm/name", "pkg:golang/github.com"}
	tests := map[string][]string{
		"https://github.com/Owner/Name":                    github,
		"https://github.com/owner/name.git/":               github,
		"https://user:token@www.github.com/owner/name.git": github,
		"git@github.com:owner/name.git":                    github,
		"ssh://git@github.com/owner/name":                  github,
		"ssh://git@ssh.github.com:443/owner/name.git":      github,
		"git://github.com/owner/name.git":                  github,
		"https://gitlab.com/group/sub/name.git":            {"pkg:gitlab/group/sub/name", "pkg:golang/gitlab.com/group/sub/name@v1"},
		"git@git.example.com:team/name.git":                {"pkg:golang/git.example.com/team/name"},
		"https://github.com/owner":                         nil,
		"https://github.com/":                              nil,
		"https://github.com":                               nil,
		"file:///home/github.com/owner/name":               nil,
		"/home/github.com/owner/name":                      nil,
		"../github.com/owner/name":                         nil,
		`C:\github.com\owner\name`:                         nil,
		"ext::sh -c github.com/owner/name":                 nil,
		"https://github.com/owner/../name":                 nil,
		"https://github.com//":                             nil,
		"":                                                 nil,
	}
	for address, want := range tests {
		s := &Packages{list: published(address, "remote origin")}
		if got := held(s, want...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
		if got := held(s, foreign...); len(got) > 0 {
			t.Errorf("%s: takes %q for own", address, got)
		}
		if want == nil && len(s.list) > 0 {
			t.Errorf("%s: %+v", address, s.list)
		}
	}
}

func FuzzManifest(f *testing.F) {
	for i, text := range []string{
		"module example.org/x // y\n", `{"name": "@a/b"}`, `{"name": "a/b"}`, "[package]\nname = \"x\"\n", "[project]\nname = 'x_y'\n[tool.poetry]\nname = \"Z\"\n", "[metadata]\nname = x\n", "s.name = 'x'\n",
		"<project><groupId>g</groupId><artifactId>a</artifactId><modules><module>m</module></modules></project>",
	} {
		f.Add(byte(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, which byte, b []byte) {
		if len(b) > 700 { // longer inputs find nothing more and are slow
			return
		}
		m := manifests[int(which)%len(manifests)]
		for _, p := range m.packages(b, Files{read: func(string) []byte { return b }}) {
			if _, err := purl.Parse(p); err != nil {
				t.Errorf("%s: %v", m.pattern, err)
			}
		}
	})
}

func FuzzPublished(f *testing.F) {
	for _, address := range []string{"https://github.com/a/b.git", "ssh://git@gitlab.com:22/a/b", "git@github.com:a/b", "/srv/git/x", "C:\\x"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		for _, own := range published(address, "remote") {
			if own.Key == "" || !strings.Contains(own.Key, "/") || own.Known != "remote" {
				t.Errorf("%q: %+v", address, own)
			}
		}
	})
}

// TestRepositories: a remote's path is the repository's, however many groups it has; a module's may end in a directory of it.
func TestRepositories(t *testing.T) {
	for address, want := range map[string][]string{
		"git@github.com:Own/swap.git":           {"github.com/own/swap"},
		"https://gitlab.com/group/sub/swap.git": {"gitlab.com/group/sub/swap"},
		"https://gitlab.com/only":               nil,
		"C:\\swap":                              nil,
	} {
		s := &Packages{list: published(address, "remote")}
		if got := s.Repositories(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	files := Files{names: func() []string { return []string{"go.mod"} }, read: func(string) []byte { return []byte("module github.com/own/swap/cmd/tool\n") }}
	if got := Of(files, nil).Repositories(); len(got) > 0 {
		t.Errorf("a module in a directory: %q", got)
	}
}

// TestPackaged: a package of Debian is own if the repository that Debian names is the target's. In other ecosystems a name is no proof.
func TestPackaged(t *testing.T) {
	s := &Packages{list: published("git@github.com:Own/swap.git", "remote origin")}
	for _, c := range []struct {
		purl, repository string
		own              bool
	}{
		{"pkg:deb/debian/libswap@1.0-1", "https://github.com/own/Swap.git", true},
		{"pkg:deb/debian/libswap@1.0-1", "https://github.com/own/swap2", false},
		{"pkg:deb/debian/swap@1.0-1", "", false},
		{"pkg:npm/swap@1.0.0", "https://github.com/own/swap", false},
	} {
		if got := s.Declaration(c.purl, c.repository) != ""; got != c.own {
			t.Errorf("%s from %q: own %t, want %t", c.purl, c.repository, got, c.own)
		}
	}
	if (&Packages{}).Declaration("pkg:deb/debian/swap@1", "https://github.com/own/swap") != "" {
		t.Error("a target without a remote has an own package")
	}
}

// TestNested: a module below the root's is the target's if its name and its place agree; a copy that keeps its go.mod is not.
func TestNested(t *testing.T) {
	mods := map[string]string{
		"go.mod": "module example.org/Root/v2\n", "api/go.mod": "module example.org/Root/api\n", "tools/gen/go.mod": "module example.org/Root/tools/gen/v3\n",
		"third_party/x/go.mod": "module github.com/x/x\n", "moved/go.mod": "module example.org/Root/elsewhere\n",
		"go.work": "go 1.24\nuse (\n\t.\n\t./staging/used\n\t./third_party/x\n\t../up\n)\n", "staging/used/go.mod": "module example.org/Root/used\n", "../up/go.mod": "module example.org/Root/up\n",
	}
	files := Files{names: func() []string { return []string{"go.mod"} }, read: func(name string) []byte { return []byte(mods[name]) }}
	s := Of(files, nil)
	if by := s.Declaration("pkg:golang/example.org/Root/used@v1.0.0", ""); by != "go.mod in a directory that go.work uses" {
		t.Errorf("a module that go.work uses is own by %q", by)
	}
	for _, p := range []string{"pkg:golang/example.org/Root/api@v1.0.0", "pkg:golang/example.org/Root/tools/gen/v3@v3.1.0"} {
		if s.Declaration(p, "") == "" {
			t.Errorf("%s is not own", p)
		}
	}
	for _, p := range []string{
		"pkg:golang/example.org/Root/tools/gen@v1.0.0", "pkg:golang/example.org/Root/moved@v1.0.0", "pkg:golang/example.org/Root/elsewhere@v1.0.0",
		"pkg:golang/github.com/x/x@v1.0.0", "pkg:golang/example.org/Root/up@v1.0.0", "pkg:golang/example.org/Root/third_party/x@v1.0.0", "pkg:golang/example.org/Root/..@v1", "pkg:npm/api@1.0.0",
	} {
		if by := s.Declaration(p, ""); by != "" {
			t.Errorf("%s is own by %s", p, by)
		}
	}
}

// TestOwns: the owner of the account, the scope or the group owns the package; a host where everybody publishes has no owner.
func TestOwns(t *testing.T) {
	for _, c := range []struct {
		self    string
		owns    []string
		foreign []string
	}{
		{"pkg:golang/github.com/Acme/app", []string{"pkg:golang/github.com/acme/lib@v1.0.0"}, []string{"pkg:golang/github.com/acme2/lib@v1", "pkg:golang/gitlab.com/acme/lib", "pkg:npm/acme"}},
		{"pkg:npm/%40acme/app", []string{"pkg:npm/%40acme/lib@1.0.0", "pkg:npm/acme"}, []string{"pkg:npm/lib", "pkg:npm/%40other/app", "pkg:npm/app"}},
		{"pkg:npm/app", []string{"pkg:npm/%40app/lib"}, []string{"pkg:npm/lib", "pkg:npm/app2", "pkg:npm/%40app2/lib", "pkg:npm/%40lib/app"}},
		{"pkg:maven/org.acme/app", []string{"pkg:maven/org.acme/lib@1"}, []string{"pkg:maven/org.acmes/lib"}},
		{"pkg:golang/gopkg.in/yaml.v3", nil, []string{"pkg:golang/gopkg.in/check.v1"}},
		{"pkg:deb/debian/libgit2", nil, []string{"pkg:deb/debian/zlib@1.2"}},
		{"pkg:golang/go.acme.org/app", []string{"pkg:golang/go.acme.org/lib/v2@v2.0.0"}, []string{"pkg:golang/acme.org/lib"}},
	} {
		s := &Packages{list: []ownPackage{own(c.self, "manifest")}}
		for _, p := range c.owns {
			if !s.SameOwner(p) {
				t.Errorf("%s: %s is somebody else's", c.self, p)
			}
		}
		for _, p := range c.foreign {
			if s.SameOwner(p) {
				t.Errorf("%s: %s is of the same owner", c.self, p)
			}
		}
	}
}
