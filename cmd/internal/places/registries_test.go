package places

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// TestRegistries: the registries are the ones in the configuration of each tool.
func TestRegistries(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{
		".config/pip/pip.conf":         "[global]\nindex-url = https://pip.example/simple\n",
		".cargo/config.toml":           "[source.crates-io]\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = \"sparse+https://crates.example/index/\"\n",
		".gemrc":                       "---\n:sources:\n- https://gems.example/\n",
		".config/composer/config.json": `{"repositories": {"packagist.org": false, "own": {"type": "composer", "url": "https://php.example"}}}`,
		".nuget/NuGet/NuGet.Config":    `<configuration><packageSources><clear/><add key="local" value="C:\x"/><add key="own" value="https://nuget.example/v3/index.json"/></packageSources></configuration>`,
		".m2/settings.xml":             `<settings><mirrors><mirror><mirrorOf>other</mirrorOf><url>https://no.example</url></mirror><mirror><mirrorOf>external:*, central</mirrorOf><url> https://maven.example/all </url></mirror></mirrors></settings>`,
		"apt/sources.list":             "# comment\ndeb [signed-by=/k arch=amd64] http://a.example/debian/ stable main contrib\ndeb-src http://a.example/debian stable main\ndeb cdrom:[x]/ stable main\ndeb http://flat.example ./\n",
		"apt/sources.list.d/b.sources": "Types: deb deb-src\nURIs: https://b.example/debian\nSuites: x x-updates\nComponents: main\nSigned-By: /k\n\n# end\n",
	} {
		full := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	vars := map[string]string{}
	e := Env{Getenv: func(k string) string { return vars[k] }, Home: home, Apt: filepath.Join(home, "apt")}
	want := remote.Registries{PyPI: "https://pip.example/simple", Cargo: "https://crates.example/index/", RubyGems: "https://gems.example", Composer: "https://php.example",
		NuGet: "https://nuget.example/v3/index.json", Maven: []string{"https://maven.example/all"}, GitHub: remote.Defaults().GitHub, GitHubRefs: remote.Defaults().GitHubRefs,
		Debian: []remote.Suite{{Archive: "http://a.example/debian", Name: "stable", Components: []string{"main", "contrib"}}, {Archive: "https://b.example/debian", Name: "x", Components: []string{"main"}}, {Archive: "https://b.example/debian", Name: "x-updates", Components: []string{"main"}}}}
	got := e.Registries()
	got.Indexes = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	vars["PIP_INDEX_URL"] = "https://env.example/simple"
	if got := e.Registries().PyPI; got != vars["PIP_INDEX_URL"] {
		t.Errorf("got %s", got)
	}
	got = Env{Getenv: func(string) string { return "" }}.Registries()
	got.Indexes = nil
	if !reflect.DeepEqual(got, remote.Defaults()) && firstFile("/etc/pip.conf", "/etc/gemrc") == nil {
		t.Errorf("without anything: got %+v", got)
	}
}
