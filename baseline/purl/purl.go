// Package purl names packages. A package URL ("pkg:golang/golang.org/x/mod@v0.42.0") is the identity that a baseline stores beside
// every document, and the text that a finding shows for its origin. The package takes strings from users, metadata and other
// tools' lists, and returns canonical strings.
//
//	purl.go        PURL: parse, make, compare
//	escape.go      paths in a package URL
//	order.go       the order of versions; match.go: patterns
//	repository.go  the https address of a repository
//
// # Capital letters
//
// The purl specification lower-cases golang purls, which breaks module paths: github.com/BurntSushi/toml and
// github.com/burntsushi/toml are different modules to the Go command and to every module proxy. So this package keeps the case of
// golang namespaces and names, both when it parses and when it makes package URLs. [Key] returns the specification's lower-cased
// form: compare with Key, but fetch and print with the rest.
package purl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/package-url/packageurl-go"
)

// PURL is a parsed package URL.
type PURL = packageurl.PackageURL

// The types whose packages can be fetched.
const (
	TypeGolang = "golang"
	TypeNPM    = "npm"
)

// TypeDebian is the type of Debian's source packages.
const TypeDebian = "deb"

// TypeSwift is the type of SwiftPM packages. Their names are the host, owner and name of a repository.
const TypeSwift = "swift"

// keepCase replaces golang while parsing. The library lower-cases golang and leaves generic unchanged; it treats them alike in
// every other respect.
const keepCase = "generic"

// maxLen bounds the bytes of a package URL that is parsed. The longest module path and version that a proxy takes are far shorter.
const maxLen = 4096

// SyntaxError reports that a string is not a package URL.
type SyntaxError struct {
	PURL string
	Err  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("parse package URL %q: %v", e.PURL, e.Err) }
func (e *SyntaxError) Unwrap() error { return e.Err }

// UnsupportedTypeError reports that packages of a type cannot be fetched.
type UnsupportedTypeError struct {
	PURL      string
	Type      string
	Supported []string
}

func (e *UnsupportedTypeError) Error() string {
	return fmt.Sprintf("fetch %q: package type %q is not supported (supported: %s)",
		e.PURL, e.Type, strings.Join(e.Supported, ", "))
}

// Is reports whether s is meant as a package URL, by its first letters.
func Is(s string) bool { return len(s) >= 4 && strings.EqualFold(s[:4], "pkg:") }

// Parse reads a package URL. Errors are of type *SyntaxError.
func Parse(s string) (PURL, error) {
	if len(s) > maxLen {
		return PURL{}, &SyntaxError{PURL: s[:64] + "…", Err: fmt.Errorf("longer than %d bytes", maxLen)}
	}
	p, err := parse(s)
	if err != nil {
		return PURL{}, &SyntaxError{PURL: s, Err: err}
	}
	return p, nil
}

func parse(s string) (PURL, error) {
	if rest, ok := golangRest(s); ok {
		p, err := packageurl.FromString("pkg:" + keepCase + "/" + rest)
		p.Type = TypeGolang
		return p, err
	}
	return packageurl.FromString(s)
}

// golangRest returns the part after the type of a golang package URL.
func golangRest(s string) (string, bool) {
	if !Is(s) {
		return "", false
	}
	typ, rest, ok := strings.Cut(strings.TrimLeft(s[4:], "/"), "/")
	return rest, ok && strings.EqualFold(typ, TypeGolang)
}

// OfDebian reports whether a package URL in canonical encoding names a source package of Debian.
func OfDebian(s string) bool { return strings.HasPrefix(s, "pkg:"+TypeDebian+"/") }

// Canonical returns s in canonical encoding.
func Canonical(s string) (string, error) {
	p, err := Parse(s)
	if err != nil {
		return "", err
	}
	return p.ToString(), nil
}

// Fetchable returns an *UnsupportedTypeError unless packages of p's type can be
// fetched from their registry.
func Fetchable(p PURL) error {
	if p.Type == TypeGolang || p.Type == TypeNPM {
		return nil
	}
	return &UnsupportedTypeError{PURL: p.ToString(), Type: p.Type, Supported: []string{TypeGolang, TypeNPM}}
}

