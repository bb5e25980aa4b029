package git

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain lets a git hook run this very binary: with hookOutput set it lists what is staged, as a hook's environment
// says, into that file.
func TestMain(m *testing.M) {
	if out := os.Getenv(hookOutput); out != "" {
		os.Exit(hookMain(out))
	}
	os.Exit(m.Run())
}

const hookOutput = "GIT_PROVENANCE_TEST_HOOK_OUTPUT"

func hookMain(out string) int {
	ctx := context.Background()
	r, err := Open(ctx, ".", Options{GitDir: os.Getenv("GIT_DIR"), WorkTree: os.Getenv("GIT_WORK_TREE"),
		ObjectDir: os.Getenv("GIT_OBJECT_DIRECTORY"), IndexFile: os.Getenv("GIT_INDEX_FILE")})
	if err == nil {
		var changes []Change
		if changes, err = changesOf(r.Staged(ctx, nil)); err == nil {
			text := "root " + r.Root() + "\n"
			for _, c := range changes {
				b, _ := r.Blob(ctx, c.Blob, 1000)
				text += fmt.Sprintf("%s=%s", c.Path, b)
			}
			err = os.WriteFile(out, []byte(text), 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestStagedInsideHook(t *testing.T) {
	r := newRepo(t)
	r.write("a", "a1\n")
	r.write("b", "b1\n")
	r.write("c", "c1\n")
	r.commit("first")
	tree := filepath.Join(r.dir, "..", "linked")
	r.git("worktree", "add", "-q", "-b", "side", tree)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	hook := fmt.Sprintf("#!/bin/sh\nexec %q\n", exe)
	if err := os.WriteFile(filepath.Join(r.dir, ".git", "hooks", "pre-commit"), []byte(hook), 0o777); err != nil {
		t.Skipf("no executable hooks here: %v", err)
	}
	for _, where := range []struct{ name, dir string }{{"main", r.dir}, {"linked", tree}} {
		t.Run(where.name, func(t *testing.T) {
			r := r.at(where.dir)
			out := filepath.Join(t.TempDir(), "out")
			r.env = []string{hookOutput + "=" + out}
			hooked := func(want string, args ...string) {
				t.Helper()
				r.now++
				os.Remove(out)
				r.git(append([]string{"commit", "-q", "-m", "m"}, args...)...)
				got, _ := os.ReadFile(out)
				root, err := filepath.EvalSymlinks(where.dir)
				if err != nil {
					t.Fatal(err)
				}
				if want = "root " + root + "\n" + want; string(got) != want {
					t.Errorf("commit %q: got %q, want %q", args, got, want)
				}
			}
			r.write("a", "a2\n")
			r.write("b", "b2\n")
			hooked("a=a2\nb=b2\n", "-a")
			r.write("a", "a3\n")
			r.write("b", "b3\n")
			r.git("add", "a")
			hooked("b=b3\n", "--only", "b")
			r.write("c", "c3\n")
			hooked("a=a3\n")
			hooked("c=c3\n", "--include", "c")
		})
	}
}

func staged(t *testing.T, r *testRepo) ([]Change, notes) {
	t.Helper()
	var skipped notes
	changes, err := changesOf(r.open().Staged(context.Background(), skipped.add))
	if err != nil {
		t.Fatal(err)
	}
	return changes, skipped
}

func TestStaged(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 12\n"
	tests := []struct {
		name    string
		setup   func(r *testRepo)
		changes []string
		skipped []string
	}{
		{"nothing at all", func(r *testRepo) {}, nil, nil},
		{"first commit", func(r *testRepo) {
			r.write("x/y", "1")
			r.write("a", "1")
			r.git("add", "-A")
		}, []string{"A a", "A x/y"}, nil},
		{"added, modified, deleted, untouched, unstaged", func(r *testRepo) {
			r.write("keep", "1")
			r.write("gone", "2")
			r.write("mod", "3")
			r.write("later", "4")
			r.commit("c")
			r.write("mod", "3b")
			r.write("new", "5")
			os.Remove(filepath.Join(r.dir, "gone"))
			r.git("add", "-A")
			r.write("later", "4b")
		}, []string{"M mod", "A new"}, nil},
		{"rename", func(r *testRepo) {
			r.write("from/a", "content")
			r.commit("c")
			os.Rename(filepath.Join(r.dir, "from"), filepath.Join(r.dir, "to"))
			r.git("add", "-A")
		}, []string{"R from/a > to/a"}, nil},
		{"mode only", func(r *testRepo) {
			r.write("a", "content")
			r.commit("c")
			r.git("update-index", "--chmod=+x", "a")
		}, nil, nil},
		{"partly staged", func(r *testRepo) {
			r.write("a", "1\n2\n")
			r.commit("c")
			r.write("a", "0\n1\n2\n3\n")
			r.write("half", "0\n1\n2\n")
			blob := r.git("hash-object", "-w", "half")
			os.Remove(filepath.Join(r.dir, "half"))
			r.git("update-index", "--cacheinfo", "100644,"+blob+",a")
		}, []string{"M a"}, nil},
		{"link and submodule", func(r *testRepo) {
			r.write("f", "1")
			r.git("add", "f")
			blob := r.git("hash-object", "-w", "f")
			r.git("update-index", "--add", "--cacheinfo", "120000,"+blob+",link")
			r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub")
		}, []string{"A f"}, []string{"link: symlink", "sub: submodule"}},
		{"file becomes link", func(r *testRepo) {
			r.write("f", "1")
			r.commit("c")
			r.git("update-index", "--cacheinfo", "120000,"+r.git("rev-parse", ":f")+",f")
		}, nil, []string{"f: symlink"}},
		{"link becomes file", func(r *testRepo) {
			r.write("f", "1")
			blob := r.git("hash-object", "-w", "f")
			r.git("update-index", "--add", "--cacheinfo", "120000,"+blob+",l")
			r.git("commit", "-q", "-m", "c")
			r.git("update-index", "--cacheinfo", "100644,"+blob+",l")
		}, []string{"A l"}, nil},
		{"conflict", func(r *testRepo) {
			r.write("f", "1\n")
			r.commit("c")
			r.git("checkout", "-q", "-b", "other")
			r.write("f", "2\n")
			r.write("g", "clean\n")
			r.commit("o")
			r.git("checkout", "-q", "main")
			r.write("f", "3\n")
			r.commit("m")
			r.try("merge", "-q", "other")
		}, []string{"A g"}, []string{"f: conflict"}},
		{"intent to add", func(r *testRepo) {
			r.write("f", "1\n")
			r.git("add", "-N", "f")
		}, nil, []string{"f: intent-to-add"}},
		{"LFS pointer", func(r *testRepo) {
			r.write("big.bin", pointer)
			r.write("text", "version https://example.com\n")
			r.git("add", "-A")
		}, []string{"A text"}, []string{"big.bin: lfs-pointer"}},
		{"odd names", func(r *testRepo) {
			for _, n := range []string{"new\nline", `quo"te`, "Icon\r", "ü/ñ", " lead", "back\\slash", "-dash"} {
				r.write(n, "content of "+n)
			}
			r.git("add", "-A")
		}, []string{"A  lead", "A -dash", "A Icon\r", `A back\slash`, "A new\nline", `A quo"te`, "A ü/ñ"}, nil},
		{"merge in progress", func(r *testRepo) {
			r.write("f", "1\n")
			r.commit("c")
			r.git("checkout", "-q", "-b", "other")
			r.write("g", "2\n")
			r.commit("o")
			r.git("checkout", "-q", "main")
			r.write("h", "3\n")
			r.commit("m")
			r.git("merge", "-q", "--no-commit", "--no-ff", "other")
		}, []string{"A g"}, nil},
		{"detached HEAD", func(r *testRepo) {
			r.write("f", "1\n")
			r.commit("c")
			r.git("checkout", "-q", "--detach")
			r.write("f", "2\n")
			r.git("add", "f")
		}, []string{"M f"}, nil},
		{"unborn branch beside a born one", func(r *testRepo) {
			r.write("f", "1\n")
			r.commit("c")
			r.git("checkout", "-q", "--orphan", "fresh")
		}, []string{"A f"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t)
			test.setup(r)
			changes, skipped := staged(t, r)
			equal(t, "changes", changeList(changes), test.changes)
			equal(t, "skipped", skipped, test.skipped)
		})
	}
}

func TestStagedContent(t *testing.T) {
	r := newRepo(t)
	r.write("a", "old\n")
	r.commit("c")
	r.write("a", "staged\n")
	r.git("add", "a")
	r.write("a", "in the work tree\n")
	repo := r.open()
	changes, err := changesOf(repo.Staged(context.Background(), nil))
	if err != nil || len(changes) != 1 {
		t.Fatalf("%v, %v", changes, err)
	}
	c := changes[0]
	for _, want := range []struct {
		h       Hash
		content string
	}{{c.Blob, "staged\n"}, {c.Old, "old\n"}} {
		if b, err := repo.Blob(context.Background(), want.h, 100); err != nil || string(b) != want.content {
			t.Errorf("got %q, %v, want %q", b, err, want.content)
		}
	}
	if c.Size != 7 || c.Mode != ModeFile || !c.HasOld || c.OldPath != "a" {
		t.Errorf("%+v", c)
	}
}

func TestIndexVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("makes dozens of repositories")
	}
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			r := newRepo(t)
			var want []string
			for i := range 300 {
				name := fmt.Sprintf("dir%d/%s%d", i%7, strings.Repeat("n", i%20), i)
				r.write(name, fmt.Sprint(i))
			}
			long := strings.Repeat("long/", 40) + "name"
			r.write(long, "x")
			r.git("add", "-A")
			r.write("dir0/zz", "x")
			r.git("add", "-N", "dir0/zz") // needs the extended flags of version 3
			r.git("update-index", "--index-version", version)
			for l := range strings.SplitSeq(r.git("ls-files", "-z"), "\x00") {
				if l != "" && l != "dir0/zz" {
					want = append(want, "A "+l)
				}
			}
			changes, skipped := staged(t, r)
			equal(t, "changes", changeList(changes), want)
			equal(t, "skipped", skipped, []string{"dir0/zz: intent-to-add"})
		})
	}
}

