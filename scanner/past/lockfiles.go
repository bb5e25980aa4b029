package past

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// maxPinned limits the commits whose lock files are read. Few findings have an origin without a date.
const maxPinned = 64

// notAllPins is the note for an origin that no lock file was read for.
var notAllPins = fmt.Sprintf("the lock files of %d other commits were read", maxPinned)

// pins bounds the age of origins without a date by the lock files of the target. If one named the origin's version just before the commit
// that brought a region, the origin is older than that commit. The lock files are those in the directory of the finding and above it.
type pins struct {
	repo  *git.Repo
	limit int64 // bytes of a lock file
	named map[git.Hash]map[string]bool
	asked map[git.Hash]bool // commits
}

func newPins(repo *git.Repo, maxFileSize int64) *pins {
	return &pins{repo: repo, limit: maxFileSize, named: map[git.Hash]map[string]bool{}, asked: map[git.Hash]bool{}}
}

// DateByLockFiles bounds the age of the origins without a date of findings that were dated by a whole history.
func DateByLockFiles(ctx context.Context, fs []*finding.Finding, repo *git.Repo, maxFileSize int64) error {
	p := newPins(repo, maxFileSize)
	for _, f := range fs {
		if f.Introduced == nil {
			continue
		}
		c, err := repo.Resolve(ctx, f.Introduced.Commit)
		if err != nil {
			return err
		}
		if err := p.date(ctx, f, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// byLockFiles does the same for regions, before other files are searched for those that are accused.
func (d *dater) byLockFiles(ctx context.Context, regions []*region) error {
	p := newPins(d.Repo, d.MaxFileSize)
	for _, r := range regions {
		if r.commit < 0 || r.older {
			continue
		}
		if err := p.date(ctx, &r.finding.Finding, d.trail.ID(r.commit)); err != nil {
			return err
		}
	}
	return nil
}

// date bounds the age of the origins of a finding that entered with a commit.
func (p *pins) date(ctx context.Context, f *finding.Finding, entry git.Hash) error {
	undated := func(o finding.Origin) bool { return o.First == nil && o.Released == nil }
	if !slices.ContainsFunc(f.Origins, undated) {
		return nil
	}
	c, err := p.repo.Describe(ctx, entry)
	if err != nil || len(c.Parents) == 0 {
		return ctx.Err()
	}
	before, err := p.repo.Describe(ctx, c.Parents[0])
	if err != nil { // a shallow clone lacks it
		return ctx.Err()
	}
	f.Origins = slices.Clone(f.Origins) // findings of one content share them
	if !p.asked[before.ID] && len(p.asked) == maxPinned {
		for i := range f.Origins {
			if o := &f.Origins[i]; undated(*o) {
				o.First = &finding.Interval{From: finding.FromLockFile, Note: notAllPins}
			}
		}
		return nil
	}
	p.asked[before.ID] = true
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if err := p.dateBy(ctx, f, before, dir); err != nil || dir == "." {
			return err
		}
	}
}

// dateBy bounds the age of the origins without a date by the lock files that a directory had at a commit.
func (p *pins) dateBy(ctx context.Context, f *finding.Finding, at git.Commit, dir string) error {
	if dir == "." {
		dir = ""
	}
	files, err := p.repo.Dir(ctx, at.Name, dir)
	if err != nil { // as if the lock file did not exist
		return ctx.Err()
	}
	for _, file := range files {
		named, err := p.read(ctx, file)
		if err != nil {
			return err
		}
		for i := range f.Origins {
			if o := &f.Origins[i]; o.First == nil && o.Released == nil && named[o.PURL] {
				o.First = &finding.Interval{Present: &finding.Point{PURL: o.PURL, Time: finding.UTC(at.CommitTime)}, From: finding.FromLockFile,
					Note: file.Path + " named it then"}
			}
		}
	}
	return nil
}

// read returns the package URLs that a file names, if it is a lock file that can be read.
func (p *pins) read(ctx context.Context, file git.File) (map[string]bool, error) {
	format, sums := lockfile.Of(file.Path), path.Base(file.Path) == "go.sum"
	if format == nil && !sums {
		return nil, nil
	}
	if named, ok := p.named[file.Blob]; ok {
		return named, nil
	}
	named := map[string]bool{}
	p.named[file.Blob] = named
	data, err := p.repo.Blob(ctx, file.Blob, p.limit)
	if err != nil {
		return named, ctx.Err()
	}
	if sums {
		addSums(named, string(data))
		return named, nil
	}
	content, err := format.Read(data, lockfile.Poms{})
	if err != nil {
		return named, nil
	}
	for _, pin := range content.Pins {
		if c, err := purl.Canonical(pin.PURL); err == nil {
			named[c] = true
		}
	}
	return named, nil
}

// addSums adds the modules of a go.sum whose files were downloaded, not only their go.mod.
func addSums(named map[string]bool, text string) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			named[purl.Golang(f[0], f[1])] = true
		}
	}
}
