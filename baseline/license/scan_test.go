package license

import (
	"bytes"
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/licensecheck"
)

// TestNarrowScanners: a scanner with only the patterns that a text can match gives the result of one with all patterns.
func TestNarrowScanners(t *testing.T) {
	var texts [][]byte
	for _, glob := range []string{"testdata/*", filepath.Join(build.Default.GOROOT, "src", "[a-i]*", "*.go"), "/usr/share/common-licenses/*", "/usr/share/doc/[a-f]*/copyright"} {
		names, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			head, _, _ := bytes.Cut(text, []byte("\n\n"))
			texts = append(texts, head, text[:min(len(text), 3000)])
		}
	}
	met, narrower := make(map[string]bool), 0
	for _, text := range texts {
		if met[string(text)] || !bytes.Contains(bytes.ToLower(text), []byte("licen")) {
			continue
		}
		met[string(text)] = true
		n := few()
		mask := n.matching(text)
		if mask != 1<<len(n.patterns)-1 {
			narrower++
		}
		s := n.scanners[mask]
		if s == nil {
			s = scanner(n.only(mask))
			n.scanners[mask] = s
		}
		if got, want := s.Scan(text), shortScanner().Scan(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, with all patterns %+v", text, got, want)
		}
	}
	if narrower < 5 {
		t.Errorf("a narrower scanner was enough for %d of %d texts only: the examples prove little", narrower, len(met))
	}
	if len(few().patterns) > 64 {
		t.Errorf("%d patterns: more than a mask has bits", len(few().patterns))
	}
	few().scanners = make(map[uint64]*licensecheck.Scanner)
}
