// Package sitter turns source code into a flat list of tokens with the tree-sitter parser. No other package of the
// project knows tree-sitter or has C. It takes source bytes and a table of actions by symbol. It returns tokens, or the
// reason why there are none.
//
//	doc.go         tokens, actions, limits
//	sitter.go      Runner, by cgo; none.go: without cgo
//	tokens.c, arena.c, …  the walk and the memory, in C
//	grammars.go    the C functions of the grammars
//	bare.go, reparse.go   other ways to parse, for comparison
//
// One C call per file parses, walks the tree and fills the buffer. All memory of the parse comes from an arena that is
// dropped at once. Its byte cap and work budget do not depend on the machine's load.
//
// Grammars are not trusted. Every call of a scanner passes through this package. When the budget ends, the scanner sees
// the end of the source. Its state gets more room than it asks for, and a failed assertion ends the parse instead of
// the process.
//
// Without cgo the package has no grammars.
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

// Action says how the walk treats the nodes of a symbol.
type Action uint8

// The actions, in the order of the C code.
const (
	Leaf   Action = iota // descend; a leaf is a token
	Skip                 // drop the subtree
	Atom                 // the subtree is one token
	Open                 // one token up to its first embedded token, then the embedded tokens; literal children are its quotes
	Relex                // the text is source code that the grammar does not parse: lex it
	Words                // the text is prose: lex it into words
	Text                 // the text is the identity, unless it has parts and is not a plain word
	Apart                // each byte is a token
	Signed               // one token, but a sign at its start is a token of its own
)

// Mark is the meaning of a symbol's nodes for imports.
type Mark uint8

// The marks, as bits.
const (
	ImportClause Mark = 1 << iota // the node is an import clause
	MaybeImport                   // the node is an import clause if it has a child marked ImportChild
	ImportChild
)

// Rule says how the walk treats the nodes of one symbol.
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

// Spelling is the meaning of a word or operator in text that is lexed again.
type Spelling struct {
	Text  string
	Kind  uint32
	Class uint8
}

// Spec is everything that the project knows about a grammar.
type Spec struct {
	Grammar   string
	Classify  func(Symbol) Rule
	Error     Rule
	Spellings []Spelling // in addition to the literal symbols of the grammar
	Comment   byte       // how a comment begins: '/' for // and /*, '#', or '-' for -- and --[[

	// The rules for text that is lexed again.
	Identifier, Number, String, Word, Operator Rule
}

// Limits bound one run; all are required.
type Limits struct {
	ArenaBytes uint64
	Ops        uint64
	Tokens     uint32
	Timeout    time.Duration
}

// The reasons for giving up a run.
var (
	ErrTimeout = errors.New("timeout")
	ErrTokens  = errors.New("token limit")
	ErrMemory  = errors.New("arena limit")
	ErrBudget  = errors.New("work budget")
	ErrFailed  = errors.New("parser failed")
)
