// Package lang is the first stage of the pipeline: it turns the path and bytes of a document into a stream of tokens.
// Code is read by a tree-sitter grammar or an equivalent lexer. Prose and text without a known grammar are read by the
// word front-end. A document that is not tokenized, or given up on, has a reason.
//
// A token's identity is its Kind. Keywords, operators and punctuation are themselves. All identifiers of a language are
// one kind, and so are all numbers, strings, booleans and nulls. Comments and layout leave no token. Two pieces of code
// with the same kinds are equal except for names, values, layout and comments.
package lang
