package source

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
)

func TestDependencies(t *testing.T) {
	cache := modCache(t)
	goroot := tree(t, map[string]string{"VERSION": "go1.26.8\n", "src/runtime/r.go": "", "src/fmt/f.go": ""})
	root := tree(t, map[string]string{
		"go.mod":                          "module m.n/o\nrequire (\n\ta.b/c v1.0.0\n\ta.b/gone v1.0.0\n\ta.b/vendored v1.0.0\n)\n",
		"vendor/modules.txt":              "# a.b/c v1.0.0\na.b/c\n# a.b/vendored v1.0.0\na.b/vendored\n",
		"vendor/a.b/c/c.go":               "changed",
		"vendor/a.b/vendored/v.go":        "v",
		"tools/go.mod":                    "module m.n/tools\nrequire a.b/c v1.1.0\nreplace m.n/o => ../\n",
		"web/node_modules/x/package.json": `{"name":"x","version":"1"}`,
		"web/node_modules/y/index.js":     "",
		"php/vendor/z/z.php":              "",
		"bad/go.mod":                      "nonsense",
		"testdata/go.mod":                 "module x.y/z\nrequire a.b/never v1.0.0\n",
		".git/go.mod":                     "module x.y/z\nrequire a.b/never v1.0.0\n",
	})
	for range 2 { // twice, to detect results that depend on chance
		pkgs, skipped, err := Dependencies(t.Context(), root, Options{ModCache: cache, GoRoot: goroot})
		must(t, err)
		same(t, "packages", purls(pkgs), []string{"pkg:golang/a.b/c@v1.0.0", "pkg:golang/a.b/c@v1.1.0", "pkg:golang/a.b/vendored@v1.0.0", "pkg:golang/std@1.26.8", "pkg:npm/x@1"})
		same(t, "whole module", walk(t, pkgs[0], Limits{}).files, map[string]string{"c.go": "c1"})
		reasons := map[string]string{}
		for _, s := range skipped {
			rel, err := filepath.Rel(root, s.Path)
			if err != nil || strings.HasPrefix(rel, "..") {
				rel = s.Path
			}
			reasons[filepath.ToSlash(rel)] = s.Reason
		}
		same(t, "skipped", reasons, map[string]string{"bad/go.mod": ReasonUnreadable, "php/vendor/": ReasonMetadata, "pkg:golang/a.b/gone@v1.0.0": ReasonMissing, "web/node_modules/y": ReasonMetadata})
	}
}

// A GOROOT without a VERSION file is no Go distribution: the standard library is missing, and is told as missing.
func TestGoRootWithoutVersion(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": "module m.n/o\n"})
	goroot := tree(t, map[string]string{"src/runtime/r.go": "package runtime"})
	var unfound []string
	pkgs, skipped, err := Dependencies(t.Context(), root, Options{GoRoot: goroot, Unfound: func(language, _ string) { unfound = append(unfound, language) }})
	must(t, err)
	same(t, "packages", len(pkgs), 0)
	same(t, "languages without library", unfound, []string{"Go"})
	if len(skipped) != 1 || skipped[0].Reason != ReasonMissing {
		t.Errorf("skipped: %v", skipped)
	}
}

