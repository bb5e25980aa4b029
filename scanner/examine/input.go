package examine

import (
	"context"
	"errors"
	"io/fs"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/describe"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Input is one text to examine.
type Input struct {
	Path     string
	Language *lang.Language // nil: detect
	Read     func(ctx context.Context) ([]byte, error)
	// Keep is called for each finding with the file's stream; nil keeps all
	Keep    func(Stream, *Found) bool
	Added   func(text []byte) []linediff.Range // the new lines of a changed file; nil if no lines are new
	Notices *verdict.Notices                   // that the file is under; nil: those of the project
	// Earlier is an earlier version of the file that was examined and had no finding; nil if there is none. A document is compared, or
	// listed in the ledger, only if it shares something with the text that it does not share with this version.
	Earlier *Earlier
}

// Earlier is an earlier version of a file, without a finding. Only the differences from it are examined.
type Earlier struct {
	Read     func(ctx context.Context) ([]byte, error) // returns its content
	Language string                                    // these three are copied from its Output
	Longest  int64
	Aligned  bool
}

// Blob returns a function that reads a content of a repository.
func Blob(repo *git.Repo, h git.Hash, limit int64) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		b, err := repo.Blob(ctx, h, limit)
		if p, refused := errors.AsType[*fs.PathError](err); refused { // treated like damage: the repository has the object, but it cannot be read
			err = &git.CorruptError{What: "object " + h.String(), Offset: -1, Detail: "cannot be read: " + p.Err.Error()}
		}
		return b, err
	}
}

// Output is the result of one input.
type Output struct {
	Findings []Found
	Entries  []finding.Entry
	Missing  bool // the repository does not have the content, or it is damaged
	Files    int
	Bytes    int64
	Tokens   int64
	Language string // the language that the text was read as; "" if it was not read
	Longest  int64  // tokens of the longest version in which this text's contents were examined
	Aligned  bool   // an alignment in full was made; the next version is compared further around its changes
	Inline   []finding.Inline
}

// Found is a finding on its way to a report, with data that is not reported.
type Found = describe.Found

// Stream is a target text with its tokens.
type Stream = text.Stream
