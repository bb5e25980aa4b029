package attribution

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Origin is the known data of an origin that statements are compared with.
type Origin struct {
	Type    string   // of its package URL
	Name    string   // namespace and name of its package URL: a module path, an npm name
	Path    string   // of the file in the package
	Holders []string // of the copyright of the file
	Target  []string // repositories of the target, host/owner/name: a link to one of them is not taken for a link to a fork of the origin
}

// ordinary lists package names that are also common words. They name a package only as part of a path.
var ordinary = []string{"util", "utils", "common", "core", "lib", "libs", "main", "src", "test", "tests", "app", "api", "code", "source", "base", "model",
	"client", "server", "tools", "sdk", "data", "list", "sort", "file", "files", "text", "time", "math", "errors", "log", "net", "sys", "std", "go", "js",
	"node", "python", "rust", "java", "linux", "the", "this", "that", "here", "there", "new", "old", "original", "upstream", "standard", "library",
	"package", "project", "version", "implementation", "example", "docs", "config", "types", "parser", "queue", "cache", "json", "yaml", "xml", "http"}

// standard lists names of Go's standard library.
var standard = []string{"standard library", "stdlib", "std lib", "go source", "go's ", "golang", "go standard", "go distribution", "go runtime", "the go project", "goroot", "go team", "go authors"}

// Names reports whether the statement names the package of the origin: by a link or path to it, or by its name in a sentence
// about copying.
func (s Statement) Names(o Origin) bool {
	if s.linksTo(o) {
		return true
	}
	if s.Kind == Title {
		return o.entitles(s.Source)
	}
	return s.Kind != Copyright && s.Kind != License && s.Source != "" && o.spoken(s.Source)
}

// linksTo reports whether the source of the statement, or the statement if it gives none, has a link or path to the origin's package.
func (s Statement) linksTo(o Origin) bool {
	return slices.ContainsFunc(words(cmp.Or(s.Source, s.Text)), func(w string) bool { return o.at(strings.ToLower(strings.TrimRight(w, ".:!?"))) })
}

// Cites reports whether the statement names a repository host/owner/name: by an address, as owner/name, or by its name where the source
// begins. Further on, the name may be an ordinary word.
func (s Statement) Cites(repo string) bool {
	if s.linksTo(Origin{Type: "golang", Name: repo}) {
		return true
	}
	ws := words(strings.ToLower(cmp.Or(s.Source, s.Text)))
	if len(ws) > 1 && ws[0] == "the" {
		ws = ws[1:]
	}
	name := strings.ToLower(short(repo))
	return len(ws) > 0 && !plain(name) && strings.TrimRight(ws[0], ".:!?") == name
}

// at reports whether a link or path leads to the origin's package, to a part of it, or to its repository.
func (o Origin) at(w string) bool {
	if !strings.Contains(w, "/") {
		return false
	}
	if strings.HasPrefix(w, "pkg:") {
		return o.purl(w)
	}
	link, name := location(w), strings.ToLower(o.Name)
	if o.Type == "golang" && name == "std" {
		return o.standardGo(link)
	}
	if project, ok := registry(link); ok {
		return project == name || strings.HasPrefix(project, name+"/")
	}
	link = strings.TrimPrefix(link, "raw.")
	link = strings.Replace(link, "githubusercontent.com/", "github.com/", 1)
	base := unversioned(name)
	if x, ok := strings.CutPrefix(name, "golang.org/x/"); ok && extraGo(link, x) {
		return true
	}
	if strings.Contains(name, "/") && (link == base || strings.HasPrefix(link, base+"/") || strings.HasPrefix(link, base+"@") || within(name, link)) {
		return true
	}
	host, rest, _ := strings.Cut(link, "/")
	parts := strings.Split(rest, "/")
	if hosts[host] != 2 || len(parts) < 2 {
		return o.shorthand(link)
	}
	project := strings.TrimSuffix(parts[1], ".git")
	return project == short(name) && !slices.Contains(ordinary, project) && !slices.Contains(o.Target, host+"/"+parts[0]+"/"+project)
}

// minStem is the least length of a file's name, without its extension, that tells the file from others, in bytes.
const minStem = 8

// within reports whether a package is in the repository that a link leads to.
func within(name, link string) bool {
	return strings.Count(link, "/") >= 2 && strings.HasPrefix(name, link+"/")
}

// shorthand reports whether a link is "owner/name" of a package host/owner/name.
func (o Origin) shorthand(link string) bool {
	_, rest, ok := strings.Cut(strings.ToLower(o.Name), "/")
	return ok && strings.Contains(rest, "/") && (link == rest || strings.HasPrefix(link, rest+"/"))
}

// extraGo reports whether a link leads to where the module golang.org/x/name is kept.
func extraGo(link, name string) bool {
	for _, p := range []string{"github.com/golang/", "golang/", "go.googlesource.com/", "cs.opensource.google/go/x/"} {
		if p += name; link == p || strings.HasPrefix(link, p+"/") {
			return true
		}
	}
	return false
}

// standardGo reports whether a link leads to where Go's standard library is kept or described.
func (o Origin) standardGo(link string) bool {
	for _, p := range []string{"github.com/golang/go", "golang/go", "go.googlesource.com/go", "cs.opensource.google/go/go", "go.dev/src", "go.dev/pkg", "golang.org/src", "golang.org/pkg", "golang.org/x/go", "go/src"} {
		if link == p || strings.HasPrefix(link, p+"/") {
			return true
		}
	}
	link = strings.TrimPrefix(strings.TrimPrefix(link, "pkg.go.dev/"), "godoc.org/")
	link, _, _ = strings.Cut(link, "@")
	dir := parentDir(strings.ToLower(o.Path))
	return dir != "" && (link == dir || strings.HasPrefix(link, dir+"/") || strings.HasPrefix(link, dir+".")) // net/http.Get
}