func TestDependenciesOfNothing(t *testing.T) {
	pkgs, skipped, err := Dependencies(t.Context(), t.TempDir(), Options{GoRoot: goEnv(t, "GOROOT")})
	if len(pkgs)+len(skipped) != 0 || err != nil {
		t.Errorf("got %v, %v, %v", purls(pkgs), skipped, err)
	}
	if _, _, err := Dependencies(t.Context(), filepath.Join(t.TempDir(), "absent"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// everywhere makes a home directory in which each ecosystem keeps a package, and a repository that uses all of them.
func everywhere(t testing.TB) (root string, p installed.Places) {
	home := tree(t, map[string]string{
		"site/Flask_Login-0.6.3.dist-info/METADATA":                  "Name: Flask-Login\nVersion: 0.6.3\nLicense: MIT\n",
		"site/Flask_Login-0.6.3.dist-info/RECORD":                    "flask_login/__init__.py,sha256=x,1\nflask_login/__pycache__/x.pyc,,\n../../../bin/flask,,\nflask_login/gone.py,,\nFlask_Login-0.6.3.dist-info/METADATA,,\n",
		"site/flask_login/__init__.py":                               "login",
		"site/other.py":                                              "not its own",
		"site/zope.interface-6.1.egg-info/PKG-INFO":                  "Name: zope.interface\nVersion: 6.1\n",
		"site/zope.interface-6.1.egg-info/top_level.txt":             "zope\n../evil\n",
		"site/zope/interface.py":                                     "zope",
		"site/click-8.1.7.dist-info/METADATA":                        "Name: click\nVersion: 8.1.7\n",
		"site/click-8.1.7.dist-info/RECORD":                          "click/core.py,,\n",
		"site/click/core.py":                                         "click",
		"cargo/registry/src/index.crates.io-1/itoa-1.0.9/Cargo.toml": "[package]\nname = \"itoa\"\nversion = \"1.0.9\"\nlicense = \"MIT OR Apache-2.0\"\n",
		"cargo/registry/src/index.crates.io-1/itoa-1.0.9/src/lib.rs": "itoa",
		"m2/org/slf4j/slf4j-api/2.0.9/slf4j-api-2.0.9-sources.jar":   string(buildZip(t, entry{name: "org/slf4j/Logger.java", content: "slf4j"})),
		"m2/org/slf4j/slf4j-api/2.0.9/slf4j-api-2.0.9.pom":           "<project><licenses><license><name>MIT</name></license></licenses></project>",
		"m2/org/none/none/1/none-1.jar":                              "compiled classes are no source",
		"gradle/com.a/b/1.0/0123/b-1.0-sources.jar":                  string(buildZip(t, entry{name: "B.kt", content: "b"})),
		"gems/gems/rack-3.0.8/lib/rack.rb":                           "rack",
		"gems/specifications/rack-3.0.8.gemspec":                     "  s.name = \"rack\"\n  s.version = \"3.0.8\"\n  s.date = \"2023-06-14\"\n  s.licenses = [\"MIT\".freeze]\n",
		"gems/cache/rack-3.0.8.gem":                                  "as RubyGems got it: the date is its own",
		"gems/gems/rackup-2.1.0/lib/rackup.rb":                       "of a distribution",
		"gems/specifications/rackup-2.1.0.gemspec":                   "  s.name = \"rackup\"\n  s.version = \"2.1.0\"\n  s.date = \"2026-11-20\"\n",
		"gems/gems/rack-attack-6.7.0/lib/a.rb":                       "another gem",
		"nuget/newtonsoft.json/13.0.3/newtonsoft.json.nuspec":        "<package><metadata><id>Newtonsoft.Json</id><version>13.0.3</version><license type=\"expression\">MIT</license></metadata></package>",
		"nuget/newtonsoft.json/13.0.3/src/Json.cs":                   "json",
		"lib/python3.11/os.py":                                       "std",
		"lib/python3.11/test/test_os.py":                             "tests",
		"include/python3.11/patchlevel.h":                            "#define PY_VERSION              \"3.11.7\"\n",
		"ruby/3.1.0/set.rb":                                          "set",
		"jdk/release":                                                "JAVA_VERSION=\"17.0.15\"\n",
		"jdk/lib/src.zip":                                            string(buildZip(t, entry{name: "java.base/java/lang/String.java", content: "string"})),
		"rust/library/std/src/lib.rs":                                "std",
		"rust/src/version":                                           "1.63.0 (x)",
	})
	root = tree(t, map[string]string{
		"requirements.txt":                      "flask-login==0.6.3\nzope-interface==6.1\nclick>=8\nabsent==1.0\n-e ./own\n",
		"tests/requirements.txt":                "never==1.0\n",
		"rs/Cargo.lock":                         "[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n[[package]]\nname = \"itoa\"\nversion = \"1.0.9\"\nsource = \"registry+x\"\n[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n",
		"rs/vendor/memchr/.cargo-checksum.json": "{}",
		"rs/vendor/memchr/Cargo.toml":           "[package]\nname = \"memchr\"\nversion = \"2.6.0\"\n",
		"rs/vendor/memchr/src/lib.rs":           "memchr",
		"jv/pom.xml":                            "<project><groupId>a</groupId><artifactId>b</artifactId><version>1</version><parent><groupId>p</groupId><artifactId>p</artifactId><version>1</version></parent><dependencies><dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>${s}</version></dependency><dependency><groupId>org.none</groupId><artifactId>none</artifactId><version>1</version></dependency></dependencies></project>",
		"pom.xml":                               "<project><groupId>p</groupId><artifactId>p</artifactId><version>1</version><properties><s>2.0.9</s></properties></project>",
		"kt/gradle.lockfile":                    "com.a:b:1.0=x\nempty=\n",
		"rb/Gemfile.lock":                       "GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.0.8)\n    rackup (2.1.0)\n    racc (1.7.1)\n\nDEPENDENCIES\n",
		"rb/vendor/bundle/ruby/3.1.0/gems/racc-1.7.1/lib/racc.rb":             "racc",
		"cs/packages.lock.json":                                               `{"dependencies":{"net8.0":{"Newtonsoft.Json":{"type":"Direct","resolved":"13.0.3"}}}}`,
		"php/composer.lock":                                                   `{"packages":[{"name":"monolog/monolog","version":"3.5.0"},{"name":"psr/log","version":"3.0.0"}]}`,
		"php/vendor/composer/installed.json":                                  `{"packages":[{"name":"monolog/monolog","version":"3.5.0","license":["MIT"],"time":"2023-10-27T15:32:31+00:00","install-path":"../monolog/monolog"},{"name":"evil/evil","version":"1","install-path":"../../../.."}]}`,
		"php/vendor/monolog/monolog/src/Logger.php":                           "monolog",
		"py/.venv/pyvenv.cfg":                                                 "home = /usr/bin\n",
		"py/.venv/lib/python3.11/site-packages/six-1.16.0.dist-info/METADATA": "Name: six\nVersion: 1.16.0\n",
		"py/.venv/lib/python3.11/site-packages/six-1.16.0.dist-info/RECORD":   "six.py,,\n",
		"py/.venv/lib/python3.11/site-packages/six.py":                        "six",
	})
	in := func(rel string) []string { return []string{filepath.Join(home, filepath.FromSlash(rel))} }
	return root, installed.Places{Python: in("site"), Cargo: in("cargo"), Maven: in("m2"), Gradle: in("gradle"), Gems: in("gems"), NuGet: in("nuget"),
		PythonLib: in("lib/python3.11")[0], RubyLib: in("ruby/3.1.0")[0], Java: in("jdk")[0], RustLib: in("rust/library")[0]}
}

// The dependencies of a repository are found where each ecosystem keeps them. Missing ones are listed with the command that
// fetches them.
func TestDependenciesOfEveryEcosystem(t *testing.T) {
	root, places := everywhere(t)
	for range 2 {
		pkgs, skipped, err := Dependencies(t.Context(), root, Options{Places: func(string) installed.Places { return places }})
		must(t, err)
		var got []string
		for _, p := range pkgs {
			if std := strings.HasPrefix(p.PURL, "pkg:generic/"); p.Asked != std {
				t.Errorf("%s: asked %v", p.PURL, p.Asked)
			}
			r := walk(t, p, Limits{})
			released := ""
			if !p.Released.IsZero() {
				released = p.Released.Format(time.DateOnly)
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", p.PURL, p.License, released, strings.Join(slices.Sorted(maps.Keys(r.files)), " ")))
		}
		same(t, "packages", got, []string{
			"pkg:cargo/itoa@1.0.9 MIT OR Apache-2.0  Cargo.toml src/lib.rs",
			"pkg:cargo/memchr@2.6.0   .cargo-checksum.json Cargo.toml src/lib.rs",
			"pkg:composer/monolog/monolog@3.5.0 MIT 2023-10-27 src/Logger.php",
			"pkg:gem/racc@1.7.1   lib/racc.rb",
			"pkg:gem/rack@3.0.8 MIT 2023-06-14 lib/rack.rb",
			"pkg:gem/rackup@2.1.0   lib/rackup.rb",
			"pkg:generic/cpython@3.11.7 PSF-2.0  os.py",
			"pkg:generic/openjdk@17.0.15 GPL-2.0-only WITH Classpath-exception-2.0  java.base/java/lang/String.java",
			"pkg:generic/ruby@3.1.0 BSD-2-Clause OR Ruby  set.rb",
			"pkg:generic/rust@1.63.0 MIT OR Apache-2.0  std/src/lib.rs",
			"pkg:maven/com.a/b@1.0   B.kt",
			"pkg:maven/org.slf4j/slf4j-api@2.0.9 MIT  org/slf4j/Logger.java",
			"pkg:nuget/Newtonsoft.Json@13.0.3 MIT  newtonsoft.json.nuspec src/Json.cs",
			"pkg:pypi/click@8.1.7   click/core.py",
			"pkg:pypi/flask-login@0.6.3 MIT  Flask_Login-0.6.3.dist-info/METADATA flask_login/__init__.py",
			"pkg:pypi/six@1.16.0   six.py",
			"pkg:pypi/zope.interface@6.1   zope.interface-6.1.egg-info/PKG-INFO zope/interface.py",
		})
		same(t, "skipped", skipped, []Skipped{
			{"./own", "local", "requirements.txt: -e ./own", "", NoAnswer},
			{"pkg:cargo/serde@1.0.0", ReasonMissing, `not on this machine: run "(cd rs && cargo fetch)"`, "(cd rs && cargo fetch)", NoAnswer},
			{"pkg:composer/psr/log@3.0.0", ReasonMissing, `not on this machine: run "(cd php && composer install)"`, "(cd php && composer install)", NoAnswer},
			{"pkg:maven/org.none/none@1", ReasonMissing, `not on this machine: run "(cd jv && mvn dependency:sources)"`, "(cd jv && mvn dependency:sources)", NoAnswer},
			{"pkg:pypi/absent@1.0", ReasonMissing, `not on this machine: run "pip install -r requirements.txt"`, "pip install -r requirements.txt", NoAnswer},
		})
	}
}

// A repository without lock files is compared with the standard libraries of its languages. The report names the command
// that would find more.
func TestDependenciesWithoutLock(t *testing.T) {
	_, places := everywhere(t)
	for name, want := range map[string]string{
		"Cargo.toml": "pkg:generic/rust@1.63.0", "setup.py": "pkg:generic/cpython@3.11.7", "Gemfile": "pkg:generic/ruby@3.1.0", "build.gradle.kts": "pkg:generic/openjdk@17.0.15",
	} {
		pkgs, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{name: ""}), Options{Places: func(string) installed.Places { return places }})
		must(t, err)
		same(t, name, purls(pkgs), []string{want})
		if len(skipped) != 1 || skipped[0].Path != name || skipped[0].Bring == "" || skipped[0].Reason != ReasonNoLock {
			t.Errorf("%s: skipped %v", name, skipped)
		}
	}
	pom := "<project><dependencies><dependency><groupId>org.none</groupId><artifactId>none</artifactId></dependency></dependencies></project>"
	_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{"pom.xml": pom}), Options{Places: func(string) installed.Places { return places }})
	must(t, err)
	same(t, "without a version", skipped, []Skipped{{"pkg:maven/org.none/none", ReasonMissing, `no version is on this machine: run "mvn dependency:sources"`, "mvn dependency:sources", NoAnswer}})
	pkgs, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{"a.py": "", "b.rb": ""}), Options{Places: func(string) installed.Places { return places }})
	must(t, err)
	same(t, "by extension", purls(pkgs), []string{"pkg:generic/cpython@3.11.7", "pkg:generic/ruby@3.1.0"})
	same(t, "skipped", skipped, []Skipped(nil))
	goroot := tree(t, map[string]string{"VERSION": "go1.26.8\n", "src/runtime/r.go": ""})
	pkgs, _, err = Dependencies(t.Context(), tree(t, map[string]string{"a.go": "", "b.rb": ""}), Options{GoRoot: goroot, Places: func(string) installed.Places { return places }})
	must(t, err)
	same(t, "Go without go.mod", purls(pkgs), []string{"pkg:generic/ruby@3.1.0", "pkg:golang/std@1.26.8"})
}

