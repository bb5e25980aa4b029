// Package lang is the first stage of the pipeline: the path and bytes of a
// document flow in, a stream of tokens flows out. Code goes through a
// tree-sitter grammar; prose and what no grammar is known for go through the
// word front-end. What is not tokenized, or given up on, carries its reason.
//
// A token's identity is its Kind. Keywords, operators and punctuation are
// themselves; all identifiers of a language are one kind, and so are all
// numbers, strings, booleans and nulls; comments and layout leave no token. Two
// pieces of code with the same kinds are equal but for names, values, layout
// and comments.
package lang
