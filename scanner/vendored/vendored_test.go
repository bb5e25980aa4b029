package vendored

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
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

// tree is a target as the tools of each ecosystem arrange it.
var tree = map[string]string{
	"main.go":                                                              "",
	"vendor/modules.txt":                                                   "# a.org/x v1.2.0\n## explicit\na.org/x\n# a.org/y v0.1.0 => b.org/z v0.2.0\na.org/y\n# a.org/local v1.0.0 => ./local\n# a.org/none v1.0.0\n",
	"vendor/a.org/x/x.go":                                                  "",
	"vendor/a.org/x/LICENSE":                                               mit,
	"vendor/a.org/y/sub/y.go":                                              "",
	"vendor/a.org/local/l.go":                                              "",
	"vendor/c.org/old/v.go":                                                "",
	"vendor/c.org/old/COPYING":                                             mit,
	"web/node_modules/pad/package.json":                                    `{"name": "pad", "version": "1.0.0", "license": "ISC"}`,
	"web/node_modules/pad/lib/package.json":                                `{"name": "inner"}`,
	"web/node_modules/pad/node_modules/@s/in/package.json":                 `{"name": "@s/in", "version": "2.0.0", "license": "MIT"}`,
	"web/node_modules/pad/node_modules/@s/in/index.js":                     "",
	"web/node_modules/bare/index.js":                                       "",
	"web/node_modules/.bin/x":                                              "",
	"php/vendor/composer/installed.json":                                   `{"packages": [{"name": "v/p", "version": "3.1", "license": ["MIT"], "install-path": "../v/p"}, {"name": "v/out", "version": "1", "install-path": "../../../x"}]}`,
	"php/vendor/composer/autoload.php":                                     "",
	"php/vendor/v/p/a.php":                                                 "",
	"php/resources/views/vendor/mail/html/panel.blade.php":                 "",
	"rs/vendor/cc/Cargo.toml":                                              "[package]\nname = \"cc\"\nversion = \"1.0.1\"\nlicense = \"MIT/Apache-2.0\"\n",
	"rs/vendor/cc/.cargo-checksum.json":                                    "{}",
	"rs/vendor/cc/src/lib.rs":                                              "",
	"rb/vendor/bundle/ruby/3.1.0/specifications/rack-3.0.8.gemspec":        "s.name = \"rack\"\ns.version = \"3.0.8\"\ns.licenses = [\"MIT\".freeze]\n",
	"rb/vendor/bundle/ruby/3.1.0/gems/rack-3.0.8/lib/rack.rb":              "",
	"rb/vendor/cache/rake-13.0.6.gem":                                      "",
	"rails/vendor/assets/javascripts/.keep":                                "",
	"rails/vendor/assets/javascripts/chosen.js":                            "",
	"rails/vendor/assets/javascripts/editor/plugin/a.js":                   "",
	"rails/vendor/assets/javascripts/editor/LICENSE":                       mit,
	"rails/vendor/assets/stylesheets/chosen.css":                           "",
	"rails/vendor/assets/images/chosen.png":                                "",
	"rails/vendor/javascript/@hotwired--stimulus.js":                       "// @hotwired/stimulus@3.2.2 downloaded from https://ga.jspm.io/npm:@hotwired/stimulus@3.2.2/dist/stimulus.js\n\nclass A {}\n",
	"third_party/zlib/README.chromium":                                     "Name: zlib\nVersion: 1.2.11\nLicense: Zlib\n",
	"third_party/zlib/inflate.c":                                           "",
	"third_party/group/fmt/LICENSE":                                        mit,
	"third_party/group/fmt/fmt.cc":                                         "",
	"third_party/own.c":                                                    "",
	"third_party/nothing/a.c":                                              "",
	"py/_vendor/vendor.txt":                                                "# pinned\nidna==3.4\nsix==1.16.0 # one file\npython-dotenv==1.2.1\nabsent==1\n",
	"py/_vendor/idna/core.py":                                              "",
	"py/_vendor/six.py":                                                    "",
	"py/_vendor/dotenv/main.py":                                            "",
	"env/site-packages/PyYAML-6.0.dist-info/METADATA":                      "Name: PyYAML\nVersion: 6.0\nLicense: MIT\n",
	"env/site-packages/PyYAML-6.0.dist-info/RECORD":                        "yaml/__init__.py,sha256=x,1\n../../bin/x,,\n",
	"env/site-packages/PyYAML-6.0.dist-info/top_level.txt":                 "yaml\n",
	"env/site-packages/yaml/__init__.py":                                   "",
	"ios/Pods/Manifest.lock":                                               "PODS:\n  - AF/Core (3.1)\n  - B (2.0):\n    - AF (= 3.1)\n\nDEPENDENCIES:\n  - C (9)\n",
	"ios/Pods/AF/a.m":                                                      "",
	"ios/Pods/B/b.m":                                                       "",
	"ios/Pods/B/LICENSE":                                                   mit,
	".yarn/cache/lodash-npm-4.17.21-6382451519-c301cc379310.zip":           "",
	".yarn/cache/@babel-core-npm-7.1.0-beta.2-6382451519-c301cc379310.zip": "",
	".yarn/releases/yarn-4.12.0.cjs":                                       "",
	".yarn/plugins/@yarnpkg/plugin-typescript.cjs":                         "",
	".yarn/sdks/integrations.yml":                                          "",
	".yarn/sdks/typescript/package.json":                                   `{"name": "typescript", "version": "5.8.2-sdk"}`,
	".pnp.cjs":                                                             "",
	".pnp.loader.mjs":                                                      "",
	"pnp/.pnp.cjs":                                                         "",
	"pnp/package.json":                                                     `{"packageManager": "yarn@3.2.1+sha224.953c"}`,
	"pnp/LICENSE":                                                          mit,
	"web/bower_components/jq/.bower.json":                                  `{"name": "jq", "version": "3.0.0", "license": ["MIT", "GPL-2.0"]}`,
	"c/vendor/lua/lua.c":                                                   "",
	"c/vendor/readme.txt":                                                  "",
	"moz/third-party/x/moz.yaml":                                           "origin:\n  name: X Library\n  license: MPL-2.0\n  release: v7 (2020-01-01)\n",
	"moz/third-party/x/x.c":                                                "",
	"g/third_party/deep/p/METADATA":                                        "name: \"p\"\nthird_party {\n  version: \"5\"\n}\n",
	"g/third_party/deep/p/LICENSE":                                         mit,
	"jl/external/mod/go.mod":                                               "module d.org/mod\n",
	"c/deps/event/configure.ac":                                            "dnl AC_INIT([old],[0.1])\nAC_INIT([event], [2.2.2-alpha], [a@b.c])\n",
	"c/deps/event/LICENSE":                                                 mit,
	"c/deps/tls-2.4.2/LICENSE":                                             mit,
	"c/deps/tls-2.4.2/CMakeLists.txt":                                      "project(tls VERSION ${V} LANGUAGES C)\n",
	"c/deps/none/CMakeLists.txt":                                           "project(none VERSION 1.0)\n",
	"c/ThirdParty/heap/LICENSE":                                            mit,
	"c/ThirdParty/heap/VERSION":                                            "5.3.0-0-g0\n",
	"c/Vendor/json/LICENSE":                                                mit,
	"c/Vendor/json/CMakeLists.txt":                                         "cmake_minimum_required(VERSION 3.5)\nproject(nlohmann_json\n    VERSION 3.11.2\n    LANGUAGES CXX)\n",
	"c/3rd_party/font/LICENSE":                                             mit,
	"c/3rd_party/font/meson.build":                                         "project('font', 'c',\n  version: '1.4',\n)\n",
	"c/dependencies/own/a.c":                                               "",
}

