package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"gopkg.in/yaml.v3"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// openArchive opens an archive in a file, learning from its metadata what it is.
func openArchive(ctx context.Context, name string, o Options) ([]*Package, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	defer f.Close()
	a, err := newBlob(f)
	if err != nil {
		return nil, err
	}
	if k, err := kind(a); err == nil && k == "" {
		return nil, &UnknownSourceError{Arg: name, Why: "not an archive"}
	}
	m, fm, err := inspect(ctx, a, name, o.Limits)
	if err != nil {
		return nil, err
	}
	if o.PURL != "" {
		m.PURL = o.PURL
	}
	if m.PURL == "" {
		return nil, &NeedPURLError{Arg: name}
	}
	return []*Package{{PURL: m.PURL, License: m.License, Released: m.Released, From: name,
		walk: func(ctx context.Context, v *visit) error { return walkArchiveFile(ctx, name, name, fm, v) }}}, nil
}

// inspect finds out what package an archive is, and how its names are to be read.
func inspect(ctx context.Context, a blob, name string, lim Limits) (meta, form, error) {
	ext := strings.ToLower(filepath.Ext(name))
	fm := form{strip: ext != ".jar" && ext != ".whl" && ext != ".gem", gem: ext == ".gem"}
	b, k, err := newBudget(ctx, a, name, lim)
	if err != nil {
		return meta{}, fm, err
	}
	if fm.gem {
		m, err := gemMeta(a, k, b)
		return m, fm, err
	}
	var items []item
	if k == "zip" {
		items, err = zipItems(a, b)
	} else {
		items, err = tarItems(a, k, fm, b, &tarScan{b: b, keep: func(p string) bool {
			return strings.Count(p, "/") <= 1 && metadataNames[path.Base(p)] != nil
		}})
	}
	if err != nil {
		return meta{}, fm, err
	}
	if m, ok := goZipModule(items); ok { // in a module cache, its .info lies beside it
		return meta{PURL: purl.Golang(m.Path, m.Version), Released: moduleTime(strings.TrimSuffix(name, ".zip")+".info", m.Version)}, goZip(m), nil
	}
	m, err := archiveMeta(arrange(items, fm), ext, b)
	return m, fm, err
}

// goZipModule recognises the zips of module proxies: all entries in a folder
// "module@version".
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
		if !strings.HasPrefix(it.path, goZip(m).prefix) {
			return m, false
		}
	}
	return m, true
}

// metadataNames are the files at the root of a package that name it, and how they
// are read. Cargo.toml and PKG-INFO name packages only in archives made from them.
var metadataNames = map[string]func([]byte) meta{
	"package.json": npmMeta,
	"Cargo.toml":   cargoMeta,
	"PKG-INFO":     pythonMeta,
}

// archiveMeta reads the metadata among arranged items.
func archiveMeta(items []item, ext string, b *budget) (meta, error) {
	for _, it := range items {
		read := metadataReader(it.path, ext)
		if read == nil || it.reason != "" || it.size > maxMetadata {
			continue
		}
		data := it.data
		if it.zip != nil {
			var err error
			if data, err = readZip(it, b); err != nil {
				return meta{}, b.broken(it.path, err)
			}
		}
		if m := read(data).valid(); m.PURL != "" {
			return m, nil
		}
	}
	return meta{}, nil
}

// valid returns m with its package URL in canonical form, the zero meta when
// metadata made it one that cannot be read back.
func (m meta) valid() meta {
	c, err := purl.Canonical(m.PURL)
	if err != nil {
		return meta{}
	}
	m.PURL = c
	return m
}

// metadataReader returns how the file at a path is read, nil when it is not
// metadata in an archive of this extension.
func metadataReader(p, ext string) func([]byte) meta {
	switch ext {
	case ".whl":
		if strings.HasSuffix(path.Dir(p), ".dist-info") && path.Base(p) == "METADATA" && strings.Count(p, "/") == 1 {
			return pythonMeta
		}
		return nil
	case ".jar":
		if strings.HasPrefix(p, "META-INF/maven/") && path.Base(p) == "pom.properties" {
			return mavenMeta
		}
		return nil
	case ".crate":
		if p == "Cargo.toml" {
			return cargoMeta
		}
		return nil
	}
	if p == "Cargo.toml" {
		return nil
	}
	return metadataNames[p]
}

