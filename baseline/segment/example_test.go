package segment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/segment"
)

func Example() {
	dir, err := os.MkdirTemp("", "segment")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example")

	w, err := segment.Create(path, segment.Options{Scheme: "example", Keys: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Add(0x0123456789ABCDEF, 1, []uint64{7})
	w.Add(0xFEDCBA9876543210, 1000, []uint64{1, 2, 3})
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	r, err := segment.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	fps := []uint64{0x0123456789ABCDEF, 0x1111111111111111, 0xFEDCBA9876543210}
	err = r.Lookup(context.Background(), fps, func(i int, count uint64, postings []uint64) error {
		fmt.Printf("%x: %d times, stored %v\n", fps[i], count, postings)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 123456789abcdef: 1 times, stored [7]
	// fedcba9876543210: 1000 times, stored [1 2 3]
}
