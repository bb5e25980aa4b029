package places

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// home writes files of a home directory.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each tool's credentials go to the addresses that its own configuration names, and to
// no others.
func TestCredentials(t *testing.T) {
	dir := home(t, map[string]string{
		".netrc":                     "# machine no.example login x password y\nmachine git.example login ada password secret\nmachine empty.example login x\nmacdef init\nmachine macro.example login a password b\n\ndefault login any password thing\n",
		"apt/auth.conf.d/a.conf":     "machine deb.example/debian login d password e\n",
		".npmrc":                     "registry=https://npm.example/all/\n@acme:registry=https://acme.example/\n; //no.example/:_authToken=x\n//npm.example/all/:_authToken=${NPM_TOKEN}\n//old.example/:username=u\n//old.example/:_password=cHc=\n//auth.example/:_auth=QUJD\n",
		".cargo/config.toml":         "[registries.own]\nindex = \"sparse+https://crates.example/index/\"\n[registries.git]\nindex = \"https://git.example/index\"\n",
		".cargo/credentials.toml":    "[registry]\ntoken = \"publish\"\n[registries.own]\ntoken = \"Bearer crates\"\n[registries.git]\ntoken = \"no\"\n",
		".bundle/config":             "---\nBUNDLE_GEMS__MY___HOST__EXAMPLE: \"g:p%40w\"\nBUNDLE_PATH: \"vendor/bundle\"\nBUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/: \"https://mirror.example/\"\n",
		".config/composer/auth.json": `{"http-basic": {"php.example": {"username": "c", "password": "d"}}, "bearer": {"b.example": "bt"}, "gitlab-token": {"lab.example": {"username": "x", "token": "gt"}}, "github-oauth": {"github.com": "gh"}}`,
		".nuget/NuGet/NuGet.Config":  `<configuration><packageSources><add key="off" value="https://off.example/v3/index.json"/><add key="my feed" value="https://nuget.example/f/v3/index.json"/></packageSources><disabledPackageSources><add key="off" value="true"/></disabledPackageSources><packageSourceCredentials><my_x0020_feed><add key="Username" value="n"/><add key="ClearTextPassword" value="%NUGET_PW%"/></my_x0020_feed><off><add key="Username" value="n"/><add key="Password" value="encrypted"/></off></packageSourceCredentials></configuration>`,
		".m2/settings.xml":           `<settings><servers><server><id>corp</id><username>m</username><password>${env.MVN_PW}</password></server><server><id>enc</id><username>m</username><password>{x=}</password></server></servers><mirrors><mirror><id>enc</id><url>https://enc.example</url><mirrorOf>none</mirrorOf></mirror></mirrors><profiles><profile><id>p</id><repositories><repository><id>corp</id><url> https://mvn.example/repo </url></repository></repositories></profile><profile><id>q</id><repositories><repository><id>corp</id><url>https://inactive.example</url></repository></repositories></profile></profiles><activeProfiles><activeProfile>p</activeProfile></activeProfiles></settings>`,
	})
	vars := map[string]string{"NPM_TOKEN": "nt", "NUGET_PW": "np", "MVN_PW": "mp", "COMPOSER_AUTH": `{"bearer": {"env.example": "et"}}`, "GITHUB_TOKEN": "ght"}
	e := Env{Getenv: func(k string) string { return vars[k] }, Home: dir, Apt: filepath.Join(dir, "apt")}
	all := e.Credentials()
	for addr, want := range map[string]string{
		"https://git.example/a":                  "Basic YWRhOnNlY3JldA==",
		"http://git.example/a":                   "",
		"https://no.example/":                    "",
		"https://macro.example/":                 "",
		"https://empty.example/":                 "",
		"https://deb.example/debian/dists/x":     "Basic ZDpl",
		"https://deb.example/":                   "",
		"https://npm.example/all/pad":            "Bearer nt",
		"https://npm.example/pad":                "",
		"https://evil.npm.example/all/pad":       "",
		"https://old.example/x":                  "Basic dTpwdw==",
		"https://auth.example/x":                 "Basic QUJD",
		"https://crates.example/index/it/oa":     "Bearer crates",
		"https://index.crates.io/it/oa":          "",
		"https://gems.my-host.example/info/rack": "Basic ZzpwQHc=",
		"https://php.example/p2/x":               "Basic Yzpk",
		"https://b.example/":                     "Bearer bt",
		"https://lab.example/":                   "gt",
		"https://env.example/":                   "Bearer et",
		"https://api.github.com/repos":           "Bearer gh",
		"https://nuget.example/f/v3/flat/x":      "Basic bjpucA==",
		"https://off.example/v3/x":               "",
		"https://mvn.example/repo/org":           "Basic bTptcA==",
		"https://inactive.example/":              "",
		"https://enc.example/":                   "",
		"https://example.org/":                   "",
	} {
		u, err := url.Parse(addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := all.For(u, false); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
	r := e.Registries()
	if want := []string{"https://mvn.example/repo", "https://repo.maven.apache.org/maven2"}; !reflect.DeepEqual(r.Maven, want) || r.RubyGems != "https://mirror.example" || r.NuGet != "https://nuget.example/f/v3/index.json" {
		t.Errorf("%+v", r)
	}
	if registry, scopes := e.NPM(); registry != "https://npm.example/all/" || !reflect.DeepEqual(scopes, map[string]string{"@acme": "https://acme.example/"}) {
		t.Errorf("%s %v", registry, scopes)
	}
	vars["npm_config_registry"] = "https://env.example"
	if registry, _ := e.NPM(); registry != "https://env.example" {
		t.Error(registry)
	}
}

// If several files of pip set a key, the file that pip reads last decides.
func TestPipFiles(t *testing.T) {
	dir := home(t, map[string]string{
		".config/pip/pip.conf": "[global]\nextra_index_url =\n  https://x.example/simple\n  https://y.example/simple\n[list]\nindex-url = https://no.example\n",
		".pip/pip.conf":        "[install]\nindex-url = https://z.example/simple\nextra-index-url = https://no.example\n",
	})
	e := Env{Getenv: func(string) string { return "" }, Home: dir}
	first, further := e.pip()
	if first != "https://z.example/simple" || !reflect.DeepEqual(further, []string{"https://x.example/simple", "https://y.example/simple"}) {
		t.Errorf("%s %v", first, further)
	}
}
