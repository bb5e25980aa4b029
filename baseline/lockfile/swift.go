package lockfile

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// swiftPin is an entry of Package.resolved. Version 1 has package and repositoryURL; later versions have identity, kind and
// location.
type swiftPin struct {
	Package, RepositoryURL   string
	Identity, Kind, Location string
	State                    struct{ Revision, Version string }
}

const swiftResolve = "swift package resolve"

// readSwift reads Package.resolved of SwiftPM, versions 1 to 3. A package is named by the address of its repository. If it
// follows a branch, its version is the commit.
func readSwift(l *list, data []byte) error {
	var lock struct {
		Object struct{ Pins []swiftPin }
		Pins   []swiftPin
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	for _, p := range append(lock.Object.Pins, lock.Pins...) {
		l.swift(p)
	}
	return nil
}

func (l *list) swift(p swiftPin) {
	name, location := cmp.Or(p.Identity, p.Package), cmp.Or(p.Location, p.RepositoryURL)
	repository, ok := gitRepository(location)
	switch {
	case p.Kind == "registry":
		l.leave(name, ReasonName, "a package of a Swift registry")
	case p.Kind == "localSourceControl", p.Kind == "fileSystem", strings.HasPrefix(location, "file:"), strings.IndexAny(location, "/.~") == 0:
		l.leave(name, ReasonLocal, location)
	case !ok:
		l.leave(name, ReasonGit, location)
	default:
		if !commitName().MatchString(p.State.Revision) {
			p.State.Revision = ""
		}
		l.pin("swift", repository, cmp.Or(p.State.Version, p.State.Revision), Pin{Git: repositoryAddress(location, repository), Revision: p.State.Revision})
	}
}

// repositoryAddress returns the https address of a repository, with the port if the lock file names one of https.
func repositoryAddress(location, repository string) string {
	if u, err := url.Parse(location); err == nil && u.Scheme == "https" && u.Port() != "" && u.Port() != "443" {
		host, at, _ := strings.Cut(repository, "/")
		return "https://" + host + ":" + u.Port() + "/" + at
	}
	return "https://" + repository
}

// commitName matches the name of a commit, SHA-1 or SHA-256.
var commitName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`) })

// gitRepository returns the host and path of the repository at an address.
func gitRepository(addr string) (name string, ok bool) {
	host, at, ok := purl.Repository(addr)
	name = host + "/" + at
	return name, ok && safe(name) && !strings.Contains(at, "@")
}
