package similar_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

func ExampleCompare() {
	dir, err := os.MkdirTemp("", "similar")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	var parts []similar.Part
	for _, f := range []struct{ name, text string }{{"a.go", baselinetest.Ring}, {"b.go", strings.ReplaceAll(baselinetest.Ring, "slots", "buf")}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), 0o644); err != nil {
			fmt.Println(err)
			return
		}
		parts = append(parts, similar.Part{Name: f.name, Package: source.OpenFile(path)})
	}
	work := filepath.Join(dir, "work")
	r, err := similar.Compare(context.Background(), work, parts, similar.Options{Params: baseline.Defaults, Scan: scanner.Defaults()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range r.Pairs {
		fmt.Printf("%s and %s share %.0f%%\n", p.A, p.B, 100*p.Share())
	}
	// Output:
	// a.go and b.go share 100%
}
