package lang

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// Limits bound the work on one document; a zero field means its default.
type Limits struct {
	ArenaBytes uint64        // memory of one parse
	OpsPerByte uint64        // work of one parse, independent of the machine
	Tokens     uint32        // tokens of one document
	Timeout    time.Duration // wall clock of one parse, the last resort
}

const (
	// 50 MB of Go need 2.6 GB; files above a few MB are data.
	defaultArena = 1 << 30
	maxArena     = 16 << 30
	// The tree of real source takes some 50 bytes for each byte of text. Text that takes several times as much, like
	// "a<" repeated in Java, is hostile, and every worker would pay for it.
	minArena, arenaPerByte = 64 << 20, 160
	// Of 16,000 real files in languages without a lexer, the worst takes 2.1 (Scala). In the other languages one would
	// take 13 (C#), but its lexer reads it. Hostile text that hangs a parser takes hundreds.
	defaultOpsPerByte = 4
	// Below this amount of work no parse is given up, however small the file.
	minOps = 1 << 18
	// 32 MiB, the limit of the C code.
	maxKept = 2 << 20
	// 16 bytes each: 1 GiB.
	defaultTokens = 64 << 20
	// The budget has to end every parse first, otherwise the outcome depends on the machine. The worst known input
	// takes 6 s a MB to use the budget (`\u0041 $"{` repeated in Swift). A baseline accepts no file above 16 MB.
	defaultTimeout = 5 * time.Minute
)

func (l Limits) withDefaults() Limits {
	if l.ArenaBytes == 0 {
		l.ArenaBytes = defaultArena
	}
	l.ArenaBytes = min(l.ArenaBytes, maxArena)
	if l.OpsPerByte == 0 {
		l.OpsPerByte = defaultOpsPerByte
	}
	if l.Tokens == 0 {
		l.Tokens = defaultTokens
	}
	if l.Timeout <= 0 {
		l.Timeout = defaultTimeout
	}
	return l
}

func (l Limits) of(n int) sitter.Limits {
	ops := uint64(n) * min(l.OpsPerByte, math.MaxUint32)
	arena := min(l.ArenaBytes, minArena+arenaPerByte*uint64(n))
	return sitter.Limits{ArenaBytes: arena, Ops: max(ops, minOps), Tokens: l.Tokens, Timeout: l.Timeout}
}

// LimitError says that a document was given up on.
type LimitError struct {
	Reason Reason
	Detail string
}

func (e *LimitError) Error() string { return fmt.Sprintf("tokenize: %s: %s", e.Reason, e.Detail) }

// Stream is the token stream of one document.
type Stream struct {
	Tokens []Token // valid until the tokenizer's next call
	Errors int     // syntax errors the parser recovered from
}

// Tokenizer turns documents into streams. It owns the buffers of one goroutine
// and is not safe for concurrent use.
type Tokenizer struct {
	limits Limits
	runner *sitter.Runner
	words  []Token
	lexed  []Token
	text   []byte // a fragment with its prefix
	clean  []byte // a document without the bytes that are not UTF-8
	markup []Token
	page   []Token // the tokens of markup and scripts
	code   []byte  // the scripts of a page, with blanks for the rest
}

// NewTokenizer returns a tokenizer; close it to free its memory.
func NewTokenizer(l Limits) *Tokenizer { return &Tokenizer{limits: l.withDefaults()} }

// Close frees the tokenizer's memory. Its streams become invalid.
func (t *Tokenizer) Close() {
	if t.runner != nil {
		t.runner.Close()
	}
	*t = Tokenizer{limits: t.limits}
}

// Tokenize returns the stream of src read as l, or a *LimitError. In code each byte that is not UTF-8 is read as a
// letter. So one author's name in a comment does not prevent the use of the grammar.
func (t *Tokenizer) Tokenize(l *Language, src []byte) (Stream, error) {
	if uint64(len(src)) > math.MaxInt32 {
		return Stream{}, &LimitError{TooLarge, fmt.Sprintf("%d bytes, positions have 31 bits", len(src))}
	}
	if l == nil || l.spec == nil {
		return t.tokenizeWords(src)
	}
	if l.spec.page {
		return t.tokenizePage(src)
	}
	src = t.valid(src)
	if l.spec.lexer != nil {
		tokens, ok := l.spec.lexer(t.lexed[:0], src)
		t.lexed = kept(tokens)
		ok = ok && !swallows(tokens, src)
		if ok && uint64(len(tokens)) > uint64(t.limits.Tokens) {
			return Stream{}, t.tooMany()
		}
		if ok {
			return Stream{Tokens: l.spec.optional.leave(tokens, src)}, nil
		}
	}
	s, err := t.tokenizeCode(ByName(l.Syntax()), src)
	s.Tokens = l.spec.optional.leave(s.Tokens, src)
	return s, err
}

