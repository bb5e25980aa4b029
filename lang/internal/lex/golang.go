package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// GoWords are the reserved words of Go. true, false and nil count as reserved: code that redeclares them keeps their
// meaning.
var GoWords = newWords("break case chan const continue default defer else fallthrough for func go goto if "+
	"import interface map package range return select struct switch type var",
	map[string]lexeme{"true": boolean, "false": boolean, "nil": null})

var goOperators = newOperators("+ - * / % & | ^ << >> &^ += -= *= /= %= &= |= ^= <<= >>= &^= && || <- ++ -- " +
	"== < > = ! ~ != <= >= := ... ( ) [ ] { } , ; . :")

var (
	goImport    = keyword("import")
	goPackage   = keyword("package")
	goOpen      = keyword("(")
	goClose     = keyword(")")
	goDot       = keyword(".")
	goSemicolon = keyword(";")
)

// Go is the lexer of Go. Line ends are not tokens, so it need not know where a statement ends, and every word means the
// same everywhere. It refuses nothing.
func Go(dst []token.Token, src []byte) ([]token.Token, bool) {
	g := golang{out: out{tokens: dst}}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case chars[c]&letter != 0 || c >= 0x80:
			i = g.word(src, i)
		case chars[c]&blank != 0:
			i++
		case chars[c]&digit != 0 || c == '.' && chars[at(src, i+1)]&digit != 0:
			end := goNumber(src, i)
			i = g.put(i, end, number)
		case c == '"' || c == '\'':
			end, _ := quoteEnd(src, i)
			i = g.put(i, end, text)
		case c == '`':
			end, _ := after(src, i+1, "`")
			i = g.put(i, end, text)
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
	clause goClause
}

// goClause says how a package clause or import declaration continues.
type goClause uint8

const (
	goNone  goClause = iota
	goName           // the name of the package
	goSpec           // a name, a path or a group of them
	goPath           // the path after a name
	goGroup          // names and paths up to the parenthesis
)

func (g *golang) word(src []byte, i int) int {
	end := wordEnd(src, i, letter|digit)
	if end == i {
		return g.strange(src, i)
	}
	l := GoWords.of(src[i:end])
	if l != goImport && l != goPackage {
		return g.put(i, end, l)
	}
	g.flags = token.FlagImport
	g.add(i, end, l)
	g.clause = goSpec
	if l == goPackage {
		g.clause = goName
	}
	return end
}

func (g *golang) sign(src []byte, i int) int {
	if o := goOperators.at(src, i); o != nil {
		return g.put(i, i+o.n, o.lexeme)
	}
	return g.strange(src, i)
}

// put adds a token that opens no clause, and returns its end.
func (g *golang) put(i, end int, l lexeme) int {
	if g.clause == goNone {
		g.add(i, end, l)
		return end
	}
	if l == goDot {
		l = identifier // takes the place of the import's name
	}
	var part bool
	if g.clause, part = g.clause.next(l); !part {
		g.flags = 0
	}
	g.add(i, end, l)
	if g.clause == goNone {
		g.flags = 0
	}
	return end
}

// next returns how a clause continues after l, and whether l is part of it.
func (c goClause) next(l lexeme) (goClause, bool) {
	switch {
	case c == goName:
		return goNone, l == identifier
	case c == goSpec && l == identifier:
		return goPath, true
	case c == goSpec && l == goOpen:
		return goGroup, true
	case c == goGroup && (l == identifier || l == text || l == goSemicolon):
		return goGroup, true
	}
	return goNone, l == text || c == goGroup && l == goClose
}

// goNumber returns the end of the number at i, which starts with a digit or a point.
func goNumber(src []byte, i int) int {
	end := plainNumber(src, i)
	if at(src, end) == 'i' {
		end++
	}
	return end
}
