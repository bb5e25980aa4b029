package lex

import (
	"bytes"
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
	e := ecma{out: out{tokens: dst}, first: len(dst), src: src, words: ScriptWords, jsx: true}
	return e.run()
}

// TypeScript is the lexer of TypeScript.
func TypeScript(dst []token.Token, src []byte) ([]token.Token, bool) {
	e := ecma{out: out{tokens: dst}, first: len(dst), src: src, words: TypeWords, types: true}
	return e.run()
}

// TSX is the lexer of TypeScript with elements of JSX.
func TSX(dst []token.Token, src []byte) ([]token.Token, bool) {
	e := ecma{out: out{tokens: dst}, first: len(dst), src: src, words: TypeWords, types: true, jsx: true}
	return e.run()
}

// side is what the tokens so far imply for a slash: behind an operand it divides, otherwise it opens a regular
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
	first  int    // index of the document's first token
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

// literal adds an operand that ends at end.
func (e *ecma) literal(end int, l lexeme) {
	e.add(e.i, end, l)
	e.i, e.side = end, had
}

// quoted reads a string. If its line does not end it, the grammar continues behind the line feed.
func (e *ecma) quoted() {
	end, ok := quoteEnd(e.src, e.i)
	e.refuse = e.refuse || !ok
	e.literal(end, text)
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

// ---- numbers

func ecmaNumber(src []byte, i int) int {
	if src[i] == '0' {
		if end := basedNumber(src, i); end > 0 {
			return end
		}
	}
	end := i
	if src[i] != '.' {
		end = ecmaDigits(src, i, digit)
		if at(src, end) == 'n' {
			return end + 1
		}
		if src[i] == '0' && end > i+1 && (src[i+1] == '0' || src[i+1] == '_') {
			return end // 007 has no fraction
		}
	}
	if at(src, end) == '.' {
		end = ecmaDigits(src, end+1, digit)
	}
	if at(src, end)|0x20 != 'e' {
		return end
	}
	to := end + 1
	if c := at(src, to); c == '+' || c == '-' {
		to++
	}
	if chars[at(src, to)]&digit == 0 {
		return end
	}
	return ecmaDigits(src, to, digit)
}

// basedNumber returns the end of 0x1f, 0o17 or 0b11, 0 if none starts at i.
func basedNumber(src []byte, i int) int {
	var set uint8
	switch at(src, i+1) | 0x20 {
	case 'x':
		set = hex
	case 'o', 'b':
		set = digit
	default:
		return 0
	}
	end := ecmaDigits(src, i+2, set)
	switch {
	case end == i+2:
		return 0
	case at(src, end) == 'n':
		return end + 1
	}
	return end
}

// ecmaDigits returns the end of a run of digits with single underscores between them.
func ecmaDigits(src []byte, i int, set uint8) int {
	for from := i; ; i++ {
		c := at(src, i)
		if chars[c]&set == 0 && !(c == '_' && i > from && chars[at(src, i+1)]&set != 0 && src[i-1] != '_') {
			return i
		}
	}
}

// ---- signs

func (e *ecma) sign() {
	o := ecmaOperators.at(e.src, e.i)
	if o == nil {
		e.i += e.other()
		return
	}
	switch c := e.src[e.i]; {
	case o.n > 1 && (c == '+' || c == '-') && e.src[e.i+1] == c:
		if c == '-' && at(e.src, e.i+2) == '>' && !e.onLine() {
			e.refuse = true // may end a comment of HTML
		}
		e.mark(2, o.lexeme) // before or after its operand
		return
	case o.n == 2 && c == '?' && e.src[e.i+1] == '.' && chars[at(e.src, e.i+2)]&digit != 0:
		e.mark(1, keyword("?"))
	case o.n == 2 && c == '|' && e.i > 0 && e.src[e.i-1] == '{':
		e.mark(1, ecmaBar) // of an object type {||}
		e.mark(1, ecmaBar)
	case o.n == 1:
		e.single(c, o.lexeme)
		return
	default:
		e.mark(o.n, o.lexeme)
	}
	e.side = wanted
}

func (e *ecma) single(c byte, l lexeme) {
	switch c {
	case '(':
		f := paren
		if e.isHead() {
			f = head
		}
		e.open(f, l)
	case '[':
		e.open(bracket, l)
	case '{':
		e.open(brace, l)
	case ')', ']':
		e.mark(1, l)
		e.side = had
		if f := e.top(); c == ')' && f <= head || c == ']' && f == bracket {
			if f == head {
				e.side = wanted
			}
			e.pop()
		}
	case '}':
		e.closeBrace()
	case '<':
		e.less()
	case '>':
		if e.top() == arguments {
			e.pop()
		}
		e.mark(1, l)
		e.side = wanted
		if e.types {
			e.side = unclear // of a comparison, or of type arguments
		}
	case '!':
		e.bang(l)
	default:
		e.mark(1, l)
		e.side = wanted
	}
}

func (e *ecma) open(f frame, l lexeme) {
	e.mark(1, l)
	e.push(f)
	e.side = wanted
}

// isHead reports whether the next parenthesis belongs to a keyword.
func (e *ecma) isHead() bool {
	last := e.back(1)
	if last.Class != token.Keyword {
		return false
	}
	switch last.Kind {
	case ecmaIf, ecmaFor, ecmaWhile, ecmaWith:
		return !e.dotted(1)
	case ecmaAwait:
		return e.back(2).Kind == ecmaFor && !e.dotted(2)
	}
	return false
}

// closeBrace closes the brace's own frame, and every other bracket left open in it.
func (e *ecma) closeBrace() {
	e.mark(1, ecmaClose)
	e.side = unclear
	for n := len(e.frames); n > 0 && e.frames[n-1] < brace; n-- {
		e.pop()
	}
	if len(e.frames) == 0 || e.top() > template {
		return
	}
	f := e.top()
	e.pop()
	if f == template {
		e.inTemplate(e.i)
	}
}

// bang is "not", or in TypeScript "not null" behind an operand on its line.
func (e *ecma) bang(l lexeme) {
	if !e.onLine() {
		e.side = wanted
	}
	e.mark(1, l)
}

// onLine reports whether the next token is on the line of the operand before it.
func (e *ecma) onLine() bool {
	return e.side == had && bytes.IndexByte(e.src[e.back(1).End:e.i], '\n') < 0
}

func (e *ecma) less() {
	if has(e.src, e.i, "<!--") {
		e.refuse = true
		return
	}
	if e.top() == arguments {
		e.open(arguments, ecmaLess)
		return
	}
	if e.jsx && e.side != had && at(e.src, e.i+1) != '<' && e.element() {
		return
	}
	if at(e.src, e.i+1) == '<' {
		e.mark(1, ecmaLess)
		e.mark(1, ecmaLess)
		if at(e.src, e.i) == '=' {
			e.mark(1, ecmaEqual)
		}
	} else {
		e.mark(1, ecmaLess)
	}
	e.side = wanted
}

// ---- slashes

func (e *ecma) slash() {
	switch at(e.src, e.i+1) {
	case '/':
		e.i = ecmaLineEnd(e.src, e.i)
		return
	case '*':
		e.comment()
		return
	}
	switch e.side {
	case unclear:
		e.refuse = true
		return
	case wanted:
		e.regex()
		return
	}
	o := ecmaOperators.at(e.src, e.i)
	e.mark(o.n, o.lexeme)
	e.side = wanted
}

// comment skips a block comment. If it has no end, the grammar may read its start as a regular expression.
func (e *ecma) comment() {
	end, ok := after(e.src, e.i+2, "*/")
	if !ok && e.side != had && bytes.IndexByte(e.src[e.i+2:lineEnd(e.src, e.i)], '/') >= 0 {
		e.refuse = true
	}
	e.i = end
}

// ecmaLineEnd returns the end of the line at i, by any of the line end characters.
func ecmaLineEnd(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '\n', '\r':
			return i
		case 0xe2:
			if has(src, i, "\u2028") || has(src, i, "\u2029") {
				return i
			}
		}
	}
	return i
}

