// Package lex has the hand-written lexers. They turn source text into the tokens of the document, tens of times faster
// than a parse.
//
//	scan.go        what all lexers share: characters, words, operators, numbers, out (the tokens of a document)
//	lex.go         Func, the type of a lexer
//	ecma.go        JavaScript and TypeScript; its parts: ecmasigns.go, ecmaliterals.go, ecmaimport.go, jsx.go
//	c.go           C; its directives: cdirective.go, carguments.go; on top of it cpp.go, objectivec.go
//	csharp.go, php.go, ruby.go, rust.go, swift.go  their strings and signs: csharpstrings.go, phpstrings.go, rubystrings.go,
//	               rustliterals.go, swiftsigns.go
//	golang.go, java.go, kotlin.go, lua.go, python.go, scala.go  one language each
//	markup.go      the tags and scripts of a page
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
