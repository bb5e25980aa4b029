// Package text holds the text that is examined, and what the steps of package examine ask of it. All steps after the look-up read
// one Examined.
//
//	text.go    Stream: a text and its tokens; Examined: the text with its functions, imports and boilerplate
//	rules.go   Rules: the settings that all texts of a scan share, such as baselines, weights and options
//	needed.go  the bits that a finding in this text needs
//	names.go   the names around a k-gram
//	table.go   tables of numbers
package text

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/boilerplate"
	"github.com/git-provenance/git-provenance/scanner/syntax/contract"
	"github.com/git-provenance/git-provenance/scanner/syntax/declarations"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// Stream is a text and its tokens.
type Stream struct {
	Path     string
	Language *lang.Language
	Text     []byte
	File     []byte // the content of the file, which differs from its text in notebooks and in UTF-16
	Tokens   []lang.Token
	Lines    lang.LineIndex
}

// Side returns the stream in the form that package match compares.
func (s *Stream) Side() match.Side {
	return match.Side{Text: s.Text, Tokens: s.Tokens, Prose: s.Language == lang.Words(), Quotes: slices.Contains(eitherQuotes, s.Language.Family), Scoped: s.Language.Scoped(), Omitted: s.Language.Omitted()}
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

// TextAt returns the text of a token.
func (s *Stream) TextAt(i uint32) []byte { return s.Text[s.Tokens[i].Start:s.Tokens[i].End] }

// NameAt returns a name in the form that a report shows.
func (s *Stream) NameAt(i int) string { return finding.NameInCode(s.TextAt(uint32(i))) }

// readFunctions finds the functions in the tokens.
func (s *Stream) readFunctions() []functions.Function {
	return functions.Find(s.Language, s.Text, s.Tokens)
}

// isStyleSheet reports whether a text without grammar has comments as code has them.
func isStyleSheet(name string) bool {
	return slices.Contains([]string{".css", ".scss", ".sass", ".less"}, strings.ToLower(path.Ext(name)))
}

func isPage(name string) bool {
	return slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(name)))
}

// readCounted returns the tokens with licence texts, the frames of pages and tables of character sets left out of the evidence, as import
// clauses are. A grammar drops licence texts with the comments, but the word front-end does not know comments.
// Markup also stands in JavaScript.
func (s *Stream) readCounted() []lang.Token {
	var spans []license.Span
	frames := boilerplate.CharacterSets(s.Text)
	switch {
	case s.Language == lang.Words():
		spans = license.Spans(s.Text)
		if isStyleSheet(s.Path) || isPage(s.Path) {
			spans = append(spans, license.HeadNotice(s.Text)...)
		}
		frames = append(frames, boilerplate.InText(s.Text)...)
	case s.Language.Family == "js":
		frames = append(frames, boilerplate.InMarkup(s.Text)...)
	}
	for _, f := range frames {
		spans = append(spans, license.Span{From: f.From, To: f.To})
	}
	if len(spans) == 0 {
		return s.Tokens
	}
	slices.SortStableFunc(spans, func(a, b license.Span) int { return cmp.Compare(a.From, b.From) })
	out := slices.Clone(s.Tokens)
	for i := range out {
		token := &out[i]
		for len(spans) > 0 && spans[0].To <= int(token.Start) {
			spans = spans[1:]
		}
		if len(spans) > 0 && spans[0].From <= int(token.Start) {
			token.Flags |= lang.FlagImport
		}
	}
	return out
}

// Earlier compares a text with an earlier version of its file that had no finding. The zero value stands for no such version.
type Earlier struct {
	Same    []match.Interval // tokens that the earlier version has too, ascending
	Aligned bool             // an alignment in full was made when the earlier version was examined
}