func TestIndexesNotSupported(t *testing.T) {
	tests := map[string]func(r *testRepo){
		"split": func(r *testRepo) {
			r.git("update-index", "--split-index")
		},
		"sparse": func(r *testRepo) {
			r.git("sparse-checkout", "set", "--cone", "--sparse-index", "a")
		},
	}
	for name, setup := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.write("a/1", "1")
			r.write("b/c/2", "2")
			r.commit("c")
			setup(r)
			_, err := changesOf(r.open().Staged(context.Background(), nil))
			var unsupported *UnsupportedError
			if !errors.As(err, &unsupported) {
				t.Fatalf("got %v", err)
			}
			// The remedy has to work.
			command := strings.Split(unsupported.Remedy, "`")[1]
			r.git(strings.Fields(command)[1:]...)
			if _, err := changesOf(r.open().Staged(context.Background(), nil)); err != nil {
				t.Errorf("after %q: %v", command, err)
			}
		})
	}
}

// printIndex writes an index of version 3 or 4.
func printIndex(entries []indexEntry, version uint32) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(entries)))
	previous := ""
	for _, e := range entries {
		start := len(b)
		b = append(b, make([]byte, entryModeAt)...)
		b = binary.BigEndian.AppendUint32(b, e.mode)
		b = append(b, make([]byte, entryHashAt-entryModeAt-4)...)
		b = append(b, e.blob[:]...)
		b = binary.BigEndian.AppendUint16(b, flagExtended|uint16(e.stage)<<12)
		b = binary.BigEndian.AppendUint16(b, flag(extIntent, e.intentToAdd)|flag(extSkipWork, e.skipWorkTree))
		if version == 4 {
			kept := 0
			for kept < min(len(previous), len(e.path)) && previous[kept] == e.path[kept] {
				kept++
			}
			b = append(append(b, ofsNumber(len(previous)-kept)...), e.path[kept:]...)
			b = append(b, 0)
		} else {
			b = append(b, e.path...)
			b = append(b, make([]byte, 8-(len(b)-start)%8)...)
		}
		previous = e.path
	}
	return append(b, make([]byte, indexTrailer)...)
}

