package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// maxChanges bounds the changes that one comparison may list. The largest real trees have half a million files, but a
// tree of a few kilobytes can be made to unfold into billions. A million changes take about 200 MB.
const maxChanges = 1 << 20

// Comparison lists the differences between two states of the files. Both lists are sorted by path. Deleted holds the
// regular files that are gone, including those that a Change has as its earlier content.
type Comparison struct {
	Base, Head Commit
	Changes    []Change
	Deleted    []File
}

// Diff lists the files that a range adds or modifies. "A...B" compares the merge base of A and B with B, "A..B" compares
// A itself with B. A missing side is HEAD, and "A" alone means "A...HEAD". Base is the commit that was compared with. If
// there are several merge bases, the latest is taken; of equally late ones, the one with the smallest name. If a file
// was renamed with few edits or none, Old is the earlier file. A change of mode alone is not listed.
//
// It fails with *RevisionError for an unknown revision, with *ShallowError if the merge base lies beyond the end of a
// shallow clone, and with *UnrelatedError if there is none.
func (r *Repo) Diff(ctx context.Context, rangeSpec string, skipped Skipped) (Comparison, error) {
	rd := r.acquire()
	defer r.release(rd)
	from, to, err := r.ends(ctx, rd, parseDiff(rangeSpec))
	if err != nil {
		return Comparison{}, err
	}
	base, err := r.describe(rd, from.id)
	if err != nil {
		return Comparison{}, err
	}
	head, err := r.describe(rd, to.id)
	if err != nil {
		return Comparison{}, err
	}
	c, err := rd.compare(ctx, from.tree, to.tree, skipped)
	if err != nil {
		return Comparison{}, fmt.Errorf("compare %s with %s: %w", from.id, to.id, err)
	}
	c.Base, c.Head = base, head
	return c, nil
}

// ends resolves a range to the two commits to compare.
func (r *Repo) ends(ctx context.Context, rd *reader, spec revRange) (from, to commitData, err error) {
	left, err := r.resolveCommit(rd, spec.base)
	if err != nil {
		return from, to, err
	}
	right, err := r.resolveCommit(rd, spec.head)
	if err != nil {
		return from, to, err
	}
	if spec.symmetric {
		if left, err = r.mergeBase(ctx, rd, left, right, spec); err != nil {
			return from, to, err
		}
	}
	if from, err = r.commit(rd, left); err != nil {
		return from, to, err
	}
	to, err = r.commit(rd, right)
	return from, to, err
}

func (r *Repo) mergeBase(ctx context.Context, rd *reader, left, right Hash, spec revRange) (Hash, error) {
	bases, cut, err := r.mergeBases(ctx, rd, left, right)
	switch {
	case err != nil:
		return Hash{}, err
	case len(bases) == 0 && cut:
		return Hash{}, &ShallowError{What: fmt.Sprintf("merge base of %q and %q", spec.base, spec.head), Remedy: unshallowRemedy}
	case len(bases) == 0:
		return Hash{}, &UnrelatedError{Base: spec.base, Head: spec.head}
	}
	var best commitData
	for _, h := range bases { // sorted by name: the first of equally late ones stays
		c, err := r.commit(rd, h)
		if err != nil {
			return Hash{}, err
		}
		if best.id.IsZero() || c.time > best.time {
			best = c
		}
	}
	return best.id, nil
}

// compare lists the files that new adds to, modifies in and deletes from old.
func (r *reader) compare(ctx context.Context, old, new Hash, skipped Skipped) (Comparison, error) {
	var out Comparison
	w := treeWalk{ctx: ctx, r: r, emit: func(c treeChange) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(out.Changes)+len(out.Deleted) >= maxChanges {
			return fmt.Errorf("more than %d changes", maxChanges)
		}
		if isRegular(c.oldMode) && !isRegular(c.newMode) {
			out.Deleted = append(out.Deleted, File{Path: c.path, Mode: c.oldMode, Blob: c.old, Size: SizeUnknown})
		}
		if c.newMode == 0 {
			return nil
		}
		if change, ok := c.change(skipped); ok {
			out.Changes = append(out.Changes, change)
		}
		return nil
	}}
	if err := w.diff(old, new); err != nil {
		return Comparison{}, err
	}
	slices.SortFunc(out.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(out.Deleted, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	err := r.complete(ctx, &out, skipped)
	return out, err
}

// complete looks up sizes and finds renames.
func (r *reader) complete(ctx context.Context, c *Comparison, skipped Skipped) (err error) {
	if c.Changes, err = r.withSizes(ctx, c.Changes, skipped); err != nil {
		return err
	}
	return r.findRenames(ctx, c.Changes, c.Deleted)
}

// change converts a difference to a Change. It returns false unless the content of a regular file changed.
func (c treeChange) change(skipped Skipped) (Change, bool) {
	if !isRegular(c.newMode) {
		skipped.report(c.path, modeReason(c.newMode), "")
		return Change{}, false
	}
	change := Change{File: File{Path: c.path, Mode: c.newMode, Blob: c.new, Size: SizeUnknown}}
	if isRegular(c.oldMode) {
		change.HasOld, change.Old, change.OldPath = true, c.old, c.path
	}
	return change, !change.HasOld || change.Old != change.Blob
}

func modeReason(mode uint32) Reason {
	switch mode {
	case ModeSymlink:
		return ReasonSymlink
	case ModeSubmodule:
		return ReasonSubmodule
	}
	return ReasonMalformed
}

// withSizes looks up the sizes of changed blobs and drops Git LFS pointers.
func (r *reader) withSizes(ctx context.Context, changes []Change, skipped Skipped) ([]Change, error) {
	kept := changes[:0]
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pointer, err := r.measure(&c.File)
		if err != nil && !object.IsMissing(err) && !object.IsCorrupt(err) { // the caller that asks for the content gets the error
			return nil, err
		}
		if pointer {
			skipped.report(c.Path, ReasonLFS, "")
			continue
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// measure sets the size of a file and reports whether it is an LFS pointer.
func (r *reader) measure(f *File) (pointer bool, err error) {
	if f.Size, err = r.Size(f.Blob); err != nil {
		f.Size = SizeUnknown
		return false, err
	}
	if f.Size > maxPointer {
		return false, nil
	}
	b, err := r.Content(f.Blob, maxPointer)
	return IsLFSPointer(b), err
}

// maxPointer is the largest size of a pointer by the Git LFS specification.
const maxPointer = 1024

var pointerPrefix = []byte("version https://git-lfs.github.com/spec/")

// IsLFSPointer reports whether content is a pointer to a file in a Git LFS store. Diff, Staged and WorkTree check this
// themselves. History does not read blobs and leaves the check to its caller.
func IsLFSPointer(content []byte) bool {
	return len(content) <= maxPointer && bytes.HasPrefix(content, pointerPrefix)
}
