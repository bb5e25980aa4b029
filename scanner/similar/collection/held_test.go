package collection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// heldFiles are programs that share much, one in UTF-16 and one within a larger array, as an archive may hand it out.
func heldFiles(t *testing.T) (files [][]byte) {
	t.Helper()
	for _, name := range []string{"index.go", "rank.go", "load.go", "spool.go", "compare.go", "read.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, text, []byte(strings.ReplaceAll(string(text), "candidate", "proposal")))
	}
	wide := []byte{0xff, 0xfe}
	for _, c := range string(files[0]) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	all := append(append([]byte{}, files[2]...), make([]byte, 1<<20)...)
	return append(files, wide, append(all[:len(files[2])], "\n// another\n"...))
}

// readHeld reads files with so much room in memory, and compares them. How many documents stayed in memory is held.
func readHeld(t *testing.T, files [][]byte, room int64, q Query) (out []Compared, held int) {
	t.Helper()
	p := Part{Name: "all", Package: source.New("all", func(_ context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		for i, f := range files {
			if err := file(fmt.Sprintf("f%02d.go", i), f); err != nil {
				return err
			}
		}
		return nil
	})}
	o := Options{Params: baseline.Defaults, MinTokens: baseline.Defaults.T(), Workers: 3}
	s, err := read(t.Context(), filepath.Join(t.TempDir(), "work"), []Part{p}, o, room)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, d := range s.Docs {
		q.Docs = append(q.Docs, ID(i))
		if d.held != nil {
			held++
			if d.held.Document != &s.Docs[i] || cap(d.held.Text) > 2*len(d.held.Text) {
				t.Errorf("document %d is held with another one, or within a larger array", i)
			}
		}
	}
	q.Want = func(a, b ID) bool { return a != b }
	if err := s.Compare(t.Context(), q, func(c Compared) error {
		out = append(out, c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out, held
}

// TestHeld: a collection that fits into memory is compared like one whose texts are in a file. If there is no room for all
// documents, none stays in memory.
func TestHeld(t *testing.T) {
	files := heldFiles(t)
	want, held := readHeld(t, files, 0, Query{})
	if held > 0 || len(want) < 9 {
		t.Fatalf("%d of %d documents are held without room", held, len(want))
	}
	for _, c := range []struct {
		room int64
		held int
	}{{1, 0}, {40_000, 0}, {150_000, 0}, {cacheBytes, len(want)}} {
		got, held := readHeld(t, files, c.room, Query{})
		if held != c.held {
			t.Errorf("room for %d bytes: %d documents are held, want %d", c.room, held, c.held)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("room for %d bytes: the result differs", c.room)
		}
	}
}

// TestBitsAlone: matches that are asked only for their bits have the bits of all others.
func TestBitsAlone(t *testing.T) {
	files := heldFiles(t)
	full, _ := readHeld(t, files, cacheBytes, Query{})
	bits, _ := readHeld(t, files, cacheBytes, Query{Bits: true})
	some := 0
	for i, c := range full {
		for j, p := range c.Pairs {
			for k, m := range p.Matches {
				got := bits[i].Pairs[j].Matches[k]
				if got.Tokens != m.Tokens || got.Evidence.Bits != m.Evidence.Bits || len(got.Runs) > 0 {
					t.Errorf("documents %d and %d, match %d: %d tokens, %g bits, want %d, %g", c.ID, p.ID, k, got.Tokens, got.Evidence.Bits, m.Tokens, m.Evidence.Bits)
				}
				if m.Evidence.Bits > 0 {
					some++
				}
			}
		}
	}
	if some < 10 {
		t.Errorf("%d matches have bits", some)
	}
}
