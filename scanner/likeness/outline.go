// Package likeness tells how alike two programs of a set are, for ranking pairs. The
// tokens of programs flow in (Outline); a number between 0 and 1 for any two flows out
// (Set.Compare). It proves nothing; package match does.
//
// Two readings are taken. The structure of a program is its control flow, declarations,
// calls, assignments and operators, without names, values, types and brackets, so that
// small rewriting changes little of it; two structures are covered with tiles, longest
// first, each part of either at most once, in any order (Wise's greedy string tiling).
// The values are tokens with what strings and numbers say: alone, in runs of three, and in
// statements, whose tokens count in any order. All count what few programs of the set have
// for more than what many have. The likeness is
//
//	w × structure + (1-w) × values,  w = n²/(n² + 400²)
//	values = v × (runs + statements)/2 + (1-v) × single,  v = t²/(t² + 160²)
//
// with n words of structure and t tokens in the shorter program: short programs of one
// exercise all have one structure, and what they say tells them apart. What two programs
// have in common is a share of the shorter one, divided by 1 + 0.7 log r if the longer one
// has r times as much: code around a copy hides little. What a program imports is part of
// all three values: a disguise rarely changes it. Among fewer than five programs nothing
// tells what is rare: there only runs count as values, and w is n/(n + 200).
package likeness

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Outline is a program as it is compared.
type Outline struct {
	structure  []uint32
	values     []uint32
	imports    []uint32 // names and strings of import clauses
	statements []uint64 // and imports
}

// The words of structure. Words of one meaning are one in all languages, so that a
// loop stays a loop whatever its keyword.
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

// Add appends a file. masked tells which tokens are left out; nil means none.
func (o *Outline) Add(src []byte, toks []lang.Token, masked []bool) {
	text := func(i int) string {
		if i < 0 || i >= len(toks) {
			return ""
		}
		return string(src[toks[i].Start:toks[i].End])
	}
	for i, t := range toks {
		if t.Flags&lang.FlagImport != 0 { // masked too, as no match is made of them
			if t.Class == lang.Identifier || t.Class == lang.String {
				name := mix(t.Kind, src[t.Start:t.End])
				o.imports = append(o.imports, name)
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
		o.values = append(o.values, value)
		if w := structureWord(toks, i, text); w != 0 {
			o.structure = append(o.structure, w)
		}
	}
	o.statements = append(o.statements, statements(src, toks, masked)...)
	// no run goes over the end of a file
	o.structure = append(o.structure, endOf(len(o.structure)))
	o.values = append(o.values, endOf(len(o.values)))
}

// withImports is the values and, behind them, the imports.
func (o *Outline) withImports() []uint32 { return slices.Concat(o.values, o.imports) }

// endOf is unlike any word, and unlike the ends of other files as far as may be.
func endOf(n int) uint32 { return wordsEnd + 1 + uint32(n)*2654435761>>1 }

func mix(h uint32, text []byte) uint32 {
	for _, c := range text {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// structureWord is what token i adds to the structure; 0 for nothing.
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
