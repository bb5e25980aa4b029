package source_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// A directory with a package.json is one package.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "source")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"package.json": `{"name": "pad", "version": "1.2.0", "license": "MIT"}`, "index.js": "module.exports = 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			fmt.Println(err)
			return
		}
	}
	ctx := context.Background()
	pkgs, err := source.Open(ctx, dir, source.Options{Offline: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pkgs[0].PURL, pkgs[0].License)
	err = pkgs[0].Walk(ctx, source.DefaultLimits(), func(path string, data []byte) error {
		fmt.Println(path, len(data))
		return nil
	}, func(path, reason, detail string) {})
	if err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// pkg:npm/pad@1.2.0 MIT
	// index.js 19
	// package.json 53
}
