package places

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Credentials returns the credentials for registries that the tools of the ecosystems have. It reads only files of the
// user and the machine. Files in a repository may come from anybody, and could send a variable of the environment to
// any host.
func (e Env) Credentials() remote.Credentials {
	var out remote.Credentials
	for _, c := range slices.Concat(e.netrc(), e.npmCredentials(), e.cargoTokens(), e.bundleCredentials(), e.composerAuth(), e.nugetCredentials(), e.mavenCredentials(), e.githubTokens()) {
		if c != (remote.Credential{}) {
			out = append(out, c)
		}
	}
	return out
}

// netrc reads NETRC, else .netrc, which the Go command, pip and others use. It also reads apt's files of the same form,
// in which a machine can have a path.
func (e Env) netrc() (out remote.Credentials) {
	texts := [][]byte{firstFile(e.Getenv("NETRC"), e.below(".netrc"), e.below("_netrc"))}
	if e.Apt != "" {
		texts = append(texts, firstFile(filepath.Join(e.Apt, "auth.conf")))
		es, _ := os.ReadDir(filepath.Join(e.Apt, "auth.conf.d"))
		for _, f := range es {
			texts = append(texts, firstFile(filepath.Join(e.Apt, "auth.conf.d", f.Name())))
		}
	}
	for _, text := range texts {
		out = append(out, machines(string(text))...)
	}
	return out
}

// machines reads entries "machine HOST login NAME password SECRET". It omits the default entry, which would go to any
// host.
func machines(text string) (out remote.Credentials) {
	text = macro().ReplaceAllString(text, "\n")
	text = comment().ReplaceAllString(text, "")
	var host, login string
	f := strings.Fields(text)
	for i := 0; i < len(f); i++ {
		if f[i] == "default" {
			host = ""
			continue
		}
		if i+1 == len(f) {
			break
		}
		switch f[i] {
		case "machine":
			host, login = f[i+1], ""
		case "login":
			login = f[i+1]
		case "password":
			if host != "" {
				out = append(out, remote.Basic(host, login, f[i+1]))
			}
		case "account":
		default:
			continue
		}
		i++
	}
	return out
}

var (
	macro   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?ms)^macdef .*?(?:\n\n|\z)`) })
	comment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*#.*$`) })
)