// TestDependenciesOfNone: a manifest that names no package is not missing a lock file, and does not hide one that names some.
func TestDependenciesOfNone(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"package.json": `{"name":"x"}`, "Cargo.toml": "[package]\n", "composer.json": `{"require":{"php":"*"}}`}, nil},
		{map[string]string{"package.json": `{"name":"x"}`, "web/package.json": `{"dependencies":{"a":"1"}}`}, []string{"web/package.json"}},
		{map[string]string{"package.json": `{"dependencies":{"a":"1"}}`, "web/package.json": `{"name":"x"}`}, []string{"package.json"}},
	} {
		_, skipped, err := Dependencies(t.Context(), tree(t, c.files), Options{Places: func(string) installed.Places { return installed.Places{} }})
		must(t, err)
		var got []string
		for _, s := range skipped {
			got = append(got, s.Path)
		}
		same(t, "without a lock file", got, c.want)
	}
}

// No command fetches an optional package for other machines: npm leaves it out again.
func TestOtherMachines(t *testing.T) {
	root := tree(t, map[string]string{"package.json": "{}", "package-lock.json": `{"packages":{
"node_modules/wanted":{"version":"1.0.0"},
"node_modules/optional":{"version":"1.0.0","optional":true},
"node_modules/here":{"version":"1.0.0","optional":true,"os":["` + nodeSystem(runtime.GOOS) + `"],"cpu":["` + nodeProcessor(runtime.GOARCH) + `"]},
"node_modules/there":{"version":"1.0.0","optional":true,"os":["plan9from"]},
"node_modules/not-here":{"version":"1.0.0","optional":true,"os":["!` + nodeSystem(runtime.GOOS) + `"]},
"node_modules/other-chip":{"version":"1.0.0","optional":true,"cpu":["pdp11"]},
"node_modules/musl":{"version":"1.0.0","optional":true,"libc":["musl"]},
"node_modules/required":{"version":"1.0.0","os":["plan9from"]},
"node_modules/odd":{"version":"1.0.0","optional":true,"os":7}}}`})
	_, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	var brought, all []string
	for _, s := range skipped {
		name := strings.TrimSuffix(strings.TrimPrefix(s.Path, "pkg:npm/"), "@1.0.0")
		if all = append(all, name); s.Bring != "" {
			brought = append(brought, name)
		}
	}
	slices.Sort(brought)
	same(t, "all", len(all), 9)
	reasons := map[string]int{}
	for _, s := range skipped {
		reasons[s.Reason]++
	}
	same(t, "reasons", fmt.Sprint(reasons), fmt.Sprint(map[string]int{ReasonMissing: 5, ReasonMachine: 4}))
	same(t, "brought by a command", strings.Join(brought, " "), "here odd optional required wanted")
}

