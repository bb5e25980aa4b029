package baselinetest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
)

func ExampleOutdate() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "baselinetest")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := indexed(ctx, dir); err != nil {
		fmt.Println(err)
		return
	}
	dir = filepath.Join(dir, "baseline")
	if err := baselinetest.Outdate(dir, "text"); err != nil {
		fmt.Println(err)
		return
	}
	w, err := baseline.OpenWriter(ctx, dir, baseline.Defaults)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	fmt.Println(w.Baseline().Outdated()) // language, documents, of them without a text
	fmt.Println(w.Refresh(ctx))
	fmt.Println(w.Baseline().Outdated()) // language, documents, of them without a text
	// Output:
	// [{text 1 0}] <nil>
	// [{text 1 0}] <nil>
	// [] <nil>
}

// indexed makes a baseline of one package in a directory.
func indexed(ctx context.Context, dir string) error {
	pkgs, err := baselinetest.RingPackage(ctx, dir, "ring.txt")
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
