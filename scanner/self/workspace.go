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

// below knows the npm packages that are published from directories of the
// target: one whose manifest stands there and names the target's repository, and this
// directory of it, if it names one. A manifest that names no repository counts where
// the root lists its directory as a workspace and the package has the scope of the
// root's. A copy keeps its name and the address it came from, so that it is neither.
type below struct {
	workspaces ignore.Patterns // of directories
	scope      string          // of the root's package, "" if it has none
	homes      []string        // keys of what the target's repository is known as
	files      Files
	once       sync.Once
	known      map[string]string // by name, what says so
}

const (
	// maxPatterns bounds the workspaces that a root can list.
	maxPatterns = 64
	// maxBelow bounds the manifests that are read, maxDepth how deep they can lie.
	maxBelow, maxDepth = 2048, 5
	// maxEntries bounds the entries of directories that are looked at for them.
	maxEntries = 1 << 18
)

// npmManifest is what a package.json says of a package, and of those below it.
type npmManifest struct {
	Name       string     `json:"name"`
	Repository repository `json:"repository"`
	Workspaces places     `json:"workspaces"`
}

// repository is an address, or one with a directory.
type repository struct{ URL, Directory string }

func (r *repository) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &r.URL) == nil {
		return nil
	}
	var long struct{ URL, Directory string }
	if json.Unmarshal(b, &long) == nil { // of what else stands there nothing is known
		*r = long
	}
	return nil
}

// key is what the repository is known as, as for remotes; "" if that is unclear.
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

// places are patterns, or an object that has them.
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

// packagesBelow returns nil where nothing could show that a directory is the
// target's. self is what is known of the target without them.
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

// workspaces reads lists of directories, which begin at the root; those after an
// exclamation mark are taken out again.
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

// says returns what says that a package is published from a directory of the
// target, "" if nothing does.
func (b *below) says(p string) string {
	if b == nil {
		return ""
	}
	parsed, err := purl.Parse(p)
	if err != nil || parsed.Type != purl.TypeNPM {
		return ""
	}
	b.once.Do(b.look)
	return b.known[purl.FullName(parsed)]
}

// look reads the manifests below the root.
func (b *below) look() {
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

// declares returns what in the manifest of a directory says that its package is
// published from here.
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

// lists tells whether the root lists a directory as a workspace.
func (b *below) lists(dir string) bool {
	in, _ := b.workspaces.Decide(dir, true)
	return in
}

// holdsOwn tells whether manifests of the target itself can lie in a directory: not
// in those in which tools keep what they fetched or made.
func holdsOwn(dir string) bool {
	return !strings.HasPrefix(dir, ".") && !slices.Contains([]string{"node_modules", "bower_components", "jspm_packages", "vendor"}, dir)
}

// bounded keeps of sorted paths those that can be read: not too deep, not too
// many, in directories of the target's own.
func bounded(paths []string) []string {
	out := slices.DeleteFunc(paths, func(p string) bool {
		dirs := strings.Split(path.Dir(p), "/")
		return p == path.Base(p) || len(dirs) > maxDepth || slices.ContainsFunc(dirs, func(d string) bool { return !holdsOwn(d) })
	})
	return out[:min(len(out), maxBelow)]
}