// A package that one lock file leaves out here and another wants is missing, once.
func TestOtherMachinesAndThisOne(t *testing.T) {
	_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{
		"package-lock.json":   `{"packages":{"node_modules/x":{"version":"1.0.0","optional":true,"os":["plan9from"]}}}`,
		"a/package.json":      "{}",
		"a/package-lock.json": `{"packages":{"node_modules/x":{"version":"1.0.0"}}}`,
	}), Options{})
	must(t, err)
	same(t, "skipped", skipped, []Skipped{{"pkg:npm/x@1.0.0", ReasonMissing, `not on this machine: run "(cd a && npm ci)"`, "(cd a && npm ci)", NoAnswer}})
}

// Yarn 2 and later writes the machines of a package into its lock file, as conditions. It fetches no package of another machine.
func TestOtherMachinesOfYarn(t *testing.T) {
	here, chip := nodeSystem(runtime.GOOS), nodeProcessor(runtime.GOARCH)
	lock := "__metadata:\n  version: 8\n"
	for name, c := range map[string]string{"wanted": "", "here": "os=" + here + " & cpu=" + chip, "either": "(os=plan9from | os=" + here + ")", "there": "os=plan9from", "not-here": "os=!" + here,
		"not-here-2": "!os=" + here, "other-chip": "os=" + here + " & cpu=pdp11", "musl": "os=" + here + " & libc=musl", "odd": "os=plan9from & moon", "odder": "((os=plan9from))"} {
		lock += "\n\"" + name + "@npm:1\":\n  version: 1.0.0\n  resolution: \"" + name + "@npm:1.0.0\"\n"
		if c != "" {
			lock += "  conditions: \"" + c + "\"\n"
		}
	}
	_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{"package.json": "{}", "yarn.lock": lock}), Options{})
	must(t, err)
	var brought []string
	for _, s := range skipped {
		if s.Bring != "" {
			same(t, s.Path, s.Bring, "yarn install --immutable")
			brought = append(brought, strings.TrimSuffix(strings.TrimPrefix(s.Path, "pkg:npm/"), "@1.0.0"))
		}
	}
	slices.Sort(brought)
	same(t, "all", len(skipped), 10)
	same(t, "brought by a command", strings.Join(brought, " "), "either here odd odder wanted")
}

// Commands name their directory, once for each package, and are quoted for a shell: a directory can have any name.
func TestCommandsNameTheirDirectory(t *testing.T) {
	root := tree(t, map[string]string{
		"go.mod":                   "module m.n/o\nrequire a.b/one v1.0.0\n",
		"a/go.mod":                 "module m.n/o/a\nrequire (\n\ta.b/one v1.0.0\n\ta.b/two v1.0.0\n)\n",
		"web/package-lock.json":    `{"packages":{"node_modules/x":{"version":"1.0.0"}}}`,
		"web/package.json":         "{}",
		"kt/js/yarn.lock":          "alone@^1:\n  version \"1.0.0\"\n", // the Kotlin plugin writes it, and no package.json
		"py/requirements-dev.txt":  "six==1.16.0\n",
		"it's $(x)/Cargo.lock":     "[[package]]\nname = \"itoa\"\nversion = \"1.0.9\"\nsource = \"registry+x\"\n",
		"-rb/Gemfile.lock":         "GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.0.8)\n\nDEPENDENCIES\n",
		"line\nbreak/Gemfile.lock": "GEM\n  remote: https://rubygems.org/\n  specs:\n    puma (6.0.0)\n\nDEPENDENCIES\n",
		"kt/gradle.lockfile":       "com.a:b:1.0=x\nempty=\n",
		"cs/packages.lock.json":    `{"dependencies":{"net8.0":{"Own":{"type":"Direct","resolved":"1.0.0"}}}}`,
		"php/app/composer.lock":    `{"packages":[{"name":"psr/log","version":"3.0.0"}]}`,
		"jv/pom.xml":               "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>",
	})
	brings := func(here string) map[string]string {
		t.Helper()
		_, skipped, err := Dependencies(t.Context(), root, Options{Here: here})
		must(t, err)
		out := map[string]string{}
		for _, s := range skipped {
			if _, twice := out[s.Path]; twice {
				t.Errorf("%s is told twice", s.Path)
			}
			out[s.Path] = s.Bring
		}
		return out
	}
	want := map[string]string{
		"pkg:golang/a.b/one@v1.0.0":  "go mod download",
		"pkg:golang/a.b/two@v1.0.0":  "(cd a && go mod download)",
		"pkg:npm/x@1.0.0":            "(cd web && npm ci)",
		"pkg:npm/alone@1.0.0":        "",
		"pkg:pypi/six@1.16.0":        "(cd py && pip install -r requirements-dev.txt)",
		"pkg:cargo/itoa@1.0.9":       `(cd 'it'\''s $(x)' && cargo fetch)`,
		"pkg:gem/rack@3.0.8":         "(cd ./-rb && bundle install)",
		"pkg:gem/puma@6.0.0":         "",
		"pkg:maven/com.a/b@1.0":      "mvn dependency:get -Dartifact=com.a:b:1.0:jar:sources",
		"pkg:nuget/Own@1.0.0":        "(cd cs && dotnet restore)",
		"pkg:composer/psr/log@3.0.0": "(cd php/app && composer install)",
		"pkg:maven/g/a@1":            "(cd jv && mvn dependency:sources)",
	}
	same(t, "at the root", brings(root), want)
	same(t, "without a place", brings(""), want)
	at := brings(filepath.Join(root, "a"))
	same(t, "in the directory", at["pkg:golang/a.b/two@v1.0.0"], "go mod download")
	real, err := filepath.EvalSymlinks(root)
	must(t, err)
	same(t, "beside it", at["pkg:npm/x@1.0.0"], "(cd "+filepath.Join(real, "web")+" && npm ci)")
}

