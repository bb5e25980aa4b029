package scanner_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// fileOf returns the only file of a directory, with its content.
func fileOf(t *testing.T, dir string) (string, os.FileInfo, []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v: %q", err, names)
	}
	in, err := os.Stat(names[0])
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return names[0], in, b
}

// TestDatingMemory: with what earlier runs have read, dates are the same while the history grows. A run over the same history learns
// nothing. A damaged file is made again.
func TestDatingMemory(t *testing.T) {
	r := newRepository(t)
	trie, codegen := function(t, std(t, copied[0].file), copied[0].head), function(t, std(t, copied[2].file), copied[2].head)
	a, b := head+own("a"), head+own("b")
	dir := t.TempDir()
	report := func(dir string) string {
		return string(marshal(t, r.tree(scan(t, scanner.Options{Memory: dir}, stdBaseline(t)))))
	}
	same := func(what string) {
		t.Helper()
		if got, want := report(dir), report(t.TempDir()); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	for _, f := range []files{
		{"x.go": a + trie.text, "y.go": b},
		{"x.go": a, "y.go": b + trie.text},
		{"z.go": head + codegen.text},
		{"z.go": gone},
		{"w/z.go": head + codegen.text + own("c")},
		{"y.go": b, "sub/y.go": head + trie.text + own("c")},
	} {
		r.commit(f)
		same("after a commit")
	}
	r.git("checkout", "-q", "-b", "side", "HEAD~2")
	r.commit(files{"y.go": b + trie.text + codegen.text})
	same("on a branch")
	r.git("checkout", "-q", "-")
	r.git("merge", "-q", "--no-edit", "-s", "ours", "side")
	same("after a merge")

	_, before, want := fileOf(t, dir)
	same("again")
	name, after, _ := fileOf(t, dir)
	if !os.SameFile(before, after) {
		t.Error("a run over the same history has learned something")
	}
	for at := 0; at < len(want); at += 97 {
		damaged := append([]byte(nil), want...)
		damaged[at] ^= 0x10
		if at%2 == 0 {
			damaged = damaged[:at]
		}
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if at%5 == 0 {
			same("damaged")
			if _, _, got := fileOf(t, dir); string(got) == string(damaged) {
				t.Errorf("byte %d: the damaged file was kept", at)
			}
		}
	}
	report(dir)
	hidden := r.hideBlobs()
	same("without older contents")
	hidden()
}
