package source

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestNodeModules(t *testing.T) {
	dir := tree(t, map[string]string{
		"node_modules/a/package.json":                            `{"name":"a","version":"1.0.0","license":"MIT"}`,
		"node_modules/a/lib/a.js":                                "a",
		"node_modules/a/node_modules/b/package.json":             `{"name":"b","version":"2.0.0"}`,
		"node_modules/@s/c/package.json":                         `{"name":"@s/c","version":"3.0.0"}`,
		"node_modules/@s/c/node_modules/@s/d/package.json":       `{"name":"@s/d","version":"4.0.0"}`,
		"node_modules/b/package.json":                            `{"name":"b","version":"2.0.0"}`,
		"node_modules/.bin/x":                                    "",
		"node_modules/.package-lock.json":                        "{}",
		"node_modules/.pnpm/e@5.0.0/node_modules/e/package.json": `{"name":"e","version":"5.0.0"}`,
		"node_modules/broken/package.json":                       `{`,
		"node_modules/none/index.js":                             "",
		"workspace/package.json":                                 `{"name":"own","version":"1.0.0"}`,
	})
	nm := filepath.Join(dir, "node_modules")
	want := []Skipped{{filepath.Join(nm, "broken"), ReasonMetadata, "package.json names no package", "", NoAnswer}, {filepath.Join(nm, "none"), ReasonMetadata, "package.json: no such file or directory", "", NoAnswer}}
	if runtime.GOOS != "windows" {
		must(t, os.Symlink(filepath.Join("..", "workspace"), filepath.Join(nm, "own")))
		must(t, os.Symlink(filepath.Join(".pnpm", "e@5.0.0", "node_modules", "e"), filepath.Join(nm, "e")))
		must(t, os.Symlink("..", filepath.Join(nm, "b", "node_modules"))) // an endless loop if followed
		want = append(want, Skipped{filepath.Join(nm, "own"), ReasonSymlink, "", "", NoAnswer})
	}
	var skipped []Skipped
	pkgs, err := Open(t.Context(), nm, Options{Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:npm/%40s/c@3.0.0", "pkg:npm/%40s/d@4.0.0", "pkg:npm/a@1.0.0", "pkg:npm/b@2.0.0", "pkg:npm/e@5.0.0"})
	if runtime.GOOS != "windows" {
		same(t, "skipped", skipped, want)
	}
	r := walk(t, pkgs[2], Limits{})
	same(t, "a", r.order, []string{"lib/a.js", "node_modules/", "package.json"})
	same(t, "license", pkgs[2].License, "MIT")
}

// Every package of a lock file comes from node_modules, or else from the configured registry. Only the path of an
// address in a lock file is used.
func TestPackageLock(t *testing.T) {
	lock := `{"lockfileVersion":3,"packages":{
		"":{"name":"own","version":"1.0.0"},
		"workspace":{"name":"ws","version":"1.0.0"},
		"node_modules/ws":{"link":true,"resolved":"workspace"},
		"node_modules/a":{"version":"1.0.0","resolved":"https://registry.npmjs.org/a/-/a-1.0.0.tgz","integrity":"SUM","license":"MIT"},
		"node_modules/@s/b":{"version":"2.0.0","resolved":"https://registry.npmjs.org/@s/b/-/b-2.0.0.tgz","integrity":"SUM","license":"ISC"},
		"node_modules/a/node_modules/c":{"version":"3.0.0","inBundle":true},
		"node_modules/../../../etc":{"version":"1"},
		"node_modules/hostile":{"version":"6.0.0","resolved":"http://169.254.169.254/latest/x.tgz","integrity":"SUM"},
		"node_modules/alias":{"name":"d","version":"4.0.0"}}}`
	lock = strings.ReplaceAll(lock, "SUM", "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==")
	dir := tree(t, map[string]string{
		"package.json":                    "{}",
		"package-lock.json":               lock,
		"node_modules/a/package.json":     `{"name":"a","version":"1.0.0","license":"ISC"}`,
		"node_modules/alias/package.json": `{"name":"d","version":"4.0.0"}`,
		"node_modules/@s/b/package.json":  `{"name":"@s/b","version":"2.0.1"}`,
	})
	name := filepath.Join(dir, "package-lock.json")
	srv := registry(t, nil)
	var skipped []Skipped
	o := Options{NPMRegistry: srv.URL + "/npm/", Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	pkgs, err := Open(t.Context(), name, o)
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:npm/%40s/b@2.0.0", "pkg:npm/a@1.0.0", "pkg:npm/d@4.0.0"})
	same(t, "from", pkgs[0].From, srv.URL+"/npm/@s/b/-/b-2.0.0.tgz")
	same(t, "licences", pkgs[0].License+" "+pkgs[1].License, "ISC ISC")
	bring := "(cd " + dir + " && npm ci)"
	gone := `fetch "pkg:npm/hostile@6.0.0": not found at ` + srv.URL + `/npm: run "` + bring + `"`
	same(t, "skipped", skipped, []Skipped{{"../../../etc", "no-name", "1", "", NoAnswer}, {"pkg:npm/c@3.0.0", ReasonVendored, "inside the package that depends on it", "", NoAnswer}, {"pkg:npm/hostile@6.0.0", ReasonMissing, gone, bring, NoPackage}})

	skipped, o.Offline = nil, true
	pkgs, err = Open(t.Context(), name, o)
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:npm/a@1.0.0", "pkg:npm/d@4.0.0"})
	same(t, "missing", skipped[1], Skipped{"pkg:npm/%40s/b@2.0.0", ReasonMissing, `not on this machine: run "` + bring + `"`, bring, NoAnswer})
}

// An address in a lock file leads to no other path of the registry than that of the package, however it is written.
func TestPackageLockPaths(t *testing.T) {
	for rest, own := range map[string]bool{
		"a/-/a-1.0.0.tgz": true, "other/-/other-1.0.0.tgz": false, "a/-/../../admin/x.tgz": false, "a/-/%2e%2e/%2E%2E/admin.tgz": false,
		"a/-/%252e%252e/x.tgz": false, "a/-/..%5cx.tgz": false, "a/-/x?y=.tgz": false, "a/-/%zz.tgz": false, "a/-//x.tgz": false,
	} {
		lock := `{"packages":{"node_modules/a":{"version":"1.0.0","resolved":"https://registry.npmjs.org/` + rest + `","integrity":"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="}}}`
		var asked []string
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.RequestURI)
			http.NotFound(w, r)
		}))
		defer srv.Close()
		o := Options{NPMRegistry: srv.URL, Skipped: func(Skipped) {}}
		pkgs, err := Open(t.Context(), filepath.Join(tree(t, map[string]string{"package.json": "{}", "package-lock.json": lock}), "package-lock.json"), o)
		must(t, err)
		if own {
			same(t, "from", pkgs[0].From, srv.URL+"/"+rest)
		} else if len(pkgs) != 0 || slices.ContainsFunc(asked, func(a string) bool { return a != "/a/1.0.0" }) {
			t.Errorf("%s: %v, asked for %v", rest, purls(pkgs), asked)
		}
	}
}