// npmrc reads the user's .npmrc, then the machine's: lines "key = value", in which ${NAME} refers to a variable. The
// first value of a key counts.
func (e Env) npmrc() map[string]string {
	out := map[string]string{}
	user := cmp.Or(e.Getenv("NPM_CONFIG_USERCONFIG"), e.Getenv("npm_config_userconfig"), e.below(".npmrc"))
	for _, name := range []string{user, cmp.Or(e.Getenv("NPM_CONFIG_GLOBALCONFIG"), e.Getenv("npm_config_globalconfig"), "/usr/local/etc/npmrc"), "/etc/npmrc"} {
		for line := range strings.Lines(string(firstFile(name))) {
			key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
			if _, known := out[strings.TrimSpace(key)]; !ok || known || strings.HasPrefix(key, ";") || strings.HasPrefix(key, "#") {
				continue
			}
			value = strings.Trim(strings.TrimSpace(value), `"`)
			out[strings.TrimSpace(key)] = variable().ReplaceAllStringFunc(value, func(v string) string { return e.Getenv(v[2 : len(v)-1]) })
		}
	}
	return out
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{[A-Za-z0-9_]+\}`) })

// NPM returns the registry that npm is configured for ("" for the public one), and those of scopes.
func (e Env) NPM() (registry string, scopes map[string]string) {
	scopes = map[string]string{}
	rc := e.npmrc()
	for key, value := range rc {
		if scope, ok := strings.CutSuffix(key, ":registry"); ok && strings.HasPrefix(scope, "@") && web(value) {
			scopes[scope] = value
		}
	}
	registry = cmp.Or(e.Getenv("npm_config_registry"), e.Getenv("NPM_CONFIG_REGISTRY"))
	if registry == "" && web(rc["registry"]) {
		registry = rc["registry"]
	}
	return registry, scopes
}

// npmCredentials reads keys of the form "//HOST/PATH/:_authToken".
func (e Env) npmCredentials() (out remote.Credentials) {
	rc := e.npmrc()
	for key, value := range rc {
		at, kind, ok := strings.Cut(key, "/:")
		if !ok || !strings.HasPrefix(at, "//") || value == "" {
			continue
		}
		switch kind {
		case "_authToken":
			out = append(out, remote.Bearer(at, value))
		case "_auth":
			out = append(out, remote.Header(at, "Authorization", "Basic "+value))
		case "_password":
			if password, err := base64.StdEncoding.DecodeString(value); err == nil {
				out = append(out, remote.Basic(at, rc[at+"/:username"], string(password)))
			}
		}
	}
	return out
}

// cargoTokens reads the tokens of registries. It omits crates.io, whose token is for publishing. A token goes to the
// host of the registry's index.
func (e Env) cargoTokens() (out remote.Credentials) {
	type registry struct{ Index, Token string }
	all := map[string]registry{}
	for _, name := range []string{"config", "config.toml", "credentials", "credentials.toml"} {
		var c struct{ Registries map[string]registry }
		_, _ = toml.Decode(string(firstFile(filepath.Join(e.cargoHome(), name))), &c) // an unreadable file configures nothing
		for name, r := range c.Registries {
			all[name] = registry{cmp.Or(r.Index, all[name].Index), cmp.Or(r.Token, all[name].Token)}
		}
	}
	for name, r := range all {
		index := cmp.Or(e.Getenv("CARGO_REGISTRIES_"+variableName(name)+"_INDEX"), r.Index)
		token := cmp.Or(e.Getenv("CARGO_REGISTRIES_"+variableName(name)+"_TOKEN"), r.Token)
		if addr, sparse := strings.CutPrefix(index, "sparse+"); sparse && token != "" && web(addr) {
			out = append(out, remote.Header(addr, "Authorization", token))
		}
	}
	return out
}

// variableName converts a name to the form of variables.
func variableName(s string) string { return strings.ToUpper(strings.ReplaceAll(s, "-", "_")) }

// bundleCredentials reads Bundler's settings BUNDLE_HOST from a file and the environment: NAME:PASSWORD for a host, in
// whose name "__" is a dot.
func (e Env) bundleCredentials() (out remote.Credentials) {
	for key, value := range e.bundle() {
		name, _ := strings.CutPrefix(key, "BUNDLE_")
		host := strings.ToLower(strings.NewReplacer("___", "-", "__", ".").Replace(name))
		login, password, _ := strings.Cut(value, ":")
		if strings.Contains(host, ".") && !strings.Contains(name, ":") && !strings.Contains(value, "/") && login != "" {
			out = append(out, remote.Basic(host, unescaped(login), unescaped(password)))
		}
	}
	return out
}

// bundle returns the settings of Bundler's own file.
func (e Env) bundle() map[string]string {
	var raw map[string]any
	if yaml.Unmarshal(firstFile(filepath.Join(e.Getenv("BUNDLE_USER_HOME"), "config"), e.Getenv("BUNDLE_USER_CONFIG"), e.below(".bundle", "config")), &raw) != nil {
		return nil
	}
	out := map[string]string{}
	for k, v := range raw {
		if s, ok := v.(string); ok {
			out[k] = s
		}
	}
	return out
}

func unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// composerAuth reads COMPOSER_AUTH and auth.json.
func (e Env) composerAuth() (out remote.Credentials) {
	files := [][]byte{[]byte(e.Getenv("COMPOSER_AUTH")), firstFile(filepath.Join(e.Getenv("COMPOSER_HOME"), "auth.json"), e.below(".config", "composer", "auth.json"), e.below(".composer", "auth.json"))}
	for _, data := range files {
		var a struct {
			Basic  map[string]struct{ Username, Password string } `json:"http-basic"`
			Bearer map[string]string
			GitHub map[string]string          `json:"github-oauth"`
			GitLab map[string]json.RawMessage `json:"gitlab-token"`
			OAuth  map[string]json.RawMessage `json:"gitlab-oauth"`
		}
		_ = json.Unmarshal(data, &a) // an unreadable file configures nothing
		for host, c := range a.Basic {
			out = append(out, remote.Basic(host, c.Username, c.Password))
		}
		for host, token := range a.Bearer {
			out = append(out, remote.Bearer(host, token))
		}
		for host, token := range a.GitHub {
			out = append(out, remote.Bearer("api."+host, token), remote.Bearer("codeload."+host, token))
		}
		for host, raw := range a.GitLab {
			out = append(out, remote.Header(host, "Private-Token", tokenOf(raw)))
		}
		for host, raw := range a.OAuth {
			out = append(out, remote.Bearer(host, tokenOf(raw)))
		}
	}
	return out
}

// tokenOf returns a token that is given directly or in an object.
func tokenOf(raw json.RawMessage) (token string) {
	var long struct{ Token string }
	if json.Unmarshal(raw, &token) != nil && json.Unmarshal(raw, &long) == nil {
		token = long.Token
	}
	return token
}

// nugetCredentials reads clear-text passwords of package sources. Encrypted passwords can only be read on Windows, by
// the user who wrote them.
func (e Env) nugetCredentials() (out remote.Credentials) {
	type add struct {
		Key   string `xml:"key,attr"`
		Value string `xml:"value,attr"`
	}
	var c struct {
		Sources     []add `xml:"packageSources>add"`
		Credentials struct {
			Of []struct {
				XMLName xml.Name
				Add     []add `xml:"add"`
			} `xml:",any"`
		} `xml:"packageSourceCredentials"`
	}
	_ = xml.Unmarshal(e.nugetConfig(), &c) // an unreadable file configures nothing
	for _, of := range c.Credentials.Of {
		values := map[string]string{}
		for _, a := range of.Add {
			values[a.Key] = e.percent(a.Value)
		}
		name := strings.ReplaceAll(of.XMLName.Local, "_x0020_", " ")
		for _, s := range c.Sources {
			if addr := e.percent(s.Value); s.Key == name && web(addr) && values["ClearTextPassword"] != "" {
				out = append(out, remote.Basic(addr[:strings.LastIndexByte(addr, '/')+1], values["Username"], values["ClearTextPassword"]))
			}
		}
	}
	return out
}

// percent replaces %NAME% by the value of a variable.
func (e Env) percent(s string) string {
	return percented().ReplaceAllStringFunc(s, func(v string) string { return e.Getenv(v[1 : len(v)-1]) })
}

var percented = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[A-Za-z0-9_]+%`) })

// mavenCredentials reads the servers of settings.xml whose id is that of a mirror or a repository. It omits passwords
// in braces, which are encrypted.
func (e Env) mavenCredentials() (out remote.Credentials) {
	s := e.mavenSettings()
	for _, server := range s.Servers {
		if server.Username == "" || strings.HasPrefix(server.Password, "{") {
			continue
		}
		for _, r := range append(s.repositories(), s.Mirrors...) {
			if addr := strings.TrimSpace(r.URL); r.ID == server.ID && web(addr) {
				out = append(out, remote.Basic(addr, server.Username, server.Password))
			}
		}
	}
	return out
}

// githubTokens reads the variables that gh and GitHub's runners use.
func (e Env) githubTokens() remote.Credentials {
	token := cmp.Or(e.Getenv("GH_TOKEN"), e.Getenv("GITHUB_TOKEN"))
	if token == "" {
		return nil
	}
	return remote.Credentials{remote.Bearer("https://api.github.com", token), remote.Bearer("https://codeload.github.com", token)}
}
