// Package sitter turns source code into a flat list of tokens with the
// tree-sitter parser: the only place of the project that knows tree-sitter and
// the only one with C. Source bytes and a table of what to do with each symbol
// flow in; tokens, or the reason why there are none, flow out.
//
// One C call per file parses, walks the tree and fills the buffer. All memory
// of the parse comes from an arena that is dropped at once, with a byte cap and
// a work budget that do not depend on the machine's load.
//
// Grammars are not trusted. Every call of a scanner passes through this package:
// where the budget ends it sees the source end, its state gets more room than it
// asks for, and an assertion that fails ends the parse instead of the process.
//
// Without cgo the package compiles to one that has no grammars.
package sitter

import (
	"errors"
	"time"
)

// Token is one token; the layout is that of the C struct.
type Token struct {
	Start, End uint32
	Kind       uint32
	Class      uint8
	Flags      uint8
	_          uint16
}

// FlagImport marks tokens within an import clause.
const FlagImport = 1

// Action says what becomes of a node of a symbol.
type Action uint8

// The actions, in the order the C code knows them.
const (
	Leaf   Action = iota // descend; a leaf is a token
	Skip                 // drop the subtree
	Atom                 // the subtree is one token
	Open                 // one token up to its first embedded token, then those; literal children are its quotes
	Relex                // the text is source code the grammar leaves alone: lex it
	Words                // the text is prose: lex it into words
	Text                 // the text is the identity, unless it has parts and is no plain word
	Apart                // each byte is a token
	Signed               // one token, but that a sign at its start is one of its own
)

// Mark says what a node of a symbol means for imports.
type Mark uint8

// The marks, as bits.
const (
	ImportClause Mark = 1 << iota // the node is an import clause
	MaybeImport                   // the node is one if it has a child marked ImportChild
	ImportChild
)

// Rule is what the walk does with the nodes of one symbol.
type Rule struct {
	Kind   uint32
	Action Action
	Class  uint8
	Marks  Mark
}

// Symbol is one symbol of a grammar.
type Symbol struct {
	Name     string
	Named    bool // a rule of the grammar, not a literal spelling
	Visible  bool // can be a node of the tree
	Terminal bool // is always a leaf
}

// Spelling says what a word or operator becomes where text is lexed again.
type Spelling struct {
	Text  string
	Kind  uint32
	Class uint8
}

// Spec is everything the project knows about a grammar.
type Spec struct {
	Grammar   string
	Classify  func(Symbol) Rule
	Error     Rule
	Spellings []Spelling // in addition to the literal symbols of the grammar

	// What lexing again gives out.
	Identifier, Number, String, Word, Operator Rule
}

// Limits bound one run; all are needed.
type Limits struct {
	ArenaBytes uint64
	Ops        uint64
	Tokens     uint32
	Timeout    time.Duration
}

// Why a run was given up.
var (
	ErrTimeout = errors.New("timeout")
	ErrTokens  = errors.New("token limit")
	ErrMemory  = errors.New("arena limit")
	ErrBudget  = errors.New("work budget")
	ErrFailed  = errors.New("parser failed")
)
