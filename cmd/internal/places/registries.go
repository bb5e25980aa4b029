package places

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"

	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Registries returns the registries that the tools of the ecosystems are configured to use, by default the public ones.
func (e Env) Registries() remote.Registries {
	r := remote.Defaults()
	r.Indexes = &remote.Indexes{}
	first, further := e.pip()
	set(&r.PyPI, first)
	r.PyPIExtra = further
	set(&r.Cargo, e.crates())
	set(&r.RubyGems, e.rubyGems())
	set(&r.Composer, e.packagist())
	set(&r.NuGet, e.nuget())
	r.Maven = e.mavenSettings().instead(r.Maven)
	if suites := aptSuites(e.Apt); suites != nil {
		r.Debian = suites
	}
	return r
}

// set replaces an address by a configured one.
func set(to *string, addr string) {
	if web(addr) {
		*to = addr
	}
}

func web(addr string) bool {
	return strings.HasPrefix(addr, "https://") || strings.HasPrefix(addr, "http://")
}

// firstFile returns the content of the first file that can be read.
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

// pip reads PIP_INDEX_URL and PIP_EXTRA_INDEX_URL, else pip's configuration. If there are several files, it uses the
// one that pip reads last.
func (e Env) pip() (first string, further []string) {
	keys := map[string]string{"index-url": e.Getenv("PIP_INDEX_URL"), "extra-index-url": e.Getenv("PIP_EXTRA_INDEX_URL")}
	for _, name := range []string{e.Getenv("PIP_CONFIG_FILE"), e.Getenv("VIRTUAL_ENV") + "/pip.conf", e.below(".config", "pip", "pip.conf"), e.below(".pip", "pip.conf"), "/etc/xdg/pip/pip.conf", "/etc/pip.conf"} {
		for key, value := range settings(string(firstFile(name))) {
			keys[key] = cmp.Or(keys[key], value)
		}
	}
	for _, addr := range strings.Fields(keys["extra-index-url"]) {
		if web(addr) {
			further = append(further, addr)
		}
	}
	return keys["index-url"], further
}

// settings reads lines "key = value" of the sections that concern all of pip, or downloads. A line that begins with a
// blank continues the value.
func settings(text string) map[string]string {
	out := map[string]string{}
	section, key := "", ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		name, value, ok := strings.Cut(trimmed, "=")
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case trimmed[0] == '[':
			section, key = strings.Trim(trimmed, "[]"), ""
		case section != "global" && section != "install" && section != "download":
		case line[0] == ' ' || line[0] == '\t':
			out[key] += " " + trimmed
		case ok:
			key = strings.ReplaceAll(strings.TrimSpace(name), "_", "-")
			out[key] = strings.TrimSpace(value)
		}
	}
	return out
}

func (e Env) cargoHome() string { return cmp.Or(e.Getenv("CARGO_HOME"), e.below(".cargo")) }

// crates reads the replacement of crates.io in Cargo's configuration: a sparse index. A replacement can be replaced by
// another one.
func (e Env) crates() string {
	var c struct {
		Source map[string]struct {
			ReplaceWith string `toml:"replace-with"`
			Registry    string
		}
		Registries map[string]struct{ Index string }
	}
	data := firstFile(filepath.Join(e.cargoHome(), "config.toml"), filepath.Join(e.cargoHome(), "config"))
	if _, err := toml.Decode(string(data), &c); err != nil {
		return ""
	}
	name := cmp.Or(e.Getenv("CARGO_SOURCE_CRATES_IO_REPLACE_WITH"), c.Source["crates-io"].ReplaceWith)
	for range len(c.Source) {
		if next := c.Source[name].ReplaceWith; next != "" {
			name = next
		}
	}
	addr := cmp.Or(c.Source[name].Registry, e.Getenv("CARGO_REGISTRIES_"+variableName(name)+"_INDEX"), c.Registries[name].Index)
	addr, sparse := strings.CutPrefix(addr, "sparse+")
	if !sparse {
		return ""
	}
	return addr
}

