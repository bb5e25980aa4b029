package git

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// nameOf is the name of an object.
func nameOf(t objectType, b []byte) Hash {
	return Hash(sha1.Sum(append(objectHead(nil, t, len(b)), b...)))
}

// loosePath is where a loose object lies.
func (r *testRepo) loosePath(h Hash) string {
	name := h.String()
	return filepath.Join(r.dir, ".git/objects", name[:2], name[2:])
}

// overwrite puts another content in the place of a loose object.
func (r *testRepo) overwrite(h Hash, raw string) {
	r.t.Helper()
	os.Remove(r.loosePath(h)) // git makes them read-only
	if err := os.WriteFile(r.loosePath(h), deflated([]byte(raw)), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// TestOtherContent: an object that is not what its name says is an error,
// wherever it lies and whatever it is.
func TestOtherContent(t *testing.T) {
	for name, overwrite := range map[string]func(r *testRepo){
		"blob": func(r *testRepo) { r.overwrite(r.rev("HEAD:a"), "blob 2\x004\n") },
		"tree": func(r *testRepo) { r.overwrite(r.rev("HEAD^{tree}"), "tree 0\x00") },
		"commit": func(r *testRepo) {
			raw := r.git("cat-file", "commit", "HEAD^") + "\n"
			r.overwrite(r.rev("HEAD"), "commit "+strconv.Itoa(len(raw))+"\x00"+raw)
		},
		"packed blob": func(r *testRepo) { swapPacked(r, r.rev("HEAD:a"), r.rev("HEAD^:a")) },
		"packed tree": func(r *testRepo) { swapPacked(r, r.rev("HEAD^{tree}"), r.rev("HEAD^^{tree}")) },
		"packed commit": func(r *testRepo) {
			swapPacked(r, r.rev("HEAD"), r.rev("HEAD^"))
		},
	} {
		r := twoCommits(t)
		r.write("a", "3\n")
		r.commit("three" + strings.Repeat(" and more", 100)) // longer than what is kept whole
		overwrite(r)
		var corrupt *CorruptError
		if err := readAll(t, r.open()); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// swapPacked packs a repository and exchanges two objects in its index.
func swapPacked(r *testRepo, a, b Hash) {
	r.t.Helper()
	r.git("repack", "-q", "-adf", "--depth=0")
	r.git("prune-packed")
	names, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.idx"))
	if err != nil || len(names) != 1 {
		r.t.Fatal(names, err)
	}
	idx, err := os.ReadFile(names[0])
	if err != nil {
		r.t.Fatal(err)
	}
	x, err := newPackIndex(idx)
	if err != nil {
		r.t.Fatal(err)
	}
	i, j := x.search(&a), x.search(&b)
	first := bytes.Clone(x.offsets[4*i:][:4])
	copy(x.offsets[4*i:], x.offsets[4*j:][:4])
	copy(x.offsets[4*j:], first)
	os.Chmod(names[0], 0o644)
	if err := os.WriteFile(names[0], idx, 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// readAll reads the whole history of a repository, every content included.
func readAll(t testing.TB, repo *Repo) error {
	t.Helper()
	for c, err := range repo.History(t.Context(), Selection{}, nil) {
		if err != nil {
			return err
		}
		for _, ch := range c.Changes {
			if _, err := repo.Blob(t.Context(), ch.Blob, 1<<20); err != nil {
				return err
			}
		}
	}
	return nil
}

// historyError is the error a history ends with.
func historyError(t testing.TB, repo *Repo, sel Selection) error {
	t.Helper()
	for _, err := range repo.History(t.Context(), sel, nil) {
		if err != nil {
			return err
		}
	}
	return nil
}
