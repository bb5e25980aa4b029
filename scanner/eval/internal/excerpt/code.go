package excerpt

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// Code is a tokenised file with the starts of its statements and functions.
type Code struct {
	file  corpus.File
	lang  *lang.Language
	Src   []byte
	Toks  []lang.Token
	lines lang.LineIndex
	start []bool // a statement of a function's body begins here, as the first on its line
	label []bool // a case label begins here
	frame []int  // the bracket around a token; for Python the indentation of its statement
	shut  []int  // of an opening bracket: its closing bracket
	fns   []fn
}

// fn is a function: tokens [from, to), and whether it is a member of a class.
type fn struct {
	from, to int
	member   bool
}

// byLang maps languages to front-ends: those of the corpus, then those of which only functions are followed.
var byLang = map[string]string{"go": "go", "java": "java", "js": "javascript", "ts": "typescript", "py": "python", "c": "c", "cpp": "cpp",
	"rust": "rust", "csharp": "csharp", "php": "php", "kotlin": "kotlin", "ruby": "ruby", "swift": "swift", "scala": "scala"}

// Read tokenises a file and finds its structure. It returns nil if the file makes no sense.
func Read(tz *lang.Tokenizer, f corpus.File, src []byte) *Code {
	d := lang.Detect(f.Path, src)
	if d.Skip != "" || d.Generated || d.Language.Name != byLang[f.Lang] || bytes.IndexByte(src, '\r') >= 0 {
		return nil
	}
	s, err := tz.Tokenize(d.Language, src)
	if err != nil || s.Errors > 0 || len(s.Tokens) == 0 {
		return nil
	}
	c := &Code{file: f, lang: d.Language, Src: src, Toks: slices.Clone(s.Tokens), lines: lang.Lines(src)}
	n := len(c.Toks)
	c.start, c.label, c.frame, c.shut = make([]bool, n+1), make([]bool, n+1), make([]int, n+1), make([]int, n+1)
	ok := false
	switch {
	case f.Lang == "py":
		ok = c.indented()
	case slices.Contains(corpus.Languages, f.Lang):
		ok = c.braced()
	default:
		ok = c.outlined()
	}
	if !ok {
		return nil
	}
	return c
}

// whole reports whether a string ends with the quote that it began with. Otherwise it has code in it.
func whole(s string) bool {
	last := s[len(s)-1]
	return (last == '"' || last == '\'' || last == '`') && len(s) > 1 || s[0] == '/' || s[0] == '<'
}

func (c *Code) text(i int) string {
	if i < 0 || i >= len(c.Toks) {
		return ""
	}
	return string(c.Src[c.Toks[i].Start:c.Toks[i].End])
}

func (c *Code) line(i int) int {
	if i >= len(c.Toks) {
		return 1 << 30
	}
	return c.lines.Line(c.Toks[i].Start)
}

// first reports whether a line begins with token i, or the file ends there.
func (c *Code) first(i int) bool {
	return i == 0 || i >= len(c.Toks) || c.line(i) > c.lines.Line(c.Toks[i-1].End-1)
}

// indent returns the white space before token i on its line.
func (c *Code) indent(i int) string {
	at := int(c.Toks[i].Start)
	from := bytes.LastIndexByte(c.Src[:at], '\n') + 1
	n := len(c.Src[from:at]) - len(bytes.TrimLeft(c.Src[from:at], " \t"))
	return string(c.Src[from : from+n])
}

// openBracket is a bracket around the current token.
type openBracket struct {
	at           int
	block, inner bool // a block of statements; within a function
}

var closes = map[string]string{"(": ")", "[": "]", "{": "}", "${": "}"}

// braced finds the structure of languages with braces. It returns false if they do not match.
func (c *Code) braced() bool {
	var open []openBracket
	top := func() openBracket {
		if len(open) == 0 {
			return openBracket{at: -1}
		}
		return open[len(open)-1]
	}
	for i := range c.Toks {
		t, o := c.text(i), top()
		if t == ")" || t == "]" || t == "}" {
			if len(open) == 0 || closes[c.text(o.at)] != t {
				return false
			}
			c.shut[o.at] = i
			open = open[:len(open)-1]
			c.frame[i] = top().at
			if o.block && !top().inner {
				c.function(o.at, i, top().at)
			}
			continue
		}
		c.frame[i] = o.at
		if o.block && c.first(i) && c.ended(i) {
			c.label[i] = t == "case" || t == "default"
			c.start[i] = !c.label[i] && !slices.Contains([]string{"else", "catch", "finally", "while", ".", ","}, t)
		}
		if c.Toks[i].Class != lang.Keyword {
			continue
		}
		switch t {
		case "(", "[", "${":
			open = append(open, openBracket{at: i, inner: o.inner})
		case "{":
			b := c.isBlock(i, o)
			open = append(open, openBracket{i, b, b || o.inner})
		}
	}
	return len(open) == 0
}

// ended reports whether the statement before token i is complete.
func (c *Code) ended(i int) bool {
	p := c.text(i - 1)
	if p == "{" || p == "}" || c.semicolon(i-1) {
		return true
	}
	if c.file.Lang != "go" {
		return false
	}
	k := c.Toks[i-1].Class
	return k != lang.Keyword || slices.Contains([]string{")", "]", "++", "--", "return", "break", "continue", "fallthrough", ":"}, p)
}

// semicolon reports whether token i is a semicolon, or is followed by one that is not a token.
func (c *Code) semicolon(i int) bool {
	return i >= 0 && (c.text(i) == ";" || lang.Ends(c.Src, c.Toks, i))
}

