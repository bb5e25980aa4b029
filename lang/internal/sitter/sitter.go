//go:build cgo

package sitter

/*
#cgo CFLAGS: -O2 -std=gnu11
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#cgo nocallback runner_run
#cgo noescape runner_run
#include <stdlib.h>
#include "tokens.h"
*/
import "C"

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// Available reports whether grammars are linked in.
const Available = true

// The C code writes tokens that Go reads.
var _ = [1]struct{}{}[unsafe.Sizeof(Token{})-unsafe.Sizeof(C.token{})]

// install sets the allocator once, before the first parser of the process exists.
var install = sync.OnceFunc(func() { C.arena_install() })

func swift() unsafe.Pointer { return unsafe.Pointer(C.tree_sitter_swift()) }

// Grammar is a grammar with its rules. It exists as long as the process, is never modified and is shared by all
// runners.
type Grammar struct {
	c       *C.grammar
	symbols []Symbol
}

// New prepares a grammar; it returns nil if there is none of that name.
func New(spec Spec) *Grammar {
	l := (*C.TSLanguage)(grammar(spec.Grammar))
	if l == nil || l.version < 13 || l.version > 14 {
		return nil
	}
	g := &Grammar{c: (*C.grammar)(C.calloc(1, C.sizeof_grammar)), symbols: symbols(l)}
	C.grammar_prepare(g.c, l)
	if spec.Grammar == "swift" {
		// Its scanner requests no memory (calloc(0, n)) and then writes to it.
		g.c.scanner_bytes = 64
	}
	g.setRules(spec)
	g.setSpellings(spec)
	return g
}

// Symbols returns the symbols of the grammar by number.
func (g *Grammar) Symbols() []Symbol { return g.symbols }

func symbols(l *C.TSLanguage) []Symbol {
	aliases := int(l.symbol_count) // they are numbered after the symbols
	names := unsafe.Slice(l.symbol_names, aliases+int(l.alias_count))
	out := make([]Symbol, len(names))
	for i, name := range names {
		kind := C.ts_language_symbol_type(l, C.TSSymbol(i))
		out[i] = Symbol{
			Name:     C.GoString(name),
			Named:    kind == 0,
			Visible:  kind != 2,
			Terminal: i < int(l.token_count),
		}
	}
	return out
}

func cRule(r Rule) C.rule {
	return C.rule{kind: C.uint32_t(r.Kind), action: C.uint8_t(r.Action), class: C.uint8_t(r.Class), marks: C.uint8_t(r.Marks)}
}

// setRules fills the table that the walk reads. It is C memory because C keeps it.
func (g *Grammar) setRules(spec Spec) {
	n := len(g.symbols)
	table := (*C.rule)(C.calloc(C.size_t(n), C.sizeof_rule))
	for i, s := range g.symbols {
		rule := cRule(spec.Classify(s))
		if !s.Named {
			rule.literal = 1
		}
		unsafe.Slice(table, n)[i] = rule
	}
	g.c.rules, g.c.rule_count = table, C.uint32_t(n)
	g.c.error = cRule(spec.Error)
	g.c.identifier, g.c.number, g.c.string = cRule(spec.Identifier), cRule(spec.Number), cRule(spec.String)
	g.c.word, g.c.operator = cRule(spec.Word), cRule(spec.Operator)
	g.c.comment = C.char(spec.Comment)
}

// setSpellings lists the literal symbols, so that text lexed again gets the kinds of the grammar.
func (g *Grammar) setSpellings(spec Spec) {
	all := slices.Clone(spec.Spellings)
	for _, s := range g.symbols {
		if r := spec.Classify(s); s.Visible && !s.Named && r.Action == Leaf {
			all = append(all, Spelling{s.Name, r.Kind, r.Class})
		}
	}
	slices.SortStableFunc(all, func(a, b Spelling) int { return cmp.Compare(token.Kind(a.Text), token.Kind(b.Text)) })
	all = slices.CompactFunc(all, func(a, b Spelling) bool { return a.Text == b.Text })
	table := (*C.spelling)(C.calloc(C.size_t(len(all)+1), C.sizeof_spelling))
	for i, s := range all {
		unsafe.Slice(table, len(all))[i] = C.spelling{kind: C.uint32_t(token.Kind(s.Text)), as: C.uint32_t(s.Kind), class: C.uint32_t(s.Class)}
	}
	g.c.spellings, g.c.spelling_count = table, C.uint32_t(len(all))
}

// Runner owns the buffers of one goroutine; it is not safe for concurrent use.
type Runner struct{ c *C.runner }

// NewRunner returns a runner, nil if there is no memory for one.
func NewRunner() *Runner {
	install()
	c := C.runner_new()
	if c == nil {
		return nil
	}
	return &Runner{c}
}

// Close frees the buffers.
func (r *Runner) Close() {
	C.runner_delete(r.c)
	r.c = nil
}

// Run tokenizes src. Its first skip bytes are a prefix that gives no tokens; positions count from after them. The
// tokens are valid until the next call. The second result counts syntax errors.
func (r *Runner) Run(g *Grammar, src []byte, skip int, l Limits) ([]Token, int, error) {
	p := (*C.char)(unsafe.Pointer(unsafe.SliceData(src)))
	code := C.runner_run(r.c, g.c, p, C.uint32_t(len(src)), C.uint32_t(skip), C.uint64_t(l.Ops),
		C.uint64_t(l.ArenaBytes), C.uint32_t(l.Tokens), C.uint64_t(l.Timeout/time.Microsecond))
	runtime.KeepAlive(src)
	if err := errorOf(code); err != nil {
		return nil, 0, err
	}
	return unsafe.Slice((*Token)(unsafe.Pointer(r.c.tokens)), int(r.c.count)), int(r.c.errors), nil
}

func errorOf(code C.int) error {
	switch code {
	case C.RUN_OK:
		return nil
	case C.RUN_TIMEOUT:
		return ErrTimeout
	case C.RUN_TOKENS:
		return ErrTokens
	case C.RUN_MEMORY:
		return ErrMemory
	case C.RUN_BUDGET:
		return ErrBudget
	}
	return ErrFailed
}
