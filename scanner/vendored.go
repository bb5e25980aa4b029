package scanner

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/vendored"
)

// vendoredPackages lists the vendored packages among the files of a target. touched lists the files that a change adds or modifies; only
// their packages are listed, or all packages if it is nil. named lists the paths that were asked for.
func (s *Scanner) vendoredPackages(ctx context.Context, files vendored.Files, touched, named []string) []finding.Vendored {
	found := vendored.Find(ctx, files)
	of := func(int) bool { return true }
	if touched != nil {
		meant := make(map[int]bool)
		for _, p := range touched {
			meant[found.Of(p)] = true
		}
		of = func(i int) bool { return meant[i] }
	}
	return found.List(of, func(p string) bool { return s.Vendored(p, named) == "" && !s.Excluded(p) })
}

// onDisk returns the files of a work tree.
func onDisk(root string, files []git.File) vendored.Files {
	return vendored.Files{Paths: pathsOf(files), Read: func(p string, limit int64) []byte {
		return git.ReadSmall(filepath.Join(root, filepath.FromSlash(p)), limit)
	}}
}

// inRepo returns files of a commit or of the index. Files that cannot be read are ignored.
func inRepo(ctx context.Context, repo *git.Repo, files []git.File) vendored.Files {
	blobs := make(map[string]git.Hash)
	for _, f := range files {
		blobs[f.Path] = f.Blob
	}
	return vendored.Files{Paths: pathsOf(files), Read: func(p string, limit int64) []byte {
		b, ok := blobs[p]
		if !ok {
			return nil
		}
		text, err := repo.Blob(ctx, b, limit)
		if err != nil {
			return nil
		}
		return text
	}}
}

func pathsOf(files []git.File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}

// vendoredInChange lists the vendored packages that a change touches. all returns the files after the change.
func (s *Scanner) vendoredInChange(ctx context.Context, repo *git.Repo, c git.Comparison, all func() ([]git.File, error)) ([]finding.Vendored, error) {
	var touched []string
	for _, ch := range c.Changes {
		touched = append(touched, ch.Path)
	}
	if !slices.ContainsFunc(touched, vendored.Within) {
		return nil, nil
	}
	files, err := all()
	if err != nil {
		return nil, err
	}
	return s.vendoredPackages(ctx, inRepo(ctx, repo, files), touched, nil), nil
}
