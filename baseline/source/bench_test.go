package source

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// BenchmarkWalk reads the same package (the net packages of the standard library) from a directory and from archives.
func BenchmarkWalk(b *testing.B) {
	dir := &Package{PURL: somePURL, walk: dirPackage(filepath.Join(goEnv(b, "GOROOT"), "src", "net"), manifest.Meta{}).walk}
	r := walk(b, dir, Limits{})
	var entries []entry
	total := int64(0)
	for name, content := range r.files {
		entries = append(entries, entry{name: "net/" + name, content: content})
		total += int64(len(content))
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
	for _, c := range []struct {
		name string
		p    *Package
	}{
		{"dir", dir},
		{"zip", openOne(b, writeFile(b, "x.zip", buildZip(b, entries...)), Options{PURL: somePURL})},
		{"tgz", openOne(b, writeFile(b, "x.tgz", gzipped(b, buildTar(b, entries...))), Options{PURL: somePURL})},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(total)
			for b.Loop() {
				walk(b, c.p, Limits{})
			}
		})
	}
}
