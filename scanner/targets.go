package scanner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/history"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/self"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Tree scans the files of a work tree below paths. Paths are relative to root, with slashes; no paths means all files. repo is
// nil outside a repository.
func (s *Scanner) Tree(ctx context.Context, repo *git.Repo, root string, paths []string) (*finding.Report, error) {
	s = s.at(examine.Project{Self: self.Of(self.OnDisk(root), repo), Notices: verdict.OnDisk(root), Dates: repo != nil})
	r := s.report(finding.Target{Kind: "tree"})
	var files []git.File
	var err error
	if repo != nil {
		files, err = repo.WorkTree(ctx, paths, r.Skipped)
	} else {
		files, err = git.Files(ctx, root, paths, r.Skipped)
	}
	if err != nil {
		return nil, err
	}
	vendored := make(map[string]int)
	var ins []examine.Input
	for _, f := range files {
		if dir := s.Vendored(f.Path, paths); dir != "" {
			vendored[dir]++
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		ins = append(ins, examine.Input{Path: f.Path, Read: func(context.Context) ([]byte, error) { return git.ReadFile(name, s.o.MaxFileSize) }})
	}
	r.NoteVendored(vendored)
	in := targetdates.History{Repo: repo, Head: "HEAD"}
	if repo != nil {
		in.Gone = s.changedSince(repo, root)
	}
	r.AddVendored(s.vendoredPackages(ctx, onDisk(root, files), nil, paths))
	return s.scan(ctx, r, ins, in)
}

// scan examines inputs, dates the findings and finishes the report.
func (s *Scanner) scan(ctx context.Context, r *examine.Draft, ins []examine.Input, h targetdates.History) (*finding.Report, error) {
	work := func(ctx context.Context, w *examine.Worker, in examine.Input) (examine.Output, error) {
		if s.Excluded(in.Path) {
			return examine.Output{Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonExcluded, Detail: "by pattern"}}}, nil
		}
		return w.Input(ctx, in)
	}
	err := pool.List(ctx, s.pool(), ins, work, func(_ examine.Input, o examine.Output) error {
		r.Take(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	note, err := targetdates.Date(ctx, s.readers(), r.Found, &h)
	if err != nil {
		return nil, err
	}
	if note != nil {
		r.Ledger = append(r.Ledger, *note)
	}
	if err := targetdates.Directions(ctx, s.Examiner, r.List()); err != nil {
		return nil, err
	}
	if note, err = targetdates.DateByOtherHistories(ctx, r.Found, h); err != nil {
		return nil, err
	}
	if note != nil {
		r.Ledger = append(r.Ledger, *note)
	}
	return r.Finish(), nil
}

// Staged scans the staged files.
func (s *Scanner) Staged(ctx context.Context, repo *git.Repo) (*finding.Report, error) {
	s = s.at(examine.Project{Self: self.Of(self.InCommit(ctx, repo, "HEAD"), repo), Notices: verdict.InIndex(repo), Dates: true})
	r := s.report(finding.Target{Kind: "staged"})
	c, err := repo.Staged(ctx, r.Skipped)
	if err != nil {
		return nil, err
	}
	vs, err := s.vendoredInChange(ctx, repo, c, func() ([]git.File, error) { return repo.StagedFiles(ctx, func(string) bool { return true }) })
	if err != nil {
		return nil, err
	}
	gone := func(context.Context) ([]git.File, error) { return c.Deleted, nil }
	r.AddVendored(vs)
	ins, err := s.changed(ctx, repo, r, c)
	if err != nil {
		return nil, err
	}
	return s.scan(ctx, r, ins, targetdates.History{Repo: repo, Head: "HEAD", Gone: gone})
}

// Diff scans the files that a range changes, as a whole. A finding is kept if one of its matched runs touches a new line.
func (s *Scanner) Diff(ctx context.Context, repo *git.Repo, spec string) (*finding.Report, error) {
	r := s.report(finding.Target{Kind: "diff"})
	c, err := repo.Diff(ctx, spec, r.Skipped)
	if err != nil {
		return nil, err
	}
	s = s.at(examine.Project{Self: self.Of(self.InCommit(ctx, repo, c.Base.Name), repo), Notices: verdict.InCommit(repo, c.Head.Name), Dates: true})
	r.Target.Base, r.Target.Head = c.Base.Name, c.Head.Name
	vs, err := s.vendoredInChange(ctx, repo, c, func() ([]git.File, error) { return repo.FilesAt(ctx, c.Head.Name, "", nil) })
	if err != nil {
		return nil, err
	}
	r.AddVendored(vs)
	ins, err := s.changed(ctx, repo, r, c)
	if err != nil {
		return nil, err
	}
	return s.scan(ctx, r, ins, targetdates.History{Repo: repo, Head: c.Head.Name, Base: c.Base.Name})
}

// changed makes inputs of changes. Findings in code that existed before the change are dropped.
func (s *Scanner) changed(ctx context.Context, repo *git.Repo, r *examine.Draft, cmp git.Comparison) ([]examine.Input, error) {
	old := oldCodeOf(ctx, s, repo, cmp)
	vendored := make(map[string]int)
	var ins []examine.Input
	var blobs []git.Hash
	for _, c := range cmp.Changes {
		if dir := s.Vendored(c.Path, nil); dir != "" {
			vendored[dir]++
			continue
		}
		noteConfig(r, s.o.Config, c)
		added := old.added(ctx, c)
		ins = append(ins, examine.Input{Path: c.Path, Read: examine.Blob(repo, c.Blob, s.o.MaxFileSize), Keep: old.keep(added), Added: added})
		blobs = append(blobs, c.Blob)
	}
	r.NoteVendored(vendored)
	return ins, repo.Unfolding(s.o.MaxFileSize).Add(ctx, blobs...)
}

// at returns a scanner for a target.
func (s *Scanner) at(t examine.Project) *Scanner { return &Scanner{s.For(t), s.o} }

// pool returns the workers of a scan.
func (s *Scanner) pool() pool.Pool[*examine.Worker] {
	return pool.Pool[*examine.Worker]{Workers: s.o.Workers, New: s.NewWorker, Progress: s.o.Progress}
}

// readers returns the readers of older contents, by which findings are dated.
func (s *Scanner) readers() targetdates.Readers {
	return targetdates.Readers{Pool: s.pool(), MaxFileSize: s.o.MaxFileSize, Memory: s.o.Memory, Stamp: history.CacheMagic + s.o.Version}
}

// changedSince lists the files of HEAD that the work tree lacks or has changed.
func (s *Scanner) changedSince(repo *git.Repo, root string) func(context.Context) ([]git.File, error) {
	return func(ctx context.Context) ([]git.File, error) {
		files, err := repo.HeadFiles(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the files of HEAD: %w", err)
		}
		return slices.DeleteFunc(files, func(f git.File) bool {
			if ctx.Err() != nil || !filepath.IsLocal(filepath.FromSlash(f.Path)) {
				return true
			}
			text, err := git.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)), s.o.MaxFileSize)
			return err == nil && git.BlobHash(text) == f.Blob
		}), ctx.Err()
	}
}

