package vendored

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// records holds the functions that read files with several packages, or with one package whose files are beside it.
var records = map[string]func(s *search, file string){
	"modules.txt":    goModules,
	"installed.json": composer,
	"METADATA":       python,
	"PKG-INFO":       python,
	"Manifest.lock":  pods,
	"vendor.txt":     pinned,
}

// goModules lists the modules of a vendor directory of the Go command.
func goModules(s *search, file string) {
	if path.Base(path.Dir(file)) != "vendor" {
		return
	}
	for _, m := range manifest.Modules(s.Read(file, maxRecord)) {
		name := m.Version
		if name.Version == "" { // replaced by a directory
			name.Path = m.Dir
		}
		s.add(path.Join(path.Dir(file), m.Dir), file, manifest.Meta{PURL: golang(name)}, finding.Vendored{})
	}
}

// golang returns the package URL of a module, or "" if it is not valid.
func golang(m module.Version) string {
	p, err := purl.Canonical(purl.Golang(m.Path, m.Version))
	if module.CheckImportPath(m.Path) != nil || err != nil {
		return ""
	}
	return p
}

// composer lists the packages of a vendor directory of Composer.
func composer(s *search, file string) {
	dir := path.Dir(file)
	if path.Base(dir) != "composer" {
		return
	}
	list, _ := manifest.Composer(s.Read(file, maxRecord))
	for _, p := range list {
		if at := path.Join(dir, p.Dir); strings.HasPrefix(at, path.Dir(dir)+"/") {
			s.add(at, file, p.Meta, finding.Vendored{})
		}
	}
}

// python adds a Python package whose metadata is beside its modules.
func python(s *search, file string) {
	info := path.Dir(file)
	dir := path.Dir(info)
	if ext := path.Ext(info); ext != ".dist-info" && ext != ".egg-info" || s.stores[info].dir != dir || len(s.rows) >= maxPackages {
		return
	}
	m := manifest.Python(s.Read(file, maxManifest)).Valid()
	if m.PURL == "" {
		return
	}
	modules := []string{moduleName(m.PURL)}
	if top := strings.Fields(string(s.Read(info+"/top_level.txt", maxManifest))); len(top) > 0 {
		modules = top
	}
	at := info
	if i := slices.IndexFunc(modules, func(name string) bool { return s.hasBelow(path.Join(dir, name)) }); i >= 0 {
		at = path.Join(dir, modules[i])
	}
	i := s.row(at, file, m, finding.Vendored{})
	s.roots[info] = i
	for _, p := range manifest.Record(s.Read(info+"/RECORD", maxRecord)) {
		s.claim(path.Join(dir, p), dir, i)
	}
	s.claimModules(modules, dir, i)
}

// moduleName returns the usual module name of a Python package.
func moduleName(p string) string { return strings.ReplaceAll(nameOf(p), "-", "_") }

// claimModules assigns Python modules to a row.
func (s *search) claimModules(modules []string, dir string, i int) {
	for _, name := range modules {
		s.claim(path.Join(dir, name), dir, i)
		s.claim(path.Join(dir, name)+".py", dir, i)
	}
}

// claim assigns a file, or a directory right in dir, to a row, unless another row has it already. Directories further below are
// not assigned, since packages of one namespace share them.
func (s *search) claim(p, dir string, i int) {
	if !strings.HasPrefix(p, dir+"/") {
		return
	}
	if _, known := s.single[p]; !known {
		s.single[p] = i
	}
	if _, known := s.roots[p]; !known && path.Dir(p) == dir {
		s.roots[p] = i
	}
}

// pods reads the copy of Podfile.lock that CocoaPods keeps: lines "  - Name (1.2.3)" below "PODS:".
func pods(s *search, file string) {
	dir := path.Dir(file)
	if path.Base(dir) != "Pods" {
		return
	}
	for name, version := range lockfile.Pods(s.Read(file, maxRecord)) {
		m := manifest.Meta{PURL: purl.Make("cocoapods", name, version)}.Valid()
		s.add(path.Join(dir, name), file, m, finding.Vendored{Name: name})
	}
}

