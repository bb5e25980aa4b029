package object

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// BenchmarkInflatePack inflates every entry of the largest pack, deltas as they are,
// each into the same memory.
func BenchmarkInflatePack(b *testing.B) {
	dir := os.Getenv("REPO")
	if dir == "" {
		b.Skip("set REPO to a bare repository")
	}
	db, err := Open([]string{filepath.Join(dir, "objects")})
	if err != nil {
		b.Fatal(err)
	}
	rd := NewReader(db, false)
	defer rd.Close()
	p := slices.MaxFunc(rd.packs, func(a, b *pack) int { return cmp.Compare(a.size, b.size) })
	var entries []entry
	bytes, largest := int64(0), int64(0)
	for i := range p.idx.upTo(0xff) {
		off, err := p.offset(i)
		if err != nil {
			b.Fatal(err)
		}
		e, err := rd.header(p, off)
		if err != nil {
			b.Fatal(err)
		}
		entries = append(entries, e)
		bytes, largest = bytes+e.size, max(largest, e.size)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.data, b.data) })
	to := make([]byte, largest+64)
	b.SetBytes(bytes)
	for b.Loop() {
		for _, e := range entries {
			if err := rd.inflateInto(p, e, to[:e.size], false); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(entries)), "ns/object")
}
