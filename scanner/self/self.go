// Package self finds the packages that a repository itself is published as. Matches with these are no findings. Its input is the
// files of a target and the addresses of its remotes. Its output is a Declaration, which [Declaration.Resolve] turns into Packages
// once the names of all packages of the baselines are known.
//
//	self.go       Of: files and remotes → a Declaration; which packages are the target's own
//	manifest.go   the manifests that name a package, of each ecosystem
//	workspace.go  further packages that are published from directories of the target
package self

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/git"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// ownPackage names packages as which the target itself is published. Matches with them are ignored. A package that is counted as
// own by mistake hides a copy. So only declarations at the root count, and similar names do not. A change cannot disguise itself:
// manifests are read as they were before it. The ledger lists the ignored matches, with the declaration.
type ownPackage struct {
	Key   string // by purl.Key
	Also  also
	Known string // the file or remote that declares it
}

// also says which other packages are the target's own, besides the one named.
type also string

const (
	alsoNone   also = ""
	alsoMajors also = "majors" // a Go module's other major versions
	alsoBelow  also = "below"  // Go modules in directories of the repository
)

func (o ownPackage) holds(key string) bool {
	rest, ok := strings.CutPrefix(key, o.Key)
	switch {
	case !ok:
		return false
	case rest == "":
		return true
	case o.Also == alsoMajors:
		return isMajor(rest)
	}
	return o.Also == alsoBelow && rest[0] == '/'
}

// isMajor reports whether s is a major version such as /v2, or .v2 of gopkg.in.
func isMajor(s string) bool {
	n := strings.TrimLeft(s, "/.")
	return len(s)-len(n) == 1 && len(n) > 1 && n[0] == 'v' && strings.Trim(n[1:], "0123456789") == ""
}

// Packages holds the packages that a target is published as.
type Packages struct {
	list   []ownPackage
	nested *nested // Go modules in directories of the target; nil without a go.mod
	below  *below  // npm packages in directories of the target; nil if none can be identified
}

// Declaration returns the declaration that a package is the target itself, or "". repository is the address that the package names, or "".
func (s *Packages) Declaration(p, repository string) string {
	if s == nil || len(s.list) == 0 && s.below == nil {
		return ""
	}
	if declared := s.packaged(p, repository); declared != "" {
		return declared
	}
	key := purl.Key(p)
	for _, o := range s.list {
		if o.holds(key) {
			return o.Known
		}
	}
	return cmp.Or(s.nested.declarationOf(p), s.below.declarationOf(p))
}

// packaged returns the declaration that a Debian package is made from the target's repository, or "". Debian names the repository
// that upstream develops in. In other ecosystems a publisher may name a repository that was only forked, so the name is no proof.
func (s *Packages) packaged(p, repository string) string {
	if repository == "" || !purl.OfDebian(p) {
		return ""
	}
	host, name, ok := purl.Repository(strings.ToLower(repository))
	if ok && slices.Contains(s.Repositories(), host+"/"+name) {
		return "repository, which Debian names"
	}
	return ""
}

// Resolve finds out which of the given packages the target publishes from its directories. Afterwards its files are not read any
// more.
func (s *Packages) Resolve(packages []string) {
	if s.nested == nil && s.below == nil {
		return
	}
	for _, p := range packages {
		known := cmp.Or(s.nested.declarationOf(p), s.below.declarationOf(p))
		if o := (ownPackage{Key: purl.Key(p), Known: known}); known != "" && !slices.Contains(s.list, o) {
			s.list = append(s.list, o)
		}
	}
	s.nested, s.below = nil, nil
}

// SameOwner reports whether a package has the same owner as the target: the account on the host of its remote, the scope, the group,
// or the domain. Matches with such a package are reported and marked, unlike those with the target itself.
func (s *Packages) SameOwner(p string) bool {
	owner := purl.Owner(p)
	return s != nil && !purl.Shared(owner) && slices.ContainsFunc(s.list, func(o ownPackage) bool { return purl.Owner(o.Key) == owner })
}

