// Package lang is the first stage of the pipeline: it turns the path and bytes of a document into a stream of tokens.
// Code is read by a tree-sitter grammar or an equivalent lexer. Prose and text without a known grammar are read by the
// word front-end. A document that is not tokenized, or given up on, has a reason.
//
//	detect.go      path, bytes → the language, or the reason not to examine a document; linguist.go: by GitHub's table of names
//	text.go        bytes → the text that is read: character sets, notebooks
//	tokenizer.go   Tokenizer: text → tokens, within Limits
//	table.go       the languages, each an entry of data; language.go: the loaded entries
//	rules.go       an entry → rules for the nodes of its grammar
//	optional.go    tokens that formatters add and remove
//	page.go        pages: HTML, Vue, Svelte
//	words.go       text without a grammar, as words
//	token.go       tokens, and the index of lines
//	blocks.go      the tokens of a stored document, decoded block by block
//	comments.go    the words of comments
//	toolwritten.go files that tools write for everybody; vendored.go: directories that package managers fill
//
// A token's identity is its Kind. Keywords, operators and punctuation are themselves. All identifiers of a language are
// one kind, and so are all numbers, strings, booleans and nulls. Comments and layout leave no token. Two pieces of code
// with the same kinds are equal except for names, values, layout and comments.
package lang

import (
	"strconv"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// normalizer numbers the rules by which symbols become tokens in every language. A change to one language only raises
// the revision of its table entry instead; then only its documents have to be tokenised again. Version 2 removes layout
// and comments from directives, and reads the patterns of Bash as words. Version 3 gives each word one meaning
// everywhere, so that a lexer can decide as well as a grammar: reserved words are never names, and words that are
// keywords only in some places have one meaning. A shift is split into its signs if those can also close type
// arguments. So are "&&" and brackets in C, and the sign of a number, which could be an operator. Version 4 does the
// same for Rust, C#, PHP, and Kotlin, where a semicolon is a line end.
const normalizer = 4

// wordsRevision is the revision of the word front-end.
const wordsRevision = 0

// Language is a front-end: a grammar with its table, or the word front-end.
type Language struct {
	Name    string
	Family  string // streams of one family may match each other
	Version string // of the grammar; empty without one

	spec    *spec
	grammar func() *sitter.Grammar // made on first use; nil if it has none of its own
}

var words = &Language{Name: "text", Family: "words"}

// Words returns the word front-end.
func Words() *Language { return words }

var languages = sync.OnceValue(func() []*Language {
	out := make([]*Language, len(table))
	for i := range table {
		s := &table[i]
		out[i] = &Language{Name: s.name, Family: s.family, Version: s.version, spec: s}
		if s.grammar != "" {
			out[i].grammar = sync.OnceValue(s.load)
		}
	}
	return out
})

// Lexed reports whether reading the language costs a fraction of a parse: it has a lexer, or is read as words.
func (l *Language) Lexed() bool { return l.spec == nil || l.spec.lexer != nil || l.spec.page }

// Syntax returns the name of the language whose syntax the code has: that of a page's scripts, C for Objective-C, else its own.
func (l *Language) Syntax() string {
	switch {
	case l.spec == nil:
	case l.spec.page:
		return scripted
	case l.spec.like != "":
		return l.spec.like
	}
	return l.Name
}

// Languages returns all languages but the word front-end, sorted by name. Without grammars those without a lexer are read as words.
func Languages() []*Language { return append([]*Language(nil), languages()...) }

// ByName returns the language of that name, including the word front-end, or nil.
func ByName(name string) *Language {
	if name == words.Name {
		return words
	}
	for _, l := range languages() {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// SchemeID names everything that the identity of tokens depends on, in all languages.
func SchemeID() string {
	var b strings.Builder
	b.WriteString("tokens")
	for i := range table {
		b.WriteString(" " + table[i].name + "=" + table[i].scheme())
	}
	return b.String() + " " + words.Name + "=" + SchemeOf(words.Name)
}

// SchemeOf names everything that the identity of a language's tokens depends on: the normalizer, the revision of its
// table entry, and the version of its grammar. It is empty for an unknown language. A build without grammars returns it
// too.
func SchemeOf(name string) string {
	for i := range table {
		if table[i].name == name {
			return table[i].scheme()
		}
	}
	if name == words.Name {
		return strconv.Itoa(normalizer) + "." + strconv.Itoa(wordsRevision)
	}
	return ""
}

func (s *spec) scheme() string {
	own := strconv.Itoa(normalizer) + "." + strconv.Itoa(s.revision) + "@" + s.version
	if s.like != "" {
		own += "+" + SchemeOf(s.like)
	}
	if s.page {
		for _, name := range inScripts {
			own += "+" + SchemeOf(name)
		}
	}
	return own
}

func (s *spec) load() *sitter.Grammar {
	rules := s.rules()
	return sitter.New(sitter.Spec{
		Grammar:    s.grammar,
		Classify:   rules.of,
		Error:      sitter.Rule{Kind: kindOf("ERROR")},
		Spellings:  s.spellings(rules),
		Comment:    s.comment,
		Identifier: merged(Identifier, sitter.Atom),
		Number:     merged(Number, sitter.Atom),
		String:     merged(String, sitter.Atom),
		Word:       sitter.Rule{Class: uint8(Word)},
		Operator:   sitter.Rule{Class: uint8(Keyword)},
	})
}

// Omitted returns how many tokens the language leaves out for each token of a stream, on average. In 3,001 files of JavaScript it
// is 0.079. Authors of TypeScript leave out many of these tokens themselves (0.026), but code that is translated between the two languages
// has equally many. What Python (0.001), Kotlin (0.004), PHP (0.006) and Swift (0.017) leave out is too little to count.
func (l *Language) Omitted() float64 {
	if l.spec != nil && l.spec.optional&semicolons != 0 {
		return 0.08
	}
	return 0
}

// Scoped reports whether the language has scopes for the functions of a class, so that they need not bear its name: clock_init, clock_free.
func (l *Language) Scoped() bool { return l.Family != "c" }

// HasGrammars reports whether the grammars are linked in. Without cgo they are not. Languages without a lexer, and the
// few texts that a lexer refuses, are then read as words, for the reason NoGrammar.
const HasGrammars = sitter.Available