// cargoMeta reads the table [package] of a Cargo.toml as Cargo writes it into
// crates: one key and value a line.
func cargoMeta(data []byte) meta {
	fields := map[string]string{}
	table := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = line
		}
		key, value, ok := strings.Cut(line, "=")
		if table == "[package]" && ok {
			fields[strings.TrimSpace(key)] = tomlString(strings.TrimSpace(value))
		}
	}
	if fields["name"] == "" || fields["version"] == "" {
		return meta{}
	}
	return meta{PURL: purl.Make("cargo", fields["name"], fields["version"]), License: fields["license"]}
}

// tomlString returns a plain basic or literal string, "" for every other value.
func tomlString(s string) string {
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || strings.Contains(s, `\`) {
		return ""
	}
	value, _, ok := strings.Cut(s[1:], s[:1])
	if !ok {
		return ""
	}
	return value
}

// pythonMeta reads the headers of PKG-INFO and METADATA.
func pythonMeta(data []byte) meta {
	fields := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		key, value, ok := strings.Cut(line, ": ")
		if ok && fields[key] == "" && line[0] != ' ' && line[0] != '\t' {
			fields[key] = strings.TrimSpace(value)
		}
	}
	name, version := fields["Name"], fields["Version"]
	if name == "" || version == "" || strings.Contains(name, "/") {
		return meta{}
	}
	// PyPI takes letters of either case, "-" and "_" for the same.
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	m := meta{PURL: purl.Make("pypi", name, version), License: fields["License-Expression"]}
	if m.License == "" && fields["License"] != "UNKNOWN" {
		m.License = fields["License"]
	}
	return m
}

// mavenMeta reads a pom.properties.
func mavenMeta(data []byte) meta {
	fields := map[string]string{}
	s := bufio.NewScanner(bytes.NewReader(data))
	for s.Scan() {
		if key, value, ok := strings.Cut(strings.TrimSpace(s.Text()), "="); ok && key[:min(1, len(key))] != "#" {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	g, a, v := fields["groupId"], fields["artifactId"], fields["version"]
	if g == "" || a == "" || v == "" {
		return meta{}
	}
	return meta{PURL: purl.Make("maven", g+"/"+a, v)}
}

// gemSpec is what is read of a gem's specification.
type gemSpec struct {
	Name     string
	Version  struct{ Version string }
	Platform string
	Date     string
	Licenses []string
}

func gemMeta(a blob, kind string, b *budget) (meta, error) {
	r, err := tarStream(io.NewSectionReader(a, 0, a.size), kind, b)
	if err == nil {
		r, err = gemEntry(r, "metadata.gz", b)
	}
	if err == nil {
		r, err = gzip.NewReader(r)
	}
	if err != nil {
		return meta{}, b.broken("metadata.gz", err)
	}
	data, err := readBounded(metered{r, b}, 0, maxMetadata)
	if errors.Is(err, errTooLarge) {
		err = b.refuse("bytes of metadata", maxMetadata)
	}
	if err != nil {
		return meta{}, b.broken("metadata.gz", err)
	}
	return gemSpecMeta(data).valid(), nil
}

func gemSpecMeta(data []byte) meta {
	var s gemSpec
	if yaml.Unmarshal(data, &s) != nil || s.Name == "" || s.Version.Version == "" {
		return meta{}
	}
	m := meta{PURL: purl.Make("gem", s.Name, s.Version.Version), License: strings.Join(s.Licenses, " OR ")}
	if len(s.Date) >= 10 {
		m.Released, _ = time.Parse(time.DateOnly, s.Date[:10])
	}
	return m
}
