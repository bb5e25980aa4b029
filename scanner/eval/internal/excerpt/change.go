package excerpt

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// kind is a change to an excerpt: a clone type and its parameters.
type kind struct {
	Name     string
	layout   bool // break lines and place comments anew
	rename   bool // rename every identifier, by a one-to-one map
	library  bool // except the names of libraries
	stray    int  // one in this many occurrences deviates from the map; 0 none
	literals bool // change every string and number
	every    int  // number of tokens after which a statement is inserted or deleted; 0 never
}

// Kinds are the rows of the recall tables.
var Kinds = []kind{
	{Name: "1", layout: true},
	{Name: "2c", rename: true},
	{Name: "2r", rename: true, library: true},
	{Name: "2i", rename: true, stray: 10},
	{Name: "2l", literals: true},
	{Name: "3/50", every: 50},
	{Name: "3/25", every: 25},
	{Name: "2c+3/50", rename: true, every: 50},
}

// keep are names that belong to a language although its grammar reads them as identifiers. Nobody renames them.
var keep = func() map[string]bool {
	m := make(map[string]bool)
	for _, n := range strings.Fields(`int char float double void bool boolean long short unsigned signed byte string
		String Object size_t error nil null true false undefined this self cls super Self append len make new any number`) {
		m[n] = true
	}
	return m
}()

// change is one way to change an excerpt.
type change struct {
	kind
	fixed  map[string]bool // names of libraries in the excerpt
	indent string          // begins each line
	dice   *corpus.Dice    // for random choices
}

// excerpt renders tokens [a, b) of c as changed by k. The last line ends with a line break.
func (c *Code) excerpt(a, b int, k change) string {
	e := editor{c: c, a: a, b: b, kind: k.kind, indent: k.indent, base: len(c.indent(a)), dice: k.dice,
		text: make(map[int]string), gone: make(map[int]bool), insert: make(map[int]string)}
	for i := a; i < b; i++ {
		if c.Toks[i].Class == lang.String && !whole(c.text(i)) {
			e.split = true
		}
	}
	if k.library {
		e.fixed = k.fixed
	}
	if k.rename {
		e.rename()
	}
	if k.literals {
		e.literals()
	}
	if k.every > 0 {
		e.statements()
	}
	return e.render()
}

// editor holds the changes to one excerpt.
type editor struct {
	c      *Code
	a, b   int
	kind   kind
	indent string
	base   int // indentation of the excerpt's first line
	dice   *corpus.Dice
	fixed  map[string]bool // names that stay
	split  bool            // a string has code in it: the gaps between tokens may be its text
	text   map[int]string  // of tokens that changed
	gone   map[int]bool
	insert map[int]string // statements before tokens
}

// rename maps every identifier to a new name.
func (e *editor) rename() {
	to, count, taken := make(map[string]string), make(map[string]int), make(map[string]bool)
	for i := e.a; i < e.b; i++ {
		if e.c.Toks[i].Class == lang.Identifier {
			taken[e.c.text(i)] = true
			count[e.c.text(i)]++
		}
	}
	fresh := func(old string) string {
		for {
			if n := e.dice.Name(old); !taken[n] && !keep[n] {
				taken[n] = true
				return n
			}
		}
	}
	for i := e.a; i < e.b; i++ {
		old := e.c.text(i)
		if e.c.Toks[i].Class != lang.Identifier || keep[old] || e.fixed[old] || old == "_" {
			continue
		}
		if to[old] == "" {
			to[old] = fresh(old)
		}
		e.text[i] = to[old]
		if e.kind.stray > 0 && count[old] > 1 && e.dice.UpTo(e.kind.stray) == 0 {
			e.text[i] = fresh(old)
		}
	}
}

var decimal = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?[a-zA-Z]?$`)

// literals gives every plain string and number another value of its kind.
func (e *editor) literals() {
	for i := e.a; i < e.b; i++ {
		s := e.c.text(i)
		switch e.c.Toks[i].Class {
		case lang.Number:
			if decimal.MatchString(s) {
				e.text[i] = turnDigits(s)
			}
		case lang.String:
			if whole(s) && s[0] != '/' && s[0] != '<' {
				e.text[i] = turnLetters(s)
			}
		}
	}
}

func turnDigits(s string) string {
	b := []byte(s)
	for i, d := range b {
		if d >= '0' && d <= '9' {
			b[i] = '1' + (d-'0'+4)%9
			if b[i] == d {
				b[i] = '1' + (d-'1'+1)%9
			}
		}
	}
	return string(b)
}

// turnLetters keeps escapes, verbs and the prefix before the quote.
func turnLetters(s string) string {
	b := []byte(s)
	from := strings.IndexAny(s, "\"'`")
	for i := max(from, 0); i < len(b); i++ {
		switch d := b[i]; {
		case d == '\\' || d == '%':
			i++
		case d >= 'a' && d <= 'z':
			b[i] = 'a' + (d-'a'+7)%26
		case d >= 'A' && d <= 'Z':
			b[i] = 'A' + (d-'A'+7)%26
		case d >= '1' && d <= '8':
			b[i]++
		}
	}
	return string(b)
}

