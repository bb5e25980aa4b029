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
}

// NPM reads a package.json; the zero meta when it names no package.
func NPM(data []byte) Meta {
	var m NPMDocument
	if json.Unmarshal(data, &m) != nil || !ValidNPMName(m.Name) {
		return Meta{}
	}
	return Meta{PURL: purl.NPM(m.Name, m.Version), License: m.Declared()}.Valid()
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
