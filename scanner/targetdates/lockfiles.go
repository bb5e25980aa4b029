package targetdates

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// maxPinned limits the commits whose lock files are read. Few findings have an origin without a date.
const maxPinned = 64

// maxLockBytes limits the lock files of a scan together, in bytes. A file counts as a page at least, so there are at most 4,096.
const (
	maxLockBytes = 1 << 28
	lockPage     = 1 << 16
)

// notAllPins is the note for an origin that a lock file may name that was not read.
var notAllPins = fmt.Sprintf("a scan reads the lock files of %d commits, at most %d MB", maxPinned, maxLockBytes>>20)

// pins bounds the age of origins without a date by the lock files of the target. If one named the origin's version just before the commit
// that brought a region, the origin is older than that commit. The lock files are those in the directory of the finding and above it.
type pins struct {
	repo   *git.Repo
	clocks *Clocks
	limit  int64 // bytes of a lock file
	left   int64 // bytes of all lock files that may still be read
	unread bool  // one is missing or damaged

	wanted map[string]bool              // package URLs of origins without a date
	named  map[lockText]map[string]bool // those of them that a text names
	before map[git.Hash]*git.Commit     // the first parent, by commit; nil if there is none
	asked  map[git.Hash]bool            // commits
	found  map[treeDir][]git.File       // lock files
}

// lockText is a text and what it is read as.
type lockText struct {
	blob git.Hash
	as   string
}

// treeDir is a directory of a commit.
type treeDir struct {
	commit git.Hash
	dir    string
}

func newPins(repo *git.Repo, clocks *Clocks, maxFileSize int64) *pins {
	return &pins{repo: repo, clocks: clocks, limit: maxFileSize, left: maxLockBytes, wanted: map[string]bool{}, named: map[lockText]map[string]bool{},
		before: map[git.Hash]*git.Commit{}, asked: map[git.Hash]bool{}, found: map[treeDir][]git.File{}}
}

// DateByLockFiles bounds the age of the origins without a date of findings that were dated by a whole history, and by its clocks. unread
// reports that a lock file is missing or damaged.
func DateByLockFiles(ctx context.Context, fs []*finding.Finding, repo *git.Repo, clocks *Clocks, maxFileSize int64) (unread bool, err error) {
	p := newPins(repo, clocks, maxFileSize)
	for _, f := range fs {
		p.want(f)
	}
	for _, f := range fs {
		if f.Introduced == nil || !hasUndated(f) {
			continue
		}
		c, err := repo.Resolve(ctx, f.Introduced.Commit)
		if err != nil {
			return false, err
		}
		if err := p.date(ctx, f, c.ID); err != nil {
			return false, err
		}
	}
	return p.unread, nil
}

// byLockFiles does the same for regions, before other files are searched for those that are accused.
func (d *dater) byLockFiles(ctx context.Context, regions []*region) error {
	if !slices.ContainsFunc(regions, func(r *region) bool { return hasUndated(&r.finding.Finding) }) {
		return nil // so the clocks, which a search of more commits would make again, are not made yet
	}
	d.clock()
	p := newPins(d.Repo, d.clocks, d.MaxFileSize)
	for _, r := range regions {
		p.want(&r.finding.Finding)
	}
	for _, r := range regions {
		if r.commit < 0 || r.older || !hasUndated(&r.finding.Finding) {
			continue
		}
		if err := p.date(ctx, &r.finding.Finding, d.trail.ID(r.commit)); err != nil {
			return err
		}
	}
	return nil
}

func undated(o finding.Origin) bool { return o.First == nil && o.Released == nil }

func hasUndated(f *finding.Finding) bool { return slices.ContainsFunc(f.Origins, undated) }

func (p *pins) want(f *finding.Finding) {
	for _, o := range f.Origins {
		if undated(o) && !moving(purl.Version(o.PURL)) {
			p.wanted[o.PURL] = true
		}
	}
}

// moving reports whether a version names other code later: a snapshot, or the end of a branch. A lock file that named it tells nothing
// of the code that the baseline has.
func moving(version string) bool {
	v := strings.ToLower(version)
	return !strings.ContainsAny(v, "0123456789") || strings.HasPrefix(v, "dev-") || strings.HasSuffix(v, "-dev") || strings.HasSuffix(v, "-snapshot")
}

