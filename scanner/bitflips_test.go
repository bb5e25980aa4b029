package scanner_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
)

// TestEveryBitOfBaseline flips one bit of one file of a baseline. Verify notices it. A scan notices it, or its report is the same
// to the byte: no finding is lost silently, none is invented, and no removed package comes back.
//
// By default it tries some bits of each file, and all bytes of its manifest. SCANNER_BITS=all go test ./scanner -run
// EveryBitOfBaseline -v -timeout 2h tries all.
func TestEveryBitOfBaseline(t *testing.T) {
	ctx := context.Background()
	src := stdFiles(t, "container/list/list.go", "container/ring/ring.go", "container/heap/heap.go")
	dir := build(t, t.TempDir(), baseline.Defaults,
		pack{"pkg:golang/example.com/one@v1", "MIT", "2020-01-02", files{"list.go": src["container/list/list.go"]}},
		pack{"pkg:golang/example.com/two@v1", "MIT", "", files{"heap.go": src["container/heap/heap.go"]}},
		pack{"pkg:golang/example.com/three@v1", "MIT", "", files{"sub/list.go": src["container/list/list.go"]}},
		pack{"pkg:golang/example.com/four@v1", "MIT", "", files{"a.go": "package a\n\nfunc f(a, b, c int) int { return a*b + c*a + b - c + a*a*a - b*b + c*c - a - b - c }\n"}},
		pack{"pkg:golang/example.com/five@v1", "MIT", "", files{"b.go": "package b\n\nfunc g(a, b, c int) int { return a*b - c*a + b - c + a*a/a - b*b + c/c - a - b - c*2 }\n"}},
		pack{"pkg:golang/example.com/six@v1", "MIT", "", files{"ring.go": src["container/ring/ring.go"]}})
	w, err := baseline.OpenWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(ctx, []string{"pkg:golang/example.com/six@v1"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	target := src.dir(t) // the ring is in a package that was removed
	want, err := scanned(t, dir, target)
	if err != nil || bytes.Count(want, []byte("example.com/one@v1")) == 0 || bytes.Contains(want, []byte("six")) {
		t.Fatalf("%v: %s", err, want)
	}
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		if e.Name() == "lock" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, 8*len(whole)/150) | 1 // odd, so that every bit of a byte is tried
		if filepath.Ext(path) == ".json" {
			step = 9
		}
		if os.Getenv("SCANNER_BITS") == "all" {
			step = 1
		}
		tried, verified, noticed := 0, 0, 0
		for bit := 0; bit < 8*len(whole); bit += step {
			b := bytes.Clone(whole)
			b[bit/8] ^= 1 << (bit % 8)
			replace(t, path, b)
			tried++
			if verifies(ctx, dir) {
				t.Errorf("%s: bit %d of byte %d: verify calls it sound", filepath.Ext(path), bit%8, bit/8)
			} else {
				verified++
			}
			switch got, err := scanned(t, dir, target); {
			case err != nil:
				noticed++
			case !bytes.Equal(got, want):
				t.Errorf("%s: bit %d of byte %d: another report, in silence", filepath.Ext(path), bit%8, bit/8)
			}
		}
		replace(t, path, whole)
		t.Logf("%-6s %6d bytes, %6d bits flipped: verify notices %d, a scan %d; the others change no byte of the report", filepath.Ext(path), len(whole), tried, verified, noticed)
	}
}

// replace gives a file another content under the same name, as a failing disk or a copy would. Existing maps keep the old
// content.
func replace(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", b, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func verifies(ctx context.Context, dir string) bool {
	b, err := baseline.Open(ctx, dir)
	if err != nil {
		return false
	}
	defer b.Close()
	return b.Verify(ctx) == nil
}

// scanned returns the report of a scan as JSON.
func scanned(t *testing.T, dir, target string) ([]byte, error) {
	t.Helper()
	b, err := baseline.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	o := scanner.Defaults()
	o.Workers = 1
	s, err := scanner.New([]*baseline.Baseline{b}, o)
	if err != nil {
		return nil, err
	}
	r, err := s.Tree(context.Background(), nil, target, nil)
	if err != nil {
		return nil, err
	}
	return marshal(t, r), nil
}
