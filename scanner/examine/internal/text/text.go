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

// Side returns the stream in the form that package match compares.
func (s *Stream) Side() match.Side {
	return match.Side{Text: s.Text, Tokens: s.Tokens, Prose: s.Language == lang.Words(), Quotes: slices.Contains(eitherQuotes, s.Language.Family), Omitted: s.Language.Omitted()}
}

// eitherQuotes lists the language families in which a string is the same in single and in double quotes. Formatters change the
// quotes of a whole file. In other languages single quotes mean something else.
var eitherQuotes = []string{"js", "lua", "php", "python", "ruby"}

// Line returns the line on which a token begins.
func (s *Stream) Line(i uint32) int { return s.Lines.Line(s.Tokens[i].Start) }

// LastLine returns the line on which a token ends.
func (s *Stream) LastLine(i uint32) int { return s.Lines.Line(s.Tokens[i].End - 1) }

// Begins reports whether token i is the first on its line, or the end of the stream.
func (s *Stream) Begins(i uint32) bool {
	return i == 0 || int(i) >= len(s.Tokens) || s.Line(i) != s.Line(i-1)
}

// NameAt returns a name in the form that a report shows.
func (s *Stream) NameAt(i int) string {
	t := s.Tokens[i]
	return finding.NameInCode(s.Text[t.Start:t.End])
}

// readFunctions finds the functions in the tokens.
func (s *Stream) readFunctions() []functions.Function {
	return functions.In(s.Language, s.Text, s.Tokens)
}

// Target is the text that is examined now. Each of its functions computes its value at the first call.
type Target struct {
	*Rules
	Stream
	Hits     *lookup.Hits
	Masked   []bool // per token: base code; nil if there is none
	Unmasked int    // tokens that are not base code

	// Same lists the tokens that occur in an earlier version of the file without a finding, too: ascending intervals.
	Same    []match.Interval
	Longest int64 // tokens of the longest version in which they were examined, this one included

	Functions func() []functions.Function
	Helpers   func() []helpers.Stretch
	Imports   func() []imports.Import
	Given     func() imports.Fixed // what the packages that it imports fix of its names
	Contracts func() []contract.Stretch
	Generated func() bool // whether the text says that a program wrote it

	costs  *score.Costs // nil until computed
	room   score.Costs  // buffer for costs
	around []Name       // buffer of NamesAround
}

// Begin sets the next text and reuses the buffers of the one before.
func (t *Target) Begin(st Stream) {
	t.Stream, t.Masked, t.Unmasked, t.costs, t.Same = st, nil, len(st.Tokens), nil, nil
	t.Functions = sync.OnceValue(t.Stream.readFunctions)
	t.Helpers = sync.OnceValue(func() []helpers.Stretch { return helpers.Find(t.Language.Name, t.Text, t.Tokens) })
	t.Imports = sync.OnceValue(func() []imports.Import { return imports.In(t.Language, t.Text, t.Tokens) })
	t.Given = sync.OnceValue(func() imports.Fixed { return imports.Given(t.Language, t.Text, t.Tokens) })
	t.Contracts = sync.OnceValue(func() []contract.Stretch { return contract.Find(t.Language, t.Text, t.Tokens) })
	t.Generated = sync.OnceValue(func() bool { return lang.SaysGenerated(t.Text) })
}

// Unchanged returns the tokens of Same without a margin of around tokens at either end. A match within them was decided when the
// earlier version was examined.
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
