package manifest

import (
	"encoding/json"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// NPMDocument is what is read of package.json and of registry documents.
type NPMDocument struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	License  json.RawMessage `json:"license"`
	Licenses json.RawMessage `json:"licenses"`

	Repository json.RawMessage `json:"repository"` // an address, or an object that has it
}

// NPM reads a package.json; the zero meta when it names no package.
func NPM(data []byte) Meta {
	var m NPMDocument
	if json.Unmarshal(data, &m) != nil || !ValidNPMName(m.Name) {
		return Meta{}
	}
	return Meta{PURL: purl.NPM(m.Name, m.Version), License: m.Declared(), Repository: m.Address()}.Valid()
}

// Declared returns the declared licence: the field "license" as a string or an
// object with a type, or the field "licenses" that npm once had, a choice.
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

// Address is where the package says its repository is, "" if it does not.
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

// ValidNPMName accepts "name" and "@scope/name" of the characters that npm takes
// or once took; most of all it refuses what would change the meaning of a path.
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

// Address reads the forms in which manifests name a repository: owner/name,
// github:owner/name, git+https://…, git://…, git@github.com:owner/name. It is "" for
// what is none, is too long, or has a password.
func Address(s string) string {
	s = address(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(s, "https://"); !ok || len(s) > maxAddress || strings.ContainsFunc(rest, unfit) {
		return ""
	}
	return s
}

const maxAddress = 512

// unfit tells of a character that an address of a repository has not got.
func unfit(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`@"<>\\`, r) }

func address(s string) string {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "git+"), "#")
	for short, host := range purl.Hosts {
		if rest, ok := strings.CutPrefix(s, short+":"); ok {
			return "https://" + host + "/" + rest
		}
	}
	for _, from := range []string{"git://", "http://", "ssh://git@", "https://git@"} {
		if rest, ok := strings.CutPrefix(s, from); ok {
			return "https://" + rest
		}
	}
	if rest, ok := strings.CutPrefix(s, "git@"); ok {
		host, name, _ := strings.Cut(rest, ":")
		return "https://" + host + "/" + name
	}
	if strings.Count(s, "/") == 1 && !strings.Contains(s, ":") {
		return "https://github.com/" + s
	}
	return s
}
