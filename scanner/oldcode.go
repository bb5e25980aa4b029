package scanner

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// oldCode holds the code that changed and deleted files had before a change, to tell new code from code that was moved or
// reindented. It is read when the first finding needs it.
type oldCode struct {
	s     *Scanner
	repo  *git.Repo
	old   []git.File // old contents of the changed and deleted files
	grams func() (map[uint64]bool, error)
	seed  maphash.Seed
}

func oldCodeOf(ctx context.Context, s *Scanner, repo *git.Repo, c git.Comparison) *oldCode {
	b := &oldCode{s: s, repo: repo, old: slices.Clone(c.Deleted), seed: maphash.MakeSeed()}
	for _, ch := range c.Changes {
		if ch.HasOld {
			b.old = append(b.old, git.File{Path: ch.OldPath, Blob: ch.Old})
		}
	}
	b.grams = sync.OnceValues(func() (map[uint64]bool, error) { return b.read(ctx) })
	return b
}

// read collects the token runs of the old files. Old files that cannot be read or parsed are skipped: their code then counts as
// new, which is the safe side.
func (b *oldCode) read(ctx context.Context) (map[uint64]bool, error) {
	w := b.s.NewWorker()
	defer w.Close()
	set := make(map[uint64]bool)
	for _, f := range b.old {
		old, err := b.repo.Blob(ctx, f.Blob, b.s.o.MaxFileSize)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err != nil {
			continue
		}
		st, _ := w.Tokenize(examine.Input{Path: f.Path}, old)
		for _, g := range b.runs(st) {
			set[g] = true
		}
		for _, g := range b.runs(words(st)) {
			set[g] = true
		}
	}
	return set, nil
}

// words returns a stream whose tokens are the words of its comments.
func words(st examine.Stream) examine.Stream {
	var c lang.Comments
	c.Read(st.Text, 0, st.Tokens, comments.Words)
	st.Tokens = c.Words
	return st
}

// runs returns the hash of the text of each run of trace.GramLength tokens.
func (b *oldCode) runs(st examine.Stream) []uint64 {
	each := make([]uint64, len(st.Tokens))
	for i, t := range st.Tokens {
		each[i] = maphash.Bytes(b.seed, st.Text[t.Start:t.End])
	}
	var out []uint64
	for i := 0; i+trace.GramLength <= len(each); i++ {
		h := uint64(0)
		for _, v := range each[i : i+trace.GramLength] {
			h = h*0x9E3779B97F4A7C15 + v
		}
		out = append(out, h)
	}
	return out
}

// keep returns a function that decides, for a changed file with the given new lines, which findings touch one of them.
func (b *oldCode) keep(added func(text []byte) []linediff.Range) func(examine.Stream, *examine.Found) bool {
	return func(st examine.Stream, f *examine.Found) bool {
		changed := added(st.Text)
		if f.Documentation && f.Language != lang.Words().Name { // its tokens are words of comments
			st = words(st)
		}
		lines := touched(f, changed, b.s.Params().K)
		if len(lines) == 0 {
			return false
		}
		f.Changed = within(f, changed)
		return b.fresh(st, lines)
	}
}

// within returns the added lines in the region of a finding: those that a reviewer of the change sees.
func within(f *examine.Found, added []linediff.Range) []finding.Lines {
	var out []finding.Lines
	for _, a := range added {
		if from, to := max(a.First, f.StartLine), min(a.Last, f.EndLine); from <= to {
			out = append(out, finding.Lines{StartLine: from, EndLine: to})
		}
	}
	return out
}

// added returns a function that returns the new lines of a changed file, given its text. It compares the file with its old content
// once. It is not safe for concurrent use: one worker examines the file.
func (b *oldCode) added(ctx context.Context, c git.Change) func(text []byte) []linediff.Range {
	var lines []linediff.Range // nil until compared
	return func(text []byte) []linediff.Range {
		if lines != nil {
			return lines
		}
		lines = []linediff.Range{{First: 1, Last: 1 << 30}}
		if c.HasOld {
			if old, err := b.repo.Blob(ctx, c.Old, b.s.o.MaxFileSize); err == nil {
				lines = append([]linediff.Range{}, linediff.Added(lang.Text(c.OldPath, old), text)...)
			}
		}
		return lines
	}
}

// touched returns the added lines in matched runs of a finding. Runs shorter than a k-gram, and accidental tokens at the ends of
// the region, do not count: new code next to an old copy may match by accident.
func touched(f *examine.Found, added []linediff.Range, k int) []linediff.Range {
	var out []linediff.Range
	for _, r := range f.Runs {
		if r.Tokens < k {
			continue
		}
		for _, a := range added {
			if from, to := max(a.First, r.StartLine, f.Core.First), min(a.Last, r.EndLine, f.Core.Last); from <= to {
				out = append(out, linediff.Range{First: from, Last: to})
			}
		}
	}
	return out
}

// fresh reports whether the lines contain a token that no run of the old files covers.
func (b *oldCode) fresh(st examine.Stream, lines []linediff.Range) bool {
	set, err := b.grams()
	if err != nil || len(set) == 0 {
		return true
	}
	covered := make([]bool, len(st.Tokens))
	for i, g := range b.runs(st) {
		if set[g] {
			for j := i; j < i+trace.GramLength; j++ {
				covered[j] = true
			}
		}
	}
	for i, t := range st.Tokens {
		if covered[i] {
			continue
		}
		l := st.Lines.Line(t.Start)
		for _, r := range lines {
			if r.First <= l && l <= r.Last {
				return true
			}
		}
	}
	return false
}
