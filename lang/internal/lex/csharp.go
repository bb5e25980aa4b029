package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// CSharpWords are the reserved words of C#, and words that may be names but hardly ever are. Predefined types are names
// like others. So are words that are keywords only in some places, like get, record and select.
var CSharpWords = newWords("abstract as base break case catch checked class const continue default delegate do else enum event "+
	"explicit extern finally fixed for foreach goto if implicit in interface internal is lock namespace new operator out override "+
	"params private protected public readonly ref return sealed sizeof stackalloc static struct switch this throw try typeof "+
	"unchecked unsafe using virtual volatile while async await partial when where yield __makeref __reftype __refvalue",
	map[string]lexeme{"true": boolean, "false": boolean, "null": null})

// Signs that end with ">" are missing here, since they also close type arguments. To the grammar "(a) && b" can be a
// cast of an address's address.
const csharpSigns = "+ - * / % & | ^ ! ~ < > << = == != <= || ++ -- ?? += -= *= /= %= &= |= ^= <<= ??= => -> :: .. " +
	"? ( ) [ ] { } , ; . :"

var (
	csharpOperators = newOperators(csharpSigns)
	// Text after directives is lexed like the text around the grammar.
	csharpDialect = dialect{words: CSharpWords, signs: csharpOperators}
)

// The directives; true means that the rest of the line is text.
var csharpDirectives = map[string]bool{
	"if": false, "elif": false, "else": false, "endif": false, "line": false, "pragma": false, "nullable": false,
	"region": true, "endregion": true, "error": true, "warning": true, "define": true, "undef": true,
}

var (
	csharpUsing      = keyword("using").kind
	csharpExtern     = keyword("extern").kind
	csharpNamespace  = keyword("namespace").kind
	csharpTypes      = kinds("class struct interface enum namespace")
	csharpColon      = keyword(":").kind
	csharpComma      = keyword(",").kind
	csharpAssign     = keyword("=").kind
	csharpStatic     = kinds("static unsafe")
	csharpInName     = kinds(". :: < > , [ ] ? *")
	csharpBeforeName = kinds(". :: < ,")
)

// CSharp is the lexer of C#. It refuses semicolons right after a type, which are not tokens there, names with escapes
// in them, and odd runs of quotes and braces in strings with code.
func CSharp(dst []token.Token, src []byte) ([]token.Token, bool) {
	c := csharp{clang: clang{out: out{tokens: dst, first: len(dst)}, dialect: &csharpDialect, src: src}, clause: -1}
	for i := shebang(src); i < len(src) && !c.failed; {
		i = c.step(i)
	}
	return c.tokens, !c.failed && len(c.holes) == 0
}

type csharp struct {
	clang
	types  []bool // for each open brace: whether it belongs to a type or a namespace
	typed  bool   // the keyword of one occurred since the last statement began
	clause int    // the token that began a possible import, -1 for none
	holes  []csharpHole
}

// step reads the token at i and returns where to continue.
func (c *csharp) step(i int) int {
	b := c.src[i]
	class := chars[b]
	switch {
	case class&blank != 0:
		return c.blank(i)
	case class&letter != 0 || b >= 0x80:
		return c.word(i)
	case class&digit != 0 || b == '.' && chars[at(c.src, i+1)]&digit != 0:
		return c.put(i, csharpNumber(c.src, i), number)
	case b == '"':
		return c.string(i)
	case b == '\'':
		end, _ := quoteEnd(c.src, i)
		return c.put(i, end, text)
	case b == '$' || b == '@':
		return c.prefixed(i)
	case b == '#':
		return c.directive(i)
	case b == '/' && at(c.src, i+1) == '/':
		return csharpLineEnd(c.src, i)
	case b == '/' && at(c.src, i+1) == '*':
		end, _ := after(c.src, i+2, "*/")
		return end
	case b == '\\':
		c.failed = true
	}
	return c.sign(i)
}

// csharpLineEnd returns the end of the line at i, which may be a carriage return.
func csharpLineEnd(src []byte, i int) int {
	end := lineEnd(src, i)
	if n := bytes.IndexByte(src[i:end], '\r'); n >= 0 {
		return i + n
	}
	return end
}

// put adds a token, and returns its end.
func (c *csharp) put(i, end int, l lexeme) int {
	c.add(i, end, l)
	return end
}

func (c *csharp) word(i int) int {
	end := wordEnd(c.src, i, letter|digit)
	if end == i {
		return c.strange(c.src, i)
	}
	if at(c.src, end) == '\\' {
		c.failed = true
	}
	l := c.words.of(c.src[i:end])
	switch {
	case l.class == token.Identifier:
		c.typed = c.typed || string(c.src[i:end]) == "record" && chars[at(c.src, blanks(c.src, end))]&letter != 0
		if c.last() == csharpExtern && string(c.src[i:end]) == "alias" {
			c.clause = len(c.tokens) - 1
		}
	case l.kind == csharpUsing || l.kind == csharpNamespace:
		c.typed = c.typed || l.kind == csharpNamespace
		c.clause = len(c.tokens)
		if c.before("global") {
			c.clause--
		}
	case csharpTypes[l.kind]:
		last := c.last()
		c.typed = c.typed || last != csharpColon && last != csharpComma // otherwise it constrains a type
	}
	return c.put(i, end, l)
}

