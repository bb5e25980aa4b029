// Package manifest reads the files in which a package of an ecosystem describes itself: package.json, Cargo.toml, PKG-INFO,
// pom.properties, a gem's specification, the folder debian. It returns a name, a declared licence, a date and a repository, as far as
// the files tell. Text that names no package gives the zero Meta; no input is an error.
//
//	manifest.go    Meta; Cargo.toml, PKG-INFO
//	npm.go, gemspec.go, debian.go, xml.go  package.json; specifications of gems; Debian's folder; poms and nuspecs
//	records.go     modules.txt, installed.json: what a package manager installed
//	needs.go       manifests that need no package
package manifest

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Meta is the description of a package in its metadata.
type Meta struct {
	PURL     string
	License  string
	Released time.Time

	Repository string // address of its repository, without a password
}

// Valid returns m with its package URL in canonical form. If the package URL is invalid, it returns the zero Meta.
func (m Meta) Valid() Meta {
	c, err := purl.Canonical(m.PURL)
	if err != nil {
		return Meta{}
	}
	m.PURL = c
	return m
}

// Cargo reads the table [package] of a Cargo.toml in the form that Cargo writes into crates: one key and value per line.
func Cargo(data []byte) Meta {
	fields := map[string]string{}
	table := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = line
		}
		key, value, ok := strings.Cut(line, "=")
		if table == "[package]" && ok {
			fields[strings.TrimSpace(key)] = tomlString(strings.TrimSpace(value))
		}
	}
	if fields["name"] == "" || fields["version"] == "" {
		return Meta{}
	}
	return Meta{PURL: purl.Make("cargo", fields["name"], fields["version"]), License: fields["license"], Repository: Root(Address(fields["repository"]))}
}

// tomlString returns a plain basic or literal string, and "" for any other value.
func tomlString(s string) string {
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || strings.Contains(s, `\`) {
		return ""
	}
	value, _, ok := strings.Cut(s[1:], s[:1])
	if !ok {
		return ""
	}
	return value
}

// pythonLabels lists PyPI's labels of addresses: those of the source, then those of the project. Addresses with other labels
// come last. Case and word separators are ignored.
var pythonLabels = [][]string{
	{"source", "repository", "sourcecode", "github", "gitlab", "code", "git", "sources", "scm"},
	{"homepage", "home"},
}

// pythonRepository returns the repository on a forge in a header of PKG-INFO, and its rank; the lowest rank is the most
// reliable.
func pythonRepository(key, value string) (addr string, rank int) {
	label := "homepage"
	switch key {
	case "Home-page":
	case "Project-URL":
		label, value, _ = strings.Cut(value, ",")
	default:
		return "", 0
	}
	label = strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_.", r) {
			return -1
		}
		return r
	}, label))
	if addr = ofForge(value); addr == "" {
		return "", 0
	}
	rank = slices.IndexFunc(pythonLabels, func(l []string) bool { return slices.Contains(l, label) })
	if rank < 0 {
		rank = len(pythonLabels)
	}
	return addr, rank
}

// Python reads the headers of PKG-INFO or METADATA.
func Python(data []byte) Meta {
	fields, repository, surest := map[string]string{}, "", len(pythonLabels)+1
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		key, value, ok := strings.Cut(line, ": ")
		if addr, rank := pythonRepository(key, value); addr != "" && rank < surest {
			repository, surest = addr, rank
		}
		if ok && fields[key] == "" && line[0] != ' ' && line[0] != '\t' {
			fields[key] = strings.TrimSpace(value)
		}
	}
	name, version := fields["Name"], fields["Version"]
	if name == "" || version == "" || strings.Contains(name, "/") {
		return Meta{}
	}
	// PyPI ignores case and treats "-" and "_" as equal.
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	m := Meta{PURL: purl.Make("pypi", name, version), License: fields["License-Expression"], Repository: repository}
	if m.License == "" && fields["License"] != "UNKNOWN" {
		m.License = fields["License"]
	}
	return m
}

// Maven reads a pom.properties.
func Maven(data []byte) Meta {
	fields := map[string]string{}
	s := bufio.NewScanner(bytes.NewReader(data))
	for s.Scan() {
		if key, value, ok := strings.Cut(strings.TrimSpace(s.Text()), "="); ok && key[:min(1, len(key))] != "#" {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	g, a, v := fields["groupId"], fields["artifactId"], fields["version"]
	if g == "" || a == "" || v == "" {
		return Meta{}
	}
	return Meta{PURL: purl.Make("maven", g+"/"+a, v)}
}

// gemSpec has the parts of a gem's specification that are read.
type gemSpec struct {
	Name     string
	Version  struct{ Version string }
	Platform string
	Date     string
	Licenses []string
}

// Gem reads the specification in a gem.
func Gem(data []byte) Meta {
	var s gemSpec
	if bounded.YAML(data, &s) != nil || s.Name == "" || s.Version.Version == "" {
		return Meta{}
	}
	m := Meta{PURL: purl.Make("gem", s.Name, s.Version.Version), License: strings.Join(s.Licenses, " OR ")}
	if len(s.Date) >= 10 {
		m.Released, _ = time.Parse(time.DateOnly, s.Date[:10])
	}
	return m
}