// TestOneCommandForABuildOfModules: Maven reads all modules of a build at once, so one command at its root brings what they need. A
// pom.xml that no other one names, or that is named by one beside it, has its own command.
func TestOneCommandForABuildOfModules(t *testing.T) {
	pom := func(needs, modules string) string {
		if needs != "" {
			needs = "<dependencies><dependency><groupId>g</groupId><artifactId>" + needs + "</artifactId><version>1</version></dependency></dependencies>"
		}
		return "<project>" + needs + "<modules>" + modules + "</modules></project>"
	}
	root := tree(t, map[string]string{
		"pom.xml":                pom("root", "<module>core</module><module> tools/pom.xml </module><module>../../out</module><module>absent</module>"),
		"core/pom.xml":           pom("core", "<module>deep/down</module>"),
		"core/deep/down/pom.xml": pom("down", "<module>../..</module><module>.</module>"),
		"tools/pom.xml":          pom("tools", "<module>../core</module>"),
		"alone/pom.xml":          pom("alone", "<module>../beside</module>"),
		"beside/pom.xml":         pom("beside", "<module>../alone</module>"),
	})
	_, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	got := map[string]string{}
	for _, s := range skipped {
		got[s.Path] = s.Bring
	}
	same(t, "commands", got, map[string]string{
		"pkg:maven/g/root@1": "mvn dependency:sources", "pkg:maven/g/core@1": "mvn dependency:sources",
		"pkg:maven/g/down@1": "mvn dependency:sources", "pkg:maven/g/tools@1": "mvn dependency:sources",
		"pkg:maven/g/alone@1": "(cd alone && mvn dependency:sources)", "pkg:maven/g/beside@1": "(cd beside && mvn dependency:sources)",
	})
}

// The manifest nearest to the root determines the command that makes a lock file.
func TestLockingOfTheNearestManifest(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"apps/web/package.json", "package.json"}, "npm install"},
		{[]string{"apps/web/package.json"}, "(cd apps/web && npm install)"},
		{[]string{"lib/pyproject.toml"}, "(cd lib && pip install .)"},
		{[]string{"lib/Pipfile"}, "(cd lib && pipenv install)"},
		{[]string{"src/Own.csproj"}, "(cd src && dotnet restore --use-lock-file)"},
		{[]string{"src/packages.config"}, ""},
		{[]string{"app/build.gradle.kts"}, "(cd app && gradle dependencies --write-locks)"},
	} {
		in := map[string]string{}
		for _, f := range c.files {
			in[f] = ""
		}
		_, skipped, err := Dependencies(t.Context(), tree(t, in), Options{})
		must(t, err)
		if len(skipped) != 1 || skipped[0].Bring != c.want || skipped[0].Reason != ReasonNoLock {
			t.Errorf("%q: %v, want %q", c.files, skipped, c.want)
		}
	}
}

// TestBringsPartsOfPyproject: "pip install ." installs neither extras nor groups, so the command names one of them. It also brings the
// dependencies of the project itself.
func TestBringsPartsOfPyproject(t *testing.T) {
	root := tree(t, map[string]string{"pyproject.toml": `[project]
dependencies = ["click>=8", "tomli>=1; python_version < '3.11'"]
[project.optional-dependencies]
d = ["aiohttp>=3", "six==1.16.0"]
"x; y" = ["idna"]
[dependency-groups]
docs = ["sphinx==9.1.0", "click>=9", "six==1.16.0"]
a = ["pytest", {include-group = "docs"}]
b = ["pytest"]
`})
	_, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	got := map[string]string{}
	for _, s := range skipped {
		got[s.Path] = s.Bring
		if s.Path == "pkg:pypi/tomli" && !strings.Contains(s.Detail, ": tomli>=1; python_version < '3.11'") {
			t.Errorf("tomli: %q", s.Detail)
		}
	}
	same(t, "commands", got, map[string]string{
		"pkg:pypi/click": "pip install .", "pkg:pypi/tomli": "pip install .", "pkg:pypi/idna": "pip install .",
		"pkg:pypi/aiohttp": "pip install '.[d]'", "pkg:pypi/six@1.16.0": "pip install '.[d]'",
		"pkg:pypi/sphinx@9.1.0": "pip install --group docs", "pkg:pypi/pytest": "pip install --group a",
	})
}

// The packages of CocoaPods lie in Pods, at the version in Manifest.lock there. Its other files are not the repository's own.
func TestCocoaPods(t *testing.T) {
	root := tree(t, map[string]string{
		"ios/Podfile":                    "pod 'Ring'\n",
		"ios/Podfile.lock":               "PODS:\n  - Gone (1.0)\n  - Newer (2.0)\n  - Ours (1.0)\n  - Ring (1.2.3):\n    - Ring/Core\n  - Ring/Core (1.2.3)\n\nEXTERNAL SOURCES:\n  Ours:\n    :path: \"..\"\n\nCOCOAPODS: 1.11.2\n",
		"ios/Pods/Manifest.lock":         "PODS:\n  - Newer (1.0)\n  - Ring (1.2.3):\n    - Ring/Core\n  - Ring/Core (1.2.3)\n\nCOCOAPODS: 1.11.2\n",
		"ios/Pods/Ring/Ring/Ring.m":      "ring",
		"ios/Pods/Ring/package.json":     `{"name":"never","dependencies":{"x":"1"}}`,
		"ios/Pods/Newer/Newer.m":         "another version",
		"ios/Pods/Ring/requirements.txt": "never==1.0\n",
	})
	pkgs, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:cocoapods/Ring@1.2.3"})
	same(t, "files", slices.Sorted(maps.Keys(walk(t, pkgs[0], Limits{}).files)), []string{"Ring/Ring.m", "package.json", "requirements.txt"})
	const bring = "(cd ios && pod install)"
	missing := `not on this machine: run "` + bring + `"`
	same(t, "skipped", skipped, []Skipped{
		{"Ours", "local", "ios/Podfile.lock: ..", "", NoAnswer},
		{"pkg:cocoapods/Gone@1.0", ReasonMissing, missing, bring, NoAnswer},
		{"pkg:cocoapods/Newer@2.0", ReasonMissing, missing, bring, NoAnswer},
	})
}

