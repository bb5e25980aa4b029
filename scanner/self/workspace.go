package self

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
	"gopkg.in/yaml.v3"
)

// below finds the npm packages that are published from directories of the target. The manifest of such a package names the
// target's repository, and its own directory if it names any. A manifest without a repository counts if the root lists its
// directory as a workspace and the package has the root's scope. A copied manifest keeps its name and address, so it does not
// count.
type below struct {
	workspaces ignore.Patterns // of directories
	scope      string          // of the root's package; "" if it has none
	homes      []string        // keys of the target's repository
	files      Files
	once       sync.Once
	known      map[string]string // name → declaration
}

const (
	// maxPatterns limits the workspaces that a root can list.
	maxPatterns = 64
	// maxBelow limits the manifests that are read, maxDepth their depth.
	maxBelow, maxDepth = 2048, 5
	// maxEntries limits the directory entries that are read to find them.
	maxEntries = 1 << 18
)

// npmManifest holds the fields of a package.json that identify a package and its workspaces.
type npmManifest struct {
	Name       string     `json:"name"`
	Repository repository `json:"repository"`
	Workspaces places     `json:"workspaces"`
}

// repository is an address, with a directory if given.
type repository struct{ URL, Directory string }

func (r *repository) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &r.URL) == nil {
		return nil
	}
	var long struct{ URL, Directory string }
	if json.Unmarshal(b, &long) == nil { // other forms are ignored
		*r = long
	}
	return nil
}

// key returns the key of the repository, as for remotes; "" if it is unclear.
func (r *repository) key() string {
	address := strings.TrimPrefix(r.URL, "git+")
	if short, ok := strings.CutPrefix(address, "github:"); address != "" && (ok || !strings.Contains(address, ":")) {
		address = "https://github.com/" + short
	}
	if own := published(address, ""); len(own) > 0 {
		return own[0].Key
	}
	return ""
}

// places is a list of patterns, or an object that contains one.
type places []string

func (p *places) UnmarshalJSON(b []byte) error {
	var list []string
	var yarn struct{ Packages []string }
	switch {
	case json.Unmarshal(b, &list) == nil:
		*p = list
	case json.Unmarshal(b, &yarn) == nil:
		*p = yarn.Packages
	}
	return nil
}

func readNPM(b []byte) (m npmManifest, ok bool) {
	return m, b != nil && json.Unmarshal(bytes.TrimPrefix(b, []byte("\ufeff")), &m) == nil
}

// packagesBelow returns nil if nothing could show that a directory is the target's. self lists the packages known without
// directories.
func packagesBelow(files Files, self []ownPackage) *below {
	b := &below{files: files}
	if root, ok := readNPM(files.read("package.json")); ok {
		b.workspaces = workspaces(root.Workspaces, pnpmPlaces(files.read("pnpm-workspace.yaml")), lernaPlaces(files.read("lerna.json")))
		if scope, _, ok := strings.Cut(root.Name, "/"); ok && scope != "@types" {
			b.scope = scope + "/"
		}
		if key := root.Repository.key(); key != "" {
			b.homes = append(b.homes, key)
		}
	}
	for _, o := range self {
		if o.Also == alsoBelow {
			b.homes = append(b.homes, o.Key)
		}
	}
	if len(b.homes) == 0 && (b.scope == "" || b.workspaces == nil) {
		return nil
	}
	return b
}

// workspaces reads lists of directories, relative to the root. Directories with an exclamation mark are excluded again.
func workspaces(lists ...places) ignore.Patterns {
	var anchored []string
	for _, p := range slices.Concat(lists...) {
		not, negated := strings.CutPrefix(p, "!")
		p = path.Clean("/" + not)
		if negated {
			p = "!" + p
		}
		anchored = append(anchored, p)
	}
	if len(anchored) > maxPatterns {
		return nil
	}
	return ignore.Lines(anchored)
}

// lernaPlaces reads the list of packages of a lerna.json.
func lernaPlaces(b []byte) []string {
	var m struct{ Packages places }
	if len(b) == 0 || json.Unmarshal(b, &m) != nil {
		return nil
	}
	return m.Packages
}

// pnpmPlaces reads the list of packages of a pnpm-workspace.yaml.
func pnpmPlaces(b []byte) []string {
	var m struct {
		Packages []string `yaml:"packages"`
	}
	if len(b) == 0 || yaml.Unmarshal(b, &m) != nil {
		return nil
	}
	return m.Packages
}

// declarationOf returns the declaration that a package is published from a directory of the target, or "".
func (b *below) declarationOf(p string) string {
	if b == nil {
		return ""
	}
	parsed, err := purl.Parse(p)
	if err != nil || parsed.Type != purl.TypeNPM {
		return ""
	}
	b.once.Do(b.readManifests)
	return b.known[purl.FullName(parsed)]
}

// readManifests reads the manifests below the root.
func (b *below) readManifests() {
	b.known = map[string]string{}
	for _, file := range b.files.below("package.json") {
		m, ok := readNPM(b.files.read(file))
		if !ok || !packageName().MatchString(m.Name) || b.known[m.Name] != "" {
			continue
		}
		if said := b.declares(path.Dir(file), m); said != "" {
			b.known[m.Name] = said
		}
	}
}

// declares returns the fact in a directory's manifest that shows that its package is published from here, or "".
func (b *below) declares(dir string, m npmManifest) string {
	switch at := m.Repository.Directory; {
	case m.Repository.URL != "":
		if slices.Contains(b.homes, m.Repository.key()) && (at == "" || path.Clean(at) == dir) {
			return "package.json in a directory, with the address of this repository"
		}
	case b.scope != "" && strings.HasPrefix(m.Name, b.scope) && b.lists(dir):
		return "package.json in a workspace, with the scope of the root's"
	}
	return ""
}

// lists reports whether the root lists a directory as a workspace.
func (b *below) lists(dir string) bool {
	in, _ := b.workspaces.Decide(dir, true)
	return in
}

// holdsOwn reports whether a directory can contain manifests of the target itself. Directories of fetched or generated files do
// not.
func holdsOwn(dir string) bool {
	return !strings.HasPrefix(dir, ".") && !slices.Contains([]string{"node_modules", "bower_components", "jspm_packages", "vendor"}, dir)
}

// bounded keeps the paths, which must be sorted, that are not too deep, not too many, and in directories of the target's own.
func bounded(paths []string) []string {
	out := slices.DeleteFunc(paths, func(p string) bool {
		dirs := strings.Split(path.Dir(p), "/")
		return p == path.Base(p) || len(dirs) > maxDepth || slices.ContainsFunc(dirs, func(d string) bool { return !holdsOwn(d) })
	})
	return out[:min(len(out), maxBelow)]
}
