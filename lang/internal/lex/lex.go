// Package lex holds the hand-written lexers: source text flows in, the tokens of
// the document flow out, at tens of times the speed of a parse.
//
// The grammars of tree-sitter are the reference. Whatever a lexer takes on, it
// has to yield token for token as the grammar does on text without syntax
// errors: same spans, kinds, classes and flags. What it cannot tell without
// parsing it refuses, and the grammar decides. A test of package lang holds
// each lexer to that over whole corpora. Text with syntax errors a lexer reads
// like any other: it has nothing to recover from.
package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// Func appends the tokens of src to dst. It reports false, whatever it appended,
// when only the grammar can tell. It reads src once, keeps nothing of it, never
// panics, and its memory is bounded by that of the tokens.
type Func func(dst []token.Token, src []byte) ([]token.Token, bool)