// Packages of SwiftPM are repositories at a commit. They are found in the checkouts, at exactly that commit.
func TestSwift(t *testing.T) {
	const at, other = "32e8d724467f8fe623624570367e3d50c5638e46", "702cd7c56d5d44eeba73fdf83918339b26dc855c"
	pin := func(name, location, revision, version string) string {
		return fmt.Sprintf(`{"identity":%q,"kind":"remoteSourceControl","location":%q,"state":{"revision":%q,"version":%q}}`, name, location, revision, version)
	}
	resolved := `{"pins":[` + pin("swift-log", "https://github.com/apple/swift-log.git", at, "1.5.2") + "," + pin("other", "https://git.example.org/a/Other", at, "2.0.0") + "," +
		pin("gone", "git@gitlab.com:g/Gone.git", at, "3.0.0") + `],"version":2}`
	root := tree(t, map[string]string{
		"Package.swift":                                "let package = Package(dependencies: [.package(url: \"x\", from: \"1.0.0\")])",
		"Package.resolved":                             resolved,
		".build/checkouts/swift-log/.git/HEAD":         at + "\n",
		".build/checkouts/swift-log/Sources/Log.swift": "log",
		".build/checkouts/swift-log/Package.resolved":  `{"pins":[` + pin("never", "https://github.com/a/never", at, "1.0.0") + `]}`,
		".build/checkouts/Other/.git/HEAD":             other + "\n",
		".build/checkouts/Other/Other.swift":           "another commit",
		"App/App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved": `{"object":{"pins":[{"package":"Only","repositoryURL":"https://github.com/a/Only","state":{"revision":"` + at + `","version":"4.0.0"}}]},"version":1}`,
		"DerivedData/Only/.git/HEAD":  at,
		"DerivedData/Only/Only.swift": "only",
		"plain/Package.swift":         "let package = Package()",
	})
	places := func(typ string) installed.Places {
		if typ != "swift" {
			return installed.Places{}
		}
		return installed.Places{Swift: []string{filepath.Join(root, "DerivedData")}}
	}
	made := time.Date(2023, 4, 11, 9, 0, 0, 0, time.UTC)
	committed := func(dir, commit string) time.Time {
		if dir != filepath.Join(root, ".build", "checkouts", "swift-log") || commit != at {
			return time.Time{}
		}
		return made
	}
	pkgs, skipped, err := Dependencies(t.Context(), root, Options{Places: places, Committed: committed})
	must(t, err)
	same(t, "dates", fmt.Sprint(pkgs[0].Released, pkgs[1].Released), fmt.Sprint(time.Time{}, made))
	same(t, "packages", purls(pkgs), []string{"pkg:swift/github.com/a/Only@4.0.0", "pkg:swift/github.com/apple/swift-log@1.5.2"})
	same(t, "repository", pkgs[1].Repository, "https://github.com/apple/swift-log")
	same(t, "files", walk(t, pkgs[1], Limits{}).files, map[string]string{"Package.resolved": `{"pins":[` + pin("never", "https://github.com/a/never", at, "1.0.0") + `]}`, "Sources/Log.swift": "log"})
	const bring = "swift package resolve"
	same(t, "skipped", skipped, []Skipped{
		{"pkg:swift/git.example.org/a/Other@2.0.0", ReasonMissing, `not on this machine: run "` + bring + `"`, bring, NoAnswer},
		{"pkg:swift/gitlab.com/g/Gone@3.0.0", ReasonMissing, `not on this machine: run "` + bring + `"`, bring, NoAnswer},
	})
	_, skipped, err = Dependencies(t.Context(), root, Options{})
	must(t, err)
	same(t, "of Xcode", skipped[1].Bring, "(cd App && xcodebuild -resolvePackageDependencies)")
	_, skipped, err = Dependencies(t.Context(), tree(t, map[string]string{"Package.swift": ".package("}), Options{})
	must(t, err)
	same(t, "without a lock file", skipped, []Skipped{{"Package.swift", ReasonNoLock, `no lock file says which packages it uses: run "` + bring + `"`, bring, NoAnswer}})

	// With a package URL, a missing repository is cloned at its commit, from public hosts only.
	var cloned []string
	skipped = nil
	o := Options{Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	o.Clone = func(_ context.Context, name, addr, commit string) (*Package, error) {
		cloned = append(cloned, name+" "+addr+" "+commit)
		return &Package{PURL: name}, nil
	}
	for _, host := range []string{"10.0.0.1", "git.example.org:8443"} {
		cloned, skipped = nil, nil
		testClones(t, root, strings.Replace(resolved, "git.example.org", host, 1), at, o, &cloned, &skipped)
	}
	o.Clone, skipped = nil, nil
	_, err = Open(t.Context(), filepath.Join(root, "Package.resolved"), o)
	must(t, err)
	same(t, "what would bring it", skipped[1].Bring, "git-provenance baseline add git+https://gitlab.com/g/Gone --ref "+at+" --purl pkg:swift/gitlab.com/g/Gone@3.0.0")
}

// testClones opens a Package.resolved of three packages, the second of which is at no public https address.
func testClones(t *testing.T, root, resolved, at string, o Options, cloned *[]string, skipped *[]Skipped) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(root, "Package.resolved"), []byte(resolved), 0o644))
	pkgs, err := Open(t.Context(), filepath.Join(root, "Package.resolved"), o)
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:swift/github.com/apple/swift-log@1.5.2", "pkg:swift/gitlab.com/g/Gone@3.0.0"})
	same(t, "cloned", *cloned, []string{"pkg:swift/gitlab.com/g/Gone@3.0.0 https://gitlab.com/g/Gone " + at})
	same(t, "not cloned", fmt.Sprint(len(*skipped), (*skipped)[0].Bring), "1") // no command would clone it either
}

