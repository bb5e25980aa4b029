package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// report is what both builds have to agree on.
type report struct {
	Baseline json.RawMessage
	Findings []json.RawMessage
	Ledger   []struct{ Path, Reason string }
}

// scanWith adds the package in from to a new baseline and scans the directory to.
func scanWith(t *testing.T, program, from, to string) (r report) {
	t.Helper()
	base := filepath.Join(t.TempDir(), "base")
	for _, args := range [][]string{
		{"baseline", "add", from, "--purl", "pkg:golang/std@1", "--license", "BSD-3-Clause", "--released", "2020-01-01", "--baseline", base},
		{"scan", to, "--baseline", base, "--format", "json"},
	} {
		c := exec.Command(program, args...)
		c.Env = append(os.Environ(), asProgram+"=1")
		var out, told bytes.Buffer
		c.Stdout, c.Stderr = &out, &told
		if err := c.Run(); c.ProcessState.ExitCode() > 1 {
			t.Fatalf("%s %v: %v\n%s", program, args, err, &told)
		}
		if args[0] == "scan" {
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// A build without a C compiler reads languages that have a lexer like any other: the same baseline, the same findings, renamed copies
// too. Files that only a grammar can read are in the ledger.
func TestWithoutGrammars(t *testing.T) {
	if testing.Short() || !lang.HasGrammars {
		t.Skip("builds the program, and compares it with one that has grammars")
	}
	without := filepath.Join(t.TempDir(), "git-provenance")
	build := exec.Command("go", "build", "-o", without, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	with, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	from, to := t.TempDir(), t.TempDir()
	names := regexp.MustCompile(`\b([a-z]+[A-Z_][A-Za-z]*)\b`)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot := strings.TrimSpace(string(root))
	files := []string{"src/strings/replace.go", "src/runtime/cgo/gcc_libinit.c", "src/runtime/runtime-gdb.py", "lib/wasm/wasm_exec.js"}
	for _, f := range files {
		renamed(t, filepath.Join(goroot, f), from, to, names)
	}
	a, b := scanWith(t, with, from, to), scanWith(t, without, from, to)
	if !bytes.Equal(a.Baseline, b.Baseline) {
		t.Errorf("baselines differ:\n%s\n%s", a.Baseline, b.Baseline)
	}
	found := ""
	for i, f := range a.Findings {
		if i >= len(b.Findings) || !bytes.Equal(f, b.Findings[i]) {
			t.Errorf("only with grammars: %s", f)
		}
		found += string(f)
	}
	if len(a.Findings) != len(b.Findings) {
		t.Errorf("%d findings, %d without grammars", len(a.Findings), len(b.Findings))
	}
	for _, f := range files {
		if !strings.Contains(found, filepath.Base(f)) {
			t.Errorf("no finding in %s", f)
		}
	}

	renamed(t, filepath.Join(goroot, "src/make.bash"), from, to, names)
	c := scanWith(t, without, from, to)
	listed := false
	for _, e := range c.Ledger {
		listed = listed || filepath.Base(e.Path) == "make.bash" && e.Reason == string(lang.NoGrammar)
	}
	if !listed {
		t.Errorf("make.bash is not listed: %v", c.Ledger)
	}
}

// renamed copies a file into two directories, with other names into the second.
func renamed(t *testing.T, path, from, to string, names *regexp.Regexp) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for dir, text := range map[string][]byte{from: text, to: names.ReplaceAll(text, []byte("${1}Q"))} {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
