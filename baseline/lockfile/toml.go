package lockfile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// maxKey bounds the parts of a dotted key. Real ones have fewer than eight, and the library's work grows with their square.
const maxKey = 32

// dotted reports a key with too many parts. Texts in quotes count too: few have so many dots with one word between each two.
func dotted(data []byte) bool {
	parts, word, gap := 0, false, false
	for _, c := range data {
		switch {
		case c == '.' && word:
			if parts++; parts > maxKey {
				return true
			}
			word, gap = false, false
		case c == ' ' || c == '\t':
			gap = word
		case c == '_' || c == '-' || c == '"' || c == '\'' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80:
			if gap {
				parts = 0
			}
			word, gap = true, false
		default:
			parts, word, gap = 0, false, false
		}
	}
	return false
}

func decodeTOML(data []byte, into any) error {
	if dotted(data) {
		return ErrTooLarge
	}
	meta, err := toml.Decode(string(data), into)
	if err != nil {
		return err
	}
	return cased(meta.Keys())
}

// fields are the keys that this package decodes. The library ignores their case: if a text has a key in two spellings, it takes
// either. cased refuses such a text.
var fields = []string{"package", "root", "metadata", "project", "tool", "poetry", "group", "dependency-groups", "versions", "libraries", "name", "version", "source", "checksum",
	"path", "git", "url", "marker", "markers", "type", "files", "file", "hash", "registry", "directory", "editable", "virtual", "sdist", "wheels", "dependencies",
	"optional-dependencies", "dev-dependencies"}

// cased refuses a text with two keys that are equal but for their case.
func cased(keys []toml.Key) error {
	seen := map[string]string{}
	for _, k := range keys {
		last := k[len(k)-1]
		if !slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, last) }) {
			continue
		}
		full := strings.Join(k, "\x00")
		folded := full[:len(full)-len(last)] + strings.ToLower(last)
		if was, ok := seen[folded]; ok && was != full {
			return fmt.Errorf("two keys %q differ in case only", clip(strings.ToLower(last)))
		}
		seen[folded] = full
	}
	return nil
}

type cargoPackage struct {
	Name, Version, Source, Checksum string
	Dependencies                    []string // NAME, NAME VERSION, or NAME VERSION (SOURCE)
}

func readCargo(l *list, data []byte) error {
	var lock struct {
		Package  []cargoPackage
		Root     cargoPackage   // before 2017
		Metadata map[string]any // before 2020: "checksum NAME VERSION (SOURCE)"
	}
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	l.ends(data)
	for _, p := range append(lock.Package, lock.Root) {
		l.listed[p.Name] = true
		for _, d := range p.Dependencies {
			name, _, _ := strings.Cut(d, " ")
			l.needs(name, p.Name)
		}
	}
	for _, p := range lock.Package {
		switch kind, _, _ := strings.Cut(p.Source, "+"); kind {
		case "registry", "sparse":
			if old := lock.Metadata[fmt.Sprintf("checksum %s %s (%s)", p.Name, p.Version, p.Source)]; old != nil && old != "<none>" && p.Checksum == "" {
				p.Checksum = fmt.Sprint(old)
			}
			l.pin("cargo", p.Name, p.Version, Pin{Integrity: hexSum("sha256", p.Checksum)})
		case "": // a crate of the workspace, which is the repository's own
			if p.Version == "" { // every crate has one
				l.open("cargo", p.Name, "")
			}
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
			Dependencies                          any // a table in poetry.lock, requirements in pdm.lock
		}
		Metadata *struct {
			Files map[string]any // lists of files, in poetry before 1.3 by name, in pdm by name and version
		}
	}
	if err := decodeTOML(data, &lock); err != nil {
		return err
	}
	l.ends(data)
	if lock.Metadata == nil {
		l.cut("no table [metadata], which Poetry and PDM write")
		lock.Metadata = &struct{ Files map[string]any }{}
	}
	for _, p := range lock.Package {
		l.listed[normal(p.Name)] = true
		l.pdmNeeds(p.Name, p.Dependencies)
		if p.Path+p.Git+p.URL != "" || p.Source.Type != "" && p.Source.Type != "legacy" {
			l.takes("pypi", p.Name)
		}
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

// pdmNeeds notes the requirements of a package of pdm.lock. PDM leaves out a requirement whose marker is for another system. A
// poetry.lock has a table in this place; the end of that file shows whether the file is whole.
func (l *list) pdmNeeds(by string, dependencies any) {
	all, _ := dependencies.([]any)
	for _, d := range all {
		s, _ := d.(string)
		if end := strings.IndexAny(s, "[=<>!~ (@;"); !strings.Contains(s, ";") {
			if end >= 0 {
				s = s[:end]
			}
			l.needs(normal(s), by)
		}
	}
}

// separators are runs of characters that are equal to a hyphen in names of Python packages.
var separators = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-_.]+`) })

// normal returns a name of a Python package in its one form (PEP 503).
func normal(name string) string { return strings.ToLower(separators().ReplaceAllString(name, "-")) }

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

func (p uvPackage) needs() []uvNeed {
	needs := [][]uvNeed{p.Dependencies}
	for _, more := range []map[string][]uvNeed{p.Optional, p.Dev} {
		for _, n := range more {
			needs = append(needs, n)
		}
	}
	return slices.Concat(needs...)
}

// uvLimits returns, for each package by name, and by name and version, the markers with which others need it. A package
// that one of them needs without marker is not listed.
func uvLimits(all []uvPackage) map[string]Limits {
	out, always := map[string]Limits{}, map[string]bool{}
	for _, p := range all {
		for _, n := range p.needs() {
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
	l.ends(data)
	limits := uvLimits(lock.Package)
	for _, p := range lock.Package {
		l.listed[p.Name] = true
		for _, n := range p.needs() {
			l.needs(n.Name, p.Name)
		}
		if p.Source.Registry == "" {
			l.takes("pypi", p.Name)
		}
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
