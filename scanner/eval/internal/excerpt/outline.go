package excerpt

import "github.com/git-provenance/git-provenance/scanner/syntax/functions"

// ends maps the languages whose functions begin with def on a line to the word that ends them, on a line with the same indentation.
var ends = map[string]string{"ruby": "end", "scala": "}"}

// outlined finds the functions of languages of which no excerpts are made. They are followed and pasted as a whole, so their
// statements do not matter.
func (c *Code) outlined() bool {
	if word, ok := ends[c.file.Lang]; ok {
		c.defined(word)
		return true
	}
	for _, f := range functions.Outermost(functions.Find(c.lang, c.Src, c.Toks)) {
		from := f.From
		for !c.first(from) {
			from--
		}
		if c.first(f.To) {
			c.fns = append(c.fns, fn{from, f.To, c.indent(from) != ""})
		}
	}
	return true
}

// defined finds the functions that begin with def and end with a word, each on a line of its own.
func (c *Code) defined(word string) {
	begun, indent := -1, ""
	for i := range c.Toks {
		if !c.first(i) {
			continue
		}
		switch c.text(i) {
		case "def":
			if begun < 0 {
				begun, indent = i, c.indent(i)
			}
		case word:
			if begun >= 0 && c.indent(i) == indent {
				c.fns = append(c.fns, fn{begun, i + 1, indent != ""})
				begun = -1
			}
		}
	}
}