// date bounds the age of the origins without a date of a finding that entered with a commit.
func (p *pins) date(ctx context.Context, f *finding.Finding, entry git.Hash) error {
	before, err := p.parent(ctx, entry)
	if before == nil || err != nil {
		return err
	}
	at := p.clocks.madeBy(before)
	if at == nil { // its clock was wrong
		return nil
	}
	f.Origins = slices.Clone(f.Origins) // findings of one content share them
	if !p.asked[before.ID] && len(p.asked) == maxPinned {
		noteNotAll(f)
		return nil
	}
	p.asked[before.ID] = true
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		files, err := p.lockFiles(ctx, before, dir)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := p.dateBy(ctx, f, file, at); err != nil {
				return err
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	if p.left <= 0 {
		noteNotAll(f)
	}
	return nil
}

func noteNotAll(f *finding.Finding) {
	for i := range f.Origins {
		if o := &f.Origins[i]; undated(*o) {
			o.First = &finding.Interval{From: finding.FromLockFile, Note: notAllPins}
		}
	}
}

// parent returns the first parent of a commit, or nil if there is none. A shallow clone may lack it.
func (p *pins) parent(ctx context.Context, entry git.Hash) (*git.Commit, error) {
	if c, ok := p.before[entry]; ok {
		return c, nil
	}
	p.before[entry] = nil
	c, err := p.repo.Describe(ctx, entry)
	if err != nil || len(c.Parents) == 0 {
		return nil, ctx.Err()
	}
	if c, err = p.repo.Describe(ctx, c.Parents[0]); err != nil {
		return nil, ctx.Err()
	}
	p.before[entry] = &c
	return &c, nil
}

// lockFiles lists the lock files that a directory had at a commit.
func (p *pins) lockFiles(ctx context.Context, at *git.Commit, dir string) ([]git.File, error) {
	if dir == "." {
		dir = ""
	}
	key := treeDir{at.ID, dir}
	if files, ok := p.found[key]; ok {
		return files, nil
	}
	files, err := p.repo.Dir(ctx, at.Name, key.dir)
	if err != nil { // as if the lock files did not exist
		return nil, ctx.Err()
	}
	p.found[key] = slices.Clone(slices.DeleteFunc(files, func(f git.File) bool { return readAs(f.Path) == "" }))
	return p.found[key], nil
}

// dateBy bounds the age of the origins without a date that a lock file names.
func (p *pins) dateBy(ctx context.Context, f *finding.Finding, file git.File, at *time.Time) error {
	named, err := p.read(ctx, file)
	for i := range f.Origins {
		if o := &f.Origins[i]; undated(*o) && named[o.PURL] {
			o.First = &finding.Interval{Present: &finding.Point{PURL: o.PURL, Time: at}, From: finding.FromLockFile, Note: file.Path + " named it then"}
		}
	}
	return err
}

const goSum = "go.sum"

// readAs returns the format of a lock file, or "".
func readAs(name string) string {
	if path.Base(name) == goSum {
		return goSum
	}
	if f := lockfile.Of(name); f != nil {
		return f.Name
	}
	return ""
}

// read returns the wanted package URLs that a lock file names, if it can be read.
func (p *pins) read(ctx context.Context, file git.File) (map[string]bool, error) {
	key := lockText{file.Blob, readAs(file.Path)}
	if named, ok := p.named[key]; ok || p.left <= 0 {
		return named, nil
	}
	named := map[string]bool{}
	p.named[key] = named
	data, err := p.repo.Blob(ctx, file.Blob, p.limit)
	p.left -= int64(max(len(data), lockPage))
	if err != nil {
		_, large := errors.AsType[*git.TooLargeError](err)
		p.unread = p.unread || !large
		return nil, ctx.Err()
	}
	namedIn(key.as, file.Path, data, func(name string) {
		if p.wanted[name] {
			named[name] = true
		}
	})
	return named, nil
}

// namedIn calls add for each package URL that a lock file names.
func namedIn(as, name string, data []byte, add func(string)) {
	if as == goSum { // modules whose files were downloaded, not only their go.mod
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
				add(purl.Golang(f[0], f[1]))
			}
		}
		return
	}
	content, err := lockfile.Of(name).Read(data, lockfile.Poms{})
	if err != nil {
		return
	}
	for _, pin := range content.Pins {
		if c, err := purl.Canonical(pin.PURL); err == nil {
			add(c)
		}
	}
}
