package lang

import (
	"bytes"
	"sort"
	"unsafe"

	"github.com/git-provenance/git-provenance/lang/internal/sitter"
	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// Class groups tokens by the worth of their identity.
type Class = token.Class

// The classes. Keyword stands for keywords, operators and punctuation, whose identity is their kind. All tokens of any
// other class except Word share one kind.
const (
	Keyword    = token.Keyword
	Identifier = token.Identifier
	Number     = token.Number
	String     = token.String
	Bool       = token.Bool
	Null       = token.Null
	Word       = token.Word // the text itself is the identity
)

// Flags are facts about a token that are not part of its identity.
type Flags = token.Flags

// FlagImport marks tokens in an import, include, use or package clause, or in a tag of a page. They are part of the stream, but no
// evidence of copying.
const FlagImport = token.FlagImport

// Token is one token of a document: byte span, kind, class and flags. Its kind is its identity: FNV-1a of the symbol's
// name, or of the text for words.
type Token = token.Token

// Streams are reinterpreted, not copied: both sides must agree.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Token{})-unsafe.Sizeof(sitter.Token{})]
	_ = [1]struct{}{}[unsafe.Offsetof(Token{}.Flags)-unsafe.Offsetof(sitter.Token{}.Flags)]
	_ = [1]struct{}{}[FlagImport-sitter.FlagImport]
)

// kindOf returns the identity of a symbol name or word.
func kindOf(name string) uint32 { return token.Kind(name) }

// LineIndex maps byte offsets to lines.
type LineIndex struct{ starts []uint32 }

// Lines indexes the lines of src. A line ends with "\n".
func Lines(src []byte) LineIndex {
	starts := make([]uint32, 1, bytes.Count(src, []byte{'\n'})+1)
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return LineIndex{starts}
		}
		i += n + 1
		starts = append(starts, uint32(i))
	}
}

// Line returns the 1-based line that contains the byte at off.
func (x LineIndex) Line(off uint32) int {
	return sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > off })
}

// From returns the line that contains the byte at off, like Line. line must not be after it; the search goes on from there, and so takes
// fewer steps than Line's if it is near.
func (x LineIndex) From(line int, off uint32) int {
	for line < len(x.starts) && x.starts[line] <= off {
		line++
	}
	return line
}
