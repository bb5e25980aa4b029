// Package source turns what a user names into packages of files: the first stage
// of building a baseline. A path, an archive, a go.mod or a package URL flows in;
// packages flow out, each with its identity. On request a package gives its
// files, one after another in bytewise order of their paths, and everything that
// was left out and why.
//
// Archives and registries are not trusted. Nothing is unpacked under names they
// choose: files are read into memory one at a time, from a temporary file with no
// name of theirs. Every count, size and ratio is bounded by [Limits].
//
// Package.License is what metadata declares, in its own words: turn it into an
// SPDX expression before use.
package source

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// Reasons for what is left out, as given to the skipped function and in [Skipped].
// The package files has those of files.
const (
	ReasonTooLarge   = files.ReasonTooLarge
	ReasonVendored   = files.ReasonVendored
	ReasonTestdata   = files.ReasonTestdata
	ReasonSymlink    = files.ReasonSymlink
	ReasonUnreadable = files.ReasonUnreadable
	ReasonLocal      = "local-replace" // replaced by a directory: the user's own code
	ReasonMissing    = "missing"
	ReasonMetadata   = "no-metadata"
	ReasonChecksum   = "unreadable-checksum" // the lock file's: nothing is downloaded that cannot be compared with it
	ReasonNoLock     = "no-lock-file"        // nothing says which versions a manifest stands for
)

// Limits bound one package. Zero fields have the values of [DefaultLimits].
type Limits = files.Limits

// Errors of files that are refused or damaged.
type (
	LimitError   = files.LimitError
	ArchiveError = files.ArchiveError
)

// DefaultLimits returns the bounds used for zero fields.
func DefaultLimits() Limits { return files.DefaultLimits() }

// Package is one version of a package that can be read.
type Package struct {
	PURL     string
	License  string    // as declared by metadata, may be ""
	Asked    bool      // License is what the user gave, or known of a standard library: no file at the root says otherwise
	Released time.Time // zero when unknown
	From     string    // where it is read from, as shown to people; holds no credentials

	Repository string // https address of the repository that its manifest names

	packed time.Time // the latest date of a file in its archive
	named  string    // address of the repository that the manifest in a download names
	walk   func(context.Context, *files.Visit) error
	remote bool // walk downloads
}

// Options say how arguments are read. The caller takes them from flags,
// environment and configuration; nothing here looks at the environment.
type Options struct {
	PURL     string    // the identity of a directory or archive; overrides what metadata says
	License  string    // overrides what metadata declares
	Released time.Time // overrides what metadata says

	Offline     bool              // never use the network
	ModCache    string            // GOMODCACHE
	GoRoot      string            // GOROOT, for Dependencies
	Here        string            // the working directory of the person to whom Dependencies names commands; "" means the repository's root
	GoProxy     string            // GOPROXY; "" means the Go command's default
	GoPrivate   string            // GONOPROXY or GOPRIVATE: modules never asked of a proxy
	Sums        *Sums             // checks what proxies deliver; nil checks nothing
	NPMRegistry string            // npm_config_registry; "" means the public one
	NPMScopes   map[string]string // registries of scopes, such as "@acme"
	HTTP        *http.Client      // nil means one with time limits, which asks no local network

	Registries  *remote.Registries // of other ecosystems; nil means the public ones
	Credentials remote.Credentials // each for its own host
	Downloads   string             // directory that keeps what Walk downloads; "" keeps nothing

	// Places says where the tools of an ecosystem, a type of package URLs, keep
	// packages. It is asked once for each type that occurs; nil means nowhere.
	Places func(typ string) installed.Places

	// Clone opens a commit of the git repository at an https address as a package; nil clones nothing.
	Clone func(ctx context.Context, name, addr, commit string) (*Package, error)

	// Committed tells when a commit of the git repository in a directory of this machine was made, zero when that cannot
	// be told; nil tells it of none.
	Committed func(dir, commit string) time.Time

	Limits  Limits        // for what Open itself reads
	Skipped func(Skipped) // told what Open leaves out; may be nil

	// Lacking is told by Dependencies of each lock file, as a shell reads its path, how many packages it pins that are not on
	// this machine: Open can download them. It may be nil.
	Lacking func(lock string, packages int)

	goSum  map[module.Version]string // checksums of the go.sum beside a go.mod
	get    remote.Get                // fetches documents; nil asks the registries
	silent time.Duration             // how long a server may say nothing; 0 means silentTimeout
}

// Skipped is something that was found but gave no package.
type Skipped struct {
	Path   string // a path, or a package URL for what has no path
	Reason string
	Detail string
	Bring  string // the command that would bring what is missing to this machine
}

func (o Options) skip(path, reason, detail string) {
	o.skipped(Skipped{Path: path, Reason: reason, Detail: detail})
}

// lacks skips a package that is not to be had, and names the command that brings it.
func (o Options) lacks(name, detail, bring string) { o.wants(name, ReasonMissing, detail, bring) }

// wants skips what a command would bring.
func (o Options) wants(name, reason, detail, bring string) {
	if bring != "" {
		detail += fmt.Sprintf(": run %q", bring)
	}
	o.skipped(Skipped{Path: name, Reason: reason, Detail: detail, Bring: bring})
}

func (o Options) skipped(s Skipped) {
	if o.Skipped != nil {
		o.Skipped(s)
	}
}

