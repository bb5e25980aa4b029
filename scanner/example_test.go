package scanner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/scanner"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "scanner")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := indexed(ctx, dir); err != nil {
		fmt.Println(err)
		return
	}
	b, err := baseline.Open(ctx, filepath.Join(dir, "baseline"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	s, err := scanner.New([]*baseline.Baseline{b}, scanner.Defaults())
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Snippet(ctx, []byte(strings.ReplaceAll(baselinetest.Ring, "slots", "buf")), "go")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		o := f.Origins[0]
		fmt.Printf("lines %d-%d: %s %s:%d-%d, %s → %s\n", f.StartLine, f.EndLine, o.PURL, o.Path, o.StartLine, o.EndLine, f.Renames[0].Origin, f.Renames[0].Target)
	}
	// Output:
	// lines 1-21: pkg:generic/ring@1.0 ring.go:1-21, slots → buf
}

// indexed makes a baseline of one package in a directory.
func indexed(ctx context.Context, dir string) error {
	pkgs, err := baselinetest.RingPackage(ctx, dir, "ring.go")
	if err != nil {
		return err
	}
	w, err := baseline.OpenWriter(ctx, filepath.Join(dir, "baseline"), baseline.Defaults)
	if err != nil {
		return err
	}
	if _, err := w.Add(ctx, pkgs, baseline.AddOptions{}); err != nil {
		return err
	}
	return w.Close()
}
