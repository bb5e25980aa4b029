// Package repos turns a git repository into packages for a baseline: the files of a revision, or of every tag that matches a
// pattern. Objects are read from the packs; nothing is checked out. Packages (repos.go) is the entry; tags.go chooses tags, submodules.go
// has the packages of submodules.
package repos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Options say which packages to make from a repository.
type Options struct {
	From string // its address, as shown to people
	PURL string // without version; "" derives it from the remote's address
	Ref  string // a revision; "" means HEAD if Tags is also ""
	Tags string // a pattern of tag names, such as v1.* ; every match is a package

	Versions string // selects among tags with a version number, in the form of source.Choose; "" selects all

	Turn *Turn // of all repositories whose packages are read in turn; may be nil
}

// Turn releases the memory of a repository when the packages of the next one are read. So only one of many repositories keeps its
// memory.
type Turn struct {
	mu   sync.Mutex
	repo interface{ GiveBack() }
}

func (t *Turn) take(repo interface{ GiveBack() }) {
	if t == nil {
		return
	}
	t.mu.Lock()
	before := t.repo
	t.repo = repo
	t.mu.Unlock()
	if before != nil && before != repo {
		before.GiveBack()
	}
}

// NeedPURLError says that the package URL of a repository cannot be determined.
type NeedPURLError struct{ From string }

func (e *NeedPURLError) Error() string {
	return fmt.Sprintf("open repository %q: no address of a remote shows which package it is; name it with --purl", e.From)
}

// NoTagError says that no tag matches.
type NoTagError struct {
	From, Pattern string
	Untagged      bool // no tag has a version, and no version was named
}

func (e *NoTagError) Error() string {
	return fmt.Sprintf("open repository %q: no tag matches %q", e.From, e.Pattern)
}

// Packages returns the packages of a repository, which must stay open while they are read. The release date of a package is the
// date of its commit. lost counts tags that git.Repo.Tags leaves out.
func Packages(ctx context.Context, repo *git.Repo, o Options) (pkgs []*source.Package, lost int, err error) {
	o.Turn.take(repo)
	name, err := o.name(repo)
	if err != nil {
		return nil, 0, err
	}
	if !o.many() {
		p, err := atRevision(ctx, repo, name, o)
		if err != nil {
			return nil, 0, err
		}
		return []*source.Package{p}, 0, nil
	}
	if _, err := path.Match(o.Tags, ""); err != nil {
		return nil, 0, fmt.Errorf("match tags with %q: %w", o.Tags, err)
	}
	tags, lost, err := repo.Tags(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("list tags of %q: %w", o.From, err)
	}
	chosen, err := o.choose(ctx, repo, name, tags)
	if err != nil {
		return nil, 0, err
	}
	if len(chosen) > maxPackages {
		return nil, lost, &source.LimitError{Subject: o.From, Limit: "tags", Max: maxPackages}
	}
	if pkgs, err = o.each(ctx, repo, name, chosen); err != nil {
		return nil, 0, err
	}
	if pkgs == nil {
		return nil, lost, &NoTagError{o.From, cmp.Or(o.Tags, o.Versions), o.Tags == "" && !strings.Contains(o.Versions, "..") && !slices.ContainsFunc(tags, versioned)}
	}
	return pkgs, lost, nil
}

// Untagged returns the packages of a repository in which no tag has a version. Its commits stand for versions: if a spread is asked
// for, commits at equal distances on the first-parent line of HEAD, else only the newest.
func Untagged(ctx context.Context, repo *git.Repo, o Options) ([]*source.Package, error) {
	name, err := o.name(repo)
	if err != nil {
		return nil, err
	}
	line, err := mainline(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("open repository %q: %w", o.From, err)
	}
	count, _ := source.CountOf(o.Versions)
	if !count.Spread {
		count = source.Count{N: 1}
	}
	chosen := source.Take(count, line)
	if len(chosen) > maxPackages {
		return nil, &source.LimitError{Subject: o.From, Limit: "commits", Max: maxPackages}
	}
	return o.each(ctx, repo, name, chosen)
}

// each returns the packages of tags. A commit that stands for a version has no name of a tag.
func (o Options) each(ctx context.Context, repo *git.Repo, name purl.PURL, tags []git.Tag) (pkgs []*source.Package, err error) {
	for _, t := range tags {
		c, err := repo.Describe(ctx, t.Commit)
		if err != nil {
			return nil, fmt.Errorf("open repository %q: %w", o.From, err)
		}
		pkgs = append(pkgs, o.at(repo, c, name, cmp.Or(t.Name, c.Name)))
	}
	return pkgs, nil
}

// maxPackages bounds the packages of one repository.
const maxPackages = 100_000

// many reports whether tags are asked for.
func (o Options) many() bool { return o.Tags != "" || o.Versions != "" }

// name returns the package URL without version.
func (o Options) name(repo *git.Repo) (purl.PURL, error) {
	if o.PURL != "" {
		u, err := purl.Parse(o.PURL)
		if err == nil && u.Version != "" && o.many() {
			err = &purl.SyntaxError{PURL: o.PURL, Err: errors.New("it names a version, and each tag is one")}
		}
		return u, err
	}
	for _, addr := range []string{o.From, repo.Remote("origin")} {
		if u, ok := forge(addr); ok {
			return u, nil
		}
	}
	return purl.PURL{}, &NeedPURLError{o.From}
}

