package vendored_test

import (
	"context"
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/vendored"
)

func ExampleFind() {
	files := map[string]string{
		"main.js":                       "",
		"node_modules/pad/index.js":     "",
		"node_modules/pad/package.json": `{"name": "pad", "version": "1.0.0", "license": "ISC"}`,
	}
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	found := vendored.Find(context.Background(), vendored.Files{Paths: paths, Read: func(p string, _ int64) []byte { return []byte(files[p]) }})
	for _, p := range found.List(func(int) bool { return true }, func(string) bool { return false }) {
		fmt.Println(p.Path, p.PURL, p.License, p.Files)
	}
	// Output:
	// node_modules/pad pkg:npm/pad@1.0.0 ISC 2
}
