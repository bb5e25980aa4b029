package purl

import (
	"cmp"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// stdName is the package name of the Go standard library.
const stdName = "std"

// Order returns the version of a package URL as a semantic version with a leading "v", or "" if it is not one. Releases
// of Go are converted: 1.21rc2 is v1.21.0-rc.2.
func Order(name string) string {
	v := Version(name)
	if Name(name) == Golang(stdName, "") {
		return GoOrder(v)
	}
	if !strings.HasPrefix(v, "v") {
		v = "v" + v
	}
	if !semver.IsValid(v) {
		return ""
	}
	return v
}

// CompareVersions orders package URLs of one package by semantic version.
func CompareVersions(a, b string) int {
	return cmp.Or(semver.Compare(Order(a), Order(b)), cmp.Compare(a, b))
}

// GoOrder converts a release of Go, such as 1.9, 1.21.0 or 1.18beta1, to a semantic version.
func GoOrder(v string) string {
	i := strings.IndexFunc(v, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	pre := ""
	if i >= 0 {
		j := strings.IndexAny(v[i:], "0123456789")
		if j < 0 {
			return ""
		}
		v, pre = v[:i], "-"+v[i:i+j]+"."+v[i+j:]
	}
	out := "v" + v + strings.Repeat(".0", max(0, 2-strings.Count(v, "."))) + pre
	if !semver.IsValid(out) {
		return ""
	}
	return out
}

// Series returns the key of a package, the same for all major versions of a Go module.
func Series(p string) string {
	u, err := Parse(p)
	if err != nil || u.Type != TypeGolang {
		return Key(p)
	}
	prefix, _, ok := module.SplitPathVersion(FullName(u))
	if !ok {
		return Key(p)
	}
	return Key(Golang(prefix, ""))
}
