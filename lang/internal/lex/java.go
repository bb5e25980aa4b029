package lex

import "github.com/git-provenance/git-provenance/lang/internal/token"

// JavaWords are the reserved words of Java. The primitive types are names like others. Words that are keywords only in
// some places, like record and yield, are names everywhere.
var JavaWords = newWords("abstract assert break case catch class continue default do else enum extends final finally "+
	"for if implements import instanceof interface native new package private protected public return static strictfp "+
	"super switch synchronized this throw throws transient try volatile while",
	map[string]lexeme{"true": boolean, "false": boolean, "null": null})

// Right shifts are missing here, since the same signs close type arguments.
var javaOperators = newOperators("+ - * / % & | ^ ! ~ < > << = == != <= >= && || ++ -- += -= *= /= %= &= |= ^= <<= >>= >>>= " +
	"-> :: ... @ ? ( ) [ ] { } , ; . :")

var (
	javaImport    = keyword("import").kind
	javaPackage   = keyword("package").kind
	javaEnd       = keyword(";").kind
	javaAt        = keyword("@").kind
	javaInterface = keyword("@interface")
	javaNonSealed = keyword("non-sealed")
	javaDot       = keyword(".").kind
	javaAll       = keyword("*").kind
	javaStatic    = keyword("static").kind
)

// Java is the lexer of Java. It refuses code within strings, a preview of Java 21.
func Java(dst []token.Token, src []byte) ([]token.Token, bool) {
	j := java{out: out{tokens: dst, first: len(dst)}}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case chars[c]&(letter|dollar) != 0 || c >= 0x80:
			i = j.word(src, i)
		case chars[c]&blank != 0:
			i++
		case chars[c]&digit != 0 || c == '.' && chars[at(src, i+1)]&digit != 0:
			end := javaNumber(src, i)
			i = j.put(i, end, number)
		case c == '\'':
			end, _ := quoteEnd(src, i)
			i = j.put(i, end, text)
		case c == '"':
			end, plain := javaString(src, i)
			if !plain {
				return j.tokens, false
			}
			i = j.put(i, end, text)
		case c == '/' && at(src, i+1) == '/':
			i = lineEnd(src, i)
		case c == '/' && at(src, i+1) == '*':
			i, _ = after(src, i+2, "*/")
		default:
			i = j.sign(src, i)
		}
	}
	return j.tokens, true
}

type java struct {
	out
	opened bool // by a package clause
}

// put adds a token that opens no clause, and returns its end.
func (j *java) put(i, end int, l lexeme) int {
	if j.flags != 0 {
		switch l.kind {
		case identifier.kind, javaDot, javaAll, javaStatic, javaEnd:
		default:
			j.flags = 0 // this is not a clause after all
		}
	}
	j.add(i, end, l)
	if l.kind == javaEnd {
		j.flags = 0
	}
	return end
}

func (j *java) word(src []byte, i int) int {
	end := wordEnd(src, i, letter|digit|dollar)
	if end == i {
		return j.strange(src, i)
	}
	l := JavaWords.of(src[i:end])
	switch l.kind {
	case javaImport, javaPackage:
		if l.kind == javaPackage && !j.opened {
			j.opened = true
			j.annotated()
		}
		j.flags = token.FlagImport
		j.add(i, end, l)
		return end
	case identifier.kind:
		if end-i == len("non") && nonSealed(src, i) {
			end, l = i+len("non-sealed"), javaNonSealed
		}
	}
	return j.put(i, end, l)
}

// nonSealed distinguishes the modifier from a subtraction: another word has to follow.
func nonSealed(src []byte, i int) bool {
	i += len("non-sealed")
	if !has(src, i-len("non-sealed"), "non-sealed") || chars[at(src, i)]&blank == 0 {
		return false
	}
	for chars[at(src, i)]&blank != 0 && i < len(src) {
		i++
	}
	return chars[at(src, i)]&letter != 0
}

// annotated adds the annotations of a package to its clause. It runs for the first clause only: a text of many clauses
// must not take quadratic time.
func (j *java) annotated() {
	before := j.tokens[j.first:]
	if len(before) == 0 || before[0].Kind != javaAt {
		return
	}
	for _, t := range before {
		if t.Kind == javaEnd {
			return
		}
	}
	for i := range before {
		before[i].Flags |= token.FlagImport
	}
}

func (j *java) sign(src []byte, i int) int {
	o := javaOperators.at(src, i)
	if o == nil {
		return j.strange(src, i)
	}
	end, l := i+o.n, o.lexeme
	if l.kind == javaAt && has(src, end, "interface") {
		if to := wordEnd(src, end, letter|digit|dollar); to == end+len("interface") {
			end, l = to, javaInterface
		}
	}
	return j.put(i, end, l)
}

// javaString returns the end of the string or text block at i, and whether it is free of code.
func javaString(src []byte, i int) (int, bool) {
	block := has(src, i, `"""`)
	i++
	if block {
		i += 2
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '\\' && at(src, i+1) == '{':
			return i, false
		case c == '\\':
			i++
		case c == '"' && !block:
			return i + 1, true
		case c == '"' && has(src, i, `"""`):
			return i + 3, true
		case c == '\n' && !block:
			return i, true
		}
		i++
	}
	return len(src), true
}

// javaNumber returns the end of the number at i, which starts with a digit or a point.
func javaNumber(src []byte, i int) int {
	end := plainNumber(src, i)
	switch at(src, end) | 0x20 {
	case 'f', 'd', 'l':
		end++
	}
	return end
}
