package baseline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "baseline")
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
	pkgs, err := b.Packages()
	fmt.Println(pkgs[0].PURL, pkgs[0].License, pkgs[0].Files, err)
	// Output:
	// pkg:generic/ring@1.0 MIT 1 <nil>
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
