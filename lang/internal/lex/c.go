package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

const cKeywords = "__extension__ typedef extern __attribute__ __attribute __declspec __based __cdecl __clrcall __stdcall " +
	"__fastcall __thiscall __vectorcall _unaligned __unaligned __restrict __uptr __sptr signed unsigned long short static " +
	"auto register inline __inline __inline__ __forceinline thread_local __thread const constexpr volatile restrict " +
	"__restrict__ _Atomic _Noreturn noreturn _Nonnull alignas _Alignas enum struct union if else switch case default " +
	"while do for return break continue goto __try __except __finally __leave sizeof __alignof__ __alignof _alignof " +
	"alignof _Alignof offsetof _Generic asm __asm__ __asm __volatile__ defined "

// "::" is here for attributes. "&&", ">>", "[[" and the like are split into their signs: only a parse can distinguish
// "(a) && b" from a cast of a label's address, or a shift from the end of template arguments.
const cSigns = "( ) [ ] { } , ; : :: ? ~ ! != = == + ++ += - -- -= -> * *= / /= % %= & &= | || |= ^ ^= " +
	"< << <<= <= > >= >>= . ... "

var cValues = map[string]lexeme{"true": boolean, "TRUE": boolean, "false": boolean, "FALSE": boolean, "NULL": null, "nullptr": null}

// CWords are the reserved words of C, in all its versions.
var CWords = newWords(cKeywords, cValues)

var cDialect = dialect{words: CWords, signs: newOperators(cSigns), number: cNumber}

// C is the lexer of C.
func C(dst []token.Token, src []byte) ([]token.Token, bool) { return cDialect.lex(dst, src) }

// dialect holds the differences between C, C++ and Objective-C.
type dialect struct {
	words     *Words
	signs     *operators
	number    func(src []byte, i int) int
	plus      bool // C++
	objective bool // Objective-C
}

// Kinds that affect what follows.
var (
	cAsm      = []uint32{token.Kind("asm"), token.Kind("__asm__"), token.Kind("__asm")}
	cAsmWords = []uint32{token.Kind("volatile"), token.Kind("__volatile__"), token.Kind("inline"), token.Kind("goto")}
	cTypes    = []uint32{token.Kind("struct"), token.Kind("union"), token.Kind("enum"), token.Kind("class")}
	cBlocks   = []uint32{token.Kind("else"), token.Kind("do"), token.Kind("try"), token.Kind("{"), token.Kind("}"), token.Kind(";"), cClose, token.String.Kind()}

	cClose     = token.Kind(")")
	cOperator  = token.Kind("operator")
	cUsing     = token.Kind("using")
	cNamespace = token.Kind("namespace")
	cDefine    = token.Kind("#define")
	cInclude   = token.Kind("#include")
)

// clang lexes one document of C or C++.
type clang struct {
	out
	*dialect
	src []byte

	blocks []bool // for each open brace: whether it certainly holds statements or declarations
	typed  bool   // a struct, union, enum or class occurred since the last statement began
	space  bool   // likewise a namespace
	asm    int    // open parentheses of an assembly statement; asmNext before the first one
	using  int    // the token that began a using clause, -1 outside one
	failed bool   // only the grammar can tell
	// A comment that opens at or after commentFrom ends at commentEnd, and then the line continues; see hidden.
	commentFrom, commentEnd int
	trouble                 bool
}

const asmNext = -1

func (d *dialect) lex(dst []token.Token, src []byte) ([]token.Token, bool) {
	c := clang{out: out{tokens: dst, first: len(dst)}, dialect: d, src: src, using: -1}
	for i := 0; i < len(src) && !c.failed; {
		i = c.step(i)
	}
	return c.tokens, !c.failed
}

// step reads the token at i and returns where to continue.
func (c *clang) step(i int) int {
	b := c.src[i]
	class := chars[b]
	switch {
	case class&blank != 0:
		return i + 1
	case class&(letter|dollar) != 0 || b >= 0x80:
		return c.word(i)
	case class&digit != 0 || b == '.' && chars[at(c.src, i+1)]&digit != 0:
		end := c.number(c.src, i)
		c.add(i, end, number)
		return end
	case b == '"' || b == '\'':
		return c.quoted(i, i)
	case b == '#':
		return c.directive(i)
	case b == '@' && c.objective:
		return c.commercialAt(i)
	case b == '\\':
		return c.backslash(i)
	case b == '/':
		if end := c.comment(i); end > i {
			return end
		}
	}
	return c.sign(i)
}

// comment returns the end of the comment at i, or i if there is none.
func (c *clang) comment(i int) int {
	switch at(c.src, i+1) {
	case '/':
		return splicedLineEnd(c.src, i)
	case '*':
		end, _ := after(c.src, i+2, "*/")
		return end
	}
	return i
}

// splicedLineEnd returns the end of the line at i, which continues after line feeds with a backslash before.
func splicedLineEnd(src []byte, i int) int {
	for {
		i = lineEnd(src, i)
		if i == len(src) || !spliced(src, i) {
			return i
		}
		i++
	}
}

// spliced reports whether a backslash cancels the line feed at i.
func spliced(src []byte, i int) bool {
	before := at(src, i-1)
	return before == '\\' || before == '\r' && at(src, i-2) == '\\'
}

// splice returns the index after the backslash and line end at i, or i if there is none.
func splice(src []byte, i int) int {
	switch {
	case at(src, i) != '\\':
		return i
	case at(src, i+1) == '\n':
		return i + 2
	case has(src, i+1, "\r\n"):
		return i + 3
	}
	return i
}