// Examined is the text that is examined now, as a stream of tokens. Begin sets it, and the steps only read it. Each of its functions
// computes its value at the first call.
type Examined struct {
	Rules *Rules
	Stream
	Hits     *lookup.Hits
	Reader   *verdict.Reader // of statements
	Masked   []bool          // per token: base code; nil if there is none
	Unmasked int             // tokens that are not base code
	Earlier  Earlier

	Counted     func() []lang.Token // the tokens as the evidence counts them
	Functions   func() []functions.Function
	Boilerplate func() []boilerplate.Span
	Imports     func() []imports.Import
	FixedNames  func() imports.Fixed // what the packages that it imports fix of its names
	Clauses     func() imports.Clauses
	Declared    func() declarations.Names
	Echoes      func() map[string][]string // names that repeat their types
	Uses        func() map[string]Use      // of every name
	Contracts   func() []contract.Signature
	Statements  func() *verdict.Statements // attribution statements of the text
	Generated   func() bool                // whether the text says that a program wrote it
	Plain       func() bool                // whether it is a document, a page or settings, and no code
	FileSHA1    func() string              // SHA-1 of the file, which SPDX asks for; no result relies on it

	costs  *score.Costs // nil until computed
	room   score.Costs  // buffer for costs
	around []Name       // buffer of NamesAround
}

// Begin sets the next text, whose hits are in t.Hits, and reuses the buffers of the one before. masked marks its base code.
func (t *Examined) Begin(st Stream, masked []bool, e Earlier) {
	t.Stream, t.Masked, t.Unmasked, t.Earlier, t.costs = st, masked, len(st.Tokens)-match.Count(masked), e, nil
	t.Counted = sync.OnceValue(t.Stream.readCounted)
	t.Functions = sync.OnceValue(t.Stream.readFunctions)
	t.Boilerplate = sync.OnceValue(func() []boilerplate.Span { return boilerplate.Find(t.Language.Syntax(), t.Text, t.Tokens) })
	t.Imports = sync.OnceValue(func() []imports.Import { return imports.Find(t.Language, t.Text, t.Tokens) })
	t.FixedNames = sync.OnceValue(func() imports.Fixed { return imports.FixedNames(t.Language, t.Text, t.Tokens) })
	t.Clauses = sync.OnceValue(func() imports.Clauses { return imports.ClausesOf(t.Language, t.Text, t.Tokens) })
	t.Declared = sync.OnceValue(func() declarations.Names {
		return declarations.Find(cmp.Or(t.Language, lang.Words()), t.Text, t.Tokens)
	})
	t.Echoes = sync.OnceValue(func() map[string][]string {
		return declarations.Echoes(cmp.Or(t.Language, lang.Words()), t.Text, t.Tokens)
	})
	t.Uses = sync.OnceValue(t.Stream.readUses)
	t.Contracts = sync.OnceValue(func() []contract.Signature { return contract.Find(t.Language, t.Text, t.Tokens) })
	t.Statements = sync.OnceValue(func() *verdict.Statements {
		return t.Reader.Read(t.Text, t.Tokens, t.Language == lang.Words() && !isStyleSheet(t.Path))
	})
	t.Plain = sync.OnceValue(func() bool {
		return t.Language == lang.Words() && !isStyleSheet(t.Path) && !lang.IsCode(t.Path, t.Text)
	})
	t.Generated = sync.OnceValue(func() bool { return lang.SaysGenerated(t.Text) })
	t.FileSHA1 = sync.OnceValue(func() string {
		sum := sha1.Sum(t.File)
		return hex.EncodeToString(sum[:])
	})
}

// CountedSide returns the text in the form in which its evidence is counted. To find licence texts takes long, so only a text with a
// proof asks for it.
func (t *Examined) CountedSide() match.Side {
	s := t.Side()
	s.Tokens = t.Counted()
	return s
}

// Unchanged returns the tokens of Earlier.Same without a margin of around tokens at either end. A match within them was decided when the
// earlier version was examined.
func (t *Examined) Unchanged(around int) (out []match.Interval) {
	for _, v := range t.Earlier.Same {
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

// Costs returns the largest number of bits that each token can carry. It is computed at the first call, after the look-up.
func (t *Examined) Costs() *score.Costs {
	if t.costs != nil {
		return t.costs
	}
	c := t.Rules.frequenciesOf(t.Language, t.Text)
	var frequent []score.Range
	t.Hits.Frequent(func(pos, units int) {
		frequent = append(frequent, score.Range{From: pos, To: pos + t.Rules.Params.K, Bits: c.Run(units)})
	})
	t.room.Reset(t.Rules.Weights, t.Side(), c, frequent, store.HasName)
	t.costs = &t.room
	return t.costs
}
