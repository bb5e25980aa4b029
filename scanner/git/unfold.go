package git

import (
	"context"
	"fmt"
	"sync"
)

// Bounds of the contents that one scan reads from a repository. Deltas of forty bytes can stand for megabytes each. The histories of
// 162 real repositories are at most 55 times as large as their objects.
const (
	unfoldFloor = 1 << 30 // bytes that any repository may unfold into
	unfoldRatio = 1000    // beyond it: how many times its own size
	leastFile   = 4 << 10 // bytes that a file counts for at least, since each has work of its own
	placeBytes  = 1 << 10 // bytes that a place counts for: a path of a commit that is followed, whatever its content
)

// UnfoldError says that the contents to be read are far larger than the repository that has them.
type UnfoldError struct{ Bytes, Size int64 }

func (e *UnfoldError) Error() string {
	return fmt.Sprintf("read repository: what is to be read counts %d bytes, more than %d times the %d bytes of its objects", e.Bytes, unfoldRatio, e.Size)
}

// Unfolding adds up contents before they are read.
type Unfolding struct {
	repo  *Repo
	limit int64
	total int64
	size  func() int64
}

// Unfolding returns an account of contents. Those larger than limit are not read and do not count.
func (r *Repo) Unfolding(limit int64) *Unfolding {
	return &Unfolding{repo: r, limit: limit, size: sync.OnceValue(r.Size)}
}

// Add counts contents by the heads of their objects. It fails with *UnfoldError if the repository unfolds into too much.
func (u *Unfolding) Add(ctx context.Context, blobs ...Hash) error {
	sizes, err := u.repo.BlobSizes(ctx, blobs)
	for _, n := range sizes {
		if n <= u.limit {
			u.total += max(n, leastFile)
		}
	}
	if err != nil {
		return err
	}
	return u.check()
}

// Places counts what a commit changes: its files, and the directories that lead to them. Some trees of a few hundred bytes stand for a
// million.
func (u *Unfolding) Places(c *CommitChanges) error {
	u.total += placeBytes * int64(len(c.Changes)+len(c.Again)+len(c.Deleted)+c.Directories)
	return u.check()
}

func (u *Unfolding) check() error {
	if u.total > unfoldFloor && u.total/unfoldRatio > u.size() {
		return &UnfoldError{u.total, u.size()}
	}
	return nil
}

// BlobSizes returns the sizes of blobs, read from the heads of their objects. A size that cannot be read is 0.
func (r *Repo) BlobSizes(ctx context.Context, blobs []Hash) ([]int64, error) {
	rd := r.acquire()
	defer r.release(rd)
	sizes := make([]int64, len(blobs))
	for i, h := range blobs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n, err := rd.Size(h); err == nil {
			sizes[i] = n
		}
	}
	return sizes, nil
}