func find(files map[string]string) (*Packages, []string) {
	read := func(p string, limit int64) []byte {
		if text, ok := files[p]; ok && int64(len(text)) <= limit {
			return []byte(text)
		}
		return nil
	}
	p := Find(context.Background(), Files{Paths: slices.Collect(maps.Keys(files)), Read: read})
	rows := p.List(func(int) bool { return true }, func(string) bool { return false })
	var out []string
	var report finding.Report
	report.AddVendored(rows)
	for _, r := range report.Vendored {
		out = append(out, fmt.Sprintf("%s %s %s %s %s %d", r.Path, r.PURL, r.Name, r.Version, r.License, r.Files))
	}
	return p, out
}

func TestLayouts(t *testing.T) {
	_, got := find(tree)
	want := []string{
		".pnp.cjs pkg:npm/%40yarnpkg/cli-dist@4.12.0 @yarnpkg/cli-dist 4.12.0 NOASSERTION 1",
		".pnp.loader.mjs pkg:npm/%40yarnpkg/cli-dist@4.12.0 @yarnpkg/cli-dist 4.12.0 NOASSERTION 1",
		".yarn/cache/@babel-core-npm-7.1.0-beta.2-6382451519-c301cc379310.zip  @babel-core 7.1.0-beta.2 NOASSERTION 1",
		".yarn/cache/lodash-npm-4.17.21-6382451519-c301cc379310.zip pkg:npm/lodash@4.17.21 lodash 4.17.21 NOASSERTION 1",
		".yarn/plugins/@yarnpkg/plugin-typescript.cjs  @yarnpkg/plugin-typescript  NOASSERTION 1",
		".yarn/releases/yarn-4.12.0.cjs pkg:npm/%40yarnpkg/cli-dist@4.12.0 @yarnpkg/cli-dist 4.12.0 NOASSERTION 1",
		".yarn/sdks pkg:npm/%40yarnpkg/sdks @yarnpkg/sdks  NOASSERTION 2",
		"c/3rd_party/font  font 1.4 MIT 2",
		"c/ThirdParty/heap  heap 5.3.0-0-g0 MIT 2",
		"c/Vendor/json  json 3.11.2 MIT 2",
		"c/deps/event  event 2.2.2-alpha MIT 2",
		"c/deps/tls-2.4.2  tls 2.4.2 MIT 2",
		"c/vendor/lua  lua  NOASSERTION 1",
		"env/site-packages/yaml pkg:pypi/pyyaml@6.0 pyyaml 6.0 MIT 4",
		"g/third_party/deep/p  p 5 MIT 2",
		"ios/Pods/AF pkg:cocoapods/AF@3.1 AF 3.1 NOASSERTION 1",
		"ios/Pods/B pkg:cocoapods/B@2.0 B 2.0 MIT 2",
		"jl/external/mod pkg:golang/d.org/mod d.org/mod  NOASSERTION 1",
		"moz/third-party/x  X Library v7 (2020-01-01) MPL-2.0 2",
		"php/vendor/v/p pkg:composer/v/p@3.1 v/p 3.1 MIT 1",
		"pnp/.pnp.cjs pkg:npm/%40yarnpkg/cli-dist@3.2.1 @yarnpkg/cli-dist 3.2.1 NOASSERTION 1",
		"py/_vendor/dotenv pkg:pypi/python-dotenv@1.2.1 python-dotenv 1.2.1 NOASSERTION 1",
		"py/_vendor/idna pkg:pypi/idna@3.4 idna 3.4 NOASSERTION 1",
		"py/_vendor/six.py pkg:pypi/six@1.16.0 six 1.16.0 NOASSERTION 1",
		"rails/vendor/assets/javascripts/chosen.js  chosen.js  NOASSERTION 1",
		"rails/vendor/assets/javascripts/editor  editor  MIT 2",
		"rails/vendor/assets/stylesheets/chosen.css  chosen.css  NOASSERTION 1",
		"rails/vendor/javascript/@hotwired--stimulus.js pkg:npm/%40hotwired/stimulus@3.2.2 @hotwired/stimulus 3.2.2 NOASSERTION 1",
		"rb/vendor/bundle/ruby/3.1.0/gems/rack-3.0.8 pkg:gem/rack@3.0.8 rack 3.0.8 MIT 1",
		"rb/vendor/cache/rake-13.0.6.gem pkg:gem/rake@13.0.6 rake 13.0.6 NOASSERTION 1",
		"rs/vendor/cc pkg:cargo/cc@1.0.1 cc 1.0.1 MIT OR Apache-2.0 3",
		"third_party/group/fmt  fmt  MIT 2",
		"third_party/zlib  zlib 1.2.11 Zlib 2",
		"vendor/a.org/local pkg:golang/a.org/local a.org/local  NOASSERTION 1",
		"vendor/a.org/x pkg:golang/a.org/x@v1.2.0 a.org/x v1.2.0 MIT 2",
		"vendor/a.org/y pkg:golang/b.org/z@v0.2.0 b.org/z v0.2.0 NOASSERTION 1",
		"vendor/c.org/old pkg:golang/c.org/old c.org/old  MIT 2",
		"web/bower_components/jq pkg:bower/jq@3.0.0 jq 3.0.0 MIT OR GPL-2.0-only 1",
		"web/node_modules/bare  bare  NOASSERTION 1",
		"web/node_modules/pad pkg:npm/pad@1.0.0 pad 1.0.0 ISC 2",
		"web/node_modules/pad/node_modules/@s/in pkg:npm/%40s/in@2.0.0 @s/in 2.0.0 MIT 2",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// TestYarnScanned: a file that Yarn writes is one row, whether it is scanned is asked of the file itself, and files that only look
// like Yarn's have no row of Yarn.
func TestYarnScanned(t *testing.T) {
	files := map[string]string{".pnp.cjs": "", ".yarn/releases/yarn-1.22.19.js": "", ".yarn/releases/.gitkeep": "", ".yarn/releases/other.cjs": "", ".yarn/releases/yarn-4.12.0.txt": "", "third_party/my.yarn/cache/lodash-npm-4.17.21-6382451519-c301cc379310.zip": "",
		"package.json": `{"packageManager": "yarn@latest"}`, "third_party/my.yarn/releases/yarn-4.0.0.cjs": "", "src/integrations.yml": ""}
	p, got := find(files)
	want := []string{".pnp.cjs pkg:npm/yarn@1.22.19 yarn 1.22.19 NOASSERTION 1", ".yarn/releases/yarn-1.22.19.js pkg:npm/yarn@1.22.19 yarn 1.22.19 NOASSERTION 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, r := range p.List(func(int) bool { return true }, func(p string) bool { return !lang.Vendored(p) }) {
		if r.Scanned {
			t.Errorf("%s: scanned", r.Path)
		}
	}
	delete(files, ".yarn/releases/yarn-1.22.19.js")
	if _, got := find(files); len(got) != 1 || got[0] != ".pnp.cjs pkg:npm/%40yarnpkg/cli-dist @yarnpkg/cli-dist  NOASSERTION 1" {
		t.Errorf("a tag is no version: %q", got)
	}
}

// FuzzRecords: no manifest makes a package of a directory outside the stores, and the same files give the same rows.
func FuzzRecords(f *testing.F) {
	for p, text := range tree {
		f.Add(p, text)
	}
	f.Add("/vendor/a/LICENSE", mit)
	f.Add("vendor/composer/installed.json", `[{"name": "a/b", "version": "1", "install-path": "../../../../etc"}]`)
	f.Fuzz(func(t *testing.T, p, text string) {
		files := maps.Clone(tree)
		files[p] = text
		found, rows := find(files)
		for _, r := range found.rows {
			_, file := files[r.Path]
			beside := file && slices.Contains(lang.PlugAndPlay, path.Base(r.Path)) // package.json, in no store
			dir := cmp.Or(storeOf(r.Path+"/x").dir, storeOf(r.Path).dir)
			if !beside && (dir == "" || !strings.HasPrefix(r.Path+"/", dir+"/")) {
				t.Errorf("%q", r.Path)
			}
		}
		if _, again := find(files); !slices.Equal(rows, again) {
			t.Errorf("%q, then %q", rows, again)
		}
	})
}
