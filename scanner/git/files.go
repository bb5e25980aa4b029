package git

import (
	"context"
	"fmt"
	gopath "path"
	"slices"
	"strings"
)

// maxFilesAt bounds the files of a commit: a tree of a few kilobytes can be made to unfold into billions.
const maxFilesAt = 1 << 20

// maxPathLength bounds the path of a file of a commit, in bytes, as most systems do.
const maxPathLength = 4096

// FilesAt lists the regular files at and below a path ("" for the root) in the commit that a revision names, sorted by
// path. Links, submodules, and paths that git would not check out are reported through skipped.
func (r *Repo) FilesAt(ctx context.Context, rev, path string, skipped Skipped) ([]File, error) {
	rd := r.acquire()
	defer r.release(rd)
	c, err := r.commitOf(rd, rev)
	if err != nil {
		return nil, err
	}
	var out []File
	w := treeWalk{ctx: ctx, r: rd, emit: func(t treeChange) error {
		switch {
		case !isPath(t.path):
			skipped.report(t.path, ReasonMalformed, "no path of a file")
		case isRegular(t.newMode):
			out = append(out, File{Path: t.path, Mode: t.newMode, Blob: t.new, Size: SizeUnknown})
		default:
			skipped.report(t.path, modeReason(t.newMode), "")
		}
		if len(out) > maxFilesAt {
			return &CorruptError{What: "tree " + c.tree.String(), Offset: -1, Detail: fmt.Sprintf("it and others unfold into more than %d files", maxFilesAt)}
		}
		return ctx.Err()
	}}
	if path != "" {
		w.paths = cleanPaths([]string{path})
	}
	if err := w.diff(Hash{}, c.tree); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return distinct(out, skipped), nil
}

// isPath reports whether the path of an entry leads to a file below the root.
func isPath(p string) bool {
	return p != "" && len(p) <= maxPathLength && gopath.Clean("/"+p) == "/"+p
}

// distinct drops files at the path of another, which no well-formed tree has.
func distinct(list []File, skipped Skipped) []File {
	kept := list[:0]
	for i, f := range list {
		if i > 0 && f.Path == list[i-1].Path {
			skipped.report(f.Path, ReasonMalformed, "its tree has two files of this name")
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
