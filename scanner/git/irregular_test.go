//go:build unix

package git

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// irregular are things that can lie where a file is expected, and that to open or read may take for ever.
var irregular = map[string]func(name string) error{
	"pipe": func(name string) error { return syscall.Mkfifo(name, 0o666) },
	"socket": func(name string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
	"link to a device": func(name string) error { return os.Symlink("/dev/zero", name) },
	"directory":        func(name string) error { return os.Mkdir(name, 0o777) },
}

// TestIrregularFiles: a pipe, a device or the like in place of a file of a repository is an error, and no read waits for it.
func TestIrregularFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("makes dozens of repositories")
	}
	for kind, make := range irregular {
		for _, name := range []string{"HEAD", "refs/heads/main", "packed-refs", "config", "shallow", "index", "objects/info/alternates", "commondir",
			"PACK", "IDX", "OBJECT"} {
			if kind == "directory" && (name == "HEAD" || name == "refs/heads/main") {
				continue // there can be references below
			}
			r := twoCommits(t)
			if name == "PACK" || name == "IDX" {
				r.git("repack", "-q", "-adf")
				r.git("prune-packed")
				name = "objects/pack/*." + strings.ToLower(name)
			}
			file := filepath.Join(r.dir, ".git", name)
			if name == "OBJECT" {
				file = r.loosePath(r.rev("HEAD^{tree}"))
			}
			if found, _ := filepath.Glob(file); len(found) == 1 {
				file = found[0]
			}
			os.Remove(file)
			if err := make(file); err != nil {
				if kind != "socket" { // whose path can be too long
					t.Fatal(err)
				}
				continue
			}
			if err := readEverything(t, r.dir); err == nil {
				t.Errorf("%s as %s: no error", kind, name)
			} else if kind != "directory" && !object.IsCorrupt(err) && name != "commondir" {
				t.Errorf("%s as %s: %v", kind, name, err)
			}
		}
	}
}

// readEverything opens a repository and reads its history and its index.
func readEverything(t *testing.T, dir string) error {
	repo, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return err
	}
	defer repo.Close()
	if err := readAll(t, repo); err != nil {
		return err
	}
	if err := historyError(t, repo, Selection{All: true}); err != nil {
		return err
	}
	_, err = repo.Staged(t.Context(), nil)
	return err
}

// TestNonsenseHEAD: a HEAD that is no valid reference is an error, not an empty history.
func TestNonsenseHEAD(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "blank": "\n", "words": "hello\n", "outside": "ref: ../../x\n", "no name": "ref: \n",
		"not below refs": "ref: config\n", "short": "0123456789\n", "zeros": strings.Repeat("0", 40) + "\n", "not there": strings.Repeat("1", 40) + "\n",
		"unborn": "ref: refs/heads/none\n", "circle": "ref: refs/heads/circle\n"} {
		r := twoCommits(t)
		os.WriteFile(filepath.Join(r.dir, ".git/refs/heads/circle"), []byte("ref: refs/heads/circle\n"), 0o666)
		if err := os.WriteFile(filepath.Join(r.dir, ".git/HEAD"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := historyError(t, r.open(), Selection{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := historyError(t, r.open(), Selection{Range: "main"}); err != nil && name == "unborn" {
			t.Errorf("%s, another branch: %v", name, err)
		}
	}
}

// TestPackedRefs: a line that cannot be read is an error, not a reference less.
func TestPackedRefs(t *testing.T) {
	id := strings.Repeat("1", 40)
	for text, ok := range map[string]bool{
		"":                                  true,
		"# pack-refs with: peeled\n":        true,
		id + " refs/heads/a\n":              true,
		id + " refs/tags/a\n^" + id + "\n":  true,
		"#" + id[1:] + " refs/heads/a\n":    false,
		id + " refs/heads/a\n#" + id + "\n": false,
		id + " refs/heads/a":                false,
		id + "\n":                           false,
		id + " heads/a\n":                   false,
		"g" + id[1:] + " refs/heads/a\n":    false,
		"^" + id + "\n":                     false,
	} {
		if _, err := parsePacked("packed-refs", []byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestPackedRefsAreKept: the file of packed references is read once as long as it does not change, and every change counts.
func TestPackedRefsAreKept(t *testing.T) {
	dir := t.TempDir()
	refs := openRefs(layout{gitDir: dir, commonDir: dir})
	file := filepath.Join(dir, "packed-refs")
	line := func(digit, name string) string { return strings.Repeat(digit, 40) + " " + name + "\n" }
	for i, c := range []struct{ text, digit string }{
		{"", ""},
		{"# pack-refs with: peeled\n" + line("1", "refs/heads/a") + line("2", "refs/heads/ab") + line("3", "refs/remotes/o/refs/heads/a"), "1"},
		{line("1", "refs/heads/ab"), ""},
		{line("1", "refs/heads/a") + line("4", "refs/heads/b\r") + line("5", "refs/heads/a\r"), "5"},
		{line("6", "refs/heads/a") + line("x", "refs/heads/b"), "error"},
		{line("7", "refs/heads/a"), "7"},
		{line("8", "refs/heads/a"), "8"},
	} {
		if c.text != "" {
			if err := os.WriteFile(file+".lock", []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(file+".lock", file); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			h, ok, err := refs.resolve("refs/heads/a")
			if (err != nil) != (c.digit == "error") || ok != (c.digit != "" && err == nil) || ok && h.String() != strings.Repeat(c.digit, 40) {
				t.Errorf("%d: %v, %v, %v", i, h, ok, err)
			}
		}
		if c.text != "" && c.digit != "error" && refs.kept.info == nil {
			t.Errorf("%d: the file is not kept", i)
		}
	}
	if refs.kept.giveBack(); refs.kept.text != nil || refs.kept.info != nil || refs.kept.sound {
		t.Error("the file is kept after its memory was given back")
	}
}
