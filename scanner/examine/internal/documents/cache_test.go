package documents

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// twoDocuments returns a baseline of a package with two files, and with the release date that tools write if they know none.
func twoDocuments(t *testing.T) *baseline.Baseline {
	t.Helper()
	return documents(t, map[string]string{"a.go": baselinetest.Ring, "b.go": strings.ReplaceAll(baselinetest.Ring, "Queue", "Ring")})
}

func documents(t *testing.T, files map[string]string) *baseline.Baseline {
	t.Helper()
	src, dir := t.TempDir(), t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := source.Open(t.Context(), src, source.Options{PURL: "pkg:generic/ring@1.0", License: "MIT", Released: time.Date(1980, 1, 2, 0, 0, 0, 0, time.UTC), Offline: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := baseline.OpenWriter(t.Context(), dir, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(t.Context(), pkgs, baseline.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := baseline.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// TestLibraryIsBounded: a dropped document is loaded again, with the same text, and counts once.
func TestLibraryIsBounded(t *testing.T) {
	b := twoDocuments(t)
	first, second := lookup.Key{ID: 0}, lookup.Key{ID: 1}
	c := New([]*baseline.Baseline{b}, 1)
	d, err := c.Load(first)
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.Read()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := c.Load(first); again != d {
		t.Error("the document used last was dropped")
	}
	if _, err := c.Load(second); err != nil {
		t.Fatal(err)
	}
	again, err := c.Load(first)
	if err != nil || again == d {
		t.Fatalf("a cache of one byte keeps two documents (%v)", err)
	}
	if got, err := again.Read(); err != nil || !bytes.Equal(got, text) {
		t.Errorf("read again: %q, %v", got, err)
	}
	if c.size != again.size || c.order.Len() != 1 {
		t.Errorf("%d bytes are counted for %d documents, %d for the one that is left", c.size, c.order.Len(), again.size)
	}
}

// TestImplausibleDate: a release of 1980 would make every origin older than its copy.
func TestImplausibleDate(t *testing.T) {
	d, err := New([]*baseline.Baseline{twoDocuments(t)}, 1<<20).Load(lookup.Key{ID: 0})
	if err != nil {
		t.Fatal(err)
	}
	occs, err := d.Occurrences()
	if err != nil || len(occs) != 1 {
		t.Fatalf("%d occurrences, %v", len(occs), err)
	}
	if got := occs[0].Released; !got.IsZero() {
		t.Errorf("released %v, want no date", got)
	}
}

// TestFind: whole tokens are found at all positions, but not as parts of longer words.
func TestFind(t *testing.T) {
	c := New([]*baseline.Baseline{twoDocuments(t)}, 1<<20)
	d, err := c.Load(lookup.Key{ID: 0})
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.Read()
	if err != nil {
		t.Fatal(err)
	}
	toks := d.Stream.All()
	places := make(map[string][]uint32)
	for i, k := range toks {
		name := string(text[k.Start:k.End])
		places[name] = append(places[name], uint32(i))
	}
	var names [][]byte
	for name := range places {
		names = append(names, []byte(name))
	}
	for _, most := range []int{1, 2, 100} {
		indexed := find(newTextIndex(text, d.Stream), d, names, most)
		for i, got := range d.Find(names, most) {
			want := places[string(names[i])]
			if len(names[i]) < fewestBytes || len(want) > most {
				want = nil
			}
			if !slices.Equal(got, want) || !slices.Equal(indexed[i], want) {
				t.Errorf("%q is found at %v, with an index at %v, want %v", names[i], got, indexed[i], want)
			}
		}
	}
}

// TestFindInLarge: a large document has the same answers whether it is scanned, has an index, or was dropped and is not read again.
func TestFindInLarge(t *testing.T) {
	var code strings.Builder
	code.WriteString("package large\n")
	for i := range 1500 {
		fmt.Fprintf(&code, "func add%d(first int) int { return first + base%d + rare%d }\n", i, i%700, i%300)
	}
	c := New([]*baseline.Baseline{documents(t, map[string]string{"large.go": code.String()})}, 1<<20)
	for range 2 { // in the second round all answers are known
		d, err := c.Load(lookup.Key{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Read(); err != nil {
			t.Fatal(err)
		}
		if d.Stream.Len() <= fewTokens {
			t.Fatalf("%d tokens", d.Stream.Len())
		}
		for i := range 3 * scansFirst {
			names := [][]byte{[]byte("first"), []byte("absent"), fmt.Appendf(nil, "base%d", i), fmt.Appendf(nil, "rare%d", i), fmt.Appendf(nil, "rare%d", i+1)}
			for most := range 6 {
				want := d.scan(names, most)
				if len(want[2]) == 0 && most > 2 || len(want[3]) == 0 && most > 4 {
					t.Fatalf("%q: %v", names, want)
				}
				if got := d.Find(names, most); !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%q: %v, want %v", names, got, want)
				}
			}
		}
		if indexed, searches := d.index.value != nil, d.searches.Load(); indexed != (searches > scansFirst) {
			t.Errorf("%d searches, with an index: %v", searches, indexed)
		}
		if known := len(c.answers.known); known == 0 || known > 400 {
			t.Errorf("%d answers are kept", known)
		}
		c = dropped(c)
	}
}

// dropped returns a cache that has dropped its documents.
func dropped(c *Cache) *Cache {
	out := New(c.bases, c.limit)
	out.answers.known = c.answers.known
	return out
}
