// Package text holds the text that is examined: its tokens, the functions, imports and helpers found in them, and the bits that a
// finding in the text needs. Rules are the settings that all texts of a scan share. All steps of package examine read a Target; only
// the look-up changes it, by masking base code.
package text

import (
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/helpers"
	"github.com/git-provenance/git-provenance/scanner/imports"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Stream is a text and its tokens.
type Stream struct {
	Path     string
	Language *lang.Language
	Text     []byte
	Tokens   []lang.Token
	Lines    lang.LineIndex
}

// Side is the stream as the matcher sees it.
func (s *Stream) Side() match.Side {
	return match.Side{Text: s.Text, Tokens: s.Tokens, Prose: s.Language == lang.Words(), Quotes: slices.Contains(eitherQuotes, s.Language.Family)}
}

// eitherQuotes are the families of languages in which a string is the same in single and in double quotes. In others single
// quotes make something else. Tools that format code change the quotes of all that they format.
var eitherQuotes = []string{"js", "lua", "php", "python", "ruby"}

// Line is the line of a token.
func (s *Stream) Line(i uint32) int { return s.Lines.Line(s.Tokens[i].Start) }

// LastLine is the line on which a token ends.
func (s *Stream) LastLine(i uint32) int { return s.Lines.Line(s.Tokens[i].End - 1) }

// Begins tells whether a line begins with token i, or the stream ends there.
func (s *Stream) Begins(i uint32) bool {
	return i == 0 || int(i) >= len(s.Tokens) || s.Line(i) != s.Line(i-1)
}

// NameAt is a name as a report has it.
func (s *Stream) NameAt(i int) string {
	t := s.Tokens[i]
	return finding.NameInCode(s.Text[t.Start:t.End])
}

// ReadFunctions reads the functions off the tokens.
func (s *Stream) ReadFunctions() []functions.Function {
	return functions.In(s.Language, s.Text, s.Tokens)
}

// Target is the text that is examined now. Each of its functions computes its value at the first call.
type Target struct {
	*Rules
	Stream
	Hits   *lookup.Hits
	Masked []bool // per token: base code; nil if none is
	Own    int    // tokens that are not

	// Same are the tokens that an earlier version of the file has too, if that came to no finding: ascending intervals.
	Same    []match.Interval
	Longest int64 // tokens of the longest version that they were examined in, this one included

	Functions func() []functions.Function
	Helpers   func() []helpers.Stretch
	Imports   func() []imports.Import
	Contracts func() []contract.Stretch
	Generated func() bool // whether it says that a program wrote it

	costs  *score.Costs // once worked out
	room   score.Costs  // for them
	around []Name       // room for NamesAround
}

// Begin sets the next text and reuses the buffers of the one before.
func (t *Target) Begin(st Stream) {
	t.Stream, t.Masked, t.Own, t.costs, t.Same = st, nil, len(st.Tokens), nil, nil
	t.Functions = sync.OnceValue(t.Stream.ReadFunctions)
	t.Helpers = sync.OnceValue(func() []helpers.Stretch { return helpers.Find(t.Text, t.Tokens) })
	t.Imports = sync.OnceValue(func() []imports.Import { return imports.In(t.Language, t.Text, t.Tokens) })
	t.Contracts = sync.OnceValue(func() []contract.Stretch { return contract.Find(t.Language, t.Text, t.Tokens) })
	t.Generated = sync.OnceValue(func() bool { return lang.SaysGenerated(t.Text) })
}

// Unchanged returns the tokens that stand in an earlier version of the file, which came to no finding, with so many tokens on either
// side. What depends on no others was decided then.
func (t *Target) Unchanged(around int) (out []match.Interval) {
	for _, v := range t.Same {
		if v.From > 0 {
			v.From += around
		}
		if v.To < len(t.Tokens) {
			v.To -= around
		}
		if v.From < v.To {
			out = append(out, v)
		}
	}
	return out
}
