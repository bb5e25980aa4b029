package langtest

import (
	"regexp"

	"github.com/git-provenance/git-provenance/lang"
)

// syntax is what the kit must know of a language.
type syntax struct {
	classes string // the classes its sample must show, in the order of their declaration, by their first letters
	comment string // starts a comment that ends with the line; empty where there is none
	// uncovered is what may lie outside of all tokens besides white space, each
	// form for its reason.
	uncovered []uncovered
	unmarked  string // tokens on import lines that are not marked, and why that is no harm: they are one keyword
	fixed     string // pattern of identifiers the grammar knows by name
}

type uncovered struct{ reason, pattern string }

var (
	slashes  = uncovered{"comment", `//[^\n]*`}
	starred  = uncovered{"comment", `/\*(?s:.*?)\*/`}
	nested   = uncovered{"comment", `/\*(?:[^*/]|\*[^/]|/[^*]|/\*(?:[^*]|\*[^/])*\*/)*\*/`}
	hash     = uncovered{"comment", `#[^\n]*`}
	splice   = uncovered{"joined lines", `\\\n`}
	shebang  = uncovered{"interpreter", `#![^\n]*`}
	jsTail   = uncovered{"text of a template behind code", "\\$?[^`$]*`|[^`$]+"}
	allKinds = "kinsbN" // all but words
)

var syntaxes = map[string]syntax{
	"bash": {
		classes: "kinsw", comment: "#", uncovered: []uncovered{hash},
	},
	"c":          {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"cpp":        {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"csharp":     {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred}},
	"go":         {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred}},
	"java":       {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred}},
	"javascript": {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred, shebang}},
	"jsx":        {classes: allKinds + "w", comment: "//", uncovered: []uncovered{slashes, starred}},
	"kotlin":     {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, nested}},
	"lua":        {classes: allKinds, comment: "--", uncovered: []uncovered{shebang}},
	"php":        {classes: allKinds + "w", comment: "//", uncovered: []uncovered{slashes, starred, hash}},
	"python":     {classes: allKinds, comment: "#", uncovered: []uncovered{hash, splice}},
	"ruby":       {classes: allKinds, comment: "#", uncovered: []uncovered{hash}},
	"rust":       {classes: "kinsb", comment: "//", uncovered: []uncovered{slashes, nested}},
	"scala":      {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, nested}},
	"swift":      {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, nested}},
	"text":       {classes: "knw"},
	"tsx":        {classes: allKinds + "w", comment: "//", uncovered: []uncovered{slashes, starred}},
	"typescript": {classes: allKinds, comment: "//", uncovered: []uncovered{slashes, starred}},
}

// classLetters are the letters of classes, in their order.
const classLetters = "kinsbNw"

func classOf(letter rune) lang.Class {
	for i, c := range classLetters {
		if c == letter {
			return lang.Class(i)
		}
	}
	panic("no class " + string(letter))
}

// allowed matches a gap between two tokens that is wholly explained.
func (s syntax) allowed() *regexp.Regexp {
	all := `\s+`
	for _, u := range s.uncovered {
		all += "|" + u.pattern
	}
	return regexp.MustCompile(`^(?:` + all + `)*$`)
}
