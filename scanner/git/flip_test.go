package git

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seen is all that a scan of the history and of the index takes from a repository.
func seen(ctx context.Context, dir string) ([]string, error) {
	repo, err := Open(ctx, dir, Options{})
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	skipped := func(path string, reason Reason, detail string) { say("skipped %q %s %s", path, reason, detail) }
	changes := func(list []Change) error {
		for _, ch := range list {
			b, err := repo.Blob(ctx, ch.Blob, 1<<20)
			if err != nil {
				return err
			}
			say("%s %s %q", ch.Path, ch.OldPath, b)
		}
		return nil
	}
	for _, sel := range []Selection{{}, {All: true}} {
		for c, err := range repo.History(ctx, sel, skipped) {
			if err != nil {
				return nil, err
			}
			say("commit %s by %s at %v, %v", c.Name, c.AuthorName, c.AuthorTime, c.Deleted)
			if err := changes(c.Changes); err != nil {
				return nil, err
			}
		}
	}
	c, err := repo.Staged(ctx, skipped)
	if err != nil {
		return nil, err
	}
	say("staged, deleted %v", c.Deleted)
	return out, changes(c.Changes)
}

// flippable is a repository with something in each file that is judged.
func flippable(t *testing.T, packed bool) *testRepo {
	r := twoCommits(t)
	r.git("tag", "-a", "-m", "annotated", "v1")
	r.git("checkout", "-q", "-b", "side", "HEAD^")
	r.write("c", strings.Repeat("some text that makes deltas\n", 20))
	r.commit("side")
	r.write("c", strings.Repeat("some text that makes deltas\n", 21))
	r.commit("side again")
	r.git("checkout", "-q", "main")
	r.write("d", "staged\n")
	r.git("add", "-A")
	if packed {
		r.git("repack", "-q", "-adf")
		r.git("prune-packed")
		r.git("pack-refs", "--all")
	}
	return r
}

// judged are the files whose content decides what is seen. Hooks, logs, descriptions and messages do not; the
// configuration does, has no checksum, and is as easily edited as damaged.
func judged(name string) bool {
	return strings.HasPrefix(name, "objects/") && !strings.HasSuffix(name, ".rev") || strings.HasPrefix(name, "refs/") ||
		slices.Contains([]string{"HEAD", "index", "packed-refs"}, name)
}

// TestOneBit: a bit that is flipped anywhere in objects, packs, their indexes, the index and references is an error, or
// nothing changes; it is never another history. FLIPS=all flips each bit of each byte in turn, instead of one.
func TestOneBit(t *testing.T) {
	if testing.Short() {
		t.Skip("flips bits of every file")
	}
	for name, packed := range map[string]bool{"loose": false, "packed": true} {
		t.Run(name, func(t *testing.T) {
			r := flippable(t, packed)
			want, err := seen(t.Context(), r.dir)
			if err != nil || len(want) < 8 {
				t.Fatal(want, err)
			}
			var noticed, harmless, silent int
			try := func(file string, at int, bit uint, err error, got []string) {
				switch {
				case err != nil:
					noticed++
				case slices.Equal(got, want):
					harmless++
				default:
					silent++
					t.Errorf("%s: bit %d of byte %d: got\n%s\nwant\n%s", file, bit, at, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			for _, file := range gitFiles(t, r) {
				whole, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				os.Chmod(file, 0o644)
				flip := func(at int, bit uint) {
					b := bytes.Clone(whole)
					b[at] ^= 1 << bit
					if err := os.WriteFile(file, b, 0o644); err != nil {
						t.Fatal(err)
					}
					got, err := seen(t.Context(), r.dir)
					try(file, at, bit, err, got)
				}
				for at := range whole {
					if os.Getenv("FLIPS") != "all" {
						flip(at, uint(at)*5%8)
						continue
					}
					for bit := range uint(8) {
						flip(at, bit)
					}
				}
				if err := os.WriteFile(file, whole, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d flips noticed, %d harmless, %d silent", noticed, harmless, silent)
			if noticed == 0 {
				t.Error("no flip is noticed")
			}
		})
	}
}

// gitFiles lists the files of a repository that are judged.
func gitFiles(t *testing.T, r *testRepo) []string {
	t.Helper()
	var files []string
	root := filepath.Join(r.dir, ".git")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, file)
		if err == nil && d.Type().IsRegular() && judged(filepath.ToSlash(name)) {
			files = append(files, file)
		}
		return err
	})
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	return files
}
