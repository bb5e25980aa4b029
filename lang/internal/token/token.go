// Package token has the tokens of a document, which grammars and lexers produce. Package lang explains them and passes
// them on.
package token

// Class groups tokens by the worth of their identity.
type Class uint8

// The classes. Keyword stands for keywords, operators and punctuation, whose identity is their kind. All tokens of any
// other class except Word share one kind.
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

// className has the kind names of classes whose tokens share one kind.
var className = [...]string{Identifier: "identifier", Number: "number", String: "string", Bool: "boolean", Null: "null"}

// Kind returns the one kind of all tokens of a class other than Keyword and Word.
func (c Class) Kind() uint32 { return Kind(className[c]) }

// Flags are facts about a token that are not part of its identity.
type Flags uint8

// FlagImport marks tokens in an import, include, use or package clause, or in a tag of a page. They are part of the stream, but no
// evidence of copying.
const FlagImport Flags = 1

// Token is one token of a document. Its layout is that of the C code that fills the stream of a grammar.
type Token struct {
	Start, End uint32 // byte span in the source
	Kind       uint32 // identity: FNV-1a of the symbol's name, or of the text for words
	Class      Class
	Flags      Flags
	_          uint16
}

// Kind returns the identity of a symbol name or word: its 32-bit FNV-1a hash.
func Kind[T string | []byte](name T) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