func (o Origin) purl(w string) bool {
	w, _, _ = strings.Cut(w, "?")
	if at := strings.LastIndexByte(w, '@'); at > strings.LastIndexByte(w, '/') {
		w = w[:at]
	}
	return w == strings.ToLower("pkg:"+o.Type+"/"+o.Name) || w == strings.ToLower("pkg:"+o.Type+"/"+strings.Replace(o.Name, "@", "%40", 1))
}

// spoken reports whether a sentence on the source of code contains the origin's name as a word.
func (o Origin) spoken(source string) bool {
	low := strings.ToLower(source)
	for _, own := range o.Target {
		low = strings.ReplaceAll(low, own, "")
	}
	if file := o.file(); file != "" && word(low, file) {
		return true
	}
	if o.Type == "golang" && o.Name == "std" {
		return slices.ContainsFunc(standard, func(s string) bool { return strings.Contains(low+" ", s) }) || hasGo(source)
	}
	name := strings.ToLower(o.Name)
	if word(low, name) && (strings.Contains(name, "/") || !plain(name)) {
		return true
	}
	for _, n := range []string{short(name), strings.TrimPrefix(short(name), "go-"), strings.TrimSuffix(short(name), ".js"), strings.TrimSuffix(short(name), "-go")} {
		if !plain(n) && word(low, n) {
			return true
		}
	}
	return false
}

// file returns the lower-cased name of the origin's file, without directories, or "" if many packages have a file of that name.
func (o Origin) file() string {
	file := strings.ToLower(o.Path[strings.LastIndexByte(o.Path, '/')+1:])
	stem, ext, ok := strings.Cut(file, ".")
	if !ok || ext == "" || len(stem) < minStem || plain(stem) {
		return ""
	}
	return file
}

// hasGo reports whether a sentence mentions the language Go.
func hasGo(s string) bool {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !isWord(byte(min(r, 0x80))) && r != '\'' }) {
		if w == "Go" || w == "Go's" {
			return true
		}
	}
	return false
}

// Folder compares a directory's name with the origin's package. whole says that both names are equal apart from versions, such as lua
// and lua5.1, or have the same words, such as fsExtra and fs-extra. part says that the package's name is one of the words of the
// directory's name, such as fork-sax.
func (o Origin) Folder(dir string) (whole, part bool) {
	name := strings.ToLower(short(o.Name))
	if plain(name) {
		return false, false
	}
	bare, low := withoutVersion(name), strings.ToLower(dir)
	words := wordsOf(dir)
	whole = low == name || !plain(bare) && withoutVersion(low) == bare || slices.Equal(words, wordsOf(short(o.Name)))
	return whole, slices.Contains(words, name)
}

// wordsOf divides a name at hyphens, underscores, points and before capitals that follow small letters. The words have small letters.
func wordsOf(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		if i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('-')
		}
		b.WriteByte(name[i])
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
}

// withoutVersion removes a version from the end of a name: digits with a point, or after a hyphen, an underscore or a v. The digits of
// sha256 belong to the name.
func withoutVersion(name string) string {
	bare := strings.TrimRight(name, "0123456789.")
	version, stem := name[len(bare):], strings.TrimSuffix(bare, "v")
	cut := strings.TrimRight(stem, "-_")
	switch {
	case version == "":
		return name
	case cut != stem:
		return cut
	case strings.Contains(version, "."):
		return bare
	}
	return name
}

// directories lists further common names of directories, some of which repositories have too.
var directories = []string{"models", "modules", "examples", "samples", "scripts", "plugins", "vision", "tutorials", "benchmark", "benchmarks", "framework", "contrib", "external", "vendor"}

// Ordinary reports whether many projects have a directory of this name, so that it does not tell whose code is in it.
func Ordinary(dir string) bool {
	dir = strings.ToLower(dir)
	return plain(dir) || slices.Contains(directories, dir)
}

// Tells reports whether a name in a path tells whose code is there: it is no ordinary directory, and no variable.
func Tells(path []string) bool {
	return slices.ContainsFunc(path, func(n string) bool { return !Ordinary(n) && !slices.Contains(noModule, n) })
}

// plain reports whether a name is too short or too common to mean a package.
func plain(name string) bool { return len(name) < 3 || slices.Contains(ordinary, name) }

// short returns the last part of a name that is not its major version.
func short(name string) string {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	if n := len(parts); n > 1 && len(last) > 1 && last[0] == 'v' && isDigit(last[1]) {
		last = parts[n-2]
	}
	if i := strings.LastIndex(last, ".v"); i > 0 && i+2 < len(last) && isDigit(last[i+2]) { // gopkg.in
		last = last[:i]
	}
	return last
}

// unversioned removes the major version from a module path.
func unversioned(name string) string {
	if i := strings.LastIndexByte(name, '/'); i > 0 && i+2 < len(name) && name[i+1] == 'v' && isDigit(name[i+2]) {
		return name[:i]
	}
	return name
}

// word reports whether a lower-cased text contains a name as a whole word.
func word(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if wordStart(text, i) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = i + 1
	}
}

// Words returns the words that word finds in a text, in their own case.
func Words(text []byte) map[string]bool {
	out := make(map[string]bool)
	for w := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
		out[string(w)] = true
	}
	return out
}
