// Package remote finds the source of a package at the registry of its ecosystem: the addresses of its archives with
// their checksums, and its licence and release date if the registry's documents have them. It implements the documented
// interfaces of the registries. It does no input and output itself: the caller provides a function that fetches
// documents.
//
//	remote.go      Registries; a release: its archives, checksums, date
//	listed.go      the versions of a package
//	cargo.go, debian.go, pypi.go  one registry each; languages.go: RubyGems, Packagist, Maven, NuGet, GitHub
//	credentials.go credentials, each for its host
//	public.go      whether an address is of the Internet, and not of the local network
package remote

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Registries are the addresses of registries. [Defaults] has the public ones.
type Registries struct {
	PyPI       string   // the simple index, PEP 503 and 691
	PyPIExtra  []string // further indexes, asked for packages that the first does not have
	Cargo      string   // a sparse index
	RubyGems   string   // a server with the compact index
	Composer   string   // a repository with p2
	Maven      []string // repositories, asked one after another
	NuGet      string   // a service index, version 3
	GitHub     string   // serves archives of tags and commits
	GitHubRefs string   // lists tags by the protocol of git
	Debian     []Suite  // archives, asked one after another

	Indexes *Indexes // keeps indexes of whole archives for later packages; nil keeps none
}

// Indexes are the indexes of archives read so far. Safe for concurrent use.
type Indexes struct {
	mu     sync.Mutex
	debian map[string]*debianIndex // by address
}

// Suite is a suite of a Debian archive.
type Suite struct {
	Archive    string // for example https://deb.debian.org/debian
	Name       string
	Components []string
}

// Defaults returns the public registries.
func Defaults() Registries {
	return Registries{
		PyPI:       "https://pypi.org/simple",
		Cargo:      "https://index.crates.io",
		RubyGems:   "https://rubygems.org",
		Composer:   "https://repo.packagist.org",
		Maven:      []string{"https://repo.maven.apache.org/maven2"},
		NuGet:      "https://api.nuget.org/v3/index.json",
		GitHub:     "https://codeload.github.com",
		GitHubRefs: "https://github.com",
		Debian:     []Suite{{"https://deb.debian.org/debian", "stable", []string{"main"}}, {"https://deb.debian.org/debian", "sid", []string{"main"}}},
	}
}

// Get fetches a document. accept is the accepted media type, "" for any.
type Get func(ctx context.Context, addr, accept string) ([]byte, error)

// Archive is one file of a package.
type Archive struct {
	URL       string
	Integrity string // as in Subresource Integrity; "" if the registry has none
	Name      string // its file name, which shows its kind
}

// Release is one version at its registry.
type Release struct {
	PURL     string
	License  string    // as declared, may be ""
	Released time.Time // zero if the registry does not say
	Archives []Archive // one, or the parts of a Debian source package
	About    *Archive  // the folder debian of such a package, if it is an archive of its own
}

// ErrNone reports that a registry does not have a package, or no source of it.
var ErrNone = errors.New("the registry has no such version")

// ErrNoSource reports that a registry has a version only in compiled form.
var ErrNoSource = errors.New("the registry has no source archive of it")

// Types lists the types of package URLs that Locate supports.
var Types = []string{"cargo", "composer", "deb", "gem", "github", "maven", "nuget", "pypi"}

// Locate finds a package. Without a version it finds the newest.
func Locate(ctx context.Context, u purl.PURL, r Registries, get Get) (Release, error) {
	l := locator{ctx: ctx, u: u, r: r, get: get}
	var rel Release
	var err error
	switch u.Type {
	case "pypi":
		rel, err = l.pypi()
	case "cargo":
		rel, err = l.cargo()
	case "gem":
		rel, err = l.gem()
	case "composer":
		rel, err = l.composer()
	case "maven":
		rel, err = l.maven()
	case "nuget":
		rel, err = l.nuget()
	case "github":
		rel, err = l.github()
	case "deb":
		rel, err = l.deb()
	default:
		err = fmt.Errorf("packages of type %q have no registry here", u.Type)
	}
	if err != nil {
		return Release{}, err
	}
	return rel, check(rel)
}

// check refuses invalid answers of a registry and lower-cases the schemes of addresses.
func check(r Release) error {
	if _, err := purl.Canonical(r.PURL); err != nil || purl.Version(r.PURL) == "" {
		return fmt.Errorf("the registry names an invalid version: %q", r.PURL)
	}
	for i := range r.Archives {
		if err := r.Archives[i].check(); err != nil {
			return err
		}
	}
	if r.About != nil {
		if err := r.About.check(); err != nil {
			return err
		}
	}
	if len(r.Archives) == 0 {
		return ErrNoSource
	}
	return nil
}

func (a *Archive) check() error {
	u, err := url.Parse(a.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return errors.New("the registry names an address that is not on the web")
	}
	a.URL = u.Scheme + a.URL[len(u.Scheme):]
	return nil
}

type locator struct {
	ctx context.Context
	u   purl.PURL
	r   Registries
	get Get
}

// named returns the package URL with a version.
func (l *locator) named(version string) string {
	return purl.Make(l.u.Type, purl.FullName(l.u), version)
}

// text fetches a document on one package. It refuses one that no real package has.
func (l *locator) text(addr, accept string) ([]byte, error) {
	data, err := l.get(l.ctx, addr, accept)
	if err == nil {
		err = bounded.Check(data)
	}
	return data, err
}

// document fetches and decodes JSON.
func (l *locator) document(addr, accept string, into any) error {
	data, err := l.get(l.ctx, addr, accept)
	if err != nil {
		return err
	}
	if err := bounded.JSON(data, into); err != nil {
		return undocumented("JSON", err)
	}
	return nil
}

// undocumented reports an answer of another form than the registry documents, such as a page that asks for a login.
func undocumented(form string, why error) error {
	return fmt.Errorf("its answer is no %s as documented: %w", form, why)
}

// join appends escaped parts to an address.
func join(base string, parts ...string) string {
	base = strings.TrimRight(base, "/")
	for _, p := range parts {
		base += "/" + strings.ReplaceAll(url.PathEscape(p), "%2F", "/")
	}
	return base
}

// against resolves an address in a document at base.
func against(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// Integrity converts a hexadecimal checksum to the form of Subresource Integrity. It returns "" for invalid digits.
func Integrity(algorithm, digits string) string {
	raw, err := hex.DecodeString(strings.TrimSpace(digits))
	if err != nil || len(raw) == 0 {
		return ""
	}
	return algorithm + "-" + base64.StdEncoding.EncodeToString(raw)
}

// newest returns the highest version; any release is higher than a pre-release.
func (l *locator) newest(versions []string) string {
	if len(versions) == 0 {
		return ""
	}
	return slices.MaxFunc(versions, func(a, b string) int {
		x, y := 0, 0
		if Prerelease(l.u.Type, a) {
			x = -1
		}
		if Prerelease(l.u.Type, b) {
			y = -1
		}
		return cmp.Or(cmp.Compare(x, y), Compare(l.u.Type, a, b), strings.Compare(a, b))
	})
}

// compare orders versions by their numbers.
func compare(a, b string) int {
	x, y := numbers(a), numbers(b)
	return cmp.Or(slices.Compare(x, y), strings.Compare(a, b))
}

func numbers(v string) []int {
	var out []int
	n, inside := 0, false
	for i := 0; i <= len(v); i++ {
		switch {
		case i < len(v) && v[i] >= '0' && v[i] <= '9':
			n, inside = min(n*10+int(v[i]-'0'), 1<<40), true
		case inside:
			out, n, inside = append(out, n), 0, false
		}
	}
	return out
}