func (c *clang) backslash(i int) int {
	if end := splice(c.src, i); end > i {
		return end
	}
	if escapedLetter(c.src, i) > 0 {
		return c.word(i)
	}
	return c.sign(i)
}

// escapedLetter returns the length of the letter spelled \uXXXX or \UXXXXXXXX at i, 0 if there is none.
func escapedLetter(src []byte, i int) int {
	n := 0
	switch {
	case has(src, i, `\u`):
		n = 4
	case has(src, i, `\U`):
		n = 8
	default:
		return 0
	}
	for k := range n {
		if chars[at(src, i+2+k)]&hex == 0 {
			return 0
		}
	}
	return n + 2
}

func (c *clang) word(i int) int {
	end := wordEnd(c.src, i, letter|digit|dollar)
	for end < len(c.src) && c.src[end] == '\\' {
		n := escapedLetter(c.src, end)
		if n == 0 {
			break
		}
		end = wordEnd(c.src, end+n, letter|digit|dollar)
	}
	if end == i {
		return c.strange(c.src, i)
	}
	if b := at(c.src, end); (b == '"' || b == '\'') && end-i <= 3 {
		switch prefix := string(c.src[i:end]); {
		case prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8":
			return c.quoted(i, end)
		case c.plus && b == '"' && (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R"):
			if to := rawEnd(c.src, end); to > 0 {
				c.add(i, to, text)
				return to
			}
		}
	}
	l := c.words.of(c.src[i:end])
	if l.class == token.Keyword {
		c.keyword(l.kind)
	} else if c.asm == asmNext {
		c.asm = 0
	}
	c.add(i, end, l)
	return end
}

// keyword notes the effect of a keyword on the tokens after it.
func (c *clang) keyword(kind uint32) {
	switch {
	case isOf(kind, cAsm):
		c.asm = asmNext
		return
	case isOf(kind, cTypes):
		c.typed = true
	case kind == cNamespace:
		c.space = true
	case kind == cUsing && c.plus:
		c.using = len(c.tokens)
	}
	if c.asm == asmNext && !isOf(kind, cAsmWords) {
		c.asm = 0
	}
}

func isOf(kind uint32, kinds []uint32) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return false
}

// quoted adds the string or character at i, whose quote is at quote.
func (c *clang) quoted(i, quote int) int {
	end, closed := quoteEnd(c.src, quote)
	if !closed && c.src[quote] == '"' && end < len(c.src) {
		// To the grammar the line end is not part of the string but may occur in it.
		next := end
		for next < len(c.src) && chars[c.src[next]]&blank != 0 {
			next++
		}
		if b := at(c.src, next); b == '"' || b == '\\' || b == '/' {
			c.failed = true
		}
	}
	if c.plus && end == quote+2 && len(c.tokens) > c.first && c.last() == cOperator {
		return end // the quotes of operator""_x are layout
	}
	c.add(i, end, text)
	return end
}

func (c *clang) sign(i int) int {
	o := c.signs.at(c.src, i)
	if o == nil {
		return c.strange(c.src, i)
	}
	switch c.src[i] {
	case '(':
		if c.asm != 0 {
			c.asm = max(c.asm, 0) + 1
		}
	case ')':
		if c.asm > 0 {
			c.asm--
		}
	case '{', '}', ';':
		c.statement(c.src[i])
	case '=':
		if c.last() != cOperator {
			c.using = -1 // it names a type
		}
	case ':':
		if o.n == 2 {
			return c.colons(i, o)
		}
	}
	c.add(i, i+o.n, o.lexeme)
	if c.using >= 0 && c.src[i] == ';' {
		for k := c.using; k < len(c.tokens); k++ {
			c.tokens[k].Flags |= token.FlagImport
		}
		c.using = -1
	}
	return i + o.n
}

// statement keeps track of where statements begin.
func (c *clang) statement(b byte) {
	if c.asm == asmNext {
		c.asm = 0
	}
	switch b {
	case '{':
		c.blocks = append(c.blocks, !c.typed && (c.space || isOf(c.last(), cBlocks)))
	case '}':
		if n := len(c.blocks); n > 0 {
			c.blocks = c.blocks[:n-1]
		}
	}
	c.typed, c.space = false, false
}

// colons reads "::", which between the operands of an assembly statement is two tokens.
func (c *clang) colons(i int, o *operator) int {
	if c.asm == 1 {
		c.add(i, i+1, keyword(":"))
		return i + 1
	}
	c.add(i, i+2, o.lexeme)
	return i + 2
}

// cNumber returns the end of the number at i. It consists of digits, letters and dots, a sign after an exponent with
// digits on both sides, and quotes between digits.
func cNumber(src []byte, i int) int {
	start := i
	set, exponent := digit|letter, byte('e')
	base16 := src[i] == '0' && at(src, i+1)|0x20 == 'x'
	if base16 {
		i += 2
		start = i
	}
	for i++; i < len(src); i++ {
		b, before := src[i], src[i-1]|0x20
		switch {
		case chars[b]&set != 0 || b == '.':
		case (b == '+' || b == '-') && i-1 > start && (before == exponent || before == 'p') && chars[at(src, i+1)]&hex != 0:
		case b == '\'' && chars[src[i-1]]&hex != 0 && chars[at(src, i+1)]&hex != 0:
		default:
			return i
		}
	}
	return len(src)
}
