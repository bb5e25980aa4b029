package license

import (
	"bytes"
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"testing"
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
	met := make(map[string]bool)
	narrower := map[*narrowed]int{}
	for _, text := range texts {
		if met[string(text)] || !bytes.Contains(bytes.ToLower(text), []byte("licen")) {
			continue
		}
		met[string(text)] = true
		for _, n := range []*narrowed{few(), every()} {
			if n == every() && len(few().scan(text).Match) > 0 {
				continue // few licences were enough
			}
			set := n.matching(text)
			if bytes.Contains(set, []byte{0}) {
				narrower[n]++
			}
			s := n.scanners[string(set)]
			if s == nil {
				s = scanner(n.only(set))
				n.scanners[string(set)] = s
			}
			if got, want := s.Scan(text), n.all(text); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %+v, with all patterns %+v", text, got, want)
			}
		}
	}
	t.Logf("%d texts, narrower %d and %d", len(met), narrower[few()], narrower[every()])
	if narrower[few()] < 5 || narrower[every()] < 5 {
		t.Errorf("narrower scanners were enough for %d and %d of %d texts only: the examples prove little", narrower[few()], narrower[every()], len(met))
	}
	clear(few().scanners)
	clear(every().scanners)
}

// TestNarrowedBound: texts of many kinds build no more than a scanner for all patterns.
func TestNarrowedBound(t *testing.T) {
	n := newNarrowed(patterns(longText), 0.5, shortScanner().Scan)
	for _, l := range n.patterns {
		text := []byte(l.LRE)
		if got, want := n.scan(text), shortScanner().Scan(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, with all patterns %+v", l.ID, got, want)
		}
	}
	if n.built == 0 || n.built >= n.size || len(n.scanners) < 2 {
		t.Errorf("%d scanners of %d bytes were built, all patterns have %d", len(n.scanners), n.built, n.size)
	}
}
