// Package source opens the packages that a user names: the first stage of building a baseline. It takes a path, an archive, a
// go.mod or a package URL, and returns packages with their identities. A package can then be walked: it yields its files one
// after another, in bytewise order of their paths, and everything that was left out, with the reason.
//
//	source.go      Package, which can be walked; Options; errors
//	open.go        Open: which kind of source an argument is; directories, archives, package URLs
//	locked.go      a lock file → its packages, from this machine or else from their registries
//	golang.go      go.mod, the module cache, vendor folders, the standard library of Go
//	goproxy.go     Go modules from module proxies; sumdb.go checks them
//	npm.go         node_modules; npmregistry.go: npm's registry
//	remotes.go     the registries of all other ecosystems (package remote has their addresses)
//	list.go        lists of sources (--list), and lists of packages with digests
//	releases.go    the versions of a package; select.go: those that --versions chooses
//	repository.go  the git repository that a package names
//	dependencies.go, unlocked.go  Dependencies: the packages of a repository's lock files; what it says of manifests without one
//
// Package files reads directories and archives, installed finds the packages of package managers on this machine, manifest reads
// metadata, web fetches.
//
// Archives and registries are not trusted. They never choose a file name on this machine: files are read into memory one at a
// time, from an anonymous temporary file. [Limits] bounds every count, size and ratio.
//
// Package.License has the words of the metadata: convert it to an SPDX expression before use.
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// Reasons for skipping, as passed to the skipped function and in [Skipped]. Package files has those for files.
const (
	ReasonTooLarge   = files.ReasonTooLarge
	ReasonVendored   = files.ReasonVendored
	ReasonTestdata   = files.ReasonTestdata
	ReasonSymlink    = files.ReasonSymlink
	ReasonUnreadable = files.ReasonUnreadable
	ReasonLocal      = "local-replace" // replaced by a directory: the user's own code
	ReasonMissing    = "missing"
	ReasonMachine    = "other-machine" // a package manager leaves it out on this machine
	ReasonMetadata   = "no-metadata"
	ReasonUntagged   = "untagged"            // a git repository without releases
	ReasonChecksum   = "unreadable-checksum" // checksum of the lock file: without it no download can be checked
	ReasonNoLock     = "no-lock-file"        // the versions of a manifest's packages are unknown
)

// Limits bound one package. Zero fields have the values of [DefaultLimits].
type Limits = files.Limits

// Errors for files that are refused or damaged.
type (
	LimitError   = files.LimitError
	ArchiveError = files.ArchiveError
)

// DefaultLimits returns the bounds for zero fields.
func DefaultLimits() Limits { return files.DefaultLimits() }

// Package is one version of a package, ready to be read.
type Package struct {
	PURL     string
	License  string    // as declared by metadata, may be ""
	Asked    bool      // License was given by the user, or is that of a standard library; it overrides files at the root
	Standard bool      // no file lists it: it is the standard library of a language in use
	Released time.Time // zero when unknown; metadata in a download may tell, after Walk
	From     string    // where it is read from, as shown to users, without credentials

	Repository string // https address of the repository that its manifest names

	packed time.Time // the latest date of a file in its archive
	named  string    // repository address from the manifest in a download
	walk   func(context.Context, *files.Visit) error
	remote bool // walk downloads

	unasked bool // it comes along with a go.mod or a lock file: a licence and a date that the user gives are not for it
}