// Lacking receives for each lock file how many of its pinned packages would have to be downloaded, with the path that the
// user sees.
func TestLacking(t *testing.T) {
	root := tree(t, map[string]string{
		"Cargo.lock":            "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n",
		"web/it's/yarn.lock":    "pad@^1.0.0:\n  version \"1.0.0\"\n  resolved \"https://registry.yarnpkg.com/pad/-/pad-1.0.0.tgz\"\n",
		"docs/requirements.txt": "sphinx>=7\n", // no version: nothing to download
		"tests/Cargo.lock":      "[[package]]\nname = \"c\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n",
	})
	for here, want := range map[string][]string{
		"":                         {"Cargo.lock 2", `'web/it'\''s/yarn.lock' 1`},
		root:                       {"Cargo.lock 2", `'web/it'\''s/yarn.lock' 1`},
		filepath.Join(root, "web"): {filepath.Join(root, "Cargo.lock") + " 2", `'it'\''s/yarn.lock' 1`},
	} {
		var got []string
		o := Options{Here: here, Lacking: func(lock string, packages int) { got = append(got, fmt.Sprint(lock, " ", packages)) }}
		_, _, err := Dependencies(t.Context(), root, o)
		must(t, err)
		same(t, "lacking at "+here, got, want)
	}
}

// Unfound receives each language without the source of its standard library once, and what brings it.
func TestUnfound(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": "module m\n", "sub/go.mod": "module n\n", "Cargo.toml": "[package]\nname = \"a\"\n", "setup.py": "", "web/package.json": "{}"})
	var got []string
	o := Options{Unfound: func(language, bring string) { got = append(got, language+": "+bring) }}
	_, _, err := Dependencies(t.Context(), root, o)
	must(t, err)
	same(t, "not here", got, []string{"Go: ", "Python: ", "Rust: rustup component add rust-src"})
}

// A lock file brings the standard library of its language, or says that it is not here.
func TestLockFileWithStandardLibrary(t *testing.T) {
	root := tree(t, map[string]string{"requirements.txt": "gone==1.0\n", "lib/python3.11/os.py": "import abc", "lib/python3.11/abc.py": ""})
	lock := filepath.Join(root, "requirements.txt")
	var unfound []string
	o := Options{Offline: true, Unfound: func(language, _ string) { unfound = append(unfound, language) }}
	pkgs, err := Open(t.Context(), lock, o)
	must(t, err)
	same(t, "without library", purls(pkgs), []string(nil))
	same(t, "not here", unfound, []string{"Python"})

	o.Places = func(string) installed.Places {
		return installed.Places{PythonLib: filepath.Join(root, "lib/python3.11")}
	}
	pkgs, err = Open(t.Context(), lock, o)
	must(t, err)
	same(t, "with library", purls(pkgs), []string{"pkg:generic/cpython@3.11"})

	// A licence and a date that the user gives are those of the packages that the file lists.
	o.License, o.Released = "MIT", time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	pkgs, err = Open(t.Context(), lock, o)
	must(t, err)
	if p := pkgs[0]; p.License != "PSF-2.0" || !p.Released.IsZero() {
		t.Errorf("the library has licence %q, released %v", p.License, p.Released)
	}
}

// Packages that tests are run on are not dependencies of a repository.
func TestPackagesOfTests(t *testing.T) {
	files := map[string]string{"composer.json": "{}"}
	for _, dir := range []string{"tests/Fixtures/vendor/", "test/node_modules/"} {
		files[dir+"composer/installed.json"] = `{"packages":[{"name":"a/b","version":"1.0.0","install-path":"../a/b"}]}`
		files[dir+"a/b/b.php"] = "<?php"
		files[dir+"pad/package.json"] = `{"name":"pad","version":"1.0.0"}`
	}
	pkgs, _, err := Dependencies(t.Context(), tree(t, files), Options{})
	must(t, err)
	same(t, "packages", purls(pkgs), []string(nil))
}

// A solution names all .NET projects below it, so one command is enough for them.
func TestSolution(t *testing.T) {
	const bring = "dotnet restore --use-lock-file"
	for name, want := range map[string]Skipped{
		"All.slnx":      {"All.slnx", ReasonNoLock, `no lock file says which packages it uses: run "` + bring + `"`, bring, NoAnswer},
		"src/a/All.sln": {"src/a/A.csproj", ReasonNoLock, `no lock file says which packages it uses: run "(cd src/a && ` + bring + `)"`, "(cd src/a && " + bring + ")", NoAnswer},
	} {
		_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{name: "", "src/a/A.csproj": "", "src/b/B.csproj": ""}), Options{})
		must(t, err)
		same(t, name, skipped, []Skipped{want})
	}
	_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{"Native.sln": "", "native.vcxproj": ""}), Options{})
	must(t, err)
	same(t, "of C++", len(skipped), 0)
}

// Python's markers can limit packages to other machines. The report names no command to install these, with or without a pinned
// version.
func TestOtherMachinesOfPython(t *testing.T) {
	other := map[bool]string{true: "darwin", false: "win32"}[runtime.GOOS == "windows"]
	here := nodeSystem(runtime.GOOS)
	for name, text := range map[string]string{
		"requirements.txt": "pinned==1.0; sys_platform == '" + other + "'\nopen>=1; sys_platform == '" + other + "'\nboth>=1; sys_platform == '" + other + "'\nboth>=2; sys_platform == '" + here + "'\nneeded==1.0; python_version < '4'\n",
		"pyproject.toml":   "[project]\ndependencies = [\"open>=1; sys_platform == '" + other + "'\", \"needed\", \"both; sys_platform == '" + here + "'\", \"both; sys_platform == '" + other + "'\"]\n",
	} {
		_, skipped, err := Dependencies(t.Context(), tree(t, map[string]string{name: text}), Options{})
		must(t, err)
		var brought []string
		for _, s := range skipped {
			if s.Bring != "" {
				brought = append(brought, purl.Name(s.Path))
			}
		}
		same(t, name, brought, []string{"pkg:pypi/both", "pkg:pypi/needed"})
	}
}

