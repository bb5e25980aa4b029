package git

import (
	"errors"
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// NotRepositoryError says that no repository contains Path.
type NotRepositoryError struct{ Path string }

func (e *NotRepositoryError) Error() string {
	return fmt.Sprintf("open repository %q: not inside a git repository", e.Path)
}

// RevisionError says that Rev names no commit. Shallow means that history is cut off; a full clone may have the commit.
type RevisionError struct {
	Rev     string
	Shallow bool
	Detail  string
}

func (e *RevisionError) Error() string {
	s := fmt.Sprintf("resolve revision %q: ", e.Rev)
	if e.Detail != "" {
		s += e.Detail
	} else {
		s += "unknown revision"
	}
	if e.Shallow {
		s += " (the clone is shallow: " + unshallowRemedy + ")"
	}
	return s
}

// WorkTreeError says that the configuration of a repository names a work tree outside of the directory where the repository
// was found.
type WorkTreeError struct{ Repository, Path string }

func (e *WorkTreeError) Error() string {
	return fmt.Sprintf("open repository %q: its configuration names %q as work tree, which does not lead back to it: set GIT_WORK_TREE if you trust it", e.Repository, e.Path)
}

// UnsupportedError names a property of the repository that cannot be read, and what the user can do. Git is the message
// of git, if it was asked.
type UnsupportedError struct {
	What, Remedy, Git string
	needs             need
}

// need is which parts of a repository git has to read because this package cannot.
type need uint8

const (
	needsIndex need = iota
	needsRefs
	needsObjects // and everything else
)

func (e *UnsupportedError) Error() string {
	if e.Git != "" {
		return fmt.Sprintf("read repository: %s is not supported, neither by the git at hand (%s): %s", e.What, e.Git, e.Remedy)
	}
	return fmt.Sprintf("read repository: %s needs git, and none is on the PATH: %s", e.What, e.Remedy)
}

// ShallowError says that the answer lies beyond the end of a shallow clone.
type ShallowError struct {
	What   string // what was asked for, for example "merge base of \"main\" and \"HEAD\""
	Remedy string
}

func (e *ShallowError) Error() string {
	return fmt.Sprintf("find %s: history is cut off by a shallow clone: %s", e.What, e.Remedy)
}

// unshallowRemedy is the fix for every failure a shallow clone causes.
const unshallowRemedy = "run `git fetch --unshallow`, or set `fetch-depth: 0` for actions/checkout"

// UnrelatedError says that two commits have no common ancestor.
type UnrelatedError struct{ Base, Head string }

func (e *UnrelatedError) Error() string {
	return fmt.Sprintf("find merge base of %q and %q: the histories are unrelated; use %q to compare them directly",
		e.Base, e.Head, e.Base+".."+e.Head)
}

// BareError says that an operation needs a work tree.
type BareError struct{ GitDir string }

func (e *BareError) Error() string {
	return fmt.Sprintf("list work tree of %q: the repository is bare", e.GitDir)
}

// OutsideError says that a path is not below the root of the target.
type OutsideError struct{ Path, Root string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("list %q: outside of %q", e.Path, e.Root)
}

// Errors of single objects.
type (
	// TooLargeError says that an object is larger than the given limit.
	TooLargeError = object.TooLargeError
	// MissingObjectError says that an object is not in the repository. Partial tells that a partial clone left it out.
	MissingObjectError = object.MissingObjectError
	// CorruptError says that something in the repository is malformed.
	CorruptError = object.CorruptError
)

// IsUnreadable reports whether an object cannot be read because it is too large, damaged, or absent from a partial
// clone.
func IsUnreadable(err error) bool {
	var large *TooLargeError
	var missing *MissingObjectError
	return errors.As(err, &large) || errors.As(err, &missing) || object.IsCorrupt(err)
}
