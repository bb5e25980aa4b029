package cmd_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// summing is a function that is long enough to be compared.
const summing = "package p\n\nfunc sum(values []int, limit int) (total int) {\n\tfor i, v := range values {\n\t\tif v > limit && i%2 == 0 {\n\t\t\ttotal += v * limit\n\t\t}\n\t}\n\treturn total + len(values)\n}\n"

// TestNothingToCompare gives commands what holds no code: they say so, of the argument.
func TestNothingToCompare(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"a/1.go": summing, "b/2.go": summing, "x.bin": "\x00\x01\x02", "empty/.keep": ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"compare empty a":                              "empty has no code that can be compared\n0 pairs of 2 units",
		"compare a x.bin":                              "x.bin has no code that can be compared\n0 pairs of 2 units",
		"similar x.bin --in a":                         "x.bin has no code that can be compared\n0 pairs of 2 units",
		"similar --all empty":                          "there are no two units to compare\n0 pairs of 0 units",
		"similar a/1.go --in a b":                      "b/2.go\n    equal: same content, 50 tokens\n",
		"similar --in b a/1.go":                        "b/2.go\n    equal: same content, 50 tokens\n",
		"similar a --in . a":                           "    a\n    b/2.go\nnot or only partly examined: 1 binary, 1 empty; --verbose lists them\nto see both sides of each pair: --output page.html\n1 pair of 2 units",
		"similar --all a ./a --units folders":          "there are no two units to compare",
		"similar --all . --units folders --suffix .go": "1 of 3 units has no code that can be compared:\n    empty: files with another ending than --suffix names\n",
		"similar --all a --in b":                       "",
		"similar a/1.go b/2.go":                        "",
		"compare a b --base a":                         "a has no code that can be compared\nb has no code that can be compared\n",
		"cluster empty --format text":                  "0 clusters of 0 files",
	} {
		exit, out, errs := run(t, t.Context(), map[string]string{"HOME": dir}, "", strings.Fields(args)...)
		if refused := exit == 2; refused != (want == "") || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %q, %q; want %q", args, exit, out, errs, want)
		}
	}
}

// TestExamplesOfSimilar runs the examples that the help of similar and compare shows, in their order.
func TestExamplesOfSimilar(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	program := func(name string) string {
		return strings.NewReplacer("package p\n\nfunc sum(values []int, limit int) (total int)", "class "+name+" { int sum(int[] values, int limit)", "\n}\n", "\n}}\n").Replace(summing)
	}
	for name, text := range map[string]string{
		"submissions/Ann_17/Main.java": program("Main"), "submissions/Bob_18/Main.java": program("Main2"), "submissions/Eve_19/Main.java": program("Main3"),
		"skeleton/Main.java": "class Main { void print(String[] lines) { for (String line : lines) { System.out.println(line.length() + 7); } } }", "src/Main.java": program("Main4"), "src/Other.java": program("Other"),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create("release.zip")
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if err := errors.Join(z.AddFS(os.DirFS("src")), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"init -q", "add src", "commit -q -m one", "tag v1.0"} {
		gittest.Run(t, dir, nil, strings.Fields(args)...)
	}
	env := map[string]string{"HOME": dir}
	for _, command := range []string{"similar", "compare"} {
		_, help, _ := run(t, t.Context(), env, "", command, "--help")
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		n := 0
		for line := range strings.Lines(examples) {
			args, ok := strings.CutPrefix(line, "  git-provenance ")
			if !ok {
				break
			}
			n++
			if exit, out, errs := run(t, t.Context(), env, "", strings.Fields(args)...); exit != 0 || strings.Contains(out, "0 pairs") {
				t.Errorf("%s: exit %d, %s%s", line, exit, out, errs)
			}
		}
		if n < 4 {
			t.Errorf("%s has %d examples:\n%s", command, n, help)
		}
	}
	if page, err := os.ReadFile("page.html"); err != nil || !bytes.Contains(page, []byte("Bob_18")) {
		t.Errorf("the page has no pair: %v", err)
	}
}

// TestZippedSubmissions: archives are files unless submissions are asked for, and a hint says so. Archives among many files, such as data of
// tests, need no hint.
func TestZippedSubmissions(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, err := z.Create("1.go")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, summing); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"moodle/Ann_1_assignsubmission_file/a.go": summing, "moodle/Bob_2_assignsubmission_file/a.go": summing, "in/ann.zip": zipped.String(), "in/bob.zip": zipped.String(), "src/1.go": summing, "src/2.go": summing, "src/data.zip": zipped.String()} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"similar --all in":                     "hint: 2 archives not unpacked; to compare submissions: git-provenance similar --all DIR --units folders\n",
		"similar src/1.go --in in":             "hint: 2 archives not unpacked; to compare with submissions, put the file into their directory: git-provenance similar --all DIR --units folders\n",
		"similar --all in --units folders":     "",
		"similar --all moodle":                 "hint: a learning platform named these files; to compare submissions: git-provenance similar --all DIR --units folders\n",
		"similar --all moodle --units folders": "",
		"similar --all src":                    "",
	} {
		if exit, out, errs := run(t, t.Context(), map[string]string{"HOME": dir}, "", strings.Fields(args)...); exit != 0 || errs != want {
			t.Errorf("%s: exit %d, %q, %q; want %q", args, exit, out, errs, want)
		}
	}
}

// TestEqualTrees: two trees of the same contents are equal, but their files may have other names or be there several times.
func TestEqualTrees(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a/1.go", "b/2.go", "b/3.go"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(summing), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const equal = "a  and  b\n    equal: every file of one has a file of the same content in the other, 50 tokens\n"
	for args, want := range map[string]string{
		"compare a b":           equal + "1 pair of 2 units",
		"compare a b --verbose": "    equal    1.go and 2.go, ",
	} {
		exit, out, errs := run(t, t.Context(), map[string]string{"HOME": dir}, "", strings.Fields(args)...)
		if exit == 2 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %q, %q; want %q", args, exit, out, errs, want)
		}
	}
}
