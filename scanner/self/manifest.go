package self

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"golang.org/x/mod/modfile"
)

const (
	// maxManifest limits a file that declares a package, in bytes. Usual ones have some kilobytes.
	maxManifest = 1 << 20
	// maxModules limits the modules of a Maven project that are read.
	maxModules = 256
)

// manifest is a kind of file that declares the package that a directory is published as.
type manifest struct {
	pattern  string // of its name, for path.Match
	packages func(text []byte, files Files) []string
}

func (m manifest) named(name string) bool {
	ok, err := path.Match(m.pattern, name)
	return ok && err == nil
}

// manifests lists the files of packages that have a name in a registry. Programs that must be run (setup.py, build.gradle) are
// left out, except for the line that names a gem or a C project.
var manifests = []manifest{
	{"go.mod", func(b []byte, _ Files) []string { return named(purl.TypeGolang, modfile.ModulePath(b)) }},
	{"package.json", func(b []byte, _ Files) []string { return named(purl.TypeNPM, jsonName(b)) }},
	{"composer.json", func(b []byte, _ Files) []string { return named("composer", strings.ToLower(jsonName(b))) }},
	{"Cargo.toml", func(b []byte, _ Files) []string { return named("cargo", setting(b, "package", "name")) }},
	{"pyproject.toml", func(b []byte, _ Files) []string {
		return append(python(setting(b, "project", "name")), python(setting(b, "tool.poetry", "name"))...)
	}},
	{"setup.cfg", func(b []byte, _ Files) []string { return python(setting(b, "metadata", "name")) }},
	{"*.gemspec", func(b []byte, _ Files) []string { return named("gem", first(gemName(), b)) }},
	{"pom.xml", maven},
	{"CMakeLists.txt", func(b []byte, _ Files) []string { return debian(first(cmakeName(), b)) }},
	{"meson.build", func(b []byte, _ Files) []string { return debian(first(mesonName(), b)) }},
	{"configure.ac", func(b []byte, _ Files) []string { return debian(first(autoconfName(), b)) }},
}

// packageName matches names that registries allow.
var packageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9@~._/+-]{1,512}$`) })

func named(typ, name string) []string {
	if !packageName().MatchString(name) {
		return nil
	}
	p := purl.Make(typ, name, "")
	if _, err := purl.Parse(p); err != nil { // for example, a module path that ends in a slash
		return nil
	}
	return []string{p}
}

// debian returns the Debian source package with the name of a C project, which has no other registry.
func debian(name string) []string {
	if name == "" {
		return nil
	}
	return named("deb", "debian/"+strings.ToLower(name))
}

// python returns a name as it is written and as the index normalises it.
func python(name string) []string {
	normal := strings.ToLower(pythonRuns().ReplaceAllString(name, "-"))
	if normal == name {
		return named("pypi", name)
	}
	return append(named("pypi", name), named("pypi", normal)...)
}

var (
	pythonRuns   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[-_.]+`) })
	cmakeName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)^\s*project\s*\(\s*"?([A-Za-z0-9.+-]+)"?[\s)]`) })
	mesonName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*project\s*\(\s*'([A-Za-z0-9.+-]+)'`) })
	autoconfName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*AC_INIT\(\s*\[?([A-Za-z0-9.+-]+)\]?\s*,`) })

	gemName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*\w+\.name\s*=\s*["']([^"'#\\\n]+)["']`) })
	header     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\[\s*([^\[\]]+?)\s*\]\s*(?:[#;].*)?$`) })
	assignment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*([A-Za-z0-9_.-]+)\s*=\s*(?:"([^"\\]*)"|'([^']*)'|([^"'\s#;]+))\s*(?:[#;].*)?$`)
	})
)

func first(re *regexp.Regexp, b []byte) string {
	if m := re.FindSubmatch(b); m != nil {
		return string(m[1])
	}
	return ""
}

// setting reads a string in a section of a TOML or INI file. It understands headers and plain assignments, in which names are
// usually written. If a name is written otherwise, the package does not count as the target's own.
func setting(b []byte, section, key string) string {
	at := ""
	for l := range bytes.Lines(b) {
		l = bytes.TrimRight(l, "\r\n")
		if m := header().FindSubmatch(l); m != nil {
			at = string(m[1])
			continue
		}
		m := assignment().FindSubmatch(l)
		if m == nil {
			continue
		}
		if name := string(m[1]); at == section && name == key || at == "" && name == section+"."+key {
			return string(m[2]) + string(m[3]) + string(m[4])
		}
	}
	return ""
}

func jsonName(b []byte) string {
	var m struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(b, &m) != nil {
		return ""
	}
	return m.Name
}

// project holds the fields of a Maven project that name it. Missing fields are inherited from the parent.
type project struct {
	Group  string `xml:"groupId"`
	Name   string `xml:"artifactId"`
	Parent struct {
		Group string `xml:"groupId"`
	} `xml:"parent"`
	Modules []string `xml:"modules>module"`
}

func (p project) group() string {
	if g := strings.TrimSpace(p.Group); g != "" {
		return g
	}
	return strings.TrimSpace(p.Parent.Group)
}

func readProject(b []byte) (project, bool) {
	var p project
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names are ASCII in all character sets
	return p, d.Decode(&p) == nil
}

// maven returns the packages of a project and of its modules in the same group. A module of another group may be somebody else's.
func maven(b []byte, files Files) []string {
	root, ok := readProject(b)
	if !ok {
		return nil
	}
	own := root.purl()
	todo := root.below("")
	for n := 0; n < len(todo) && n < maxModules; n++ {
		b := files.read(todo[n])
		if b == nil {
			continue
		}
		p, ok := readProject(b)
		if !ok || p.group() != root.group() {
			continue
		}
		own = append(own, p.purl()...)
		todo = append(todo, p.below(path.Dir(todo[n]))...)
	}
	return own
}

func (p project) purl() []string {
	group, name := p.group(), strings.TrimSpace(p.Name)
	if group == "" || name == "" || strings.ContainsRune(group+name, '/') {
		return nil
	}
	return named("maven", group+"/"+name)
}

// below returns the paths of the modules' project files.
func (p project) below(dir string) []string {
	var names []string
	for _, m := range p.Modules[:min(len(p.Modules), maxModules)] {
		name := path.Join(dir, strings.TrimSpace(m))
		if !strings.HasSuffix(name, ".xml") {
			name += "/pom.xml"
		}
		if filepath.IsLocal(filepath.FromSlash(name)) {
			names = append(names, name)
		}
	}
	return names
}
