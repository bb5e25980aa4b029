package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/baseline/source/web"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

func TestExitCode(t *testing.T) {
	failure := errors.New("x")
	for _, c := range []struct {
		found int
		err   error
		want  int
	}{{0, nil, 0}, {1, nil, 1}, {300, nil, 1}, {0, failure, 2}, {3, failure, 2}} {
		if got := exitCode(c.found, c.err); got != c.want {
			t.Errorf("exitCode(%d, %v) = %d, want %d", c.found, c.err, got, c.want)
		}
	}
}

// TestHelpOfAdd: the help names each format of lock files and each registry that can be read.
func TestHelpOfAdd(t *testing.T) {
	help := new(program).addCommand().Long
	said := strings.FieldsFunc(help, func(r rune) bool { return strings.ContainsRune(" ,:;\n", r) })
	for _, f := range lockfile.Formats {
		name := map[string]string{"CycloneDX JSON": "*.cdx.json", "SPDX JSON": "*.spdx.json"}[f.Name]
		if name = cmp.Or(name, f.Name); !slices.Contains(said, name) {
			t.Errorf("the help of baseline add does not name %s", name)
		}
	}
	for _, typ := range append([]string{"golang", "npm"}, remote.Types...) {
		if !slices.Contains(said, typ) {
			t.Errorf("the help of baseline add does not name package URLs of type %s", typ)
		}
	}
}

func TestCountFrom(t *testing.T) {
	var fs []finding.Finding
	for _, l := range []string{"note", "warning", "warning", "error", "unheard-of"} {
		fs = append(fs, finding.Finding{Level: l})
	}
	for level, want := range map[string]int{"note": 5, "warning": 4, "error": 2, "never": 0} {
		if got := countFrom(fs, level); got != want {
			t.Errorf("from %s: %d, want %d", level, got, want)
		}
	}
}

// TestFlagNames checks that a name means the same on every command, since the
// configuration file has one key for it.
func TestFlagNames(t *testing.T) {
	type kind struct {
		typ        string
		path, file bool
	}
	seen := make(map[string]kind)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, list := f.Value.(pflag.SliceValue)
			k := kind{fmt.Sprint(reflect.TypeOf(f.Value), list), config.Marked(f, config.IsPath), !config.Marked(f, config.NotInFile)}
			if old, ok := seen[f.Name]; ok && old != k {
				t.Errorf("--%s of %s is %v, elsewhere %v", f.Name, c.CommandPath(), k, old)
			}
			seen[f.Name] = k
			if f.Usage == "" {
				t.Errorf("--%s of %s has no help", f.Name, c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&program{env: func(string) (string, bool) { return "", false }}).rootCommand())
	if len(seen) < 20 {
		t.Errorf("only %d flags", len(seen))
	}
}

func TestUnjoin(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	got := unjoin(errors.Join(a, errors.Join(b, c)))
	if !reflect.DeepEqual(got, []error{a, b, c}) {
		t.Errorf("%v", got)
	}
}

// TestForgetDownloads: complete and abandoned downloads are deleted. Files that another program is writing stay.
func TestForgetDownloads(t *testing.T) {
	cache := t.TempDir()
	dir := filepath.Join(cache, "git-provenance", "downloads")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"abc": 0, web.Partial + "1": time.Minute, web.Partial + "2": 2 * time.Hour} {
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	(&program{env: func(string) (string, bool) { return cache, true }}).forgetDownloads()
	es, err := os.ReadDir(dir)
	if err != nil || len(es) != 1 || es[0].Name() != web.Partial+"1" {
		t.Errorf("%v, %v", es, err)
	}
}

// TestSameFlags: flags are named as a shell reads them: empty values, values that look like flags, lists, no passwords.
func TestSameFlags(t *testing.T) {
	root := &cobra.Command{Use: "root"}
	for _, name := range []string{"hook", "explain"} {
		c := &cobra.Command{Use: name}
		c.Flags().StringArray("exclude", nil, "")
		c.Flags().String("baseline", "", "")
		c.Flags().Bool("generated", true, "")
		c.Flags().Bool("vendored", false, "")
		root.AddCommand(c)
	}
	hook, _, err := root.Find([]string{"hook"})
	if err != nil {
		t.Fatal(err)
	}
	hook.Flags().String("fail-on", "", "")
	if err := hook.ParseFlags([]string{"--exclude=", "--exclude=-x", "--exclude=a b", "--baseline=postgres://bob:hunter2@db/x", "--generated=false", "--vendored", "--fail-on=note"}); err != nil {
		t.Fatal(err)
	}
	const want = " --baseline=postgres://bob:xxxxx@db/x --exclude='' --exclude=-x --exclude='a b' --generated=false --vendored"
	if got := sameFlags(hook, "explain"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNarrowingKeys: a repository's configuration must not silence a scan unseen. So each flag of scan that the file can set either makes
// a scan see less, and is in the table of docs/POLICY.md and in cmd/internal/config/narrow.go, or is listed here.
func TestNarrowingKeys(t *testing.T) {
	harmless := []string{"format", "verbose", "offline", "key", "generated", "vendored", "workers"}
	page, err := os.ReadFile("../docs/POLICY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "| key | listed where it |\n")
	if !ok {
		t.Fatal("docs/POLICY.md has no table of the keys that are listed")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	narrow, err := os.ReadFile("internal/config/narrow.go")
	if err != nil {
		t.Fatal(err)
	}
	scan, _, err := (&program{env: func(string) (string, bool) { return "", false }}).rootCommand().Find([]string{"scan"})
	if err != nil {
		t.Fatal(err)
	}
	scan.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if config.Marked(f, config.NotInFile) || slices.Contains(harmless, f.Name) {
			return
		}
		if !strings.Contains(table, "`"+f.Name+"`") || !strings.Contains(string(narrow), `"`+f.Name+`":`) {
			t.Errorf("can the key %q make a scan see less? Then docs/POLICY.md and cmd/internal/config/narrow.go have it; else it is harmless", f.Name)
		}
	})
}
