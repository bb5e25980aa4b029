package segment

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWriterErrorsStick(t *testing.T) {
	one := []uint64{1}
	for _, c := range []struct {
		name string
		add  func(w *Writer)
		want string
	}{
		{"order", func(w *Writer) { w.Add(2<<40, 1, one); w.Add(1<<40, 1, one) }, "add fingerprint 0000010000000000: fingerprints do not ascend"},
		{"none", func(w *Writer) { w.Add(1, 1, nil) }, "no postings"},
		{"count", func(w *Writer) { w.Add(1, 1, []uint64{1, 2}) }, "count 1 is less than its 2 postings"},
		{"postings", func(w *Writer) { w.Add(1, 2, []uint64{2, 2}) }, "postings do not ascend"},
		{"bound", func(w *Writer) { w.Add(1, 1, []uint64{MaxPosting + 1}) }, "posting 72057594037927936 is above 72057594037927935"},
	} {
		dir := t.TempDir()
		w, err := Create(filepath.Join(dir, "s"), Options{Keys: 1000})
		if err != nil {
			t.Fatal(err)
		}
		c.add(w)
		w.Add(1<<63, 1, one) // must not hide the error
		for range 2 {
			if err := w.Close(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "write segment") {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
		checkFiles(t, dir)
	}
}

func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		path string
		o    Options
		want string
	}{
		{"s", Options{Scheme: strings.Repeat("x", 256)}, "scheme id has 256 bytes"},
		{"s", Options{MaxPostings: -1}, "most postings -1"},
		{"s", Options{MaxPostings: 1025}, "most postings 1025 are not in 1..1024"},
		{"none/s", Options{}, "no such file"},
	} {
		w, err := Create(filepath.Join(dir, c.path), c.o)
		if err == nil || w != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c, err, c.want)
		}
	}
	checkFiles(t, dir)
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	w, err := Create(path, tinyOptions)
	if err != nil {
		t.Fatal(err)
	}
	w.Add(1, 1, []uint64{1})
	w.Abort()
	w.Abort()
	checkFiles(t, dir)
	if err := w.Close(); err == nil {
		t.Error("Close after Abort says nothing")
	}
	build(t, path, tinyOptions, tinyLists)
	w, err = Create(path, tinyOptions)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	checkFiles(t, dir, "s") // the old file stays
}

func TestFailureToRenameLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, tinyOptions)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("a directory was replaced")
	}
	checkFiles(t, dir, "s")
}

func TestAbortAfterCloseDoesNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "s"), tinyOptions)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	checkFiles(t, dir, "s")
}

// Two fingerprints with the same top bits share a list.
func TestFingerprintsOfOneKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, Options{MaxPostings: 3}, []list{
		{1 << 30, 1, []uint64{9}},
		{2 << 30, 2, []uint64{4, 6}},
		{2<<30 + 1, 7, []uint64{1, 6, 7, 8}},
		{2<<30 + 2, 1, []uint64{2}},
		{3 << 30, 1, []uint64{9}},
	})
	r := open(t, path)
	want := []list{{1 << 30, 1, []uint64{9}}, {2 << 30, 9, []uint64{1, 2, 4}}, {3 << 30, 1, []uint64{9}}}
	if got := all(t, r); !sameLists(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got := find(t, r, []uint64{2 << 30, 2<<30 + 77})
	if len(got) != 2 || !slices.Equal(got[0].postings, got[1].postings) {
		t.Errorf("both fingerprints of a key should be found: %v", got)
	}
	if i := r.Info(); i.Keys != 3 || i.Postings != 5 || i.Count != 11 {
		t.Errorf("%+v", i)
	}
	if err := r.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestCountsAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, Options{}, []list{{5 << 40, 1<<64 - 1, []uint64{9}}})
	if got := all(t, open(t, path)); got[0].count != MaxCount {
		t.Errorf("count %d, want %d", got[0].count, uint64(MaxCount))
	}
}

// A wrong guess of the number of keys only costs speed or space. The same guess gives the same bytes.
func TestSameInputSameBytes(t *testing.T) {
	lists := releasedLists()
	dir := t.TempDir()
	for _, keys := range []uint64{0, 600, 1 << 20} {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(dir, "s")
			build(t, path, Options{Keys: keys}, lists)
			files[i] = mustRead(t, path)
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%d keys expected: two builds differ", keys)
		}
	}
}

func TestFilePermissionsHonourUmask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	plain := path + "plain"
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	build(t, path, tinyOptions, tinyLists)
	want, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.Stat(path); err != nil || got.Mode() != want.Mode() {
		t.Errorf("mode %v, want %v (%v)", got.Mode(), want.Mode(), err)
	}
}
