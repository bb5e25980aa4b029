package shared_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/shared"
)

// A store gets a generation of one object. A reader on another machine fetches a part of it.
func Example() {
	dir, err := os.MkdirTemp("", "shared")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	folder := baselinetest.NewFolder()
	if err := publish(dir); err != nil {
		fmt.Println(err)
		return
	}
	folder.Counts()
	text, err := read(dir)
	fmt.Println(text, err, folder.Counts()["chunks"])
	// Output: far <nil> 1
}

func publish(dir string) error {
	ctx := shared.WithCache(context.Background(), shared.Cache{Dir: filepath.Join(dir, "here")})
	r, err := shared.Dial(ctx, baselinetest.FolderAddress(filepath.Join(dir, "store")))
	if err != nil {
		return err
	}
	defer r.Close()
	file := filepath.Join(dir, "file")
	text := append(make([]byte, 5000), "far away"...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	object := shared.Object{Name: "words", Size: int64(len(text))}
	return r.Commit(ctx, shared.Change{Manifest: []byte("{}"), Keep: []string{"words"}, Add: []shared.Local{{Object: object, Path: file}}})
}

func read(dir string) (string, error) {
	ctx := shared.WithCache(context.Background(), shared.Cache{Dir: filepath.Join(dir, "elsewhere")})
	r, err := shared.Dial(ctx, baselinetest.FolderAddress(filepath.Join(dir, "store")))
	if err != nil {
		return "", err
	}
	defer r.Close()
	s, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	f, err := s.Open("words")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := f.Need(disk.Range{Off: 5000, Len: 3}); err != nil {
		return "", err
	}
	return string(f.Data()[5000:5003]), nil
}
