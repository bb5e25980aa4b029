package imports

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
)

// A package also fixes names that do not follow its own name: the fields of its types where they are set, the options and keywords
// of its functions, and the methods of its interfaces and base classes. Every user of the package writes these names. The code shows
// where they are fixed, so the text of the package is not needed.

// Fixed lists the names that packages fix in a text, by the name under which the text imports a package or a part of it.
type Fixed struct {
	Keys    map[string][]string // fields, options, keywords
	Methods []Method            // in the order of the text
}

// Method is a method that an interface or a base class may require. Some methods may be the text's own; the text alone does not tell.
type Method struct {
	Name     int // token
	From, To int // half-open tokens of its signature; the name alone where a signature has no types
	Of       []string
}

// FixedNames returns the names that packages fix in a text.
func FixedNames(l *lang.Language, text []byte, tokens []lang.Token) (out Fixed) {
	if l == nil || givers[l.Syntax()] == nil {
		return out
	}
	g := &giver{text: text, tokens: tokens, Fixed: Fixed{Keys: map[string][]string{}}}
	givers[l.Syntax()](g)
	for owner, names := range g.Keys {
		slices.Sort(names)
		g.Keys[owner] = slices.Compact(names)
	}
	return g.Fixed
}

var givers = map[string]func(*giver){
	"go": (*giver).golang, "javascript": (*giver).script, "typescript": (*giver).script, "tsx": (*giver).script, "python": (*giver).python,
}

// giver collects fixed names from the tokens of a text.
type giver struct {
	text   []byte
	tokens []lang.Token
	open   []bracket
	called map[string]bool // methods that the text calls on the object itself; nil: not read yet
	Fixed
}

// bracket is an open bracket. Its elements are fields, options or keywords of owner; its methods belong to a class with these bases.
type bracket struct {
	owner string
	bases []string
}

// longestHead is the most tokens of the head of a class or a method. Longer heads are skipped. deepest is the most bytes of an
// indentation that are counted.
const (
	longestHead = 256
	deepest     = 1024
)

func (g *giver) word(i int) string {
	if i < 0 || i >= len(g.tokens) {
		return ""
	}
	return string(g.text[g.tokens[i].Start:g.tokens[i].End])
}

// sign returns token i if it is a sign of one or two bytes, else "".
func (g *giver) sign(i int) string {
	if i < 0 || i >= len(g.tokens) || g.tokens[i].Class != lang.Keyword || g.tokens[i].End-g.tokens[i].Start > 2 {
		return ""
	}
	return g.word(i)
}

func (g *giver) isName(i int) bool {
	return i >= 0 && i < len(g.tokens) && g.tokens[i].Class == lang.Identifier
}

// give adds token i to the keys of an owner.
func (g *giver) give(owner string, i int) {
	if owner != "" {
		g.Keys[owner] = append(g.Keys[owner], g.word(i))
	}
}

// in returns the innermost open bracket.
func (g *giver) in() bracket {
	if len(g.open) == 0 {
		return bracket{}
	}
	return g.open[len(g.open)-1]
}

func (g *giver) push(b bracket) { g.open = append(g.open, b) }

func (g *giver) pop() { g.open = g.open[:max(0, len(g.open)-1)] }

// first returns the first name of the chain a.b.c that ends at i, "" if no chain does.
func (g *giver) first(i int) string {
	if !g.isName(i) {
		return ""
	}
	for g.sign(i-1) == "." && g.isName(i-2) {
		i -= 2
	}
	if g.sign(i-1) == "." {
		return ""
	}
	return g.word(i)
}

// listed reports whether an element of a bracket begins at i.
func (g *giver) listed(i int, opening string) bool {
	return g.sign(i-1) == opening || g.sign(i-1) == ","
}

// golang reads the fields of pkg.T{…}, and the exported methods of each type that has a method with pkg.T in its signature.
func (g *giver) golang() {
	uses := map[string][]string{} // by receiver
	for i := range g.tokens {
		switch g.sign(i) {
		case "{":
			b := bracket{}
			switch prev := g.sign(i - 1); {
			case g.sign(i-2) == "." && !g.results(i):
				b.owner = g.first(i - 1)
			case prev == "{" || prev == "," || prev == ":": // an element whose type is omitted
				b.owner = g.in().owner
			}
			g.push(b)
		case "(", "[":
			g.push(bracket{})
		case "}", ")", "]":
			g.pop()
		default:
			switch {
			case g.isName(i) && g.sign(i+1) == ":" && g.listed(i, "{"):
				g.give(g.in().owner, i)
			case g.sign(i) == "" && !g.isName(i) && g.word(i) == "func" && g.sign(i+1) == "(":
				g.method(i+1, uses)
			}
		}
	}
	g.Methods = slices.DeleteFunc(g.Methods, func(m Method) bool { return len(uses[m.Of[0]]) == 0 })
	for i := range g.Methods {
		g.Methods[i].Of = uses[g.Methods[i].Of[0]]
	}
}

// results reports whether the type before the brace at i is the result of a function, so that the brace opens the body.
func (g *giver) results(i int) bool {
	for i--; g.isName(i) || g.sign(i) == "." || g.sign(i) == "*"; i-- {
	}
	return g.sign(i) == ")"
}