// regex reads a regular expression. It refuses one that its line does not end: the grammar continues behind line feeds.
func (e *ecma) regex() {
	class := false
	for i := e.i + 1; i < len(e.src) && e.src[i] != '\n'; i++ {
		switch e.src[i] {
		case '\\':
			if i++; at(e.src, i) == '\n' {
				i--
			}
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			for i++; i < len(e.src) && 'a' <= e.src[i] && e.src[i] <= 'z'; i++ {
			}
			e.literal(i, text)
			return
		}
	}
	e.refuse = true
}

// ---- templates

// openTemplate reads a template up to its end or its first code.
func (e *ecma) openTemplate() {
	from := e.i
	end, ok := e.chunk(from + 1)
	if !ok {
		e.i += e.other()
		return
	}
	if e.src[end] == '`' {
		e.literal(end+1, text)
		return
	}
	e.add(from, end, text)
	e.substitute(end)
}

// inTemplate continues a template behind code in it.
func (e *ecma) inTemplate(from int) {
	end, ok := e.chunk(from)
	switch {
	case !ok:
	case e.src[end] == '`':
		e.i, e.side = end+1, had
	default:
		e.substitute(end)
	}
}

func (e *ecma) substitute(i int) {
	e.i = i
	e.mark(2, ecmaSubst)
	e.push(template)
	e.side = wanted
}

// chunk returns the end of a template's text: at a back tick or "${"; false if it finds neither.
func (e *ecma) chunk(i int) (int, bool) {
	if e.noTick {
		return i, false
	}
	for ; i < len(e.src); i++ {
		switch e.src[i] {
		case '\\':
			i++
		case '`':
			return i, true
		case '$':
			if at(e.src, i+1) == '{' {
				return i, true
			}
		}
	}
	e.noTick = true
	return i, false
}