// forge reads owner and name from an address on a forge that has package URLs.
func forge(addr string) (purl.PURL, bool) {
	host, name, ok := purl.Repository(addr)
	if !ok || strings.Count(name, "/") != 1 {
		return purl.PURL{}, false
	}
	for typ, at := range purl.Hosts {
		if at == host {
			p, err := purl.Parse(purl.Make(typ, name, ""))
			return p, err == nil
		}
	}
	return purl.PURL{}, false
}

// atRevision returns the package of one revision.
func atRevision(ctx context.Context, repo *git.Repo, name purl.PURL, o Options) (*source.Package, error) {
	rev := cmp.Or(o.Ref, "HEAD")
	c, err := repo.Resolve(ctx, rev)
	if err != nil {
		return nil, fmt.Errorf("open repository %q: %w", o.From, err)
	}
	tag, err := tagOf(ctx, repo, c.ID, rev)
	if err != nil {
		return nil, err
	}
	return o.at(repo, c, name, cmp.Or(name.Version, tag, c.Name)), nil
}

// at returns the package of a commit.
func (o Options) at(repo *git.Repo, c git.Commit, name purl.PURL, version string) *source.Package {
	from := fmt.Sprintf("%s at %s", o.From, c.Name)
	p := source.New(from, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		o.Turn.take(repo)
		return revision{repo, from, c.Name}.walk(ctx, lim, file, skipped)
	})
	p.PURL, p.Released = purl.Make(name.Type, purl.FullName(name), version), c.CommitTime.UTC()
	return p
}

// Committed returns when a commit of the repository in a directory was made, which is the release date of its package. It
// returns zero if the commit cannot be read. It runs no program.
func Committed(ctx context.Context, dir, commit string) (at time.Time) {
	repo, err := git.Open(ctx, dir, git.Options{})
	if err != nil {
		return at
	}
	defer repo.Close()
	c, err := repo.Resolve(ctx, commit)
	if err != nil {
		return at
	}
	return c.CommitTime.UTC()
}

// tagOf returns rev if it is the name of a tag of the commit, else "".
func tagOf(ctx context.Context, repo *git.Repo, id git.Hash, rev string) (string, error) {
	c, err := repo.Resolve(ctx, "refs/tags/"+rev)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || c.ID != id {
		return "", nil
	}
	return rev, nil
}

// revision is a commit of a repository.
type revision struct {
	repo   *git.Repo
	from   string // as shown to people
	commit string
}

// omission is an entry of a commit that is not read.
type omission struct{ path, reason, detail string }

// walk reads the files of a commit in the order of their paths. It refuses a commit whose directories cannot be read, or that is
// larger than an archive may be, before it passes on any file. Each file is checked against its hash. A missing or damaged file is
// listed, as in a scan, and the others are read.
func (r revision) walk(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
	list, left, err := r.list(ctx, lim)
	if err != nil {
		return err
	}
	for _, o := range left {
		skipped(o.path, o.reason, o.detail)
	}
	for _, f := range list {
		data, err := r.repo.Blob(ctx, f.Blob, lim.FileBytes)
		if reason := reasonOf(err); reason != "" {
			skipped(f.Path, reason, err.Error())
			continue
		}
		if err != nil {
			return err
		}
		if err := file(f.Path, slices.Clone(data)); err != nil { // data may belong to a cache
			return err
		}
	}
	return nil
}

// reasonOf returns the ledger's reason for a file that is missing or damaged. It returns "" for other errors.
func reasonOf(err error) string {
	if _, large := errors.AsType[*git.TooLargeError](err); large {
		return files.ReasonTooLarge
	}
	if _, missing := errors.AsType[*git.MissingObjectError](err); missing {
		return string(finding.ReasonMissing)
	}
	_, refused := errors.AsType[*fs.PathError](err)
	if _, damaged := errors.AsType[*git.CorruptError](err); damaged || refused {
		return string(finding.ReasonDamaged)
	}
	return ""
}

// list returns the files of a commit to read, without vendored directories. left has every other entry of the commit.
func (r revision) list(ctx context.Context, lim source.Limits) (list []git.File, left []omission, err error) {
	all, err := r.repo.FilesAt(ctx, r.commit, "", func(path string, reason git.Reason, detail string) {
		if _, foreign := files.Foreign(path); foreign == "" {
			left = append(left, omission{path, string(reason), detail})
		}
	})
	if err != nil && git.IsUnreadable(err) {
		err = &source.ArchiveError{Archive: r.from, Err: err}
	}
	if err != nil {
		return nil, nil, err
	}
	last, blobs := "", []git.Hash(nil)
	for _, f := range all {
		dir, reason := files.Foreign(f.Path)
		switch {
		case reason == "":
			list, blobs = append(list, f), append(blobs, f.Blob)
		case dir != last:
			left = append(left, omission{dir, reason, ""})
		}
		last = dir
	}
	slices.SortStableFunc(left, func(a, b omission) int { return strings.Compare(a.path, b.path) })
	unpacked, packed := int64(0), sync.OnceValue(r.repo.Size)
	sizes, err := r.repo.BlobSizes(ctx, blobs)
	for _, size := range sizes {
		if size > lim.FileBytes {
			continue // it is not read
		}
		unpacked += size
		if err := lim.CheckUnpacked(r.from, unpacked, packed); err != nil {
			return nil, nil, err
		}
	}
	return list, left, err
}
