package self

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWorkspaces: a package in a directory is the target's if its manifest names this repository and no other directory, or if it
// is in a workspace and has the root's scope. A copy put into a workspace is not.
func TestWorkspaces(t *testing.T) {
	files := map[string]string{
		"package.json":                   `{"name": "@acme/root", "private": true, "repository": "github:acme/app", "workspaces": {"packages": ["./packages/*", "tools/cli", "!packages/gone"]}}`,
		"pnpm-workspace.yaml":            "packages:\n  - 'types/**'\n",
		"packages/core/package.json":     `{"name": "@acme/core"}`,
		"packages/acme-x/package.json":   `{"name": "@acme/x", "repository": {"type": "git", "url": "git+https://github.com/acme/app.git", "directory": "packages/acme-x"}}`,
		"packages/plain/package.json":    `{"name": "plain", "repository": {"url": "git+https://github.com/acme/app.git", "directory": "packages/plain/"}}`,
		"tools/cli/package.json":         `{"name": "cli", "repository": {"url": "git@github.com:acme/app.git", "directory": "tools/cli"}}`,
		"types/typed/package.json":       `{"name": "typed", "repository": {"url": "https://github.com/acme/app", "directory": "types/typed"}}`,
		"packages/lodash/package.json":   `{"name": "lodash", "repository": "lodash/lodash"}`,
		"packages/silent/package.json":   `{"name": "silent"}`,
		"packages/forked/package.json":   `{"name": "@acme/forked", "repository": {"url": "https://github.com/other/forked", "directory": "packages/forked"}}`,
		"packages/moved/package.json":    `{"name": "moved", "repository": {"url": "https://github.com/acme/app", "directory": "packages/elsewhere"}}`,
		"packages/misname/package.json":  `{"name": "other", "repository": {"url": "https://github.com/acme/app", "directory": "packages/misname"}}`,
		"packages/gone/package.json":     `{"name": "@acme/gone"}`,
		"third/apart/package.json":       `{"name": "@acme/apart"}`,
		"packages/odd/package.json":      `{"name": "odd", "repository": 7}`,
		"lerna.json":                     `{"packages": ["modules/*"]}`,
		"modules/other-dir/package.json": `{"name": "@acme/lerna"}`,
		"lib/types/package.json":         `{"name": "app-types", "repository": "acme/app"}`,
		"node_modules/a/package.json":    `{"name": "fetched", "repository": "acme/app"}`,
		"a/b/c/d/e/f/package.json":       `{"name": "deep", "repository": "acme/app"}`,
	}
	s := Of(fakeRoot(files), nil)
	for _, p := range []string{"pkg:npm/%40acme/core@1.0.0", "pkg:npm/%40acme/x@1.0.0", "pkg:npm/plain@1.0.0", "pkg:npm/cli@2.0.0", "pkg:npm/typed", "pkg:npm/%40acme/lerna@1.0.0", "pkg:npm/app-types", "pkg:npm/other@1.0.0"} {
		if s.Declaration(p, "") == "" {
			t.Errorf("%s is not own", p)
		}
	}
	for _, p := range []string{
		"pkg:npm/lodash@4.17.21", "pkg:npm/silent@1.0.0", "pkg:npm/%40acme/forked@1.0.0", "pkg:npm/moved@1.0.0", "pkg:npm/misname@1.0.0",
		"pkg:npm/%40acme/gone@1.0.0", "pkg:npm/%40acme/apart@1.0.0", "pkg:npm/odd@1.0.0", "pkg:npm/%40other/core@1.0.0", "pkg:npm/fetched", "pkg:npm/deep", "pkg:npm/..", "pkg:golang/plain",
	} {
		if by := s.Declaration(p, ""); by != "" {
			t.Errorf("%s is own by %s", p, by)
		}
	}
}

// TestPatterns: lists of workspaces are read as npm, lerna and pnpm read them.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		patterns string
		dir      string
		in       bool
	}{
		{"packages/*", "packages/a", true}, {"packages/*", "packages/a/b", false}, {"packages/*", "packages", false},
		{"./packages/**", "packages/a/b", true}, {"**", "a/b", true}, {"**/test", "test", true}, {"**/test", "a/b/test", true},
		{"a/**/b", "a/b", true}, {"a/**/b", "a/c", false}, {"p/*,!p/x", "p/x", false}, {"!p/x,p/*", "p/x", true}, {"p/[", "p/a", false},
	} {
		if b := (&below{workspaces: workspaces(strings.Split(c.patterns, ","))}); b.lists(c.dir) != c.in {
			t.Errorf("%s lists %s: %t", c.patterns, c.dir, !c.in)
		}
	}
}

// TestBelowOnDisk: manifests are found in directories of the target's own that are not too deep.
func TestBelowOnDisk(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"package.json", "web/package.json", "p/a/package.json", "p/node_modules/x/package.json", ".cache/package.json", "1/2/3/4/5/package.json", "1/2/3/4/5/6/package.json"} {
		name := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"1/2/3/4/5/package.json", "p/a/package.json", "web/package.json"}
	if got := OnDisk(dir).below("package.json"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
