package baselinetest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/source"
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
	fmt.Println(w.Baseline().Outdated())
	fmt.Println(w.Refresh(ctx))
	fmt.Println(w.Baseline().Outdated())
	// Output:
	// [{text 1}] <nil>
	// [{text 1}] <nil>
	// [] <nil>
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
	if err := os.WriteFile(filepath.Join(from, "ring.txt"), []byte(code), 0o644); err != nil {
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