// Walk calls file for each regular file of the package and skipped, which may be
// nil, for everything else found in it, both in bytewise order of paths. Paths
// have slashes and are relative to the package's root; a skipped directory is
// named once, with a slash at its end. file may keep data. An error of file ends
// the walk and is returned as it is. Walk can be called again, and from several
// goroutines.
func (p *Package) Walk(ctx context.Context, lim Limits, file func(path string, data []byte) error, skipped func(path, reason, detail string)) error {
	if skipped == nil {
		skipped = func(string, string, string) {}
	}
	return p.walk(ctx, &files.Visit{Limits: lim.WithDefaults(), File: file, Skipped: skipped, Dated: func(t time.Time) { p.packed = t },
		Named: func(m manifest.Meta) { p.named = m.Repository }})
}

// Published is the address of the repository that the package names: as its registry says, else as its manifest did when Walk
// read it.
func (p *Package) Published() string { return cmp.Or(p.Repository, p.named) }

// firstPacked is later than the dates that tools put into archives in place of those of
// files: 1970, 1980, npm's 1985, Cargo's 2006.
var firstPacked = time.Date(2007, 1, 1, 0, 0, 0, 0, time.UTC)

// Packed is the day of the latest file in the archive that Walk has read, zero if its
// files have no dates of their own, or dates after that of the release.
func (p *Package) Packed() time.Time {
	if p.packed.Before(firstPacked) || p.packed.After(p.Released) {
		return time.Time{}
	}
	return p.packed.UTC().Truncate(24 * time.Hour)
}

// Open returns the packages an argument names, ordered by package URL:
//
//   - a directory: the module cache or a module in it, a Go distribution, a
//     node_modules folder, a vendor folder with modules.txt, or one package named
//     by o.PURL, go.mod or package.json;
//   - a go.mod file: every module it requires, from the module cache, else from a proxy;
//   - a lock file: every package it lists, from where it lies on this machine, else
//     from its registry;
//   - an archive: zip, jar, whl, tar, tar.gz, tgz, crate, gem;
//   - a package URL of type golang or npm, fetched when it is not in the module cache.
func Open(ctx context.Context, arg string, o Options) ([]*Package, error) {
	o.Limits = o.Limits.WithDefaults()
	if o.HTTP == nil {
		o.HTTP = newClient(o)
	}
	if o.PURL != "" {
		c, err := purl.Canonical(o.PURL)
		if err != nil {
			return nil, err
		}
		o.PURL = c
	}
	pkgs, err := open(ctx, arg, o)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		o.override(p)
	}
	return pkgs, nil
}

func (o Options) override(p *Package) {
	if o.License != "" {
		p.License, p.Asked = o.License, true
	}
	if !o.Released.IsZero() {
		p.Released = o.Released
	}
	p.Released = p.Released.UTC()
}

func open(ctx context.Context, arg string, o Options) ([]*Package, error) {
	if purl.Is(arg) {
		return openPURL(ctx, arg, o)
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return nil, fmt.Errorf("open source: %w", err)
	case info.IsDir():
		return openDir(ctx, filepath.Clean(arg), o)
	case !info.Mode().IsRegular():
		return nil, &UnknownSourceError{Arg: arg, Why: "neither a regular file nor a directory"}
	case strings.HasSuffix(arg, ".dsc"):
		return openControl(ctx, arg, o)
	case o.PURL != "":
		return openArchive(ctx, arg, o)
	case filepath.Base(arg) == "go.mod":
		return openGoMod(ctx, arg, o)
	}
	if f := lockfile.Of(arg); f != nil {
		return openLock(ctx, arg, f, o)
	}
	return openArchive(ctx, arg, o)
}

// openDir tries the kinds of directories, the most specific first. A package URL
// of the user's makes any of them one plain package.
func openDir(ctx context.Context, dir string, o Options) ([]*Package, error) {
	if o.PURL != "" {
		return []*Package{dirPackage(dir, manifest.Meta{PURL: o.PURL})}, nil
	}
	for _, try := range []func(context.Context, string, Options) ([]*Package, error){
		openModCache, openGoRoot, openNodeModules, openVendor, openNamedDir,
	} {
		if pkgs, err := try(ctx, dir, o); pkgs != nil || err != nil {
			return pkgs, err
		}
	}
	return nil, &NeedPURLError{Arg: dir}
}

// openNamedDir opens a directory that metadata in it names.
func openNamedDir(_ context.Context, dir string, _ Options) ([]*Package, error) {
	m, err := dirMeta(dir)
	if err != nil || m.PURL == "" {
		return nil, err
	}
	return []*Package{dirPackage(dir, m)}, nil
}

func dirPackage(dir string, m manifest.Meta) *Package {
	return &Package{PURL: m.PURL, License: m.License, Released: m.Released, Repository: m.Repository, From: dir,
		walk: func(ctx context.Context, v *files.Visit) error { return files.WalkDir(ctx, dir, nil, v) }}
}

// dirMeta reads go.mod or package.json of a directory. A go.mod knows no version.
func dirMeta(dir string) (manifest.Meta, error) {
	mod, err := files.ReadSmall(filepath.Join(dir, "go.mod"))
	if err != nil && !os.IsNotExist(err) {
		return manifest.Meta{}, err
	}
	if path := modulePath(mod); path != "" {
		return manifest.Meta{PURL: purl.Golang(path, "")}, nil
	}
	pkg, err := files.ReadSmall(filepath.Join(dir, "package.json"))
	if err != nil && !os.IsNotExist(err) {
		return manifest.Meta{}, err
	}
	return manifest.NPM(pkg), nil
}