// swallows reports whether an unclosed string or comment may have taken the rest of the document: the document ends
// with a string of several lines, or a comment opens after the last token. The grammar would continue where it can,
// and count a syntax error.
func swallows(tokens []Token, src []byte) bool {
	tail := src
	if n := len(tokens); n > 0 {
		last := tokens[n-1]
		if last.Class == String && int(last.End) == len(src) && bytes.IndexByte(src[last.Start:], '\n') >= 0 {
			return true
		}
		tail = src[last.End:]
	}
	return bytes.LastIndex(tail, []byte("/*")) > bytes.LastIndex(tail, []byte("*/"))
}

// valid returns src with an underscore for each byte that is not UTF-8, so that positions stay the same.
func (t *Tokenizer) valid(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	t.clean = append(t.clean[:0], src...)
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			t.clean[i] = '_'
		}
		i += n
	}
	return t.clean
}

// TokenizeOrWords is Tokenize, but reads a document as words if it gives up reading it as l. It returns the language
// used, and the limit if that is words.
func (t *Tokenizer) TokenizeOrWords(l *Language, src []byte) (Stream, *Language, *LimitError, error) {
	s, err := t.Tokenize(l, src)
	var limit *LimitError
	if errors.As(err, &limit) {
		l = Words()
		s, err = t.Tokenize(l, src)
	}
	return s, l, limit, err
}

func (t *Tokenizer) tooMany() *LimitError {
	return &LimitError{TooManyTokens, fmt.Sprintf("more than %d tokens", t.limits.Tokens)}
}

// kept returns the buffer for the next document. The buffer of an outsized document is released.
func kept(tokens []Token) []Token {
	if cap(tokens) > maxKept {
		return nil
	}
	return tokens
}

func (t *Tokenizer) tokenizeCode(l *Language, src []byte) (Stream, error) {
	g := l.grammar()
	if !HasGrammars {
		return Stream{}, noGrammar(l)
	}
	if g == nil || !t.start() {
		return Stream{}, &LimitError{ParserFailed, fmt.Sprintf("no parser for %q", l.Name)}
	}
	limits := t.limits.of(len(src))
	text, skip := t.withPrefix(l, src)
	tokens, syntax, err := t.runner.Run(g, text, skip, limits)
	if err != nil {
		return Stream{}, limitError(err, limits)
	}
	out := unsafe.Slice((*Token)(unsafe.Pointer(unsafe.SliceData(tokens))), len(tokens))
	if l.spec.reserved != nil {
		l.spec.reserved.Settle(out, src)
	}
	return Stream{out, syntax}, nil
}

// noGrammar says what a build without grammars cannot read.
func noGrammar(l *Language) *LimitError {
	if l.spec.lexer != nil {
		return &LimitError{NoGrammar, "the lexer of " + l.Name + " refuses it, and a build without cgo has no grammar"}
	}
	return &LimitError{NoGrammar, l.Name + " has no lexer, and a build without cgo has no grammar"}
}

func (t *Tokenizer) start() bool {
	if t.runner == nil {
		t.runner = sitter.NewRunner()
	}
	return t.runner != nil
}

// withPrefix puts the language's opening before a fragment that lacks it.
func (t *Tokenizer) withPrefix(l *Language, src []byte) ([]byte, int) {
	if l.spec.opening == "" || opens(src) {
		return src, 0
	}
	t.text = append(append(t.text[:0], l.spec.opening...), src...)
	return t.text, len(l.spec.opening)
}

// opens reports whether PHP code opens itself, by "<?php", "<?=" or "<?" and a blank; "<?xml" is text.
func opens(src []byte) bool {
	for {
		_, after, ok := bytes.Cut(src, []byte("<?"))
		if !ok {
			return false
		}
		if len(after) == 0 || after[0] <= ' ' || after[0] == '=' || len(after) >= 3 && bytes.EqualFold(after[:3], []byte("php")) {
			return true
		}
		src = after
	}
}

func limitError(err error, l sitter.Limits) *LimitError {
	switch {
	case errors.Is(err, sitter.ErrBudget):
		return &LimitError{Budget, fmt.Sprintf("more than %d steps of work", l.Ops)}
	case errors.Is(err, sitter.ErrMemory):
		return &LimitError{Memory, fmt.Sprintf("more than %d bytes of memory", l.ArenaBytes)}
	case errors.Is(err, sitter.ErrTokens):
		return &LimitError{TooManyTokens, fmt.Sprintf("more than %d tokens", l.Tokens)}
	case errors.Is(err, sitter.ErrTimeout):
		return &LimitError{Timeout, fmt.Sprintf("more than %v", l.Timeout)}
	}
	return &LimitError{ParserFailed, err.Error()}
}

// tokenizeWords is the word front-end. A run of letters, digits and underscores is a token, and its text is its
// identity. All runs that start with a digit are one kind. Every other visible character is a token of its own. White
// space, control characters and bytes that are not UTF-8 separate words.
func (t *Tokenizer) tokenizeWords(src []byte) (Stream, error) {
	out := t.words[:0]
	for i := 0; i < len(src); {
		token, next := wordAt(src, i)
		i = next
		if token.End == token.Start {
			continue
		}
		if uint32(len(out)) >= t.limits.Tokens {
			t.words = kept(out)
			return Stream{}, t.tooMany()
		}
		out = append(out, token)
	}
	t.words = kept(out)
	return Stream{Tokens: out}, nil
}