// pinned reads the list in which Python projects pin vendored packages: a line "name==version" for each.
func pinned(s *search, file string) {
	dir := path.Dir(file)
	for line := range strings.Lines(string(s.Read(file, maxManifest))) {
		line, _, _ = strings.Cut(line, "#")
		name, version, ok := strings.Cut(strings.TrimSpace(line), "==")
		name, _, _ = strings.Cut(name, "[")
		version, _, _ = strings.Cut(version, ";")
		m := manifest.Python([]byte("Name: " + name + "\nVersion: " + strings.TrimSpace(version) + "\n")).Valid()
		if !ok || m.PURL == "" || s.stores[dir].dir != dir || len(s.rows) >= maxPackages {
			continue
		}
		module := s.importable(dir, moduleName(m.PURL))
		at := path.Join(dir, module)
		if !s.hasBelow(at) {
			at += ".py"
		}
		s.claimModules([]string{module}, dir, s.row(at, file, m, finding.Vendored{}))
	}
}

// importable returns the module of a vendored package: that of its name, or else that of its name without "python-", as dotenv of
// python-dotenv.
func (s *search) importable(dir, module string) string {
	there := func(module string) bool {
		at := path.Join(dir, module)
		return s.hasBelow(at) || s.has(at+".py")
	}
	if short := strings.TrimPrefix(module, "python_"); !there(module) && there(short) {
		return short
	}
	return module
}

// byName identifies packages in a single file, and installed gems, by their file names.
func (s *search) byName(p string) {
	dir, base := path.Split(p)
	switch {
	case strings.HasSuffix(p, ".gem") && strings.HasSuffix(dir, "/cache/"):
		if name, version, ok := nameVersion(strings.TrimSuffix(base, ".gem")); ok && len(s.rows) < maxPackages {
			s.single[p] = s.row(p, p, manifest.Meta{PURL: purl.Make("gem", name, version)}.Valid(), finding.Vendored{})
		}
	case strings.HasSuffix(p, ".gemspec") && strings.HasSuffix(dir, "/specifications/"):
		at := path.Join(path.Dir(path.Clean(dir)), "gems", strings.TrimSuffix(base, ".gemspec"))
		if m := manifest.Gemspec(s.Read(p, maxManifest)).Valid(); m.PURL != "" {
			s.add(at, p, m, finding.Vendored{})
		}
	default:
		s.byYarn(p)
	}
}

// downloaded is the first line of a script that Rails' importmap has downloaded: "// lodash@4.17.21 downloaded from
// https://ga.jspm.io/npm:lodash@4.17.21/lodash.js".
var downloaded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^// \S{1,300} downloaded from https://(?:ga\.jspm\.io/npm:|cdn\.jsdelivr\.net/npm/|unpkg\.com/)((?:@[^/@\s]{1,100}/)?[^/@\s]{1,200})@([^/\s]{1,100})/`)
})

// onShelf makes a package of a script or style that is on a shelf.
func (s *search) onShelf(p string) {
	if !slices.Contains([]string{".js", ".mjs", ".coffee", ".css", ".scss", ".sass", ".less"}, path.Ext(p)) || len(s.rows) >= maxPackages {
		return
	}
	var m manifest.Meta
	if named := downloaded().FindSubmatch(s.Read(p, maxManifest)); named != nil {
		m = manifest.Meta{PURL: purl.NPM(string(named[1]), string(named[2]))}.Valid()
	}
	s.single[p] = s.row(p, p, m, finding.Vendored{})
}

// nameVersion splits NAME-VERSION. The version begins with a digit.
func nameVersion(s string) (name, version string, ok bool) {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '-' && s[i+1] >= '0' && s[i+1] <= '9' {
			return s[:i], s[i+1:], true
		}
	}
	return "", "", false
}

// byManifest makes a package of the topmost directory below a store that has a manifest or a licence.
func (s *search) byManifest(p string) {
	dir := path.Dir(p)
	st := s.stores[dir]
	if read := manifests[path.Base(p)]; read == nil && len(s.named[dir]) == 0 || st.dir == dir {
		return
	}
	if _, whole := s.roots[st.dir]; whole {
		return
	}
	for at := st.dir; at != dir; {
		at = next(at, dir)
		if shelf(at) {
			continue
		}
		if _, known := s.roots[at]; known || s.tells(at) && s.byDirectory(at) {
			return
		}
	}
}

// tells reports whether a directory has a file that makes it a package.
func (s *search) tells(dir string) bool {
	if len(s.named[dir]) > 0 {
		return true
	}
	for _, name := range manifestOrder {
		if s.has(dir + "/" + name) {
			return true
		}
	}
	return false
}

