package lex

import (
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

const scriptWords = "async await break case catch class const continue debugger default delete do else export extends " +
	"finally for function if import in instanceof let new return static super switch this throw try typeof var void " +
	"while with yield"

var scriptValues = map[string]lexeme{"true": boolean, "false": boolean, "null": null, "undefined": null}

// ScriptWords are the words of JavaScript that are keywords everywhere; TypeWords are those of TypeScript.
var (
	ScriptWords = newWords(scriptWords, scriptValues)
	TypeWords   = newWords(scriptWords+" abstract declare enum implements infer interface keyof private protected public readonly satisfies", scriptValues)
)

// Signs that may be part of a type are one character each: ">>" closes two lists of type arguments, "<<" opens two.
var ecmaOperators = newOperators("{ } ( ) [ ] ; , ~ @ : . ... ? ?. ?? ??= < <= > = == === => ! != !== + ++ += - -- -= " +
	"* ** *= **= % %= ^ ^= & && &= &&= | || |= ||= / /=")

var (
	ecmaBrace    = keyword("{")
	ecmaSubst    = keyword("${")
	ecmaClose    = keyword("}")
	ecmaSlash    = keyword("/")
	ecmaLess     = keyword("<")
	ecmaGreater  = keyword(">")
	ecmaEqual    = keyword("=")
	ecmaBar      = keyword("|")
	ecmaDot      = token.Kind(".")
	ecmaChain    = token.Kind("?.")
	ecmaIf       = token.Kind("if")
	ecmaFor      = token.Kind("for")
	ecmaWhile    = token.Kind("while")
	ecmaWith     = token.Kind("with")
	ecmaAwait    = token.Kind("await")
	ecmaThis     = token.Kind("this")
	ecmaSuper    = token.Kind("super")
	ecmaYield    = token.Kind("yield")
	ecmaLet      = token.Kind("let")
	ecmaStatic   = token.Kind("static")
	ecmaAsync    = token.Kind("async")
	ecmaImport   = token.Kind("import")
	ecmaExport   = token.Kind("export")
	ecmaFunction = token.Kind("function")
)

// JavaScript is the lexer of JavaScript, with elements of JSX.
func JavaScript(dst []token.Token, src []byte) ([]token.Token, bool) {
	e := ecma{out: out{tokens: dst, first: len(dst)}, src: src, words: ScriptWords, jsx: true}
	return e.run()
}

// TypeScript is the lexer of TypeScript.
func TypeScript(dst []token.Token, src []byte) ([]token.Token, bool) {
	e := ecma{out: out{tokens: dst, first: len(dst)}, src: src, words: TypeWords, types: true}
	return e.run()
}

// TSX is the lexer of TypeScript with elements of JSX.
func TSX(dst []token.Token, src []byte) ([]token.Token, bool) {
	e := ecma{out: out{tokens: dst, first: len(dst)}, src: src, words: TypeWords, types: true, jsx: true}
	return e.run()
}

// side is what the tokens so far imply for a slash: after an operand it divides, otherwise it opens a regular
// expression.
type side uint8

const (
	wanted  side = iota // an operand must follow
	had                 // an operand ends here
	unclear             // only a parser can tell: blocks and objects end alike
)

// frame is an open bracket.
type frame uint8

const (
	paren     frame = iota
	head            // the parentheses of "if (…)" and similar heads: a statement follows, not an operator
	bracket         // square
	arguments       // angular, in a tag: arguments of types
	brace           // curly
	template        // the code within a template
	tag             // "<a …" up to its ">"
	children        // the content up to "</"
	closing         // "</a"
)

type ecma struct {
	out
	src    []byte
	i      int    // bytes of src already read
	words  *Words // words that are not names
	types  bool   // TypeScript
	jsx    bool   // "<" opens an element where an operand must follow
	side   side
	clause bool // within a possible import
	refuse bool
	frames []frame

	noTick bool // no template ends from here on
}

func (e *ecma) run() ([]token.Token, bool) {
	for e.i < len(e.src) && !e.refuse {
		e.step()
	}
	for _, f := range e.frames {
		if f >= tag {
			e.refuse = true // not an element, or not all of it
		}
	}
	return e.tokens, !e.refuse
}

// step reads one token, or the layout before it.
func (e *ecma) step() {
	switch e.top() {
	case tag, closing:
		e.inTag()
		return
	case children:
		e.inElement()
		return
	}
	c := e.src[e.i]
	switch {
	case chars[c]&(letter|dollar) != 0 || c >= 0x7f || c == '\\':
		e.word()
	case chars[c]&blank != 0:
		e.i++
	case chars[c]&digit != 0 || c == '.' && chars[at(e.src, e.i+1)]&digit != 0:
		e.literal(ecmaNumber(e.src, e.i), number)
	case c == '"' || c == '\'':
		e.quoted()
	case c == '`':
		e.openTemplate()
	case c == '/':
		e.slash()
	case c == '#':
		e.hash()
	default:
		e.sign()
	}
}

// mark adds the next n bytes as one sign.
func (e *ecma) mark(n int, l lexeme) {
	e.add(e.i, e.i+n, l)
	e.i += n
}

// back returns the token n places back.
func (e *ecma) back(n int) token.Token {
	if len(e.tokens)-n < e.first {
		return token.Token{}
	}
	return e.tokens[len(e.tokens)-n]
}

// dotted reports whether the token n places back follows a point: then it is a name.
func (e *ecma) dotted(n int) bool {
	k := e.back(n + 1).Kind
	return k == ecmaDot || k == ecmaChain
}

func (e *ecma) push(f frame) { e.frames = append(e.frames, f) }

func (e *ecma) pop() { e.frames = e.frames[:len(e.frames)-1] }

func (e *ecma) top() frame {
	if n := len(e.frames); n > 0 {
		return e.frames[n-1]
	}
	return brace
}

// ---- words

func (e *ecma) word() {
	end := ecmaName(e.src, e.i)
	if end == e.i {
		e.i += e.other()
		return
	}
	word := e.src[e.i:end]
	l := e.words.of(word)
	e.mark(len(word), l)
	switch {
	case l.class != token.Keyword:
		e.side = had
		if string(word) == "of" && !e.dotted(1) {
			e.side = unclear
		}
	case e.dotted(1):
		e.side = had
	default:
		e.keyword(l.kind)
	}
}

func (e *ecma) keyword(kind uint32) {
	e.side = wanted
	switch kind {
	case ecmaThis, ecmaSuper:
		e.side = had
	case ecmaStatic:
		e.side = unclear
		if !e.types && staticGet(e.src, e.i) {
			e.refuse = true
		}
	case ecmaYield, ecmaLet, ecmaAsync:
		e.side = unclear
	case ecmaImport, ecmaExport:
		if !e.clause {
			e.clause = true
			e.imports(len(e.tokens)-1, kind == ecmaExport)
			e.clause = false
		}
	}
}

// staticGet reports whether "get" and a line end follow: the grammar may join them with "static" to one token.
func staticGet(src []byte, i int) bool {
	from := i
	i = blanks(src, i)
	if i == from || !has(src, i, "get") {
		return false
	}
	for i += 3; i < len(src) && chars[src[i]]&blank != 0; i++ {
		if src[i] == '\n' {
			return true
		}
	}
	return false
}

func blanks(src []byte, i int) int {
	for i < len(src) && chars[src[i]]&blank != 0 {
		i++
	}
	return i
}

// other skips a character that cannot begin a word, and returns its length.
func (e *ecma) other() int {
	r, n := utf8.DecodeRune(e.src[e.i:])
	if !ecmaSpace(r) {
		e.add(e.i, e.i+n, keyword(string(e.src[e.i:e.i+n])))
	}
	return n
}

// ecmaSpace reports whether a character beyond ASCII is blank to the grammar. All others are letters to it.
func ecmaSpace(r rune) bool {
	switch r {
	case 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff:
		return true
	}
	return 0x2000 <= r && r <= 0x200b
}

// ecmaName returns the end of the name at i, or i if there is none.
func ecmaName(src []byte, i int) int {
	for i < len(src) {
		c := src[i]
		switch {
		case chars[c]&(letter|digit|dollar) != 0 || c == 0x7f:
			i++
		case c == '\\':
			n := ecmaEscape(src[i:])
			if n == 0 {
				return i
			}
			i += n
		case c < utf8.RuneSelf:
			return i
		default:
			r, n := utf8.DecodeRune(src[i:])
			if ecmaSpace(r) {
				return i
			}
			i += n
		}
	}
	return i
}

// ecmaEscape returns the length of \u0041 or \u{41}, 0 if s starts with neither.
func ecmaEscape(s []byte) int {
	if at(s, 1) != 'u' {
		return 0
	}
	i, braced := 2, at(s, 2) == '{'
	if braced {
		i++
	}
	from := i
	for chars[at(s, i)]&hex != 0 && (braced || i < from+4) {
		i++
	}
	switch {
	case braced && i > from && at(s, i) == '}':
		return i + 1
	case !braced && i == from+4:
		return i
	}
	return 0
}

// hash reads "#!…" at the top and the private names of classes.
func (e *ecma) hash() {
	if at(e.src, e.i+1) == '!' && len(e.tokens) == e.first {
		e.i = lineEnd(e.src, e.i)
		return
	}
	end := ecmaName(e.src, e.i+1)
	if end == e.i+1 || chars[e.src[e.i+1]]&digit != 0 {
		e.i += e.other()
		return
	}
	e.literal(end, identifier)
}
