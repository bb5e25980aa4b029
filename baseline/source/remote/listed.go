package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Listed is a version in a registry's list.
type Listed struct {
	Version   string
	Withdrawn bool // by its publisher: tools use it only if it is named
}

// maxListed bounds the number of versions of one package.
const maxListed = 50_000

// List returns the versions of a package in a registry's list, oldest first.
func List(ctx context.Context, u purl.PURL, r Registries, get Get) ([]Listed, error) {
	l := locator{ctx: ctx, u: u, r: r, get: get}
	lists := map[string]func() (map[string]bool, error){
		"pypi": l.pypiVersions, "cargo": l.cargoVersions, "gem": l.gemVersions, "composer": l.composerVersions,
		"maven": l.mavenVersions, "nuget": l.nugetVersions, "deb": l.debVersions, "github": l.githubVersions,
	}
	list := lists[u.Type]
	if list == nil {
		return nil, fmt.Errorf("packages of type %q have no registry here", u.Type)
	}
	withdrawn, err := list()
	delete(withdrawn, "")
	if err == nil && len(withdrawn) == 0 {
		err = ErrNone
	}
	if err == nil && len(withdrawn) > maxListed {
		err = fmt.Errorf("the registry lists more than %d versions", maxListed)
	}
	if err != nil {
		return nil, err
	}
	var out []Listed
	for _, v := range slices.SortedFunc(maps.Keys(withdrawn), func(a, b string) int { return cmp.Or(Compare(u.Type, a, b), strings.Compare(a, b)) }) {
		out = append(out, Listed{v, withdrawn[v]})
	}
	return out, nil
}

func (l *locator) pypiVersions() (map[string]bool, error) {
	name := l.pythonName()
	var failed error
	for _, index := range append([]string{l.r.PyPI}, l.r.PyPIExtra...) {
		addr := join(index, name) + "/"
		files, err := l.simpleFiles(addr)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		out := map[string]bool{}
		for _, f := range files {
			v := cmp.Or(sdistVersion(f.Filename, name), wheelVersion(f.Filename, name))
			if _, known := out[v]; v != "" {
				out[v] = f.withdrawn() && (!known || out[v])
			}
		}
		return out, nil
	}
	return nil, failed
}

func (l *locator) cargoVersions() (map[string]bool, error) {
	lines, err := l.cargoLines()
	out := map[string]bool{}
	for _, c := range lines {
		out[c.Vers] = c.Yanked
	}
	return out, err
}

func (l *locator) gemVersions() (map[string]bool, error) {
	sums, err := l.gemSums()
	return present(maps.Keys(sums)), err
}

func (l *locator) composerVersions() (map[string]bool, error) {
	versions, err := l.composerDocument()
	return present(maps.Keys(versions)), err
}

func (l *locator) mavenVersions() (map[string]bool, error) {
	var failed error
	for _, repo := range l.r.Maven {
		data, err := l.text(join(repo, strings.ReplaceAll(l.u.Namespace, ".", "/"), l.u.Name)+"/maven-metadata.xml", "")
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		var meta struct {
			Versions []string `xml:"versioning>versions>version"`
		}
		if err := xml.Unmarshal(data, &meta); err != nil {
			return nil, undocumented("list", err)
		}
		return present(slices.Values(meta.Versions)), nil
	}
	return nil, cmp.Or(failed, ErrNone)
}

func (l *locator) nugetVersions() (map[string]bool, error) {
	content, _, err := l.nugetResources()
	if err != nil {
		return nil, err
	}
	var list struct{ Versions []string }
	err = l.document(join(content, strings.ToLower(l.u.Name), "index.json"), "", &list)
	return present(slices.Values(list.Versions)), err
}

// debVersions returns the versions that are in the archive's indexes now; old versions are removed from them.
func (l *locator) debVersions() (map[string]bool, error) {
	out := map[string]bool{}
	for _, s := range l.r.Debian {
		for _, component := range s.Components {
			index, err := l.debianIndex(join(s.Archive, "dists", s.Name, component, "source", "Sources.gz"))
			if err != nil {
				return nil, err
			}
			for _, st := range index[l.u.Name] {
				out[st.version] = false
			}
		}
	}
	return out, nil
}

