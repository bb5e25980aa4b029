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

// registry returns the package that a page of a package registry describes.
func registry(link string) (string, bool) {
	for _, r := range []string{"npmjs.com/package/", "npmjs.org/package/", "pypi.org/project/", "crates.io/crates/", "docs.rs/", "rubygems.org/gems/",
		"pkg.go.dev/", "godoc.org/", "unpkg.com/", "cdn.jsdelivr.net/npm/", "packagist.org/packages/", "sourceforge.net/projects/", "nuget.org/packages/"} {
		if rest, ok := strings.CutPrefix(link, r); ok {
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, "@"), "@")
			if strings.HasPrefix(rest, "@") {
				name = "@" + name
			}
			return name, true
		}
	}
	return "", false
}

// parentDir returns the directory of a path, "" if there is none.
func parentDir(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

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
