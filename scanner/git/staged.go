package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Staged lists the files that the next commit would add or modify: the index, or the one that GIT_INDEX_FILE names,
// compared with the tree of HEAD. Before the first commit every file is added. If a file was renamed with few edits or
// none, Old is the earlier file. The commits of the comparison stay empty.
func (r *Repo) Staged(ctx context.Context, skipped Skipped) (Comparison, error) {
	rd := r.acquire()
	defer r.release(rd)
	entries, err := r.index(ctx)
	if err != nil {
		return Comparison{}, err
	}
	committed, err := r.headEntries(ctx, rd)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Deleted: vanished(entries, committed)}
	if c.Changes, err = stagedChanges(ctx, entries, committed, skipped); err != nil {
		return Comparison{}, err
	}
	err = rd.complete(ctx, &c, skipped)
	return c, err
}

// index reads the index. A missing index is empty.
func (r *Repo) index(ctx context.Context) ([]indexEntry, error) {
	if r.throughGit() {
		return r.fallback.index(ctx)
	}
	b, err := readBounded(r.layout.indexFile, maxIndex)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !soundIndex(b) {
		return nil, &CorruptError{What: fmt.Sprintf("index %q", r.layout.indexFile), Offset: -1, Detail: "its checksum differs"}
	}
	entries, err := parseIndex(r.layout.indexFile, b)
	if why, ok := errors.AsType[*UnsupportedError](err); ok {
		f, err := r.askGit(why)
		if err != nil {
			return nil, err
		}
		return f.index(ctx)
	}
	return entries, err
}

// headEntries lists HEAD's tree, links and submodules included, sorted by path. An unborn branch has none.
func (r *Repo) headEntries(ctx context.Context, rd *reader) ([]File, error) {
	h, ok, err := r.head()
	if err != nil || !ok {
		return nil, err
	}
	c, err := r.commit(rd, h)
	if err != nil {
		return nil, err
	}
	var files []File
	w := treeWalk{ctx: ctx, r: rd, emit: func(t treeChange) error {
		if len(files) >= maxChanges {
			return fmt.Errorf("list commit %s: more than %d files", h, maxChanges)
		}
		files = append(files, File{Path: t.path, Mode: t.newMode, Blob: t.new, Size: SizeUnknown})
		return ctx.Err()
	}}
	if err := w.diff(Hash{}, c.tree); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// stagedChanges merges the index with HEAD's tree; both are sorted by path.
func stagedChanges(ctx context.Context, entries []indexEntry, committed []File, skipped Skipped) ([]Change, error) {
	var changes []Change
	conflict := ""
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.stage != 0 {
			if e.path != conflict { // up to three entries form one conflict
				skipped.report(e.path, ReasonConflict, "")
			}
			conflict = e.path
			continue
		}
		if e.intentToAdd {
			skipped.report(e.path, ReasonIntentToAdd, "")
			continue
		}
		for len(committed) > 0 && committed[0].Path < e.path {
			committed = committed[1:]
		}
		t := treeChange{path: e.path, newMode: e.mode, new: e.blob}
		if len(committed) > 0 && committed[0].Path == e.path {
			t.oldMode, t.old = committed[0].Mode, committed[0].Blob
		}
		if t.oldMode == t.newMode && t.old == t.new {
			continue
		}
		if c, ok := t.change(skipped); ok {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// vanished lists the regular files of HEAD that the index no longer has as regular files.
func vanished(entries []indexEntry, committed []File) []File {
	var files []File
	for _, c := range committed {
		for len(entries) > 0 && entries[0].path < c.Path {
			entries = entries[1:]
		}
		if isRegular(c.Mode) && (len(entries) == 0 || entries[0].path != c.Path || !isRegular(entries[0].mode)) {
			files = append(files, c)
		}
	}
	return files
}

// StagedFiles lists the regular files of the index for which wanted accepts the base name, sorted by path.
func (r *Repo) StagedFiles(ctx context.Context, wanted func(name string) bool) ([]File, error) {
	entries, err := r.index(ctx)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, e := range entries {
		name := e.path[strings.LastIndexByte(e.path, '/')+1:]
		if e.stage == 0 && !e.intentToAdd && isRegular(e.mode) && wanted(name) {
			out = append(out, File{Path: e.path, Mode: e.mode, Blob: e.blob, Size: SizeUnknown})
		}
	}
	return out, ctx.Err()
}