// before reports whether the last token is that word.
func (c *csharp) before(word string) bool {
	n := len(c.tokens) - 1
	return n >= c.first && string(c.src[c.tokens[n].Start:c.tokens[n].End]) == word
}

// imports reports whether the tokens are an import up to its semicolon: a using directive, an alias, or the namespace
// of the file.
func imports(clause []token.Token) bool {
	first := clause[0].Kind
	if first == identifier.kind { // global
		first, clause = csharpUsing, clause[1:]
	}
	clause = clause[1:]
	if first == csharpUsing {
		for len(clause) > 0 && csharpStatic[clause[0].Kind] {
			clause = clause[1:]
		}
		if len(clause) > 1 && clause[0].Class == token.Identifier && clause[1].Kind == csharpAssign {
			return true
		}
	}
	if first == csharpExtern && len(clause) > 0 {
		clause = clause[1:]
	}
	name := true // whether a name may come: two in a row declare a variable
	for _, t := range clause {
		switch {
		case t.Class == token.Identifier && !name, t.Class != token.Identifier && !csharpInName[t.Kind]:
			return false
		}
		name = csharpBeforeName[t.Kind]
	}
	return len(clause) > 0 && clause[0].Class == token.Identifier
}

func (c *csharp) sign(i int) int {
	o := csharpOperators.at(c.src, i)
	if o == nil && c.src[i] != '>' {
		return c.strange(c.src, i)
	}
	if o == nil {
		return c.put(i, i+1, keyword(">"))
	}
	end := i + o.n
	switch c.src[i] {
	case '(', '[':
		c.nest(1)
	case ')', ']':
		c.nest(-1)
	case '{', '}', ';':
		return c.bound(i, o)
	case '?':
		if n := len(c.holes); n > 0 && c.holes[n-1].brackets == 0 && o.n == 1 && at(c.src, end) != '.' && at(c.src, end) != '[' {
			c.holes[n-1].questions++
		}
	case ':':
		if o.n == 1 && c.format() {
			return c.formatted(i)
		}
	}
	return c.put(i, end, o.lexeme)
}

// nest counts brackets in the code of a string.
func (c *csharp) nest(by int) {
	if n := len(c.holes); n > 0 {
		c.holes[n-1].brackets = max(0, c.holes[n-1].brackets+by)
	}
}

// bound reads the signs that end and begin statements.
func (c *csharp) bound(i int, o *operator) int {
	switch c.src[i] {
	case '{':
		c.nest(1)
		c.types = append(c.types, c.typed)
	case '}':
		if n := len(c.holes); n > 0 && c.holes[n-1].brackets == 0 {
			return c.close(i, i)
		}
		c.nest(-1)
		if n := len(c.types); n > 0 {
			c.failed = c.failed || c.types[n-1] && at(c.src, i+1) == ';'
			c.types = c.types[:n-1]
		}
	}
	c.put(i, i+1, o.lexeme)
	if c.clause >= 0 && c.src[i] == ';' && imports(c.tokens[c.clause:len(c.tokens)-1]) {
		for k := c.clause; k < len(c.tokens); k++ {
			c.tokens[k].Flags |= token.FlagImport
		}
	}
	c.typed, c.clause = false, -1
	return i + 1
}

func (c *csharp) directive(i int) int {
	from := i + 1
	for at(c.src, from) == ' ' || at(c.src, from) == '\t' {
		from++
	}
	end := wordEnd(c.src, from, letter)
	takes, ok := csharpDirectives[string(c.src[from:end])]
	if !ok {
		return c.put(i, i+1, keyword("#"))
	}
	c.put(i, end, keyword("#"+string(c.src[from:end])))
	if !takes {
		return end
	}
	for i = end; i < len(c.src) && c.src[i] != '\n' && chars[c.src[i]]&blank != 0; i++ {
	}
	if i == len(c.src) || c.src[i] == '\n' {
		return i
	}
	end = argumentEnd(c.src, i)
	c.relex(i, end)
	return end
}

// csharpNumber returns the end of the number at i, which starts with a digit or a point.
func csharpNumber(src []byte, i int) int {
	if src[i] == '0' {
		switch at(src, i+1) | 0x20 {
		case 'x':
			return csharpInteger(src, numberPart(src, i+2, hex))
		case 'b':
			return csharpInteger(src, numberPart(src, i+2, digit))
		}
	}
	end := numberPart(src, i, digit)
	whole := true
	if at(src, end) == '.' && chars[at(src, end+1)]&digit != 0 {
		end, whole = numberPart(src, end+1, digit), false
	}
	if to := exponentEnd(src, end, 'e'); to > end {
		end, whole = to, false
	}
	if n := suffix(src, end, "fFdDmM"); n > 0 || !whole {
		return end + n
	}
	return csharpInteger(src, end)
}

// csharpInteger returns the index after the suffix letters of an integer that ends at i.
func csharpInteger(src []byte, i int) int {
	if n := suffix(src, i, "uU"); n > 0 {
		return i + 1 + suffix(src, i+1, "lL")
	}
	if n := suffix(src, i, "lL"); n > 0 {
		return i + 1 + suffix(src, i+1, "uU")
	}
	return i
}
