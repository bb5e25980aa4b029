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
	// maxManifest bounds a file that declares a package; real ones are some
	// kilobytes.
	maxManifest = 1 << 20
	// maxModules bounds the modules of a Maven project that are looked at.
	maxModules = 256
)

// manifest is a kind of file that declares what a directory is published as.
type manifest struct {
	pattern  string // of its name, as path.Match has it
	packages func(text []byte, files Files) []string
}

func (m manifest) named(name string) bool {
	ok, err := path.Match(m.pattern, name)
	return ok && err == nil
}

// manifests are those whose packages have a name of their own in a registry.
// Programs that would have to be run (setup.py, build.gradle) are not among them,
// but for the one line in which a gemspec, or a build of C, has its name.
var manifests = []manifest{
	{"go.mod", func(b []byte, _ Files) []string { return named(purl.TypeGolang, modfile.ModulePath(b)) }},
	{"package.json", func(b []byte, _ Files) []string { return named(purl.TypeNPM, jsonName(b)) }},
	{"composer.json", func(b []byte, _ Files) []string { return named("composer", strings.ToLower(jsonName(b))) }},
	{"Cargo.toml", func(b []byte, _ Files) []string { return named("cargo", setting(b, "package", "name")) }},
	{"pyproject.toml", func(b []byte, _ Files) []string {
		return append(python(setting(b, "project", "name")), python(setting(b, "tool.poetry", "name"))...)
	}},
	{"setup.cfg", func(b []byte, _ Files) []string { return python(setting(b, "metadata", "name")) }},
	{"*.gemspec", func(b []byte, _ Files) []string { return named("gem", first(gemName, b)) }},
	{"pom.xml", maven},
	{"CMakeLists.txt", func(b []byte, _ Files) []string { return debian(first(cmakeName, b)) }},
	{"meson.build", func(b []byte, _ Files) []string { return debian(first(mesonName, b)) }},
	{"configure.ac", func(b []byte, _ Files) []string { return debian(first(autoconfName, b)) }},
}

// packageName is what registries allow in names, and no more.
var packageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9@~._/+-]{1,512}$`) })

func named(typ, name string) []string {
	if !packageName().MatchString(name) {
		return nil
	}
	p := purl.Make(typ, name, "")
	if _, err := purl.Parse(p); err != nil { // as of a module path that ends in a slash
		return nil
	}
	return []string{p}
}

// debian is the source package of Debian that is called as a project in C is: it has no other registry.
func debian(name string) []string {
	if name == "" {
		return nil
	}
	return named("deb", "debian/"+strings.ToLower(name))
}

// python spells a name as it is written and as the index normalizes it.
func python(name string) []string {
	normal := strings.ToLower(pythonRuns.ReplaceAllString(name, "-"))
	if normal == name {
		return named("pypi", name)
	}
	return append(named("pypi", name), named("pypi", normal)...)
}

var (
	pythonRuns   = regexp.MustCompile(`[-_.]+`)
	cmakeName    = regexp.MustCompile(`(?im)^\s*project\s*\(\s*"?([A-Za-z0-9.+-]+)"?[\s)]`)
	mesonName    = regexp.MustCompile(`(?m)^\s*project\s*\(\s*'([A-Za-z0-9.+-]+)'`)
	autoconfName = regexp.MustCompile(`(?m)^\s*AC_INIT\(\s*\[?([A-Za-z0-9.+-]+)\]?\s*,`)

	gemName    = regexp.MustCompile(`(?m)^\s*\w+\.name\s*=\s*["']([^"'#\\\n]+)["']`)
	header     = regexp.MustCompile(`^\s*\[\s*([^\[\]]+?)\s*\]\s*(?:[#;].*)?$`)
	assignment = regexp.MustCompile(`^\s*([A-Za-z0-9_.-]+)\s*=\s*(?:"([^"\\]*)"|'([^']*)'|([^"'\s#;]+))\s*(?:[#;].*)?$`)
)

func first(re *regexp.Regexp, b []byte) string {
	if m := re.FindSubmatch(b); m != nil {
		return string(m[1])
	}
	return ""
}

// setting reads a string of a section of a TOML or INI file. It knows headers and
// plain assignments, which is how names are written; of everything else it knows
// no name, and the package is not taken for own.
func setting(b []byte, section, key string) string {
	at := ""
	for l := range bytes.Lines(b) {
		l = bytes.TrimRight(l, "\r\n")
		if m := header.FindSubmatch(l); m != nil {
			at = string(m[1])
			continue
		}
		m := assignment.FindSubmatch(l)
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

// project is what a Maven project says of its name. What it does not say itself
// its parent does.
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
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names are ASCII in all of them
	return p, d.Decode(&p) == nil
}

// maven reads a project and its modules of the same group: one of another group
// may be somebody else's.
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

// below names the project files of the modules.
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