// statements inserts a statement, or deletes the one at hand, whenever enough tokens have passed since the last change.
func (e *editor) statements() {
	last := e.a
	for i := e.a + 1; i < e.b; i++ {
		if i-last < e.kind.every || !e.c.start[i] {
			continue
		}
		last = i
		if j := e.next(i); j > 0 && e.dice.UpTo(2) == 0 {
			for at := i; at < j; at++ {
				e.gone[at] = true
			}
			last, i = j, j-1
			continue
		}
		e.insert[i] = e.statement()
	}
}

// next returns the start of the statement after the one at i, if that is short and not alone in its block.
func (e *editor) next(i int) int {
	const most = 20
	found := 0
	e.c.ends(i, most, func(b int) bool {
		if b < e.b && e.c.start[b] && e.c.frame[b] == e.c.frame[i] {
			found = b
		}
		return false
	})
	return found
}

// statement makes up a statement.
func (e *editor) statement() string {
	n, end := e.dice.UpTo(90)+2, ";"
	if e.c.file.Lang == "py" || e.c.file.Lang == "go" {
		end = ""
	}
	x, y := e.dice.Name("value"), e.dice.Name("other")
	return []string{
		fmt.Sprintf("%s(%s, %d)", x, y, n),
		fmt.Sprintf("%s = %s + %d", x, y, n),
		fmt.Sprintf("%s.%s(\"%s\", %s[%d])", x, y, e.dice.Name("text"), y, n),
		fmt.Sprintf("%s(%s.%s)", x, y, e.dice.Name("field")),
		fmt.Sprintf("%s[%s] = %s(%s)", x, y, e.dice.Name("call"), y),
	}[e.dice.UpTo(5)] + end
}

// render writes the excerpt. The gaps between tokens become layout.
func (e *editor) render() string {
	var b strings.Builder
	b.WriteString(e.indent)
	for i := e.a; i < e.b; i++ {
		if i > e.a && !e.gone[i] {
			b.WriteString(e.gap(i))
		}
		if s := e.insert[i]; s != "" {
			b.WriteString(s + "\n" + e.margin(i))
		}
		if e.gone[i] {
			continue
		}
		if s, ok := e.text[i]; ok {
			b.WriteString(s)
		} else {
			b.WriteString(e.c.text(i))
		}
	}
	b.WriteString("\n")
	return b.String()
}

// margin returns the indentation of token i's line in the target.
func (e *editor) margin(i int) string {
	own := e.c.indent(i)
	return e.indent + own[min(e.base, len(own)):]
}

// gap returns the text between token i and the one before it.
func (e *editor) gap(i int) string {
	raw := e.c.Src[e.c.Toks[i-1].End:e.c.Toks[i].Start]
	signs, ok := signs(raw, e.c.file.Lang == "py")
	if e.split || !ok {
		return string(raw)
	}
	if bytes.IndexByte(raw, '\n') < 0 {
		return signs + e.within(i, raw[len(signs):])
	}
	out := signs + "\n"
	if e.kind.layout {
		switch e.dice.UpTo(8) {
		case 0:
			out = "\n\n"
		case 1:
			out = "\n" + e.margin(i) + e.comment() + "\n"
		}
	}
	return out + e.margin(i)
}

// within writes a gap inside a line.
func (e *editor) within(i int, raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	if e.kind.layout && !slices.Contains([]string{"go", "py", "js", "ts"}, e.c.file.Lang) && e.c.text(i) == "{" && e.c.text(i-1) == ")" {
		return "\n" + e.margin(i)
	}
	if e.kind.layout && e.dice.UpTo(6) == 0 {
		return "  "
	}
	return " "
}

func (e *editor) comment() string {
	mark := "// "
	if e.c.file.Lang == "py" {
		mark = "# "
	} else if e.c.file.Lang == "c" {
		return "/* " + e.dice.Name("note") + " " + e.dice.Name("more") + " */"
	}
	return mark + e.dice.Name("note") + " " + e.dice.Name("more")
}

// signs returns the signs in a gap that are not tokens. ok is false if the gap has anything else besides white space
// and comments.
func signs(gap []byte, hash bool) (out string, ok bool) {
	for len(gap) > 0 {
		end := 0
		switch {
		case gap[0] == ' ' || gap[0] == '\t' || gap[0] == '\n':
			end = 1
		case hash && gap[0] == '#' || !hash && bytes.HasPrefix(gap, []byte("//")):
			end = bytes.IndexByte(gap, '\n')
		case !hash && bytes.HasPrefix(gap, []byte("/*")):
			end = bytes.Index(gap, []byte("*/")) + 2
		case bytes.IndexByte([]byte(";,()"), gap[0]) >= 0:
			out += string(gap[0])
			end = 1
		}
		if end <= 0 {
			return "", false
		}
		gap = gap[end:]
	}
	return out, true
}
