package baselinetest

import (
	"context"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// Ring is code that is long enough for a finding.
const Ring = `package ring

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

// RingPackage writes Ring to a file below dir and returns its directory as pkg:generic/ring@1.0, under MIT.
func RingPackage(ctx context.Context, dir, file string) ([]*source.Package, error) {
	lib := filepath.Join(dir, "lib")
	if err := os.Mkdir(lib, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(lib, file), []byte(Ring), 0o644); err != nil {
		return nil, err
	}
	return source.Open(ctx, lib, source.Options{PURL: "pkg:generic/ring@1.0", License: "MIT", Offline: true})
}