// In a workspace the links from one package to another and to the store are no gap; a link out of the repository is one.
func TestWorkspaceLinks(t *testing.T) {
	root := tree(t, map[string]string{
		"package.json": `{"workspaces":["packages/*"]}`, "packages/core/package.json": `{"name":"core","version":"1.0.0"}`,
		"node_modules/.bun/ms@2.0.0/node_modules/ms/package.json": `{"name":"ms","version":"2.0.0"}`, "packages/app/node_modules/.keep": "",
		"bun.lock": `{"packages":{"core":["core@workspace:packages/core"],"ms":["ms@2.0.0","",{},""]}}`,
	})
	for link, to := range map[string]string{"core": "../../core", "ms": "../../../node_modules/.bun/ms@2.0.0/node_modules/ms", "away": t.TempDir()} {
		must(t, os.Symlink(to, filepath.Join(root, "packages", "app", "node_modules", link)))
	}
	var got []string
	pkgs, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	for _, s := range skipped {
		got = append(got, filepath.Base(s.Path)+" "+s.Reason)
	}
	same(t, "packages", purls(pkgs), []string{"pkg:npm/ms@2.0.0"})
	same(t, "skipped", got, []string{"away symlink", "core local"})
}

// Files that a lock file refers to are read inside of the repository, and not through links.
func TestIncludedFiles(t *testing.T) {
	root := tree(t, map[string]string{"secret.txt": "password==1\n", "app/requirements.txt": "-r ../base.txt\n-r link.txt\n-r dir/secret.txt\n-r ../../secret.txt\n", "base.txt": "a==1\n",
		"yarn/yarn.lock": "# yarn lockfile v1\n\na@1:\n  version \"1\"\n  dependencies:\n    b \"1\"", "requirements/dev.txt": "c==1\n", "requirements/prose.txt": "We require much.\n"})
	must(t, os.Symlink("../secret.txt", filepath.Join(root, "app", "link.txt")))
	must(t, os.Symlink("..", filepath.Join(root, "app", "dir")))
	got := map[string]string{}
	_, skipped, err := Dependencies(t.Context(), root, Options{})
	must(t, err)
	for _, s := range skipped {
		got[s.Path] = s.Reason
	}
	same(t, "skipped", got, map[string]string{"link.txt": "included", "dir/secret.txt": "included", "../../secret.txt": "included", "pkg:pypi/a@1": "missing",
		"pkg:npm/a@1": "missing", "b": "not-listed", "yarn/yarn.lock": "cut-off", "pkg:pypi/c@1": "missing"})
}