// byDirectory adds a package for a directory, by the first manifest that names it, or else by its licence. It returns false if
// there is neither.
func (s *search) byDirectory(dir string) bool {
	for _, name := range manifestOrder {
		file := dir + "/" + name
		if !s.has(file) {
			continue
		}
		if m, r := manifests[name](s.Read(file, maxManifest)); m.PURL != "" || r.Name != "" {
			if m.PURL == "" && r.Version == "" {
				r.Version = s.builtVersion(dir)
			}
			s.add(dir, file, m, r)
			return true
		}
	}
	files := s.named[dir]
	if len(files) == 0 {
		return false
	}
	m, r := manifest.Meta{PURL: s.byPath(dir)}, otherFields{}
	if m.PURL == "" {
		r = s.released(dir)
	}
	s.add(dir, files[0], m, r)
	return true
}

// byPath returns the package URL of a Go package in vendor, by its import path.
func (s *search) byPath(dir string) string {
	st := s.stores[dir]
	rel := strings.TrimPrefix(strings.TrimPrefix(dir, st.dir+"/"), "src/")
	host, _, below := strings.Cut(rel, "/")
	if !st.managed || !below || !strings.Contains(host, ".") || module.CheckPath(rel) != nil {
		return ""
	}
	return golang(module.Version{Path: rel})
}

// otherFields holds the fields of a manifest that cannot be given as a package URL.
type otherFields = finding.Vendored

// manifestOrder is the order in which manifests are read.
var manifestOrder = []string{"package.json", ".bower.json", "bower.json", "composer.json", "Cargo.toml", "PKG-INFO", "pom.xml", "README.chromium", "METADATA", "moz.yaml", "go.mod"}

// manifests holds the functions that read a manifest of one package.
var manifests = map[string]func(data []byte) (manifest.Meta, otherFields){
	"package.json":    meta(manifest.NPM),
	".bower.json":     bower,
	"bower.json":      bower,
	"composer.json":   composerJSON,
	"Cargo.toml":      meta(manifest.Cargo),
	"PKG-INFO":        meta(manifest.Python),
	"pom.xml":         meta(manifest.POM),
	"README.chromium": fields("Name", "Version", "License"),
	"METADATA":        fields("name", "version", ""),
	"moz.yaml":        fields("name", "release", "license"),
	"go.mod":          goMod,
}

func meta(read func([]byte) manifest.Meta) func([]byte) (manifest.Meta, otherFields) {
	return func(data []byte) (manifest.Meta, otherFields) { return read(data).Valid(), otherFields{} }
}

func bower(data []byte) (manifest.Meta, otherFields) {
	var m manifest.NPMDocument
	if json.Unmarshal(data, &m) != nil || !manifest.ValidNPMName(m.Name) {
		return manifest.Meta{}, otherFields{}
	}
	return manifest.Meta{PURL: purl.Make("bower", m.Name, m.Version), License: m.Declared()}.Valid(), otherFields{}
}

func composerJSON(data []byte) (manifest.Meta, otherFields) {
	var m manifest.NPMDocument
	if json.Unmarshal(data, &m) != nil || strings.Count(m.Name, "/") != 1 {
		return manifest.Meta{}, otherFields{}
	}
	return manifest.Meta{PURL: purl.Make("composer", m.Name, m.Version), License: m.Declared()}.Valid(), otherFields{}
}

func goMod(data []byte) (manifest.Meta, otherFields) {
	return manifest.Meta{PURL: golang(module.Version{Path: modfile.ModulePath(data)})}, otherFields{}
}

// fields reads lines "key: value", the first of each key.
func fields(name, version, licence string) func([]byte) (manifest.Meta, otherFields) {
	return func(data []byte) (manifest.Meta, otherFields) {
		at := map[string]string{}
		for line := range strings.Lines(string(data)) {
			key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
			value = strings.Trim(strings.TrimSpace(value), `"'`)
			if _, known := at[key]; ok && !known && value != "" && len(value) <= maxField {
				at[key] = value
			}
		}
		return manifest.Meta{License: at[licence]}, otherFields{Name: at[name], Version: at[version]}
	}
}

// maxField limits a name that is not part of a package URL, in bytes.
const maxField = 256
