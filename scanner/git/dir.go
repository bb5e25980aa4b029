package git

import (
	"context"
	"strings"
)

// Dir lists the regular files of one directory ("" for the root) in the commit that a revision names, sorted by name.
// The list is empty if the directory does not exist, and on an unborn branch.
func (r *Repo) Dir(ctx context.Context, rev, dir string) ([]File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rd := r.acquire()
	defer r.release(rd)
	if _, ok, err := r.head(); rev == "HEAD" && (err != nil || !ok) {
		return nil, err
	}
	c, err := r.commitOf(rd, rev)
	if err != nil {
		return nil, err
	}
	tree, ok := c.tree, true
	for part := range strings.SplitSeq(dir, "/") {
		if dir != "" && ok {
			tree, ok, err = rd.subtree(tree, part)
		}
		if err != nil || !ok {
			return nil, err
		}
	}
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	return rd.regular(tree, prefix)
}

// subtree finds a directory in a tree.
func (r *reader) subtree(tree Hash, name string) (id Hash, ok bool, err error) {
	b, err := r.Tree(tree)
	for len(b) > 0 && err == nil {
		e, rest, whole := nextEntry(b)
		if !whole {
			return Hash{}, false, errEntry(tree)
		}
		if e.isTree() && string(e.name) == name {
			return e.id, true, nil
		}
		b = rest
	}
	return Hash{}, false, err
}

// regular lists the regular files of a tree, without those of its subdirectories.
func (r *reader) regular(tree Hash, prefix string) ([]File, error) {
	b, err := r.Tree(tree)
	var out []File
	for len(b) > 0 && err == nil {
		e, rest, whole := nextEntry(b)
		if !whole {
			return nil, errEntry(tree)
		}
		if isRegular(e.mode) {
			out = append(out, File{Path: prefix + string(e.name), Mode: e.mode, Blob: e.id, Size: SizeUnknown})
		}
		b = rest
	}
	return out, err
}

func errEntry(tree Hash) error {
	return &CorruptError{What: "tree " + tree.String(), Offset: -1, Detail: "an entry is cut off"}
}
