// Package likeness measures how alike two programs of a set are, for ranking pairs. Outline takes the tokens of
// programs. Set.Both and Set.Beyond return a number between 0 and 1 for any two. It proves nothing; package match does.
//
// Two readings are taken. The structure of a program is its control flow, declarations, calls, assignments and
// operators, without names, values, types and brackets. So small rewriting changes little of it. Two structures are
// covered with tiles, longest first, each part of either at most once, in any order (Wise's greedy string tiling).
//
// The values are tokens with the content of strings and numbers. They are read in four ways: in tiles (code), alone
// (single, without brackets, with the words of texts), in runs of three, and in statements, whose tokens count in any order. All readings give more weight to code that few programs of the set have. The likeness is
//
//	w × (2 structure + code)/3 + (1-w) × values,  w = n²/(n² + 400²)
//	values = v × √((code² + runs² + statements²)/3) + (1-v) × single,  v = t⁴/(t⁴ + 160⁴)
//
// with n words of structure and t tokens in the shorter program. Short programs of one exercise all have one structure;
// their values distinguish them. The common part is a share of the shorter program, divided by 1 + 0.5 log r if the
// longer one has r times as much: code around a copy hides little. To each program's weight that of two more tokens is added, which nobody
// else has (ownTokens): short programs have more in common by chance. The likeness that is usual in the set is subtracted
// (Set.Usual). Two programs are also compared without the functions and classes that their main does not reach (NewProgram);
// Set.Beyond combines both, and moves programs that are nearly equal word for word towards 1 (verbatim). A program's imports are part of
// runs, statements and single tokens, since a disguise rarely changes them. A set of fewer than five programs does not show what is rare: there only runs count as values, only structure as
// tiles, and w is n/(n + 200).
package likeness

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Outline is the part of a program that is compared.
type Outline struct {
	structure  []uint32
	values     []uint32
	imports    []uint32 // names and strings of import clauses
	statements []uint64 // and imports
	single     []uint32 // values without separators, and imports
	named      []uint32 // tokens with their text, without braces
	words      []uint32 // of texts
}

// endOfFile stands behind the words of each file. No run holds it.
const endOfFile = 0

// The words of structure. Words of one meaning are one in all languages, so that a loop is a loop whatever its keyword.
var control = map[string]uint32{
	"for": 1, "while": 1, "do": 1, "foreach": 1, "loop": 1, "until": 1,
	"if": 2, "elif": 2, "elseif": 2, "unless": 2, "when": 2,
	"else": 3, "switch": 4, "match": 4, "case": 5, "default": 5, "return": 6,
	"throw": 7, "raise": 7, "try": 8, "catch": 9, "except": 9, "rescue": 9, "finally": 10, "ensure": 10,
	"break": 11, "continue": 12, "new": 13, "goto": 14, "yield": 15, "await": 16, "assert": 17,
	"defer": 18, "go": 19, "with": 20, "delete": 21,
	"function": 22, "func": 22, "fn": 22, "fun": 22, "def": 22, "lambda": 22,
	"class": 23, "struct": 23, "interface": 23, "enum": 23, "trait": 23, "impl": 23, "union": 23, "record": 23,
	"{": 24, "}": 25, "++": wordAssign, "--": wordAssign, "=": wordAssign, ":=": wordAssign,
	"+": wordOperator, "-": wordOperator, "*": wordOperator, "/": wordOperator, "%": wordOperator,
	"==": wordCompare, "!=": wordCompare, "===": wordCompare, "!==": wordCompare, "<": wordCompare, ">": wordCompare,
	"<=": wordCompare, ">=": wordCompare, "&&": wordCompare, "||": wordCompare, "and": wordCompare, "or": wordCompare,
}

const (
	wordAssign = 32 + iota
	wordOperator
	wordCompare
	wordCall
	wordDeclaration
	wordsEnd
)

// typeWords begin a declaration, if a name follows.
var typeWords = map[string]bool{"int": true, "long": true, "short": true, "byte": true, "char": true, "float": true, "double": true,
	"boolean": true, "bool": true, "void": true, "auto": true, "let": true, "const": true, "var": true, "val": true, "unsigned": true, "]": true, ">": true}

// Add appends a file. masked marks the tokens to leave out; nil means none.
func (o *Outline) Add(src []byte, toks []lang.Token, masked []bool) {
	text := func(i int) string {
		if i < 0 || i >= len(toks) {
			return ""
		}
		return string(src[toks[i].Start:toks[i].End])
	}
	for i, t := range toks {
		if t.Flags&lang.FlagImport != 0 { // imports are masked too, since no match is made of them
			if t.Class == lang.Identifier || t.Class == lang.String {
				name := mix(t.Kind, src[t.Start:t.End])
				o.imports, o.single = append(o.imports, name), append(o.single, name)
				o.statements = append(o.statements, scattered(name))
			}
			continue
		}
		if masked != nil && masked[i] {
			continue
		}
		value := t.Kind
		if t.Class == lang.String || t.Class == lang.Number {
			value = mix(value, src[t.Start:t.End])
		}
		if t.Class == lang.String {
			o.text(src[t.Start:t.End])
		}
		o.values = append(o.values, value)
		if !separator(src, t) {
			o.single = append(o.single, value)
		}
		o.name(src, t)
		if w := structureWord(toks, i, text); w != 0 {
			o.structure = append(o.structure, w)
		}
	}
	o.statements = append(o.statements, statements(src, toks, masked)...)
	o.structure, o.values, o.named = append(o.structure, endOfFile), append(o.values, endOfFile), append(o.named, endOfFile)
}

// withImports returns the values, followed by the imports.
func (o *Outline) withImports() []uint32 { return slices.Concat(o.values, o.imports) }

// separator reports whether a token only groups or separates others. Copies add and drop such tokens without another meaning.
func separator(src []byte, t lang.Token) bool {
	if t.End != t.Start+1 {
		return false
	}
	switch src[t.Start] {
	case '(', ')', '{', '}', ',', ';':
		return true
	}
	return false
}

func mix(h uint32, text []byte) uint32 {
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// structureWord returns the word that token i adds to the structure; 0 for none.
func structureWord(toks []lang.Token, i int, text func(int) string) uint32 {
	switch toks[i].Class {
	case lang.Word:
		return wordsEnd + toks[i].Kind>>1
	case lang.Identifier:
		switch {
		case text(i+1) == "(":
			return wordCall
		case i > 0 && (toks[i-1].Class == lang.Identifier || typeWords[text(i-1)]):
			return wordDeclaration
		}
	case lang.Keyword:
		s := text(i)
		if w := keyword(s); w != 0 {
			return w
		}
		if typeWords[s] && text(i+1) == "(" {
			return wordCall
		}
	}
	return 0
}
