package lex

import (
	"bytes"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

// RustWords are the reserved words of Rust. Words that are keywords only in some places, like union and the fragments
// of macros, are names everywhere.
var RustWords = newWords("as async await break const continue dyn else enum extern fn for if impl in let loop match mod move "+
	"pub ref return static struct trait try type unsafe use where while yield self super crate",
	map[string]lexeme{"true": boolean, "false": boolean, "mut": keyword("mutable_specifier")})

// Signs that also open or close types, references or closures are missing here.
var rustOperators = newOperators("+ - * / % ^ ! & | <<= += -= *= /= %= ^= &= |= = == != < <= > @ . .. ... ..= , ; : :: -> => # ? $ " +
	"( ) [ ] { }")

var (
	rustUse       = keyword("use").kind
	rustExtern    = keyword("extern").kind
	rustCrate     = keyword("crate").kind
	rustPub       = keyword("pub").kind
	rustOpen      = keyword("(").kind
	rustClose     = keyword(")").kind
	rustSquare    = keyword("[").kind
	rustEnd       = keyword(";").kind
	rustDot       = keyword(".").kind
	rustBang      = keyword("!").kind
	rustHash      = keyword("#").kind
	rustPath      = keyword("::").kind
	rustDollar    = keyword("$").kind
	rustDefine    = keyword("macro_rules!")
	rustRange     = keyword("..")
	rustUpTo      = keyword("..=").kind
	rustEnds      = kinds(") ] } ? self super crate await")
	rustClause    = kinds("use identifier :: { } , * as self super crate ;")
	rustPathParts = kinds("identifier :: self super crate in")
)

// Rust is the lexer of Rust. The text of a macro is a tree of tokens, in which lifetimes and points have less meaning.
// It refuses ranges of ranges and three colons in a row.
func Rust(dst []token.Token, src []byte) ([]token.Token, bool) {
	r := rust{out: out{tokens: dst, first: len(dst)}, src: src}
	for i := shebang(src); i < len(src) && !r.refuse; {
		i = r.step(i)
	}
	return r.tokens, !r.refuse
}

// shebang returns the end of the line that names the interpreter, 0 if there is none.
func shebang(src []byte) int {
	if has(src, 0, "#!") && at(src, 2) != '[' {
		return lineEnd(src, 0)
	}
	return 0
}

type rust struct {
	out
	src []byte
	// The open brackets of a macro's text, and whether each belongs to a repetition. In a definition the signs after a
	// repetition are not tokens.
	tree      []bool
	defines   bool // the text is that of macro_rules
	defined   bool // macro_rules was seen, but not its text
	attribute bool // in the path of an attribute
	noSign    bool // there is no sign of a repetition from here on
	refuse    bool // only the grammar can tell
}

// step reads the token at i and returns where to continue.
func (r *rust) step(i int) int {
	c := r.src[i]
	switch {
	case chars[c]&letter != 0 || c >= 0x80:
		return r.word(i)
	case chars[c]&blank != 0:
		return i + 1
	case chars[c]&digit != 0:
		end := rustNumber(r.src, i, len(r.tree) > 0 || r.back(1) != rustDot)
		return r.put(i, end, number)
	case c == '"':
		end := longQuoteEnd(r.src, i)
		return r.put(i, end, text)
	case c == '\'':
		return r.quote(i)
	case c == '/' && at(r.src, i+1) == '/':
		return lineEnd(r.src, i)
	case c == '/' && at(r.src, i+1) == '*':
		return nestedComment(r.src, i)
	case c == '$' && chars[at(r.src, i+1)]&letter != 0 && (len(r.tree) == 0 || r.defines):
		return r.put(i, wordEnd(r.src, i+1, letter|digit), identifier)
	}
	return r.sign(i)
}

// put adds a token, and returns its end.
func (r *rust) put(i, end int, l lexeme) int {
	if r.flags != 0 && !rustClause[l.kind] && l.class != token.Identifier {
		r.flags = 0 // this is not an import after all
	}
	r.add(i, end, l)
	if l.kind == rustEnd {
		r.flags = 0
	}
	return end
}

func (r *rust) word(i int) int {
	end := wordEnd(r.src, i, letter|digit)
	if end == i {
		return r.strange(r.src, i)
	}
	if end-i <= 2 {
		if to := rustPrefixed(r.src, i, end); to > end {
			return r.put(i, to, text)
		}
		if to := wordEnd(r.src, end+1, letter|digit); end == i+1 && has(r.src, i, "r#") && to > end+1 {
			return r.put(i, to, identifier)
		}
	}
	l := RustWords.of(r.src[i:end])
	switch {
	case len(r.tree) > 0:
	case l.kind == rustUse && at(r.src, blanks(r.src, end)) != '<' && r.back(1) != rustDot: // otherwise it lists what a type captures
		r.clause(len(r.tokens))
	case l.kind == rustCrate && r.back(1) == rustExtern:
		r.clause(len(r.tokens) - 1)
	case l.class == token.Identifier && has(r.src, i, "macro_rules!"):
		r.defined = true
		return r.put(i, end+1, rustDefine)
	}
	return r.put(i, end, l)
}

// clause begins an import at a token, or at its visibility.
func (r *rust) clause(from int) {
	r.flags = token.FlagImport
	if from > r.first && r.tokens[from-1].Kind == rustClose {
		k := from - 2
		for k > r.first && rustPathParts[r.tokens[k].Kind] {
			k--
		}
		if k > r.first && r.tokens[k].Kind == rustOpen && r.tokens[k-1].Kind == rustPub {
			from = k - 1
		}
	} else if from > r.first && (r.tokens[from-1].Kind == rustPub || r.tokens[from-1].Kind == rustCrate) {
		from--
	}
	for k := from; k < len(r.tokens); k++ {
		r.tokens[k].Flags |= token.FlagImport
	}
}

// quote reads a character or a lifetime. In a macro the quote of a lifetime is not a token.
func (r *rust) quote(i int) int {
	if end := rustChar(r.src, i); end > i {
		return r.put(i, end, text)
	}
	if len(r.tree) > 0 {
		return i + 1
	}
	from := i + 1
	if has(r.src, from, "r#") {
		from += 2
	}
	end := wordEnd(r.src, from, letter|digit)
	if end == from || chars[r.src[from]]&digit != 0 {
		r.refuse = true
	}
	return r.put(i, end, identifier)
}

func (r *rust) sign(i int) int {
	o := rustOperators.at(r.src, i)
	if o == nil {
		return r.strange(r.src, i)
	}
	switch r.src[i] {
	case '(', '[', '{':
		r.open()
	case ')', ']', '}':
		if n := len(r.tree); n > 0 {
			return r.close(i, n)
		}
	}
	r.follow(o.kind)
	if o.kind == rustPath && at(r.src, i+2) == ':' {
		r.refuse = true // "():::A" is a type's colon and a path
	}
	if o.kind == rustUpTo && len(r.tree) == 0 && !r.ends() {
		r.refuse = r.refuse || r.back(1) == rustRange.kind || r.back(2) == rustRange.kind
		r.put(i, i+2, rustRange)
		return r.put(i+2, i+3, keyword("="))
	}
	return r.put(i, i+o.n, o.lexeme)
}

// ends reports whether an expression or a pattern can end here. The grammar accepts an assignment to a range without a
// start.
func (r *rust) ends() bool {
	n := len(r.tokens)
	return n > r.first && (r.tokens[n-1].Class != token.Keyword || rustEnds[r.tokens[n-1].Kind])
}

// open notes the bracket that follows.
func (r *rust) open() {
	switch {
	case len(r.tree) > 0:
		r.tree = append(r.tree, r.defines && r.back(1) == rustDollar)
	case r.defined:
		r.tree = append(r.tree, false)
		r.defines, r.defined = true, false
	case r.attribute || r.back(1) == rustBang && r.back(2) == identifier.kind:
		r.tree = append(r.tree, false)
		r.defines = false
	}
}

// close reads the bracket at i, and the text between the brackets of a repetition and its sign.
func (r *rust) close(i, n int) int {
	repeats := r.tree[n-1]
	r.tree = r.tree[:n-1]
	r.put(i, i+1, keyword(string(r.src[i])))
	if !repeats {
		return i + 1
	}
	n = -1
	if !r.noSign {
		n = bytes.IndexAny(r.src[i+1:], "+*?")
	}
	if r.noSign = n < 0; r.noSign {
		return i + 1
	}
	k := i + 1 + n
	return r.put(k, k+1, keyword(string(r.src[k])))
}

// follow notes where the path of an attribute begins and ends.
func (r *rust) follow(kind uint32) {
	if kind == rustSquare {
		before := r.back(1)
		r.attribute = len(r.tree) == 0 && (before == rustHash || before == rustBang && r.back(2) == rustHash)
	} else if kind != rustPath {
		r.attribute = false
	}
}

// nestedComment returns the end of the comment at i, which may contain others. As in the grammar, two slashes before an
// asterisk open none.
func nestedComment(src []byte, i int) int {
	depth := 1
	for i += 2; i < len(src); i++ {
		switch c := src[i]; {
		case c == '/' && at(src, i+1) == '*':
			depth++
			i++
		case c == '/':
			i++
		case c == '*' && at(src, i+1) == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	return len(src)
}