func flag(bit uint16, set bool) uint16 {
	if set {
		return bit
	}
	return 0
}

// ofsNumber writes a number as the offsets of deltas are written.
func ofsNumber(n int) []byte {
	b := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		b = append([]byte{0x80 | byte(n&0x7f)}, b...)
	}
	return b
}

// FuzzParseIndex reads indexes of any bytes; what is read is written in both forms and read again.
func FuzzParseIndex(f *testing.F) {
	r := newRepo(f)
	r.write("a/b", "1")
	r.write("a/c", "2")
	r.write("a/"+strings.Repeat("long", 60), "2")
	r.git("add", "-A")
	r.write("later", "3")
	r.git("add", "-N", "later")
	for _, v := range []string{"2", "4"} {
		r.git("update-index", "--index-version", v)
		b, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := parseIndex("index", b)
		if err != nil {
			return
		}
		if len(entries)*indexFixed > len(b) {
			t.Errorf("%d entries in %d bytes", len(entries), len(b))
		}
		names := 0
		for _, e := range entries {
			names += len(e.path)
		}
		for _, version := range []uint32{3, 4} {
			text := printIndex(entries, version)
			if version == 4 && names > maxNameGrowth*len(text) {
				continue // refused, as it should be
			}
			if again, err := parseIndex("index", text); err != nil || !slices.Equal(again, entries) {
				t.Errorf("version %d of %q: %+v, then %+v, %v", version, b, entries, again, err)
			}
		}
	})
}
