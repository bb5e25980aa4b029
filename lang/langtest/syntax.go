package langtest

import "regexp"

// syntax is what the kit must know of a language.
type syntax struct {
	classes string // that occur, by letter
	comment string // starts a comment that ends with the line; empty where there is none
	// What may lie outside of all tokens besides white space, each form for its reason.
	uncovered []uncovered
	fixed     string // pattern of identifiers whose spelling means something to the grammar
}

// uncovered is text that is in no token.
type uncovered struct {
	reason  string
	pattern string
	behind  string // the token it must follow, if any; then the text starts right behind it
}

var (
	slashes = uncovered{reason: "comment", pattern: `//[^\n]*`}
	starred = uncovered{reason: "comment", pattern: `/\*(?s:.*?)\*/`}
	nested  = uncovered{reason: "comment", pattern: `/\*(?:[^*/]|\*[^/]|/[^*]|/\*(?:[^*]|\*[^/])*\*/)*\*/`}
	hash    = uncovered{reason: "comment", pattern: `#[^\n]*`}
	splice  = uncovered{reason: "joined lines", pattern: `\\\n`}
	shebang = uncovered{reason: "interpreter", pattern: `#![^\n]*`}
	phpTag  = uncovered{reason: "tag", pattern: `<\?php|\?>`}
)

// tail is the text of a string behind code embedded in it: the string's token
// ends where that code starts.
func tail(behind, quotes string) uncovered {
	return uncovered{reason: "text of a string", pattern: `[}]?[\w\s.:/%()#*$]*[` + quotes + `]?`, behind: behind}
}

const (
	all     = "kinsbN" // but words
	closing = `\}`
)

var syntaxes = map[string]syntax{
	"bash": {classes: "kinsw", comment: "#", uncovered: []uncovered{
		hash,
		tail(`[\w})@]+|`, `"`),
		{reason: "mark of a here-document", pattern: `TEXT|'RAW'|RAW`},
	}},
	"c":          {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"cpp":        {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"csharp":     {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, tail(closing, `"`)}},
	"go":         {classes: all, comment: "//", uncovered: []uncovered{slashes, starred}},
	"java":       {classes: all, comment: "//", uncovered: []uncovered{slashes, starred}},
	"javascript": {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, shebang, tail(closing, "`")}},
	"jsx":        {classes: all + "w", comment: "//", uncovered: []uncovered{slashes, starred, tail(closing, "`")}},
	"kotlin": {classes: all, comment: "//", uncovered: []uncovered{
		slashes, nested,
		tail(`\}|\w+`, `"`),
		{reason: "layout: no more than a line end", pattern: `;`},
		{reason: "quotes", pattern: `""`},
	}},
	"lua": {classes: all, comment: "--", uncovered: []uncovered{
		shebang,
		{reason: "comment", pattern: `--\[\[(?s:.*?)\]\]|--\[==\[(?s:.*?)\]==\]|--[^\n]*`},
	}},
	"php": {classes: all + "w", comment: "//", uncovered: []uncovered{
		slashes, starred, hash, phpTag,
		tail(`\$?\w+`, "{\"`"),
		tail(closing, ""),
		{reason: "mark of a here-document", pattern: `TEXT`},
	}, fixed: "int"}, // casts know types by name
	"python": {classes: all, comment: "#", uncovered: []uncovered{hash, splice, tail(closing, `"`)}},
	"ruby": {classes: all, comment: "#", uncovered: []uncovered{
		hash,
		tail(closing, `"/`),
		{reason: "comment", pattern: `=begin\n(?s:.*?)=end\n`},
		{reason: "text of a string, behind the mark", pattern: `\n +Some text for |ix\n`},
	}},
	"rust":       {classes: "kinsb", comment: "//", uncovered: []uncovered{slashes, nested}},
	"scala":      {classes: all, comment: "//", uncovered: []uncovered{slashes, nested, tail(`\}|\w+`, `"`)}},
	"swift":      {classes: all, comment: "//", uncovered: []uncovered{slashes, nested, {reason: "text and marks of code in a string", pattern: `\)(?: of \\\(|")`}}},
	"text":       {classes: "knw"},
	"tsx":        {classes: all + "w", comment: "//", uncovered: []uncovered{slashes, starred, tail(closing, "`")}},
	"typescript": {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, tail(closing, "`")}},
}

// letters name the classes, in their order.
const letters = "kinsbNw"

// explained says whether all of a gap may be in no token, behind the token
// that ends there.
func (s syntax) explained(behind, text string) bool {
	free, here := `\s+`, `(?:)`
	for _, u := range s.uncovered {
		if u.behind == "" {
			free += "|" + u.pattern
		} else if regexp.MustCompile(`^(?:` + u.behind + `)$`).MatchString(behind) {
			here = u.pattern
		}
	}
	return regexp.MustCompile(`^(?:` + here + `)?(?:` + free + `)*$`).MatchString(text)
}
