package installed

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// maxRecord bounds a RECORD, in bytes. It has one line per file, and the largest packages have 20,000 files.
const maxRecord = 32 << 20

// SitePackages returns the directories of a virtual environment that contain packages. It returns none if dir is not a
// virtual environment.
func SitePackages(dir string) []string {
	if !isFile(filepath.Join(dir, "pyvenv.cfg")) {
		return nil
	}
	var out []string
	for _, n := range names(filepath.Join(dir, "lib")) {
		if p := filepath.Join(dir, "lib", n, "site-packages"); strings.HasPrefix(n, "python") && isDir(p) {
			out = append(out, p)
		}
	}
	if p := filepath.Join(dir, "Lib", "site-packages"); isDir(p) { // on Windows
		out = append(out, p)
	}
	return out
}

// pythons returns the packages of all places, in the order of the places.
func (x *Index) pythons() map[string][]Found {
	if x.python == nil {
		x.python = byKey(slices.Concat(x.own.Python, x.at("pypi").Python), Python, Key)
	}
	return x.python
}

// Python returns the packages of a site-packages directory, in order of their names.
func Python(dir string) []Found {
	var out []Found
	for _, n := range names(dir) {
		info := filepath.Join(dir, n)
		switch {
		case strings.HasSuffix(n, ".dist-info"):
			out = appendPython(out, dir, info, "METADATA")
		case strings.HasSuffix(n, ".egg-info") && isDir(info):
			out = appendPython(out, dir, info, "PKG-INFO")
		case strings.HasSuffix(n, ".egg-info"):
			out = appendPython(out, dir, info, "")
		}
	}
	return out
}

func appendPython(out []Found, dir, info, metadata string) []Found {
	data, err := files.ReadSmall(filepath.Join(info, metadata))
	m := manifest.Python(data).Valid()
	if err != nil || m.PURL == "" {
		return out
	}
	list := recorded(info)
	if list == nil {
		list = topLevel(dir, info, m.PURL)
	}
	if len(list) == 0 {
		return out
	}
	return append(out, Found{PURL: m.PURL, License: m.License, Repository: m.Repository, Dir: dir, Files: list})
}

// recorded returns the files listed in RECORD, or in installed-files.txt of an egg. It returns nil if there is no such
// list.
func recorded(info string) []string {
	data, err := files.ReadSmallLimit(filepath.Join(info, "RECORD"), maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return installedFiles(info)
	}
	if err != nil {
		return nil
	}
	list := []string{}
	for _, p := range manifest.Record(data) {
		list = appendPath(list, p)
	}
	return sorted(list)
}

// installedFiles reads installed-files.txt. Its paths are relative to the egg's directory.
func installedFiles(info string) []string {
	data, err := files.ReadSmallLimit(filepath.Join(info, "installed-files.txt"), maxRecord)
	if err != nil {
		return nil
	}
	list := []string{}
	for line := range strings.Lines(string(data)) {
		list = appendPath(list, path.Join(filepath.Base(info), strings.TrimSpace(line)))
	}
	return sorted(list)
}

// appendPath adds a path, but leaves out files elsewhere, such as scripts, and compiled files.
func appendPath(list []string, p string) []string {
	p = path.Clean(filepath.ToSlash(p))
	if !filepath.IsLocal(filepath.FromSlash(p)) || strings.HasSuffix(p, ".pyc") || strings.Contains(p, "__pycache__/") {
		return list
	}
	return append(list, p)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// topLevel returns the files of a package that has no list of files. They are the files of the modules in
// top_level.txt, or else of the module with the package's name.
func topLevel(dir, info, name string) []string {
	modules := []string{strings.ReplaceAll(strings.TrimPrefix(purl.Name(name), "pkg:pypi/"), "-", "_")}
	if data, err := files.ReadSmall(filepath.Join(info, "top_level.txt")); err == nil {
		modules = strings.Fields(string(data))
	}
	var list []string
	for _, m := range modules {
		if m != path.Base(m) || m == ".." || m == "." {
			continue
		}
		if isFile(filepath.Join(dir, m+".py")) {
			list = append(list, m+".py")
		}
		list = append(list, below(dir, m)...)
	}
	for _, n := range []string{"METADATA", "PKG-INFO", "LICENSE", "LICENSE.txt", "COPYING"} {
		if isFile(filepath.Join(info, n)) {
			list = append(list, path.Join(filepath.Base(info), n))
		}
	}
	return sorted(list)
}

// maxFiles bounds the number of files listed for one package.
const maxFiles = 250_000

// below lists the files in a directory of dir.
func below(dir, name string) []string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var list []string
	walk(root, name, &list, 0)
	return list
}

func walk(root *os.Root, rel string, list *[]string, depth int) {
	f, err := root.Open(rel)
	if err != nil || depth > 100 {
		return
	}
	es, _ := f.ReadDir(-1)
	f.Close()
	for _, e := range es {
		p := rel + "/" + e.Name()
		switch {
		case len(*list) >= maxFiles:
			return
		case e.IsDir() && e.Name() != "__pycache__":
			walk(root, p, list, depth+1)
		case e.Type().IsRegular():
			*list = appendPath(*list, p)
		}
	}
}
