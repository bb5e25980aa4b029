// Package conformance tests every kind of place for a baseline. The program must print and write the same bytes as for
// a directory.
package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/cmd"
)

// Place is a kind of place for a baseline.
type Place struct {
	Name string
	New  func(t testing.TB) string // returns an empty directory or address
}

// steps are commands that change or read a baseline, each after its exit code. BASE is the baseline, OTHER a second
// one, OUT a directory whose files are compared too.
var steps = []string{
	"0 baseline add --baseline BASE --purl pkg:golang/std@1.0.0 --license BSD-3-Clause --released 2020-01-02 lib/sort",
	"0 baseline add --baseline BASE --purl pkg:golang/std@1.1.0 lib/sort",
	"0 baseline add --baseline BASE --purl pkg:generic/containers@1 lib/container",
	"0 baseline list --baseline BASE --format json",
	"1 scan --baseline BASE target --format json",
	"1 scan --baseline BASE target --format sarif",
	"1 scan --baseline BASE target --format spdx --output OUT/target.spdx",
	"0 explain --baseline BASE target/copied.go:30",
	"0 baseline add --baseline BASE --purl pkg:generic/strings@1 --license MIT lib/strings",
	"1 scan --baseline BASE target --format markdown",
	"0 baseline export --baseline BASE --output OUT/grown.gpbase",
	"0 baseline remove --baseline BASE pkg:golang/std@1.0.0",
	"1 scan --baseline BASE target --format text",
	"2 baseline remove --baseline BASE pkg:golang/std@1.0.0",
	"0 baseline verify --baseline BASE",
	"0 baseline compact --baseline BASE",
	"0 baseline verify --baseline BASE",
	"0 baseline info --baseline BASE --format json",
	"0 baseline export --baseline BASE --output OUT/compacted.gpbase",
	"0 baseline import --baseline OTHER OUT/grown.gpbase",
	"2 baseline import --baseline OTHER OUT/compacted.gpbase",
	"0 baseline import --baseline OTHER OUT/compacted.gpbase --replace",
	"0 baseline export --baseline OTHER --output OUT/again.gpbase",
	"2 baseline init --baseline OTHER",
	"1 scan --baseline OTHER --baseline BASE target --format json",
	"1 scan --baseline BASE target --history --format json",
}

// Run runs every step for a directory and for a place, and compares the results.
func Run(t *testing.T, p Place) {
	work := prepare(t)
	want := run(t, work, Place{"directory", func(t testing.TB) string { return filepath.Join(t.TempDir(), "base") }})
	got := run(t, work, p)
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("%s at a %s says\n%s\nin a directory\n%s", steps[i/2], p.Name, clip(got[i]), clip(want[i]))
		}
	}
}

func clip(s string) string { return s[:min(len(s), 3000)] }

// run returns what each step printed and wrote. Each scan also runs on a fresh machine, without anything in the cache.
func run(t *testing.T, work string, p Place) (out []string) {
	t.Helper()
	base, other, files, home := p.New(t), p.New(t), t.TempDir(), t.TempDir()
	places := strings.NewReplacer("BASE", base, "OTHER", other, "OUT", files)
	shown := strings.NewReplacer(base, "BASE", other, "OTHER", files, "OUT")
	for _, step := range steps {
		args := strings.Fields(step)[1:]
		for i := range args {
			args[i] = places.Replace(args[i])
		}
		said := shown.Replace(program(t, work, home, args))
		if code := "exit code " + step[:1]; !strings.Contains(said, code) {
			t.Errorf("%s at a %s: want %s\n%s", step, p.Name, code, said)
		}
		again := ""
		if args[0] != "baseline" {
			again = shown.Replace(program(t, work, t.TempDir(), args))
		}
		out = append(out, said+written(t, files), again)
	}
	return out
}

// program runs the program and returns what it printed and its exit code.
func program(t *testing.T, work, home string, args []string) string {
	t.Helper()
	t.Chdir(work)
	env := map[string]string{"HOME": home, "GIT_PROVENANCE_FAIL_ON": "note", "PATH": os.Getenv("PATH")}
	get := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	var out, err bytes.Buffer
	code := cmd.Main(context.Background(), args, get, cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	return fmt.Sprintf("%s\n%s\nexit code %d\n", out.String(), err.String(), code)
}

// written returns the files in a directory with their contents.
func written(t *testing.T, dir string) string {
	t.Helper()
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range es {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s: %q\n", e.Name(), b)
	}
	return out.String()
}

// prepare makes a repository with files that were copied, changed and committed, beside packages of the standard
// library.
func prepare(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	work := t.TempDir()
	for _, name := range []string{"sort", "strings", "container"} {
		if err := os.CopyFS(filepath.Join(work, "lib", name), os.DirFS(filepath.Join(src, name))); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(work, "target")
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, work, "init", "-q", "-b", "main")
	for at, from := range map[string]string{"copied.go": "sort/sort.go", "heap.go": "container/heap/heap.go", "replace.go": "strings/replace.go"} {
		b, err := os.ReadFile(filepath.Join(src, from))
		if err == nil {
			b = bytes.ReplaceAll(b, []byte("data"), []byte("values"))
			err = os.WriteFile(filepath.Join(target, at), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	git(t, work, "add", "target")
	git(t, work, "commit", "-qm", "Copy")
	return work
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir, "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
