package lang

import (
	"unsafe"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
)

// Class groups tokens by what their identity is worth.
type Class uint8

// The classes. Keyword stands for keywords, operators and punctuation, whose
// identity is their kind; all tokens of another class but Word share one kind.
const (
	Keyword Class = iota
	Identifier
	Number
	String
	Bool
	Null
	Word // the text itself is the identity
)

func (c Class) String() string {
	return [...]string{"keyword", "identifier", "number", "string", "bool", "null", "word"}[c]
}

// Flags are facts about a token that are not part of its identity.
type Flags uint8

// FlagImport marks tokens in an import, include, use or package clause: part of
// the stream, but no evidence of copying.
const FlagImport Flags = sitter.FlagImport

// Token is one token of a document. The layout is that of the C code that
// fills the stream.
type Token struct {
	Start, End uint32 // byte span in the source
	Kind       uint32 // identity: FNV-1a of the symbol's name, or of the text for words
	Class      Class
	Flags      Flags
	_          uint16
}

// Streams are reinterpreted, not copied: both sides must agree.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Token{})-unsafe.Sizeof(sitter.Token{})]
	_ = [1]struct{}{}[unsafe.Offsetof(Token{}.Flags)-unsafe.Offsetof(sitter.Token{}.Flags)]
)

// kindOf is the identity of a symbol name or word.
func kindOf(name string) uint32 { return sitter.Hash(name) }
