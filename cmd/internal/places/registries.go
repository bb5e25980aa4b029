package places

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"

	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Registries returns the registries that the tools of the ecosystems are configured
// to use, the public ones where nothing is.
func (e Env) Registries() remote.Registries {
	r := remote.Defaults()
	r.Indexes = &remote.Indexes{}
	set(&r.PyPI, e.pip())
	set(&r.Cargo, e.crates())
	set(&r.RubyGems, e.rubyGems())
	set(&r.Composer, e.packagist())
	set(&r.NuGet, e.nuget())
	if mirror := e.mavenMirror(); web(mirror) {
		r.Maven = []string{mirror}
	}
	if suites := aptSuites(e.Apt); suites != nil {
		r.Debian = suites
	}
	return r
}

// set replaces an address by one that is configured.
func set(to *string, addr string) {
	if web(addr) {
		*to = addr
	}
}

func web(addr string) bool {
	return strings.HasPrefix(addr, "https://") || strings.HasPrefix(addr, "http://")
}

// firstFile returns the first of some files that can be read.
func firstFile(names ...string) []byte {
	for _, n := range names {
		if !filepath.IsAbs(n) {
			continue
		}
		if data, err := files.ReadSmall(n); err == nil {
			return data
		}
	}
	return nil
}

// pip reads PIP_INDEX_URL, else index-url of pip's configuration.
func (e Env) pip() string {
	if addr := e.Getenv("PIP_INDEX_URL"); addr != "" {
		return addr
	}
	data := firstFile(e.Getenv("PIP_CONFIG_FILE"), e.Getenv("VIRTUAL_ENV")+"/pip.conf", e.below(".config", "pip", "pip.conf"), e.below(".pip", "pip.conf"), "/etc/pip.conf")
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(line, "=")
		if k := strings.TrimSpace(key); ok && (k == "index-url" || k == "index_url") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// crates reads what Cargo's configuration replaces crates.io with: a sparse index.
func (e Env) crates() string {
	home := e.Getenv("CARGO_HOME")
	if home == "" {
		home = e.below(".cargo")
	}
	var c struct {
		Source map[string]struct {
			ReplaceWith string `toml:"replace-with"`
			Registry    string
		}
		Registries map[string]struct{ Index string }
	}
	data := firstFile(filepath.Join(home, "config.toml"), filepath.Join(home, "config"))
	if _, err := toml.Decode(string(data), &c); err != nil {
		return ""
	}
	name := c.Source["crates-io"].ReplaceWith
	addr := c.Source[name].Registry
	if addr == "" {
		addr = c.Registries[name].Index
	}
	addr, sparse := strings.CutPrefix(addr, "sparse+")
	if !sparse {
		return ""
	}
	return addr
}

func (e Env) rubyGems() string {
	var c struct {
		Sources []string `yaml:":sources"`
	}
	if yaml.Unmarshal(firstFile(e.below(".gemrc"), e.below(".config", "gem", "gemrc"), "/etc/gemrc"), &c) != nil || len(c.Sources) == 0 {
		return ""
	}
	return strings.TrimRight(c.Sources[0], "/")
}

// packagist reads the first repository of type composer in Composer's configuration.
func (e Env) packagist() string {
	type repository struct{ Type, URL string }
	var c struct{ Repositories json.RawMessage }
	data := firstFile(filepath.Join(e.Getenv("COMPOSER_HOME"), "config.json"), e.below(".config", "composer", "config.json"), e.below(".composer", "config.json"))
	if json.Unmarshal(data, &c) != nil {
		return ""
	}
	var list []repository
	var named map[string]json.RawMessage // some are false
	if json.Unmarshal(c.Repositories, &list) != nil && json.Unmarshal(c.Repositories, &named) == nil {
		for _, raw := range named {
			var r repository
			if json.Unmarshal(raw, &r) == nil {
				list = append(list, r)
			}
		}
		slices.SortFunc(list, func(a, b repository) int { return strings.Compare(a.URL, b.URL) })
	}
	for _, r := range list {
		if r.Type == "composer" {
			return r.URL
		}
	}
	return ""
}

// nuget reads the first package source of the web.
func (e Env) nuget() string {
	var c struct {
		Sources []struct {
			Value string `xml:"value,attr"`
		} `xml:"packageSources>add"`
	}
	if xml.Unmarshal(firstFile(e.below(".nuget", "NuGet", "NuGet.Config"), e.below(".config", "NuGet", "NuGet.Config")), &c) != nil {
		return ""
	}
	for _, s := range c.Sources {
		if web(s.Value) {
			return s.Value
		}
	}
	return ""
}

// mavenMirror reads the mirror of everything, or of Maven Central, in settings.xml.
func (e Env) mavenMirror() string {
	var c struct {
		Mirrors []struct {
			URL string `xml:"url"`
			Of  string `xml:"mirrorOf"`
		} `xml:"mirrors>mirror"`
	}
	if xml.Unmarshal(firstFile(e.below(".m2", "settings.xml")), &c) != nil {
		return ""
	}
	for _, m := range c.Mirrors {
		of := strings.Split(strings.ReplaceAll(m.Of, " ", ""), ",")
		if slices.Contains(of, "*") || slices.Contains(of, "central") || slices.Contains(of, "external:*") {
			return strings.TrimSpace(m.URL)
		}
	}
	return ""
}

// aptSuites reads the archives that apt is configured for, below its directory.
func aptSuites(dir string) []remote.Suite {
	if dir == "" {
		return nil
	}
	list := []string{filepath.Join(dir, "sources.list")}
	es, _ := os.ReadDir(filepath.Join(dir, "sources.list.d"))
	for _, e := range es {
		list = append(list, filepath.Join(dir, "sources.list.d", e.Name()))
	}
	var out []remote.Suite
	for _, name := range list {
		data, err := files.ReadSmall(name)
		switch {
		case err != nil:
		case strings.HasSuffix(name, ".list"):
			out = appendLines(out, string(data))
		case strings.HasSuffix(name, ".sources"):
			out = appendStanzas(out, string(data))
		}
	}
	return out
}

// appendLines reads lines "deb [options] ADDRESS SUITE COMPONENT…".
func appendLines(out []remote.Suite, text string) []remote.Suite {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if i, j := strings.IndexByte(line, '['), strings.IndexByte(line, ']'); i >= 0 && j > i {
			line = line[:i] + line[j+1:]
		}
		f := strings.Fields(line)
		if len(f) >= 4 && (f[0] == "deb" || f[0] == "deb-src") {
			out = appendSuite(out, f[1], f[2], f[3:])
		}
	}
	return out
}

// appendStanzas reads paragraphs with the fields URIs, Suites and Components.
func appendStanzas(out []remote.Suite, text string) []remote.Suite {
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		fields := map[string][]string{}
		for line := range strings.Lines(paragraph) {
			key, value, ok := strings.Cut(line, ":")
			if ok && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, " ") {
				fields[strings.ToLower(key)] = strings.Fields(value)
			}
		}
		for _, addr := range fields["uris"] {
			for _, suite := range fields["suites"] {
				out = appendSuite(out, addr, suite, fields["components"])
			}
		}
	}
	return out
}

// appendSuite adds a suite once. A suite that ends in a slash is a flat directory.
func appendSuite(out []remote.Suite, addr, suite string, components []string) []remote.Suite {
	if !web(addr) || strings.HasSuffix(suite, "/") || len(components) == 0 {
		return out
	}
	s := remote.Suite{Archive: strings.TrimRight(addr, "/"), Name: suite, Components: components}
	if slices.ContainsFunc(out, func(o remote.Suite) bool { return o.Archive == s.Archive && o.Name == s.Name }) {
		return out
	}
	return append(out, s)
}
