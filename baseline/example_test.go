package baseline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/source"
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

// code is long enough for a finding.
const code = `package ring

func (q *Queue) Push(value string) bool {
	if q.size == len(q.slots) {
		return false
	}
	tail := (q.head + q.size) % len(q.slots)
	q.slots[tail] = value
	q.size++
	return true
}

func (q *Queue) Pop() (value string, ok bool) {
	if q.size == 0 {
		return "", false
	}
	value, q.slots[q.head] = q.slots[q.head], ""
	q.head = (q.head + 1) % len(q.slots)
	q.size--
	return value, true
}
`

// indexed makes a baseline of one package in a directory.
func indexed(ctx context.Context, dir string) error {
	from := filepath.Join(dir, "ring")
	if err := os.Mkdir(from, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(from, "ring.go"), []byte(code), 0o644); err != nil {
		return err
	}
	pkgs, err := source.Open(ctx, from, source.Options{PURL: "pkg:generic/ring@1.0", License: "MIT", Offline: true})
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
