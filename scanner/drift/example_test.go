package drift_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/scanner/drift"
)

// A directory has a file of a package as released, and one that is too short to be compared.
func ExampleFind() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "drift")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	b, err := indexed(ctx, dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	d, err := drift.Find(ctx, b, []drift.File{{Path: "own.go", Text: []byte("package ring\n")}, {Path: "ring.go", Text: []byte(baselinetest.Ring)}}, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.PURL, d.License, "equal:", d.Equal, "not compared:", d.Left)
	// Output:
	// pkg:generic/ring@1.0 MIT equal: 1 not compared: [{own.go too-short }]
}

// indexed makes a baseline of one package in a directory.
func indexed(ctx context.Context, dir string) (*baseline.Baseline, error) {
	pkgs, err := baselinetest.RingPackage(ctx, dir, "ring.go")
	if err != nil {
		return nil, err
	}
	at := filepath.Join(dir, "baseline")
	w, err := baseline.OpenWriter(ctx, at, baseline.Defaults)
	if err != nil {
		return nil, err
	}
	if _, err := w.Add(ctx, pkgs, baseline.AddOptions{}); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return baseline.Open(ctx, at)
}