// method reads the head of a method. The parentheses of its receiver open at i.
func (g *giver) method(i int, uses map[string][]string) {
	receiver, end := "", min(i+longestHead, len(g.tokens))
	for i++; i < end && g.sign(i) != ")"; i++ {
		if g.isName(i) && g.sign(i-1) != "[" && g.sign(i-1) != "," {
			receiver = g.word(i)
		}
	}
	name := i + 1
	if r, _ := utf8.DecodeRuneInString(g.word(name)); receiver == "" || !g.isName(name) || !unicode.IsUpper(r) {
		return
	}
	for i = name + 1; i < end; i++ {
		switch {
		case g.sign(i) == "{" && g.word(i-1) != "interface" && g.word(i-1) != "struct" || g.word(i) == "func":
			g.Methods = append(g.Methods, Method{name, name, i, []string{receiver}})
			return
		case g.isName(i) && g.sign(i+1) == "." && g.sign(i-1) != ".":
			uses[receiver] = append(uses[receiver], g.word(i))
		}
	}
}

// script reads the keys of objects that are passed to a function, and the methods of classes with a base class or an interface.
func (g *giver) script() {
	heritage, brace := []string(nil), -1
	for i := range g.tokens {
		switch s := g.sign(i); s {
		case "(":
			g.push(bracket{owner: g.first(i - 1)})
		case "{", "[":
			b := bracket{}
			switch prev := g.sign(i - 1); {
			case i == brace:
				b.bases = heritage
			case prev == "(" || prev == "," || prev == "[" || prev == ":":
				b.owner = g.in().owner
			}
			g.push(b)
		case "${": // code in a string
			g.push(bracket{})
		case "}", ")", "]":
			g.pop()
		default:
			in, next := g.in(), g.sign(i+1)
			switch {
			case g.word(i) == "class":
				heritage, brace = g.heritage(i)
			case !g.isName(i):
			case in.owner != "" && g.listed(i, "{") && (next == ":" || next == "," || next == "}" || next == "("):
				g.give(in.owner, i)
			case len(in.bases) > 0 && next == "(" && g.sign(i-1) != "=" && g.sign(i-1) != "." && !g.helper(i, "this"):
				g.Methods = append(g.Methods, Method{i, i, i + 1, in.bases})
			}
		}
	}
}

// helper reports whether method i is for its class only: its name or a modifier says that it is private, and the class calls it. self
// is how the language names the object.
func (g *giver) helper(i int, self string) bool {
	name := g.word(i)
	if name == "" { // a parser can insert a name that is missing
		return false
	}
	private := name[0] == '#' || name[0] == '_' && !strings.HasPrefix(name, "__")
	for at := i - 1; !private && at > i-maxModifiers && !g.isName(at) && len(g.word(at)) > 2; at-- {
		private = g.word(at) == "private"
	}
	if !private {
		return false
	}
	if g.called == nil {
		g.called = map[string]bool{}
		for at := range g.tokens {
			if g.sign(at) == "." && g.word(at-1) == self && g.sign(at+2) == "(" {
				g.called[g.word(at+1)] = true
			}
		}
	}
	return g.called[name]
}

// maxModifiers is how many tokens before the name of a method are read: "private static async".
const maxModifiers = 4

// heritage returns the names that a class extends and implements, and the brace that opens the class.
func (g *giver) heritage(i int) (names []string, brace int) {
	behind := false
	for at := i + 1; at < min(i+longestHead, len(g.tokens)); at++ {
		switch w := g.word(at); {
		case g.sign(at) == "{":
			return names, at
		case g.sign(at) == ";" || g.sign(at) == "}":
			return nil, -1
		case w == "extends" || w == "implements":
			behind = true
		case behind && g.isName(at) && g.sign(at-1) != ".":
			names = append(names, w)
		}
	}
	return nil, -1
}

// python reads the keywords of calls, and the methods of classes with a base class.
func (g *giver) python() {
	var bases []string // of the class at hand
	class, body := -1, -1
	for i := range g.tokens {
		switch g.sign(i) {
		case "(":
			g.push(bracket{owner: g.first(i - 1)})
		case "{", "[":
			g.push(bracket{})
		case "}", ")", "]":
			g.pop()
		default:
			switch w := g.word(i); {
			case w == "class" && !g.isName(i):
				bases, class, body = g.bases(i+1), g.column(i), -1
			case w == "def" && !g.isName(i) && g.isName(i+1) && len(bases) > 0:
				if at := g.column(i); at <= class {
					bases = nil
				} else if body < 0 || at == body {
					if body = at; g.helper(i+1, "self") {
						continue
					}
					g.Methods = append(g.Methods, Method{i + 1, i + 1, i + 2, bases})
				}
			case g.isName(i) && g.sign(i+1) == "=" && g.listed(i, "("):
				g.give(g.in().owner, i)
			}
		}
	}
}

// bases returns the first name of each base of the class whose name is token i.
func (g *giver) bases(i int) (names []string) {
	if g.sign(i+1) != "(" {
		return nil
	}
	for at := i + 2; at < min(i+longestHead, len(g.tokens)) && g.sign(at) != ")"; at++ {
		if g.isName(at) && g.sign(at-1) != "." && g.sign(at-1) != "=" && g.sign(at+1) != "=" {
			names = append(names, g.word(at))
		}
	}
	return names
}

// column returns the number of bytes before token i on its line, at most deepest.
func (g *giver) column(i int) int {
	n, at := 0, int(g.tokens[i].Start)
	for at > 0 && n < deepest && g.text[at-1] != '\n' {
		n, at = n+1, at-1
	}
	return n
}
