package files

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// Inspect returns the package that an archive contains, and the form of its names.
func Inspect(ctx context.Context, a Blob, name string, lim Limits) (manifest.Meta, Form, error) {
	ext := strings.ToLower(filepath.Ext(name))
	fm := Form{Strip: ext != ".jar" && ext != ".whl" && ext != ".nupkg" && ext != ".gem" && ext != ".phar", Gem: ext == ".gem"}
	b, k, err := newBudget(ctx, a, name, lim)
	if err != nil {
		return manifest.Meta{}, fm, err
	}
	if fm.Gem {
		m, err := readGemMeta(a, k, b)
		return m, fm, err
	}
	var items []item
	if list, _ := randomAccess(a, k, b); list != nil {
		items, err = list()
	} else {
		items, err = tarItems(a, k, fm, b, &tarScan{b: b, keep: func(p string) bool {
			return strings.Count(p, "/") <= 1 && metadataNames[path.Base(p)] != nil
		}})
	}
	if err != nil {
		return manifest.Meta{}, fm, err
	}
	if m, ok := goZipModule(items); ok {
		return manifest.Meta{PURL: purl.Golang(m.Path, m.Version)}, GoZip(m), nil
	}
	m, err := archiveMeta(arrange(items, fm), ext, b)
	return m, fm, err
}

// goZipModule recognises zips of module proxies: all entries are in a folder "module@version".
func goZipModule(items []item) (module.Version, bool) {
	if len(items) == 0 {
		return module.Version{}, false
	}
	p, rest, _ := strings.Cut(items[0].path, "@")
	v, _, _ := strings.Cut(rest, "/")
	m := module.Version{Path: p, Version: v}
	if module.Check(p, v) != nil {
		return m, false
	}
	for _, it := range items {
		if !strings.HasPrefix(it.path, GoZip(m).Prefix) {
			return m, false
		}
	}
	return m, true
}

// metadataNames maps files at the root of a package that name it to their readers. Cargo.toml and PKG-INFO count only
// in archives made with them.
var metadataNames = map[string]func([]byte) manifest.Meta{
	"package.json": manifest.NPM,
	"Cargo.toml":   manifest.Cargo,
	"PKG-INFO":     manifest.Python,
}

// archiveMeta reads the metadata among arranged items.
func archiveMeta(items []item, ext string, b *budget) (manifest.Meta, error) {
	for _, it := range items {
		read := metadataReader(it.path, ext)
		if read == nil || it.reason != "" || it.size > maxMetadata {
			continue
		}
		data := it.data
		if it.phar != nil {
			continue // a composer.json in it would name no version
		}
		if it.zip != nil {
			var err error
			if data, err = readZip(it, b); err != nil {
				return manifest.Meta{}, b.broken(it.path, err)
			}
		}
		if m := read(data).Valid(); m.PURL != "" {
			return m, nil
		}
	}
	return manifest.Meta{}, nil
}

// metadataReader returns the reader for the file at a path, or nil if it is not metadata in archives with this
// extension.
func metadataReader(p, ext string) func([]byte) manifest.Meta {
	switch ext {
	case ".whl":
		if strings.HasSuffix(path.Dir(p), ".dist-info") && path.Base(p) == "METADATA" && strings.Count(p, "/") == 1 {
			return manifest.Python
		}
		return nil
	case ".jar":
		if strings.HasPrefix(p, "META-INF/maven/") && path.Base(p) == "pom.properties" {
			return manifest.Maven
		}
		return nil
	case ".nupkg":
		if strings.HasSuffix(p, ".nuspec") && !strings.Contains(p, "/") {
			return manifest.Nuspec
		}
		return nil
	case ".crate":
		if p == "Cargo.toml" {
			return manifest.Cargo
		}
		return nil
	}
	if p == "Cargo.toml" {
		return nil
	}
	return metadataNames[p]
}

func readGemMeta(a Blob, kind string, b *budget) (manifest.Meta, error) {
	r, err := tarStream(io.NewSectionReader(a, 0, a.Size), kind, b)
	if err == nil {
		r, err = gemEntry(r, gemMeta, b)
	}
	if err == nil {
		r, err = gzip.NewReader(r)
	}
	if err != nil {
		return manifest.Meta{}, b.broken(gemMeta, err)
	}
	data, err := ReadBounded(metered{r, b}, 0, maxMetadata)
	if errors.Is(err, ErrTooLarge) {
		err = b.refuse("bytes of metadata", maxMetadata)
	}
	if err != nil {
		return manifest.Meta{}, b.broken(gemMeta, err)
	}
	return manifest.Gem(data).Valid(), nil
}
