package git

import (
	"context"
	"slices"
)

// Changed lists the regular files that a commit changed or deleted compared with any of its parents, in their earlier
// state. At the boundary of a shallow clone the list is empty.
func (r *Repo) Changed(ctx context.Context, id Hash) ([]File, error) {
	rd := r.acquire()
	defer r.release(rd)
	rd.Lend()
	c, err := r.commit(rd, id)
	if err != nil {
		return nil, err
	}
	var old []File
	for _, h := range c.parents {
		parent, err := r.commit(rd, h)
		if err != nil {
			return nil, err
		}
		w := treeWalk{ctx: ctx, r: rd, emit: func(t treeChange) error {
			if isRegular(t.oldMode) && (t.old != t.new || !isRegular(t.newMode)) && len(old) < maxChanges {
				old = append(old, File{Path: t.path, Mode: t.oldMode, Blob: t.old, Size: SizeUnknown, Gone: !isRegular(t.newMode)})
			}
			return ctx.Err()
		}}
		if err := w.diff(parent.tree, c.tree); err != nil {
			return nil, err
		}
	}
	return old, nil
}

// HeadFiles lists the regular files of HEAD, sorted by path. An unborn branch has none.
func (r *Repo) HeadFiles(ctx context.Context) ([]File, error) {
	rd := r.acquire()
	defer r.release(rd)
	files, err := r.headEntries(ctx, rd)
	return slices.DeleteFunc(files, func(f File) bool { return !isRegular(f.Mode) }), err
}
