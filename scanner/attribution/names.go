package attribution

import (
	"slices"
	"strings"
)

// hosts maps hosts of code to the number of path elements that identify a project there.
var hosts = map[string]int{
	"github.com": 2, "raw.githubusercontent.com": 2, "gitlab.com": 2, "bitbucket.org": 2, "codeberg.org": 2, "sr.ht": 2, "git.sr.ht": 2,
	"gitee.com": 2, "salsa.debian.org": 2, "gist.github.com": 2, "go.googlesource.com": 1, "npmjs.com": 2, "npmjs.org": 2, "pypi.org": 2,
	"pypi.python.org": 2, "crates.io": 2, "docs.rs": 1, "rubygems.org": 2, "packagist.org": 3, "pkg.go.dev": 1, "godoc.org": 1, "sourceforge.net": 2,
	"code.google.com": 2, "git.kernel.org": 2, "golang.org": 2, "unpkg.com": 1, "cdn.jsdelivr.net": 2, "stackoverflow.com": 2, "launchpad.net": 1,
	"metacpan.org": 2, "hex.pm": 2, "nuget.org": 2, "search.maven.org": 2, "opensource.apple.com": 2, "git.savannah.gnu.org": 2, "chromium.googlesource.com": 2,
	"android.googlesource.com": 2, "gopkg.in": 1, "go.dev": 1, "cs.opensource.google": 2,
}

// talk lists path elements of pages where people discuss a project. A link to such a page does not say where code comes from.
var talk = []string{"issues", "issue", "pull", "pulls", "discussions", "wiki", "merge_requests", "commit", "commits", "compare", "releases", "security", "actions"}

// goCode lists the first path elements under which golang.org and go.dev keep code. Other pages there are issues, changes and documents.
var goCode = []string{"x", "src", "pkg", "cmd"}

// References returns the code that a text refers to, as host/path in lower case: links and bare paths to hosts of code, and
// package URLs as "pkg:…".
func References(text string) []string {
	if !strings.ContainsAny(text, "/:") {
		return nil
	}
	var out []string
	for _, w := range words(text) {
		if ref := reference(w); ref != "" && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// words splits a text into possible links, paths and names.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`<>()[]{},;|*\\", r) })
}

func reference(w string) string {
	w = strings.ToLower(strings.TrimRight(w, ".:!?"))
	if strings.HasPrefix(w, "pkg:") && strings.Contains(w, "/") {
		return w
	}
	path := location(w)
	host, rest, ok := strings.Cut(path, "/")
	n, known := hosts[host]
	if !ok || !known {
		return ""
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	if (host == "golang.org" || host == "go.dev") && !slices.Contains(goCode, parts[0]) {
		return ""
	}
	if parts[0] == "" || len(parts) > n && slices.Contains(talk, parts[n]) || len(parts) > n+1 && parts[n] == "-" && slices.Contains(talk, parts[n+1]) {
		return ""
	}
	return host + "/" + strings.Join(parts, "/")
}

// location removes scheme, "www.", user, ".git", query and fragment from a link.
func location(w string) string {
	for _, s := range []string{"git+", "https://", "http://", "ssh://", "git://", "svn://", "git@", "www."} {
		w = strings.TrimPrefix(w, s)
	}
	if i := strings.IndexAny(w, "?#"); i >= 0 {
		w = w[:i]
	}
	if host, path, ok := strings.Cut(w, ":"); ok && strings.Contains(host, ".") && !strings.HasPrefix(path, "/") {
		w = host + "/" + path // git@host:owner/name
	}
	return strings.TrimSuffix(strings.TrimRight(w, "/"), ".git")
}

// Origin is the known data of an origin that statements are compared with.
type Origin struct {
	Type    string   // of its package URL
	Name    string   // namespace and name of its package URL: a module path, an npm name
	Path    string   // of the file in the package
	Holders []string // of the copyright of the file
	Target  []string // repositories of the target, host/owner/name: a link to one of them is none to a fork of the origin
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
	text := s.Text
	if s.Source != "" {
		text = s.Source
	}
	for _, w := range words(text) {
		if o.at(strings.ToLower(strings.TrimRight(w, ".:!?"))) {
			return true
		}
	}
	if s.Kind == Title {
		return o.entitles(s.Source)
	}
	return s.Kind != Copyright && s.Kind != License && s.Source != "" && o.spoken(s.Source)
}

// at reports whether a link or path leads to the origin's package, to a part of it, or to its repository.
func (o Origin) at(w string) bool {
	if !strings.Contains(w, "/") {
		return false
	}
	if strings.HasPrefix(w, "pkg:") {
		return o.purl(w)
	}
	place, name := location(w), strings.ToLower(o.Name)
	if o.Type == "golang" && name == "std" {
		return o.standardGo(place)
	}
	if project, ok := registry(place); ok {
		return project == name || strings.HasPrefix(project, name+"/")
	}
	place = strings.TrimPrefix(place, "raw.")
	place = strings.Replace(place, "githubusercontent.com/", "github.com/", 1)
	base := unversioned(name)
	if x, ok := strings.CutPrefix(name, "golang.org/x/"); ok && extraGo(place, x) {
		return true
	}
	if strings.Contains(name, "/") && (place == base || strings.HasPrefix(place, base+"/") || strings.HasPrefix(place, base+"@") || within(name, place)) {
		return true
	}
	host, rest, _ := strings.Cut(place, "/")
	parts := strings.Split(rest, "/")
	if hosts[host] != 2 || len(parts) < 2 {
		return o.shorthand(place)
	}
	project := strings.TrimSuffix(parts[1], ".git")
	return project == short(name) && !slices.Contains(ordinary, project) && !slices.Contains(o.Target, host+"/"+parts[0]+"/"+project)
}

// minStem is the least length of a file's name, without its extension, that tells the file from others, in bytes.
const minStem = 8

// within reports whether a package is in the repository that a link leads to.
func within(name, place string) bool {
	return strings.Count(place, "/") >= 2 && strings.HasPrefix(name, place+"/")
}

// shorthand reports whether a place is "owner/name" of a package host/owner/name.
func (o Origin) shorthand(place string) bool {
	_, rest, ok := strings.Cut(strings.ToLower(o.Name), "/")
	return ok && strings.Contains(rest, "/") && (place == rest || strings.HasPrefix(place, rest+"/"))
}

// registry returns the package that a page of a package registry describes.
func registry(place string) (string, bool) {
	for _, r := range []string{"npmjs.com/package/", "npmjs.org/package/", "pypi.org/project/", "crates.io/crates/", "docs.rs/", "rubygems.org/gems/",
		"pkg.go.dev/", "godoc.org/", "unpkg.com/", "cdn.jsdelivr.net/npm/", "packagist.org/packages/", "sourceforge.net/projects/", "nuget.org/packages/"} {
		if rest, ok := strings.CutPrefix(place, r); ok {
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "@"), "@")
			if strings.HasPrefix(rest, "@") {
				name = "@" + name
			}
			return name, true
		}
	}
	return "", false
}

