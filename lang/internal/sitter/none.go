//go:build !cgo

package sitter

// Available reports whether grammars are linked in.
const Available = false

// Grammar is never made without cgo.
type Grammar struct{}

// New returns nil: there are no grammars.
func New(Spec) *Grammar { return nil }

// Symbols returns nil.
func (*Grammar) Symbols() []Symbol { return nil }

// Runner is never made without cgo.
type Runner struct{}

// NewRunner returns nil.
func NewRunner() *Runner { return nil }

// Close does nothing.
func (*Runner) Close() {}

// Run always fails.
func (*Runner) Run(*Grammar, []byte, int, Limits) ([]Token, int, error) { return nil, 0, ErrFailed }
