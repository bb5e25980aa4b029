package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// GoWords are reserved in Go, true, false and nil in effect: who declares them
// anew leaves them what they are.
var GoWords = newWords("break case chan const continue default defer else fallthrough for func go goto if "+
	"import interface map package range return select struct switch type var",
	map[string]lexeme{"true": boolean, "false": boolean, "nil": null})

var goOperators = newOperators("+ - * / % & | ^ << >> &^ += -= *= /= %= &= |= ^= <<= >>= &^= && || <- ++ -- " +
	"== < > = ! ~ != <= >= := ... ( ) [ ] { } , ; . :")

var (
	goImport  = token.Kind("import")
	goPackage = token.Kind("package")
	goOpen    = token.Kind("(")
	goClose   = token.Kind(")")
	goDot     = token.Kind(".")
)

// Go is the lexer of Go. Line ends are no tokens, so nothing has to know where a
// statement ends, and every word means the same everywhere. It refuses nothing.
func Go(dst []token.Token, src []byte) ([]token.Token, bool) {
	g := golang{out: out{tokens: dst}, first: len(dst)}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case chars[c]&letter != 0 || c >= 0x80:
			i = g.word(src, i)
		case chars[c]&blank != 0:
			i++
		case chars[c]&digit != 0 || c == '.' && chars[at(src, i+1)]&digit != 0:
			end := goNumber(src, i)
			g.add(i, end, number)
			i = end
		case c == '"' || c == '\'':
			end, _ := quoteEnd(src, i)
			i = g.quoted(i, end)
		case c == '`':
			end, _ := after(src, i+1, "`")
			i = g.quoted(i, end)
		case c == '/' && at(src, i+1) == '/':
			i = lineEnd(src, i)
		case c == '/' && at(src, i+1) == '*':
			i, _ = after(src, i+2, "*/")
		default:
			i = g.sign(src, i)
		}
	}
	return g.tokens, true
}

type golang struct {
	out
	first  int  // where the document begins in the tokens
	group  bool // within the parentheses of an import declaration
	clause bool // within a package clause or an import declaration
}

func (g *golang) word(src []byte, i int) int {
	end := wordEnd(src, i, letter|digit)
	if end == i {
		return g.strange(src, i)
	}
	l := GoWords.of(src[i:end])
	if l.kind == goImport || l.kind == goPackage {
		g.clause, g.group = true, false
		g.flags = token.FlagImport
	}
	g.add(i, end, l)
	if g.clause && !g.group && l.class == token.Identifier && g.previous(2) == goPackage {
		g.leave()
	}
	return end
}

// previous is the kind of the token n places back, 0 if there is none.
func (g *golang) previous(n int) uint32 {
	if len(g.tokens)-n < g.first {
		return 0
	}
	return g.tokens[len(g.tokens)-n].Kind
}

func (g *golang) quoted(i, end int) int {
	g.add(i, end, text)
	if g.clause && !g.group {
		g.leave()
	}
	return end
}

func (g *golang) leave() { g.clause, g.group, g.flags = false, false, 0 }

func (g *golang) sign(src []byte, i int) int {
	o := goOperators.at(src, i)
	if o == nil {
		return g.strange(src, i)
	}
	l := o.lexeme
	if !g.clause {
		g.add(i, i+o.n, l)
		return i + o.n
	}
	switch l.kind {
	case goOpen:
		g.group = g.previous(1) == goImport
	case goDot:
		l = identifier // the name of what is imported without one
	}
	g.add(i, i+o.n, l)
	if l.kind == goClose {
		g.leave()
	}
	return i + o.n
}

// goNumber is where the number ends that starts at i with a digit or a point.
func goNumber(src []byte, i int) int {
	digits, exponent := digit, byte('e')
	if src[i] == '0' {
		switch at(src, i+1) | 0x20 {
		case 'x':
			i, digits, exponent = i+2, hex, 'p'
		case 'b', 'o':
			i += 2
		}
	}
	end := numberPart(src, i, digits)
	if at(src, end) == '.' {
		end = numberPart(src, end+1, digits)
	}
	end = exponentEnd(src, end, exponent)
	if at(src, end) == 'i' {
		end++
	}
	return end
}
