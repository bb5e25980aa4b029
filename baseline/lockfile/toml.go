package lockfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

func decodeTOML(data []byte, into any) error {
	_, err := toml.Decode(string(data), into)
	return err
}

func readCargo(l *list, data []byte) error {
	var lock struct {
		Package  []struct{ Name, Version, Source, Checksum string }
		Metadata map[string]any // before 2020: "checksum NAME VERSION (SOURCE)"
	}
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	for _, p := range lock.Package {
		switch kind, _, _ := strings.Cut(p.Source, "+"); kind {
		case "registry", "sparse":
			if old := lock.Metadata[fmt.Sprintf("checksum %s %s (%s)", p.Name, p.Version, p.Source)]; old != nil && old != "<none>" && p.Checksum == "" {
				p.Checksum = fmt.Sprint(old)
			}
			l.pin("cargo", p.Name, p.Version, Pin{Integrity: hexSum("sha256", p.Checksum)})
		case "": // a crate of the workspace, which is the repository's own
		default:
			l.leave(p.Name, ReasonGit, p.Source)
		}
	}
	return nil
}

// tomlFile is an archive in poetry.lock and pdm.lock.
type tomlFile struct{ File, Hash, URL string }

func integrity(files []tomlFile) string {
	sums := make([]string, len(files))
	for i, f := range files {
		sums[i] = f.Hash
	}
	return hexSums(sums...)
}

// readPoetry reads poetry.lock, and pdm.lock, which has the same structure.
func readPoetry(l *list, data []byte) error {
	var lock struct {
		Package []struct {
			Name, Version, Path, Git, URL, Marker string
			Markers                               any // a marker, or one for each group
			Source                                struct{ Type, URL string }
			Files                                 []tomlFile
		}
		Metadata struct {
			Files map[string]any // lists of files, in poetry before 1.3 by name, in pdm by name and version
		}
	}
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	for _, p := range lock.Package {
		switch {
		case p.Path != "" || p.Source.Type == "directory" || p.Source.Type == "file":
			l.leave(p.Name, ReasonLocal, p.Source.URL+p.Path)
		case p.Git != "" || p.Source.Type == "git":
			l.leave(p.Name, ReasonGit, p.Source.URL+p.Git)
		case p.URL != "" || p.Source.Type == "url":
			l.leave(p.Name, ReasonAddress, p.Source.URL+p.URL)
		default:
			files := lock.Metadata.Files
			sums := cmp.Or(integrity(p.Files), oldHashes(files[p.Name]), oldHashes(files[p.Name+" "+p.Version]))
			l.pin("pypi", p.Name, p.Version, Pin{Integrity: sums, Limits: groupLimits(p.Marker, p.Markers)})
		}
	}
	return nil
}

// groupLimits returns the limits of a package: its marker, or one of those of its groups.
func groupLimits(marker string, groups any) Limits {
	switch m := groups.(type) {
	case string:
		marker = m
	case map[string]any:
		var all []string
		for _, one := range m {
			s, _ := one.(string)
			if strings.TrimSpace(s) == "" {
				return Limits{}
			}
			all = append(all, strings.TrimSpace(s))
		}
		return Limits{Markers: either(all, all)}
	}
	return marked(marker)
}

// oldHashes reads the files of one package in the table [metadata.files].
func oldHashes(v any) string {
	var files []map[string]any
	switch list := v.(type) {
	case []map[string]any:
		files = list
	case []any:
		for _, f := range list {
			m, _ := f.(map[string]any)
			files = append(files, m)
		}
	}
	var sums []string
	for _, f := range files {
		if f["hash"] != nil {
			sums = append(sums, fmt.Sprint(f["hash"]))
		}
	}
	return hexSums(sums...)
}

// uvPackage is a package of uv.lock.
type uvPackage struct {
	Name, Version string
	Source        struct{ Registry, Git, URL, Path, Directory, Editable, Virtual string }
	Sdist         tomlFile
	Wheels        []tomlFile
	Dependencies  []uvNeed
	Optional      map[string][]uvNeed `toml:"optional-dependencies"`
	Dev           map[string][]uvNeed `toml:"dev-dependencies"`
}

// uvNeed is a package that another one needs.
type uvNeed struct{ Name, Version, Marker string }

// uvLimits returns, for each package by name, and by name and version, the markers with which others need it. A package
// that one of them needs without marker is not listed.
func uvLimits(all []uvPackage) map[string]Limits {
	out, always := map[string]Limits{}, map[string]bool{}
	for _, p := range all {
		needs := [][]uvNeed{p.Dependencies}
		for _, more := range []map[string][]uvNeed{p.Optional, p.Dev} {
			for _, n := range more {
				needs = append(needs, n)
			}
		}
		for _, n := range slices.Concat(needs...) {
			key := n.Name + " " + n.Version
			always[key] = always[key] || strings.TrimSpace(n.Marker) == ""
			out[key] = Limits{Markers: append(out[key].Markers, strings.TrimSpace(n.Marker))}
		}
	}
	for key, l := range out {
		if out[key] = (Limits{Markers: either(l.Markers, l.Markers)}); always[key] {
			out[key] = Limits{}
		}
	}
	return out
}

// limitsOf returns the limits of a package, which others name with or without its version.
func limitsOf(all map[string]Limits, name, version string) Limits {
	with, some := all[name+" "+version]
	without, more := all[name+" "]
	switch {
	case some && more:
		return Limits{Markers: either(with.Markers, without.Markers)}
	case some:
		return with
	}
	return without
}

func readUV(l *list, data []byte) error {
	var lock struct{ Package []uvPackage }
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	limits := uvLimits(lock.Package)
	for _, p := range lock.Package {
		switch s := p.Source; {
		case s.Registry != "":
			l.pin("pypi", p.Name, p.Version, Pin{Integrity: integrity(append([]tomlFile{p.Sdist}, p.Wheels...)), Address: http(p.Sdist.URL), Limits: limitsOf(limits, p.Name, p.Version)})
		case s.Git != "":
			l.leave(p.Name, ReasonGit, s.Git)
		case s.URL != "":
			l.leave(p.Name, ReasonAddress, s.URL)
		case s.Editable == "." || s.Virtual == ".": // the project itself
		default:
			l.leave(p.Name, ReasonLocal, s.Path+s.Directory+s.Editable+s.Virtual)
		}
	}
	return nil
}
