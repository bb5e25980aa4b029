package examine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/describe"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Input is one text to examine.
type Input struct {
	Path     string
	Language *lang.Language // nil: detect
	Read     func(ctx context.Context) ([]byte, error)
	// Keep is called for each finding with the file's stream; nil keeps all
	Keep  func(Stream, *Found) bool
	Added func(text []byte) []git.Range // the new lines of a changed file; nil if no lines are new
	// Before is an earlier version of the file that was examined and had no finding; nil if there is none. Documents that share
	// nothing with the text beyond what they share with this version are neither compared nor listed again.
	Before *Before
}

// Before is a version of a file that had no finding.
type Before struct {
	Read     func(ctx context.Context) ([]byte, error)
	Language string // Language, Longest and Aligned are those of its Output
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

// Worker examines texts one after the other.
type Worker struct {
	e     *Examiner
	tz    *lang.Tokenizer
	query query // of the current text; its buffers are reused
}

// NewWorker returns a worker, which is not safe for concurrent use.
func (s *Examiner) NewWorker() *Worker {
	return &Worker{e: s, tz: lang.NewTokenizer(s.o.Limits), query: newQuery(s)}
}

// Close frees the memory of the parsers.
func (w *Worker) Close() { w.tz.Close() }

// Input reads and examines one input. It returns an error only if the baseline fails or the context is cancelled. A text that
// cannot be read or examined is an entry of the ledger.
func (w *Worker) Input(ctx context.Context, in Input) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	if w.e.Excluded(in.Path) {
		return Output{Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonExcluded, Detail: "by pattern"}}}, nil
	}
	data, err := in.Read(ctx)
	var large *git.TooLargeError
	var missing *git.MissingObjectError
	var corrupt *git.CorruptError
	var file *fs.PathError
	switch {
	case errors.As(err, &missing):
		return Output{Files: 1, Missing: true, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonMissing, Detail: err.Error()}}}, nil
	case errors.As(err, &corrupt): // the position of the damage differs between machines, so it is left out
		return Output{Files: 1, Missing: true, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonDamaged, Detail: corrupt.Detail}}}, nil
	case errors.As(err, &large):
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: lang.TooLarge, Detail: fmt.Sprintf("%d bytes, limit %d", large.Size, large.Limit)}}}, nil
	case errors.As(err, &file): // its path differs between machines, so it is left out
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: finding.ReasonUnreadable, Detail: file.Err.Error()}}}, nil
	case err != nil:
		return Output{}, err
	}
	if git.IsLFSPointer(data) {
		return Output{Files: 1, Entries: []finding.Entry{{Path: in.Path, Reason: lang.Reason(git.ReasonLFS), Detail: "the content lives in a Git LFS store"}}}, nil
	}
	return w.Text(ctx, in, data)
}

// Text examines one text that was read. If the changed parts alone have a finding, it examines the whole text again.
func (w *Worker) Text(ctx context.Context, in Input, data []byte) (Output, error) {
	out, whole, err := w.text(ctx, in, data)
	if err != nil || len(out.Findings) == 0 || whole {
		return out, err
	}
	in.Before = nil // the findings depend on the whole text
	out, _, err = w.text(ctx, in, data)
	return out, err
}

// Tokenize returns the stream of a text. The word front-end reads it if the parse is given up.
func (w *Worker) Tokenize(in Input, data []byte) (Stream, []finding.Entry) {
	st := Stream{Path: in.Path, Language: in.Language, Text: data, File: data}
	note := func(r lang.Reason, detail string) []finding.Entry {
		return []finding.Entry{{Path: in.Path, Reason: r, Detail: detail}}
	}
	var notes []finding.Entry
	if int64(len(data)) > w.e.o.MaxFileSize {
		return st, note(lang.TooLarge, fmt.Sprintf("%d bytes, limit %d", len(data), w.e.o.MaxFileSize))
	}
	if st.Language != nil {
		st.Text = lang.Text(in.Path, data)
	} else {
		d := lang.Detect(in.Path, data)
		st.Text = d.Text
		if d.Skip != "" && !(d.Generated && w.e.o.Generated && d.Language != nil) {
			return st, note(d.Skip, "")
		}
		st.Language = d.Language
		if d.Note != "" {
			notes = note(d.Note, d.Reading())
		}
	}
	toks, l, limit, err := w.tz.TokenizeOrWords(st.Language, st.Text)
	st.Language = l
	if limit != nil {
		notes = append(notes, finding.Entry{Path: in.Path, Reason: limit.Reason, Detail: limit.Detail + "; scanned as words"})
	}
	if err != nil {
		return st, append(notes, finding.Entry{Path: in.Path, Reason: lang.Budget, Detail: err.Error()})
	}
	if toks.Errors > 0 {
		notes = append(notes, finding.Entry{Path: in.Path, Reason: finding.ReasonParseErrors, Detail: finding.Count(toks.Errors, "syntax error") + "; nearby tokens may differ from those of the origin"})
	}
	st.Tokens = toks.Tokens
	if lang.IsSphinxSettings(in.Path, st.Text) {
		st.Tokens = ofFunctions(st.Text, toks.Tokens)
	}
	st.Lines = lang.Lines(st.Text)
	return st, notes
}

// ofFunctions returns the tokens of the functions and classes of a Python text. The rest of the settings of Sphinx is a form that
// everybody fills in.
func ofFunctions(data []byte, toks []lang.Token) (out []lang.Token) {
	own := false
	for _, t := range toks {
		if t.Start == 0 || data[t.Start-1] == '\n' {
			word := string(data[t.Start:t.End])
			own = word == "def" || word == "class" || word == "async" || word == "@" || own && word == ")"
		}
		if own {
			out = append(out, t)
		}
	}
	return out
}