// isBlock reports whether a brace opens a block of statements.
func (c *Code) isBlock(i int, around openBracket) bool {
	p := c.text(i - 1)
	if c.file.Lang == "go" { // gofmt writes a blank before blocks and none before values
		return i > 0 && c.Toks[i].Start > c.Toks[i-1].End && !slices.Contains([]string{"struct", "interface", "{", ",", "(", ":=", "=", "[", ":"}, p)
	}
	switch {
	case p == "{", p == "}", c.semicolon(i - 1):
		return around.block && around.inner
	case slices.Contains([]string{")", "=>", "else", "do", "try", "finally"}, p):
		return true
	case p == ":", p == ",":
		return false
	}
	for j := i - 1; j > max(0, i-16); j-- { // a return type, a throws clause
		t := c.text(j)
		if t == ")" {
			return true
		}
		if c.Toks[j].Class == lang.Keyword && !slices.Contains([]string{".", ",", ":", "<", ">", "|", "[", "]", "&", "*", "throws", "const", "noexcept", "override", "void", "number", "string", "boolean"}, t) {
			return false
		}
	}
	return false
}

// function notes the function whose body is [open, shut], if there is one.
func (c *Code) function(open, shut, around int) {
	if !c.first(shut + 1) {
		return
	}
	from := c.header(open)
	h := c.text(from)
	if !c.first(from) || slices.Contains([]string{"if", "for", "while", "switch", "try", "do", "else", "with", "catch", "synchronized"}, h) {
		return
	}
	member := around >= 0
	switch c.file.Lang {
	case "go":
		if h != "func" || member {
			return
		}
	case "js", "ts":
		if !member && !slices.Contains([]string{"function", "async", "export"}, h) || member && !c.before(around, "class", 8) {
			return
		}
	case "java":
		if !member || c.text(from) == "static" && open == from+1 {
			return
		}
	default:
		if member && c.before(around, "namespace", 3) {
			member = false
		}
		if h == "extern" || h == "typedef" || h == "{" {
			return
		}
	}
	c.fns = append(c.fns, fn{from, shut + 1, member})
}

// header returns the start of the declaration whose body opens at a token.
func (c *Code) header(open int) int {
	i := open
	for i > 0 {
		p := c.text(i - 1)
		if c.semicolon(i-1) || p == "}" && c.frame[i-1] == c.frame[open] || p == "{" && c.frame[open] == i-1 ||
			p == ":" && slices.Contains([]string{"public", "private", "protected"}, c.text(i-2)) || c.directive(i-1) {
			break
		}
		i--
		if c.file.Lang == "go" && c.text(i) == "func" && c.indent(i) == "" && c.first(i) {
			break
		}
	}
	return i
}

// directive reports whether a token is on a line of the preprocessor.
func (c *Code) directive(i int) bool {
	at := int(c.Toks[i].Start)
	l := bytes.TrimLeft(c.Src[bytes.LastIndexByte(c.Src[:at], '\n')+1:], " \t")
	return len(l) > 0 && l[0] == '#' && (c.file.Lang == "c" || c.file.Lang == "cpp")
}

// before reports whether a word is among the reach tokens before i.
func (c *Code) before(i int, word string, reach int) bool {
	for j := i - 1; j >= max(0, i-reach); j-- {
		if c.text(j) == word {
			return true
		}
	}
	return false
}

// indented finds the structure of Python. It returns false if tabs indent.
func (c *Code) indented() bool {
	type def struct{ at, indent int }
	var defs []def
	depth := 0
	done := func(i, indent int) {
		for len(defs) > 0 && defs[len(defs)-1].indent >= indent {
			d := defs[len(defs)-1]
			defs = defs[:len(defs)-1]
			c.fns = append(c.fns, fn{d.at, i, d.indent > 0})
		}
	}
	for i := range c.Toks {
		t := c.text(i)
		if depth == 0 && c.first(i) && !c.continued(i) {
			blank := c.indent(i)
			if bytes.IndexByte([]byte(blank), '\t') >= 0 {
				return false
			}
			n := len(blank)
			done(i, n)
			c.frame[i] = n
			c.start[i] = len(defs) > 0 && !slices.Contains([]string{"else", "elif", "except", "finally", "case", "@"}, t)
			c.label[i] = true // in Python: any statement
			if t == "def" {
				defs = append(defs, def{i, n})
			}
		}
		if c.Toks[i].Class == lang.Keyword {
			switch t {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
	}
	done(len(c.Toks), 0)
	return depth == 0
}

// continued reports whether a backslash joins the line to the one before.
func (c *Code) continued(i int) bool {
	return i > 0 && bytes.IndexByte(c.Src[c.Toks[i-1].End:c.Toks[i].Start], '\\') >= 0
}

// ends lists the possible ends of an excerpt of whole statements that begins at a.
func (c *Code) ends(a, limit int, take func(b int) bool) {
	if c.file.Lang == "py" {
		c.endsIndented(a, limit, take)
		return
	}
	shut := c.shut[c.frame[a]]
	for b := a + 1; b <= min(shut, a+limit); b++ {
		if c.file.Lang != "go" && c.Toks[b].Class == lang.Keyword && len(c.text(b)) > 1 && c.text(b)[0] == '#' {
			return // a directive could open a block that the excerpt does not close
		}
		same := c.frame[b] == c.frame[a]
		end := b == shut && c.first(b) || same && (c.start[b] || c.label[b])
		if end && !take(b) {
			return
		}
		if same && c.label[b] {
			return
		}
	}
}

func (c *Code) endsIndented(a, limit int, take func(b int) bool) {
	for b := a + 1; b <= min(len(c.Toks), a+limit); b++ {
		if b < len(c.Toks) && !c.label[b] {
			continue
		}
		if c.text(b-1) != ":" && !take(b) {
			return
		}
		if b == len(c.Toks) || c.frame[b] < c.frame[a] {
			return
		}
	}
}
