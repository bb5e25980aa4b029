package lockfile

import (
	"cmp"
	"fmt"
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
			Name, Version, Path, Git, URL string
			Source                        struct{ Type, URL string }
			Files                         []tomlFile
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
			l.pin("pypi", p.Name, p.Version, Pin{Integrity: sums})
		}
	}
	return nil
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

func readUV(l *list, data []byte) error {
	var lock struct {
		Package []struct {
			Name, Version string
			Source        struct{ Registry, Git, URL, Path, Directory, Editable, Virtual string }
			Sdist         tomlFile
			Wheels        []tomlFile
		}
	}
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	for _, p := range lock.Package {
		switch s := p.Source; {
		case s.Registry != "":
			l.pin("pypi", p.Name, p.Version, Pin{Integrity: integrity(append([]tomlFile{p.Sdist}, p.Wheels...)), Address: http(p.Sdist.URL)})
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
