package target

import (
	"fmt"
	"path/filepath"
	"strings"
)

// outside handles PATH arguments outside of any repository. It returns a root above all of them, their paths relative
// to it, and a prefix. The prefix turns a path below the root back into the form of the arguments.
func outside(args []string) (root string, rels []string, prefix string, err error) {
	if len(args) == 0 {
		return ".", nil, "", nil
	}
	abs, up := false, 0
	for _, a := range args {
		abs = abs || filepath.IsAbs(a)
		up = max(up, ups(filepath.Clean(a)))
	}
	prefix = strings.Repeat("../", up)
	root = filepath.FromSlash("./" + prefix)
	if abs {
		if root, err = filepath.Abs(args[0]); err != nil {
			return "", nil, "", fmt.Errorf("locate %q: %w", args[0], err)
		}
		root = filepath.VolumeName(root) + string(filepath.Separator)
		prefix = filepath.ToSlash(root)
	}
	base, err := filepath.Abs(root)
	if err != nil {
		return "", nil, "", fmt.Errorf("locate %q: %w", root, err)
	}
	for _, a := range args {
		full, err := filepath.Abs(a)
		if err != nil {
			return "", nil, "", fmt.Errorf("locate %q: %w", a, err)
		}
		rel, err := filepath.Rel(base, full)
		if err != nil {
			return "", nil, "", fmt.Errorf("locate %q: %w", a, err)
		}
		rels = append(rels, filepath.ToSlash(rel))
	}
	return root, rels, prefix, nil
}

// ups counts the leading ".." of a clean path.
func ups(path string) int {
	n := 0
	for e := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if e != ".." {
			break
		}
		n++
	}
	return n
}