// noteConfig reports that a change modifies the file that decides what is reported.
func noteConfig(r *examine.Draft, config string, c git.Change) {
	if config != "" && c.Path == config {
		r.Suppressions = append(r.Suppressions, finding.Suppression{By: "configuration", Path: c.Path, State: finding.Changed, Added: true,
			Detail: "the change examined changes the policy it is judged by"})
	}
}

// History scans every distinct content of the selected commits once, and follows each region through the commits. It reports the
// commit in which the region entered, its edits, and the commit in which it left or its location at the tip.
func (s *Scanner) History(ctx context.Context, repo *git.Repo, sel git.Selection) (*finding.Report, error) {
	own := self.Of(self.InCommit(ctx, repo, "HEAD"), repo)
	known, err := s.Packages()
	if err != nil {
		return nil, err
	}
	own.Resolve(known) // the disk cache depends on the names of the own packages
	s = s.at(examine.Project{Self: own, Notices: verdict.InCommit(repo, "HEAD"), Traces: true})
	o := history.Options{Selection: sel, Workers: s.o.Workers, Cache: s.o.Cache, Key: s.o.Version + "\x00" + s.o.Config, Progress: s.o.Progress}
	r, err := history.Scan(ctx, s.Examiner, repo, s.report(finding.Target{Kind: "history"}), o)
	if err != nil || r.Target.Head == "" {
		return r, err
	}
	files, err := repo.FilesAt(ctx, r.Target.Head, "", nil)
	if err != nil {
		return nil, err
	}
	asked := git.Under(sel.Paths)
	files = slices.DeleteFunc(files, func(f git.File) bool { return !asked(f.Path) })
	r.AddVendored(s.vendoredPackages(ctx, inRepo(ctx, repo, files), nil, sel.Paths))
	return r, nil
}