// Options set how arguments are read. The caller takes them from flags, environment and configuration; this package does not
// read the environment.
type Options struct {
	PURL     string    // identity of a directory or archive; overrides the metadata
	License  string    // overrides the metadata
	Released time.Time // overrides the metadata

	Offline     bool              // never use the network
	ModCache    string            // GOMODCACHE
	GoRoot      string            // GOROOT, for the standard library
	Here        string            // user's working directory, for the commands that Dependencies reports; "" means the repository's root
	GoProxy     string            // GOPROXY; "" means the Go command's default
	GoPrivate   string            // GONOPROXY or GOPRIVATE: modules that no proxy is asked for
	Sums        *Sums             // checks downloads from proxies; nil checks none
	NPMRegistry string            // npm_config_registry; "" means the public one
	NPMScopes   map[string]string // registries by scope, such as "@acme"
	HTTP        *http.Client      // nil means a client with time limits that does not connect to the local network

	Registries  *remote.Registries // of other ecosystems; nil means the public ones
	Credentials remote.Credentials // each for its own host
	Downloads   string             // directory that keeps downloads of Walk; "" keeps none

	// Places returns where the tools of an ecosystem, given by a type of package URL, keep packages. It is called once for
	// each type that occurs; nil means nowhere.
	Places func(typ string) installed.Places

	// Clone opens a commit of the git repository at an https address as a package; nil disables cloning.
	Clone func(ctx context.Context, name, addr, commit string) (*Package, error)

	// Committed returns when a commit of a local git repository was made, or zero if unknown. It may be nil.
	Committed func(dir, commit string) time.Time

	Limits  Limits        // for the files that Open itself reads
	Skipped func(Skipped) // receives what Open leaves out; may be nil

	// Lacking receives, for each lock file of Dependencies, its path quoted for a shell and the number of its pinned packages
	// that are not on this machine. Open can download these packages. It may be nil.
	Lacking func(lock string, packages int)

	// Unfound receives each language of the repository or the lock file whose standard library has no source on this machine, and
	// the command that brings it, "" if there is none. It may be nil.
	Unfound func(language, bring string)

	repository string // whose dependencies are looked for; "" if a source is named

	goSum  map[module.Version]string // checksums of the go.sum beside a go.mod
	get    remote.Get                // fetches documents; nil asks the registries
	silent time.Duration             // how long a server may send nothing; 0 means silentTimeout
}

// Skipped is an item that was found but gave no package.
type Skipped struct {
	Path   string // a path, or a package URL if there is no path
	Reason string
	Detail string
	Bring  string // command that fetches the missing package to this machine
	Answer Answer // of its registry
}

// Lacks reports whether a package that was asked for is left out, or may be.
func (s Skipped) Lacks() bool {
	return slices.Contains([]string{ReasonMissing, ReasonChecksum, lockfile.ReasonCut, lockfile.ReasonNotListed}, s.Reason)
}

func (o Options) skip(path, reason, detail string) {
	o.skipped(Skipped{Path: path, Reason: reason, Detail: detail})
}

// lacks skips a missing package and names the command that fetches it.
func (o Options) lacks(name, detail, bring string) { o.wants(name, ReasonMissing, detail, bring) }

// failed skips a package that could not be opened.
func (o Options) failed(name, detail string, err error, bring string) {
	s := wanted(name, ReasonMissing, detail, bring)
	s.Answer = AnswerOf(err)
	o.skipped(s)
}

// wants skips an item that a command would fetch.
func (o Options) wants(name, reason, detail, bring string) {
	o.skipped(wanted(name, reason, detail, bring))
}

func wanted(name, reason, detail, bring string) Skipped {
	detail = strings.ReplaceAll(detail, "\n", "; ") // several registries failed
	if bring != "" {
		detail += fmt.Sprintf(": run %q", bring)
	}
	return Skipped{Path: name, Reason: reason, Detail: detail, Bring: bring}
}

func (o Options) skipped(s Skipped) {
	if o.Skipped != nil {
		o.Skipped(s)
	}
}

// Walk calls file for each regular file of the package, and skipped, which may be nil, for everything else. Both are called
// in bytewise order of paths. Paths have slashes and are relative to the package's root. A skipped directory is reported
// once, with a final slash. file may keep data. An error of file ends the walk and is returned unchanged. Walk can be
// repeated, and called from several goroutines.
func (p *Package) Walk(ctx context.Context, lim Limits, file func(path string, data []byte) error, skipped func(path, reason, detail string)) error {
	if skipped == nil {
		skipped = func(string, string, string) {}
	}
	return p.walk(ctx, &files.Visit{Limits: lim.WithDefaults(), File: file, Skipped: skipped, Dated: func(t time.Time) { p.packed = t }, Named: p.describe})
}

