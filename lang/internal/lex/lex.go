// Package lex has the hand-written lexers. They turn source text into the tokens of the document, tens of times faster
// than a parse.
//
// The grammars of tree-sitter are the reference. For text without syntax errors a lexer must return the grammar's
// result token for token: same spans, kinds, classes and flags. It refuses text that it cannot read without parsing;
// then the grammar decides. A test of package lang compares each lexer with its grammar over whole corpora. A lexer
// reads text with syntax errors like any other: it has nothing to recover from.
package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// Func appends the tokens of src to dst. It returns false if only the grammar can read the text; the tokens appended
// are then meaningless. It reads src once, keeps no part of it and never panics. The tokens bound its memory.
type Func func(dst []token.Token, src []byte) ([]token.Token, bool)