// A command that is shown does what it says, whatever a lock file names.
func TestShownCommands(t *testing.T) {
	lock := `{"pins":[{"identity":"x","kind":"remoteSourceControl","location":"https://example.org/a/$(id);id&'x","state":{"revision":"0123456789012345678901234567890123456789"}}]}`
	var skipped []Skipped
	_, err := Open(t.Context(), filepath.Join(tree(t, map[string]string{"Package.resolved": lock}), "Package.resolved"), Options{Offline: true, Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	for _, s := range skipped {
		if s.Bring != "" && !strings.Contains(s.Bring, `'git+https://example.org/a/$(id);id&'\''x'`) {
			t.Errorf("%q", s.Bring)
		}
	}
}

// A lock file without addresses has checksums too, and downloads are compared with them. If the checksums are invalid,
// nothing is downloaded.
func TestLockedChecksums(t *testing.T) {
	srv := npmRegistry(t)
	lock := func(sum string) string {
		return filepath.Join(tree(t, map[string]string{"package.json": "{}", "bun.lock": `{"packages":{"weak":["weak@1.0.0","",{},"` + sum + `"]}}`}), "bun.lock")
	}
	var skipped []Skipped
	o := Options{NPMRegistry: srv.URL, Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	_, err := tryWalk(openOne(t, lock("sha512-"+strings.Repeat("A", 86)+"=="), o), Limits{})
	var wrong *IntegrityError
	if !errors.As(err, &wrong) {
		t.Errorf("another checksum: %v", err)
	}
	_, err = tryWalk(openOne(t, lock(""), o), Limits{})
	must(t, err)
	pkgs, err := Open(t.Context(), lock("sha512-none"), o)
	if err != nil || len(pkgs) != 0 || len(skipped) != 1 || skipped[0].Reason != ReasonChecksum || !strings.HasSuffix(skipped[0].Bring, " && bun install)") || !strings.Contains(skipped[0].Detail, `"sha512-none"`) {
		t.Errorf("%v, %v, skipped %v", pkgs, err, skipped)
	}
}

// A lock file with addresses says where a tarball lies. Its package.json says which repository it is from, if it is of this package.
func TestRepositoryOfLockedTarball(t *testing.T) {
	for name, want := range map[string]string{"p": "https://github.com/a/b.git", "q": ""} {
		tgz := gzipped(t, buildTar(t, entry{name: "package/lib/package.json", content: `{"name":"p","version":"1.0.0","repository":"x/y"}`},
			entry{name: "package/package.json", content: `{"name":"` + name + `","version":"1.0.0","repository":{"url":"git+https://github.com/a/b.git"}}`}))
		sum := sha512.Sum512(tgz)
		srv := registry(t, map[string]string{"/p/-/p-1.0.0.tgz": string(tgz)})
		lock := tree(t, map[string]string{"package-lock.json": `{"lockfileVersion":3,"packages":{"node_modules/p":{"version":"1.0.0","resolved":"` + srv.URL +
			`/p/-/p-1.0.0.tgz","integrity":"sha512-` + base64.StdEncoding.EncodeToString(sum[:]) + `"}}}`})
		p := openOne(t, filepath.Join(lock, "package-lock.json"), Options{NPMRegistry: srv.URL})
		same(t, name, len(walk(t, p, Limits{}).files), 2)
		same(t, name, p.Published(), want)
	}
}