// describe fills fields that are still empty from the metadata in a download.
func (p *Package) describe(m manifest.Meta) {
	p.named = cmp.Or(p.named, m.Repository)
	if p.Released.IsZero() {
		p.Released = m.Released.UTC()
	}
}

// Published returns the address of the package's repository: from its registry, or else from the manifest that Walk read.
func (p *Package) Published() string { return cmp.Or(p.Repository, p.named) }

// firstPacked is later than the constant dates that tools write into archives: 1970, 1980, npm's 1985, Cargo's 2006.
var firstPacked = time.Date(2007, 1, 1, 0, 0, 0, 0, time.UTC)

// Packed returns the day of the latest file in the archive that Walk has read. It is zero if the files have no real dates, or
// dates after the release.
func (p *Package) Packed() time.Time {
	if p.packed.Before(firstPacked) || p.packed.After(p.Released) {
		return time.Time{}
	}
	return p.packed.UTC().Truncate(24 * time.Hour)
}

// client returns a client for the registries of the options, and also for other addresses.
func (o Options) client(also ...string) *http.Client {
	return web.NewClient(o.configured(also), o.Credentials, o.silent)
}

// web returns a fetcher that follows the options.
func (o Options) web() web.Fetcher {
	return web.Fetcher{HTTP: o.HTTP, Offline: o.Offline, Downloads: o.Downloads, Patience: o.silent}
}

// configured returns the addresses of the registries that the options name.
func (o Options) configured(also []string) []string {
	out := append([]string{o.NPMRegistry}, also...)
	for _, p := range proxies(o.GoProxy) {
		out = append(out, p.addr)
	}
	for _, addr := range o.NPMScopes {
		out = append(out, addr)
	}
	r := o.registries()
	out = append(out, r.PyPI, r.Cargo, r.RubyGems, r.Composer, r.NuGet, r.GitHub)
	out = append(append(out, r.Maven...), r.PyPIExtra...)
	for _, s := range r.Debian {
		out = append(out, s.Archive)
	}
	return out
}

// NotFoundError reports that a registry does not have a package.
type NotFoundError struct {
	PURL  string
	Tried []string // registries asked, without credentials, with their reasons
	Why   string   // "" if they answered that they do not have it
	Asked bool     // a registry was asked that Tried does not list
	// NoSource is set if the registry has the package, but only in compiled form.
	NoSource bool
}

func (e *NotFoundError) Error() string {
	why := e.Why
	if why == "" {
		why = "not found at " + strings.Join(e.Tried, ", ")
	}
	return fmt.Sprintf("fetch %q: %s", e.PURL, why)
}

// Answer is the answer of a registry that does not give a package.
type Answer int

const (
	NoAnswer  Answer = iota // it was not asked, or said something else
	NoPackage               // it has no such package or version
	NoSource                // it has the package only in compiled form
)

// AnswerOf returns the answer of a registry that an error contains.
func AnswerOf(err error) Answer {
	e, ok := errors.AsType[*NotFoundError](err)
	switch {
	case !ok || !e.Asked && len(e.Tried) == 0:
		return NoAnswer
	case e.NoSource:
		return NoSource
	}
	return NoPackage
}

// IntegrityError reports that a download differs from what its registry announced.
type IntegrityError struct {
	URL       string
	Want, Got string // "algorithm-checksum"; Want is "" if none was announced
}

func (e *IntegrityError) Error() string {
	if e.Want == "" {
		return fmt.Sprintf("fetch %s: the registry announces no checksum that can be checked", e.URL)
	}
	return fmt.Sprintf("fetch %s: checksum is %s, the registry announced %s", e.URL, e.Got, e.Want)
}

// Broken reports whether an error of Walk means that an archive is damaged, exceeds its limits or has a wrong checksum.
// Walk has then returned no file of it.
func Broken(err error) bool {
	var archive *ArchiveError
	var limit *LimitError
	var sum *IntegrityError
	return errors.As(err, &archive) || errors.As(err, &limit) || errors.As(err, &sum)
}

// Errors of requests and of limits.
type (
	FetchError   = web.FetchError
	OfflineError = web.OfflineError
)
