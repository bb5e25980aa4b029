package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxFilesAt bounds the files of a commit: a tree of a few kilobytes can be made to unfold into billions.
const maxFilesAt = 1 << 20

// FilesAt lists the regular files at and below a path ("" for the root) in the commit that a revision names, sorted by
// path. Links and submodules are reported through skipped.
func (r *Repo) FilesAt(ctx context.Context, rev, path string, skipped Skipped) ([]File, error) {
	rd := r.acquire()
	defer r.release(rd)
	c, err := r.commitOf(rd, rev)
	if err != nil {
		return nil, err
	}
	var out []File
	w := treeWalk{ctx: ctx, r: rd, emit: func(t treeChange) error {
		if isRegular(t.newMode) {
			out = append(out, File{Path: t.path, Mode: t.newMode, Blob: t.new, Size: SizeUnknown})
		} else {
			skipped.report(t.path, modeReason(t.newMode), "")
		}
		if len(out) > maxFilesAt {
			return fmt.Errorf("list %s: more than %d files", rev, maxFilesAt)
		}
		return ctx.Err()
	}}
	if path != "" {
		w.paths = cleanPaths([]string{path})
	}
	if err := w.diff(Hash{}, c.tree); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}