// githubVersions returns the tags whose name has a digit. They come from git's protocol over http: each line has its
// length in four digits, an object and a reference.
func (l *locator) githubVersions() (map[string]bool, error) {
	data, err := l.text(join(l.r.GitHubRefs, l.u.Namespace, l.u.Name+".git", "info", "refs")+"?service=git-upload-pack", "")
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(data, []byte("001e# service=git-upload-pack\n")) {
		return nil, errors.New("its answer is no list of references")
	}
	out := map[string]bool{}
	for len(data) >= 4 {
		n, err := strconv.ParseUint(string(data[:4]), 16, 16)
		if n = max(n, 4); err != nil || int(n) > len(data) {
			return nil, errors.New("its list of references is cut off")
		}
		line, _, _ := strings.Cut(string(data[4:n]), "\x00")
		data = data[n:]
		if _, tag, ok := strings.Cut(strings.TrimSpace(line), " refs/tags/"); ok && !strings.HasSuffix(tag, "^{}") && strings.ContainsAny(tag, "0123456789") {
			out[tag] = false
		}
	}
	return out, nil
}

func present(versions func(func(string) bool)) map[string]bool {
	out := map[string]bool{}
	for v := range versions {
		out[v] = false
	}
	return out
}

// Compare orders versions as people of an ecosystem do, as far as one rule can. It compares their numbers; a
// pre-release comes before its release, and a version with an addition after it. 1.0 and 1.0.0 are equal.
func Compare(typ, a, b string) int {
	x, y := parts(typ, a), parts(typ, b)
	return cmp.Or(slices.Compare(x.epoch, y.epoch), compareNumbers(x.base, y.base), cmp.Compare(x.class, y.class), strings.Compare(x.word, y.word),
		slices.Compare(x.rest, y.rest))
}

// Prerelease reports whether a version is a pre-release.
func Prerelease(typ, v string) bool { return parts(typ, v).class < 0 }

// version has the parts of a version by which it is ordered.
type version struct {
	epoch, base, rest []int
	class             int    // -1 before the release of that base, 1 after it
	word              string // alpha, beta, rc
}

var (
	epoch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+[:!]`) })
	base  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+(?:[._][0-9]+)*`) })
	early = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[-._~+]*(a|b|c|m|rc|cr|pre|dev|eap|alpha|beta|preview|snapshot|milestone|next|nightly|canary|unstable|~)(?:[^a-z]|$)`)
	})
	tagged = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^a-z])(pre|rc|alpha|beta|preview|snapshot|nightly|canary|untagged|wip)[^a-z]*v?$`)
	})
	letters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z]+`) })
	late    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-._]*(final|ga|release)$`) })
)

// parts splits a version into its parts. Of a leading name, as in tags, only a word for pre-releases counts: nightly-20260818.
func parts(typ, v string) version {
	s := strings.ToLower(v)
	var out version
	ahead := false
	if i := strings.IndexAny(s, "0123456789"); i > 0 {
		if m := tagged().FindStringSubmatch(s[:i]); m != nil {
			out.word, ahead = m[1], true
		}
		s = s[i:]
	}
	e := epoch().FindString(s)
	s = s[len(e):]
	if out.epoch = numbers(e); out.epoch == nil {
		out.epoch = []int{0}
	}
	first := base().FindString(s)
	out.base = numbers(first)
	s = s[len(first):]
	if m := early().FindStringSubmatch(s); m != nil {
		out.word = m[1]
	}
	strict := typ == "cargo" || typ == "nuget"
	if strict && out.word == "" {
		out.word = letters().FindString(s)
	}
	if out.word == "dev" { // sorts before all others
		out.word = "0dev"
	}
	switch {
	case ahead:
		out.class = -1
	case s == "" || late().MatchString(s):
	case out.word != "" && !strict || strict && s[0] == '-' || typ == "gem" && strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' }):
		out.class = -1
	default:
		out.class = 1
	}
	out.rest = numbers(s)
	return out
}

// compareNumbers compares numbers and treats missing ones as zero.
func compareNumbers(a, b []int) int {
	for i := range max(len(a), len(b)) {
		var x, y int
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}
