// Package purl names packages. A package URL ("pkg:golang/golang.org/x/mod@v0.42.0")
// is the identity a baseline stores beside every document and the text a finding
// shows for its origin. Strings come in from users, metadata and other tools'
// lists; canonical strings go out.
//
// # Capital letters
//
// The purl specification lower-cases golang purls, which module paths do not
// survive: github.com/BurntSushi/toml and github.com/burntsushi/toml are
// different modules to the Go command and to every module proxy. This package
// therefore keeps the case of golang namespaces and names as written, in what it
// parses and in what it makes. [Key] gives the specification's lower-cased form:
// compare with Key, fetch and print with the rest.
package purl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/package-url/packageurl-go"
)

// PURL is a parsed package URL.
type PURL = packageurl.PackageURL

// The types packages can be fetched for.
const (
	TypeGolang = "golang"
	TypeNPM    = "npm"
)

// TypeSwift is that of packages of SwiftPM: host, owner and name of a repository.
const TypeSwift = "swift"

// keepCase stands in for golang while parsing: the library lower-cases golang
// and leaves generic alone, and treats them alike in every other respect.
const keepCase = "generic"

// maxLen bounds what is parsed; the longest module path and version a proxy
// takes are far shorter.
const maxLen = 4096

// SyntaxError says that a string is no package URL.
type SyntaxError struct {
	PURL string
	Err  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("parse package URL %q: %v", e.PURL, e.Err) }
func (e *SyntaxError) Unwrap() error { return e.Err }

// UnsupportedTypeError says that packages of a type cannot be fetched.
type UnsupportedTypeError struct {
	PURL      string
	Type      string
	Supported []string
}

func (e *UnsupportedTypeError) Error() string {
	return fmt.Sprintf("fetch %q: package type %q is not supported (supported: %s)",
		e.PURL, e.Type, strings.Join(e.Supported, ", "))
}

// Is reports whether s looks like a package URL and is meant as one.
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

// golangRest returns what follows the type of a golang package URL.
func golangRest(s string) (string, bool) {
	if !Is(s) {
		return "", false
	}
	typ, rest, ok := strings.Cut(strings.TrimLeft(s[4:], "/"), "/")
	return rest, ok && strings.EqualFold(typ, TypeGolang)
}

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

// Golang returns the package URL of a Go module, version "" when unknown. The
// standard library is the module "std", its version without the leading "go".
func Golang(module, version string) string { return Make(TypeGolang, module, version) }

// NPM returns the package URL of an npm package, "@scope/name" or "name".
func NPM(name, version string) string { return Make(TypeNPM, name, version) }

// Make returns the package URL of a package whose name holds its namespace in
// front of the last slash.
func Make(typ, name, version string) string {
	p := PURL{Type: typ, Name: name, Version: version}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		p.Namespace, p.Name = name[:i], name[i+1:]
	}
	return p.ToString()
}

// FullName returns p's namespace and name joined: a module path, an npm name.
func FullName(p PURL) string {
	if p.Namespace == "" {
		return p.Name
	}
	return p.Namespace + "/" + p.Name
}

// Name returns s without version, qualifiers and subpath; s itself when it is no
// package URL.
func Name(s string) string {
	p, err := Parse(s)
	if err != nil {
		return s
	}
	return Make(p.Type, FullName(p), "")
}

// Key returns the form of Name under which spellings of one package are equal:
// the specification's, golang and swift lower-cased.
func Key(s string) string {
	name := Name(s)
	if _, ok := golangRest(name); ok || strings.HasPrefix(name, swiftPrefix) {
		return strings.ToLower(name)
	}
	return name
}

// swiftPrefix begins package URLs of SwiftPM, whose names are addresses of repositories: on forges, letters of either case are the
// same.
const swiftPrefix = "pkg:swift/"

// Hosts are those of the types that name repositories.
var Hosts = map[string]string{"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org"}

// forges are hosts whose first path element is who owns a module.
var forges = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com", "sr.ht", "git.sr.ht", "gopkg.in"}

// Owner returns who publishes s, as far as its name tells: its namespace, of a
// module on a forge the account, else the package itself. A scope of npm that has the
// name of a package is that package's, as @babel is of those who publish babel.
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

// Shared tells whether an owner is a host on which everybody publishes, for want of
// an account in the name, or a distribution, which packs what others wrote.
func Shared(owner string) bool {
	typ, host, _ := strings.Cut(owner, "/")
	return typ == "pkg:deb" || slices.Contains(forges, host)
}

// Version returns the version of s, "" when it has none or is no package URL.
func Version(s string) string {
	p, err := Parse(s)
	if err != nil {
		return ""
	}
	return p.Version
}

// Web returns the page where people read about the package, "" when none is known.
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