// SameOwnerOfRepository is SameOwner for the repository that a package names. Package names without scope or group do not show their owner.
func (s *Packages) SameOwnerOfRepository(address string) bool {
	own := published(address, "")
	return len(own) > 0 && s.SameOwner(own[0].Key)
}

// Repositories returns the addresses of the target's repository in lower case: host/owner/name.
func (s *Packages) Repositories() (out []string) {
	if s == nil {
		return nil
	}
	for _, o := range s.list {
		host, name, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(o.Key), "pkg:golang/"), "/")
		parts := strings.Count(name, "/")
		whole := parts == 1 || parts > 1 && o.Also == alsoBelow // a module's path may go on after the repository, a remote's has groups
		if strings.HasPrefix(o.Key, "pkg:golang/") && whole && strings.Contains(host, ".") {
			out = append(out, host+"/"+name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Files returns the prefixes of addresses, in lower case, at which forges show the files of the target.
func (s *Packages) Files() (out []string) {
	for _, r := range s.Repositories() {
		out = append(out, r+"/blob/", r+"/-/blob/")
		if name, ok := strings.CutPrefix(r, "github.com/"); ok {
			out = append(out, "raw.githubusercontent.com/"+name+"/")
		}
	}
	slices.Sort(out)
	return out
}

// Describe lists the data that Declaration and SameOwner use, after Resolve.
func (s *Packages) Describe() []string {
	var out []string
	for _, o := range s.list {
		out = append(out, fmt.Sprintf("%+q", o))
	}
	return out
}

// nested finds the Go modules in directories of the target. The name of such a module begins with the root module's name. Its
// go.mod is in the directory that the name gives, or in one that the root's go.work uses.
type nested struct {
	root  string // module path of the root, without its major version
	files Files
	mu    sync.Mutex
	known map[string]string // module path → declaration, "" for none
	used  func() []string   // paths of the modules that go.work uses
}

func nestedIn(root string, files Files) *nested {
	parsed, err := purl.Parse(root)
	if err != nil {
		return nil
	}
	base, _, ok := module.SplitPathVersion(purl.FullName(parsed))
	if !ok {
		return nil
	}
	return &nested{root: base, files: files, known: map[string]string{}, used: sync.OnceValue(func() []string { return usedModules(files) })}
}

// usedModules lists the modules that go.work at the root uses.
func usedModules(files Files) []string {
	work, err := modfile.ParseWork("go.work", files.read("go.work"), nil)
	if err != nil {
		return nil
	}
	var out []string
	for _, u := range work.Use[:min(len(work.Use), maxModules)] {
		if dir := path.Clean(u.Path); dir != "." && filepath.IsLocal(filepath.FromSlash(dir)) {
			out = append(out, modfile.ModulePath(files.read(dir+"/go.mod")))
		}
	}
	return out
}

// declarationOf returns the declaration that a package is such a module, or "".
func (n *nested) declarationOf(p string) string {
	if n == nil {
		return ""
	}
	parsed, err := purl.Parse(p)
	if err != nil || parsed.Type != purl.TypeGolang {
		return ""
	}
	name := purl.FullName(parsed)
	base, _, ok := module.SplitPathVersion(name)
	dir, below := strings.CutPrefix(base, n.root+"/")
	if !ok || !below || !filepath.IsLocal(filepath.FromSlash(dir)) {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	said, known := n.known[name]
	if !known {
		switch {
		case modfile.ModulePath(n.files.read(dir+"/go.mod")) == name:
			said = "go.mod in the directory that its name says"
		case slices.Contains(n.used(), name):
			said = "go.mod in a directory that go.work uses"
		}
		n.known[name] = said
	}
	return said
}

// Files gives access to the files in a target's root and below it.
type Files struct {
	names func() []string            // names in the root, sorted
	read  func(name string) []byte   // nil if there is none, or it is larger than maxManifest
	below func(name string) []string // paths of files with a name below the root, sorted and limited
}

// Of finds the packages of a target by its manifests and by the remotes of its repository, which may be nil.
func Of(files Files, repo *git.Repo) *Packages {
	s := &Packages{}
	for _, name := range files.names() {
		i := slices.IndexFunc(manifests, func(m manifest) bool { return m.named(name) })
		if i < 0 {
			continue
		}
		if b := files.read(name); b != nil {
			for _, p := range manifests[i].packages(b, files) {
				s.list = append(s.list, own(p, name))
				if name == "go.mod" {
					s.nested = nestedIn(p, files)
				}
			}
		}
	}
	if repo != nil {
		for _, remote := range ownRemotes {
			s.list = append(s.list, published(repo.Remote(remote), "remote "+remote)...)
		}
	}
	s.below = packagesBelow(files, s.list)
	return s
}

// own returns the package that a manifest declares.
func own(p, manifest string) ownPackage {
	o := ownPackage{Key: purl.Key(p), Known: manifest}
	if parsed, err := purl.Parse(p); err == nil && parsed.Type == purl.TypeGolang {
		if base, _, ok := module.SplitPathVersion(purl.FullName(parsed)); ok {
			o.Key, o.Also = purl.Key(purl.Golang(base, "")), alsoMajors
		}
	}
	return o
}

// ownRemotes lists the remotes of this very repository: the one it was cloned from, and by convention the one it was forked from.
// Other remotes may be other people's code.
var ownRemotes = []string{"origin", "upstream"}

// published returns the packages of a repository at an address: the repository itself, and the Go modules in it.
func published(address, known string) []ownPackage {
	host, name, ok := purl.Repository(address)
	if !ok || !strings.Contains(name, "/") { // a single element names the owner only
		return nil
	}
	own := []ownPackage{
		{Key: purl.Key(purl.Golang(host+"/"+name, "")), Also: alsoBelow, Known: known},
		{Key: purl.Key(purl.Make(purl.TypeSwift, host+"/"+name, "")), Known: known},
	}
	for typ, at := range purl.Hosts {
		if at == host {
			own = append(own, ownPackage{Key: purl.Key(purl.Make(typ, name, "")), Known: known})
		}
	}
	return own
}

// OnDisk returns the files of a directory.
func OnDisk(root string) Files {
	if root == "" {
		return Files{names: func() []string { return nil }, read: func(string) []byte { return nil }}
	}
	return Files{
		names: func() []string {
			var names []string
			for _, m := range manifests {
				found, err := fs.Glob(os.DirFS(root), m.pattern)
				if err == nil { // the pattern is valid, and an unreadable directory declares nothing
					names = append(names, found...)
				}
			}
			return names
		},
		read: func(name string) []byte {
			return git.ReadSmall(filepath.Join(root, filepath.FromSlash(name)), maxManifest)
		},
		below: func(name string) []string { return bounded(listBelow(root, name)) },
	}
}

// listBelow lists the files with a name, down to maxDepth.
func listBelow(root, name string) (out []string) {
	left := maxEntries
	fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		left--
		switch {
		case left < 0:
			return fs.SkipAll
		case err != nil: // an unreadable directory declares nothing
			return fs.SkipDir
		case d.IsDir() && p != "." && (!holdsOwn(d.Name()) || strings.Count(p, "/") >= maxDepth):
			return fs.SkipDir
		case d.Type().IsRegular() && d.Name() == name:
			out = append(out, p)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// InCommit returns the files of a commit. Files that a partial clone lacks are ignored.
func InCommit(ctx context.Context, repo *git.Repo, rev string) Files {
	return Files{
		names: func() []string {
			files, err := repo.Dir(ctx, rev, "")
			if err != nil {
				return nil
			}
			var names []string
			for _, f := range files {
				names = append(names, f.Path)
			}
			return names
		},
		read: func(name string) []byte {
			b, err := repo.FileAt(ctx, rev, name, maxManifest)
			if err != nil {
				return nil
			}
			return b
		},
		below: func(name string) (out []string) {
			files, err := repo.FilesAt(ctx, rev, "", nil)
			if err != nil {
				return nil
			}
			for _, f := range files {
				if path.Base(f.Path) == name {
					out = append(out, f.Path)
				}
			}
			return bounded(out)
		},
	}
}
