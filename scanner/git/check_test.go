package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

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

// store writes a loose object, whatever it says.
func (r *testRepo) store(typ object.Type, content string) Hash {
	r.t.Helper()
	raw := string(object.Head(nil, typ, len(content))) + content
	h := Hash(sha1.Sum([]byte(raw)))
	if err := os.MkdirAll(filepath.Dir(r.loosePath(h)), 0o777); err != nil {
		r.t.Fatal(err)
	}
	r.overwrite(h, raw)
	return h
}

// pack moves an object into a pack of its own.
func (r *testRepo) pack(h Hash) {
	r.t.Helper()
	cmd := exec.Command("git", "pack-objects", "-q", ".git/objects/pack/pack")
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environ(), strings.NewReader(h.String()+"\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	r.git("prune-packed")
}

func deflated(b []byte) []byte {
	var buf bytes.Buffer
	w := zlib.NewWriter(&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
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
	offsets := offsetsOf(idx, a, b)
	first := bytes.Clone(offsets[0])
	copy(offsets[0], offsets[1])
	copy(offsets[1], first)
	os.Chmod(names[0], 0o644)
	if err := os.WriteFile(names[0], idx, 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// offsetsOf returns where an index has the offsets of objects.
func offsetsOf(idx []byte, hs ...Hash) (out [][]byte) {
	const fanout = 8 + 256*4
	n := int(binary.BigEndian.Uint32(idx[fanout-4:]))
	names, offsets := idx[fanout:][:n*len(Hash{})], idx[fanout+n*(len(Hash{})+4):]
	for _, h := range hs {
		i := sort.Search(n, func(i int) bool { return bytes.Compare(names[i*len(h):][:len(h)], h[:]) >= 0 })
		out = append(out, offsets[4*i:][:4])
	}
	return out
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

func TestTreeBomb(t *testing.T) {
	// Ten entries a level, forty levels: 10^40 files in 40 objects.
	r := newRepo(t)
	child, mode := r.store(object.Blob, "x"), "100644"
	for range 40 {
		tree := ""
		for i := range 10 {
			tree += mode + " " + string(rune('0'+i)) + "\x00" + string(child[:])
		}
		child, mode = r.store(object.Tree, tree), "40000"
	}
	rd := r.open().acquire()
	defer rd.Close()
	if _, err := rd.compare(t.Context(), Hash{}, child, nil); err == nil {
		t.Error("comparison: no error")
	}
	empty := r.store(object.Tree, "") // the same without any file
	for range 40 {
		tree := ""
		for i := range 10 {
			tree += "40000 " + string(rune('0'+i)) + "\x00" + string(empty[:])
		}
		empty = r.store(object.Tree, tree)
	}
	rd2 := r.open().acquire() // packs and objects are listed when a reader is opened
	defer rd2.Close()
	if _, err := rd2.compare(t.Context(), Hash{}, empty, nil); err == nil || !strings.Contains(err.Error(), "directories") {
		t.Errorf("comparison without files: %v", err)
	}
	h := history{repo: &Repo{}, rd: rd, seen: map[Hash]bool{}, seenTrees: map[Hash]bool{}, reported: map[string]bool{}, trees: map[Hash]Hash{}}
	if err := h.learnTree(t.Context(), child); err != nil || len(h.seen) != 1 {
		t.Errorf("history: %d blobs, %v", len(h.seen), err)
	}
}

// TestNoPaths: entries that git would not check out are listed, and of two of one name the second.
func TestNoPaths(t *testing.T) {
	r := newRepo(t)
	blob := r.store(object.Blob, "x")
	tree := ""
	for _, name := range []string{"..", ".", "/etc/a", "a/../../b", "a//b", "dir/", "ok", "ok", strings.Repeat("n", 5000)} {
		tree += "100644 " + name + "\x00" + string(blob[:])
	}
	root := r.store(object.Tree, tree)
	c := r.store(object.Commit, "tree "+root.String()+"\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\n")
	reasons := map[Reason]int{}
	files, err := r.open().FilesAt(t.Context(), c.String(), "", func(_ string, why Reason, _ string) { reasons[why]++ })
	if err != nil || len(files) != 1 || files[0].Path != "ok" || reasons[ReasonMalformed] != 8 {
		t.Errorf("got %v, left out %v, %v", files, reasons, err)
	}
}
