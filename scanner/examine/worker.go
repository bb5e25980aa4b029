package examine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Worker examines texts one after the other.
type Worker struct {
	e     *Examiner
	query *query // of the current text; its buffers are reused
}

// NewWorker returns a worker, which is not safe for concurrent use.
func (s *Examiner) NewWorker() *Worker {
	return &Worker{e: s, query: newQuery(s)}
}

// Close frees the memory of the parsers.
func (w *Worker) Close() { w.query.tokenizer.tz.Close() }

// Input reads and examines one input. It returns an error only if the baseline fails or the context is cancelled. A text that
// cannot be read or examined is an entry of the ledger.
func (w *Worker) Input(ctx context.Context, in Input) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	data, err := in.Read(ctx)
	if err != nil {
		return unread(in.Path, err)
	}
	if git.IsLFSPointer(data) {
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: lang.Reason(git.ReasonLFS), Detail: "the content lives in a Git LFS store"}}}, nil
	}
	return w.Text(ctx, in, data)
}

// unread returns the output for a text that cannot be read, with its entry for the ledger. It returns the error if the ledger has
// no reason for it.
func unread(path string, err error) (Output, error) {
	var large *git.TooLargeError
	var missing *git.MissingObjectError
	var corrupt *git.CorruptError
	var file *fs.PathError
	out := Output{Files: 1}
	entry := finding.Entry{Path: path}
	switch {
	case errors.As(err, &missing):
		out.Missing, entry.Reason, entry.Detail = true, finding.ReasonMissing, err.Error()
	case errors.As(err, &corrupt): // the position of the damage differs between machines, so it is left out
		out.Missing, entry.Reason, entry.Detail = true, finding.ReasonDamaged, corrupt.Detail
	case errors.As(err, &large):
		entry.Reason, entry.Detail = lang.TooLarge, fmt.Sprintf("%d bytes, limit %d", large.Size, large.Limit)
	case errors.As(err, &file): // its path differs between machines, so it is left out
		entry.Reason, entry.Detail = finding.ReasonUnreadable, file.Err.Error()
	default:
		return Output{}, err
	}
	out.Entries = []finding.Entry{entry}
	return out, nil
}

// Text examines one text that was read. If the changed parts alone have a finding, it examines the whole text again.
func (w *Worker) Text(ctx context.Context, in Input, data []byte) (Output, error) {
	w.query.describe.Under(cmp.Or(in.Notices, w.e.project.Notices))
	out, whole, err := w.query.examine(ctx, in, data)
	if err != nil || len(out.Findings) == 0 || whole {
		return out, err
	}
	in.Earlier = nil // the findings depend on the whole text
	out, _, err = w.query.examine(ctx, in, data)
	return out, err
}

// Tokenize returns the stream of a text, and its entries for the ledger.
func (w *Worker) Tokenize(in Input, data []byte) (Stream, []finding.Entry) {
	return w.query.tokenizer.tokenize(in, data)
}