// Golang returns the package URL of a Go module; version is "" if unknown. The standard library is the module "std", with its
// version without the leading "go".
func Golang(module, version string) string { return Make(TypeGolang, module, version) }

// NPM returns the package URL of an npm package, "@scope/name" or "name".
func NPM(name, version string) string { return Make(TypeNPM, name, version) }

// Make returns the package URL of a package. name has its namespace before the last slash.
func Make(typ, name, version string) string {
	p := PURL{Type: typ, Name: name, Version: version}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		p.Namespace, p.Name = name[:i], name[i+1:]
	}
	return p.ToString()
}

// FullName returns p's namespace and name joined: a module path or an npm name.
func FullName(p PURL) string {
	if p.Namespace == "" {
		return p.Name
	}
	return p.Namespace + "/" + p.Name
}

// Name returns s without version, qualifiers and subpath. If s is not a package URL, it returns s.
func Name(s string) string {
	p, err := Parse(s)
	if err != nil {
		return s
	}
	return Make(p.Type, FullName(p), "")
}

// Key returns the form of Name that is equal for all spellings of one package. As the specification says, golang and swift are
// lower-cased.
func Key(s string) string {
	name := Name(s)
	if _, ok := golangRest(name); ok || strings.HasPrefix(name, swiftPrefix) {
		return strings.ToLower(name)
	}
	return name
}

// swiftPrefix begins package URLs of SwiftPM. Their names are addresses of repositories, and forges ignore case.
const swiftPrefix = "pkg:swift/"

// Hosts maps the types that name repositories to their hosts.
var Hosts = map[string]string{"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org"}

// forges are hosts where the first path element names the owner of a module.
var forges = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com", "sr.ht", "git.sr.ht", "gopkg.in"}

// Owner returns the publisher of s, as far as its name shows it. This is its namespace, or the account if it is a module on a
// forge, or else the package itself. An npm scope with the name of a package belongs to that package's publisher: @babel is that
// of babel.
func Owner(s string) string {
	key := strings.Replace(Key(s), "pkg:npm/%40", "pkg:npm/", 1)
	parts := strings.Split(key, "/") // pkg:type, namespace…, name
	switch {
	case len(parts) < 3:
		return key
	case len(parts) > 3 && slices.Contains(forges, parts[1]):
		return strings.Join(parts[:3], "/")
	}
	return strings.Join(parts[:2], "/")
}

// Shared reports whether an owner is not a single publisher: a forge, if the name has no account, or a distribution, which packs
// the work of others.
func Shared(owner string) bool {
	typ, host, _ := strings.Cut(owner, "/")
	return typ == "pkg:deb" || slices.Contains(forges, host)
}

// Version returns the version of s. It is "" if s has none or is not a package URL.
func Version(s string) string {
	p, err := Parse(s)
	if err != nil {
		return ""
	}
	return p.Version
}

// Web returns the web page about the package, or "" if none is known.
func Web(s string) string {
	p, err := Parse(s)
	if err != nil {
		return ""
	}
	switch p.Type {
	case TypeGolang:
		return "https://pkg.go.dev/" + golangPage(p)
	case TypeNPM:
		return "https://www.npmjs.com/package/" + npmPage(p)
	case TypeSwift:
		if host, _, _ := strings.Cut(p.Namespace, "/"); slices.Contains(forges, host) {
			return "https://" + escapePath(FullName(p))
		}
	}
	return ""
}

func golangPage(p PURL) string {
	name := escapePath(FullName(p))
	switch {
	case p.Version == "":
		return name
	case name == "std":
		return name + "@go" + escapePath(p.Version)
	}
	return name + "@" + escapePath(p.Version)
}

func npmPage(p PURL) string {
	name := escapePath(FullName(p))
	if p.Version == "" {
		return name
	}
	return name + "/v/" + escapePath(p.Version)
}
