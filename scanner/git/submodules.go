package git

import (
	"context"
	"path/filepath"
	"strings"
)

// Submodule is a commit of another repository that the index names.
type Submodule struct {
	Path    string // with slashes
	Commit  string
	Address string // as .gitmodules gives it: may be relative, or ""
}

// Submodules lists the submodules of the index, by path, with the addresses of .gitmodules in the work tree. A bare repository has none.
func (r *Repo) Submodules(ctx context.Context) ([]Submodule, error) {
	if r.layout.root == "" {
		return nil, nil
	}
	entries, err := r.index(ctx)
	if err != nil {
		return nil, err
	}
	var out []Submodule
	for _, e := range entries {
		if e.mode == ModeSubmodule && e.stage == 0 {
			out = append(out, Submodule{Path: e.path, Commit: r.name(e.blob)})
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	addresses, err := readAddresses(filepath.Join(r.layout.root, ".gitmodules"))
	for i := range out {
		out[i].Address = addresses[out[i].Path]
	}
	return out, err
}

// readAddresses reads the addresses in .gitmodules, by path.
func readAddresses(file string) (map[string]string, error) {
	settings, err := readSettings(file)
	if err != nil {
		return nil, err
	}
	paths, addresses := map[string]string{}, map[string]string{} // by name
	for _, s := range settings {
		switch {
		case s.Section == "submodule" && s.Key == "path":
			paths[s.Subsection] = s.Value
		case s.Section == "submodule" && s.Key == "url":
			addresses[s.Subsection] = s.Value
		}
	}
	out := map[string]string{}
	for name, path := range paths {
		out[strings.TrimSuffix(path, "/")] = addresses[name]
	}
	return out, nil
}

// OpenSubmodule opens the repository of a submodule that is checked out. It fails with *NotRepositoryError if there is none, and if the
// repository is neither in the submodule's directory nor in the directory of r: a link could lead to any repository of this machine.
func (r *Repo) OpenSubmodule(ctx context.Context, s Submodule, opts Options) (*Repo, error) {
	dir := filepath.Join(r.layout.root, filepath.FromSlash(s.Path))
	none := &NotRepositoryError{Path: dir}
	if r.layout.root == "" || !filepath.IsLocal(filepath.FromSlash(s.Path)) || !isBelow(r.layout.root, dir) {
		return nil, none
	}
	dotGit := filepath.Join(dir, ".git")
	target, is := gitFileTarget(dotGit)
	if !is {
		target = dotGit
	}
	if !isGitDir(target) || !isBelow(r.layout.commonDir, target) && !isBelow(dir, target) {
		return nil, none
	}
	opts.GitDir, opts.WorkTree, opts.IndexFile, opts.ObjectDir, opts.Alternates = "", "", "", "", nil // of r, not of the submodule
	return Open(ctx, dir, opts)
}

// isBelow reports whether a path, with links followed, is in a directory and is not the directory.
func isBelow(dir, path string) bool {
	rel, ok := inside(dir, path)
	return ok && rel != "."
}
