package origindates

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// number matches the tag of a version after the name is cut off.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[vV]?[0-9]+([._-][0-9]+)*([-+._]?[A-Za-z][0-9A-Za-z.+_-]*)?$`)
})

// maxTag limits the length of tags, in bytes. Longer ones are ignored.
const maxTag = 200

// releases recognises the tags of the versions of one package: v1.2.3, 1.2.3, name@1.2.3, name-v1.2.3, and dir/v1.2.3 of a Go
// module in a directory. If a repository has tags with the package's name, its other tags belong to other packages.
type releases struct {
	name     string // of the package, without version
	prefixes []string
	specific bool
}

func releasesOf(name string, tags []string) *releases {
	r := &releases{name: purl.Name(name)}
	u, err := purl.Parse(name)
	if err != nil {
		return r
	}
	full := purl.FullName(u)
	names := []string{full, path.Base(full)}
	if base, _, ok := module.SplitPathVersion(full); ok && u.Type == purl.TypeGolang {
		names = nil
		for dir := base; strings.Contains(dir, "/"); {
			_, dir, _ = strings.Cut(dir, "/")
			names = append(names, dir)
		}
	}
	for _, n := range names {
		for _, by := range []string{"@", "-", "/", "_"} {
			r.prefixes = append(r.prefixes, n+by)
		}
	}
	for _, t := range tags {
		if _, with := r.cut(t); with {
			r.specific = true
			break
		}
	}
	return r
}

// cut removes the package's name from a tag. with reports whether the tag had it.
func (r *releases) cut(tag string) (rest string, with bool) {
	for _, p := range r.prefixes {
		if rest, ok := strings.CutPrefix(tag, p); ok && number().MatchString(rest) {
			return rest, true
		}
	}
	return tag, false
}

// version returns the version of a tag, or "" if it is no version of the package.
func (r *releases) version(tag string) string {
	if len(tag) > maxTag {
		return ""
	}
	rest, with := r.cut(tag)
	if !with && r.specific {
		return ""
	}
	if !with {
		for _, p := range []string{"release-", "release/", "releases/", "rel-", "version-"} {
			rest = strings.TrimPrefix(rest, p)
		}
	}
	if !number().MatchString(rest) {
		return ""
	}
	return rest
}

// purl returns the package URL of the version of a tag.
func (r *releases) purl(tag string) string {
	v := r.version(tag)
	if v == "" {
		return ""
	}
	u, err := purl.Parse(r.name)
	if err != nil {
		return ""
	}
	full := purl.FullName(u)
	switch u.Type {
	case purl.TypeGolang:
		full, v = goVersion(full, v)
	case "github", "gitlab", "bitbucket":
		v = tag
	default:
		v = strings.TrimLeft(v, "vV")
	}
	return purl.Make(u.Type, full, v)
}

// goVersion adds the major version to the path of a module.
func goVersion(full, v string) (string, string) {
	v = "v" + strings.TrimLeft(v, "vV")
	base, suffix, ok := module.SplitPathVersion(full)
	major := semver.Major(v)
	switch {
	case !ok || major == "" || strings.HasPrefix(suffix, "."):
		return full, v
	case major == "v0" || major == "v1":
		return base, v
	}
	if suffix == "" {
		return base, v + "+incompatible"
	}
	return base + "/" + major, v
}