// extraGo reports whether a place is one where the module golang.org/x/name is kept.
func extraGo(place, name string) bool {
	for _, p := range []string{"github.com/golang/", "golang/", "go.googlesource.com/", "cs.opensource.google/go/x/"} {
		if p += name; place == p || strings.HasPrefix(place, p+"/") {
			return true
		}
	}
	return false
}

// standardGo reports whether a place is one where Go's standard library is kept or described.
func (o Origin) standardGo(place string) bool {
	for _, p := range []string{"github.com/golang/go", "golang/go", "go.googlesource.com/go", "cs.opensource.google/go/go", "go.dev/src", "go.dev/pkg", "golang.org/src", "golang.org/pkg", "golang.org/x/go", "go/src"} {
		if place == p || strings.HasPrefix(place, p+"/") {
			return true
		}
	}
	place = strings.TrimPrefix(strings.TrimPrefix(place, "pkg.go.dev/"), "godoc.org/")
	place, _, _ = strings.Cut(place, "@")
	dir := parentDir(strings.ToLower(o.Path))
	return dir != "" && (place == dir || strings.HasPrefix(place, dir+"/") || strings.HasPrefix(place, dir+".")) // net/http.Get
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
// and lua5.1. part says that the package's name is one of the words of the directory's name, such as fork-sax.
func (o Origin) Folder(dir string) (whole, part bool) {
	name, dir := strings.ToLower(short(o.Name)), strings.ToLower(dir)
	if plain(name) {
		return false, false
	}
	bare := withoutVersion(name)
	whole = dir == name || !plain(bare) && withoutVersion(dir) == bare
	words := strings.FieldsFunc(dir, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	return whole, slices.Contains(words, name)
}

// withoutVersion removes a version from the end of a name: digits with a point, or behind a hyphen, an underscore or a v. The digits of
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

// parentDir returns the directory of a path, "" if there is none.
func parentDir(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

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

// Owns reports whether the statement names a holder of the origin's copyright.
func (s Statement) Owns(o Origin) bool {
	name := fold(s.Holder)
	return !slices.Contains(nobody, name) && slices.ContainsFunc(o.Holders, func(h string) bool { return fold(h) == name })
}

// Holders lists the holders of a file's copyright, as its head states them, each once.
func Holders(ss []Statement) []string {
	var out []string
	met := map[string]bool{}
	for _, s := range ss {
		name := fold(s.Holder)
		if s.Kind != Copyright || !s.Head || met[name] {
			continue
		}
		met[name] = !slices.Contains(nobody, name)
		out = append(out, s.Holder)
	}
	return out
}

// AllHolders is Holders with the further ones of each line.
func AllHolders(ss []Statement) []string {
	out := Holders(ss)
	met := map[string]bool{}
	for _, h := range out {
		met[fold(h)] = true
	}
	for _, s := range ss {
		for _, h := range s.More {
			if name := fold(h); s.Head && !met[name] {
				met[name] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// HoldersBelow reports whether a file names a holder below its head whom the head does not name. Which lines are whose is then not known.
func HoldersBelow(ss []Statement) bool {
	inHead := map[string]bool{}
	for _, h := range Holders(ss) {
		inHead[fold(h)] = true
	}
	return slices.ContainsFunc(ss, func(s Statement) bool { return s.Kind == Copyright && !s.Head && !inHead[fold(s.Holder)] })
}

// CommonHolders lists the holders of a that b has too.
func CommonHolders(a, b []string) (out []string) {
	names := map[string]bool{}
	for _, h := range b {
		names[fold(h)] = true
	}
	for _, h := range a {
		if name := fold(h); names[name] && !slices.Contains(nobody, name) {
			out = append(out, h)
		}
	}
	return out
}

// Packages lists the names of packages that a reference can mean: the package of a registry's page, or the path and its parents.
func Packages(ref string) []string {
	if rest, ok := strings.CutPrefix(ref, "pkg:"); ok {
		_, name, _ := strings.Cut(rest, "/")
		name, _, _ = strings.Cut(name, "?")
		if at := strings.LastIndexByte(name, '@'); at > 0 && name[at-1] != '/' {
			name = name[:at]
		}
		return []string{name}
	}
	name, ok := registry(ref)
	if !ok {
		name = ref
	}
	var out []string
	for name != "" {
		out = append(out, name)
		name = parentDir(name)
	}
	return out
}
