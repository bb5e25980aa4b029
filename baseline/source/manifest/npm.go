package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// NPMDocument has the parts of package.json and of registry documents that are read.
type NPMDocument struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	License  json.RawMessage `json:"license"`
	Licenses json.RawMessage `json:"licenses"`

	Repository json.RawMessage `json:"repository"` // an address, or an object with an address
}

// NPM reads a package.json. It returns the zero Meta if data names no package.
func NPM(data []byte) Meta {
	var m NPMDocument
	if json.Unmarshal(data, &m) != nil || !ValidNPMName(m.Name) {
		return Meta{}
	}
	return Meta{PURL: purl.NPM(m.Name, m.Version), License: m.Declared(), Repository: m.Address()}.Valid()
}

// Declared returns the declared licence: the field "license" as a string or an object with a type, or npm's former field
// "licenses", which is a choice.
func (m NPMDocument) Declared() string {
	for _, raw := range []json.RawMessage{m.License, m.Licenses} {
		if names := licenseNames(raw); len(names) == 1 {
			return names[0]
		} else if len(names) > 1 {
			return "(" + strings.Join(names, " OR ") + ")"
		}
	}
	return ""
}

// Address returns the declared address of the package's repository, or "".
func (m NPMDocument) Address() string {
	var addr string
	if json.Unmarshal(m.Repository, &addr) != nil {
		var long struct{ URL string }
		if json.Unmarshal(m.Repository, &long) != nil {
			return ""
		}
		addr = long.URL
	}
	return Address(addr)
}

func licenseNames(raw json.RawMessage) []string {
	var s string
	var object struct{ Type string }
	var list []json.RawMessage
	switch {
	case len(raw) == 0:
	case json.Unmarshal(raw, &s) == nil:
		return nonEmpty(s)
	case json.Unmarshal(raw, &list) == nil:
		var names []string
		for _, r := range list[:min(len(list), 16)] {
			if len(r) > 0 && r[0] != '[' {
				names = append(names, licenseNames(r)...)
			}
		}
		return names
	case json.Unmarshal(raw, &object) == nil:
		return nonEmpty(object.Type)
	}
	return nil
}

func nonEmpty(s string) []string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return []string{s}
}

// ValidNPMName accepts "name" and "@scope/name" with the characters that npm allows or once allowed. Above all it refuses names
// that change the meaning of a path.
func ValidNPMName(name string) bool {
	rest, scoped := strings.CutPrefix(name, "@")
	if scoped {
		scope, n, ok := strings.Cut(rest, "/")
		return ok && validNPMPart(scope) && validNPMPart(n)
	}
	return validNPMPart(name)
}

func validNPMPart(s string) bool {
	return s != "" && len(s) <= 214 && s[0] != '.' && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`/\@%?#&:"<>|`, r)
	})
}

// Address reads the notations of repositories in manifests: owner/name, github:owner/name, git+https://…, git://…,
// git@github.com:owner/name. It returns "" for text that is not an address, is too long, or has a password.
func Address(s string) string {
	s = address(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(s, "https://"); !ok || len(s) > maxAddress || strings.ContainsFunc(rest, unfit) {
		return ""
	}
	return s
}

const maxAddress = 512

// unfit reports whether a character is not allowed in the address of a repository.
func unfit(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`@"<>\\`, r) }

func address(s string) string {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "git+"), "#")
	for short, host := range purl.Hosts {
		if rest, ok := strings.CutPrefix(s, short+":"); ok {
			return "https://" + host + "/" + rest
		}
	}
	for _, from := range []string{"git://", "http://", "https://git@"} {
		if rest, ok := strings.CutPrefix(s, from); ok {
			return "https://" + rest
		}
	}
	if strings.HasPrefix(s, "ssh://") || strings.HasPrefix(s, "git@") { // drop SSH's user and port
		host, name, ok := purl.Repository(s)
		if !ok {
			return ""
		}
		if strings.HasSuffix(s, ".git") {
			name += ".git"
		}
		return "https://" + host + "/" + name
	}
	if strings.Count(s, "/") == 1 && !strings.Contains(s, ":") {
		return "https://github.com/" + s
	}
	return s
}

// onForge reports whether a host is a forge, where a path of two or more names is a repository.
func onForge(host string) bool {
	return host == "codeberg.org" || slices.Contains(slices.Collect(maps.Values(purl.Hosts)), host)
}

// ofForge returns the address of the repository that a page on a forge belongs to, or "" for any other page.
func ofForge(page string) string {
	addr := Root(Address(page))
	host, name, _ := strings.Cut(strings.TrimPrefix(addr, "https://"), "/")
	if !onForge(host) || !strings.Contains(name, "/") {
		return ""
	}
	return addr
}

// noAccounts lists first parts of paths on forges that are not accounts.
var noAccounts = []string{"sponsors", "orgs", "users", "marketplace", "features", "topics", "apps", "about", "settings", "groups", "explore"}

// ofPages lists parts of GitLab paths after the repository, needed because GitLab groups can be nested.
var ofPages = []string{"-", "tree", "blob", "raw", "issues", "merge_requests", "releases", "tags", "commits", "wikis"}

// Root reduces the address of a page on a forge, such as a directory or the issues, to its repository. It returns "" for a page
// without a repository. Other addresses stay unchanged.
func Root(addr string) string {
	host, name, _ := strings.Cut(strings.TrimPrefix(addr, "https://"), "/")
	host = strings.TrimPrefix(host, "www.")
	if !onForge(host) {
		return addr
	}
	name, _, _ = strings.Cut(name, "?")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' })
	if len(parts) < 2 || slices.Contains(noAccounts, parts[0]) || slices.ContainsFunc(parts, func(p string) bool { return p == "." || p == ".." }) {
		return ""
	}
	end := 2
	for host == purl.Hosts["gitlab"] && end < len(parts) && !slices.Contains(ofPages, parts[end]) {
		end++
	}
	return "https://" + host + "/" + strings.Join(parts[:end], "/")
}