// rubyGems reads Bundler's mirror of rubygems.org, else the first source of gem.
func (e Env) rubyGems() string {
	for key, value := range e.bundle() {
		name, mirror := strings.CutPrefix(key, "BUNDLE_MIRROR__")
		host := strings.ToLower(strings.Trim(strings.ReplaceAll(name, "__", "."), "/."))
		if mirror && (host == "all" || host == "https://rubygems.org") && web(value) {
			return strings.TrimRight(value, "/")
		}
	}
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

func (e Env) nugetConfig() []byte {
	return firstFile(e.below(".nuget", "NuGet", "NuGet.Config"), e.below(".config", "NuGet", "NuGet.Config"))
}

// nuget reads the first package source with a web address that is not disabled.
func (e Env) nuget() string {
	type add struct {
		Key   string `xml:"key,attr"`
		Value string `xml:"value,attr"`
	}
	var c struct {
		Sources  []add `xml:"packageSources>add"`
		Disabled []add `xml:"disabledPackageSources>add"`
	}
	if xml.Unmarshal(e.nugetConfig(), &c) != nil {
		return ""
	}
	for _, s := range c.Sources {
		off := slices.ContainsFunc(c.Disabled, func(d add) bool { return d.Key == s.Key && d.Value == "true" })
		if addr := e.percent(s.Value); web(addr) && !off {
			return addr
		}
	}
	return ""
}

// mavenRepository is a repository or a mirror of settings.xml.
type mavenRepository struct {
	ID  string `xml:"id"`
	URL string `xml:"url"`
	Of  string `xml:"mirrorOf"`
}

// mavenSettings is the part of settings.xml that is read.
type mavenSettings struct {
	Mirrors  []mavenRepository `xml:"mirrors>mirror"`
	Servers  []mavenServer     `xml:"servers>server"`
	Active   []string          `xml:"activeProfiles>activeProfile"`
	Profiles []struct {
		ID           string            `xml:"id"`
		Default      bool              `xml:"activation>activeByDefault"`
		Repositories []mavenRepository `xml:"repositories>repository"`
	} `xml:"profiles>profile"`
}

type mavenServer struct {
	ID       string `xml:"id"`
	Username string `xml:"username"`
	Password string `xml:"password"`
}

// mavenSettings reads the user's settings.xml, in which ${env.NAME} refers to a variable.
func (e Env) mavenSettings() (s mavenSettings) {
	text := mavenVariable().ReplaceAllFunc(firstFile(e.below(".m2", "settings.xml")), func(v []byte) []byte {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(e.Getenv(string(v[len("${env."):len(v)-1])))) // a buffer never fails
		return b.Bytes()
	})
	if xml.Unmarshal(text, &s) != nil {
		return mavenSettings{}
	}
	return s
}

var mavenVariable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{env\.[A-Za-z0-9_]+\}`) })

// repositories returns the repositories of active profiles.
func (s mavenSettings) repositories() (out []mavenRepository) {
	for _, p := range s.Profiles {
		if p.Default || slices.Contains(s.Active, p.ID) {
			out = append(out, p.Repositories...)
		}
	}
	return out
}

// instead returns the repositories to ask: those of profiles, then Maven Central, each replaced by its mirror if it has
// one.
func (s mavenSettings) instead(central []string) (out []string) {
	list := s.repositories()
	for _, addr := range central {
		list = append(list, mavenRepository{ID: "central", URL: addr})
	}
	for _, r := range list {
		addr := strings.TrimSpace(r.URL)
		if i := slices.IndexFunc(s.Mirrors, func(m mavenRepository) bool { return m.mirrors(r.ID) && web(strings.TrimSpace(m.URL)) }); i >= 0 {
			addr = strings.TrimSpace(s.Mirrors[i].URL)
		}
		if web(addr) && !slices.Contains(out, addr) {
			out = append(out, addr)
		}
	}
	return out
}

// mirrors reports whether a mirror replaces a repository.
func (m mavenRepository) mirrors(id string) bool {
	of := strings.Split(strings.ReplaceAll(m.Of, " ", ""), ",")
	return !slices.Contains(of, "!"+id) && (slices.Contains(of, "*") || slices.Contains(of, id) || slices.Contains(of, "external:*"))
}

// aptSuites reads the archives in apt's configuration directory.
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

// appendSuite adds a suite once. It omits suites that end in a slash: they are flat directories.
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
