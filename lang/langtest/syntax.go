package langtest

import "regexp"

// syntax is what the kit must know of a language.
type syntax struct {
	classes string // classes that occur, by letter
	comment string // starts a line comment; empty if there is none
	// Text outside of all tokens besides white space, with the reason of each form.
	uncovered []uncovered
	fixed     string // pattern of identifiers whose spelling matters to the grammar
}

// uncovered is text outside of tokens.
type uncovered struct {
	reason  string
	pattern string
	behind  string // the token right before the text, if one is required
}

var (
	slashes = uncovered{reason: "comment", pattern: `//[^\n]*`}
	starred = uncovered{reason: "comment", pattern: `/\*(?s:.*?)\*/`}
	nested  = uncovered{reason: "comment", pattern: `/\*(?:[^*/]|\*[^/]|/[^*]|/\*(?:[^*]|\*[^/])*\*/)*\*/`}
	hash    = uncovered{reason: "comment", pattern: `#[^\n]*`}
	splice  = uncovered{reason: "joined lines", pattern: `\\\n`}
	shebang = uncovered{reason: "interpreter", pattern: `#![^\n]*`}
	marked  = uncovered{reason: "comment", pattern: `<!--(?s:.*?)-->`}
	phpTag  = uncovered{reason: "tag", pattern: `<\?php|\?>`}
	layout  = uncovered{reason: "formatters add and remove it", pattern: `[;()]`}
)

// tail is the text of a string after embedded code: the string's token ends where that code starts.
func tail(behind, quotes string) uncovered {
	return uncovered{reason: "text of a string", pattern: `[}]?[\w\s.:/%()#*$]*[` + quotes + `]?`, behind: behind}
}

const (
	page    = "script|style|lang|type"
	all     = "kinsbN" // all except words
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
	"html":       {classes: all + "w", uncovered: []uncovered{marked, slashes, starred, layout}, fixed: page},
	"java":       {classes: all, comment: "//", uncovered: []uncovered{slashes, starred}},
	"javascript": {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, layout, shebang, tail(closing, "`")}},
	"jsx":        {classes: all + "w", comment: "//", uncovered: []uncovered{slashes, starred, layout, tail(closing, "`")}},
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
	"objc":   {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"objcpp": {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, splice}},
	"php": {classes: all + "w", comment: "//", uncovered: []uncovered{
		slashes, starred, hash, phpTag,
		tail(`\$?\w+`, "{\"`"),
		tail(closing, ""),
		{reason: "mark of a here-document", pattern: `TEXT`},
		{reason: "formatters add and remove it", pattern: `,|\\|array|list`},
	}, fixed: "int"}, // casts know types by name
	"python": {classes: all, comment: "#", uncovered: []uncovered{hash, splice, tail(closing, `"`)}},
	"ruby": {classes: all, comment: "#", uncovered: []uncovered{
		hash,
		tail(closing, `"/`),
		{reason: "comment", pattern: `=begin\n(?s:.*?)=end\n`},
		{reason: "text of a string, behind the mark", pattern: `\n +Some text for |ix\n`},
	}},
	"rust":   {classes: "kinsb", comment: "//", uncovered: []uncovered{slashes, nested}},
	"scala":  {classes: all, comment: "//", uncovered: []uncovered{slashes, nested, tail(`\}|\w+`, `"`)}},
	"svelte": {classes: all + "w", uncovered: []uncovered{marked, slashes, starred, layout, tail(closing, "`")}, fixed: page},
	"swift": {classes: all, comment: "//", uncovered: []uncovered{
		slashes, nested,
		{reason: "formatters add and remove it", pattern: `,|self\.`},
		{reason: "text and marks of code in a string", pattern: `\)(?: of \\\(|")`},
	}},
	"text":       {classes: "knw"},
	"tsx":        {classes: all + "w", comment: "//", uncovered: []uncovered{slashes, starred, layout, tail(closing, "`")}},
	"vue":        {classes: all + "w", uncovered: []uncovered{marked, slashes, starred, layout, tail(closing, "`")}, fixed: page},
	"typescript": {classes: all, comment: "//", uncovered: []uncovered{slashes, starred, layout, tail(closing, "`")}},
}

// letters name the classes, in their order.
const letters = "kinsbNw"

// explained reports whether all of a gap may be outside of tokens, after the given token.
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