// Packages that bun, pnpm and npm keep in a store are found there, and those of Yarn in its cache, in or outside of the
// repository.
func TestStoresOfNode(t *testing.T) {
	const pad, own = `{"name":"pad","version":"1.0.0","license":"MIT"}`, `{"name":"@s/own","version":"2.0.0-rc.1","license":"ISC"}`
	stores := tree(t, map[string]string{
		"a/node_modules/.bun/pad@1.0.0/node_modules/pad/package.json":             pad,
		"b/node_modules/.store/@s-own@2.0.0/node_modules/@s/own/package.json":     own,
		"c/node_modules/.cache/x/node_modules/never/package.json":                 pad,
		"d/node_modules/.pnpm/@s+own@2.0.0-rc.1/node_modules/@s/own/package.json": own,
	})
	pkgs, _, err := Dependencies(t.Context(), stores, Options{})
	must(t, err)
	same(t, "stores", purls(pkgs), []string{"pkg:npm/%40s/own@2.0.0-rc.1", "pkg:npm/pad@1.0.0"})

	lock := "__metadata:\n  version: 8\n\n\"pad@npm:^1.0.0\":\n  version: 1.0.0\n  resolution: \"pad@npm:1.0.0\"\n\n\"@s/own@npm:2\":\n  version: 2.0.0-rc.1\n  resolution: \"@s/own@npm:2.0.0-rc.1\"\n\n\"gone@npm:1\":\n  version: 1.0.0\n  resolution: \"gone@npm:1.0.0\"\n"
	root := tree(t, map[string]string{"package.json": `{"dependencies":{"pad":"1"}}`, "yarn.lock": lock})
	global := t.TempDir()
	write := func(dir, file, inside, text string) {
		must(t, os.MkdirAll(dir, 0o755))
		must(t, os.WriteFile(filepath.Join(dir, file), buildZip(t, entry{name: inside + "package.json", content: text}, entry{name: inside + "index.js", content: "x"}), 0o644))
	}
	write(filepath.Join(root, ".yarn", "cache"), "pad-npm-1.0.0-0382e69409-10c0.zip", "node_modules/pad/", pad)
	write(global, "@s-own-npm-2.0.0-rc.1-7cad05c55e-83839f13da.zip", "node_modules/@s/own/", own)
	write(global, "gone-npm-1.0.0-beta-7cad05c55e-83839f13da.zip", "node_modules/gone/", pad) // another version
	o := Options{Places: func(string) installed.Places { return installed.Places{Yarn: []string{global}} }}
	pkgs, skipped, err := Dependencies(t.Context(), root, o)
	must(t, err)
	same(t, "cache", purls(pkgs), []string{"pkg:npm/%40s/own@2.0.0-rc.1", "pkg:npm/pad@1.0.0"})
	same(t, "licences", pkgs[0].License+" "+pkgs[1].License, "ISC MIT")
	same(t, "files", walk(t, pkgs[1], Limits{}).files, map[string]string{"package.json": pad, "index.js": "x"})
	same(t, "skipped", len(skipped), 1)
}

// If only an example has a lock file, the report still says that the project itself has none. A lock file above a workspace counts for
// it, one of another ecosystem does not.
func TestUnlisted(t *testing.T) {
	for name, want := range map[string]string{
		`setup.py|setup(install_requires=["six"])|docs/requirements.txt|sphinx==7.0.0`:                                              "pip install .",
		`setup.py|setup()|docs/requirements.txt|sphinx==7.0.0`:                                                                      "",
		`setup.py|setup(install_requires=["six"])|requirements.txt|six==1.16.0`:                                                     "",
		`package.json|{"devDependencies":{"x":"1"}}|examples/package-lock.json|{"packages":{"node_modules/y":{"version":"1.0.0"}}}`: "npm install",
		"web/package.json|{\"dependencies\":{\"x\":\"1\"}}|pnpm-lock.yaml|lockfileVersion: '9.0'\nimporters:\n  web:\n    dependencies: {}\npackages:\n  x@1.0.0:\n    resolution: {integrity: sha512-AA==}\n": "",
		`package.json|{"dependencies":{"x":"1"}}|requirements.txt|six==1.16.0|examples/package-lock.json|{"packages":{"node_modules/y":{"version":"1.0.0"}}}`:                                                  "npm install",
		`package.json|{"workspaces":["a"]}|examples/package-lock.json|{"packages":{"node_modules/y":{"version":"1.0.0"}}}`:                                                                                     "npm install",
		`package.json|{"dependencies":{}}|examples/package-lock.json|{"packages":{"node_modules/y":{"version":"1.0.0"}}}`:                                                                                      "",
		`package.json|{}|examples/package-lock.json|{"packages":{"node_modules/y":{"version":"1.0.0"}}}`:                                                                                                       "",
	} {
		in := map[string]string{}
		for f := range slices.Chunk(strings.Split(name, "|"), 2) {
			in[f[0]] = f[1]
		}
		_, skipped, err := Dependencies(t.Context(), tree(t, in), Options{})
		must(t, err)
		got := ""
		for _, s := range skipped {
			if s.Reason == ReasonNoLock {
				got = s.Bring
			}
		}
		same(t, name, got, want)
	}
}

// A package that a lock file takes from a directory or a repository is not missing where a manifest names it without version, nor is
// the project itself. The folders of Laravel in which a project changes views and texts of packages hold no packages.
func TestOwnPackages(t *testing.T) {
	root := tree(t, map[string]string{
		"pyproject.toml": "[project]\nname = \"Own.Name\"\ndependencies = [\"side\"]\n[dependency-groups]\ndev = [\"own-name[cli]\", \"forked\", \"absent\"]\n",
		"uv.lock": "version = 1\n[[package]]\nname = \"own-name\"\nversion = \"1\"\nsource = { editable = \".\" }\n[[package]]\nname = \"side\"\nversion = \"1\"\nsource = { editable = \"side\" }\n" +
			"[[package]]\nname = \"forked\"\nversion = \"1\"\nsource = { git = \"https://example.org/a/forked#0123\" }\n",
		"resources/views/vendor/mail/a.blade.php": "x", "resources/lang/vendor/backup/en/a.php": "<?php", "other/vendor/a.php": "<?php",
	})
	got := map[string]string{}
	_, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	for _, s := range skipped {
		got[s.Path] = s.Reason
	}
	same(t, "skipped", got, map[string]string{"pkg:pypi/absent": "missing", "side": "local", "forked": "git", "other/vendor/": "no-metadata"})
}
